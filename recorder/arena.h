/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of the recorder's own that is given back all at once: piece by piece, as it is needed, so that a
 * program with a limit on its memory has what the recorder does not use.
 */
#ifndef PRECIS_RECORDER_ARENA_H
#define PRECIS_RECORDER_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena {
	struct arena_piece *newest;
	uint32_t pieces, pieces_most; /* 0: no limit */
};

#define ARENA_PIECE ((size_t)1 << 20) /* bytes */

/*
 * Zeroed, at a multiple of 8. From any thread, and in a child of any; no more than a piece has.
 * @return NULL: no memory, or the arena has as much as it may
 */
void *arena_take(struct arena *arena, size_t bytes);

/* By the only thread there is */
void arena_clear(struct arena *arena);

#endif
