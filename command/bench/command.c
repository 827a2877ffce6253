/* SPDX-License-Identifier: BSD-3-Clause */
/* precis bench: how good this machine's sampling is. */
#include "command.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "periods.h"
#include "plots.h"
#include "present.h"
#include "preflight.h"
#include "published.h"
#include "command/usage/complain.h"
#include "command/usage/page_format.h"

/* As automake's tests have it: nothing here could be tried. */
#define EXIT_NOTHING 77

#define SCHEMA 1 /* of JSON: higher if a program that reads it has to know */

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
	cell_count(document, SCHEMA);
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

static int measure(struct bench_cells *cells, const struct bench_arguments *arguments,
		   const struct machine *here, const struct bench_machine *machine, struct document *document)
{
	uint32_t worse;
	int code;

	if (cells_measure(cells, arguments, machine, &stopped)) {
		complain(arguments->command, "out of memory");
		return EXIT_FAILED;
	}
	worse = present_results(cells, arguments, document);
	present_periods(cells, arguments->format == PAGE_TEXT, document);
	if (!arguments->is_alone)
		present_published(cells, arguments, document);
	if (arguments->format != PAGE_TEXT)
		present_runs(cells, document);
	code = plots_write(cells, arguments, here, document);
	code = failures(cells, arguments) ? EXIT_FAILED : code;
	if (arguments->is_check && worse) {
		complain(arguments->command, "%u figures are worse than their bounds", worse);
		code = EXIT_FAILED;
	}
	return code;
}

/* What has to be said before anything, and what is measured */
static int bench(const struct bench_arguments *arguments, const struct machine *machine,
		 struct bench_cells *cells)
{
	const struct bench_machine here = preflight_machine(machine);
	struct document document = { 0 };
	int code = EXIT_OK, printed;

	catch_signals();
	if (cells_make(cells, arguments, &here)) {
		complain(arguments->command, "out of memory");
		return EXIT_FAILED;
	}
	if (arguments->format != PAGE_TEXT)
		describe_schema(&document);
	if (arguments->is_list) {
		present_list(cells, &document);
	} else {
		preflight_describe(machine, &document);
		present_answers(cells, arguments, &document);
		present_plan(cells, arguments, &document);
		present_refused(cells, arguments, &document);
		if (!cells->count) {
			complain(arguments->command, "nothing of this can be measured here: the reasons are "
				 "in the table of events");
			code = EXIT_NOTHING;
		} else if (!arguments->is_dry_run) {
			code = measure(cells, arguments, machine, &here, &document);
		}
	}
	printed = print(arguments, &document);
	return printed ? printed : code;
}

int command_bench(int argc, char **argv)
{
	struct bench_arguments arguments;
	struct bench_cells cells = { 0 };
	struct machine machine;
	int code = bench_arguments_parse(&arguments, argc, argv);

	if (code || arguments.is_help)
		return code;
	if (plots_check(&arguments))
		return EXIT_FAILED;
	machine_read(&machine, arguments.sysroot);
	code = bench(&arguments, &machine, &cells);
	cells_free(&cells);
	return code;
}
