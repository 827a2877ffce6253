/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows and streams, numbered as they come. */
#include "loss_rows.h"

#include <stdlib.h>
#include <string.h>

#define CPUS_FIRST 16u

static void begin_row(struct loss_row *row, uint32_t event, uint32_t place)
{
	row->loss.size = sizeof(row->loss);
	row->loss.event = event;
	row->place = place;
}

struct loss_row *losses_row(struct loss_table *table, uint32_t number)
{
	if (number != NUMBER_NONE)
		return &table->rows[number];
	begin_row(&table->rest, PRECIS_LOSS_NONE, PRECIS_LOSS_NONE);
	table->rest.loss.is_rest = 1;
	return &table->rest;
}

uint32_t losses_row_of(struct loss_table *table, uint32_t event, uint32_t place)
{
	uint64_t key = (uint64_t)event << 32 | place;
	void *rows = table->rows;
	uint32_t number;

	if (!numbering_make_room(&table->numbers, LOSS_ROWS, &rows, &table->room,
				 sizeof(*table->rows)))
		return NUMBER_NONE;
	table->rows = rows;
	number = numbering_take(&table->numbers, key, LOSS_ROWS);
	if (number != NUMBER_NONE)
		begin_row(&table->rows[number], event, place);
	return number;
}

static void table_free(struct loss_table *table)
{
	numbering_free(&table->numbers);
	free(table->rows);
}

struct loss_stream *losses_stream(struct losses *losses, uint64_t id)
{
	void *streams = losses->streams;
	uint32_t number;

	if (!numbering_make_room(&losses->stream_numbers, LOSS_STREAMS, &streams,
				 &losses->stream_room, sizeof(*losses->streams)))
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

void precis_losses_first_on_cpu(struct losses *losses, struct file_event *event, uint32_t cpu)
{
	struct loss_event *of = &event->losses;
	uint32_t more = of->cpus ? of->cpus : CPUS_FIRST;
	uint64_t *larger = NULL;

	while (of->cpus + more <= cpu && of->cpus + more < LOSS_CPUS)
		more *= 2;
	if (of->cpus + more > cpu && more <= LOSS_CPU_COUNTS - losses->cpu_counts)
		larger = realloc(of->on_cpu, (of->cpus + more) * sizeof(*larger));
	if (!larger) {
		of->without_cpu++;
		return;
	}
	memset(larger + of->cpus, 0, more * sizeof(*larger));
	of->on_cpu = larger;
	of->cpus += more;
	losses->cpu_counts += more;
	larger[cpu]++;
}

void losses_free(struct losses *losses)
{
	numbering_free(&losses->stream_numbers);
	free(losses->streams);
	table_free(&losses->cpus);
	table_free(&losses->threads);
	tallies_free(&losses->in_threads);
	precis_thread_names_free(&losses->names);
}

void losses_reset(struct losses *losses)
{
	struct file_events *events = losses->events;

	losses_free(losses);
	memset(losses, 0, sizeof(*losses));
	losses->events = events;
}
