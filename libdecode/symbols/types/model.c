/* SPDX-License-Identifier: BSD-3-Clause */
/* See model.h. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

int precis_data_types_grow(struct precis_data_types *types, void *array, size_t *room, size_t count,
			   size_t each)
{
	size_t larger = *room ? *room * 2 : 64;
	void *old, *grown;

	if (count < *room)
		return 1;
	/* The old one lives until it is copied */
	if (larger > types->budget.left / each)
		return 0;
	memcpy(&old, array, sizeof(old));
	grown = realloc(old, larger * each);
	if (!grown)
		return 0;
	types->budget.left -= (larger - *room) * each;
	memcpy(array, &grown, sizeof(grown));
	*room = larger;
	return 1;
}
