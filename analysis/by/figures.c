/* SPDX-License-Identifier: BSD-3-Clause */
/* See figures.h. */
#include "figures.h"

#include <math.h>
#include <stdlib.h>

#include "keys.h"

/* Figures that have an interval, and which of the percentiles each is; the mean is none. */
static const struct {
	const char *ends[2];
	size_t percentile;
} estimates[BY_IS + 1] = {
	[BY_MEAN] = { { "mean_low", "mean_high" }, LATENCY_PERCENTILES },
	[BY_MEDIAN] = { { "median_low", "median_high" }, LATENCY_MEDIAN },
	[BY_P95] = { { "p95_low", "p95_high" }, LATENCY_P95 },
	[BY_P99] = { { "p99_low", "p99_high" }, LATENCY_P99 },
};

const char *const *by_end_names(const struct by_column *column)
{
	return estimates[column->figure].ends[0] ? estimates[column->figure].ends : NULL;
}

/* --- values --- */

int by_values_sort(struct by_values_of_rows *values, const struct by_rows *rows)
{
	uint32_t end = 0;

	values->values = calloc(rows->value_count + 1, sizeof(*values->values));
	values->first = calloc(rows->count + 1, sizeof(*values->first));
	if (!values->values || !values->first)
		return -1;
	for (uint32_t n = 0; n < rows->value_slots; n++) {
		if (rows->values[n].samples)
			values->first[rows->values[n].row]++;
	}
	for (uint32_t n = 0; n < rows->count; n++)
		values->first[n] = end += values->first[n];
	values->first[rows->count] = end;
	values->count = rows->count;
	values->lacks_some = rows->dropped || rows->has_dropped_values;
	/* from the end of each row's to its start */
	for (uint32_t n = 0; n < rows->value_slots; n++) {
		if (rows->values[n].samples)
			values->values[--values->first[rows->values[n].row]] = &rows->values[n];
	}
	return 0;
}

void by_values_free(struct by_values_of_rows *values)
{
	free(values->values);
	free(values->first);
}

/* All of a row's. 0 if they are not all there, or there are none */
static int collect(const struct by_values_of_rows *values, const struct by_figures_of *of,
		   struct latencies *latencies)
{
	const struct weighted *measured = &of->row->measured;
	const int is_all = of->number == BY_ALL_ROWS;
	uint32_t end;

	if (!values || !measured->samples || (is_all ? values->lacks_some : of->row->is_unlisted))
		return 0;
	latencies->base = measured->least;
	end = values->first[is_all ? values->count : of->number + 1];
	for (uint32_t n = is_all ? 0 : values->first[of->number]; n < end; n++) {
		const struct by_latency *value = values->values[n];

		if ((weighted_are_counted(measured) ?
			     latencies_add_times(latencies, value->value, value->samples) :
			     latencies_add_times_weighed(latencies, value->value, value->samples,
							 value->weight)) < 0)
			return 0;
	}
	latencies_weigh(latencies, measured);
	return 1;
}

/* 0 if they are not known */
static int tell(const struct by_values_of_rows *values, const struct by_figures_of *of,
		struct confidence confidence, struct latency_figures *told)
{
	struct latencies latencies = { .base = 0 };
	int is_known = collect(values, of, &latencies);

	if (is_known)
		latencies_tell_at(&latencies, confidence, told);
	latencies_free(&latencies);
	return is_known;
}

/* --- figures --- */

/* Samples of which some weigh what is not known have no sum, and no share of one. */
static uint64_t unit_of(const struct by_row *total)
{
	return weighted_unit(&total->samples);
}

static double mean_of(const struct by_row *total, const struct by_row *row)
{
	const struct weighted *measured = &row->measured;
	const uint64_t unit = unit_of(total);
	double weight = weighted_are_counted(&total->samples) ?
				(double)measured->samples * (double)unit : (double)measured->weight;

	return measured->samples && unit ? (double)row->cycles.weight / weight : NAN;
}

static double share_of(const struct weighted *part, const struct weighted *whole)
{
	return whole->samples ? weighted_share(part, whole) : NAN;
}

static double known(uint32_t value)
{
	return value < HISTOGRAM_VALUES ? value : NAN;
}

struct estimate by_estimate(const struct by_row *total, const struct by_values_of_rows *values,
			    const struct by_figures_of *of, const struct by_column *column,
			    struct confidence confidence)
{
	const size_t number = estimates[column->figure].percentile;
	const int is_mean = number == LATENCY_PERCENTILES;
	struct estimate found = { is_mean ? mean_of(total, of->row) : NAN, { NAN, NAN } };
	struct latency_figures told;

	if ((is_mean && isnan(found.value)) || !tell(values, of, confidence, &told))
		return found;
	if (is_mean) {
		found.interval = told.of_mean;
	} else {
		found.value = known(told.percentile[number].value);
		found.interval.low = known(told.percentile[number].low);
		found.interval.high = known(told.percentile[number].high);
	}
	return found;
}

double by_order_of(const struct by_row *total, const struct by_values_of_rows *values,
		   const struct by_figures_of *of, const struct by_column *column)
{
	const struct by_row *row = of->row;
	struct latency_figures told;

	switch (column->figure) {
	case BY_SAMPLES:
	case BY_EVENTS:
	case BY_SHARE:
		return weighted_share(&row->samples, &total->samples);
	case BY_CYCLES:
	case BY_CYCLE_SHARE:
		return unit_of(total) && row->measured.samples ? (double)row->cycles.weight : NAN;
	case BY_N:
		return (double)row->measured.samples;
	case BY_MEAN:
		return mean_of(total, row);
	case BY_TREND: /* nothing is more than another */
		return NAN;
	case BY_MAX:
		return tell(values, of, interval_confidence, &told) ? (double)told.largest : NAN;
	case BY_IS:
		return share_of(&row->is[column->flag].yes, &row->is[column->flag].known);
	default:
		return by_estimate(total, values, of, column, interval_confidence).value;
	}
}

/* Percentiles are values that were measured, ends of the mean's interval are not. */
static void cell_estimated(struct document *document, double value, int is_measured)
{
	if (is_measured && !isnan(value))
		cell_count(document, (uint64_t)value);
	else
		cell_known(document, value);
}

static void cells_estimate(struct document *document, const struct by_row *total,
			   const struct by_column *column, const struct by_figures_of *of,
			   const struct by_values_of_rows *values)
{
	const struct estimate found =
		by_estimate(total, values, of, column, document_confidence(document));
	const int is_measured = column->figure != BY_MEAN;

	cell_estimated(document, found.value, is_measured);
	cell_estimated(document, found.interval.low, is_measured);
	cell_estimated(document, found.interval.high, is_measured);
}

static void cell_max(struct document *document, const struct by_values_of_rows *values,
		     const struct by_figures_of *of)
{
	struct latency_figures told;

	if (tell(values, of, interval_confidence, &told))
		cell_count(document, told.largest);
	else
		cell_absent(document);
}

static void cell_cycles(struct document *document, const struct by_row *total,
			const struct by_row *row)
{
	if (row->measured.samples && unit_of(total))
		cell_count(document, (uint64_t)(row->cycles.weight / unit_of(total)));
	else
		cell_absent(document);
}

/* How many samples stand for; where that is not known none are told */
static void cell_events(struct document *document, const struct by_row *total,
			const struct by_row *row)
{
	if (total->samples.least)
		cell_count(document, (uint64_t)row->samples.weight);
	else
		cell_absent(document);
}

static void cell_cycle_share(struct document *document, const struct by_row *total,
			     const struct by_row *row)
{
	if (row->measured.samples && unit_of(total))
		cell_share_of_sum(document, &row->cycles, &total->cycles);
	else
		cell_absent(document);
}

/* In what sums are told: samples, or events that they stand for */
static void cell_weights(struct document *document, const struct by_row *total,
			 const struct by_row *row, uint32_t flags)
{
	uint64_t parts[BY_TREND_PARTS];
	const uint64_t unit = unit_of(total);

	for (uint32_t n = 0; n < row->parts && unit; n++)
		parts[n] = by_row_trend(row, flags)[n] / unit;
	if (unit)
		cell_trend(document, parts, row->parts);
	else
		cell_absent(document);
}

/* Of what all samples were selected by it is all, and no estimate: then each of the keys was that. */
static void cell_share_of_row(struct document *document, const struct by *by, uint32_t keys,
			      const struct by_row *total, const struct by_row *row)
{
	uint8_t fields[BY_KEY_FIELDS] = { FIELDS_END };

	for (uint32_t n = 0; n < keys; n++) {
		by_key_fields(&by->request->keys[n], fields);
		if (!document_is_given(document, fields[0]))
			break;
	}
	if (fields[0] == FIELDS_END)
		cell_share(document, &row->samples, &total->samples);
	else
		cell_share_by(document, fields[0], &row->samples, &total->samples);
}

void by_cells(struct document *document, const struct by *by, uint32_t keys, const struct by_row *total,
	      const struct by_column *column, const struct by_figures_of *of,
	      const struct by_values_of_rows *values)
{
	const struct by_row *row = of->row;

	switch (column->figure) {
	case BY_SAMPLES:
		cell_count(document, row->samples.samples);
		return;
	case BY_EVENTS:
		cell_events(document, total, row);
		return;
	case BY_SHARE:
		cell_share_of_row(document, by, keys, total, row);
		return;
	case BY_CYCLES:
		cell_cycles(document, total, row);
		return;
	case BY_CYCLE_SHARE:
		cell_cycle_share(document, total, row);
		return;
	case BY_N:
		cell_count(document, row->measured.samples);
		return;
	case BY_MAX:
		cell_max(document, values, of);
		return;
	case BY_TREND:
		cell_weights(document, total, row, by->flags);
		return;
	case BY_IS:
		cell_share_by(document, column->field, &row->is[column->flag].yes,
			      &row->is[column->flag].known);
		return;
	default:
		cells_estimate(document, total, column, of, values);
	}
}

void by_cell_missed(struct document *document, const struct by_row *total, uint64_t missed)
{
	if (unit_of(total))
		cell_count(document, missed / unit_of(total));
	else
		cell_absent(document);
}
