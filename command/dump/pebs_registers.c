/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PEBS records literally, behind the sample's cells: format, bytes and groups, then the words
 * and general-purpose registers that were captured, by their names, and the large groups. No gate
 * looks at them.
 */
#include <inttypes.h>

#include "dump.h"

#define MEMBER_ROOM 64 /* of a word or a register with its name */
#define VALUES (PRECIS_PEBS_WORD_COUNT + PRECIS_PEBS_GPR_COUNT)

static const char *value_name(uint32_t n)
{
	return n < PRECIS_PEBS_WORD_COUNT ? precis_pebs_word_name(n) :
					    precis_pebs_gpr_name(n - PRECIS_PEBS_WORD_COUNT);
}

/* @return 1 if it was captured */
static int value_of(const struct precis_pebs *pebs, uint32_t n, uint64_t *value)
{
	if (n < PRECIS_PEBS_WORD_COUNT) {
		*value = pebs->word[n];
		return pebs->captured >> n & 1;
	}
	n -= PRECIS_PEBS_WORD_COUNT;
	*value = pebs->gpr[n];
	return pebs->gpr_captured >> n & 1;
}

/* Names of groups, each between two quotes, with a separator. */
static void put_groups(struct output *output, uint32_t groups, const char *quote,
		       const char *separator)
{
	for (uint32_t left = groups; left; left &= left - 1)
		output_format(output, "%s%s%s%s", left == groups ? "" : separator, quote,
			      precis_pebs_group_name(left & -left), quote);
}

/* A recording has samples of other events, too. */
static int has_record(const struct precis_sample *sample)
{
	return sample->source == PRECIS_SOURCE_PEBS;
}

void dump_pebs_text(struct dump *dump, const struct precis_sample *sample)
{
	const struct precis_pebs *pebs = &sample->registers.pebs;
	struct output *output = &dump->output;
	uint64_t value;

	dump_text_cells(dump, sample);
	if (!has_record(sample)) {
		output_text(output, " (no registers)\n");
		return;
	}
	output_format(output, " format=%s bytes=%" PRIu32 " groups=",
		      precis_pebs_format_name(pebs->format), pebs->bytes);
	put_groups(output, pebs->groups, "", ",");
	output_bytes(output, "\n", 1);
	for (uint32_t n = 0; n < VALUES; n++) {
		if (value_of(pebs, n, &value))
			output_format(output, "  %-20s 0x%016" PRIx64 "\n", value_name(n), value);
	}
	for (uint32_t n = 0; pebs_groups_name(n); n++) {
		if (pebs_groups_have(dump->pebs_groups, pebs, n))
			pebs_groups_put(dump->pebs_groups, pebs, n, output, VALUE_TEXT);
	}
}

void dump_pebs_csv_begin(struct dump *dump)
{
	dump_csv_header(dump);
	output_text(&dump->output, ",format,bytes,groups");
	for (uint32_t n = 0; n < VALUES; n++)
		output_format(&dump->output, ",%s.%s", n < PRECIS_PEBS_WORD_COUNT ? "word" : "gpr",
			      value_name(n));
	for (uint32_t n = 0; pebs_groups_name(n); n++)
		output_format(&dump->output, ",%s", pebs_groups_name(n));
	output_bytes(&dump->output, "\n", 1);
}

void dump_pebs_csv(struct dump *dump, const struct precis_sample *sample)
{
	const struct precis_pebs *pebs = &sample->registers.pebs;
	struct output *output = &dump->output;
	char *start, *at;
	uint64_t value;

	dump_csv_cells(dump, sample);
	if (has_record(sample))
		output_format(output, ",%s,%" PRIu32 ",", precis_pebs_format_name(pebs->format),
			      pebs->bytes);
	else
		output_text(output, ",,,");
	put_groups(output, has_record(sample) ? pebs->groups : 0, "", " ");
	start = at = output_room(output, VALUES * MEMBER_ROOM);
	for (uint32_t n = 0; n < VALUES; n++) {
		*at++ = ',';
		if (has_record(sample) && value_of(pebs, n, &value))
			at = put_hex_full(at, value);
	}
	output_wrote(output, (size_t)(at - start));
	for (uint32_t n = 0; pebs_groups_name(n); n++) {
		output_bytes(output, ",", 1);
		if (has_record(sample) && pebs_groups_have(dump->pebs_groups, pebs, n))
			pebs_groups_put(dump->pebs_groups, pebs, n, output, VALUE_CSV);
	}
	output_bytes(output, "\n", 1);
}

/* {"name":"0x...", ...} of the values from 'first' to 'end' */
static void put_members(struct output *output, const struct precis_pebs *pebs, uint32_t first,
			uint32_t end)
{
	char *start = output_room(output, VALUES * MEMBER_ROOM), *at = start;
	int any = 0;

	*at++ = '{';
	for (uint32_t n = first; n < end; n++) {
		const char *name = value_name(n);
		uint64_t value;

		if (!value_of(pebs, n, &value))
			continue;
		if (any)
			*at++ = ',';
		any = 1;
		*at++ = '"';
		at = put_bytes(at, name, strlen(name));
		at = put_bytes(at, "\":\"", 3);
		at = put_hex_full(at, value);
		*at++ = '"';
	}
	*at++ = '}';
	output_wrote(output, (size_t)(at - start));
}

void dump_pebs_json(struct dump *dump, const struct precis_sample *sample)
{
	const struct precis_pebs *pebs = &sample->registers.pebs;
	struct output *output = &dump->output;

	dump_json_cells(dump, sample);
	if (!has_record(sample)) {
		output_text(output, "}\n");
		return;
	}
	dump_json_comma(dump);
	output_format(output, "\"format\":\"%s\",\"bytes\":%" PRIu32 ",\"groups\":[",
		      precis_pebs_format_name(pebs->format), pebs->bytes);
	put_groups(output, pebs->groups, "\"", ",");
	output_text(output, "],\"words\":");
	put_members(output, pebs, 0, PRECIS_PEBS_WORD_COUNT);
	output_text(output, ",\"gprs\":");
	put_members(output, pebs, PRECIS_PEBS_WORD_COUNT, VALUES);
	for (uint32_t n = 0; pebs_groups_name(n); n++) {
		if (!pebs_groups_have(dump->pebs_groups, pebs, n))
			continue;
		output_format(output, ",\"%s\":", pebs_groups_name(n));
		pebs_groups_put(dump->pebs_groups, pebs, n, output, VALUE_JSON);
	}
	output_bytes(output, "}\n", 2);
}
