/* SPDX-License-Identifier: BSD-3-Clause */
/* Which samples are wanted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/kinds.h"
#include "command/usage/complain.h"
#include "command/usage/nearest.h"
#include "selection.h"
#include "span.h"

static int take_event(struct selection *selection, const char *command, const char *value)
{
	const char **event = realloc(selection->event,
				     (selection->event_count + 1) * sizeof(*event));

	if (!event) {
		complain(command, "out of memory");
		return EXIT_FAILED;
	}
	selection->event = event;
	event[selection->event_count++] = value;
	return EXIT_OK;
}

static int take_list(struct selection *selection, struct number_list *list, uint32_t field,
		     const char *command, const char *value)
{
	switch (number_list_parse(list, value)) {
	case 0:
		precis_fields_add(selection->fields, field);
		selection->checks_fields = 1;
		return EXIT_OK;
	case -1:
		return complain_usage(command, "--%s: expected a list as in 0-3,7, found '%s'",
				      precis_field_name(field), value);
	default:
		complain(command, "out of memory");
		return EXIT_FAILED;
	}
}

static int take_time(struct selection *selection, const char *command, const char *value)
{
	if (time_ranges_parse(&selection->time, value))
		return complain_usage(command,
				      "--time: expected START,STOP in seconds as in 3.85,4.0 or "
				      "3.85, or percents as in 10%%-20%% or 10%%/2, found '%s'",
				      value);
	precis_fields_add(selection->fields, PRECIS_FIELD_TIME);
	selection->checks_fields = 1;
	return EXIT_OK;
}

int selection_option(struct selection *selection, const char *command, int option,
		     const char *value)
{
	switch (option) {
	case OPTION_EVENT:
		return take_event(selection, command, value);
	case OPTION_CPU:
		return take_list(selection, &selection->cpu, PRECIS_FIELD_CPU, command, value);
	case OPTION_PID:
		return take_list(selection, &selection->pid, PRECIS_FIELD_PID, command, value);
	case OPTION_TID:
		return take_list(selection, &selection->tid, PRECIS_FIELD_TID, command, value);
	case OPTION_TIME:
		return take_time(selection, command, value);
	case OPTION_FILTER:
		selection->expression = value;
		selection->checks_fields = 1;
		return EXIT_OK;
	default:
		return -1;
	}
}

/* What an event may be called by, the first way that finds any counts */
enum { BY_NAME, BY_NUMBER, BY_PMU, WAYS };

static int is_called(const struct precis_event *event, unsigned int way, const char *word)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", event->index);
	if (way == BY_PMU)
		return event->pmu && strcmp(word, event->pmu) == 0;
	return strcmp(word, way == BY_NAME ? event->name : number) == 0;
}

/* An event by its name, else by its number, else all events of a PMU. @return how many */
static uint32_t want_events(struct selection *selection, const struct precis_file *file,
			    const char *word)
{
	uint32_t found = 0;

	for (unsigned int way = 0; way < WAYS && !found; way++) {
		for (uint32_t n = 0; n < selection->events_known; n++) {
			if (!is_called(precis_file_event(file, n), way, word))
				continue;
			selection->event_wanted[n] = 1;
			found++;
		}
	}
	return found;
}

int selection_has_late_event(const struct selection *selection, const struct precis_event *event)
{
	for (size_t i = 0; i < selection->event_count; i++) {
		for (unsigned int way = 0; way < WAYS; way++) {
			if (is_called(event, way, selection->event[i]))
				return 1;
		}
	}
	return 0;
}

static int no_such_event(const char *command, const char *path, const struct precis_file *file,
			 const char *word)
{
	uint32_t count = precis_file_event_count(file);
	struct nearest nearest = nearest_to(word, strlen(word));
	char names[512] = "", hint[NEAREST_ROOM];
	size_t length = 0;

	for (uint32_t n = 0; n < count; n++)
		nearest_offer(&nearest, precis_file_event(file, n)->name);
	for (uint32_t n = 0; n < count && length < sizeof(names); n++)
		length += (size_t)snprintf(names + length, sizeof(names) - length, "%s'%s'",
					   n ? ", " : "", precis_file_event(file, n)->name);
	return complain_usage(command, "%s: no event '%s'; it has %s%s", path, word, names,
			      nearest_hint(&nearest, hint));
}

static int find_event(const char *name, size_t length, void *data)
{
	const struct precis_file *file = data;
	uint32_t count = file ? precis_file_event_count(file) : 0;

	for (uint32_t n = 0; n < count; n++) {
		const char *found = precis_file_event(file, n)->name;

		if (strlen(found) == length && memcmp(found, name, length) == 0)
			return (int)n;
	}
	return -1;
}

/* The expression again, with a mark below the column that is wrong. */
static int bad_filter(const char *command, const char *expression,
		      const struct precis_filter_error *error)
{
	complain(command, "--filter: column %u: %s", error->column, error->message);
	complain(command, "%s", expression);
	complain(command, "%*s", (int)error->column, "^");
	return EXIT_USAGE;
}

int selection_open(struct selection *selection, const char *command, const char *path,
		   const struct precis_file *file, const struct precis_filter_names *names)
{
	struct precis_filter_error error = { .size = sizeof(error) };

	if (selection->event_count) {
		selection->events_known = precis_file_event_count(file);
		selection->event_wanted = calloc((size_t)selection->events_known + 1, 1);
		if (!selection->event_wanted) {
			complain(command, "out of memory");
			return EXIT_FAILED;
		}
	}
	for (size_t i = 0; i < selection->event_count; i++) {
		if (!want_events(selection, file, selection->event[i]))
			return no_such_event(command, path, file, selection->event[i]);
	}
	if (!selection->expression)
		return EXIT_OK;
	if (precis_filter_compile_names(selection->expression, find_event, (void *)(uintptr_t)file,
					names, &selection->filter, &error))
		return bad_filter(command, selection->expression, &error);
	for (unsigned int i = 0; i < PRECIS_FIELD_WORDS; i++)
		selection->fields[i] |= selection->filter.fields[i];
	return EXIT_OK;
}

int selection_place_times(struct selection *selection, const struct recording *recording,
			  const struct recording_options *options)
{
	struct recording_span span;
	const char *why;

	if (!selection->time.is_percent)
		return EXIT_OK;
	why = recording_span(recording, options, &span);
	if (why)
		return complain_usage(recording->command, "--time: no percents of %s: %s", recording->path,
				      why);
	time_ranges_place(&selection->time, span.first, span.last);
	return EXIT_OK;
}

static int has_number(const struct number_list *list, const struct precis_sample *sample,
		      enum precis_field field)
{
	uint64_t value;

	return !list->count || (precis_get(sample, field, &value) && number_list_has(list, value));
}

void selection_of_unit(struct selection *selection, enum precis_period_unit unit, int is_alone)
{
	selection->op_unit = (int)unit + 1;
	selection->is_op_unit_alone = is_alone;
	precis_fields_add(selection->fields, PRECIS_FIELD_PERIOD_UNIT);
	selection->checks_fields = 1;
}

int selection_has_unit(const struct selection *selection, const struct precis_event *event)
{
	if (event->kind != PRECIS_EVENT_IBS_OP)
		return !selection->is_op_unit_alone;
	return !selection->op_unit || (int)op_event_unit(event) + 1 == selection->op_unit;
}

static int has_unit(const struct selection *selection, const struct precis_sample *sample)
{
	uint64_t unit;

	if (sample->event_kind != PRECIS_EVENT_IBS_OP ||
	    !precis_get(sample, PRECIS_FIELD_PERIOD_UNIT, &unit))
		return !selection->is_op_unit_alone;
	return (int)unit + 1 == selection->op_unit;
}

int selection_has(const struct selection *selection, const struct precis_sample *sample)
{
	uint64_t time;

	if (!selection->checks_fields)
		return 1;
	if (!has_number(&selection->cpu, sample, PRECIS_FIELD_CPU) ||
	    !has_number(&selection->pid, sample, PRECIS_FIELD_PID) ||
	    !has_number(&selection->tid, sample, PRECIS_FIELD_TID))
		return 0;
	if (selection->time.count && !(precis_get_time(sample, &time) &&
				       time_ranges_have(&selection->time, time)))
		return 0;
	if (selection->op_unit && !has_unit(selection, sample))
		return 0;
	return !selection->expression || precis_filter_match(&selection->filter, sample);
}

int selection_has_traced(const struct selection *selection, const struct precis_event *event,
			 const struct precis_sample *sample)
{
	if (selection->event_wanted && (!event || !selection_has_event(selection, event)))
		return 0;
	return selection_has(selection, sample);
}

void selection_close(struct selection *selection)
{
	free(selection->event_wanted);
	selection->event_wanted = NULL;
}

void selection_free(struct selection *selection)
{
	selection_close(selection);
	free(selection->event);
	number_list_free(&selection->cpu);
	number_list_free(&selection->pid);
	number_list_free(&selection->tid);
}
