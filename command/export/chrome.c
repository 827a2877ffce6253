/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trace events as chrome://tracing and ui.perfetto.dev read them: for each sample an instant event
 * of its thread, named by its function, with the fields that it has; below all of them the frames
 * that "sf" is about.
 *
 * Source: "Trace Event Format" of the Chromium project: Instant Events, Metadata Events, Stack
 * frames.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "about.h"
#include "command/usage/complain.h"
#include "document/quote.h"
#include "export.h"
#include "stacks.h"

/* 20 MiB of stacks, which are written at the end, and 10 of names that need not be told again */
#define NODES_MOST ((UINT32_C(1) << 17) - STACK_FRAMES)
#define TEXT_MOST (UINT32_C(4) << 20) /* bytes of names */
#define TOLD_MOST (UINT32_C(1) << 16)
#define TOLD_TEXT_MOST (UINT32_C(2) << 20)

struct state {
	struct stacks stacks;
	struct triples told; /* pid, tid, 'names': threads with these names */
	struct texts names;
	uint64_t events;
	uint64_t timeless, stackless; /* samples without a time; behind the last stack that has room */
};

static void begin_event(struct output *output, struct state *state)
{
	output_text(output, state->events++ ? ",\n{" : "\n{");
}

/* The thread's name, if that is news, or it is forgotten that it was told. 0, or -1 if memory is short */
static int name_task(struct dump *dump, struct state *state, int32_t pid, int32_t tid)
{
	uint32_t known, text, number;
	struct output *output = &dump->output;
	char room[32];
	const char *name = stacks_task(&dump->parts, room);

	if (state->told.slots.count >= TOLD_MOST || state->names.used > TOLD_TEXT_MOST) {
		triples_free(&state->told);
		texts_free(&state->names);
	}
	known = state->told.slots.count;
	text = texts_number(&state->names, name);
	if (text == NO_NUMBER)
		return -1;
	number = triples_number(&state->told, (uint32_t)pid, (uint32_t)tid, text);
	for (int n = 0; number == known && n < (pid == tid ? 2 : 1); n++) {
		begin_event(output, state);
		output_format(output, "\"ph\":\"M\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,"
				      "\"args\":{\"name\":",
			      n ? "process_name" : "thread_name", pid, tid);
		output_json(output, name);
		output_text(output, "}}");
	}
	return number == NO_NUMBER ? -1 : 0;
}

/* Microseconds to the nanosecond */
static void put_time(struct output *output, uint64_t ns)
{
	output_format(output, "%" PRIu64 ".%03" PRIu64, ns / 1000, ns % 1000);
}

static void put_event(struct dump *dump, struct state *state, const struct precis_sample *sample,
		      uint64_t time, uint32_t node)
{
	const struct precis_event *event = dump->parts.event;
	struct output *output = &dump->output;
	const char *name = "[unknown]";
	uint64_t pid = UINT64_MAX, tid = UINT64_MAX;

	precis_get_pid(sample, &pid);
	precis_get_tid(sample, &tid);
	if (node != NO_NUMBER)
		name = stacks_frame_name(&state->stacks, state->stacks.nodes.triple[node][NODE_FRAME]);
	begin_event(output, state);
	output_text(output, "\"ph\":\"i\",\"s\":\"t\",\"name\":");
	output_json(output, name);
	if (event) {
		output_text(output, ",\"cat\":");
		output_json(output, event->name);
	}
	output_format(output, ",\"pid\":%d,\"tid\":%d,\"ts\":", (int32_t)pid, (int32_t)tid);
	put_time(output, time);
	if (node != NO_NUMBER)
		output_format(output, ",\"sf\":\"%u\"", node);
	output_text(output, ",\"args\":");
	dump_json_cells(dump, sample);
	output_text(output, "}}");
}

static void take(struct dump *dump, const struct precis_sample *sample)
{
	struct export *export = export_of(dump);
	struct state *state = export->state;
	uint64_t time, pid = UINT64_MAX, tid = UINT64_MAX;
	uint32_t node = NO_NUMBER;

	if (!precis_get_time(sample, &time)) {
		state->timeless++;
		return;
	}
	precis_get_pid(sample, &pid);
	precis_get_tid(sample, &tid);
	if (name_task(dump, state, (int32_t)pid, (int32_t)tid)) {
		export_out_of_memory(export);
		return;
	}
	if (state->stacks.nodes.slots.count > NODES_MOST || state->stacks.texts.used > TEXT_MOST) {
		state->stackless++;
	} else {
		node = stacks_sample(&state->stacks, &dump->parts, NO_NUMBER);
		if (node == NO_NUMBER) {
			export_out_of_memory(export);
			return;
		}
	}
	put_event(dump, state, sample, time, node);
}

static void begin(struct dump *dump)
{
	struct output *output = &dump->output;
	struct about about;

	dump_json_begin(dump);
	about_recording(&about, dump->recording);
	output_text(output, "{\"displayTimeUnit\":\"ns\",\"otherData\":{");
	for (uint32_t n = 0; n < about.count; n++) {
		output_format(output, "%s\"%s\":", n ? "," : "", about.fact[n].key);
		output_json(output, about.fact[n].value);
	}
	output_text(output, "},\n\"traceEvents\":[");
}

static void put_frame(struct output *output, const struct stacks *stacks, uint32_t node)
{
	const uint32_t *at = stacks->nodes.triple[node];
	uint32_t object = stacks->frames.triple[at[NODE_FRAME]][FRAME_OBJECT];

	output_format(output, "%s\"%u\":{\"name\":", node ? ",\n" : "\n", node);
	output_json(output, stacks_frame_name(stacks, at[NODE_FRAME]));
	if (object != NO_NUMBER) {
		output_text(output, ",\"category\":");
		output_json(output, texts_of(&stacks->texts, object));
	}
	if (at[NODE_CALLER] != NO_NUMBER)
		output_format(output, ",\"parent\":\"%u\"", at[NODE_CALLER]);
	output_text(output, "}");
}

static void end(struct dump *dump)
{
	struct export *export = export_of(dump);
	struct output *output = &dump->output;
	struct state *state = export->state;

	output_text(output, "\n],\n\"stackFrames\":{");
	for (uint32_t n = 0; n < state->stacks.nodes.slots.count; n++)
		put_frame(output, &state->stacks, n);
	output_text(output, "\n}}\n");
	if (state->timeless)
		complain(export->arguments->command,
			 "%s: %" PRIu64 " samples have no time and are left out",
			 dump->recording->path, state->timeless);
	if (state->stackless)
		complain(export->arguments->command,
			 "%s: %" PRIu64
			 " samples are without their call stacks: there are more than %u, "
			 "or more than %u bytes of names",
			 dump->recording->path, state->stackless, NODES_MOST, TEXT_MOST);
}

static int open_chrome(struct export *export)
{
	export->state = calloc(1, sizeof(struct state));
	if (!export->state)
		export_out_of_memory(export);
	return export->state ? 0 : -1;
}

static void close_chrome(struct export *export)
{
	struct state *state = export->state;

	stacks_free(&state->stacks);
	triples_free(&state->told);
	texts_free(&state->names);
	free(state);
}

const struct export_format export_chrome = {
	.dump = { "chrome", begin, take, end, NULL },
	.takes = EXPORT_FIELDS | EXPORT_REASONS | EXPORT_LISTS,
	.parts = STACKS_NEED,
	.fields = "default",
	.open = open_chrome,
	.close = close_chrome,
};
