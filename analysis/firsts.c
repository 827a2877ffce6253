/* SPDX-License-Identifier: BSD-3-Clause */
/* See firsts.h. */
#include "firsts.h"

#include <stdlib.h>
#include <string.h>

int firsts_init(struct firsts *firsts)
{
	firsts->samples = malloc(FIRSTS_MOST * sizeof(*firsts->samples));
	firsts->groups = calloc(FIRSTS_MOST, sizeof(*firsts->groups));
	firsts->free = malloc(FIRSTS_MOST * sizeof(*firsts->free));
	if (!firsts->samples || !firsts->groups || !firsts->free)
		return -1;
	while (firsts->free_count < FIRSTS_MOST) {
		firsts->free[firsts->free_count] = FIRSTS_MOST - 1 - firsts->free_count;
		firsts->free_count++;
	}
	return 0;
}

void firsts_release(struct firsts *firsts)
{
	free(firsts->samples);
	free(firsts->groups);
	free(firsts->free);
	memset(firsts, 0, sizeof(*firsts));
}
