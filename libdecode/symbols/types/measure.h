/* SPDX-License-Identifier: BSD-3-Clause */
/* What lies beneath a type's typedefs, qualifiers and declarations, and how long it is. */
#ifndef PRECIS_SYMBOLS_TYPES_MEASURE_H
#define PRECIS_SYMBOLS_TYPES_MEASURE_H

#include "arrays.h"
#include "type.h"

/**
 * Without typedefs and qualifiers; the definition of a declaration.
 * @param peeled  set; NULL: void
 * @return PRECIS_DATA_TYPE_PRESENT, or why there is none
 */
enum precis_data_type_absent precis_data_type_peel(const struct precis_data_type *type,
						   const struct precis_data_type **peeled);

/** As precis_data_type_bytes(). */
enum precis_data_type_absent precis_data_type_measure(const struct precis_data_type *type, uint64_t *bytes);

/**
 * How an array is laid out.
 * @param type  DW_TAG_array_type
 * @return PRECIS_DATA_TYPE_PRESENT, or why it is not known
 */
enum precis_data_type_absent precis_data_type_array(const struct precis_data_type *type, struct array *array);

#endif
