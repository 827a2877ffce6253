/* SPDX-License-Identifier: BSD-3-Clause */
/* See past.h. */
#include <string.h>

#include <precis/error.h>

#include "objects.h"
#include "past.h"

/*
 * So long are searches at most, whatever is recorded: of what was before that many others nothing is
 * known.
 */
#define DEPTH_MOST 4096u

/* The first range that ends above the address */
static const struct range *first_above(const struct ranges *ranges, uint64_t address)
{
	const struct range *found = precis_ranges_find(ranges, address);

	return found ? found : precis_ranges_above(ranges, address);
}

/* The first of a past's that ends above the address: a number, its 'count' if there is none */
static uint32_t first_of(const struct past *past, uint64_t address)
{
	uint32_t low = 0, high = past->count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (past->range[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Memory that is no file's is what compilers at run time have: what perf inject makes of their functions
 * comes to it once, so that nothing was there before.
 */
static int is_other_code(const struct range *is, const struct range *range)
{
	return is->object->kind == OBJECT_FILE && is->since < range->since &&
	       (is->object != range->object ||
		is->offset - is->start != range->offset - range->start);
}

static struct range cut(const struct range *is, const struct range *to)
{
	struct range part = *is;

	if (part.start < to->start) {
		part.offset += to->start - part.start;
		part.start = to->start;
	}
	if (part.end > to->end)
		part.end = to->end;
	return part;
}

/*
 * What a range that is covered leaves: itself, or if it is of the same time, so that nobody can have
 * been there, what it has covered. 'to' NULL: they are counted.
 */
static uint32_t leave(const struct range *is, const struct range *range, struct range *to)
{
	uint32_t count = 0;

	if (is->since < range->since) {
		if (to)
			*to = cut(is, range);
		return 1;
	}
	for (uint32_t n = is->past ? first_of(is->past, range->start) : 0;
	     is->past && n < is->past->count && is->past->range[n].start < range->end; n++) {
		/* of a range that has been cut in two each has all of the past */
		struct range part = cut(&is->past->range[n], is);

		if (part.start < part.end && part.start < range->end && part.end > range->start) {
			if (to)
				to[count] = cut(&part, range);
			count++;
		}
	}
	return count;
}

static uint32_t leave_all(const struct ranges *ranges, const struct range *range, struct range *to)
{
	uint32_t count = 0;

	for (const struct range *is = first_above(ranges, range->start);
	     is && is->start < range->end; is = precis_ranges_above(ranges, is->start))
		count += leave(is, range, to ? to + count : NULL);
	return count;
}

static uint32_t depth_of(const struct past *past)
{
	uint32_t depth = 0;

	for (uint32_t n = 0; n < past->count; n++) {
		const struct past *before = past->range[n].past;

		if (before && before->depth > depth)
			depth = before->depth;
	}
	return depth + 1;
}

int precis_past_keep(struct pasts *pasts, const struct ranges *ranges, struct range *range,
		     struct budget *budget)
{
	struct past *past;
	uint32_t count;
	int is_kept = 0;

	for (const struct range *is = first_above(ranges, range->start);
	     is && is->start < range->end; is = precis_ranges_above(ranges, is->start)) {
		is_kept |= is->past || is_other_code(is, range);
		if (is->since > range->since)
			range->since = is->since;
	}
	range->past = NULL;
	count = is_kept ? leave_all(ranges, range, NULL) : 0;
	if (count == 0)
		return 0;
	past = budget_alloc(budget, sizeof(*past) + count * sizeof(*past->range));
	if (!past)
		return PRECIS_E_NO_MEMORY;
	past->count = count;
	leave_all(ranges, range, past->range);
	past->depth = depth_of(past);
	if (past->depth > DEPTH_MOST) {
		budget_free(budget, past, sizeof(*past) + count * sizeof(*past->range));
		return PRECIS_E_NO_MEMORY;
	}
	past->next = pasts->all;
	pasts->all = past;
	range->past = past;
	return 0;
}

const struct range *precis_past_find(const struct range *range, uint64_t address, uint64_t time)
{
	while (range && range->past && range->since > time) {
		const struct past *past = range->past;
		const uint32_t n = first_of(past, address);

		if (n == past->count || past->range[n].start > address)
			break;
		range = &past->range[n];
	}
	return range;
}

void precis_pasts_free(struct pasts *pasts)
{
	while (pasts->all) {
		struct past *next = pasts->all->next;

		free(pasts->all);
		pasts->all = next;
	}
}
