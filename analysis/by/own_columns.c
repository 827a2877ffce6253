/* SPDX-License-Identifier: BSD-3-Clause */
/* See own_columns.h. */
#include "own_columns.h"

#include <stdio.h>
#include <stdlib.h>

struct by_own_columns *own_columns_new(struct by_own_columns **list)
{
	struct by_own_columns *columns = calloc(1, sizeof(*columns));

	if (!columns)
		return NULL;
	columns->next = *list;
	*list = columns;
	return columns;
}

void own_columns_free(struct by_own_columns *list)
{
	while (list) {
		struct by_own_columns *next = list->next;

		free(list);
		list = next;
	}
}

static const char *copied(char room[OWN_COLUMN_NAME], const char *text)
{
	if (!text)
		return NULL;
	snprintf(room, OWN_COLUMN_NAME, "%s", text);
	return room;
}

void own_columns_add(struct by_own_columns *columns, const char *name, const char *title, uint32_t role)
{
	const uint32_t n = columns->count;

	if (n == TABLE_COLUMNS_MOST)
		return;
	columns->columns[n] = (struct column){ copied(columns->names[n], name),
					       copied(columns->titles[n], title), role };
	columns->count++;
}
