/* SPDX-License-Identifier: BSD-3-Clause */
/* What registers and a few places in memory hold before an instruction, as far as a block's pointer goes. */
#ifndef PRECIS_SYMBOLS_TYPES_POINTER_STATE_H
#define PRECIS_SYMBOLS_TYPES_POINTER_STATE_H

#include <stdint.h>

struct precis_data_type;

/* Registers as instructions number them: instruction.h */
#define POINTER_REGISTERS 16u
#define POINTER_SLOTS 16u

enum pointer_kind {
	POINTER_UNKNOWN = 0,
	POINTER_BLOCK, /* to the block, plus 'by' */
	POINTER_INSIDE, /* into the block, behind any number of steps of 'by' bytes; 0: who knows */
	POINTER_ELEMENT, /* no pointer to it: eight bytes that were loaded from a step of 'by' bytes of it */
	POINTER_FRAME, /* what rsp was when the function began, plus 'by' */
	POINTER_ARGUMENT, /* argument number 'by' of the function, as it was when that began */
	POINTER_TYPED, /* a pointer of type 'type' */
	POINTER_PLACE, /* the address of what 'base', of type 'type' if that is known, leads to at 'by' */
	POINTER_COPY, /* what 'base' had at 'at', of which nothing else is known */
	POINTER_TIMES /* a number: so many times 'by' */
};

struct pointer_value {
	uint8_t kind; /* enum pointer_kind */
	uint8_t base; /* a register, or REGISTER_RIP: 'by' is the address */
	int64_t by;
	const struct precis_data_type *type; /* of the pointer; NULL: not known, as in most kinds */
	uint64_t at; /* the instruction: what variables registers are depends on that */
};

/* Eight bytes of memory that a pointer was stored in */
struct pointer_slot {
	uint8_t base; /* SLOT_FREE, SLOT_FRAME, or a register, which has not changed since */
	int64_t at; /* from there */
	struct pointer_value value;
};

enum { SLOT_FREE = 0xff, SLOT_FRAME = 0xfe };

struct pointer_state {
	struct pointer_value reg[POINTER_REGISTERS];
	struct pointer_slot slot[POINTER_SLOTS];
	uint32_t next_slot; /* to be used again when all are */
};

/* The function's first instruction: arguments are in their registers */
void precis_pointers_begin(struct pointer_state *state);

/* Numbers above those of registers are none: nothing happens */
void precis_pointers_set(struct pointer_state *state, unsigned int number,
			 struct pointer_value value);

/*
 * All but those registers, of which 'kept' has a bit each, and the frame; if it is 0, of that all but
 * arguments
 */
void precis_pointers_forget(struct pointer_state *state, uint32_t kept);

/* Eight bytes at a register plus 'offset'; NULL: what is there is not known */
const struct pointer_value *precis_pointers_load(const struct pointer_state *state,
						 unsigned int base, int64_t offset);

void precis_pointers_store(struct pointer_state *state, unsigned int base, int64_t offset,
			   struct pointer_value value);

/* Does anything lead to the block? */
int precis_pointers_have_block(const struct pointer_state *state);

/* The register of an argument, from 0, of those in registers; POINTER_REGISTERS: there are no more */
unsigned int precis_pointers_argument(unsigned int number);

static inline int pointer_is_of_block(const struct pointer_value *value)
{
	return value->kind == POINTER_BLOCK || value->kind == POINTER_INSIDE;
}

#endif
