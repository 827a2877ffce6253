/* SPDX-License-Identifier: BSD-3-Clause */
/* Some hundred samples as columns, for analyses to which each sample matters. */
#ifndef ANALYSIS_BATCH_H
#define ANALYSIS_BATCH_H

#include "groups.h"
#include "libdecode/sample/bytes.h"
#include "weights.h"

#define BATCH_ROWS 256u

struct sample_batch {
	uint32_t rows;
	uint32_t which; /* of the notes: those of the analysis that takes the batch */
	uint8_t fields[PRECIS_FIELD_COUNT + 1]; /* columns that there are; FIELDS_END */
	uint64_t *column[PRECIS_FIELD_COUNT]; /* NULL: not asked for */
	const struct combination *of[BATCH_ROWS];
	struct notes notes[BATCH_ROWS]; /* of each row's groups */
	uint64_t alike; /* group_form() of all rows, but for their payloads; is_alike: it is that */
	int is_alike;   /* all are of one event that is not told apart from others of its kind */
	const uint64_t *fixed; /* weights (weights.h) */
};

/* Is there a value? Of fields of word 0 only, which all but latencies of PEBS are. */
static inline int batch_has(const struct sample_batch *batch, uint32_t row, enum precis_field field)
{
	return (int)(batch->of[row]->key.measured >> field & 1);
}

/* The same of a field that has a column, and seldom all ones, which is what absent ones read as there */
static inline int batch_has_value(const struct sample_batch *batch, uint32_t row, enum precis_field field)
{
	return __builtin_expect(batch->column[field][row] != UINT64_MAX, 1) ||
	       (field < 64 && batch_has(batch, row, field));
}

/* What the sample weighs; 0: that is not known */
static inline uint64_t batch_weight(const struct sample_batch *batch, uint32_t row)
{
	const uint64_t *periods = batch->column[PRECIS_FIELD_PERIOD];
	uint32_t weight = group_weight_of(batch->is_alike ? batch->alike : batch->of[row]->key.form);

	if (__builtin_expect(weight != WEIGHT_OWN, 1))
		return batch->fixed[weight];
	/* all ones if it is absent: more than any weight */
	return periods && periods[row] <= WEIGHT_MOST ? periods[row] : 0;
}

/* Are all rows of one event that is not told apart, and weigh the same? */
static inline int batch_weighs_alike(const struct sample_batch *batch)
{
	return batch->is_alike && group_weight_of(batch->alike) != WEIGHT_OWN;
}

/* What the analysis noted of the row's group, and of which event it is */
static inline uint32_t batch_note(const struct sample_batch *batch, uint32_t row)
{
	return batch->notes[row].of[batch->which];
}

static inline uint32_t batch_place(const struct sample_batch *batch, uint32_t row)
{
	return batch->is_alike ? 0 : batch->of[row]->place;
}

/* enum precis_event_kind */
static inline uint32_t batch_event_kind(const struct sample_batch *batch, uint32_t row)
{
	return group_event_kind_of(batch->is_alike ? batch->alike : batch->of[row]->key.form);
}

#endif
