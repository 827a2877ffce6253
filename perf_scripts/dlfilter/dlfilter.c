/* SPDX-License-Identifier: BSD-3-Clause */
/* precis-dlfilter.so: what perf script calls. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "events.h"
#include "generic.h"
#include "payload.h"
#include "pebs_events.h"
#include "perf_dlfilter_abi.h"
#include "row.h"

struct dlfilter_fns perf_dlfilter_fns;

struct state {
	struct arguments arguments;
	struct events events;
	struct precis_ibs_context context;
	uint64_t wanted[EVENT_KINDS][PRECIS_FIELD_WORDS]; /* what is printed or filtered by */
	FILE *to;
	struct precis_sample sample;
	struct event *event; /* of 'sample' */
	int decoded;         /* 'sample' is the one that filter_event_early() let pass */
};

static int open_output(struct state *state)
{
	const char *path = state->arguments.path;

	state->to = path ? fopen(path, "we") : stdout;
	if (!state->to) {
		fprintf(stderr, "precis-dlfilter: o=%s: %s\n", path, strerror(errno));
		return -1;
	}
	if (state->arguments.csv)
		row_header(&state->arguments, state->to);
	return 0;
}

static int close_output(const struct state *state)
{
	const char *path = state->arguments.path;

	if (path && (ferror(state->to) | fclose(state->to))) {
		fprintf(stderr, "precis-dlfilter: o=%s: %s\n", path, strerror(errno));
		return -1;
	}
	return 0;
}

static void choose_wanted(struct state *state)
{
	const struct arguments *arguments = &state->arguments;

	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		if (arguments->has_filter)
			memcpy(state->wanted[kind], arguments->filter.fields,
			       sizeof(state->wanted[kind]));
		for (uint32_t i = 0; i < arguments->print[kind].count; i++)
			precis_fields_add(state->wanted[kind],
					  arguments->print[kind].printed[i].field);
	}
}

static void know_machine(struct state *state)
{
	const struct arguments *arguments = &state->arguments;

	state->events.machine = (struct precis_pebs_machine){
		.size = sizeof(state->events.machine),
		.cpu = arguments->cpu,
		.has_capabilities = (uint32_t)arguments->has_capabilities,
		.capabilities = arguments->capabilities,
		.records_retire_latency =
			(uint32_t)precis_pebs_kernel_has_retire_latency(arguments->os_release),
		.kernel = precis_kernel_number(arguments->os_release),
	};
	state->events.hands_on_zero = perf_dlfilter_fns.al_cleanup != NULL;
}

int start(void **data, void *ctx)
{
	struct state *state = calloc(1, sizeof(*state));
	char **texts = NULL;
	int count = 0;

	if (!state) {
		fputs("precis-dlfilter: no memory\n", stderr);
		return -1;
	}
	if (perf_dlfilter_fns.args)
		texts = perf_dlfilter_fns.args(ctx, &count);
	if (arguments_read(&state->arguments, texts ? count : 0, texts, &state->events) ||
	    open_output(state)) {
		events_free(&state->events);
		free(state);
		return -1;
	}
	choose_wanted(state);
	know_machine(state);
	precis_ibs_context_init(&state->context, &state->arguments.cpu);
	precis_sample_init(&state->sample);
	*data = state;
	return 0;
}

int stop(void *data, void *ctx)
{
	struct state *state = data;
	int result;

	(void)ctx;
	if (!state)
		return 0;
	result = close_output(state);
	events_complain(&state->events);
	events_free(&state->events);
	free(state);
	return result;
}

static int is_ibs(enum precis_event_kind kind)
{
	return kind == PRECIS_EVENT_IBS_OP || kind == PRECIS_EVENT_IBS_FETCH;
}

static int decode(struct state *state, const struct dlfilter_sample *from, void *ctx)
{
	const void *attr = perf_dlfilter_fns.attr ? perf_dlfilter_fns.attr(ctx) : NULL;
	struct event *event = events_of(&state->events, from, attr);
	struct precis_sample *sample = &state->sample;
	int error = PRECIS_E_NO_PAYLOAD;
	const uint64_t *wanted;

	if (!event)
		return -ENOMEM;
	event->samples++;
	wanted = state->wanted[event->kind];
	if (is_ibs(event->kind))
		error = payload_decode(&state->context, event->kind, state->arguments.old_fetch,
				       from, wanted, sample);
	if (error) {
		precis_sample_init(sample);
		if (is_ibs(event->kind))
			sample->payload_error = error;
	}
	sample->event_kind = event->kind;
	memcpy(sample->wanted, wanted, sizeof(sample->wanted));
	if (error)
		pebs_words_decode(&state->events, event, from, wanted, sample);
	generic_fill(&state->events, event, from, !error, wanted, sample);
	state->event = event;
	if (!is_ibs(event->kind) || !error)
		return 0;
	if (error == PRECIS_E_NO_PAYLOAD)
		event->without_raw++;
	else if (!event->undecodable++)
		event->first_error = error;
	return 0;
}

/* Decode a sample, keep or drop it. */
static int judge(struct state *state, const struct dlfilter_sample *from, void *ctx)
{
	int error = decode(state, from, ctx);

	if (error)
		return error;
	return state->arguments.has_filter &&
	       !precis_filter_match(&state->arguments.filter, &state->sample);
}

/*
 * Dropping is done here, before perf has looked for symbols; printing in
 * filter_event(), which sees only what perf's own options leave over.
 */
int filter_event_early(void *data, const struct dlfilter_sample *sample, void *ctx)
{
	struct state *state = data;
	int dropped = judge(state, sample, ctx);

	state->decoded = !dropped;
	return dropped;
}

int filter_event(void *data, const struct dlfilter_sample *sample, void *ctx)
{
	struct state *state = data;
	int dropped = state->decoded ? 0 : judge(state, sample, ctx);

	state->decoded = 0;
	if (dropped)
		return dropped;
	row_write(&state->arguments, &state->sample, state->event->name, state->to);
	return state->arguments.only;
}

const char *filter_description(const char **long_description)
{
	if (long_description)
		*long_description = arguments_help;
	return "AMD IBS, Intel PEBS: prints, or filters by, the fields that perf hides";
}
