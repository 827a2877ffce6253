/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A profile of the Firefox Profiler in its processed format, version 60, which later ones upgrade:
 * threads with samples, and what all of them share: stacks, frames, functions, files, texts.
 *
 * Source: github.com/firefox-devtools/profiler, "Processed profile format" of its
 * documentation for developers. Times are milliseconds of the recording's clock.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "command/usage/complain.h"
#include "document/quote.h"
#include "export.h"
#include "paged.h"
#include "stacks.h"

#define PROCESSED_VERSION 60
#define GECKO_VERSION 32 /* whose processed format that was */
#define SAMPLES_MOST (UINT32_C(1) << 23) /* more than a browser shows */
/* These are in memory: 20 MiB at most, with the stack that comes last */
#define NODES_MOST ((UINT32_C(1) << 17) - STACK_FRAMES)
#define THREADS_MOST (UINT32_C(1) << 17)
#define TEXT_MOST (UINT32_C(4) << 20) /* bytes of names */

struct taken {
	uint64_t time, weight;
	uint32_t stack;
	uint32_t next; /* of the thread; NO_NUMBER: none */
};

struct thread {
	uint32_t first, last; /* samples; the last one's number */
	uint32_t count;
	uint32_t name, process; /* texts */
};

struct state {
	struct stacks stacks;
	struct triples tasks; /* pid, tid, 0 */
	struct thread *threads; /* by number of 'tasks' */
	uint32_t thread_room;
	struct triples objects; /* text, 0, 0: files of frames */
	uint32_t *resources; /* by frame: a number of 'objects'; NO_NUMBER: none */
	struct paged samples; /* struct taken */
	uint32_t count;
	uint64_t timeless; /* samples without a time, which are left out */
};

static struct taken *taken(struct state *state, uint32_t number)
{
	paged_use(&state->samples);
	return (struct taken *)state->samples.array + number;
}

/* --- what is taken in --- */

static struct thread *thread_of(struct state *state, const struct precis_sample *sample)
{
	uint64_t pid = UINT32_MAX, tid = UINT32_MAX;
	uint32_t known = state->tasks.slots.count, number;

	precis_get_pid(sample, &pid);
	precis_get_tid(sample, &tid);
	number = triples_number(&state->tasks, (uint32_t)pid, (uint32_t)tid, 0);
	if (number == NO_NUMBER)
		return NULL;
	if (number >= state->thread_room) {
		uint32_t room = state->tasks.slots.room;
		struct thread *more = realloc(state->threads, room * sizeof(*more));

		if (!more)
			return NULL;
		state->threads = more;
		state->thread_room = room;
	}
	if (number == known)
		state->threads[number] = (struct thread){ .first = NO_NUMBER };
	return &state->threads[number];
}

/* The name of the sample's process is that of its first thread; else the thread's own */
static const char *process_name(struct parts *parts, uint64_t time, const char *task)
{
	const char *name = NULL;
	uint64_t pid;

	if (precis_get_pid(parts->sample, &pid))
		precis_symbols_task(parts->places.symbols, (uint32_t)pid, time, &name);
	return name && *name ? name : task;
}

/* More than there may be of one of them? */
static int is_full(const struct state *state)
{
	return state->count == SAMPLES_MOST || state->stacks.nodes.slots.count > NODES_MOST ||
	       state->tasks.slots.count >= THREADS_MOST || state->stacks.texts.used > TEXT_MOST;
}

/* Room for one more sample. 0, or -1 after what is wrong has been printed */
static int make_room(struct export *export)
{
	struct state *state = export->state;

	if ((state->samples.array ||
	     !paged_open(&state->samples, SAMPLES_MOST * sizeof(struct taken))) &&
	    !paged_grow(&state->samples, (state->count + 1) * sizeof(struct taken)))
		return 0;
	complain(export->arguments->command, "temporary file for samples: %s", strerror(errno));
	export->dump.recording->broken = 1;
	export->dump.is_stopped = 1;
	return -1;
}

/* 0, or -1 if memory is short */
static int add(struct state *state, struct parts *parts, uint64_t time, uint64_t weight)
{
	uint32_t stack = stacks_sample(&state->stacks, parts, NO_NUMBER), number = state->count;
	struct thread *thread = thread_of(state, parts->sample);
	char room[32];
	const char *task = stacks_task(parts, room);

	if (stack == NO_NUMBER || !thread)
		return -1;
	thread->name = texts_number(&state->stacks.texts, task);
	thread->process = texts_number(&state->stacks.texts, process_name(parts, time, task));
	*taken(state, number) = (struct taken){ time, weight, stack, NO_NUMBER };
	if (thread->first == NO_NUMBER)
		thread->first = number;
	else
		taken(state, thread->last)->next = number;
	thread->last = number;
	thread->count++;
	state->count++;
	return thread->name == NO_NUMBER || thread->process == NO_NUMBER ? -1 : 0;
}

static void take(struct dump *dump, const struct precis_sample *sample)
{
	struct export *export = export_of(dump);
	struct state *state = export->state;
	uint64_t time, weight;
	int error;

	if (!precis_get_time(sample, &time)) {
		state->timeless++;
		return;
	}
	weight = weight_of(&export->weight, dump->recording, dump->parts.event, sample, &error);
	if (error) {
		dump->is_stopped = 1;
	} else if (is_full(state)) {
		complain(
			export->arguments->command,
			"%s: more than %u samples, %u stacks, %u threads or %u bytes of names: what comes "
			"behind them is left out; --time, --tid and -e select",
			dump->recording->path, SAMPLES_MOST, NODES_MOST, THREADS_MOST, TEXT_MOST);
		dump->is_stopped = 1;
	} else if (weight && !make_room(export) && add(state, &dump->parts, time, weight)) {
		export_out_of_memory(export);
	}
}

/* --- what is written --- */

/* A list of 'count' values; INT64_MIN is null */
static void put_list(struct output *output, const char *name, uint32_t count,
		     int64_t (*value)(const struct state *, uint32_t), const struct state *state)
{
	output_format(output, "\"%s\":[", name);
	for (uint32_t n = 0; n < count; n++) {
		int64_t number = value(state, n);
		char *start = output_room(output, NUMBER_TEXT + 1), *at = start;

		if (n)
			*at++ = ',';
		at = number == INT64_MIN ? put_bytes(at, "null", 4) : put_signed(at, number);
		output_wrote(output, (size_t)(at - start));
	}
	output_text(output, "],");
}

static void put_same(struct output *output, const char *name, uint32_t count, const char *value)
{
	output_format(output, "\"%s\":[", name);
	for (uint32_t n = 0; n < count; n++) {
		if (n)
			output_bytes(output, ",", 1);
		output_text(output, value);
	}
	output_text(output, "],");
}

static void put_length(struct output *output, uint32_t length, const char *behind)
{
	output_format(output, "\"length\":%u}%s", length, behind);
}

/* Milliseconds to the nanosecond */
static void put_time(struct output *output, uint64_t ns)
{
	output_format(output, "%" PRIu64 ".%06" PRIu64, ns / 1000000, ns % 1000000);
}

static int64_t node_frame(const struct state *state, uint32_t n)
{
	return state->stacks.nodes.triple[n][NODE_FRAME];
}

static int64_t node_caller(const struct state *state, uint32_t n)
{
	uint32_t caller = state->stacks.nodes.triple[n][NODE_CALLER];

	return caller == NO_NUMBER ? INT64_MIN : caller;
}

/* As 'categories' below has them */
static int64_t frame_category(const struct state *state, uint32_t n)
{
	uint32_t mode = state->stacks.frames.triple[n][FRAME_MODE];

	return mode <= PRECIS_CPUMODE_HYPERVISOR ? mode : mode <= PRECIS_CPUMODE_GUEST_USER ? 4 : 0;
}

static int64_t itself(const struct state *state, uint32_t n)
{
	(void)state;
	return n;
}

static int64_t frame_name(const struct state *state, uint32_t n)
{
	return state->stacks.frames.triple[n][FRAME_NAME];
}

static int64_t frame_resource(const struct state *state, uint32_t n)
{
	return state->resources[n] == NO_NUMBER ? -1 : (int64_t)state->resources[n];
}

static int64_t object_name(const struct state *state, uint32_t n)
{
	return state->objects.triple[n][0];
}

static void put_stacks(struct output *output, const struct state *state)
{
	uint32_t nodes = state->stacks.nodes.slots.count, frames = state->stacks.frames.slots.count;

	output_text(output, "\"stackTable\":{");
	put_list(output, "frame", nodes, node_frame, state);
	put_list(output, "prefix", nodes, node_caller, state);
	put_length(output, nodes, ",\n");
	output_text(output, "\"frameTable\":{");
	put_same(output, "address", frames, "-1");
	put_same(output, "inlineDepth", frames, "0");
	put_list(output, "category", frames, frame_category, state);
	put_same(output, "subcategory", frames, "0");
	put_list(output, "func", frames, itself, state);
	put_same(output, "nativeSymbol", frames, "null");
	put_same(output, "innerWindowID", frames, "null");
	put_same(output, "line", frames, "null");
	put_same(output, "column", frames, "null");
	put_length(output, frames, ",\n");
}

static void put_functions(struct output *output, const struct state *state)
{
	uint32_t count = state->stacks.frames.slots.count, objects = state->objects.slots.count;

	output_text(output, "\"funcTable\":{");
	put_list(output, "name", count, frame_name, state);
	put_same(output, "isJS", count, "false");
	put_same(output, "relevantForJS", count, "false");
	put_list(output, "resource", count, frame_resource, state);
	put_same(output, "source", count, "null");
	put_same(output, "lineNumber", count, "null");
	put_same(output, "columnNumber", count, "null");
	put_length(output, count, ",\n");
	output_text(output, "\"resourceTable\":{");
	put_same(output, "type", objects, "1"); /* a library */
	put_same(output, "lib", objects, "null");
	put_list(output, "name", objects, object_name, state);
	put_same(output, "host", objects, "null");
	put_length(output, objects, ",\n");
}

static void put_shared(struct output *output, const struct state *state)
{
	const struct texts *texts = &state->stacks.texts;

	output_text(output, "\"shared\":{");
	put_stacks(output, state);
	put_functions(output, state);
	output_text(output, "\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
			    "\"functionSize\":[],\"length\":0},\n"
			    "\"sources\":{\"uuid\":[],\"filename\":[],\"length\":0},\n"
			    "\"stringArray\":[");
	for (uint32_t n = 0; n < texts->slots.count; n++) {
		if (n)
			output_bytes(output, ",", 1);
		output_json(output, texts_of(texts, n));
	}
	output_text(output, "]},\n");
}

static void put_samples(struct output *output, struct state *state, const struct thread *thread,
			int weighed)
{
	uint32_t n;

	output_text(output, "\"samples\":{\"stack\":[");
	for (n = thread->first; n != NO_NUMBER; n = taken(state, n)->next)
		output_format(output, "%s%u", n == thread->first ? "" : ",",
			      taken(state, n)->stack);
	output_text(output, "],\"time\":[");
	for (n = thread->first; n != NO_NUMBER; n = taken(state, n)->next) {
		if (n != thread->first)
			output_bytes(output, ",", 1);
		put_time(output, taken(state, n)->time);
	}
	output_text(output, weighed ? "],\"weight\":[" : "],\"weight\":null");
	for (n = thread->first; n != NO_NUMBER && weighed; n = taken(state, n)->next)
		output_format(output, "%s%" PRIu64, n == thread->first ? "" : ",",
			      taken(state, n)->weight);
	output_text(output, weighed ? "]," : ",");
	output_text(output, "\"weightType\":\"samples\",");
	put_length(output, thread->count, "");
}

static void put_thread(struct output *output, struct state *state, uint32_t n, int weighed)
{
	const struct thread *thread = &state->threads[n];
	uint32_t pid = state->tasks.triple[n][0], tid = state->tasks.triple[n][1];

	output_text(output, n ? ",\n{\"name\":" : "{\"name\":");
	output_json(output, texts_of(&state->stacks.texts, thread->name));
	output_text(output, ",\"processName\":");
	output_json(output, texts_of(&state->stacks.texts, thread->process));
	output_format(output,
		      ",\"pid\":\"%" PRId32 "\",\"tid\":%" PRId32 ",\"isMainThread\":%s,"
		      "\"processType\":\"default\",\"processStartupTime\":0,"
		      "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
		      "\"pausedRanges\":[],",
		      (int32_t)pid, (int32_t)tid, pid == tid ? "true" : "false");
	put_samples(output, state, thread, weighed);
	output_text(output, ",\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
			    "\"phase\":[],\"category\":[],\"length\":0}}");
}

/* Samples of a thread are as far apart as all are on the average. */
static void put_meta(struct output *output, const struct export *export)
{
	static const char categories[] =
		"[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
		"{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
		"{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
		"{\"name\":\"Hypervisor\",\"color\":\"purple\",\"subcategories\":[\"Other\"]},"
		"{\"name\":\"Guest\",\"color\":\"green\",\"subcategories\":[\"Other\"]}]";
	struct state *state = export->state;
	struct precis_file_info info = { .size = sizeof(info) };
	uint64_t span = 1000000;

	if (state->count > 1)
		span = (taken(state, state->count - 1)->time - taken(state, 0)->time) /
		       (state->count - 1);
	precis_file_info(export->dump.file, &info);
	output_format(output,
		      "{\"meta\":{\"version\":%d,\"preprocessedProfileVersion\":%d,"
		      "\"processType\":0,\"stackwalk\":1,\"startTime\":0,\"symbolicated\":true,"
		      "\"symbolicationNotSupported\":true,\"usesOnlyOneStackType\":true,"
		      "\"sourceCodeIsNotOnSearchfox\":true,\"markerSchema\":[],"
		      "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
		      "\"threadCPUDelta\":\"ns\"},\"categories\":%s,\"importedFrom\":\"precis\","
		      "\"interval\":",
		      GECKO_VERSION, PROCESSED_VERSION, categories);
	put_time(output, span ? span : 1);
	output_text(output, ",\"product\":");
	output_json(output, export->dump.recording->path);
	if (info.cpu_description) {
		output_text(output, ",\"CPUName\":");
		output_json(output, info.cpu_description);
	}
	output_text(output, "},\n\"libs\":[],\n");
}

static void begin(struct dump *dump)
{
	(void)dump;
}

/* Numbers for all files of frames. 0, or -1 if memory is short */
static int number_objects(struct state *state)
{
	uint32_t count = state->stacks.frames.slots.count;

	state->resources = calloc((size_t)count + 1, sizeof(*state->resources));
	for (uint32_t n = 0; state->resources && n < count; n++) {
		uint32_t object = state->stacks.frames.triple[n][FRAME_OBJECT];

		state->resources[n] = NO_NUMBER;
		if (object == NO_NUMBER)
			continue;
		state->resources[n] = triples_number(&state->objects, object, 0, 0);
		if (state->resources[n] == NO_NUMBER)
			return -1;
	}
	return state->resources ? 0 : -1;
}

static void end(struct dump *dump)
{
	struct export *export = export_of(dump);
	struct output *output = &dump->output;
	struct state *state = export->state;

	if (export->weight.is_refused)
		return;
	if (number_objects(state)) {
		export_out_of_memory(export);
		return;
	}
	put_meta(output, export);
	put_shared(output, state);
	output_text(output, "\"threads\":[");
	for (uint32_t n = 0; n < state->tasks.slots.count; n++)
		put_thread(output, state, n, export->weight.kind != WEIGHT_SAMPLES);
	output_text(output, "]}\n");
	if (state->timeless)
		complain(export->arguments->command,
			 "%s: %" PRIu64 " samples have no time and are left out",
			 dump->recording->path, state->timeless);
}

static int open_firefox(struct export *export)
{
	export->state = calloc(1, sizeof(struct state));
	if (!export->state)
		export_out_of_memory(export);
	return export->state ? 0 : -1;
}

static void close_firefox(struct export *export)
{
	struct state *state = export->state;

	stacks_free(&state->stacks);
	triples_free(&state->tasks);
	triples_free(&state->objects);
	free(state->resources);
	free(state->threads);
	paged_close(&state->samples);
	free(state);
}

const struct export_format export_firefox = {
	.dump = { "firefox", begin, take, end, NULL },
	.takes = EXPORT_WEIGHT,
	.parts = STACKS_NEED,
	.open = open_firefox,
	.close = close_firefox,
};
