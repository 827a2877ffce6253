/* SPDX-License-Identifier: BSD-3-Clause */
/* The large groups of PEBS records in every form: branches, vector registers, counters, metrics. */
#include <inttypes.h>
#include <stdio.h>

#include "pebs_groups.h"
#include "document/number_text.h"

#define NAME_ROOM 16 /* of "zmm16", "fixed31" */
#define VECTOR_TEXT (2 * PRECIS_PEBS_VECTOR_MAX + 3)

/* A group is a list or members of items. In text each item is a line of its own. */
struct writer {
	const struct pebs_groups *groups;
	const struct precis_pebs *pebs;
	struct value_sink sink;
	int is_list;
};

static int by_line(const struct writer *writer)
{
	return writer->sink.form == VALUE_TEXT;
}

static void open_group(struct writer *writer, int is_list)
{
	writer->is_list = is_list;
	if (by_line(writer))
		return;
	if (is_list)
		value_list(&writer->sink);
	else
		value_members(&writer->sink);
}

static void close_group(struct writer *writer)
{
	if (by_line(writer))
		return;
	if (writer->is_list)
		value_list_end(&writer->sink);
	else
		value_members_end(&writer->sink);
}

static void begin_item(struct writer *writer, const char *name)
{
	if (by_line(writer))
		output_format(writer->sink.output, "  %-20s ", name);
	else if (!writer->is_list)
		value_key(&writer->sink, name);
}

static void end_item(struct writer *writer)
{
	if (by_line(writer))
		output_bytes(writer->sink.output, "\n", 1);
}

static void put_number_item(struct writer *writer, const char *name, uint64_t value)
{
	begin_item(writer, name);
	value_number(&writer->sink, value);
	end_item(writer);
}

static void put_hex_item(struct writer *writer, const char *name, uint64_t value)
{
	begin_item(writer, name);
	value_hex(&writer->sink, value);
	end_item(writer);
}

static void put_hex_member(struct value_sink *sink, const char *name, uint64_t value)
{
	value_key(sink, name);
	value_hex(sink, value);
}

static void put_bool(struct value_sink *sink, const char *name, uint32_t value)
{
	value_key(sink, name);
	value_bool(sink, (int)value);
}

static void put_type(struct value_sink *sink, const char *name, uint32_t type)
{
	const char *text = precis_pebs_branch_type_name(type);

	value_key(sink, name);
	if (text)
		value_text(sink, text);
	else
		value_number(sink, type);
}

static void put_bits(struct value_sink *sink, const char *name, uint32_t value)
{
	put_hex_member(sink, name, value);
}

static void put_number(struct value_sink *sink, const char *name, uint32_t value)
{
	value_key(sink, name);
	value_number(sink, value);
}

/* What an INFO word tells, in the order of printing */
static const struct {
	const char *name;
	enum precis_pebs_branch_member member;
	size_t offset;
	void (*put)(struct value_sink *sink, const char *name, uint32_t value);
} info_members[] = {
#define MEMBER(name, bit, member, put)                                                             \
	{ name, PRECIS_PEBS_BRANCH_##bit, offsetof(struct precis_pebs_branch_info, member), put }
	MEMBER("mispredicted", MISPREDICTED, is_mispredicted, put_bool),
	MEMBER("in_transaction", IN_TRANSACTION, in_transaction, put_bool),
	MEMBER("abort", ABORT, is_abort, put_bool),
	MEMBER("cycles", CYCLES, cycles, put_number),
	MEMBER("type", TYPE, type, put_type),
	MEMBER("counters", COUNTERS, counters, put_bits),
#undef MEMBER
};

#define INFO_MEMBERS (sizeof(info_members) / sizeof(info_members[0]))

/* The detail has none of the bytes that separate members; a cell of csv has the reason alone. */
static void put_reason(struct value_sink *sink, enum precis_reason reason, const char *detail)
{
	const char *name = precis_reason_name(reason);
	char text[160];

	switch (sink->form) {
	case VALUE_TEXT:
		snprintf(text, sizeof(text), "%s(%s)", name, detail);
		break;
	case VALUE_JSON:
		snprintf(text, sizeof(text), "%s: %s", name, detail);
		break;
	default:
		snprintf(text, sizeof(text), "%s", name);
	}
	value_text(sink, text);
}

static void put_info(struct writer *writer, uint64_t word)
{
	struct precis_pebs_branch_info info = { .size = sizeof(info) };
	struct value_sink *sink = &writer->sink;

	put_hex_member(sink, "info", word);
	precis_pebs_branch_info(writer->pebs->format, writer->groups->core, word, &info);
	for (size_t n = 0; n < INFO_MEMBERS; n++) {
		const char *name = info_members[n].name, *detail;
		enum precis_reason reason =
			precis_pebs_branch_why(&info, info_members[n].member, &detail);
		uint32_t value;

		memcpy(&value, (const char *)&info + info_members[n].offset, sizeof(value));
		if (reason == PRECIS_PRESENT) {
			info_members[n].put(sink, name, value);
		} else if (writer->groups->reasons) {
			value_key(sink, name);
			put_reason(sink, reason, detail);
		}
	}
}

static void put_branch(struct writer *writer, uint32_t n)
{
	struct precis_pebs_branch branch = { 0, 0, 0 };
	char name[NAME_ROOM];

	precis_pebs_branch(&writer->groups->groups, n, &branch);
	snprintf(name, sizeof(name), "lbr%" PRIu32, n);
	begin_item(writer, name);
	value_members(&writer->sink);
	put_hex_member(&writer->sink, "from", branch.from);
	put_hex_member(&writer->sink, "to", branch.to);
	put_info(writer, branch.info);
	value_members_end(&writer->sink);
	end_item(writer);
}

/* Of these as many as were recorded follow */
static void put_entries(struct writer *writer)
{
	writer->is_list = 1;
	put_number_item(writer, "lbr_entries", writer->groups->groups.lbr_count);
}

static void put_branches(struct writer *writer)
{
	int count = precis_pebs_branch_count(&writer->groups->groups);

	open_group(writer, 1);
	for (int n = 0; n < count; n++)
		put_branch(writer, (uint32_t)n);
	close_group(writer);
}

static void put_lbr_header(struct writer *writer)
{
	struct precis_pebs_lbr_header header = { .size = sizeof(header) };

	precis_pebs_lbr_header(&writer->groups->groups, &header);
	open_group(writer, 0);
	put_hex_item(writer, "lbr_ctl", header.lbr_ctl);
	put_number_item(writer, "depth", header.depth);
	put_hex_item(writer, "ler_from", header.ler_from);
	put_hex_item(writer, "ler_to", header.ler_to);
	put_hex_item(writer, "ler_info", header.ler_info);
	close_group(writer);
}

/* The whole register as one number: its highest byte, which lies last, first */
static void put_register(struct writer *writer, const struct precis_pebs_register_group *row,
			 uint32_t n)
{
	uint8_t bytes[PRECIS_PEBS_VECTOR_MAX];
	char name[NAME_ROOM], text[VECTOR_TEXT] = "0x", *at = text + 2;
	int count = precis_pebs_register(&writer->groups->groups, row->group, n, bytes);

	while (count-- > 0)
		at = put_bytes(at, hex_pairs + 2 * bytes[count], 2);
	*at = '\0';
	snprintf(name, sizeof(name), "%s%" PRIu32, row->name, row->first + n);
	begin_item(writer, name);
	value_text(&writer->sink, text);
	end_item(writer);
}

static void put_vectors(struct writer *writer)
{
	struct precis_pebs_register_group row = { .size = sizeof(row) };

	open_group(writer, 0);
	if (writer->pebs->format == PRECIS_PEBS_FORMAT_ARCH)
		put_hex_item(writer, "xstate", writer->groups->groups.xstate);
	for (uint32_t n = 0; !precis_pebs_register_group(n, &row); n++) {
		for (uint32_t i = 0; (writer->pebs->groups & row.group) && i < row.registers; i++)
			put_register(writer, &row, i);
	}
	close_group(writer);
}

static void put_counters(struct writer *writer)
{
	char name[NAME_ROOM];
	uint64_t value;

	open_group(writer, 0);
	for (uint32_t n = 0; n < 2 * PRECIS_PEBS_FIXED_COUNTER; n++) {
		if (precis_pebs_counter(&writer->groups->groups, n, &value) <= 0)
			continue;
		snprintf(name, sizeof(name), "%s%" PRIu32,
			 n < PRECIS_PEBS_FIXED_COUNTER ? "gp" : "fixed",
			 n % PRECIS_PEBS_FIXED_COUNTER);
		put_number_item(writer, name, value);
	}
	close_group(writer);
}

static void put_metrics(struct writer *writer)
{
	uint64_t slots = 0, metrics = 0;

	precis_pebs_metrics(&writer->groups->groups, &slots, &metrics);
	open_group(writer, 0);
	put_number_item(writer, "slots", slots);
	put_hex_item(writer, "perf_metrics", metrics);
	for (uint32_t n = 0; n < PRECIS_PEBS_METRIC_COUNT; n++)
		put_number_item(writer, precis_pebs_metric_name(n), metrics >> 8 * n & 0xff);
	close_group(writer);
}

#define VECTORS                                                                                    \
	(PRECIS_PEBS_GROUP_XMM | PRECIS_PEBS_GROUP_YMMH | PRECIS_PEBS_GROUP_OPMASK |               \
	 PRECIS_PEBS_GROUP_ZMMH | PRECIS_PEBS_GROUP_HI16_ZMM)

static const struct {
	const char *name;
	uint32_t groups; /* any of these */
	void (*put)(struct writer *writer);
} rows[] = {
	{ "vectors", VECTORS, put_vectors },
	{ "lbr_header", PRECIS_PEBS_GROUP_LBR, put_lbr_header },
	{ "lbr_entries", PRECIS_PEBS_GROUP_LBR, put_entries },
	{ "lbr", PRECIS_PEBS_GROUP_LBR, put_branches },
	{ "counters", PRECIS_PEBS_GROUP_COUNTERS, put_counters },
	{ "metrics", PRECIS_PEBS_GROUP_METRICS, put_metrics },
};

const char *pebs_groups_name(uint32_t n)
{
	return n < sizeof(rows) / sizeof(rows[0]) ? rows[n].name : NULL;
}

int pebs_groups_have(const struct pebs_groups *groups, const struct precis_pebs *pebs, uint32_t n)
{
	if (!groups || (rows[n].put == put_lbr_header && !groups->groups.has_lbr_header))
		return 0;
	return (pebs->groups & rows[n].groups) != 0;
}

void pebs_groups_put(const struct pebs_groups *groups, const struct precis_pebs *pebs, uint32_t n,
		     struct output *output, enum value_form form)
{
	struct writer writer = { .groups = groups, .pebs = pebs };

	value_begin(&writer.sink, output, form, 1);
	rows[n].put(&writer);
	value_end(&writer.sink);
}
