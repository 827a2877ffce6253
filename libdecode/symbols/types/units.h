/* SPDX-License-Identifier: BSD-3-Clause */
/* All units of all files with DWARF: compilations, types, partial ones; each skeleton's split unit. */
#ifndef PRECIS_SYMBOLS_TYPES_UNITS_H
#define PRECIS_SYMBOLS_TYPES_UNITS_H

#include "model.h"

/** List the units of the files, opening those of skeletons. What is missing or broken is noted. */
void precis_units_read(struct precis_data_types *types);

/** The source file of a number in a unit's lines, as DW_AT_decl_file has it. @return NULL: it is not known */
const char *precis_unit_file_name(struct precis_data_types *types, const struct unit *unit, uint64_t number);

/** Is it a language whose arrays lie by columns? */
int precis_language_is_fortran(uint32_t language);

/** Does it write "struct" before a structure's name? */
int precis_language_is_c(uint32_t language);

/** Does its new T[] keep how many there are, where they have destructors? */
int precis_language_is_cplusplus(uint32_t language);

/** What the first element of an array is counted as, unless the array says it. */
int64_t precis_language_lower_bound(uint32_t language);

#endif
