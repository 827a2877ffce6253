/* SPDX-License-Identifier: BSD-3-Clause */
/* Which unit has code at an address, by the ranges of all units, which are read once. */
#ifndef PRECIS_SYMBOLS_TYPES_UNIT_RANGES_H
#define PRECIS_SYMBOLS_TYPES_UNIT_RANGES_H

#include "model.h"

/** The next unit with code there: the one with the least number from 'from' on. @return 0 if there is none */
int precis_unit_ranges_next(struct precis_data_types *types, uint64_t address, uint32_t from,
			    uint32_t *unit);

void precis_unit_ranges_free(struct precis_data_types *types);

#endif
