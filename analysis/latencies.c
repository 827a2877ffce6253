/* SPDX-License-Identifier: BSD-3-Clause */
/* See latencies.h. */
#include "latencies.h"

#include <inttypes.h>
#include <stdlib.h>

static const uint32_t percentiles[] = { 50, 95, 99 };

void latencies_free(struct latencies *latencies)
{
	histogram_free(&latencies->exact);
	*latencies = (struct latencies){ 0 };
}

void latencies_free_all(struct latencies **latencies, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (latencies[i])
			latencies_free(latencies[i]);
		free(latencies[i]);
	}
}

void latencies_add_beyond(struct latencies *latencies, uint64_t value)
{
	latencies->beyond++;
	latencies->sum_beyond += (double)value;
	latencies->largest = value > latencies->largest ? value : latencies->largest;
}

int latencies_merge(struct latencies *latencies, const struct latencies *other)
{
	latencies->beyond += other->beyond;
	latencies->sum_beyond += other->sum_beyond;
	latencies->largest =
		other->largest > latencies->largest ? other->largest : latencies->largest;
	return histogram_merge(&latencies->exact, &other->exact);
}

int latencies_merge_all(struct latencies **latencies, struct latencies **others, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!latencies[i]) {
			latencies[i] = others[i];
			others[i] = NULL;
		} else if (others[i] && latencies_merge(latencies[i], others[i]) < 0) {
			return -1;
		}
	}
	return 0;
}

uint64_t latencies_count(const struct latencies *latencies)
{
	struct histogram_summary summary;

	histogram_summarize(&latencies->exact, &summary);
	return summary.count + latencies->beyond;
}

/* The nearest rank: ceil(count * percent / 100) */
static uint64_t rank_of(uint64_t count, uint32_t percent)
{
	return count / 100 * percent + (count % 100 * percent + 99) / 100;
}

static void cell_percentile(struct document *document, const struct latencies *latencies,
			    uint64_t rank)
{
	uint64_t reached = 0;
	uint32_t value;

	for (value = histogram_next(&latencies->exact, 0); value < HISTOGRAM_VALUES;
	     value = histogram_next(&latencies->exact, value + 1)) {
		reached += histogram_count(&latencies->exact, (uint16_t)value);
		if (reached >= rank)
			break;
	}
	if (value < HISTOGRAM_VALUES)
		cell_count(document, value);
	else
		cell_absent(document);
}

static void cells_percentiles(struct document *document, const struct latencies *latencies,
			      uint64_t count)
{
	for (size_t i = 0; i < sizeof(percentiles) / sizeof(percentiles[0]); i++)
		cell_percentile(document, latencies, rank_of(count, percentiles[i]));
}

void cells_latencies(struct document *document, const struct latencies *latencies)
{
	struct histogram_summary summary;
	uint64_t count;

	histogram_summarize(&latencies->exact, &summary);
	count = summary.count + latencies->beyond;
	cell_count(document, count);
	if (!count)
		return;
	cell_decimal(document, ((double)summary.sum + latencies->sum_beyond) / (double)count,
		     count);
	cells_percentiles(document, latencies, count);
	cell_count(document, latencies->beyond ? latencies->largest : summary.max);
}

void cells_latencies_in_short(struct document *document, const struct latencies *latencies)
{
	uint64_t count = latencies_count(latencies);

	cells_percentiles(document, latencies, count);
	cell_count(document, count);
}

void note_latencies(struct document *document, const struct latencies *latencies)
{
	if (latencies->beyond)
		table_note(document,
			   "%" PRIu64 " latencies are longer than %u cycles: percentiles among "
			   "these are not told", latencies->beyond, HISTOGRAM_VALUES - 1);
}
