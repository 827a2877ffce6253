/* SPDX-License-Identifier: BSD-3-Clause */
/* See blocks_state.h. */
#include "blocks_state.h"

#include <stdlib.h>
#include <string.h>

void *code_blocks_grow(void *array, uint32_t count, uint32_t *room, size_t bytes, uint32_t most)
{
	const uint32_t more = *room ? 2 * *room : 256;
	void *grown;

	if (count < *room)
		return array;
	if (count >= most)
		return NULL;
	grown = realloc(array, (size_t)more * bytes);
	if (grown)
		*room = more;
	return grown;
}

struct kept_text *code_blocks_kept(struct code_blocks *blocks, struct code_text *text)
{
	const uint32_t number = code_text_number(text);

	if (number >= blocks->kept_count) {
		const uint32_t count = number < 32 ? 64 : 2 * number;
		struct kept_text **more = realloc(blocks->kept, count * sizeof(struct kept_text *));

		if (!more)
			return NULL;
		memset(more + blocks->kept_count, 0,
		       (count - blocks->kept_count) * sizeof(struct kept_text *));
		blocks->kept = more;
		blocks->kept_count = count;
	}
	if (!blocks->kept[number]) {
		blocks->kept[number] = calloc(1, sizeof(struct kept_text));
		if (blocks->kept[number])
			blocks->kept[number]->text = text;
	}
	return blocks->kept[number];
}
