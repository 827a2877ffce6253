/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting samples by what they are. */
#include "samples.h"

#include "batch.h"
#include "merge.h"
#include "saving/fields.h"
#include "weights.h"

static const uint8_t decided[] = { PRECIS_FIELD_OP, PRECIS_FIELD_PERIOD_UNIT,
				   PRECIS_FIELD_L3_MISS_ONLY, PRECIS_FIELD_FETCH_COMPLETED,
				   FIELDS_END };

static int begin(void *state, const struct analysis_about *about)
{
	struct samples *samples = state;

	samples->first_time = samples->least_period = UINT64_MAX;
	samples->has_periods = weights_may_vary(about->input);
	return 0;
}

static void free_state(void *state)
{
	reasons_free(&((struct samples *)state)->undecodable);
}

static void settle_op(struct samples *samples, const struct sample_group *group)
{
	const struct precis_sample *sample = group->sample;
	int has_registers = sample->source == PRECIS_SOURCE_IBS_OP;

	samples->ops.count += group->weighted->samples;
	samples->ops.cores |= has_registers ? sample->cores : 0;
	samples->ops_from_words += has_registers ? 0 : group->weighted->samples;
	count_flag(&samples->ops.l3_miss_only, sample, PRECIS_FIELD_L3_MISS_ONLY,
		   group->weighted);
	samples->period_unit[index_of(sample, PRECIS_FIELD_PERIOD_UNIT, PERIOD_UNITS,
				      PERIOD_UNITS - 1)] += group->weighted->samples;
}

static void settle_fetch(struct samples *samples, const struct sample_group *group)
{
	samples->fetches.count += group->weighted->samples;
	samples->fetches.cores |= group->sample->cores;
	count_flag(&samples->fetches.l3_miss_only, group->sample, PRECIS_FIELD_L3_MISS_ONLY,
		   group->weighted);
}

/* What each sample of an IBS event has if it can be decoded at all */
static uint32_t decodable_field(uint32_t event_kind)
{
	return event_kind == PRECIS_EVENT_IBS_OP ? PRECIS_FIELD_OP : PRECIS_FIELD_FETCH_COMPLETED;
}

static int settle(void *state, const struct sample_group *group)
{
	const struct precis_sample *sample = group->sample;
	struct samples *samples = state;

	samples->all += group->weighted->samples;
	if (sample_is_op(sample)) {
		settle_op(samples, group);
	} else if (sample->source == PRECIS_SOURCE_IBS_FETCH) {
		settle_fetch(samples, group);
	} else if (sample->event_kind == PRECIS_EVENT_PEBS) {
		samples->pebs += group->weighted->samples;
		/* only of a sample out of the AUX area can the event be unknown */
		samples->pebs_unmatched += group->place ? 0 : group->weighted->samples;
	} else if (sample->event_kind == PRECIS_EVENT_OTHER) {
		samples->others += group->weighted->samples;
	} else {
		reasons_add(&samples->undecodable, sample, decodable_field(sample->event_kind),
			    POPULATION_UNDECODABLE, group->weighted->samples);
	}
	return samples->undecodable.failed ? -1 : 0;
}

static void columns(const void *state, uint8_t fields[PRECIS_FIELD_COUNT + 1])
{
	const struct samples *samples = state;

	*fields++ = PRECIS_FIELD_TIME;
	if (samples->has_periods)
		*fields++ = PRECIS_FIELD_PERIOD;
	*fields = FIELDS_END;
}

/* What all of a column's rows are within */
struct bounds {
	uint64_t least, most;
};

static int are_one(const uint64_t *column, uint32_t rows)
{
	uint64_t differ = 0;

	UNROLLED
	for (uint32_t row = 1; row < rows; row++)
		differ |= column[row] ^ column[0];
	return !differ;
}

/* Periods often are one, and to see that takes less. */
static struct bounds bounds_of(const uint64_t *column, uint32_t rows, int may_be_one)
{
	struct bounds bounds = { UINT64_MAX, 0 };

	if (may_be_one && rows && are_one(column, rows))
		return (struct bounds){ column[0], column[0] };
	UNROLLED
	for (uint32_t row = 0; row < rows; row++) {
		bounds.least = column[row] < bounds.least ? column[row] : bounds.least;
		bounds.most = column[row] > bounds.most ? column[row] : bounds.most;
	}
	return bounds;
}

/* The largest where some rows are all ones, which absent values read as, too */
static uint64_t most_of(const struct sample_batch *batch, enum precis_field field)
{
	uint64_t most = 0;

	for (uint32_t row = 0; row < batch->rows; row++) {
		if (batch_has_value(batch, row, field) && batch->column[field][row] > most)
			most = batch->column[field][row];
	}
	return most;
}

static void extend(const struct sample_batch *batch, enum precis_field field, uint64_t *low,
		   uint64_t *high)
{
	struct bounds bounds;

	if (!batch->column[field])
		return;
	bounds = bounds_of(batch->column[field], batch->rows, field == PRECIS_FIELD_PERIOD);
	if (__builtin_expect(bounds.most == UINT64_MAX, 0))
		bounds.most = most_of(batch, field);
	*low = bounds.least < *low ? bounds.least : *low;
	*high = bounds.most > *high ? bounds.most : *high;
}

static int take_batch(void *state, const struct sample_batch *batch)
{
	struct samples *samples = state;

	extend(batch, PRECIS_FIELD_TIME, &samples->first_time, &samples->last_time);
	extend(batch, PRECIS_FIELD_PERIOD, &samples->least_period, &samples->most_period);
	return 0;
}

static void merge_unit(struct unit_samples *unit, const struct unit_samples *other)
{
	unit->count += other->count;
	unit->cores |= other->cores;
	weighted_add(&unit->l3_miss_only.known, &other->l3_miss_only.known);
	weighted_add(&unit->l3_miss_only.yes, &other->l3_miss_only.yes);
}

static void lower(uint64_t *least, uint64_t value)
{
	*least = value < *least ? value : *least;
}

static void raise(uint64_t *most, uint64_t value)
{
	*most = value > *most ? value : *most;
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct samples *samples = state, *others = other;

	(void)how; /* no event is told apart */
	samples->has_periods |= others->has_periods;
	samples->all += others->all;
	merge_unit(&samples->ops, &others->ops);
	merge_unit(&samples->fetches, &others->fetches);
	samples->ops_from_words += others->ops_from_words;
	COUNTS_MERGE(samples->period_unit, others->period_unit);
	samples->pebs += others->pebs;
	samples->pebs_unmatched += others->pebs_unmatched;
	samples->others += others->others;
	reasons_merge(&samples->undecodable, &others->undecodable);
	lower(&samples->first_time, others->first_time);
	raise(&samples->last_time, others->last_time);
	lower(&samples->least_period, others->least_period);
	raise(&samples->most_period, others->most_period);
	return samples->undecodable.failed ? -1 : 0;
}

static int is_wanted(const struct analysis_about *about)
{
	(void)about; /* what there is at all is told beside any figure */
	return 1;
}

static const struct saved_field saved[] = {
	SAVED_U32(struct samples, has_periods),
	SAVED_U64(struct samples, all),
	SAVED_U64(struct samples, ops.count),
	SAVED_U32(struct samples, ops.cores),
	SAVED_WEIGHTED(struct samples, ops.l3_miss_only),
	SAVED_U64(struct samples, fetches.count),
	SAVED_U32(struct samples, fetches.cores),
	SAVED_WEIGHTED(struct samples, fetches.l3_miss_only),
	SAVED_U64(struct samples, ops_from_words),
	SAVED_U64(struct samples, period_unit),
	SAVED_U64(struct samples, pebs),
	SAVED_U64(struct samples, pebs_unmatched),
	SAVED_U64(struct samples, others),
	SAVED_REASONS(struct samples, undecodable),
	SAVED_U64(struct samples, first_time),
	SAVED_U64(struct samples, last_time),
	SAVED_U64(struct samples, least_period),
	SAVED_U64(struct samples, most_period),
	SAVED_END,
};

const struct analysis analysis_samples = {
	.name = "samples",
	.of = ANALYSIS_OF_ALL,
	.state_bytes = sizeof(struct samples),
	.is_wanted = is_wanted,
	.decided = decided,
	.begin = begin,
	.settle = settle,
	.columns = columns,
	.batch = take_batch,
	.merge = merge,
	.saved = saved,
	.free = free_state,
};
