/* SPDX-License-Identifier: BSD-3-Clause */
/* precis mix: what was executed, from samples of instructions and branch stacks. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "profiled.h"
#include "reading.h"
#include "sde.h"
#include "sections.h"

struct run {
	struct mix_arguments *arguments;
	struct mix_columns columns;
	struct document document;
	struct output sde;
	int is_sde_open; /* something is written there */
};

/* Tables of another recording have other names. */
static void number_tables(struct document *document, size_t from, int number)
{
	char name[32], title[48];

	snprintf(name, sizeof(name), "_%d", number);
	snprintf(title, sizeof(title), ", recording %d", number);
	for (size_t n = from; number > 1 && n < document->count; n++)
		table_renamed(document, &document->tables[n], name, title);
}

static void put_page(struct run *run, struct mixed *mixed, int number)
{
	const struct mix_arguments *arguments = run->arguments;
	const size_t from = run->document.count;

	section_mix_findings(mixed, &run->document);
	section_seen(mixed, &run->document);
	if (arguments->is_compared)
		section_compared(mixed, &run->document, &run->columns);
	else
		section_mix(mixed, &run->document, &run->columns);
	if (arguments->blocks)
		section_blocks(mixed, &run->document);
	section_known(mixed, &run->document);
	number_tables(&run->document, from, number);
}

/* What was there before stays where nothing can be estimated. */
static int put_sde(struct run *run, const struct mixed *mixed)
{
	const struct mix_arguments *arguments = run->arguments;

	if (sde_refused(mixed))
		return EXIT_FAILED;
	if (!run->is_sde_open && destination_open_whole(&run->sde, arguments->output, arguments->command))
		return EXIT_FAILED;
	run->is_sde_open = 1;
	return sde_print(mixed, &run->sde);
}

static int estimate(struct run *run, struct mix_reading *reading, int number)
{
	const struct mix_observations *seen = mix_sightings_seen(reading->sightings);
	struct mixed mixed = { .arguments = NULL };
	int code;

	if (!seen->samples && !seen->stacks)
		return mix_reading_complain_nothing(reading);
	code = mixed_make(&mixed, reading, run->arguments);
	if (!code && run->arguments->format == MIX_FORMAT_SDE)
		code = put_sde(run, &mixed);
	else if (!code && run->arguments->format > MIX_FORMAT_SDE)
		code = profiled_print(&mixed);
	else if (!code)
		put_page(run, &mixed, number);
	mixed_free(&mixed);
	return code;
}

static int mix_file(struct run *run, const char *path, int number)
{
	struct mix_reading reading;
	int code = mix_reading_open(&reading, run->arguments, path), read;

	if (!code) {
		code = mix_reading_read(&reading);
		read = reading.failed ? code : estimate(run, &reading, number);
		code = code ? code : read;
	}
	mix_reading_close(&reading);
	return code;
}

static int print(struct run *run)
{
	static const int colours[] = { -1, 1, 0 };
	static const enum page_format formats[] = {
		[MIX_FORMAT_TEXT] = PAGE_TEXT,
		[MIX_FORMAT_JSON] = PAGE_JSON,
		[MIX_FORMAT_CSV] = PAGE_CSV,
	};
	const struct mix_arguments *arguments = run->arguments;

	if (arguments->format > MIX_FORMAT_SDE)
		return EXIT_OK;
	if (run->is_sde_open)
		return destination_close(&run->sde, arguments->command) ? EXIT_FAILED : EXIT_OK;
	/* Nothing could be estimated, which has been said */
	if (!run->document.count) {
		document_free(&run->document);
		return EXIT_FAILED;
	}
	return page_print_coloured(arguments->command, &run->document, arguments->output,
				   formats[arguments->format], "rows", colours[arguments->colour]);
}

static int mix(struct mix_arguments *arguments)
{
	struct run run = { .arguments = arguments };
	int code = EXIT_OK, printed;

	mix_columns_make(&run.columns, arguments);
	if (arguments->format >= MIX_FORMAT_SDE && destination_check(arguments->output, arguments->command))
		return EXIT_FAILED;
	for (int n = 0; n < arguments->path_count && code != EXIT_USAGE; n++) {
		const int one = mix_file(&run, arguments->paths[n], n + 1);

		code = one ? one : code;
	}
	printed = print(&run);
	return code ? code : printed;
}

int command_mix(int argc, char **argv)
{
	struct mix_arguments arguments;
	int code = mix_arguments_take(&arguments, argc, argv);

	if (!code && !arguments.is_help)
		code = mix(&arguments);
	mix_arguments_free(&arguments);
	return code;
}
