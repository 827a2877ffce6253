/* SPDX-License-Identifier: BSD-3-Clause */
/* precis report: what the samples of a recording say, summed up. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analyses.h"
#include "analysis/offcpu/switches.h"
#include "analysis/top/places.h"
#include "arguments.h"
#include "command.h"
#include "command/recording/traces.h"
#include "command/symbols/demangle.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "document/print.h"
#include "page.h"

static void (*const printers[])(struct output *, const struct document *) = {
	[REPORT_TEXT] = document_print_text,
	[REPORT_JSON] = document_print_json,
	[REPORT_CSV] = document_print_csv,
};

static int out_of_memory(const struct report_arguments *arguments)
{
	complain(arguments->command, "out of memory");
	return EXIT_FAILED;
}

/* What is being read, and what it is counted by */
struct reading {
	struct report_arguments *arguments;
	struct recording recording;
	struct pebs_walk walk; /* of a dump, whose recording() is a name alone */
	struct precis_input *input;
	struct analysis_run run;
	struct faults faults;
	struct precis_sample sample; /* the last one */
	uint64_t wanted[PRECIS_FIELD_WORDS];
};

static int next_item(struct reading *reading, const struct precis_item **item)
{
	return reading->arguments->is_pebs ? pebs_walk_next(&reading->walk, item) :
					     recording_next(&reading->recording, item);
}

/* A sample that is a record of the file's: its event is known before it is decoded. */
static int take_recorded(struct reading *reading, const struct precis_item *item)
{
	const struct selection *selection = &reading->arguments->selection;
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
	       selection_has_traced(&reading->arguments->selection, item->event, sample);
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

/* EXIT_OK, or EXIT_FAILED if not everything could be read. */
static int collect(struct reading *reading)
{
	const struct top *top = analysis_state(&reading->run, &analysis_top);
	int code;

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

static int print_document(const struct report_arguments *arguments, const struct document *document)
{
	struct output output;

	if (destination_open(&output, arguments->output, arguments->command))
		return EXIT_FAILED;
	if (arguments->colour != COLOUR_AUTO)
		output.colour = arguments->colour == COLOUR_ALWAYS;
	printers[arguments->format](&output, document);
	return destination_close(&output, arguments->command) ? EXIT_FAILED : EXIT_OK;
}

static const struct precis_symbols_options *symbols_of(struct reading *reading)
{
	return reading->arguments->is_pebs ? NULL :
	       symbol_options_finish(&reading->arguments->symbols, reading->recording.file);
}

static int begin(struct reading *reading)
{
	struct report_arguments *arguments = reading->arguments;
	const struct analysis_about about = {
		.input = reading->input,
		.is_sorted = arguments->recording.order == PRECIS_ORDER_TIME,
		.is_selected = arguments->is_selected,
		.top = arguments->top,
		.order = arguments->order,
		.symbols = symbols_of(reading),
		.demangle = arguments->symbols.no_demangle ? NULL : demangle,
	};

	memcpy(reading->wanted, arguments->selection.fields, sizeof(reading->wanted));
	return analysis_run_begin(&reading->run, &about, reading->wanted);
}

/* Everything between opening what is read and closing it. */
static int report(struct reading *reading)
{
	const struct report_arguments *arguments = reading->arguments;
	const struct reported reported = {
		.run = &reading->run,
		.recording = &reading->recording,
		.faults = &reading->faults,
		.dump = arguments->is_pebs ? &arguments->pebs : NULL,
		.walk = &reading->walk,
		.dumped = &reading->sample.registers.pebs,
	};
	struct document document = { 0 };
	int code = EXIT_FAILED, print_code;

	reading->run.failed = begin(reading) < 0;
	if (!reading->run.failed)
		code = collect(reading);
	/* samples were selected by these fields */
	_Static_assert(sizeof(document.given) == sizeof(arguments->selection.fields), "all fields");
	memcpy(document.given, arguments->selection.fields, sizeof(document.given));
	if (!reading->run.failed)
		page_make(&document, &reported);
	if (document.failed || reading->run.failed)
		code = out_of_memory(arguments);
	else if ((print_code = print_document(arguments, &document)))
		code = print_code;
	document_free(&document);
	analysis_run_free(&reading->run);
	return code;
}

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

static int report_recording(struct reading *reading)
{
	struct report_arguments *arguments = reading->arguments;
	struct recording *recording = &reading->recording;
	int code;

	if (needs_order(arguments->path))
		arguments->recording.order = PRECIS_ORDER_TIME;
	code = recording_open(recording, arguments->command, arguments->path,
			      &arguments->recording);
	if (code)
		return code;
	reading->input = recording->input;
	code = selection_open(&arguments->selection, arguments->command, arguments->path,
			      recording->file);
	if (!code && recording_is_output(recording, arguments->output))
		code = EXIT_FAILED;
	if (!code)
		code = report(reading);
	recording_close(recording);
	return code;
}

static int report_dump(struct reading *reading)
{
	struct report_arguments *arguments = reading->arguments;
	int code;

	recording_name(&reading->recording, arguments->command, arguments->path);
	code = selection_open(&arguments->selection, arguments->command, reading->recording.path,
			      NULL);
	if (!code)
		code = pebs_walk_open(&reading->walk, &arguments->pebs, &reading->recording,
				      arguments->output);
	if (code)
		return code;
	reading->input = reading->walk.input;
	code = report(reading);
	pebs_walk_close(&reading->walk);
	return code;
}

static int report_any(struct report_arguments *arguments)
{
	struct reading *reading = calloc(1, sizeof(*reading));
	int code;

	if (!reading)
		return out_of_memory(arguments);
	reading->arguments = arguments;
	code = arguments->is_pebs ? report_dump(reading) : report_recording(reading);
	free(reading);
	return code;
}

int command_report(int argc, char **argv)
{
	struct report_arguments arguments = { 0 };
	int code = report_arguments_parse(&arguments, argc, argv);

	if (!code && !arguments.is_help)
		code = report_any(&arguments);
	selection_free(&arguments.selection);
	symbol_options_free(&arguments.symbols);
	return code;
}
