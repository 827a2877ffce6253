/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether two say the same of what an access is to: of the memory at its address, and of the operand of its
 * instruction.
 */
#ifndef ANALYSIS_OBJECTS_TYPE_AGREEMENT_H
#define ANALYSIS_OBJECTS_TYPE_AGREEMENT_H

#include <precis/data_types.h>

enum type_agreement {
	TYPES_SAME,
	TYPES_PART, /* the instruction's is a member, element or base class, there, of that at the address */
	TYPES_DIFFER
};

/* A type, and the offset of the access in one of it: of an array the type of its elements */
struct type_place {
	const struct precis_data_type *type;
	uint64_t offset;
};

struct kept_agreement;

/* Zeroed memory knows none. */
struct type_agreements {
	struct kept_agreement *kept; /* of some that were asked for */
};

/*
 * Types are the same if their names are, without typedefs and qualifiers of what has members or is a number:
 * their pointers are a file's own. The operand's offset may be that of any element of an array in its type.
 *
 * @param width    of the access; 0: not known
 * @param members  are the members compared, too?
 * @param paths    room for them
 * @return enum type_agreement, or -1 if memory is short
 */
int type_agreement(struct type_agreements *agreements, const struct type_place *address,
		   const struct type_place *operand, uint32_t width, int members,
		   struct precis_data_type_paths *paths);

void type_agreements_free(struct type_agreements *agreements);

#endif
