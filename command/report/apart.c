/* SPDX-License-Identifier: BSD-3-Clause */
/* See apart.h. */
#include "apart.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/*
 * At the start of a recording stands what ran already, and how the program itself began: all know that
 * before they count. If there is more of that just before a share, there will be all over the recording,
 * and who counts without knowing it would have to start over.
 */
#define HEAD_BYTES (UINT64_C(1) << 20)
#define LOOK_BYTES (UINT64_C(1) << 20)

/* Of a share. More of them, and they are what is to be read: nothing is gained. */
#define RECORDS_MOST 65536u
/* Of all shares: less than analyses keep (analysis/model/task_records.c) */
#define RECORD_BYTES_MOST (UINT64_C(16) << 20)

static void give_up(struct apart *apart)
{
	atomic_store(apart->gives_up, 1);
}

static int gives_up(const struct apart *apart)
{
	return atomic_load_explicit(apart->gives_up, memory_order_relaxed);
}

/* --- beginning --- */

/* Without times the place in the file is all that is known of when a record was made. */
static int all_have_times(const struct precis_input *input)
{
	for (uint32_t n = 0; n < precis_input_event_count(input); n++) {
		const struct precis_layout *layout = precis_input_event(input, n)->layout;

		if (!layout->sample_id_all || !(layout->sample_type & PRECIS_SAMPLE_TIME))
			return 0;
	}
	return 1;
}

int apart_is_possible(struct reading *reading)
{
	return reading->part_bytes && all_have_times(reading->input) &&
	       analysis_run_takes_late_records(&reading->run);
}

static int find_begin(struct apart *apart)
{
	const struct reading *reading = apart->reading;
	const uint64_t from = reading->data_offset + reading->share.first * reading->part_bytes;

	apart->begin = from;
	return !reading->share.first || precis_input_find_record(reading->input, from, &apart->begin) == 1;
}

int apart_begin(struct apart *all, uint32_t count, _Atomic int *gives_up)
{
	for (uint32_t n = 0; n < count; n++) {
		struct apart *apart = &all[n];

		apart->all = all;
		apart->count = count;
		apart->gives_up = gives_up;
		apart->head_end = apart->reading->data_offset + HEAD_BYTES;
		apart->end = UINT64_MAX;
		if (!find_begin(apart))
			return -1;
		if (n)
			all[n - 1].end = apart->begin;
		apart->reading->share.apart = apart;
	}
	return 0;
}

void apart_end(struct apart *all, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		free(all[n].records);
		all[n].records = NULL;
		if (all[n].reading)
			all[n].reading->share.apart = NULL;
	}
}

/* --- records that are no samples --- */

/* perf writes it again and again, and it tells nothing but how far sorting may go. */
static int is_of_rounds(const struct precis_record *record)
{
	return record->type == PRECIS_RECORD_FINISHED_ROUND ||
	       record->type == PRECIS_RECORD_FINISHED_INIT;
}

static int add_records(struct apart *apart, uint64_t from, uint64_t to)
{
	struct apart_records *last = &apart->records[apart->records_count - 1];

	if (apart->records_count && last->to == from) {
		last->to = to;
		return 0;
	}
	if (apart->records_count == apart->records_room) {
		uint32_t room = apart->records_room ? 2 * apart->records_room : 256;
		struct apart_records *more = NULL;

		if (room <= RECORDS_MOST)
			more = realloc(apart->records, room * sizeof(*more));
		if (!more)
			return -1;
		apart->records = more;
		apart->records_room = room;
	}
	apart->records[apart->records_count++] = (struct apart_records){ from, to };
	return 0;
}

/* What perf itself wrote into the recording may change how the rest is read. */
static void note_record(struct apart *apart, const struct precis_item *item)
{
	const struct precis_record *record = item->record;

	if ((record->type >= PRECIS_RECORD_USER_FIRST && !is_of_rounds(record) &&
	     item->offset >= apart->head_end) ||
	    add_records(apart, item->offset, precis_input_place(apart->reading->input)) < 0)
		give_up(apart);
}

/* --- reading --- */

static int goes_on(const struct apart *apart, uint64_t end)
{
	return !gives_up(apart) && precis_input_place(apart->reading->input) < end;
}

/* The start of the recording, of which no sample counts */
static void read_head(struct apart *apart)
{
	const struct precis_item *item;

	reading_count_up_to(apart->reading, 0, apart->head_end);
	while (goes_on(apart, apart->head_end)) {
		if (!reading_step(apart->reading, &item))
			give_up(apart);
	}
}

/* Nobody is told of what stands there: they will be, by who reads the share before. */
static void look_before(struct apart *apart)
{
	struct precis_input *input = apart->reading->input;
	const struct precis_item *item;
	uint64_t from = apart->begin;

	if (precis_input_find_record(input, apart->begin - LOOK_BYTES, &from) != 1 ||
	    precis_input_seek(input, from, apart->begin))
		give_up(apart);
	while (goes_on(apart, apart->begin)) {
		if (precis_input_pass(input, apart->begin))
			continue;
		if (precis_input_next(input, &item) <= 0 ||
		    (item->kind == PRECIS_ITEM_RECORD && !is_of_rounds(item->record)))
			give_up(apart);
	}
}

static void go_to_share(struct apart *apart)
{
	if (apart->begin < apart->head_end + LOOK_BYTES)
		give_up(apart);
	read_head(apart);
	if (!gives_up(apart))
		look_before(apart);
	if (precis_input_place(apart->reading->input) != apart->begin || /* it is inside of a record */
	    precis_input_seek(apart->reading->input, apart->begin, 0) ||
	    precis_input_forget_samples(apart->reading->input))
		give_up(apart);
}

/* Somebody starts over: what is no sample has to be known for that, and nothing else. */
static void read_records(struct apart *apart)
{
	struct reading *reading = apart->reading;
	const struct precis_item *item;

	while (goes_on(apart, apart->end)) {
		if (precis_input_pass(reading->input, apart->end))
			continue;
		if (!reading_next_of_share(reading, &item))
			return;
		if (item->kind != PRECIS_ITEM_RECORD)
			continue;
		note_record(apart, item);
		analysis_run_late_record(&reading->run, item->record);
	}
}

static void read_share(struct apart *apart)
{
	struct reading *reading = apart->reading;
	const struct precis_item *item;

	reading_count_up_to(reading, 1, reading->data_offset +
						(reading->share.first + 1) * reading->part_bytes);
	while (goes_on(apart, apart->end) && !reading_must_stop(reading)) {
		if (!reading_step(reading, &item))
			break;
		if (item && item->kind == PRECIS_ITEM_RECORD)
			note_record(apart, item);
	}
	if (reading_must_stop(reading))
		read_records(apart);
	else if (apart->end != UINT64_MAX)
		analysis_run_part(&reading->run);
}

void apart_read(struct reading *reading)
{
	struct apart *apart = reading->share.apart;

	precis_sample_init(&reading->sample);
	apart->records_count = 0;
	if (reading->share.first)
		go_to_share(apart);
	if (!gives_up(apart))
		read_share(apart);
	apart->reached = precis_input_place(reading->input);
	reading_settle(reading);
}

void apart_read_again(struct reading *reading)
{
	memset(&reading->faults, 0, sizeof(reading->faults));
	if (analysis_run_again(&reading->run) < 0 || precis_input_rewind(reading->input)) {
		reading->run.failed = 1;
		give_up(reading->share.apart);
	}
	apart_read(reading);
}

int apart_fits(struct apart *all, uint32_t count)
{
	uint64_t bytes = 0;

	if (gives_up(all))
		return 0;
	for (uint32_t n = 0; n < count; n++) {
		struct apart *apart = &all[n];

		if (n + 1 < count ? apart->reached != apart->end : apart->reading->share.ended)
			return 0;
		apart->reading->share.ended = 0;
		for (uint32_t i = 0; i < apart->records_count; i++)
			bytes += apart->records[i].to - apart->records[i].from;
	}
	return bytes <= RECORD_BYTES_MOST;
}

/* --- what others read --- */

static int hear_records(struct reading *reading, uint64_t from, uint64_t to)
{
	const struct precis_item *item;

	if (precis_input_seek(reading->input, from, to))
		return -1;
	while (precis_input_place(reading->input) < to) {
		if (!reading_next_of_share(reading, &item) || item->kind != PRECIS_ITEM_RECORD)
			return -1;
		if (reading_must_stop(reading))
			analysis_run_late_record(&reading->run, item->record);
		else
			analysis_run_record(&reading->run, item->record);
	}
	return 0;
}

/* But for those of the head, which all know. */
static int hear_share(struct reading *reading, const struct apart *share)
{
	const uint64_t known = reading->share.first ? share->head_end : 0;
	int failed = 0;

	for (uint32_t n = 0; n < share->records_count && !failed; n++) {
		const struct apart_records *records = &share->records[n];
		const uint64_t from = records->from < known ? known : records->from;

		if (from < records->to)
			failed = hear_records(reading, from, records->to);
	}
	return failed;
}

void apart_hear(struct reading *reading)
{
	struct apart *apart = reading->share.apart;
	int failed = 0;

	for (uint32_t n = 0; n < apart->count && !failed; n++) {
		if (&apart->all[n] != apart)
			failed = hear_share(reading, &apart->all[n]);
	}
	if (failed || precis_input_seek(reading->input, apart->all[apart->count - 1].reached, 0))
		reading->run.failed = 1;
	reading->share.ended = 0;
	reading_settle(reading);
}

int apart_add_up(struct apart *all, uint32_t count)
{
	for (uint32_t n = 1; n < count; n++) {
		if (precis_input_add_samples(all[0].reading->input, all[n].reading->input))
			return -1;
	}
	return 0;
}
