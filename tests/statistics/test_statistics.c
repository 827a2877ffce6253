/* SPDX-License-Identifier: BSD-3-Clause */
/* Histograms, intervals and tallies against brute force and published values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/histogram.h"
#include "statistics/interval.h"
#include "statistics/tally.h"
#include "statistics/weighted.h"
#include "tests/support/tap.h"

static uint64_t random_state;

static uint64_t random_next(void)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return random_state >> 20;
}

static int by_value(const void *a, const void *b)
{
	uint16_t x = *(const uint16_t *)a, y = *(const uint16_t *)b;

	return (x > y) - (x < y);
}

/* Blocks as a whole, of sorted values */
static void check_blocks(const struct histogram *histogram, const uint16_t *values, size_t count)
{
	size_t i = 0;

	CU_ASSERT_EQUAL(histogram_last(histogram), count ? values[count - 1] : HISTOGRAM_VALUES);
	for (uint32_t first = 0; first < HISTOGRAM_VALUES; first += HISTOGRAM_BLOCK) {
		const struct histogram_sums found = histogram_sums_of(histogram, first);
		uint64_t number = 0, sum = 0;

		for (; i < count && values[i] < first + HISTOGRAM_BLOCK; i++, number++)
			sum += values[i];
		CU_ASSERT_EQUAL(found.count, number);
		CU_ASSERT_EQUAL(found.sum, sum);
	}
}

static void check_histogram(const uint16_t *values, size_t count)
{
	struct histogram histogram = { 0 };
	uint16_t *sorted = malloc(count * sizeof(*sorted));
	uint32_t value, distinct = 0;
	size_t i;

	CU_ASSERT_PTR_NOT_NULL_FATAL(sorted);
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_value);
	for (i = 0; i < count; i++)
		CU_ASSERT_EQUAL_FATAL(histogram_add(&histogram, values[i]), 0);
	for (i = 0, value = histogram_next(&histogram, 0); value < HISTOGRAM_VALUES;
	     value = histogram_next(&histogram, value + 1)) {
		CU_ASSERT_EQUAL_FATAL(value, sorted[i]);
		i += histogram_count(&histogram, (uint16_t)value);
		distinct++;
	}
	CU_ASSERT_EQUAL(i, count);
	CU_ASSERT(distinct > 0);
	check_blocks(&histogram, sorted, count);
	histogram_free(&histogram);
	free(sorted);
}

static void test_histogram(void)
{
	static uint16_t values[20000];
	uint32_t range;
	size_t i, count;

	random_state = 20261120;
	for (range = 1; range <= HISTOGRAM_VALUES; range *= 4) {
		for (count = 1; count <= 20000; count = count * 3 + 1) {
			for (i = 0; i < count; i++)
				values[i] = (uint16_t)(random_next() % range);
			check_histogram(values, count);
		}
	}
	memset(values, 0xff, sizeof(values));
	check_histogram(values, 3);
}

static void test_histogram_merge(void)
{
	struct histogram sum = { 0 }, part = { 0 }, whole = { 0 };
	uint32_t i, value;

	random_state = 7;
	for (i = 0; i < 2000; i++) {
		uint16_t number = (uint16_t)(random_next() % (i % 2 ? 300 : 65536));

		CU_ASSERT_EQUAL_FATAL(histogram_add(i % 3 ? &sum : &part, number), 0);
		CU_ASSERT_EQUAL_FATAL(histogram_add(&whole, number), 0);
	}
	CU_ASSERT_EQUAL_FATAL(histogram_merge(&sum, &part, 1), 0);
	for (value = 0; value < HISTOGRAM_VALUES; value++)
		CU_ASSERT_EQUAL_FATAL(histogram_count(&sum, (uint16_t)value),
				      histogram_count(&whole, (uint16_t)value));
	histogram_free(&sum);
	histogram_free(&part);
	histogram_free(&whole);
}

/* Counts of more than 32 bits, in one go, one by one, by cells, and merged, beside such as are less */
static void test_histogram_large(void)
{
	static const uint64_t times[] = { UINT32_MAX, 1, UINT64_C(5) << 32, UINT32_MAX, 2 };
	struct histogram sum = { 0 }, part = { 0 };
	uint64_t truth = 0;
	uint32_t carry;

	for (size_t n = 0; n < sizeof(times) / sizeof(*times); n++) {
		CU_ASSERT_EQUAL_FATAL(histogram_add_times(&sum, 700, times[n]), 0);
		truth += times[n];
		CU_ASSERT_EQUAL(histogram_count(&sum, 700), truth);
	}
	CU_ASSERT_EQUAL(histogram_add_times(&sum, 701, 3), 0);
	CU_ASSERT_EQUAL(histogram_add_times(&part, 701, UINT32_MAX), 0);
	CU_ASSERT_EQUAL(histogram_add_times(&part, 702, UINT64_C(1) << 32), 0);
	carry = histogram_cell_add(histogram_cell(&part, 701), 7);
	CU_ASSERT_EQUAL(carry, 1);
	CU_ASSERT_EQUAL(histogram_carry_cell(&part, histogram_cell(&part, 701), carry), 0);
	CU_ASSERT_EQUAL(histogram_count(&part, 701), UINT64_C(6) + (UINT64_C(1) << 32));
	CU_ASSERT_EQUAL(histogram_carry_cell(&part, &carry, 1), -1);
	CU_ASSERT_EQUAL(histogram_next(&part, 0), 701);
	CU_ASSERT_EQUAL(histogram_next(&part, 702), 702);
	CU_ASSERT_EQUAL(histogram_next(&part, 703), HISTOGRAM_VALUES);
	CU_ASSERT_EQUAL(histogram_last(&part), 702);
	CU_ASSERT_EQUAL(histogram_merge(&sum, &part, 1), 0);
	CU_ASSERT_EQUAL(histogram_count(&sum, 701), UINT64_C(9) + (UINT64_C(1) << 32));
	CU_ASSERT_EQUAL(histogram_merge(&sum, &part, 3), 0);
	CU_ASSERT_EQUAL(histogram_count(&sum, 702), UINT64_C(4) << 32);
	CU_ASSERT_EQUAL(histogram_sums_of(&part, 512).count, UINT64_C(6) + (UINT64_C(2) << 32));
	CU_ASSERT_EQUAL(histogram_sums_of(&part, 512).sum,
			701 * (UINT64_C(6) + (UINT64_C(1) << 32)) + 702 * (UINT64_C(1) << 32));
	histogram_free(&sum);
	histogram_free(&part);

	/* low halves alone are more than fits */
	CU_ASSERT_EQUAL(histogram_add_times(&sum, 5, UINT32_MAX), 0);
	CU_ASSERT_EQUAL(histogram_add_times(&part, 5, 1), 0);
	CU_ASSERT_EQUAL(histogram_merge(&sum, &part, 1), 0);
	CU_ASSERT_EQUAL(histogram_count(&sum, 5), UINT64_C(1) << 32);
	histogram_free(&sum);
	histogram_free(&part);
}

static void test_histogram_bounds(void)
{
	struct histogram histogram = { 0 };
	size_t i, blocks = 0;

	CU_ASSERT_EQUAL(histogram_next(&histogram, 0), HISTOGRAM_VALUES);
	check_blocks(&histogram, NULL, 0);
	CU_ASSERT_EQUAL(histogram_add(&histogram, 300), 0);
	CU_ASSERT_EQUAL(histogram_count(&histogram, 299), 0);
	for (i = 0; i < sizeof(histogram.block) / sizeof(histogram.block[0]); i++)
		blocks += histogram.block[i] != NULL;
	CU_ASSERT_EQUAL(blocks, 1);
	histogram_free(&histogram);
}

/*
 * Published intervals: Newcombe, "Two-sided confidence intervals for the single
 * proportion", Statistics in Medicine 17 (1998), table I, method 4.
 */
static const struct {
	uint64_t k, n;
	double low, high;
} published[] = {
	{ 81, 263, 0.2535, 0.3682 },
	{ 15, 148, 0.0598, 0.1644 },
	{ 0, 20, 0.0000, 0.2005 },
	{ 1, 29, 0.0018, 0.1963 },
};

static void test_share(void)
{
	struct interval interval, mirrored;
	uint64_t n;
	size_t i;

	for (i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		interval = interval_of_share(published[i].k, published[i].n);
		CU_ASSERT_DOUBLE_EQUAL(interval.low, published[i].low, 0.00005);
		CU_ASSERT_DOUBLE_EQUAL(interval.high, published[i].high, 0.00005);
	}
	interval = interval_of_share(0, 0);
	CU_ASSERT(interval.low == 0 && interval.high == 1);
	for (n = 1; n < 1000000000000; n *= 7) {
		interval = interval_of_share(0, n);
		CU_ASSERT(interval.low == 0 && interval.high > 0 && interval.high < 1);
		mirrored = interval_of_share(n, n);
		CU_ASSERT(mirrored.high == 1);
		CU_ASSERT_DOUBLE_EQUAL(mirrored.low, 1 - interval.high, 1e-12);
	}
}

/* The definition: both ends are z standard deviations from the observed share and half a sample */
static void test_share_definition(void)
{
	const double z = 1.959963984540054;
	uint64_t k, n = 137;

	for (k = 1; k < n; k++) {
		struct interval interval = interval_of_share(k, n);
		double share = (double)k / (double)n, half = 0.5 / (double)n;

		CU_ASSERT(interval.low > 0 && interval.low < share);
		CU_ASSERT(interval.high < 1 && interval.high > share);
		CU_ASSERT_DOUBLE_EQUAL(share - half - interval.low,
				       z * sqrt(interval.low * (1 - interval.low) / (double)n),
				       1e-12);
		CU_ASSERT_DOUBLE_EQUAL(interval.high - share - half,
				       z * sqrt(interval.high * (1 - interval.high) / (double)n),
				       1e-12);
	}
}

/* How probable it is that the interval of n samples holds the true share */
static double coverage(uint64_t n, double truth)
{
	double probability = 0;
	uint64_t k;

	for (k = 0; k <= n; k++) {
		struct interval interval = interval_of_share(k, n);

		if (interval.low <= truth && truth <= interval.high)
			probability += exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
					   lgamma((double)(n - k) + 1) + (double)k * log(truth) +
					   (double)(n - k) * log1p(-truth));
	}
	return probability;
}

/* The promise, for few samples and many, for rare things and for usual ones */
static void test_share_coverage(void)
{
	static const struct {
		uint64_t n;
		double least;
	} rows[] = {
		{ 1, 0.945 },  { 2, 0.947 },  { 3, 0.947 },  { 5, 0.948 },
		{ 8, 0.948 },  { 13, 0.9485 }, { 20, 0.9485 }, { 30, 0.949 },
		{ 50, 0.949 }, { 100, 0.949 }, { 300, 0.949 }, { 1000, 0.949 },
	};
	size_t i;
	int truth;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t n = rows[i].n, k;

		for (truth = 1; truth < 1000; truth += i < 10 ? 1 : 7)
			CU_ASSERT(coverage(n, truth / 1000.0) > rows[i].least);
		/* Worst are the shares that an interval just does not hold any more */
		for (k = 1; k <= n; k += n > 100 ? 1 + n / 10 : 1) {
			double low = interval_of_share(k, n).low;

			CU_ASSERT(coverage(n, low * (1 - 1e-9)) > rows[i].least);
			CU_ASSERT(coverage(n, 1 - low * (1 - 1e-9)) > rows[i].least);
		}
	}
}

/* Sample by sample: how likely each number of them is in what has that share */
static double brute_chance(uint32_t k, uint32_t n, double share)
{
	double chance[201] = { 1 }, sum = 0;

	for (uint32_t samples = 0; samples < n; samples++) {
		for (uint32_t i = samples + 1; i > 0; i--)
			chance[i] = chance[i] * (1 - share) + chance[i - 1] * share;
		chance[0] *= 1 - share;
	}
	for (uint32_t i = k; i <= n; i++)
		sum += chance[i];
	return sum;
}

static void test_chance(void)
{
	static const double shares[] = { 0.02, 0.3, 0.97 };
	const double n = 1e9, z = 3.0902323061678132; /* 0.999 of the normal distribution */

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		for (uint32_t of = 1; of <= 200; of += 7) {
			for (uint32_t k = 0; k <= of; k++) {
				const double chance = chance_of_so_many(k, of, shares[i]);
				const double brute = brute_chance(k, of, shares[i]);

				if (k > of * shares[i])
					CU_ASSERT_DOUBLE_EQUAL(chance, brute, 1e-9 * brute + 1e-300);
				CU_ASSERT(chance >= brute * (1 - 1e-9) - 1e-300);
			}
		}
	}
	CU_ASSERT_DOUBLE_EQUAL(chance_of_so_many((uint64_t)(0.05 * n + z * sqrt(n * 0.05 * 0.95)),
						 (uint64_t)n, 0.05), 0.001, 5e-6);
	CU_ASSERT_EQUAL(chance_of_so_many(3, 2, 0.1), 0);
	CU_ASSERT_EQUAL(chance_of_so_many(0, 0, 0.1), 1);
}

#define KEYS 5000

/* The same counts kept in an array: key n stands for (n % 3, n / 3 * 64) */
struct brute {
	uint64_t samples, latency_sum, latency_count, weight, squares;
};

/* A sample has been counted that does not weigh what all before it did. */
static int tally_weigh_but(struct tally *tally, struct tally_entry *entry)
{
	int failed;

	entry->samples--;
	failed = tally_weigh(tally);
	entry->samples++;
	return failed;
}

static void add_weight(struct tally *tally, struct tally_entry *entry, uint64_t weight)
{
	struct tally_sums *sums = tally_sums(tally, entry);

	CU_ASSERT_PTR_NOT_NULL_FATAL(sums);
	sums->weight += weight;
	weight_sum_add(sums->squares, (weight_sum)weight * weight);
}

/* All samples weigh 'each', and from one on each something else; few keys have latencies. */
static void check_tally(size_t changes, uint64_t each)
{
	static struct brute brute[KEYS];
	struct tally tally;
	size_t i, distinct = 0;

	memset(brute, 0, sizeof(brute));
	random_state = 7;
	CU_ASSERT_EQUAL_FATAL(tally_init(&tally, 1 << 24), 0);
	tally.each = each;
	for (i = 0; i < 100000; i++) {
		const uint64_t weight = i < changes ? each : i;
		/* most samples fall on few keys, as they do on code */
		uint64_t key = random_next() % (1 + random_next() % KEYS);
		struct tally_entry *entry = tally_add(&tally, key % 3, key / 3 * 64);

		CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
		brute[key].samples++;
		brute[key].weight += weight;
		brute[key].squares += weight * weight;
		if (i == changes)
			CU_ASSERT_EQUAL_FATAL(tally_weigh_but(&tally, entry), 0);
		if (i >= changes)
			add_weight(&tally, entry, weight);
		if (key % 7 || i % 3)
			continue;
		CU_ASSERT_PTR_NOT_NULL_FATAL(tally_sums(&tally, entry));
		tally_sums(&tally, entry)->latency_sum += key % 50;
		tally_sums(&tally, entry)->latency_count++;
		brute[key].latency_sum += key % 50;
		brute[key].latency_count++;
	}
	for (i = 0; i < (size_t)1 << tally.bits; i++) {
		const struct tally_entry *entry = &tally.slot[i];
		const struct brute *expected = &brute[entry->address / 64 * 3 + entry->space];
		const struct tally_sums sums = tally_told(&tally, entry);

		if (!entry->samples)
			continue;
		CU_ASSERT_EQUAL(entry->samples, expected->samples);
		CU_ASSERT_EQUAL(sums.latency_sum, expected->latency_sum);
		CU_ASSERT_EQUAL(sums.latency_count, expected->latency_count);
		CU_ASSERT_EQUAL(sums.weight, expected->weight);
		CU_ASSERT_EQUAL(sums.squares[0], expected->squares);
	}
	for (i = 0; i < KEYS; i++)
		distinct += brute[i].samples != 0;
	CU_ASSERT_EQUAL(tally.count, distinct);
	CU_ASSERT_EQUAL(tally.untracked, 0);
	tally_free(&tally);
}

static void test_tally(void)
{
	check_tally(100000, 3);
	check_tally(100000, 0);
	check_tally(0, 3);
	check_tally(50001, 4093);
}

/* In the order of keys, which are of few or many, near or far from each other */
static void check_sorted(const struct tally *tally)
{
	const struct tally_entry **entries = malloc((tally->count + 1) * sizeof(*entries));
	uint64_t samples = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(entries);
	CU_ASSERT_EQUAL_FATAL(tally_sort(tally, entries), 0);
	for (uint32_t n = 0; n < tally->count; n++) {
		samples += entries[n]->samples;
		CU_ASSERT(!n || entries[n - 1]->space < entries[n]->space ||
			  (entries[n - 1]->space == entries[n]->space &&
			   entries[n - 1]->address < entries[n]->address));
	}
	CU_ASSERT_EQUAL(samples, 2000);
	free(entries);
}

static void test_tally_sort(void)
{
	random_state = 20261126;
	for (uint32_t bits = 0; bits < 64; bits += 3) {
		struct tally tally;

		CU_ASSERT_EQUAL_FATAL(tally_init(&tally, 1 << 22), 0);
		for (uint32_t n = 0; n < 2000; n++)
			CU_ASSERT_PTR_NOT_NULL(tally_add(&tally, (random_next() % 3) << bits,
							 random_next() << 20 >> (63 - bits)));
		check_sorted(&tally);
		tally_free(&tally);
	}
}

static void test_tally_bounds(void)
{
	struct tally tally;
	uint64_t i, tracked = 0;

	CU_ASSERT_EQUAL_FATAL(
		tally_init(&tally, 1000 * (sizeof(struct tally_entry) + sizeof(struct tally_sums))), 0);
	/* (0, 0) is a key like any other */
	CU_ASSERT_PTR_NOT_NULL(tally_add(&tally, 0, 0));
	CU_ASSERT_PTR_NOT_NULL(tally_add(&tally, 0, 0));
	CU_ASSERT_EQUAL(tally.count, 1);
	CU_ASSERT_EQUAL(tally_add(&tally, 0, 0)->samples, 3);
	for (i = 1; i <= 100000; i++)
		tracked += tally_add(&tally, 0, i) != NULL;
	CU_ASSERT_EQUAL(tracked, 512 / 4 * 3 - 1);
	CU_ASSERT_EQUAL(tally.untracked, 100000 - tracked);
	/* the table is full: known keys go on being counted */
	CU_ASSERT_PTR_NOT_NULL(tally_add(&tally, 0, 1));
	CU_ASSERT_PTR_NULL(tally_add(&tally, 1, 1));
	tally_free(&tally);
	CU_ASSERT_EQUAL_FATAL(tally_init(&tally, 0), 0);
	for (i = 0; i < 64; i++)
		CU_ASSERT_PTR_NOT_NULL(tally_add(&tally, i, ~i));
	tally_free(&tally);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "histogram against sorting", test_histogram },
		{ "histogram: merging", test_histogram_merge },
		{ "histogram: counts of more than 32 bits", test_histogram_large },
		{ "histogram: empty, few blocks, huge counts", test_histogram_bounds },
		{ "interval of a share: published values", test_share },
		{ "interval of a share: its definition", test_share_definition },
		{ "interval of a share: how often it is right", test_share_coverage },
		{ "the chance of so many samples: sample by sample", test_chance },
		{ "tally against an array", test_tally },
		{ "tally in the order of its keys", test_tally_sort },
		{ "tally: bounds of its memory", test_tally_bounds },
	};

	return tap_main("statistics", cases, sizeof(cases) / sizeof(cases[0]));
}
