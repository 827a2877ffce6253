/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of rows with named columns as text, CSV or JSON. */
#include <getopt.h>
#include <string.h>

#include "listing.h"
#include "command/usage/complain.h"
#include "command/usage/help.h"
#include "document/json.h"
#include "document/quote.h"
#include "document/wrap.h"

#define TEXT_INDENT 4
#define TEXT_LABEL 10

static void nothing(struct listing *listing)
{
	(void)listing;
}

static void text_row(struct listing *listing, const char *const *cells)
{
	output_format(listing->output, "%s%s\n", listing->rows ? "\n" : "", cells[0]);
	for (size_t i = 1; i < listing->column_count; i++) {
		struct wrap wrap = wrap_begin(listing->output, TEXT_INDENT + TEXT_LABEL);

		if (!*cells[i])
			continue;
		output_format(listing->output, "%*s%-*s", TEXT_INDENT, "", TEXT_LABEL,
			      listing->columns[i]);
		wrap_text(&wrap, cells[i]);
		output_bytes(listing->output, "\n", 1);
	}
}

static void text_heading(struct listing *listing, const char *text)
{
	output_format(listing->output, "%s%s\n", listing->rows ? "\n" : "", text);
}

static void csv_row(struct listing *listing, const char *const *cells)
{
	for (size_t i = 0; i < listing->column_count; i++) {
		if (i)
			output_bytes(listing->output, ",", 1);
		output_csv(listing->output, cells[i]);
	}
	output_bytes(listing->output, "\n", 1);
}

static void csv_begin(struct listing *listing)
{
	csv_row(listing, listing->columns);
}

static void json_begin(struct listing *listing)
{
	output_text(listing->output, "[");
}

static void json_row(struct listing *listing, const char *const *cells)
{
	struct json json = { .output = listing->output };

	/* One object a line, in an array: the depth of 1 keeps json_object() from ending it. */
	output_text(listing->output, listing->rows ? ",\n" : "\n");
	json.depth = 1;
	json_object(&json, NULL);
	for (size_t i = 0; i < listing->column_count; i++)
		json_text(&json, listing->columns[i], cells[i]);
	json_object_end(&json);
}

static void json_end(struct listing *listing)
{
	output_text(listing->output, "\n]\n");
}

static const struct listing_format formats[] = {
	{ "text", nothing, text_row, nothing, text_heading },
	{ "csv", csv_begin, csv_row, nothing, NULL },
	{ "json", json_begin, json_row, json_end, NULL },
};

/* NULL if there is none of that name */
static const struct listing_format *format_find(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(name, formats[i].name) == 0)
			return &formats[i];
	}
	return NULL;
}

int listing_arguments(struct listing_arguments *arguments, int argc, char **argv, const char *help)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int found;

	memset(arguments, 0, sizeof(*arguments));
	arguments->format = &formats[0];
	opterr = 0;
	while ((found = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
		switch (found) {
		case 'f':
			arguments->format = format_find(optarg);
			if (!arguments->format)
				return complain_usage(argv[0],
						      "--format: expected text, csv or json, "
						      "found '%s'",
						      optarg);
			break;
		case 'o':
			arguments->path = optarg;
			break;
		case 'h':
			arguments->is_help = 1;
			return print_help(argv[0], help);
		default:
			return complain_option(argv[0], found, argv, options);
		}
	}
	arguments->first = optind;
	return EXIT_OK;
}
