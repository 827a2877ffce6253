/* SPDX-License-Identifier: BSD-3-Clause */
/* DWARF 5, section 5.5. Compilers do not write DW_AT_ordering: the language says it. */
#include "arrays.h"

#include <string.h>

#include "die.h"
#include "units.h"

#define UNKNOWN UINT64_MAX

/* @return why its bounds are not known; an end that is not is UNKNOWN */
static enum precis_data_type_absent read_bounds(const struct precis_data_type *type, Dwarf_Die *die,
					   struct dimension *dimension)
{
	int64_t upper;

	dimension->lower = precis_language_lower_bound(type->language);
	dimension->count = UNKNOWN;
	if (precis_die_has(die, DW_AT_lower_bound) &&
	    !precis_die_signed(die, DW_AT_lower_bound, &dimension->lower))
		return PRECIS_DATA_TYPE_RUN_TIME;
	if (precis_die_unsigned(die, DW_AT_count, &dimension->count))
		return PRECIS_DATA_TYPE_PRESENT;
	if (precis_die_has(die, DW_AT_count))
		return PRECIS_DATA_TYPE_RUN_TIME;
	if (precis_die_signed(die, DW_AT_upper_bound, &upper)) {
		dimension->count = (uint64_t)upper - (uint64_t)dimension->lower + 1;
		if (upper < dimension->lower)
			dimension->count = 0;
		return PRECIS_DATA_TYPE_PRESENT;
	}
	return precis_die_has(die, DW_AT_upper_bound) ? PRECIS_DATA_TYPE_RUN_TIME : PRECIS_DATA_TYPE_PRESENT;
}

static enum precis_data_type_absent read_stride(Dwarf_Die *die, uint64_t *stride)
{
	uint64_t bits;

	*stride = 0;
	if (precis_die_unsigned(die, DW_AT_byte_stride, stride))
		return (int64_t)*stride < 0 ? PRECIS_DATA_TYPE_MALFORMED : PRECIS_DATA_TYPE_PRESENT;
	if (precis_die_unsigned(die, DW_AT_bit_stride, &bits)) {
		*stride = bits / 8;
		return bits % 8 ? PRECIS_DATA_TYPE_MALFORMED : PRECIS_DATA_TYPE_PRESENT;
	}
	return precis_die_has(die, DW_AT_byte_stride) ? PRECIS_DATA_TYPE_RUN_TIME : PRECIS_DATA_TYPE_PRESENT;
}

/* An enumeration as a dimension: as many as it has values */
static void count_values(Dwarf_Die *die, struct dimension *dimension)
{
	Dwarf_Die child;
	int found = precis_die_child(die, &child);

	for (dimension->lower = 0, dimension->count = 0; found > 0; found = precis_die_next(&child, &child))
		dimension->count += dwarf_tag(&child) == DW_TAG_enumerator;
}

static enum precis_data_type_absent read_dimension(const struct precis_data_type *type, Dwarf_Die *die,
					      struct array *array)
{
	struct dimension *dimension = &array->dimension[array->dimensions];
	enum precis_data_type_absent absent = PRECIS_DATA_TYPE_PRESENT;

	switch (dwarf_tag(die)) {
	case DW_TAG_subrange_type:
	case DW_TAG_generic_subrange:
		absent = read_bounds(type, die, dimension);
		break;
	case DW_TAG_enumeration_type:
		count_values(die, dimension);
		break;
	default:
		return PRECIS_DATA_TYPE_PRESENT;
	}
	array->dimensions++;
	return absent ? absent : read_stride(die, &dimension->stride);
}

static enum precis_data_type_absent read_dimensions(const struct precis_data_type *type, struct array *array)
{
	enum precis_data_type_absent absent = PRECIS_DATA_TYPE_PRESENT;
	Dwarf_Die child;
	int found = precis_die_child(type_die(type), &child);

	for (; found > 0 && !absent; found = precis_die_next(&child, &child)) {
		if (array->dimensions == ARRAY_DIMENSIONS)
			return PRECIS_DATA_TYPE_TOO_MANY;
		absent = read_dimension(type, &child, array);
	}
	if (absent)
		return absent;
	return found < 0 || !array->dimensions ? PRECIS_DATA_TYPE_MALFORMED : PRECIS_DATA_TYPE_PRESENT;
}

enum precis_data_type_absent precis_array_read(const struct precis_data_type *type, struct array *array)
{
	enum precis_data_type_absent absent;
	uint64_t ordering;
	Dwarf_Die *die = type_die(type);

	memset(array, 0, sizeof(*array));
	/* Allocatable arrays and pointers of Fortran */
	if (precis_die_has(die, DW_AT_data_location))
		return PRECIS_DATA_TYPE_DESCRIPTOR;
	if (!precis_data_type_follow(type, DW_AT_type, &array->element))
		return precis_data_type_nowhere(type->types);
	array->by_columns = (uint8_t)precis_language_is_fortran(type->language);
	if (precis_die_unsigned(die, DW_AT_ordering, &ordering))
		array->by_columns = ordering == DW_ORD_col_major;
	absent = read_dimensions(type, array);
	return absent ? absent : read_stride(die, &array->stride);
}

uint32_t precis_array_order(const struct array *array, uint32_t n)
{
	return array->by_columns ? array->dimensions - 1 - n : n;
}

/* From the fastest one on: a stride that is not given is what all faster ones take together */
enum precis_data_type_absent precis_array_lay_out(struct array *array, uint64_t element_bytes)
{
	uint64_t bytes = array->stride ? array->stride : element_bytes;

	array->element_bytes = element_bytes;
	array->elements = 1;
	for (uint32_t n = array->dimensions; n-- > 0;) {
		struct dimension *dimension = &array->dimension[precis_array_order(array, n)];

		if (!dimension->stride)
			dimension->stride = bytes;
		array->is_empty = n == 0 && !dimension->count;
		if (array->is_empty)
			dimension->count = UNKNOWN;
		if (dimension->count == UNKNOWN) {
			if (n > 0)
				return PRECIS_DATA_TYPE_RUN_TIME;
			array->is_open = 1;
			return PRECIS_DATA_TYPE_PRESENT;
		}
		if (__builtin_mul_overflow(array->elements, dimension->count, &array->elements) ||
		    __builtin_mul_overflow(dimension->stride, dimension->count, &bytes))
			return PRECIS_DATA_TYPE_MALFORMED;
	}
	array->bytes = bytes;
	return PRECIS_DATA_TYPE_PRESENT;
}

void precis_array_open(struct array *array)
{
	array->dimension[precis_array_order(array, 0)].count = UNKNOWN;
	array->is_open = 1;
}

int precis_array_locate(const struct array *array, uint64_t offset, uint64_t place[ARRAY_DIMENSIONS],
			uint64_t *start)
{
	uint64_t left = offset, around = 0;

	for (uint32_t n = 0; n < array->dimensions; n++) {
		const uint32_t at = precis_array_order(array, n);
		const struct dimension *dimension = &array->dimension[at];

		place[at] = dimension->stride ? left / dimension->stride : UINT64_MAX;
		if (place[at] >= dimension->count) {
			*start = offset - left + around;
			return n ? 2 : 0;
		}
		left -= place[at] * dimension->stride;
		around = dimension->stride;
	}
	*start = offset - left;
	if (left < array->element_bytes)
		return 1;
	*start += around;
	return 2;
}
