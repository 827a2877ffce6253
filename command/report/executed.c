/* SPDX-License-Identifier: BSD-3-Clause */
/* See executed.h. */
#include "executed.h"

#include <stdio.h>
#include <string.h>

#include "command/usage/complain.h"

/*
 * Of code with more addresses that were seen the pages that least was seen of are left out, as by precis mix
 * --places: 16384 take some 40 MiB, and the function that is shown is one that much was seen of.
 */
#define PLACES_MOST 16384u

/* Samples that are chosen by what they tell are no picture of what ran; by these they are one of a part. */
static int is_filter_of_part(const struct reading *first)
{
	static const uint8_t fields[] = { PRECIS_FIELD_PID, PRECIS_FIELD_TID, PRECIS_FIELD_CPU,
					  PRECIS_FIELD_TIME };
	const struct selection *selection = &first->selection;
	uint64_t allowed[PRECIS_FIELD_WORDS] = { 0 };

	if (!selection->expression)
		return 1;
	for (size_t n = 0; n < sizeof(fields); n++)
		precis_fields_add(allowed, fields[n]);
	for (size_t n = 0; n < PRECIS_FIELD_WORDS; n++) {
		if (selection->filter.fields[n] & ~allowed[n])
			return 0;
	}
	return !filter_names_used(selection->expression);
}

#define TYPE_SOFTWARE 1u  /* PERF_TYPE_SOFTWARE */
#define SOFTWARE_DUMMY 9u /* PERF_COUNT_SW_DUMMY: perf has it for records, it takes no samples */

/* Of an event why neither its addresses nor its stacks tell */
static void say_why(struct executed *executed, const struct precis_event *event, const char *no_sample,
		    const char *no_stack)
{
	const size_t used = strlen(executed->why);

	if (event->type == TYPE_SOFTWARE && event->config == SOFTWARE_DUMMY)
		return;
	snprintf(executed->why + used, sizeof(executed->why) - used, "%s%s: %s%s%s", used ? "; " : "",
		 event->name ? event->name : "?", no_sample, no_stack ? ", " : "", no_stack ? no_stack : "");
}

/* @return 0: some may tell */
static int say_why_events(struct executed *executed, const struct precis_input *input)
{
	const struct precis_cpu *cpu = precis_input_cpu(input);
	const uint32_t count = precis_input_event_count(input);
	struct precis_file_info info = { .size = sizeof(info) };

	precis_file_info(precis_input_file(input), &info);
	for (uint32_t n = 0; n < count; n++) {
		const struct precis_event *event = precis_input_event(input, n);
		const struct mix_event how = mix_event_of(event, cpu, &info);

		if (!how.no_sample || !how.no_stack) {
			executed->why[0] = '\0';
			return 0;
		}
		say_why(executed, event, how.no_sample, how.no_stack);
	}
	return count != 0;
}

/* All is read, and nothing told. */
static void say_why_samples(struct executed *executed)
{
	const struct mix_reading *reading = &executed->reading;

	executed->why[0] = '\0';
	for (uint32_t n = 0; n < reading->event_count; n++) {
		const struct mix_event *how = &reading->events[n].how;
		const struct precis_event *event = precis_input_event(reading->recording.input, n);

		if (!reading->events[n].samples)
			say_why(executed, event, "no samples", NULL);
		else
			say_why(executed, event, how->no_sample ? how->no_sample : "no addresses",
				how->no_stack ? how->no_stack : "no branch stacks");
	}
}

/* @return 0: nothing tells; 'why' says it */
static int estimate(struct executed *executed, const char *path)
{
	const struct mix_observations *seen;

	if (mix_reading_open(&executed->reading, &executed->arguments, path))
		return 0;
	mix_reading_read(&executed->reading);
	if (executed->reading.failed)
		return 0;
	seen = mix_sightings_seen(executed->reading.sightings);
	if (!seen->samples && !seen->stacks) {
		say_why_samples(executed);
		return 0;
	}
	if (mixed_make(&executed->mixed, &executed->reading, &executed->arguments))
		return 0;
	executed->executions = mix_executions_new(&executed->mixed.program, executed->mixed.estimate,
						  executed->reading.places.symbols);
	return executed->executions != NULL;
}

static void read_again(struct executed *executed, const struct report_arguments *arguments, const char *path)
{
	executed->arguments = (struct mix_arguments){
		.command = arguments->command,
		.method = MIX_JOINT,
		.cutoff = MIX_CUTOFF,
		.places = PLACES_MOST,
		.jobs = arguments->jobs,
		.recording = arguments->recording,
		.selection = arguments->selection,
		.symbols = arguments->symbols,
	};
	executed->arguments.recording.no_progress = 1;
	/* Which events are listed, and which tell of executions, are two things. */
	executed->arguments.selection.event_count = 0;
	snprintf(executed->why, sizeof(executed->why), "it could not be read once more");
	executed->is_read = 1;
	complain_no_more(1);
	if (estimate(executed, path))
		executed->why[0] = '\0';
	complain_no_more(0);
}

void executed_find(struct executed *executed, const struct report_arguments *arguments,
		   const struct reading *first, int can_be_read_again)
{
	memset(executed, 0, sizeof(*executed));
	if (arguments->path_count > 1)
		snprintf(executed->why, sizeof(executed->why), "of several recordings: annotate one of them");
	else if (arguments->is_pebs)
		snprintf(executed->why, sizeof(executed->why), "PEBS records tell no executions");
	else if (!is_filter_of_part(first))
		snprintf(executed->why, sizeof(executed->why),
			 "samples are chosen by what they tell (--filter)");
	else if (say_why_events(executed, first->input))
		return;
	else if (!can_be_read_again)
		snprintf(executed->why, sizeof(executed->why), "what comes from a pipe is read once");
	else
		read_again(executed, arguments, first->recording.path);
}

void executed_free(struct executed *executed)
{
	mix_executions_free(executed->executions);
	if (!executed->is_read)
		return;
	mixed_free(&executed->mixed);
	mix_reading_close(&executed->reading);
}
