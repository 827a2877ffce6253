/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables of a file, each once, in order: what symbol tables and DWARF say of one becomes one. */
#ifndef PRECIS_SYMBOLS_TYPES_VARIABLES_H
#define PRECIS_SYMBOLS_TYPES_VARIABLES_H

#include "model.h"

/** Add the data that a file's symbol table has. @return how many; negative: PRECIS_E_NO_MEMORY */
int precis_elf_objects_read(struct precis_data_types *types, const struct elf_source *source, uint32_t type);

/** Once all are in: join, sort, nest. */
void precis_variables_settle(struct precis_data_types *types);

#endif
