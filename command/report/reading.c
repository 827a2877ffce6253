/* SPDX-License-Identifier: BSD-3-Clause */
/* See reading.h. */
#include "reading.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analyses.h"
#include "analysis/offcpu/switches.h"
#include "analysis/top/places.h"
#include "command/recording/traces.h"
#include "command/symbols/demangle.h"
#include "command/usage/complain.h"

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

static int open_recording(struct reading *reading, const char *path)
{
	const struct report_arguments *arguments = reading->arguments;
	struct recording *recording = &reading->recording;
	int code;

	if (needs_order(path))
		reading->options.order = PRECIS_ORDER_TIME;
	code = recording_open(recording, arguments->command, path, &reading->options);
	if (code)
		return code;
	reading->input = recording->input;
	return selection_open(&reading->selection, arguments->command, path, recording->file);
}

static int open_dump(struct reading *reading, const char *path)
{
	const struct report_arguments *arguments = reading->arguments;
	int code;

	recording_name(&reading->recording, arguments->command, path);
	code = selection_open(&reading->selection, arguments->command, reading->recording.path,
			      NULL);
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

void reading_close(struct reading *reading)
{
	analysis_run_free(&reading->run);
	selection_close(&reading->selection);
	if (reading->arguments->is_pebs)
		pebs_walk_close(&reading->walk);
	else
		recording_close(&reading->recording);
}

/* --- reading --- */

static int next_item(struct reading *reading, const struct precis_item **item)
{
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

static void read_item(struct reading *reading, const struct precis_item *item)
{
	struct analysis_run *run = &reading->run;

	if (item->record && (item->kind == PRECIS_ITEM_RECORD || run->takes_samples))
		analysis_run_record(run, item->record);
	if (item->kind != PRECIS_ITEM_SAMPLE)
		return;
	if (item->record ? take_recorded(reading, item) : take_pebs(reading, item))
		analysis_run_sample(run, reading->input, item, &reading->sample);
}

/* Up to the end, or to where records prove to have come too late. */
static void read_all(struct reading *reading)
{
	const struct precis_item *item;

	precis_sample_init(&reading->sample);
	while (!reading->run.starts_over && next_item(reading, &item))
		read_item(reading, item);
	analysis_run_settle(&reading->run);
}

/* Tell the rest of the records, and read once more. */
static void read_again(struct reading *reading)
{
	const struct precis_item *item;

	/* Where the file is broken the next pass will say so */
	while (precis_input_next(reading->input, &item) > 0) {
		if (item->kind == PRECIS_ITEM_RECORD)
			analysis_run_late_record(&reading->run, item->record);
	}
	memset(&reading->faults, 0, sizeof(reading->faults));
	if (analysis_run_again(&reading->run) < 0 || precis_input_rewind(reading->input))
		reading->run.failed = 1;
	else
		read_all(reading);
}

static const struct precis_symbols_options *symbols_of(struct reading *reading)
{
	return reading->arguments->is_pebs ? NULL :
	       symbol_options_finish(&reading->arguments->symbols, reading->recording.file);
}

static int begin(struct reading *reading)
{
	const struct report_arguments *arguments = reading->arguments;
	const struct analysis_about about = {
		.input = reading->input,
		.is_sorted = reading->options.order == PRECIS_ORDER_TIME,
		.is_selected = arguments->is_selected,
		.top = arguments->top,
		.order = arguments->order,
		.symbols = symbols_of(reading),
		.demangle = arguments->symbols.no_demangle ? NULL : demangle,
	};

	memcpy(reading->wanted, reading->selection.fields, sizeof(reading->wanted));
	return analysis_run_begin(&reading->run, &about, reading->wanted);
}

int reading_collect(struct reading *reading)
{
	const struct top *top;
	int code;

	reading->run.failed = begin(reading) < 0;
	if (reading->run.failed)
		return EXIT_FAILED;
	top = analysis_state(&reading->run, &analysis_top);
	read_all(reading);
	if (reading->run.starts_over)
		read_again(reading);
	analysis_run_finish(&reading->run);
	if (reading->run.failed)
		return EXIT_FAILED;
	if (reading->arguments->is_pebs)
		return pebs_walk_finish(&reading->walk);
	faults_take(&reading->faults, reading->input);
	code = faults_print(&reading->faults, &reading->recording);
	if (unlearnt_print(&reading->recording, top->unlearnt))
		code = EXIT_FAILED;
	if (traces_print(&reading->recording))
		code = EXIT_FAILED;
	return reading->recording.broken ? EXIT_FAILED : code;
}
