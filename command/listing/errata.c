/* SPDX-License-Identifier: BSD-3-Clause */
/* precis errata: what is published, and what decoding does about it. */
#include <stdio.h>
#include <string.h>

#include <precis/precis.h>

#include "command.h"
#include "listing.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "command/usage/nearest.h"

#define TEXT_BYTES 512

static const char help[] =
	"Usage: precis errata [OPTION...] [NAME...]\n"
	"Published errata that touch what a precise sample says: which CPUs, what goes\n"
	"wrong, what precis does, where it is published. NAME (AMD-1293) selects some.\n"
	"\n"
	"      --format FORMAT   text (default), csv or json\n"
	"  -o, --output FILE     write there instead of standard output\n"
	"  -h, --help            this help\n"
	"\n"
	"Examples:\n"
	"  precis errata AMD-1293\n"
	"  precis errata --format json | jq -r '.[].name'\n";

static const char *const columns[] = {
	"name", "effect", "unit", "cores", "models", "summary", "source",
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

static const char *const effects[] = {
	[PRECIS_ERRATUM_LOSES] = "takes fields away",
	[PRECIS_ERRATUM_REENCODES] = "decoded accordingly",
	[PRECIS_ERRATUM_NOTE] = "none on samples",
};

static const char *const units[] = {
	[PRECIS_IBS_OP] = "ibs_op",
	[PRECIS_IBS_FETCH] = "ibs_fetch",
};

static void list_cores(uint32_t cores, char *text, size_t room)
{
	size_t length = 0;

	text[0] = '\0';
	for (uint32_t core = 0; core < PRECIS_AMD_CORE_COUNT; core++) {
		if ((cores & (1u << core)) && length < room)
			length += (size_t)snprintf(text + length, room - length, "%s%s",
						   length ? ", " : "", precis_amd_core_name(core));
	}
}

static int is_selected(const char *name, char *const *names, int count)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(name, names[i]) == 0)
			return 1;
	}
	return count == 0;
}

static int is_known(const char *name)
{
	struct precis_erratum erratum = { .size = sizeof(erratum) };

	for (uint32_t n = 0; precis_erratum(n, &erratum) == 0; n++) {
		if (strcmp(name, erratum.name) == 0)
			return 1;
	}
	return 0;
}

static void print_errata(const struct listing_format *format, struct listing *listing,
			 char *const *names, int count)
{
	struct precis_erratum erratum = { .size = sizeof(erratum) };
	char cores[TEXT_BYTES];

	for (uint32_t n = 0; precis_erratum(n, &erratum) == 0; n++) {
		const char *cells[COLUMN_COUNT] = {
			erratum.name,  effects[erratum.effect], units[erratum.unit],
			cores,	       erratum.models,		erratum.summary,
			erratum.source,
		};

		if (!is_selected(erratum.name, names, count))
			continue;
		list_cores(erratum.cores, cores, sizeof(cores));
		format->row(listing, cells);
		listing->rows++;
	}
}

static int complain_unknown(const char *command, const char *name)
{
	struct precis_erratum erratum = { .size = sizeof(erratum) };
	struct nearest nearest = nearest_to(name, strlen(name));
	char hint[NEAREST_ROOM];

	for (uint32_t n = 0; precis_erratum(n, &erratum) == 0; n++)
		nearest_offer(&nearest, erratum.name);
	return complain_usage(command, "no erratum is named '%s'%s", name,
			      nearest_hint(&nearest, hint));
}

int command_errata(int argc, char **argv)
{
	struct listing_arguments arguments;
	int code = listing_arguments(&arguments, argc, argv, help);
	struct output output;
	struct listing listing = { &output, columns, COLUMN_COUNT, 0 };

	if (code || arguments.is_help)
		return code;
	for (int i = arguments.first; i < argc; i++) {
		if (!is_known(argv[i]))
			return complain_unknown(argv[0], argv[i]);
	}
	if (destination_open(&output, arguments.path, argv[0]))
		return EXIT_FAILED;
	arguments.format->begin(&listing);
	print_errata(arguments.format, &listing, argv + arguments.first, argc - arguments.first);
	arguments.format->end(&listing);
	return destination_close(&output, argv[0]) ? EXIT_FAILED : EXIT_OK;
}
