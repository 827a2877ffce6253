/* SPDX-License-Identifier: BSD-3-Clause */
/* See counts.h. Nothing here asks the machine. */
#include "counts.h"

#include <math.h>

static void add_position(struct positions *positions, uint16_t at)
{
	for (uint32_t lag = 1; lag <= LAGS && lag <= positions->n; lag++)
		positions->products[lag - 1] +=
			(double)at * positions->last[(positions->n - lag) % LAGS];
	if (positions->n < LAGS)
		positions->first[positions->n] = at;
	positions->last[positions->n % LAGS] = at;
	positions->sum += at;
	positions->squares += (double)at * at;
	positions->n++;
}

double positions_correlation(const struct positions *positions, uint32_t lag)
{
	const double n = (double)positions->n, mean = positions->sum / n;
	const double variance = positions->squares - n * mean * mean;
	double behind = positions->sum, before = positions->sum;

	if (positions->n <= 2 * LAGS || variance <= 1e-9 * positions->squares)
		return NAN;
	/* all but the first, and all but the last, of so many */
	for (uint32_t k = 0; k < lag; k++) {
		behind -= positions->first[k];
		before -= positions->last[(positions->n - 1 - k) % LAGS];
	}
	return (positions->products[lag - 1] - mean * (behind + before) + (n - lag) * mean * mean) / variance;
}

uint32_t positions_last(const struct positions *positions, uint16_t last[LAGS])
{
	const uint32_t count = positions->n < LAGS ? (uint32_t)positions->n : LAGS;

	for (uint32_t n = 0; n < count; n++)
		last[n] = positions->last[(positions->n - count + n) % LAGS];
	return count;
}

void positions_restore(struct counts *counts, const uint16_t last[LAGS])
{
	struct positions *positions = &counts->positions;
	uint32_t known;

	positions->n = 0;
	positions->sum = positions->squares = 0;
	for (uint32_t site = 0; site < SITES_MOST; site++) {
		const double times = (double)counts->sites[site];

		positions->n += counts->sites[site];
		positions->sum += times * site;
		positions->squares += times * site * site;
	}
	known = positions->n < LAGS ? (uint32_t)positions->n : LAGS;
	for (uint32_t n = 0; n < known; n++)
		positions->last[(positions->n - known + n) % LAGS] = last[n];
}

/* The instruction that a sample means by its address, or SIZE_MAX */
static size_t site_of(const struct bench_event *event, const struct kernel *kernel, uint64_t ip)
{
	const size_t site = kernel_site_at(kernel, ip);
	const struct kernel_site *before;

	if (event->place != PLACE_BEHIND || site == SIZE_MAX)
		return site;
	before = &kernel->sites[site] - 1;
	return site && before->offset + before->length == kernel->sites[site].offset ? site - 1 : SIZE_MAX;
}

static int does_it(const struct kernel *kernel, size_t site, enum quantity quantity)
{
	return kernel_site_truth(kernel, site, quantity, 2, 2) > 0;
}

/* The instruction before, in the loop: before its first one its last one */
static size_t site_before(const struct kernel *kernel, size_t site)
{
	size_t last = site;

	if (site && kernel->sites[site - 1].part == PART_TURN)
		return site - 1;
	while (last + 1 < kernel_site_count(kernel) && kernel->sites[last + 1].part == PART_TURN)
		last++;
	return last;
}

static void add_skid(struct counts *counts, const struct kernel *kernel, size_t site, enum quantity quantity)
{
	uint32_t skid = 0;

	while (skid + 1 < SKIDS && !does_it(kernel, site, quantity)) {
		site = site_before(kernel, site);
		skid++;
	}
	counts->skid[skid]++;
}

static int is_outside(const struct kernel *kernel, uint64_t ip)
{
	return ip - (uint64_t)(uintptr_t)kernel->code >= kernel_bytes(kernel);
}

/* Loads before the loop and behind it, of which nobody knows whether the line is in the L1 */
static int may_miss(const struct kernel_site *site, enum quantity quantity)
{
	return quantity == QUANTITY_L1_MISSES && site->part == PART_FIXED && site->class & CLASS_LOAD &&
	       !(site->class & CLASS_MISS);
}

static void add_place(struct counts *counts, const struct bench_event *event, const struct kernel *kernel,
		      uint64_t ip)
{
	const size_t site = site_of(event, kernel, ip);

	if (is_outside(kernel, ip)) {
		counts->outside++;
	} else if (site == SIZE_MAX || site >= SITES_MOST) {
		counts->between++;
	} else if (may_miss(&kernel->sites[site], event->quantity)) {
		counts->outside++;
	} else {
		counts->sites[site]++;
		add_position(&counts->positions, (uint16_t)site);
		if (event->place == PLACE_NOWHERE)
			return;
		if (does_it(kernel, site, event->quantity))
			counts->right++;
		else
			counts->wrong++;
		add_skid(counts, kernel, site, event->quantity);
	}
}

/* A breakpoint has one address, whoever gets there; pages are also touched by what else is executed. */
static int address_is_wrong(const struct bench_event *event, const struct kernel *kernel,
			    const struct kernel_state *state, const struct seen_sample *sample)
{
	if (event->word >= 0)
		return sample->address - kernel_word(state, (size_t)event->word) >= sizeof(uint64_t);
	if (event->quantity == QUANTITY_PAGES && !is_outside(kernel, sample->ip))
		return sample->address - (uint64_t)(uintptr_t)state->memory >= state->bytes;
	return 0;
}

void counts_add_sample(struct counts *counts, const struct bench_event *event, const struct kernel *kernel,
		       const struct kernel_state *state, const struct seen_sample *sample)
{
	counts->samples++;
	if (sample->mode == MODE_USER)
		counts->user_mode++;
	else if (sample->mode == MODE_KERNEL)
		counts->kernel_mode++;
	else
		counts->other_mode++;
	add_place(counts, event, kernel, sample->ip);
	counts->wrong_address += (uint64_t)address_is_wrong(event, kernel, state, sample);
}

/* It stays full. */
static uint64_t sum_of(uint64_t a, uint64_t b)
{
	return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

void counts_add(struct counts *to, const struct counts *from)
{
#define COUNT(name, meaning) to->name = sum_of(to->name, from->name);
#include "counts.def"
#undef COUNT
	for (uint32_t skid = 0; skid < SKIDS; skid++)
		to->skid[skid] += from->skid[skid];
	for (uint32_t site = 0; site < SITES_MOST; site++)
		to->sites[site] += from->sites[site];
}
