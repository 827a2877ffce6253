/* SPDX-License-Identifier: BSD-3-Clause */
/* precis report: what the samples of a recording say, summed up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analyses.h"
#include "analysis/annotate/annotate.h"
#include "analysis/by/compare.h"
#include "analysis/top/places.h"
#include "analysis/type_page/page.h"
#include "annotate_options.h"
#include "collect.h"
#include "command.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "document/print.h"
#include "executed.h"
#include "memory.h"
#include "page.h"
#include "save.h"
#include "saved.h"
#include "units.h"

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

/* What is read, and what comes of it */
struct report {
	struct reading **readings; /* of the files that could be opened, in their order */
	struct reported *reported;
	size_t count;
	size_t expected; /* so many were named, a saved one being all those that it has */
	struct document document;
	int is_out_of_memory;
	int had_faults; /* when it was saved, a recording had */
	struct executed executed;
};

static void report_free(struct report *report)
{
	for (size_t n = 0; n < report->count; n++) {
		reported_free(&report->reported[n]);
		reading_close(report->readings[n]);
		free(report->readings[n]);
	}
	executed_free(&report->executed);
	free(report->readings);
	free(report->reported);
	document_free(&report->document);
}

/* What the file says of itself goes into the document; what it counted, to the first one's. */
static int take_in(struct report *report, struct reading *reading, uint32_t number)
{
	struct reading *first = report->count ? report->readings[0] : reading;
	struct reported *reported = &report->reported[report->count];

	*reported = (struct reported){
		.run = &reading->run,
		.input = reading->input,
		.recording = &reading->recording,
		.faults = &reading->faults,
		.dump = reading->arguments->is_pebs ? &reading->arguments->pebs : NULL,
		.walk = &reading->walk,
		.dumped = &reading->sample.registers.pebs,
		.selection = &reading->selection,
		.number = number,
		.first_event = reading == first ? 0 : recordings_events(&first->run.recordings),
	};
	report->readings[report->count++] = reading;
	if (page_add(&report->document, reported) < 0)
		return -1;
	if (reading == first)
		return 0;
	if (analysis_run_merge(&first->run, &reading->run) < 0)
		return -1;
	analysis_run_free(&reading->run);
	return 0;
}

/* 'number': from 1 if there are several, else 0. An exit code */
static int read_file(struct report *report, struct report_arguments *arguments, const char *path,
		     uint32_t number)
{
	struct reading *reading = calloc(1, sizeof(*reading));
	int code;

	if (!reading) {
		report->is_out_of_memory = 1;
		return EXIT_FAILED;
	}
	code = reading_open(reading, arguments, path);
	if (code) {
		free(reading);
		return code;
	}
	code = collect(reading);
	report->is_out_of_memory |= reading->run.failed || take_in(report, reading, number) < 0;
	return code;
}

/* Is one thing asked for, in place of all? */
static int is_of_one_thing(const struct report_arguments *arguments)
{
	return arguments->by.key_count || arguments->by.runs || arguments->by.annotated.is_asked ||
	       arguments->sharing.is_asked;
}

/* What recordings of such a file counted. 'number': of the first, likewise; it goes on behind the last. */
static int read_saved(struct report *report, struct report_arguments *arguments, const char *path,
		      uint32_t *number)
{
	const long count = saved_recordings(arguments, path);
	struct saved_parts parts = { .fd = -1 };
	int code, worst = count < 0 ? EXIT_FAILED : saved_read_head(&parts, arguments, path);

	for (long n = 0; n < count && !worst && !report->is_out_of_memory; n++) {
		struct reading *reading = calloc(1, sizeof(*reading));
		int is_there = 0;

		code = reading ? saved_read(&parts, arguments, reading, &is_there) : EXIT_FAILED;
		report->is_out_of_memory |= !reading;
		if (is_there)
			report->is_out_of_memory |= reading->run.failed ||
						    take_in(report, reading, *number) < 0;
		else
			free(reading);
		*number += *number != 0;
		worst = is_there ? worst : code;
		report->had_faults |= code != EXIT_OK;
	}
	if (!worst && !report->is_out_of_memory)
		worst = saved_end(&parts);
	saved_close(&parts);
	return worst;
}

/* A screen is short, what programs read is not: they take what they know. */
static void choose(struct document *document, const struct report_arguments *arguments)
{
	const int is_text = arguments->format == REPORT_TEXT;

	if (!is_of_one_thing(arguments) && (is_text || arguments->choice.sections))
		choice_apply(&arguments->choice, document, is_text);
}

/* For commands: the one that is read if nobody says which need not be said, of several there is no room. */
static void name_files(const struct report *report, struct words *files)
{
	const struct recording *first = &report->readings[0]->recording;

	if (report->expected > 1 || first->is_stdin)
		words_add(files, "FILE");
	else if (strcmp(first->path, "perf.data") != 0)
		words_add(files, first->path);
}

/* Of the files that could be opened */
static void finish_document(struct report *report)
{
	struct document *document = &report->document;
	const struct reading *first = report->readings[0];

	/* samples were selected by these fields */
	_Static_assert(sizeof(document->given) == sizeof(first->selection.fields), "all fields");
	memcpy(document->given, first->selection.fields, sizeof(document->given));
	page_finish(document, &first->run, report->reported, report->count);
}

/* What chooses the same samples again; 'unit' NULL: of all units */
static void name_options(const struct report_arguments *arguments, const char *unit, struct words *options)
{
	const char *filter = arguments->selection.expression;
	const size_t room = filter && unit ? strlen(filter) + strlen(unit) + sizeof("() && ") : 1;
	char *both = malloc(room);

	words_append(options, &arguments->chosen);
	options->failed |= !both;
	if (both && filter && unit) {
		snprintf(both, room, "(%s) && %s", filter, unit);
		filter = both;
	} else if (unit) {
		filter = unit;
	}
	if (filter)
		words_add_option(options, "filter", filter);
	free(both);
}

/* The head of the first one's document. 'count': one, or UNITS of which each has its unit's samples */
static void add_findings(struct report *reports, uint32_t count, const struct report_arguments *arguments)
{
	struct document *document = &reports->document;
	struct words files = { .text = NULL }, all = { .text = NULL };
	struct words options[UNITS] = { { .text = NULL } };
	struct report_part parts[UNITS];
	size_t part_count = 0;

	if (is_of_one_thing(arguments))
		return;
	name_files(&reports[reports[0].count ? 0 : 1], &files);
	name_options(arguments, NULL, &all);
	document->failed |= files.failed | all.failed;
	for (uint32_t n = 0; n < count; n++) {
		const struct report *report = &reports[n];

		name_options(arguments, count > 1 ? units_filter(n) : NULL, &options[n]);
		document->failed |= options[n].failed;
		if (!report->count)
			continue;
		parts[part_count++] = (struct report_part){
			.run = &report->readings[0]->run,
			.reported = report->reported,
			.count = report->count,
			.given = report->document.given,
			.unit = count > 1 ? units_word(n) : NULL,
			.options = options[n].text ? options[n].text : "",
		};
	}
	section_findings(document, parts, part_count, all.text ? all.text : "",
			 files.text ? files.text : "");
	words_free(&files);
	words_free(&all);
	for (uint32_t n = 0; n < count; n++)
		words_free(&options[n]);
}

/* An exit code */
static int print_report(struct report *report, const struct report_arguments *arguments)
{
	choose(&report->document, arguments);
	if (report->document.failed)
		return out_of_memory(arguments);
	return print_document(arguments, &report->document);
}

/* Is what is written one of the files? Then nothing is to be written. */
static int is_output(const struct report_arguments *arguments)
{
	struct recording recording;

	for (size_t n = 0; n < arguments->path_count; n++) {
		recording_name(&recording, arguments->command, arguments->paths[n]);
		if (recording_is_output(&recording, arguments->output) ||
		    recording_is_output(&recording, arguments->sharing.svg) ||
		    recording_is_output(&recording, arguments->save))
			return 1;
	}
	return 0;
}

/* Recordings that are compared: none may sample something else than the first one. An exit code */
static int check_comparable(const struct report *report, const struct report_arguments *arguments)
{
	const struct by *by = analysis_state(&report->readings[0]->run, &analysis_by);
	char why[256];

	if (report->count < arguments->path_count) {
		complain(arguments->command, "a side is not complete: nothing is compared");
		return EXIT_FAILED;
	}
	for (uint32_t n = 1; n < report->count; n++) {
		if (!by_refuses(by, n, why, sizeof(why)))
			continue;
		complain(arguments->command, "%s cannot be compared with %s: %s", arguments->paths[n],
			 arguments->paths[0], why);
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

/* An exit code: is there what was asked for? */
static int check_annotated(const struct report *report, const struct report_arguments *arguments)
{
	const struct by *by = analysis_state(&report->readings[0]->run, &analysis_by);

	if (arguments->by.annotated.type ? type_page_is_there(by) : annotate_is_there(by))
		return EXIT_OK;
	return annotate_complain_none(&arguments->by.annotated, arguments->command, by);
}

/* Those of the files that were named; of what cannot be read one. EXIT_OK, EXIT_USAGE */
static int count_recordings(struct report *report, const struct report_arguments *arguments)
{
	for (size_t n = 0; n < arguments->path_count; n++) {
		const char *path = arguments->paths[n];
		long count = 1;

		if (saved_is_one(path)) {
			if (arguments->by.runs || arguments->by.annotated.is_asked)
				return complain_usage(arguments->command,
						      "%s is what precis report --save wrote, and "
						      "no recording: "
						      "precis report tells it", path);
			complain_no_more(1); /* it is told when it is read */
			count = saved_recordings(arguments, path);
			complain_no_more(0);
		}
		report->expected += count > 0 ? (size_t)count : 1;
	}
	if (report->expected > TOP_RECORDINGS_MOST)
		return complain_usage(arguments->command, "expected at most %u recordings, found %zu",
				      TOP_RECORDINGS_MOST, report->expected);
	return EXIT_OK;
}

/* 'number': of its first recording, 0 if there is one alone; it goes on behind the last. An exit code */
static int read_path(struct report *report, struct report_arguments *arguments, const char *path,
		     uint32_t *number)
{
	int code;

	if (saved_is_one(path))
		return read_saved(report, arguments, path, number);
	code = read_file(report, arguments, path, *number);
	*number += *number != 0;
	return code;
}

/* The worst of what went wrong: a file that is not there does not hide the others. */
static int read_files(struct report *report, struct report_arguments *arguments)
{
	int worst = EXIT_OK, code;
	uint32_t number;

	if (count_recordings(report, arguments))
		return EXIT_USAGE;
	number = report->expected > 1;
	report->readings = calloc(report->expected, sizeof(*report->readings));
	report->reported = calloc(report->expected, sizeof(*report->reported));
	report->is_out_of_memory = !report->readings || !report->reported;
	for (size_t n = 0; n < arguments->path_count && !report->is_out_of_memory; n++) {
		code = read_path(report, arguments, arguments->paths[n], &number);
		worst = code > worst ? code : worst;
	}
	if (report->is_out_of_memory)
		return out_of_memory(arguments);
	return worst == EXIT_OK && report->had_faults ? EXIT_FAILED : worst;
}

static int can_be_read_again(const struct report *report, const struct report_arguments *arguments)
{
	for (size_t n = 0; n < report->count; n++) {
		if (report->readings[n]->is_read_once)
			return 0;
	}
	for (size_t n = 0; n < arguments->path_count; n++) {
		if (recording_is_stream(arguments->paths[n]) || strcmp(arguments->paths[n], "-") == 0)
			return 0;
	}
	return 1;
}

/* Code that is annotated has executions beside its samples. */
static void find_executions(struct report *report, struct report_arguments *arguments)
{
	struct by_annotated *annotated = &arguments->by.annotated;

	if (!annotated->is_asked || annotated->type)
		return;
	executed_find(&report->executed, arguments, report->readings[0],
		      can_be_read_again(report, arguments));
	annotated->executions = report->executed.executions;
	annotated->no_executions = report->executed.why;
}

/* What was read is told. An exit code */
static int tell(struct report *report, struct report_arguments *arguments)
{
	int code;

	if (arguments->by.runs && check_comparable(report, arguments))
		return EXIT_FAILED;
	if (arguments->by.annotated.is_asked && check_annotated(report, arguments))
		return EXIT_FAILED;
	find_executions(report, arguments);
	finish_document(report);
	add_findings(report, 1, arguments);
	code = print_report(report, arguments);
	if (arguments->sharing.svg && !report->document.failed) {
		const int drawn = arguments->sharing.draw(arguments, &report->readings[0]->run);

		code = drawn > code ? drawn : code;
	}
	return code;
}

/* Each unit by itself, in one document, which has what was 'recorded' of both. An exit code */
static int tell_by_units(const struct report_arguments *arguments, struct document *recorded)
{
	struct report reports[UNITS] = { { .count = 0 } };
	struct report_arguments of_unit[UNITS]; /* readings know them until they are closed */
	int worst = EXIT_OK;

	for (uint32_t n = 0; n < UNITS && worst != EXIT_USAGE; n++) {
		int code;

		of_unit[n] = *arguments;
		units_select(&of_unit[n].selection, n);
		of_unit[n].unit = n + 1;
		complain_no_more(1);
		code = read_files(&reports[n], &of_unit[n]);
		complain_no_more(0);
		worst = code > worst ? code : worst;
		if (!reports[n].count)
			continue;
		if (!n) {
			document_free(&reports[0].document);
			reports[0].document = *recorded;
			*recorded = (struct document){ .tables = NULL };
		}
		finish_document(&reports[n]);
		units_name(&reports[n].document, n);
		if (n)
			document_append(&reports[0].document, &reports[n].document);
	}
	if (worst != EXIT_USAGE && reports[0].count) {
		int code;

		add_findings(reports, UNITS, arguments);
		code = print_report(&reports[0], arguments);
		worst = code > worst ? code : worst;
	}
	for (uint32_t n = 0; n < UNITS; n++)
		report_free(&reports[n]);
	return worst;
}

/* One page has no room for both. An exit code */
static int complain_units(const struct report_arguments *arguments, const char *why)
{
	return complain_usage(arguments->command,
			      "there are samples of ibs_op by cycles and by micro-ops, which no figure "
			      "adds up, and %s: give recordings, or with --event one event, of one "
			      "unit",
			      why);
}

static int report_all(struct report_arguments *arguments)
{
	struct report report = { .count = 0 };
	int worst, code = EXIT_OK;

	if (is_output(arguments))
		return EXIT_FAILED;
	if (arguments->save)
		return save_report(arguments);
	worst = read_files(&report, arguments);
	if (report.count && worst != EXIT_USAGE && !report.is_out_of_memory) {
		if (!units_are_mixed(&report.readings[0]->run))
			code = tell(&report, arguments);
		else if (arguments->by.runs && check_comparable(&report, arguments))
			code = EXIT_FAILED;
		else if (arguments->by.runs || arguments->by.annotated.is_asked ||
			 arguments->sharing.is_asked)
			code = complain_units(arguments, "one thing is asked for");
		else if (!can_be_read_again(&report, arguments))
			code = complain_units(arguments, "what comes from a pipe is read once");
		else
			code = tell_by_units(arguments, &report.document);
	}
	report_free(&report);
	return code > worst ? code : worst;
}

int report_with(struct report_arguments *arguments, int argc, char **argv)
{
	int code = report_arguments_parse(arguments, argc, argv);

	if (!code && !arguments->is_help)
		code = arguments->mixes.by.count ? arguments->mixes.compare(arguments) :
						   report_all(arguments);
	sources_free(&arguments->sources);
	free((char *)(uintptr_t)arguments->by.annotated.file);
	selection_free(&arguments->selection);
	symbol_options_free(&arguments->symbols);
	words_free(&arguments->chosen);
	asked_free(&arguments->asked);
	return code;
}

int command_report(int argc, char **argv)
{
	struct report_arguments arguments = { .help = report_help };

	return report_with(&arguments, argc, argv);
}
