/* SPDX-License-Identifier: BSD-3-Clause */
/* What pointers lead to: the type at an offset behind one, and the pointer that is kept there. */
#ifndef LIBDECODE_CODE_OPERANDS_POINTERS_H
#define LIBDECODE_CODE_OPERANDS_POINTERS_H

#include "state.h"
#include "type.h"

/* An access to something of a type: 'offset' bytes from where it begins, or from any of its elements */
struct operand_access {
	const struct precis_data_type *type;
	int64_t offset;
	uint32_t width; /* 0: not known */
	uint8_t index; /* enum operand_index */
};

/*
 * What a variable or member of a type holds that is eight bytes long: a pointer or reference, also as the
 * only thing in a structure. 'part' is which eight bytes of it. @return 0 if that is no pointer
 */
int operand_pointer_of(struct precis_data_type_paths *paths, const struct precis_data_type *type,
		       uint64_t part, struct operand_value *value);

/* The pointer that an access loads. @return likewise */
int operand_load(struct precis_data_type_paths *paths, const struct operand_access *access,
		 struct operand_value *value);

/*
 * Which type, and where in it, an access is. Offsets behind the end of a structure are refused: nobody says
 * whether that is in its neighbour or in what it is a member of.
 *
 * @param is  'type' and 'offset' are set, or 'absent'. @return 1: set
 */
int operand_locate(struct precis_data_type_paths *paths, const struct operand_access *access,
		   struct operand_type *is);

#endif
