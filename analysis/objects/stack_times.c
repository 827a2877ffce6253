/* SPDX-License-Identifier: BSD-3-Clause */
/* See stack_times.h. */
#include "stack_times.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 256u
#define IDS_MOST (1u << 22) /* several times those that a recorder gives, which are dense */

int stack_times_grow(struct stack_times *times, const struct precis_object_file *file, uint32_t id)
{
	uint32_t room = times->room ? times->room : ROOM_FIRST;
	const uint64_t *addresses;
	uint64_t *more;

	if (id >= IDS_MOST || !precis_object_file_stack(file, id, &addresses, NULL))
		return 0;
	while (room <= id)
		room *= 2;
	more = realloc(times->first, room * sizeof(*more));
	if (!more)
		return -1;
	memset(more + times->room, 0, (room - times->room) * sizeof(*more));
	times->first = more;
	times->room = room;
	return 0;
}

void stack_times_free(struct stack_times *times)
{
	free(times->first);
	memset(times, 0, sizeof(*times));
}
