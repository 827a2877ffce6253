/* SPDX-License-Identifier: BSD-3-Clause */
/* See nearest.h. */
#include "nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <precis/precis.h>

#define WORD_BYTES 47u

struct nearest nearest_to(const char *word, size_t length)
{
	/* One wrong letter of up to four, two of seven, and so on */
	return (struct nearest){ .word = word, .length = length, .distance = (length + 2) / 3 + 1 };
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static int is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Letters that are to be changed, added, taken away, or exchanged with their neighbour */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][WORD_BYTES + 1];

	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			row[j] = above[j - 1] + !is_same(a[i - 1], b[j - 1]);
			row[j] = least(row[j], least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) &&
			    is_same(a[i - 2], b[j - 1]))
				row[j] = least(row[j], two_above[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

void nearest_offer(struct nearest *nearest, const char *known)
{
	size_t length = known ? strlen(known) : 0, found;

	if (!length || length > WORD_BYTES || nearest->length > WORD_BYTES)
		return;
	found = distance(nearest->word, nearest->length, known, length);
	if (found >= nearest->distance)
		return;
	nearest->distance = found;
	nearest->found = known;
}

void nearest_offer_fields(struct nearest *nearest)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		nearest_offer(nearest, precis_field_name(field));
}

const char *nearest_hint(const struct nearest *nearest, char room[NEAREST_ROOM])
{
	room[0] = '\0';
	if (nearest->found)
		snprintf(room, NEAREST_ROOM, "; did you mean '%s'?", nearest->found);
	return room;
}
