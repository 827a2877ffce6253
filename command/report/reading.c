/* SPDX-License-Identifier: BSD-3-Clause */
/* See reading.h. */
#include "reading.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "analysis/offcpu/switches.h"
#include "command/symbols/demangle.h"
#include "command/usage/complain.h"
#include "memory.h"

/* --- opening --- */

/*
 * Context switches of several CPUs make sense in the order of their times alone, and what can be
 * read but once has to be in order where otherwise a second pass is needed.
 */
static int needs_order(const char *path)
{
	struct precis_file *file;
	int needs;

	if (recording_is_stream(path))
		return 1;
	if (strcmp(path, "-") == 0 ? precis_file_open_fd(STDIN_FILENO, NULL, &file, NULL)
				   : precis_file_open(path, NULL, &file, NULL))
		return 0;
	needs = offcpu_is_recorded(file);
	precis_file_close(file);
	return needs;
}

/* Of what is read in the file's order, and is there for good and not unpacked while it is read */
static void find_parts(struct reading *reading)
{
	const struct precis_file *file = reading->recording.file;
	struct precis_file_info info = { .size = sizeof(info) };
	struct precis_bytes compressed;

	if (reading->options.order == PRECIS_ORDER_TIME || precis_file_info(file, &info) ||
	    info.form != PRECIS_FORM_SEEKABLE || precis_file_has_pebs_pt(file) ||
	    !precis_file_feature(file, PRECIS_FEATURE_COMPRESSED, &compressed))
		return;
	reading->data_offset = info.data_offset;
	reading->part_bytes = info.data_bytes / READING_PARTS + 1;
}

/* If what is asked for needs it */
static int find_span(struct reading *reading)
{
	const char *what = by_needs_span(&reading->arguments->by);
	const char *why = NULL;

	if (what)
		why = recording_span(&reading->recording, &reading->options, &reading->span);
	return why ? complain_usage(reading->arguments->command, "%s: not of %s: %s", what,
				    reading->recording.path, why) : EXIT_OK;
}

static int open_recording(struct reading *reading, const char *path)
{
	struct report_arguments *arguments = reading->arguments;
	struct recording *recording = &reading->recording;
	const uint64_t names = filter_names_used(arguments->selection.expression);
	int code;

	if (names || by_needs_order(&arguments->by) || needs_order(path))
		reading->options.order = PRECIS_ORDER_TIME;
	code = recording_open(recording, arguments->command, path, &reading->options);
	if (code)
		return code;
	reading->input = recording->input;
	find_parts(reading);
	if (filter_names_open(&reading->names, names, recording->file, &arguments->symbols))
		return recording_out_of_memory(recording);
	code = selection_open(&reading->selection, arguments->command, path, recording->file,
			      &reading->names.table);
	if (!code)
		code = selection_place_times(&reading->selection, recording, &reading->options);
	return code ? code : find_span(reading);
}

static int open_dump(struct reading *reading, const char *path)
{
	const struct report_arguments *arguments = reading->arguments;
	int code;

	recording_name(&reading->recording, arguments->command, path);
	if (by_needs_span(&arguments->by))
		return complain_usage(arguments->command, "%s: PEBS records have no time of a recording's",
				      by_needs_span(&arguments->by));
	code = selection_open(&reading->selection, arguments->command, reading->recording.path,
			      NULL, NULL);
	if (!code)
		code = pebs_walk_open(&reading->walk, &arguments->pebs, &reading->recording,
				      NULL);
	reading->input = reading->walk.input;
	return code;
}

int reading_open(struct reading *reading, struct report_arguments *arguments, const char *path)
{
	int code;

	memset(reading, 0, sizeof(*reading));
	reading->arguments = arguments;
	reading->options = arguments->recording;
	reading->selection = arguments->selection;
	code = arguments->is_pebs ? open_dump(reading, path) : open_recording(reading, path);
	if (code)
		reading_close(reading);
	return code;
}

void reading_open_saved(struct reading *reading, struct report_arguments *arguments)
{
	memset(reading, 0, sizeof(*reading));
	reading->arguments = arguments;
	reading->options = arguments->recording;
	reading->selection = arguments->selection;
	reading->recording.command = arguments->command;
}

void reading_close(struct reading *reading)
{
	analysis_run_free(&reading->run);
	selection_close(&reading->selection);
	filter_names_close(&reading->names);
	if (reading->arguments->is_pebs)
		pebs_walk_close(&reading->walk);
	else
		recording_close(&reading->recording);
	saved_texts_free(&reading->texts);
}

int reading_open_again(struct reading *reading, const struct reading *first)
{
	memset(reading, 0, sizeof(*reading));
	reading->arguments = first->arguments;
	reading->options = first->options;
	reading->selection = first->selection;
	reading->span = first->span;
	reading->data_offset = first->data_offset;
	reading->part_bytes = first->part_bytes;
	if (recording_open_again(&reading->recording, &first->recording, &reading->options))
		return -1;
	reading->input = reading->recording.input;
	return 0;
}

void reading_close_again(struct reading *reading)
{
	analysis_run_free(&reading->run);
	recording_close(&reading->recording);
}

/* --- reading --- */

/* Records of so many bytes make no more than some times as many be taken. */
#define LOOK_BYTES (UINT64_C(512) << 10)

/* Do those who share the recording take too much memory, or has one of them not enough? Of one alone never */
static int is_full(struct reading *reading)
{
	struct reading_share *share = &reading->share;
	uint64_t place;

	if (!share->is_full)
		return 0;
	place = precis_input_place(reading->input);
	if (place - share->looked >= LOOK_BYTES) {
		share->looked = place;
		if (memory_resident() > share->bytes_most || reading_unlearnt(reading))
			atomic_store(share->is_full, 1);
	}
	return atomic_load_explicit(share->is_full, memory_order_relaxed);
}

/* Nothing is said: what is wrong is told by who reads it alone. */
int reading_next_of_share(struct reading *reading, const struct precis_item **item)
{
	struct progress *progress = &reading->recording.progress;
	int found = is_full(reading) ? PRECIS_E_NO_MEMORY : precis_input_next(reading->input, item);

	reading->share.ended = found;
	if (found > 0 && progress_is_due(progress, 1))
		progress_show(progress, precis_input_position(reading->input));
	return found > 0;
}

static int next_item(struct reading *reading, const struct precis_item **item)
{
	if (reading->share.count)
		return reading_next_of_share(reading, item);
	return reading->arguments->is_pebs ? pebs_walk_next(&reading->walk, item) :
					     recording_next(&reading->recording, item);
}

/* A sample that is a record of the file's: its event is known before it is decoded. */
static int take_recorded(struct reading *reading, const struct precis_item *item)
{
	const struct selection *selection = &reading->selection;
	struct precis_sample *sample = &reading->sample;
	int code;

	if (selection->event_wanted && !selection_has_event(selection, item->event))
		return 0;
	code = precis_input_sample(reading->input, reading->wanted, NULL, sample);
	if (!code && sample->payload_error)
		faults_note_empty(&reading->faults, reading->input, sample);
	return !code && (!selection->checks_fields || selection_has(selection, sample));
}

/* One of the AUX area, or of a dump */
static int take_pebs(struct reading *reading, const struct precis_item *item)
{
	struct precis_sample *sample = &reading->sample;

	return !precis_input_sample(reading->input, reading->wanted, NULL, sample) &&
	       selection_has_traced(&reading->selection, item->event, sample);
}

static uint32_t end_of_share(const struct reading_share *share)
{
	return share->count ? share->first + share->count : READING_PARTS;
}

/* Those of a part ends, and those of the next one count if it is of the share. */
static __attribute__((noinline)) void begin_part(struct reading *reading, uint64_t offset)
{
	uint64_t part = (offset - reading->data_offset) / reading->part_bytes;

	if (reading->counts)
		analysis_run_part(&reading->run);
	reading->counts = part >= reading->share.first && part < end_of_share(&reading->share);
	reading->part_end = UINT64_MAX;
	if (reading->counts && part + 1 < READING_PARTS)
		reading->part_end = reading->data_offset + (part + 1) * reading->part_bytes;
}

static void read_item(struct reading *reading, const struct precis_item *item)
{
	struct analysis_run *run = &reading->run;

	if (item->kind == PRECIS_ITEM_RECORD)
		filter_names_learn(&reading->names, item->record);
	if (item->record && (item->kind == PRECIS_ITEM_RECORD || run->takes_samples))
		analysis_run_record(run, item->record);
	if (item->kind != PRECIS_ITEM_SAMPLE)
		return;
	if (__builtin_expect(item->offset >= reading->part_end, 0))
		begin_part(reading, item->offset);
	if (!reading->counts)
		return;
	if (item->record ? take_recorded(reading, item) : take_pebs(reading, item))
		analysis_run_sample(run, reading->input, item, &reading->sample);
}

/*
 * Many samples at once, where nobody but the analyses asks for them: all count or none does, and none
 * is a record besides. 1, 0: the next item is to be asked for.
 */
static inline int take_run(struct reading *reading)
{
	struct progress *progress = &reading->recording.progress;
	uint64_t taken;

	if (reading->arguments->is_pebs || reading->selection.event_wanted ||
	    reading->selection.checks_fields || reading->run.takes_samples ||
	    reading->run.sees_samples || is_full(reading))
		return 0;
	taken = reading->counts ? analysis_run_take(&reading->run, reading->input, reading->wanted,
						    reading->part_end) :
				  precis_input_pass(reading->input, reading->part_end);
	if (!taken)
		return 0;
	if (progress_is_due(progress, taken))
		progress_show(progress, precis_input_position(reading->input));
	return 1;
}

/* What is before the share does not count. */
static void begin_share(struct reading *reading)
{
	uint32_t first = reading->share.first;

	reading->counts = !first;
	reading->part_end = UINT64_MAX;
	if (reading->part_bytes)
		reading->part_end = reading->data_offset + (first ? first : 1) * reading->part_bytes;
}

int reading_must_stop(const struct reading *reading)
{
	const struct reading_share *share = &reading->share;

	return reading->run.starts_over ||
	       (share->starts_over && atomic_load_explicit(share->starts_over, memory_order_relaxed));
}

void reading_count_up_to(struct reading *reading, int counts, uint64_t end)
{
	reading->counts = counts;
	reading->part_end = end;
}

int reading_step(struct reading *reading, const struct precis_item **item)
{
	*item = NULL;
	if (take_run(reading))
		return 1;
	if (!next_item(reading, item))
		return 0;
	read_item(reading, *item);
	return 1;
}

void reading_settle(struct reading *reading)
{
	analysis_run_settle(&reading->run);
	if (reading->run.starts_over && reading->share.starts_over)
		atomic_store(reading->share.starts_over, 1);
}

void reading_read(struct reading *reading)
{
	const struct precis_item *item;

	precis_sample_init(&reading->sample);
	begin_share(reading);
	while (!reading_must_stop(reading) && reading_step(reading, &item))
		;
	reading_settle(reading);
}

void reading_read_again(struct reading *reading)
{
	const struct precis_item *item;

	/* Where the file is broken the next pass says so, if none has */
	while (!is_full(reading) && precis_input_next(reading->input, &item) > 0) {
		if (item->kind == PRECIS_ITEM_RECORD)
			analysis_run_late_record(&reading->run, item->record);
	}
	memset(&reading->faults, 0, sizeof(reading->faults));
	if (analysis_run_again(&reading->run) < 0 || precis_input_rewind(reading->input))
		reading->run.failed = 1;
	else
		reading_read(reading);
}

static const struct precis_symbols_options *symbols_of(struct reading *reading)
{
	return reading->arguments->is_pebs ? NULL :
	       symbol_options_finish(&reading->arguments->symbols, reading->recording.file);
}

int reading_begin(struct reading *reading)
{
	const struct report_arguments *arguments = reading->arguments;
	const struct analysis_about about = {
		.input = reading->input,
		.path = arguments->is_pebs ? NULL : reading->recording.path,
		.is_sorted = reading->options.order == PRECIS_ORDER_TIME,
		.is_selected = arguments->is_selected,
		.is_filtered = arguments->selection.expression != NULL,
		.may_be_shared = reading->part_bytes * READING_PARTS / READING_BYTES_LEAST > 1,
		.is_behind = reading->share.first != 0,
		.readers = reading->share.readers,
		.top = arguments->top,
		.order = arguments->order,
		.first_time = reading->span.first,
		.last_time = reading->span.last,
		.by = arguments->by.key_count || arguments->by.runs ? &arguments->by : NULL,
		.sharing = arguments->sharing.is_asked ? &arguments->sharing.request : NULL,
		.symbols = symbols_of(reading),
		.demangle = arguments->symbols.no_demangle ? NULL : demangle,
	};

	memcpy(reading->wanted, reading->selection.fields, sizeof(reading->wanted));
	reading->run.failed = analysis_run_begin(&reading->run, &about, reading->wanted) < 0;
	return reading->run.failed ? -1 : 0;
}

void reading_finish(struct reading *reading)
{
	analysis_run_finish(&reading->run);
}

uint64_t reading_unlearnt(const struct reading *reading)
{
	const uint64_t unlearnt = analysis_run_unlearnt(&reading->run);

	return unlearnt > reading->names.unlearnt ? unlearnt : reading->names.unlearnt;
}

int reading_is_sound(const struct reading *reading)
{
	struct precis_input_fault fault = { .size = sizeof(fault) };

	for (uint32_t kind = 0; kind < PRECIS_INPUT_FAULT_TRACE; kind++) {
		if (precis_input_fault(reading->input, kind, &fault) || fault.count)
			return 0;
	}
	return !reading->run.failed && !reading_unlearnt(reading) &&
	       !analysis_run_is_partial(&reading->run) && reading->share.ended == 0;
}

void reading_forget(struct reading *reading)
{
	analysis_run_free(&reading->run);
	memset(&reading->faults, 0, sizeof(reading->faults));
	reading->share = (struct reading_share){ 0 };
	precis_input_rewind(reading->input);
}
