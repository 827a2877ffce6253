/* SPDX-License-Identifier: BSD-3-Clause */
/* What a structure or union consists of, in the order of offsets. */
#ifndef PRECIS_SYMBOLS_TYPES_MEMBERS_H
#define PRECIS_SYMBOLS_TYPES_MEMBERS_H

#include "type.h"

enum member_kind { MEMBER_PLAIN, MEMBER_BASE, MEMBER_VARIANT, MEMBER_DISCRIMINANT };

struct member {
	const char *name; /* NULL: none, as of an anonymous union; what is in it is in what it is in */
	const struct precis_data_type *type; /* NULL: void, which is nonsense */
	uint64_t bit; /* where it begins, from the start of the structure; in bits, as all here */
	uint64_t bits; /* how long it is */
	uint32_t order; /* as declared */
	uint8_t kind; /* enum member_kind */
	uint8_t is_bit_field;
	uint8_t is_open; /* how long it is is not known: up to what follows */
	uint8_t goes_on; /* an array at the end that has as many elements as the block has room for */
	uint8_t absent; /* enum precis_data_type_absent: why it is open */
};

struct members {
	struct member *member; /* by 'bit' */
	uint32_t count, room;
	enum precis_data_type_absent elsewhere; /* of some the place is not known, and why; … */
	uint8_t has_inherited; /* … once bases were asked, too: precis_members_elsewhere() */
	uint64_t bits; /* how long the whole is; 0: it does not say */
	uint8_t go_on; /* what precis_members_go_on() has found; 0: it has not been asked */
};

/**
 * The members of a structure, class or union, read when they are first asked for.
 * @param members  set; NULL if there are none
 * @return PRECIS_DATA_TYPE_PRESENT, or why they are not known
 */
enum precis_data_type_absent precis_members_of(const struct precis_data_type *type,
					       const struct members **members);

/** The number of the first member that begins behind where this one does; their count: none. */
uint32_t precis_members_behind(const struct members *members, uint32_t n);

/**
 * How long a member is up to one that reaches into it, as into the padding at a base's end, or into where
 * that would have its virtual base if it were alone: what is behind is the structure's.
 */
uint64_t precis_member_own(const struct members *members, uint32_t n);

/**
 * Why so many bits that no member has may yet be one's: the place of some is not known, as of a virtual base,
 * its own or of a base; 0: they are padding, as are parts of a byte.
 */
enum precis_data_type_absent precis_members_elsewhere(const struct members *members, uint64_t bits);

/** Does the last member go on, or is it a structure whose last one does? Of none, NULL, it does not. */
int precis_members_go_on(const struct members *members);

/** NULL is allowed. */
void precis_members_free(struct members *members);

#endif
