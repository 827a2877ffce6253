/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations of types: the definition that each stands for. */
#ifndef PRECIS_SYMBOLS_TYPES_COMPLETE_H
#define PRECIS_SYMBOLS_TYPES_COMPLETE_H

#include "type.h"

/** Does it stand for a definition elsewhere, by name or by the signature of a type unit? */
int precis_data_type_is_declaration(const struct precis_data_type *type);

/**
 * @param definition  set
 * @return PRECIS_DATA_TYPE_PRESENT, or why there is none
 */
enum precis_data_type_absent precis_data_type_complete(const struct precis_data_type *type,
					     const struct precis_data_type **definition);

#endif
