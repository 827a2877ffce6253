/* SPDX-License-Identifier: BSD-3-Clause */
/* What was lost: rows, their sum, and what must hold of them whatever the records say. */
#include <string.h>

#include <precis/precis.h>

#include "tests/fuzz/target.h"
#include "tests/hostile/full_pass_parts.h"

/* As much as there is room for */
static void count(uint64_t *sum, uint64_t more)
{
	*sum = more > UINT64_MAX - *sum ? UINT64_MAX : *sum + more;
}

static void check_row(const struct precis_loss *row)
{
	PROMISE(row->throttle == row->spans + row->open + row->unfinished);
	PROMISE(row->unthrottle == row->spans + row->unmatched);
	PROMISE(row->open_ns <= row->throttled_ns);
	PROMISE(row->longest_ns <= row->throttled_ns);
	PROMISE(row->lost_records || !row->lost);
}

/* They tell nothing that the rows of CPUs do not tell. */
static void check_threads(const struct precis_file *file, const struct precis_loss *sum)
{
	struct precis_loss_thread thread = { .size = sizeof(thread) };
	struct precis_loss row = { .size = sizeof(row) };
	uint32_t rows = precis_file_loss_thread_count(file);
	uint64_t lost = 0, counted = 0, throttle = 0;

	for (uint32_t n = 0; n < rows; n++) {
		PROMISE(precis_file_loss_thread(file, n, &row, &thread) == 0);
		check_row(&row);
		PROMISE(row.open == 0 && memchr(thread.name, 0, sizeof(thread.name)));
		count(&lost, row.lost);
		count(&counted, row.counted);
		throttle += row.throttle;
	}
	PROMISE(precis_file_loss_thread(file, rows, &row, &thread) == PRECIS_E_ARGUMENT);
	PROMISE(lost <= sum->lost && counted <= sum->counted && throttle <= sum->throttle);
}

static void check_events(const struct precis_file *file)
{
	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		struct precis_throttled_share share = { .size = sizeof(share) };

		PROMISE(precis_file_throttled_share(file, n, PRECIS_LOSS_ANY, &share) == 0);
		PROMISE(precis_file_throttled_share(file, n, 0, &share) == 0);
		PROMISE(precis_file_loss_knowledge(file, n) >= 0);
		PROMISE(precis_file_loss_by_thread(file, n) >= 0);
	}
}

void full_pass_losses(const struct precis_file *file)
{
	struct precis_loss row = { .size = sizeof(row) }, sum = { .size = sizeof(sum) };
	struct precis_file_counts counts = { .size = sizeof(counts) };
	uint32_t rows = precis_file_loss_count(file);
	uint64_t lost = 0, throttle = 0, unthrottle = 0;

	for (uint32_t n = 0; n < rows; n++) {
		PROMISE(precis_file_loss(file, n, &row) == 0);
		check_row(&row);
		count(&lost, row.lost);
		throttle += row.throttle;
		unthrottle += row.unthrottle;
	}
	PROMISE(precis_file_loss(file, rows, &row) == PRECIS_E_ARGUMENT);
	PROMISE(precis_file_loss_sum(file, PRECIS_LOSS_ANY, PRECIS_LOSS_ANY, &sum) == 0);
	PROMISE(sum.lost == lost && sum.throttle == throttle && sum.unthrottle == unthrottle);
	PROMISE(precis_file_counts(file, &counts) == 0);
	/* a record that is too short for what it should say is in no row */
	PROMISE(counts.lost == lost && counts.throttle >= throttle);
	PROMISE(counts.unthrottle >= unthrottle);
	PROMISE(sum.samples <= counts.samples);
	check_threads(file, &sum);
	check_events(file);
}
