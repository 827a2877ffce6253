/* SPDX-License-Identifier: BSD-3-Clause */
/* DWARF 5, section 3.1.1: DW_AT_low_pc and DW_AT_high_pc, or DW_AT_ranges, of a unit. */
#include "unit_ranges.h"

#include <stdlib.h>

static int compare(const void *one, const void *other)
{
	const struct unit_range *a = one, *b = other;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->unit < b->unit ? -1 : a->unit > b->unit;
}

/* Of a skeleton they are what is in its split unit. @return 0 if memory is short */
static int add_unit(struct precis_data_types *types, uint32_t unit)
{
	Dwarf_Addr base, low, high;

	for (ptrdiff_t at = 0;
	     (at = dwarf_ranges(&types->unit[unit].root, at, &base, &low, &high)) > 0;) {
		if (low >= high)
			continue;
		if (!precis_data_types_grow(types, &types->range, &types->range_room, types->ranges,
					    sizeof(*types->range)))
			return 0;
		types->range[types->ranges++] =
			(struct unit_range){ low, high, 0, types->unit[unit].split };
	}
	return 1;
}

/* Ranges may overlap: each knows how far those before it reach. */
static void read_ranges(struct precis_data_types *types)
{
	uint64_t reach = 0;

	types->has_ranges = 1;
	for (uint32_t n = 0; n < types->units; n++) {
		if (!add_unit(types, n))
			types_lack(types, PRECIS_DATA_TYPE_TOO_MANY);
	}
	if (types->ranges)
		qsort(types->range, types->ranges, sizeof(*types->range), compare);
	for (size_t n = 0; n < types->ranges; n++) {
		reach = types->range[n].high > reach ? types->range[n].high : reach;
		types->range[n].reach = reach;
	}
}

/* How many ranges begin at the address or before it */
static size_t count_before(const struct precis_data_types *types, uint64_t address)
{
	size_t low = 0, high = types->ranges;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (types->range[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int precis_unit_ranges_next(struct precis_data_types *types, uint64_t address, uint32_t from,
			    uint32_t *unit)
{
	int found = 0;

	if (!types->has_ranges)
		read_ranges(types);
	for (size_t n = count_before(types, address); n > 0 && types->range[n - 1].reach > address; n--) {
		const struct unit_range *range = &types->range[n - 1];

		if (range->high <= address || range->unit < from || (found && range->unit >= *unit))
			continue;
		*unit = range->unit;
		found = 1;
	}
	return found;
}

void precis_unit_ranges_free(struct precis_data_types *types)
{
	free(types->range);
}
