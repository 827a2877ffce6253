/* SPDX-License-Identifier: BSD-3-Clause */
/* precis bench: how good this machine's sampling is. */
#include "command.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "compare.h"
#include "ladder.h"
#include "periods.h"
#include "plots.h"
#include "present.h"
#include "preflight.h"
#include "published.h"
#include "raw.h"
#include "read.h"
#include "threads.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "command/usage/interruption.h"
#include "command/usage/page_format.h"

/* As automake's tests have it: nothing here could be tried. */
#define EXIT_NOTHING 77

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

/* What is worse makes the exit code with --check alone. */
static int checked(const struct bench_arguments *arguments, uint32_t worse, const char *than)
{
	if (!arguments->is_check || !worse)
		return EXIT_OK;
	complain(arguments->command, "%u figures are worse than %s", worse, than);
	return EXIT_FAILED;
}

/* Results, and what they are made of; or what they are beside those of a file, which text has instead */
static int present(const struct bench_cells *cells, const struct bench_arguments *arguments,
		   const struct bench_file *there, struct document *document)
{
	uint32_t worse = 0, worse_than_there = 0;
	int code;

	if (there)
		worse_than_there = compare_present(there, cells, arguments, document);
	if (!there || arguments->format != PAGE_TEXT) {
		worse = present_results(cells, arguments, document);
		present_periods(cells, arguments->format == PAGE_TEXT, document);
		present_threads(cells, arguments->format == PAGE_TEXT, document);
		present_ladder(cells, arguments->format == PAGE_TEXT, document);
		if (!arguments->is_alone)
			present_published(cells, arguments, document);
	}
	if (arguments->format != PAGE_TEXT) {
		raw_describe(cells, arguments, document);
		present_runs(cells, document);
	}
	code = there ? checked(arguments, worse_than_there, "there") :
		       checked(arguments, worse, "their bounds");
	return plots_write(cells, arguments, document) ? EXIT_FAILED : code;
}

static int measure(struct bench_cells *cells, const struct bench_arguments *arguments,
		   const struct bench_machine *machine, const struct bench_file *there,
		   const volatile sig_atomic_t *stop, struct document *document)
{
	int code;

	if (cells_measure(cells, arguments, machine, stop)) {
		complain(arguments->command, "out of memory");
		return EXIT_FAILED;
	}
	code = present(cells, arguments, there, document);
	return failures(cells, arguments) ? EXIT_FAILED : code;
}

/* What has to be said before anything, and what is measured */
static int bench(const struct bench_arguments *arguments, const struct machine *machine,
		 struct bench_cells *cells, const struct bench_file *there, struct document *document)
{
	const struct bench_machine here = preflight_machine(machine);
	const volatile sig_atomic_t *stop = interruption_await();
	struct plan plan;

	if (cells_make(cells, arguments, &here)) {
		complain(arguments->command, "out of memory");
		return EXIT_FAILED;
	}
	if (arguments->is_list) {
		present_list(cells, document);
		return EXIT_OK;
	}
	plan = (struct plan){ cells->count, arguments->runs, arguments->seed,
			      (uint64_t)ceil(cells_seconds(cells, arguments)), arguments->threads };
	preflight_describe(machine, arguments->threads.numbers[arguments->threads.count - 1], document);
	present_answers(cells, arguments, document);
	present_plan(&plan, arguments->format == PAGE_TEXT, document);
	present_refused(cells, arguments, document);
	if (cells->count)
		return arguments->is_dry_run ? EXIT_OK :
					       measure(cells, arguments, &here, there, stop, document);
	complain(arguments->command, "nothing of this can be measured here: the reasons are in the table of "
		 "events");
	return EXIT_NOTHING;
}

static int measure_here(const struct bench_arguments *arguments, const struct bench_file *there,
			struct bench_cells *cells, struct document *document)
{
	struct machine machine;

	machine_read(&machine, arguments->sysroot);
	return bench(arguments, &machine, cells, there, document);
}

/* The same page of what was measured before. -1: there is none, and it has been said why */
static int read_here(struct bench_arguments *arguments, const struct bench_file *there,
		     struct bench_file *here, struct document *document)
{
	if (bench_file_read(arguments, arguments->read, here))
		return -1;
	arguments->runs = here->runs;
	arguments->threads = here->threads;
	arguments->cpu = here->cpu;
	arguments->is_full = here->is_full;
	arguments->seed = here->seed;
	document_append(document, &here->document);
	return present(&here->cells, arguments, there, document);
}

/* What it is compared with is read first: a measurement takes minutes. */
static int bench_with(struct bench_arguments *arguments, struct bench_file *there, struct bench_file *here,
		      struct document *document)
{
	if (arguments->compare && bench_file_read(arguments, arguments->compare, there))
		return -1;
	there = arguments->compare ? there : NULL;
	return arguments->read ? read_here(arguments, there, here, document) :
				 measure_here(arguments, there, &here->cells, document);
}

int command_bench(int argc, char **argv)
{
	struct bench_arguments arguments;
	struct bench_file there = { 0 }, here = { 0 };
	struct document document = { 0 };
	int code = bench_arguments_parse(&arguments, argc, argv), printed;

	if (code || arguments.is_help)
		return code;
	/* a measurement takes minutes: where results cannot go is said before */
	if (plots_check(&arguments) || destination_check(arguments.output, arguments.command))
		return EXIT_FAILED;
	if (arguments.format != PAGE_TEXT)
		describe_schema(&document);
	code = bench_with(&arguments, &there, &here, &document);
	printed = code < 0 ? EXIT_FAILED : print(&arguments, &document);
	document_free(&document);
	bench_file_free(&there);
	bench_file_free(&here);
	return printed ? printed : code;
}
