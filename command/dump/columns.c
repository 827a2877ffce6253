/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields and parts that are printed. */
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "command/usage/complain.h"

_Static_assert(PRECIS_MEM_LEVEL_L0 < COLUMN_NAMES, "the last of the largest enumeration");

/* One line for a person: where, what, how long. */
static const uint8_t default_fields[] = {
	PRECIS_FIELD_EVENT,
	PRECIS_FIELD_CPU,
	PRECIS_FIELD_PID,
	PRECIS_FIELD_TID,
	PRECIS_FIELD_TIME,
	PRECIS_FIELD_IP,
	PRECIS_FIELD_OP,
	PRECIS_FIELD_ADDR,
	PRECIS_FIELD_MEM_LEVEL,
	PRECIS_FIELD_DCACHE_MISS_LATENCY,
	PRECIS_FIELD_MISS_BUFFERS_OPEN,
	PRECIS_FIELD_TLB_LEVEL,
	PRECIS_FIELD_TLB_REFILL_LATENCY,
	PRECIS_FIELD_LOAD_LATENCY,
	PRECIS_FIELD_CACHE_LATENCY,
	PRECIS_FIELD_INSTRUCTION_LATENCY,
	PRECIS_FIELD_RETIRE_LATENCY,
	PRECIS_FIELD_TAG_TO_RETIRE,
	PRECIS_FIELD_TAG_TO_COMPLETION,
	PRECIS_FIELD_COMPLETION_TO_RETIRE,
	PRECIS_FIELD_BRANCH_MISPREDICTED,
	PRECIS_FIELD_FETCH_LATENCY,
	PRECIS_FIELD_FETCH_COMPLETED,
	PRECIS_FIELD_ICACHE_MISS,
	PRECIS_FIELD_ITLB_LEVEL,
	PRECIS_FIELD_ITLB_REFILL_LATENCY,
	PRECIS_FIELD_PERF_WEIGHT,
	PRECIS_FIELD_PERF_DATA_SRC,
};

static enum column_kind kind_of(const struct precis_field_info *info)
{
	if (info->unit == PRECIS_UNIT_NANOSECONDS)
		return COLUMN_TIME;
	switch (info->type) {
	case PRECIS_TYPE_UINT:
		return COLUMN_DECIMAL;
	case PRECIS_TYPE_INT:
		return COLUMN_SIGNED;
	case PRECIS_TYPE_ADDRESS:
	case PRECIS_TYPE_HEX:
		return COLUMN_HEX;
	case PRECIS_TYPE_BOOL:
		return COLUMN_BOOL;
	case PRECIS_TYPE_EVENT:
		return COLUMN_EVENT;
	default:
		return COLUMN_NAME;
	}
}

static const struct column_names *names_of(struct columns *columns, uint32_t type)
{
	struct column_names *names = &columns->names[type < COLUMN_TYPES ? type : 0];

	for (uint32_t value = 0; value < COLUMN_NAMES; value++) {
		const char *name = precis_type_value_name(type, value);
		size_t length = name ? strlen(name) : 0;

		if (!length || length > COLUMN_NAME_TEXT)
			continue;
		names->value[value].length = (uint8_t)length;
		memcpy(names->value[value].text, name, length);
	}
	return names;
}

static void add(struct columns *columns, uint32_t field)
{
	struct precis_field_info info = { .size = sizeof(info) };
	struct column *column;

	if (precis_fields_have(columns->fields, field) || precis_field_info(field, &info))
		return;
	precis_fields_add(columns->fields, field);
	column = &columns->column[columns->count++];
	column->field = field;
	column->kind = kind_of(&info);
	column->name = info.name;
	if (column->kind == COLUMN_NAME)
		column->names = names_of(columns, info.type);
}

void columns_add_part(struct columns *columns, enum part part)
{
	struct column *column;

	if (columns->has_part[part])
		return;
	columns->has_part[part] = 1;
	columns->part_needs |= part_info(part)->needs;
	column = &columns->column[columns->count++];
	column->field = part;
	column->kind = COLUMN_PART;
	column->name = part_info(part)->name;
}

/* A field by one of its names, or a part. EXIT_OK or EXIT_USAGE */
static int add_named(struct columns *columns, const char *command, const char *name, size_t length)
{
	int number = precis_field_find(name, length);
	char hint[NEAREST_ROOM];

	if (number >= 0) {
		add(columns, (uint32_t)number);
		return EXIT_OK;
	}
	number = part_find(name, length);
	if (number < 0)
		return complain_usage(command,
				      "--fields: no field is named '%.*s' "
				      "('precis fields' lists them)%s",
				      (int)length, name, field_hint(name, length, hint));
	columns_add_part(columns, (enum part)number);
	return EXIT_OK;
}

static int is_word(const char *word, size_t length, const char *text)
{
	return strlen(text) == length && memcmp(word, text, length) == 0;
}

int columns_parse(struct columns *columns, const char *command, const char *list)
{
	memset(columns, 0, sizeof(*columns));
	for (;; list++) {
		size_t length = strcspn(list, ",");

		if (is_word(list, length, "all")) {
			for (uint32_t n = 0; n < PRECIS_FIELD_COUNT; n++)
				add(columns, n);
		} else if (is_word(list, length, "default")) {
			for (size_t n = 0; n < sizeof(default_fields); n++)
				add(columns, default_fields[n]);
		} else if (is_word(list, length, "parts")) {
			for (int n = 0; n < PART_COUNT; n++)
				columns_add_part(columns, (enum part)n);
		} else if (add_named(columns, command, list, length)) {
			return EXIT_USAGE;
		}
		list += length;
		if (!*list)
			return EXIT_OK;
	}
}

void columns_label(struct columns *columns, const char *before, const char *after)
{
	for (uint32_t i = 0; i < columns->count; i++) {
		struct column *column = &columns->column[i];
		int length = snprintf(column->label, sizeof(column->label), "%s%s%s", before,
				      column->name, after);

		column->label_length = (uint32_t)length < sizeof(column->label) ?
					       (uint32_t)length :
					       (uint32_t)sizeof(column->label) - 1;
	}
}
