/* SPDX-License-Identifier: BSD-3-Clause */
/* What a side file may use of memory: whatever its numbers say, no more than the caller allows. */
#include <stdlib.h>

#include "private.h"

static int too_much(struct precis_object_file *file)
{
	return file_fail(&file->errors, PRECIS_E_NO_MEMORY, NO_OFFSET,
			 "more than %llu bytes are needed (option 'memory')",
			 (unsigned long long)file->memory_most);
}

int objects_room(struct precis_object_file *file, void *array, size_t *room, size_t needed, size_t element)
{
	size_t larger = *room ? *room : 64;
	void *old, *made;

	if (needed <= *room)
		return 0;
	while (larger < needed)
		larger *= 2;
	if ((larger - *room) * element > file->memory_most - file->memory)
		return too_much(file);
	memcpy(&old, array, sizeof(old));
	made = realloc(old, larger * element);
	if (!made)
		return file_fail_system(&file->errors, PRECIS_E_NO_MEMORY);
	memcpy(array, &made, sizeof(made));
	file->memory += (larger - *room) * element;
	*room = larger;
	return 0;
}

void *objects_take(struct precis_object_file *file, size_t bytes)
{
	void *memory;

	if (bytes > file->memory_most - file->memory) {
		too_much(file);
		return NULL;
	}
	memory = calloc(1, bytes ? bytes : 1);
	if (memory)
		file->memory += bytes;
	else
		file_fail_system(&file->errors, PRECIS_E_NO_MEMORY);
	return memory;
}

void objects_give(struct precis_object_file *file, void *memory, size_t bytes)
{
	if (memory)
		file->memory -= bytes;
	free(memory);
}
