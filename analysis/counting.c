/* SPDX-License-Identifier: BSD-3-Clause */
/* See counting.h. */
#include "counting.h"

#include <string.h>

#include "batching.h"
#include "combining.h"

/* --- samples --- */

/* Numbers that weigh as all so far are counted and no more. */
static inline int is_plain(const struct analysis_run *run)
{
	return run->weight != WEIGHT_OWN;
}

static inline int count_number(const struct analysis_run *run, struct latencies *latencies,
			       uint64_t value, uint64_t weight)
{
	return is_plain(run) ? latencies_add(latencies, value) :
			       latencies_add_weighed(latencies, value, weight);
}

static inline void count_numbers(struct analysis_run *run, const struct combination *combination,
				 const struct precis_sample *sample, uint64_t weight)
{
	for (uint32_t i = 0; i < combination->number_count; i++) {
		if (count_number(run, combination->numbers[i].latencies,
				 sample->value[combination->numbers[i].field], weight) < 0)
			run->failed = 1;
	}
}

/* A sample of the combination that is the batch's last row. @return what it weighs */
static inline uint64_t weigh(struct analysis_run *run, struct combination *combination)
{
	uint64_t weight = batch_weight(&run->batch, run->batch.rows - 1);

	combination->samples++;
	if (group_weight(&combination->key) == WEIGHT_OWN) {
		const struct weighted one = weighted_of(1, weight);

		weighted_add(&run->varied[combination - run->combinations], &one);
	}
	return weight;
}

/* Whose the batch's row is */
static inline void put_row(struct sample_batch *batch, const struct combination *combination, uint32_t row)
{
	batch->of[row] = combination;
	batch->notes[row] = combination->notes;
}

/* Rows with such keys come, of that place's event: is the batch alike with them? Before they do. */
static inline void note_alike(struct sample_batch *batch, uint64_t form_of_row, uint32_t place)
{
	const uint64_t form = group_form(group_weight_of(form_of_row),
					 group_event_kind_of(form_of_row), 0, 0, 0);

	if (!batch->rows) {
		batch->is_alike = 1;
		batch->alike = form;
	}
	batch->is_alike &= batch->alike == form && !place;
}

static inline void add_row(struct analysis_run *run, const struct combination *combination,
			   const struct precis_sample *sample)
{
	struct sample_batch *batch = &run->batch;
	uint32_t row;

	note_alike(batch, combination->key.form, combination->place);
	row = batch->rows++;
	put_row(batch, combination, row);
	for (const uint8_t *field = batch->fields; *field != FIELDS_END; field++)
		batch->column[*field][row] = sample->value[*field];
}

/* What the input handed out last is the batch's last row. */
static __attribute__((noinline)) void tell_sample(struct analysis_run *run, struct precis_input *input,
						  const struct combination *combination,
						  const struct precis_sample *sample)
{
	for (uint32_t n = 0; n < run->count; n++) {
		const struct analysis *is = run->running[n].is;

		if (is->sample && combination->of[n])
			is->sample(run->running[n].state, input, sample, run->batch.rows - 1);
	}
}

static inline void count(struct analysis_run *run, const struct origin *origin,
			 const struct precis_sample *sample)
{
	const struct group_key key = group_key_of(&run->bits, sample->present[0] & run->measured,
						  sample, origin_part(origin), origin->weight);
	struct combination *combination = combination_recent(run, &key);

	if (__builtin_expect(!combination, 0))
		combination = combination_find(run, &key, origin, sample);
	add_row(run, combination, sample);
	if (__builtin_expect(run->sees_samples, 0))
		tell_sample(run, origin->input, combination, sample);
	count_numbers(run, combination, sample, weigh(run, combination));
	if (run->batch.rows == BATCH_ROWS)
		batching_flush(run);
}

/* Which of the events of its kind; 0: it is of IBS, or not known */
static uint32_t place_of(struct analysis_run *run, uint32_t kind, const struct precis_event *event)
{
	struct precis_file *file = precis_input_file(run->about.input);

	if (!event || (kind != PRECIS_EVENT_PEBS && kind != PRECIS_EVENT_OTHER))
		return 0;
	return file ? event_place(&run->events[kind], file, event) :
		      event_only_place(&run->events[kind]);
}

/* Out of the loop over samples, which is made for those with registers */
static __attribute__((noinline)) void find_event(struct analysis_run *run, struct origin *origin,
						 const struct precis_item *item,
						 const struct precis_sample *sample)
{
	uint64_t is_exact = 0;

	origin->place = place_of(run, sample->event_kind, item->event);
	if (item->record)
		is_exact = item->record->misc & PRECIS_MISC_EXACT_IP;
	else
		precis_get_ip_exact(sample, &is_exact);
	origin->is_exact = is_exact != 0;
}

void analysis_run_sample(struct analysis_run *run, struct precis_input *input,
			 const struct precis_item *item, const struct precis_sample *sample)
{
	struct origin origin = {
		.input = input,
		.weight = weights_of_event(&run->weights, item->event),
	};

	if (origin.weight == WEIGHT_OWN)
		origin.weight = weights_of_own(&run->weights, &sample->value[PRECIS_FIELD_PERIOD], 1);
	if (__builtin_expect(sample->source >= PRECIS_SOURCE_PEBS ||
				     sample->event_kind == PRECIS_EVENT_OTHER, 0))
		find_event(run, &origin, item, sample);
	count(run, &origin, sample);
}

/* --- runs of samples --- */

/* Columns, and those numbers that samples of the unit can have */
static struct run_plan *plan_of(struct analysis_run *run, enum precis_ibs_unit unit)
{
	struct run_plan *plan = &run->plan[unit];

	if (plan->is_made)
		return plan;
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		const int is_number = field < 64 && (run->measured >> field & 1);

		if (!run->batch.column[field] && !(is_number && unit_has_field(unit, field)))
			continue;
		plan->fields[plan->count++] = field;
		plan->words |= 1u << PRECIS_FIELD_WORD(field);
	}
	plan->is_made = 1;
	return plan;
}

/* Rows of a run that is counted: what they are looked up by, and what was found */
struct run_rows {
	const struct precis_input_run *taken;
	const struct run_plan *plan;
	uint64_t *values[PRECIS_FIELD_COUNT]; /* by field: columns of those that the plan has … */
	uint32_t first;       /* … of which these rows have gone: the first that is there */
	const uint64_t *present;
	uint64_t bits[PRECIS_INPUT_RUN]; /* of packed keys, whose 'measured' is 'present' */
	struct seen *sets[PRECIS_INPUT_RUN];
	struct combination *found[PRECIS_INPUT_RUN]; /* NULL: it is none that was seen of late */
	uint64_t form; /* of all keys: a run has the same registers */
	uint32_t count, weight;
};

/* The batch's own columns get their rows where these are to stand, behind its last one. */
static void place_columns(struct analysis_run *run, struct run_rows *rows,
			  uint64_t *to[PRECIS_FIELD_COUNT])
{
	const struct sample_batch *batch = &run->batch;

	rows->first = 0;
	for (uint32_t n = 0; n < rows->plan->count; n++) {
		const uint32_t field = rows->plan->fields[n];

		to[n] = batch->column[field] ? batch->column[field] + batch->rows : run->values[field];
		rows->values[field] = to[n];
	}
}

/* The batch has been emptied: rows from this one on are its first. */
static void move_columns(struct analysis_run *run, struct run_rows *rows, uint32_t row)
{
	for (uint32_t n = 0; n < rows->plan->count; n++) {
		const uint32_t field = rows->plan->fields[n];
		uint64_t *to = run->batch.column[field] ? run->batch.column[field] : run->values[field];

		memmove(to, rows->values[field] + (row - rows->first),
			(rows->count - row) * sizeof(*to));
		rows->values[field] = to;
	}
	rows->first = row;
}

static inline struct group_key key_of_row(const struct analysis_run *run, const struct run_rows *rows,
					  uint32_t row)
{
	const uint64_t measured = rows->present[row]; /* of the plan's fields, which are measured */

	return rows->taken->ops ? group_key_of_op(&run->bits, measured, rows->weight,
						  precis_input_run_op(rows->taken, row)) :
				  group_key_of_fetch(&run->bits, measured, rows->weight,
						     precis_input_run_fetch(rows->taken, row));
}

/* All keys first: their combinations are on the way from memory when they are looked up. */
static void make_keys(const struct analysis_run *run, struct run_rows *rows)
{
	const struct packing packing = run->packing[rows->taken->ops ? PRECIS_IBS_OP : PRECIS_IBS_FETCH];
	const uint64_t form = key_of_row(run, rows, 0).form;

	rows->form = form;
	for (uint32_t row = 0; row < rows->count; row++) {
		const struct group_key key = key_of_row(run, rows, row);
		const struct packed_key packed = packed_key_of(&packing, &key);
		struct seen *const set = seen_set(run->seen, &packed, form);

		__builtin_prefetch(set);
		rows->bits[row] = packed.bits;
		rows->sets[row] = set;
	}
}

static inline struct packed_key packed_key_of_row(const struct run_rows *rows, uint32_t row)
{
	return (struct packed_key){ .bits = rows->bits[row], .measured = rows->present[row] };
}

static inline struct combination *find_seen(const struct analysis_run *run, const struct run_rows *rows,
					    uint32_t row)
{
	const struct packed_key key = packed_key_of_row(rows, row);
	const int64_t found = seen_find(rows->sets[row], &key, rows->form, run->generation);

	return found < 0 ? NULL : &run->combinations[found];
}

/* Then all combinations, of which the same is true when they count. */
static void find_combinations(const struct analysis_run *run, struct run_rows *rows)
{
	for (uint32_t row = 0; row < rows->count; row++) {
		struct combination *found = find_seen(run, rows, row);

		rows->found[row] = found;
		if (!found)
			continue;
		__builtin_prefetch(&found->samples, 1);
		__builtin_prefetch(&found->numbers[2]); /* the next line */
	}
}

/* A number, and what counts it */
struct number_cell {
	uint32_t *count;
	struct latencies *latencies;
};

/* Where the row's numbers are counted: each behind 'cells', on its way from memory. The end of these */
static inline struct number_cell *find_cells(struct analysis_run *run, const struct run_rows *rows,
					     const struct combination *combination, uint32_t row,
					     struct number_cell *cells)
{
	const struct number_to *number = combination->numbers;
	const struct number_to *const end = number + combination->number_count;
	const uint32_t at = row - rows->first;

	for (; number < end; number++) {
		const uint64_t value = rows->values[number->field][at];

		*cells = (struct number_cell){ latencies_cell(number->latencies, value),
					       number->latencies };
		if (__builtin_expect(cells->count != NULL, 1))
			__builtin_prefetch((cells++)->count, 1);
		else if (latencies_add(number->latencies, value) < 0)
			run->failed = 1;
	}
	return cells;
}

/* A number, which weighs as its sample does: what counts it, and what weighs it */
struct weighed_cell {
	struct number_cell cell;
	uint32_t *sum;
	uint64_t weight;
};

/* The same of a row whose weight is its own, and which is the batch's last one */
static inline struct weighed_cell *find_weighed_cells(struct analysis_run *run,
						      const struct run_rows *rows,
						      struct combination *combination, uint32_t row,
						      struct weighed_cell *cells)
{
	const uint64_t weight = weigh(run, combination);

	for (uint32_t n = 0; n < combination->number_count; n++) {
		struct latencies *latencies = combination->numbers[n].latencies;
		const uint64_t value =
			rows->values[combination->numbers[n].field][row - rows->first];

		cells->cell = (struct number_cell){ latencies_cell(latencies, value), latencies };
		cells->sum = cells->cell.count && latencies->weights
				     ? histogram_cell(latencies->weights, (uint16_t)value)
				     : NULL;
		cells->weight = weight;
		if (__builtin_expect(cells->sum != NULL, 1)) {
			__builtin_prefetch(cells->cell.count, 1);
			__builtin_prefetch(cells->sum, 1);
			cells++;
		} else if (latencies_add_weighed(latencies, value, weight) < 0) {
			run->failed = 1;
		}
	}
	return cells;
}

/* Of a row for which none was found */
static struct combination *find_row(struct analysis_run *run, struct precis_input *input,
				    const struct run_rows *rows, uint32_t row)
{
	const struct origin origin = { .input = input, .row = row + 1, .weight = rows->weight };
	const struct group_key key = key_of_row(run, rows, row);
	const struct packed_key packed = packed_key_of_row(rows, row);
	struct combination *found = find_seen(run, rows, row);

	if (found)
		return found;
	found = combination_find(run, &key, &origin, NULL);
	seen_put(rows->sets[row], &packed, rows->form, (uint32_t)(found - run->combinations),
		 run->generation);
	return found;
}

/* Likewise; if there was no room for one more, those that were found are no more, and the batch is empty. */
static __attribute__((noinline)) struct combination *
open_row(struct analysis_run *run, struct precis_input *input, struct run_rows *rows, uint32_t row)
{
	const uint32_t generation = run->generation, before = run->batch.rows;
	struct combination *found = find_row(run, input, rows, row);

	if (run->generation != generation)
		memset(rows->found + row + 1, 0, (rows->count - row - 1) * sizeof(rows->found[0]));
	if (run->batch.rows != before) {
		note_alike(&run->batch, rows->form, 0);
		move_columns(run, rows, row);
	}
	return found;
}

/* Numbers of rows from 'from' up to 'to', likewise */
static inline struct number_cell *find_all_cells(struct analysis_run *run,
						 const struct run_rows *rows, uint32_t from,
						 uint32_t to, struct number_cell *cells)
{
	for (uint32_t row = from; row < to; row++)
		cells = find_cells(run, rows, rows->found[row], row, cells);
	return cells;
}

/* Rows from that one on go into the batch, up to one for which no combination was found. @return which */
static uint32_t put_found(struct sample_batch *batch, const struct run_rows *rows, uint32_t row)
{
	const uint32_t count = rows->count;
	uint32_t at = batch->rows;

	for (; row < count; row++) {
		struct combination *combination = rows->found[row];

		if (__builtin_expect(!combination, 0))
			break;
		combination->samples++;
		put_row(batch, combination, at++);
	}
	batch->rows = at;
	return row;
}

static void carry(struct analysis_run *run, struct histogram *histogram, const uint32_t *cell,
		  uint32_t times)
{
	if (histogram_carry_cell(histogram, cell, times) < 0)
		run->failed = 1;
}

static inline void count_cell(struct analysis_run *run, const struct number_cell *cell)
{
	if (__builtin_expect(!++*cell->count, 0))
		carry(run, &cell->latencies->exact, cell->count, 1);
}

static inline void count_cells(struct analysis_run *run, const struct number_cell *cells,
			       size_t count)
{
	UNROLLED
	for (size_t n = 0; n < count; n++)
		count_cell(run, &cells[n]);
}

/* Rows whose numbers weigh the same; what they count in is on its way from memory before it is counted in. */
static void count_rows(struct analysis_run *run, struct precis_input *input, struct run_rows *rows)
{
	struct number_cell cell[PRECIS_INPUT_RUN * COMBINATION_NUMBERS], *cells = cell;
	uint32_t from = 0;

	for (uint32_t row = 0; row < rows->count; row++) {
		row = put_found(&run->batch, rows, row);
		if (row == rows->count)
			break;
		/* combinations of rows before may be no more behind this one */
		cells = find_all_cells(run, rows, from, row, cells);
		from = row;
		rows->found[row] = open_row(run, input, rows, row);
		rows->found[row]->samples++;
		put_row(&run->batch, rows->found[row], run->batch.rows++);
	}
	cells = find_all_cells(run, rows, from, rows->count, cells);
	count_cells(run, cell, (size_t)(cells - cell));
}

/* The same of rows that have weights of their own */
static void count_weighed_rows(struct analysis_run *run, struct precis_input *input, struct run_rows *rows)
{
	struct weighed_cell weighed[PRECIS_INPUT_RUN * COMBINATION_NUMBERS], *last = weighed;

	for (uint32_t row = 0; row < rows->count; row++) {
		struct combination *combination = rows->found[row];

		if (__builtin_expect(!combination, 0))
			combination = open_row(run, input, rows, row);
		put_row(&run->batch, combination, run->batch.rows++);
		last = find_weighed_cells(run, rows, combination, row, last);
	}
	while (last > weighed) {
		uint32_t carried;

		count_cell(run, &(--last)->cell);
		carried = histogram_cell_add(last->sum, last->weight);
		if (__builtin_expect(carried != 0, 0))
			carry(run, last->cell.latencies->weights, last->sum, carried);
	}
}

static void count_run(struct analysis_run *run, struct precis_input *input, struct run_rows *rows)
{
	note_alike(&run->batch, rows->form, 0);
	if (is_plain(run))
		count_rows(run, input, rows);
	else
		count_weighed_rows(run, input, rows);
	if (run->batch.rows == BATCH_ROWS)
		batching_flush(run);
}

uint32_t analysis_run_take(struct analysis_run *run, struct precis_input *input,
			   const uint64_t wanted[PRECIS_FIELD_WORDS], uint64_t until)
{
	struct precis_input_run taken = { .size = sizeof(taken) };
	/* of columns beyond the first word values themselves tell whether they are there */
	uint64_t present[PRECIS_INPUT_RUN], later[PRECIS_INPUT_RUN], *to[PRECIS_FIELD_COUNT];
	uint64_t *words[PRECIS_FIELD_WORDS] = { present };
	struct run_rows rows;
	uint32_t before;

	if (!run->packing[PRECIS_IBS_OP].is_possible || !run->packing[PRECIS_IBS_FETCH].is_possible)
		return 0;
	if (precis_input_take_run(input, wanted, BATCH_ROWS - run->batch.rows, until, &taken) <= 0)
		return 0;
	rows.plan = plan_of(run, taken.ops ? PRECIS_IBS_OP : PRECIS_IBS_FETCH);
	place_columns(run, &rows, to);
	for (uint32_t word = 1; word < PRECIS_FIELD_WORDS; word++)
		words[word] = rows.plan->words >> word & 1 ? later : NULL;
	if (precis_input_run_columns(input, rows.plan->fields, rows.plan->count, to, words))
		run->failed = 1; /* it was not told what samples are decoded for */
	rows.taken = &taken;
	rows.present = present;
	rows.count = taken.count;
	rows.weight = weights_of_event(&run->weights, taken.event);
	if (rows.weight == WEIGHT_OWN && run->batch.column[PRECIS_FIELD_PERIOD])
		rows.weight = weights_of_own(&run->weights, rows.values[PRECIS_FIELD_PERIOD],
					     taken.count);
	before = run->batch.rows;
	combining_heed_weight(run, rows.weight);
	if (run->batch.rows != before)
		move_columns(run, &rows, 0);
	make_keys(run, &rows);
	find_combinations(run, &rows);
	count_run(run, input, &rows);
	return taken.count;
}
