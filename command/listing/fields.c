/* SPDX-License-Identifier: BSD-3-Clause */
/* precis fields: the catalogue, and the parts of a sample that are not in it. */
#include <stdio.h>
#include <string.h>

#include <precis/precis.h>

#include "command.h"
#include "listing.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "command/parts/parts.h"

#define TEXT_BYTES 1024
#define ENUM_VALUES 64 /* no enumeration has a value beyond */

static const char help[] =
	"Usage: precis fields [OPTION...] [NAME...]\n"
	"The catalogue of fields: name, unit, type, where each comes from in the vendor's\n"
	"terms, when it is valid, what it means, other names for it, and the values of\n"
	"enumerations. Then the other parts of a sample, which are for `precis dump -F`\n"
	"alone. NAME is a field, an alias or a part; without one all are listed.\n"
	"\n"
	"      --format FORMAT   text (default), csv or json\n"
	"  -o, --output FILE     write there instead of standard output\n"
	"  -h, --help            this help\n"
	"\n"
	"Examples:\n"
	"  precis fields tlb_refill_latency IbsDcMissLat callchain\n"
	"  precis fields --format csv | cut -d, -f1,2\n";

static const char *const columns[] = {
	"name", "unit", "type", "source", "valid", "meaning", "aliases", "values", "kind",
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

static void list_values(uint32_t type, char *text, size_t room)
{
	size_t length = 0;

	text[0] = '\0';
	for (uint64_t value = 0; value < ENUM_VALUES; value++) {
		const char *name = precis_type_value_name(type, value);

		if (!name || length >= room)
			continue;
		length += (size_t)snprintf(text + length, room - length, "%s%s", length ? " " : "",
					   name);
	}
}

static void print_field(const struct listing_format *format, struct listing *listing,
			uint32_t field)
{
	char source[TEXT_BYTES], rule[TEXT_BYTES], values[TEXT_BYTES];
	struct precis_field_info info = { .size = sizeof(info) };
	const char *cells[COLUMN_COUNT];

	if (precis_field_info(field, &info))
		return;
	precis_field_source(field, source, sizeof(source));
	precis_field_rule(field, rule, sizeof(rule));
	list_values(info.type, values, sizeof(values));
	cells[0] = info.name;
	cells[1] = precis_unit_name(info.unit);
	cells[2] = precis_type_name(info.type);
	cells[3] = source;
	cells[4] = rule;
	cells[5] = info.meaning;
	cells[6] = info.aliases;
	cells[7] = values;
	cells[8] = "field";
	format->row(listing, cells);
	listing->rows++;
}

static void print_part(const struct listing_format *format, struct listing *listing, enum part part)
{
	const struct part_info *info = part_info(part);
	const char *cells[COLUMN_COUNT] = {
		info->name,    info->unit, part_type_name(info->type), info->source, "",
		info->meaning, "",	   "",			       "part",
	};

	format->row(listing, cells);
	listing->rows++;
}

static int is_name(const char *word)
{
	return precis_field_find(word, strlen(word)) >= 0 || part_find(word, strlen(word)) >= 0;
}

static void print_named(const struct listing_format *format, struct listing *listing,
			const char *word)
{
	int field = precis_field_find(word, strlen(word));

	if (field >= 0)
		print_field(format, listing, (uint32_t)field);
	else
		print_part(format, listing, (enum part)part_find(word, strlen(word)));
}

static void print_all(const struct listing_format *format, struct listing *listing)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		print_field(format, listing, field);
	if (format->heading)
		format->heading(listing, "Other parts of a sample, for precis dump -F:");
	for (int part = 0; part < PART_COUNT; part++)
		print_part(format, listing, (enum part)part);
}

int command_fields(int argc, char **argv)
{
	struct listing_arguments arguments;
	int code = listing_arguments(&arguments, argc, argv, help);
	struct output output;
	struct listing listing = { &output, columns, COLUMN_COUNT, 0 };
	char hint[NEAREST_ROOM];

	if (code || arguments.is_help)
		return code;
	for (int i = arguments.first; i < argc; i++) {
		if (!is_name(argv[i]))
			return complain_usage(argv[0], "no field is named '%s'%s", argv[i],
					      field_hint(argv[i], strlen(argv[i]), hint));
	}
	if (destination_open(&output, arguments.path, argv[0]))
		return EXIT_FAILED;
	if (arguments.format->heading)
		listing.column_count--; /* the kind */
	arguments.format->begin(&listing);
	for (int i = arguments.first; i < argc; i++)
		print_named(arguments.format, &listing, argv[i]);
	if (arguments.first == argc)
		print_all(arguments.format, &listing);
	arguments.format->end(&listing);
	return destination_close(&output, argv[0]) ? EXIT_FAILED : EXIT_OK;
}
