/* SPDX-License-Identifier: BSD-3-Clause */
/* The index of a file: one walk over all entries of all units finds variables and types with names. */
#ifndef PRECIS_SYMBOLS_TYPES_INDEX_H
#define PRECIS_SYMBOLS_TYPES_INDEX_H

#include "model.h"

/** Walk all units. What is broken or too much is noted; what was found before that stays. */
void precis_index_read(struct precis_data_types *types);

#endif
