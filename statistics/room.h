/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow by doubling. */
#ifndef STATISTICS_ROOM_H
#define STATISTICS_ROOM_H

#include <stddef.h>
#include <stdlib.h>

#define ROOM_FIRST_ELEMENTS 64u

/*
 * The array with room for so many elements of 'each' bytes, of which 'room' are there.
 * @return NULL: memory is short, and the array is as it was
 */
static inline void *array_with_room(void *array, size_t needed, size_t *room, size_t each)
{
	size_t more = *room ? *room : ROOM_FIRST_ELEMENTS;
	void *larger;

	if (needed <= *room)
		return array;
	while (more < needed) {
		if (more > (size_t)-1 / 2 / each)
			return NULL;
		more *= 2;
	}
	larger = realloc(array, more * each);
	if (larger)
		*room = more;
	return larger;
}

#endif
