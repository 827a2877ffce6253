/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows and streams, numbered as they come. */
#include "loss_rows.h"

#include <stdlib.h>

#define ROOM_FIRST 16u

static void begin_row(struct loss_row *row, uint32_t event, uint32_t cpu)
{
	row->loss.size = sizeof(row->loss);
	row->loss.event = event;
	row->loss.cpu = cpu;
}

struct loss_row *losses_row(struct losses *losses, uint32_t number)
{
	if (number != NUMBER_NONE)
		return &losses->rows[number];
	begin_row(&losses->rest, PRECIS_LOSS_NONE, PRECIS_LOSS_NONE);
	losses->rest.loss.is_rest = 1;
	return &losses->rest;
}

/* Room for one more than 'count' items, of which there are 'most'. @return 0 if memory is short */
static int make_room(void **items, uint32_t *room, uint32_t count, uint32_t most, size_t bytes)
{
	uint32_t larger = *room ? 2 * *room : ROOM_FIRST;
	uint8_t *moved;

	if (count < *room || count == most)
		return 1;
	moved = realloc(*items, larger * bytes);
	if (!moved)
		return 0;
	memset(moved + *room * bytes, 0, (larger - *room) * bytes);
	*items = moved;
	*room = larger;
	return 1;
}

uint32_t losses_row_of(struct losses *losses, uint32_t event, uint32_t cpu)
{
	uint64_t key = (uint64_t)event << 32 | cpu;
	void *rows = losses->rows;
	uint32_t number;

	if (!make_room(&rows, &losses->row_room, losses->row_numbers.count, LOSS_ROWS,
		       sizeof(*losses->rows)))
		return NUMBER_NONE;
	losses->rows = rows;
	number = numbering_take(&losses->row_numbers, key, LOSS_ROWS);
	if (number != NUMBER_NONE)
		begin_row(&losses->rows[number], event, cpu);
	return number;
}

struct loss_stream *losses_stream(struct losses *losses, uint64_t id)
{
	void *streams = losses->streams;
	uint32_t number;

	if (!make_room(&streams, &losses->stream_room, losses->stream_numbers.count, LOSS_STREAMS,
		       sizeof(*losses->streams)))
		return NULL;
	losses->streams = streams;
	number = numbering_take(&losses->stream_numbers, id, LOSS_STREAMS);
	return number == NUMBER_NONE ? NULL : &losses->streams[number];
}

const struct loss_stream *losses_find_stream(const struct losses *losses, uint64_t id)
{
	uint32_t number = numbering_find(&losses->stream_numbers, id);

	return number == NUMBER_NONE ? NULL : &losses->streams[number];
}

void losses_free(struct losses *losses)
{
	numbering_free(&losses->stream_numbers);
	numbering_free(&losses->row_numbers);
	free(losses->streams);
	free(losses->rows);
}

void losses_reset(struct losses *losses)
{
	struct file_events *events = losses->events;

	losses_free(losses);
	memset(losses, 0, sizeof(*losses));
	losses->events = events;
}
