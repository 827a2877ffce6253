/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's data source word: its fields and their names. */
#include <precis/data_source.h>
#include <precis/error.h>

#include "abi.h"

static const struct {
	const char *name;
	uint8_t low, bits;
} members[PRECIS_DATA_SOURCE_MEMBERS] = {
#define PRECIS_DATA_PART(id, member, low, bits, name)                                              \
	[PRECIS_DATA_SOURCE_##id] = { name, low, bits },
#include "data_source_members.def"
#undef PRECIS_DATA_PART
};

static const struct {
	uint8_t member;
	uint16_t value;
	const char *name;
} values[] = {
#define PRECIS_DATA_VALUE(member, value, name) { PRECIS_DATA_SOURCE_##member, value, name },
#include "data_source_values.def"
#undef PRECIS_DATA_VALUE
};

static uint64_t mask_of(uint32_t member)
{
	return (UINT64_C(1) << members[member].bits) - 1;
}

uint32_t precis_data_source_member(uint64_t word, uint32_t member)
{
	if (member >= PRECIS_DATA_SOURCE_MEMBERS)
		return 0;
	return (uint32_t)(word >> members[member].low & mask_of(member));
}

int precis_data_source_decode(uint64_t word, struct precis_data_source *source)
{
	ABI_OUT(struct precis_data_source, source, precis_data_source_decode(word, &abi));
#define PRECIS_DATA_PART(id, member, low, bits, name)                                              \
	source->member = precis_data_source_member(word, PRECIS_DATA_SOURCE_##id);
#include "data_source_members.def"
#undef PRECIS_DATA_PART
	return 0;
}

/* 1 if the value has its place in the word */
static int put(uint64_t *word, uint32_t member, uint32_t value)
{
	*word |= (uint64_t)value << members[member].low;
	return value <= mask_of(member);
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
#include "data_source_members.def"
#undef PRECIS_DATA_PART
	if (!fits)
		return PRECIS_E_ARGUMENT;
	*word = made;
	return 0;
}

const char *precis_data_source_member_name(uint32_t member)
{
	return member < PRECIS_DATA_SOURCE_MEMBERS ? members[member].name : NULL;
}

const char *precis_data_source_value_name(uint32_t member, uint32_t value)
{
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (values[i].member == member && values[i].value == value)
			return values[i].name;
	}
	return NULL;
}
