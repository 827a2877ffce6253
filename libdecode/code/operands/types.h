/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The type of the data that an instruction of x86-64 accesses, by its operand: what DWARF says of the
 * variable in the register, or in the frame, and what can be followed through the function: copies, pointers
 * that are loaded, what calls return. It tells no instance, and no element of an array.
 *
 * It needs the very instruction: one that is a skid away tells of other data.
 */
#ifndef LIBDECODE_CODE_OPERANDS_TYPES_H
#define LIBDECODE_CODE_OPERANDS_TYPES_H

#include "type.h"

/* What is known of the functions of one file; the last ones that were asked for are kept. */
struct operand_types;

/* @param types  that outlive it. @return NULL if memory is short */
struct operand_types *operand_types_new(struct precis_data_types *types);

/* NULL is allowed. */
void operand_types_free(struct operand_types *operands);

/*
 * @param address  of the instruction, the file's own
 * @param does     what of it was sampled: OPERAND_READS, OPERAND_WRITES; 0 or both: not known
 * @param is       filled
 * @return 0, or PRECIS_E_NO_MEMORY
 */
int operand_types_at(struct operand_types *operands, uint64_t address, uint32_t does, operand_reader *reader,
		     void *data, struct operand_type *is);

#endif
