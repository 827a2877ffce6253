/* SPDX-License-Identifier: BSD-3-Clause */
/* See measure.h. */
#include "measure.h"

#include <precis/error.h>

#include "complete.h"
#include "die.h"

static int is_transparent(unsigned int tag)
{
	switch (tag) {
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_immutable_type:
	case DW_TAG_packed_type:
	case DW_TAG_shared_type:
	case DW_TAG_template_alias:
		return 1;
	default:
		return 0;
	}
}

enum precis_data_type_absent precis_data_type_peel(const struct precis_data_type *type,
						   const struct precis_data_type **peeled)
{
	*peeled = NULL;
	for (unsigned int n = 0; n < TYPES_DEPTH; n++) {
		const struct precis_data_type *target;
		enum precis_data_type_absent absent;

		if (!type)
			return PRECIS_DATA_TYPE_PRESENT;
		if (is_transparent(precis_data_type_tag(type))) {
			if (!precis_data_type_follow(type, DW_AT_type, &target))
				return precis_data_type_nowhere(type->types);
			type = target;
			continue;
		}
		if (!precis_data_type_is_declaration(type)) {
			*peeled = type;
			return PRECIS_DATA_TYPE_PRESENT;
		}
		absent = precis_data_type_complete(type, &type);
		if (absent)
			return absent;
	}
	return PRECIS_DATA_TYPE_LOOP;
}

/* What the entry itself says. @return 0 if it says nothing */
static int own_size(const struct precis_data_type *type, uint64_t *bytes)
{
	Dwarf_Die *die = type_die(type);
	uint64_t bits;

	if (precis_die_unsigned(die, DW_AT_byte_size, bytes))
		return 1;
	if (!precis_die_unsigned(die, DW_AT_bit_size, &bits))
		return 0;
	*bytes = bits / 8 + (bits % 8 != 0);
	return 1;
}

static int is_address(unsigned int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

/* Itanium C++ ABI, section 2.3: an offset; of a function two words */
static enum precis_data_type_absent measure_member_pointer(const struct precis_data_type *type,
							   uint64_t *bytes)
{
	const struct precis_data_type *to;
	enum precis_data_type_absent absent;

	if (!precis_data_type_follow(type, DW_AT_type, &to))
		return precis_data_type_nowhere(type->types);
	absent = precis_data_type_peel(to, &to);
	if (precis_data_type_tag(to) == DW_TAG_subroutine_type)
		*bytes = UINT64_C(2) * type->address_bytes;
	/* Of what a class is that is declared alone, there is no function */
	return absent == PRECIS_DATA_TYPE_LOOP ? absent : PRECIS_DATA_TYPE_PRESENT;
}

/* As part of something that is so deep: descriptions that lead back to themselves end */
static enum precis_data_type_absent measure(const struct precis_data_type *type, uint32_t depth,
					    uint64_t *bytes);

static enum precis_data_type_absent measure_array(const struct precis_data_type *type, uint32_t depth,
						  struct array *array)
{
	enum precis_data_type_absent absent = precis_array_read(type, array);
	uint64_t bytes;

	if (!absent)
		absent = measure(array->element, depth, &bytes);
	return absent ? absent : precis_array_lay_out(array, bytes);
}

static enum precis_data_type_absent measure(const struct precis_data_type *type, uint32_t depth,
					    uint64_t *bytes)
{
	enum precis_data_type_absent absent = precis_data_type_peel(type, &type);
	const unsigned int tag = precis_data_type_tag(type);
	const struct precis_data_type *of;
	struct array array;

	if (absent)
		return absent;
	if (depth >= TYPES_DEPTH)
		return PRECIS_DATA_TYPE_LOOP;
	if (tag == DW_TAG_array_type) {
		absent = measure_array(type, depth + 1, &array);
		*bytes = array.bytes;
		if (absent || array.is_empty)
			return absent;
		return array.is_open ? PRECIS_DATA_TYPE_RUN_TIME : PRECIS_DATA_TYPE_PRESENT;
	}
	if (!type || tag == DW_TAG_subroutine_type)
		return PRECIS_DATA_TYPE_NO_SIZE;
	if (own_size(type, bytes))
		return PRECIS_DATA_TYPE_PRESENT;
	*bytes = type->address_bytes;
	if (is_address(tag))
		return PRECIS_DATA_TYPE_PRESENT;
	if (tag == DW_TAG_ptr_to_member_type)
		return measure_member_pointer(type, bytes);
	if (tag != DW_TAG_enumeration_type && tag != DW_TAG_subrange_type)
		return tag == DW_TAG_string_type ? PRECIS_DATA_TYPE_RUN_TIME : PRECIS_DATA_TYPE_NO_SIZE;
	return precis_data_type_follow(type, DW_AT_type, &of) ? measure(of, depth + 1, bytes)
							      : precis_data_type_nowhere(type->types);
}

enum precis_data_type_absent precis_data_type_measure(const struct precis_data_type *type, uint64_t *bytes)
{
	return measure(type, 0, bytes);
}

enum precis_data_type_absent precis_data_type_array(const struct precis_data_type *type, struct array *array)
{
	return measure_array(type, 0, array);
}

uint32_t precis_data_type_kind(const struct precis_data_type *type)
{
	const struct precis_data_type *peeled;

	/* A declaration that nothing completes is still of its kind */
	return precis_data_type_kind_of(
		precis_data_type_tag(precis_data_type_peel(type, &peeled) ? type : peeled));
}

int precis_data_type_bytes(const struct precis_data_type *type, uint64_t *bytes, uint32_t *absent)
{
	enum precis_data_type_absent why;
	uint64_t found = 0;

	if (!bytes)
		return PRECIS_E_ARGUMENT;
	why = precis_data_type_measure(type, &found);
	*bytes = why ? 0 : found;
	if (absent)
		*absent = why;
	return why == PRECIS_DATA_TYPE_PRESENT;
}
