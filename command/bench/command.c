/* SPDX-License-Identifier: BSD-3-Clause */
/* precis bench: how good this machine's sampling is. */
#include "command.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "present.h"
#include "preflight.h"
#include "raw.h"
#include "read.h"
#include "command/usage/complain.h"
#include "command/usage/page_format.h"

/* As automake's tests have it: nothing here could be tried. */
#define EXIT_NOTHING 77

/* Set by the first signal; the second one ends the program. */
static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = stop, .sa_flags = (int)SA_RESETHAND };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* EXIT_OK, or EXIT_FAILED after it has been said why; the document is freed. */
static int print(const struct bench_arguments *arguments, struct document *document)
{
	document_settle(document);
	return page_print(arguments->command, document, arguments->output, arguments->format, "counts");
}

static void describe_schema(struct document *document)
{
	list_begin(document, "bench", NULL);
	row_begin(document, "schema");
	cell_count(document, BENCH_SCHEMA);
}

static int failures(const struct bench_cells *cells, const struct bench_arguments *arguments)
{
	int any = 0;

	for (size_t n = 0; n < cells->count; n++) {
		if (!*cells->cells[n].reason)
			continue;
		complain(arguments->command, "%s with %s: %s", cells->cells[n].event->name,
			 cells->cells[n].kernel->name, cells->cells[n].reason);
		any = 1;
	}
	if (cells->is_stopped)
		complain(arguments->command, "interrupted: what was measured until then is printed");
	return any || cells->is_stopped;
}

/* Results, and what they are made of */
static int present(const struct bench_cells *cells, const struct bench_arguments *arguments,
		   struct document *document)
{
	const uint32_t worse = present_results(cells, arguments, document);

	if (arguments->format != PAGE_TEXT) {
		raw_describe(cells, arguments, document);
		present_runs(cells, document);
	}
	if (!arguments->is_check || !worse)
		return EXIT_OK;
	complain(arguments->command, "%u figures are worse than their bounds", worse);
	return EXIT_FAILED;
}

static int measure(struct bench_cells *cells, const struct bench_arguments *arguments,
		   const struct bench_machine *machine, struct document *document)
{
	int code;

	if (cells_measure(cells, arguments, machine, &stopped)) {
		complain(arguments->command, "out of memory");
		return EXIT_FAILED;
	}
	code = present(cells, arguments, document);
	return failures(cells, arguments) ? EXIT_FAILED : code;
}

/* What has to be said before anything, and what is measured */
static int bench(const struct bench_arguments *arguments, const struct machine *machine,
		 struct bench_cells *cells, struct document *document)
{
	const struct bench_machine here = preflight_machine(machine);

	catch_signals();
	if (cells_make(cells, arguments, &here)) {
		complain(arguments->command, "out of memory");
		return EXIT_FAILED;
	}
	if (arguments->is_list) {
		present_list(cells, document);
		return EXIT_OK;
	}
	preflight_describe(machine, document);
	present_answers(cells, arguments, document);
	present_plan(cells, arguments, document);
	if (cells->count)
		return arguments->is_dry_run ? EXIT_OK : measure(cells, arguments, &here, document);
	complain(arguments->command, "nothing of this can be measured here: the reasons are in the table of "
		 "events");
	return EXIT_NOTHING;
}

static int measure_here(const struct bench_arguments *arguments, struct document *document)
{
	struct bench_cells cells = { 0 };
	struct machine machine;
	int code;

	machine_read(&machine, arguments->sysroot);
	code = bench(arguments, &machine, &cells, document);
	cells_free(&cells);
	return code;
}

/* The same page of what was measured before; none where that cannot be read */
static int read_file(struct bench_arguments *arguments, struct document *document, int *is_page)
{
	struct bench_file file;
	int code = EXIT_FAILED;

	*is_page = !bench_file_read(arguments, arguments->read, &file);
	if (*is_page) {
		arguments->runs = file.runs;
		arguments->threads = file.threads;
		arguments->cpu = file.cpu;
		arguments->is_full = file.is_full;
		arguments->seed = file.seed;
		document_append(document, &file.document);
		code = present(&file.cells, arguments, document);
	}
	bench_file_free(&file);
	return code;
}

int command_bench(int argc, char **argv)
{
	struct bench_arguments arguments;
	struct document document = { 0 };
	int code = bench_arguments_parse(&arguments, argc, argv), is_page = 1, printed = EXIT_OK;

	if (code || arguments.is_help)
		return code;
	if (arguments.format != PAGE_TEXT)
		describe_schema(&document);
	code = arguments.read ? read_file(&arguments, &document, &is_page) :
				measure_here(&arguments, &document);
	if (is_page)
		printed = print(&arguments, &document);
	document_free(&document);
	return printed ? printed : code;
}
