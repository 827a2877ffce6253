/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code that the kernel changed while it ran: TEXT_POKE records, which have a time, and the bytes before and
 * after.
 *
 * A byte at a time is what the last change before that time made of it, or else what the first one behind
 * it found. So it does not matter of when the rest of the kernel's code is.
 *
 * A tracer that is turned on and off changes all functions each time: changes are found by the place that
 * they are of, and of a place by their time.
 */
#ifndef LIBDECODE_CODE_POKES_H
#define LIBDECODE_CODE_POKES_H

#include <precis/kernel_records.h>

struct code_poke {
	uint64_t time;
	uint32_t bytes_at; /* in the pool: the old ones, then the new ones */
	uint16_t old_bytes, new_bytes; /* 0: there was, or will be, no code */
};

/* [start, end), as at least one change has them */
struct code_poke_place {
	uint64_t start, end;
	uint32_t *poke; /* by time; of the same time as they came */
	uint32_t count, room;
};

/* The places that touch 64 bytes of code */
struct code_poke_line {
	uint64_t line; /* number of these 64 bytes, and 1 more: 0 is none */
	uint32_t *place;
	uint32_t count, room;
};

/* Zeroed memory has none. */
struct code_pokes {
	struct code_poke *poke; /* as they came */
	uint32_t count, room;
	struct code_poke_place *place;
	uint32_t places, place_room;
	struct code_poke_line *line; /* hashed */
	uint32_t lines, line_room; /* a power of 2 */
	uint8_t *pool;
	uint32_t pool_bytes, pool_room;
	uint64_t not_kept; /* records that there was no room for */
};

#define CODE_POKE_BYTES_MOST (64u << 20)
/* Different places that touch a line: those of instructions, of whichever lengths, are fewer */
#define CODE_POKE_PLACES_MOST 256u

/** @return 0, PRECIS_E_NO_MEMORY */
int code_pokes_add(struct code_pokes *pokes, const struct precis_text_poke *poke, uint64_t time);
void code_pokes_free(struct code_pokes *pokes);

/**
 * How long what lies in [start, end) at a time is as it is then: from 'since' to 'until', not included.
 * 0 and UINT64_MAX where no change touches it.
 */
void code_pokes_valid(const struct code_pokes *pokes, uint64_t start, uint64_t end, uint64_t time,
		      uint64_t *since, uint64_t *until);

/**
 * Put the bytes of that time in.
 *
 * @param bytes  'count' of them, from 'start' on, of which the first 'have' are there
 * @return how many are known now, from the first on
 */
uint32_t code_pokes_apply(const struct code_pokes *pokes, uint64_t start, uint64_t time, uint8_t *bytes,
			  uint32_t have, uint32_t count);

#endif
