/* SPDX-License-Identifier: BSD-3-Clause */
/* See arena.h. */
#include "arena.h"

#include "system.h"

struct arena_piece {
	struct arena_piece *before;
	size_t taken;
	uint8_t bytes[ARENA_PIECE - 2 * sizeof(size_t)];
};

/* In front of the newest, unless there is another one by now. @return 0, -1 */
static int add_piece(struct arena *arena, struct arena_piece *newest)
{
	struct arena_piece *piece;

	if (arena->pieces_most && __atomic_load_n(&arena->pieces, __ATOMIC_RELAXED) >= arena->pieces_most)
		return -1;
	piece = own_memory(sizeof(*piece));
	if (!piece)
		return -1;
	piece->before = newest;
	if (__atomic_compare_exchange_n(&arena->newest, &newest, piece, 0, __ATOMIC_ACQ_REL,
					__ATOMIC_RELAXED))
		__atomic_fetch_add(&arena->pieces, 1, __ATOMIC_RELAXED);
	else
		own_memory_free(piece, sizeof(*piece));
	return 0;
}

void *arena_take(struct arena *arena, size_t bytes)
{
	struct arena_piece *piece;

	bytes = (bytes + 7) & ~(size_t)7;
	do {
		piece = __atomic_load_n(&arena->newest, __ATOMIC_ACQUIRE);
		if (piece) {
			const size_t at = __atomic_fetch_add(&piece->taken, bytes, __ATOMIC_RELAXED);

			if (at + bytes <= sizeof(piece->bytes))
				return piece->bytes + at;
		}
	} while (!add_piece(arena, piece));
	return NULL;
}

void arena_clear(struct arena *arena)
{
	while (arena->newest) {
		struct arena_piece *piece = arena->newest;

		arena->newest = piece->before;
		own_memory_free(piece, sizeof(*piece));
	}
	arena->pieces = 0;
}
