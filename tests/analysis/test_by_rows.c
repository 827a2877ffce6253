/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in bounded memory: what is in them, what they may lack, and what two have together. */
#include <stdlib.h>
#include <string.h>

#include "analysis/by/rows.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define KEYS 60000u
#define SAMPLES 400000u
#define VALUES 7u /* latencies that samples of a key have */

static uint64_t state = 20261123;

/* Small ones come often, by a power law. */
static uint32_t draw(void)
{
	uint64_t number = random_next(&state);
	uint32_t bits = (uint32_t)(number >> 58) % 17;

	return (uint32_t)((number & ((UINT64_C(1) << bits) - 1)) % KEYS);
}

static void take(struct by_rows *rows, uint32_t key, uint32_t value, uint64_t weight)
{
	const struct by_value keys[] = { { key, 1 }, { key % 3, 2 } };
	const struct weighted sample = weighted_of(1, weight);
	struct by_row *row = by_rows_add(rows, keys, weight);

	CU_ASSERT_FATAL(row != NULL);
	weighted_add(&row->samples, &sample);
	weighted_add(&row->is[0].known, &sample);
	CU_ASSERT_EQUAL_FATAL(by_rows_add_value(rows, row, value, 1, weight), 0);
}

static uint64_t weight_of(uint32_t n)
{
	return 1 + n % 5;
}

/* All samples, to one of two tables or to one alone: 'truth' gets what each key weighs */
static void fill(struct by_rows *rows, uint32_t tables, uint32_t keys, uint64_t *truth)
{
	for (uint32_t n = 0; n < SAMPLES; n++) {
		const uint32_t key = draw() % keys;

		take(&rows[n * tables / SAMPLES], key, key % VALUES, weight_of(n));
		truth[key] += weight_of(n);
	}
}

static void check_bounds(const struct by_rows *rows, const uint64_t *truth)
{
	uint8_t *is_there = calloc(KEYS, 1);
	uint64_t total = 0;

	for (uint32_t n = 0; n < rows->count; n++) {
		const struct by_row *row = by_row(rows, n);
		const uint64_t key = row->key[0].a;

		CU_ASSERT_FATAL(key < KEYS && row->key[1].a == key % 3);
		CU_ASSERT(row->weight <= truth[key] && truth[key] <= row->weight + row->missed);
		CU_ASSERT(row->missed <= rows->floor && row->samples.weight == row->weight);
		CU_ASSERT(row->is[0].known.weight == row->weight);
		CU_ASSERT(row->missed == 0 || row->is_unlisted);
		is_there[key]++;
	}
	for (uint32_t key = 0; key < KEYS; key++) {
		total += truth[key];
		CU_ASSERT(is_there[key] <= 1);
		CU_ASSERT(is_there[key] || truth[key] <= rows->floor);
	}
	CU_ASSERT(rows->total == total);
	CU_ASSERT(rows->floor <= total / (rows->limit / 2));
	free(is_there);
}

/* Values of rows that have all of them */
static void check_values(const struct by_rows *rows)
{
	uint64_t *weight = calloc(rows->count, sizeof(*weight));

	for (uint32_t n = 0; n < rows->value_slots; n++) {
		const struct by_latency *value = &rows->values[n];

		if (!value->samples)
			continue;
		CU_ASSERT_FATAL(value->row < rows->count);
		CU_ASSERT(value->value == by_row(rows, value->row)->key[0].a % VALUES);
		weight[value->row] += value->weight;
	}
	for (uint32_t n = 0; n < rows->count; n++)
		CU_ASSERT(by_row(rows, n)->is_unlisted || weight[n] == by_row(rows, n)->weight);
	free(weight);
}

static void check(uint32_t tables, uint32_t keys, int is_dropped)
{
	uint64_t *truth = calloc(KEYS, sizeof(*truth));
	struct by_rows rows[2];

	for (uint32_t n = 0; n < tables; n++)
		CU_ASSERT_EQUAL_FATAL(by_rows_init(&rows[n], 2, 1, 0), 0);
	fill(rows, tables, keys, truth);
	if (tables > 1)
		CU_ASSERT_EQUAL_FATAL(by_rows_merge(&rows[0], &rows[1], 1), 0);
	CU_ASSERT(rows[0].count <= rows[0].limit);
	CU_ASSERT_EQUAL(rows[0].dropped != 0, is_dropped);
	CU_ASSERT_EQUAL(rows[0].floor != 0, is_dropped);
	check_bounds(&rows[0], truth);
	check_values(&rows[0]);
	for (uint32_t n = 0; n < tables; n++)
		by_rows_free(&rows[n]);
	free(truth);
}

static void few(void)
{
	check(1, 5000, 0);
	check(2, 5000, 0);
}

static void many(void)
{
	check(1, KEYS, 1);
	check(2, KEYS, 1);
}

/* More values than are kept: heavier rows still have theirs */
static void many_values(void)
{
	struct by_rows rows;
	uint32_t listed = 0;

	CU_ASSERT_EQUAL_FATAL(by_rows_init(&rows, 2, 1, 0), 0);
	for (uint32_t n = 0; n < 2 * BY_VALUES_MOST; n++)
		take(&rows, n % 100, n / 100, n % 100 < 10 ? 50 : 1);
	CU_ASSERT(rows.has_dropped_values && rows.value_slots == BY_VALUES_MOST);
	for (uint32_t n = 0; n < rows.count; n++) {
		listed += !by_row(&rows, n)->is_unlisted;
		CU_ASSERT(n >= 10 || !by_row(&rows, n)->is_unlisted);
	}
	CU_ASSERT(listed >= 10 && listed < 100);
	by_rows_free(&rows);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "rows that have room are exact, counted apart or not", few },
		{ "of more rows the heaviest stay, within their bounds", many },
		{ "of more values those of the heaviest rows stay", many_values },
	};

	return tap_main("by_rows", cases, sizeof(cases) / sizeof(cases[0]));
}
