/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's data source word: its fields and their names. */
#include <precis/data_source.h>
#include <precis/error.h>

#include "abi.h"

static const struct {
	const char *name;
	uint8_t low, bits;
} parts[PRECIS_DATA_SOURCE_PARTS] = {
#define PRECIS_DATA_PART(id, member, low, bits, name)                                              \
	[PRECIS_DATA_SOURCE_##id] = { name, low, bits },
#include "data_source_parts.def"
#undef PRECIS_DATA_PART
};

static const struct {
	uint8_t part;
	uint16_t value;
	const char *name;
} values[] = {
#define PRECIS_DATA_VALUE(part, value, name) { PRECIS_DATA_SOURCE_##part, value, name },
#include "data_source_values.def"
#undef PRECIS_DATA_VALUE
};

static uint64_t mask_of(uint32_t part)
{
	return (UINT64_C(1) << parts[part].bits) - 1;
}

uint32_t precis_data_source_part(uint64_t word, uint32_t part)
{
	if (part >= PRECIS_DATA_SOURCE_PARTS)
		return 0;
	return (uint32_t)(word >> parts[part].low & mask_of(part));
}

int precis_data_source_decode(uint64_t word, struct precis_data_source *source)
{
	ABI_OUT(struct precis_data_source, source, precis_data_source_decode(word, &abi));
#define PRECIS_DATA_PART(id, member, low, bits, name)                                              \
	source->member = precis_data_source_part(word, PRECIS_DATA_SOURCE_##id);
#include "data_source_parts.def"
#undef PRECIS_DATA_PART
	return 0;
}

/* 1 if the value has its place in the word */
static int put(uint64_t *word, uint32_t part, uint32_t value)
{
	*word |= (uint64_t)value << parts[part].low;
	return value <= mask_of(part);
}

int precis_data_source_encode(const struct precis_data_source *source, uint64_t *word)
{
	uint64_t made = 0;
	int fits = 1;

	ABI_IN(struct precis_data_source, source, precis_data_source_encode(&abi, word));
	if (!word)
		return PRECIS_E_ARGUMENT;
#define PRECIS_DATA_PART(id, member, low, bits, name)                                              \
	fits &= put(&made, PRECIS_DATA_SOURCE_##id, source->member);
#include "data_source_parts.def"
#undef PRECIS_DATA_PART
	if (!fits)
		return PRECIS_E_ARGUMENT;
	*word = made;
	return 0;
}

const char *precis_data_source_part_name(uint32_t part)
{
	return part < PRECIS_DATA_SOURCE_PARTS ? parts[part].name : NULL;
}

const char *precis_data_source_value_name(uint32_t part, uint32_t value)
{
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (values[i].part == part && values[i].value == value)
			return values[i].name;
	}
	return NULL;
}
