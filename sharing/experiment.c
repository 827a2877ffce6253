/* SPDX-License-Identifier: BSD-3-Clause */
/* See experiment.h. */
#include "experiment.h"

#include <stdlib.h>
#include <string.h>

#define WORD_BYTES 8u
#define LINE_BYTES (EXPERIMENT_WORDS * WORD_BYTES)

/* Registers of a thread: of the word stored to, and of another or the line, both of their kinds */
enum { ALL_OF_FIRST, STORES_OF_FIRST, ALL_OF_SECOND, STORES_OF_SECOND };

static struct watch_register watch_of(uint64_t address, uint32_t bytes, enum watch_kind kind)
{
	return (struct watch_register){ address, bytes, kind };
}

/*
 * Nineteen of twenty draws are as often as words were seen accessed: a store to a word that is not watched is
 * missed, and lets an experiment go on that it ends. The twentieth is even, so that each word has a chance.
 */
#define SEEN 0.95

static double chance_of(const struct experiment_setup *setup, const struct experiment_hints *hints,
			uint32_t word)
{
	const double even = 1.0 / (EXPERIMENT_WORDS - 1);
	double all = 0;

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++)
		all += n == setup->word ? 0 : hints->counts[n];
	return all > 0 ? SEEN * hints->counts[word] / all + (1 - SEEN) * even : even;
}

/* The access that the thread makes most, of those that meet the word: from where on */
static uint32_t most_at(const struct experiment_hints *hints, uint32_t word)
{
	uint32_t most = word;

	for (uint32_t n = 0; n <= word; n++) {
		if (n + hints->words[n] > word && hints->counts[n] > hints->counts[most])
			most = n;
	}
	return most;
}

/* That a word is drawn that it meets: of one of several words any would have seen it. */
static double chance_to_see(const struct experiment_setup *setup,
			    const struct experiment_hints *hints, uint32_t word)
{
	const uint32_t from = most_at(hints, word);
	const uint32_t words = hints->words[from] ? hints->words[from] : 1;
	double chance = 0;

	for (uint32_t n = from; n < from + words && n < EXPERIMENT_WORDS; n++)
		chance += n == setup->word ? 0 : chance_of(setup, hints, n);
	return chance;
}

static void draw_other(const struct experiment_setup *setup, const struct experiment_hints *hints,
		       struct random *random, struct experiment_other *other)
{
	double drawn = random_uniform(random);

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++) {
		const double chance = n == setup->word ? 0 : chance_of(setup, hints, n);

		if (chance > 0) {
			other->word = n;
			other->chance = chance_to_see(setup, hints, n);
		}
		if (drawn < chance)
			return;
		drawn -= chance;
	}
}

static uint64_t word_at(const struct experiment_setup *setup, uint32_t word)
{
	return setup->line + WORD_BYTES * word;
}

/* That which was stored to, and the three others that it accesses most: any store there ends it. */
static void watch_writer(const struct experiment_setup *setup,
			 const struct experiment_hints *hints,
			 struct watch_register registers[WATCH_REGISTERS])
{
	uint32_t taken = 1u << setup->word;

	registers[0] = watch_of(word_at(setup, setup->word), WORD_BYTES, WATCH_STORES);
	for (uint32_t n = 1; n < WATCH_REGISTERS; n++) {
		uint32_t most = EXPERIMENT_WORDS;

		for (uint32_t word = 0; word < EXPERIMENT_WORDS; word++) {
			if (!(taken >> word & 1) &&
			    (most == EXPERIMENT_WORDS ||
			     hints->counts[word] > hints->counts[most]))
				most = word;
		}
		taken |= 1u << most;
		registers[n] = watch_of(word_at(setup, most), WORD_BYTES, WATCH_STORES);
	}
}

static void watch_words(const struct experiment_setup *setup, const struct experiment_other *other,
			struct watch_register registers[WATCH_REGISTERS])
{
	const uint64_t first = word_at(setup, setup->word), second = word_at(setup, other->word);

	registers[ALL_OF_FIRST] = watch_of(first, WORD_BYTES, WATCH_ALL);
	registers[STORES_OF_FIRST] = watch_of(first, WORD_BYTES, WATCH_STORES);
	registers[ALL_OF_SECOND] = watch_of(second, WORD_BYTES, WATCH_ALL);
	registers[STORES_OF_SECOND] = watch_of(second, WORD_BYTES, WATCH_STORES);
}

static void watch_line(const struct experiment_setup *setup, int is_writer,
		       struct watch_register registers[WATCH_REGISTERS])
{
	const struct watch_register nothing = watch_of(setup->line, WORD_BYTES, WATCH_NOTHING);

	registers[ALL_OF_FIRST] = watch_of(word_at(setup, setup->word), WORD_BYTES,
					   is_writer ? WATCH_STORES : WATCH_ALL);
	registers[STORES_OF_FIRST] = nothing;
	registers[ALL_OF_SECOND] =
		is_writer ? nothing : watch_of(setup->line, LINE_BYTES, WATCH_ALL);
	registers[STORES_OF_SECOND] = watch_of(setup->line, LINE_BYTES, WATCH_STORES);
}

void experiment_learn(struct experiment_hints *hints, uint64_t address, uint32_t bytes)
{
	const uint32_t at = (uint32_t)(address % LINE_BYTES), word = at / WORD_BYTES;
	const uint32_t last = (at + (bytes ? bytes : 1) - 1) / WORD_BYTES;
	const uint32_t words = (last < EXPERIMENT_WORDS ? last + 1 : EXPERIMENT_WORDS) - word;

	hints->counts[word]++;
	if (words > hints->words[word])
		hints->words[word] = (uint8_t)words;
}

void experiment_begin(struct experiment_setup *setup, uint64_t address, uint32_t writer,
		      int is_whole)
{
	setup->line = address - address % LINE_BYTES;
	setup->writer = writer;
	setup->is_whole = is_whole;
	setup->word = (uint32_t)(address % LINE_BYTES / WORD_BYTES);
	setup->count = 0;
}

void experiment_watch(struct experiment_setup *setup, uint32_t tid,
		      const struct experiment_hints *hints, struct random *random,
		      struct watch_register registers[WATCH_REGISTERS])
{
	struct experiment_other other = { .tid = tid, .chance = 1 };
	const int is_writer = tid == setup->writer;

	if (setup->is_whole) {
		watch_line(setup, is_writer, registers);
	} else if (is_writer) {
		watch_writer(setup, hints, registers);
	} else {
		draw_other(setup, hints, random, &other);
		watch_words(setup, &other, registers);
	}
	if (!is_writer && setup->count < EXPERIMENT_SEEN_MOST)
		setup->others[setup->count++] = other;
}

/* --- hits --- */

static int by_time(const void *a, const void *b)
{
	const struct watch_hit *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	if (left->tid != right->tid)
		return left->tid < right->tid ? -1 : 1;
	return (left->slot > right->slot) - (left->slot < right->slot);
}

/*
 * The first ones are. What has come since is put in order by itself, and then where it belongs, which is not
 * far from the end: rings are read one behind the other, and that takes less time than a trap.
 */
static void put_in_order(struct watch_hit *hits, size_t in_order, size_t count)
{
	if (count > in_order)
		qsort(hits + in_order, count - in_order, sizeof(*hits), by_time);
	for (size_t n = in_order; n < count && n && by_time(&hits[n], &hits[n - 1]) < 0; n++) {
		const struct watch_hit late = hits[n];
		size_t to = n;

		for (; to && by_time(&late, &hits[to - 1]) < 0; to--)
			hits[to] = hits[to - 1];
		hits[to] = late;
	}
}

static int is_anchor(const struct experiment_setup *setup, const struct watch_hit *hit)
{
	return hit->tid == setup->writer && hit->slot == 0;
}

static int is_store(const struct experiment_setup *setup, const struct watch_hit *hit)
{
	return hit->tid == setup->writer || hit->slot == STORES_OF_FIRST ||
	       hit->slot == STORES_OF_SECOND;
}

/*
 * Registers that one access meets are told one behind the other, each within that time and once, and not by
 * accesses that come that close behind each other: between these is a trap.
 */
#define SAME_ACCESS_NS 2000u

/* Both are among hits in order. */
static int is_same_access(const struct watch_hit *first, const struct watch_hit *hit)
{
	uint32_t slots = 1u << first->slot;
	uint64_t last = first->time;

	for (const struct watch_hit *at = first + 1; at <= hit; at++) {
		if (at->tid != first->tid)
			continue;
		if (slots >> at->slot & 1 || at->time - last > SAME_ACCESS_NS)
			return 0;
		slots |= 1u << at->slot;
		last = at->time;
	}
	return hit->tid == first->tid;
}

/* The anchor's number; 'count': there is none */
static size_t find_anchor(const struct experiment_setup *setup, const struct watch_hit *hits,
			  size_t count)
{
	size_t n = 0;

	while (n < count && !is_anchor(setup, &hits[n]))
		n++;
	return n;
}

/* The store behind the anchor that ends it; 'count': there is none */
static size_t find_end(const struct experiment_setup *setup, const struct watch_hit *hits,
		       size_t count, size_t anchor)
{
	size_t n = anchor + 1;

	while (n < count && (!is_store(setup, &hits[n]) || is_same_access(&hits[anchor], &hits[n])))
		n++;
	return n;
}

int experiment_has_ended(const struct experiment_setup *setup, struct watch_hit *hits,
			 size_t in_order, size_t count, uint64_t *anchor)
{
	size_t at;

	put_in_order(hits, in_order, count);
	at = find_anchor(setup, hits, count);
	*anchor = at < count ? hits[at].time : 0;
	return at < count && find_end(setup, hits, count, at) < count;
}

/* --- what was seen --- */

static struct experiment_seen *seen_of(struct experiment_result *result, uint32_t tid)
{
	for (uint32_t n = 0; n < result->count; n++) {
		if (result->seen[n].tid == tid)
			return &result->seen[n];
	}
	if (result->count == EXPERIMENT_SEEN_MOST)
		return NULL;
	result->seen[result->count] = (struct experiment_seen){ .tid = tid };
	return &result->seen[result->count++];
}

/* The chance with which a thread's other word was drawn */
static double chance_in(const struct experiment_setup *setup, uint32_t tid)
{
	for (uint32_t n = 0; n < setup->count; n++) {
		if (setup->others[n].tid == tid)
			return setup->others[n].chance;
	}
	return 1;
}

/* The first access of each thread: what is in the word that was stored to, and what is not */
static void see(const struct experiment_setup *setup, struct experiment_result *result,
		const struct watch_hit *hit, const struct watch_hit *first)
{
	const int meets = hit->slot == ALL_OF_FIRST || hit->slot == STORES_OF_FIRST;
	struct experiment_seen *seen = seen_of(result, hit->tid);

	if (!seen || (seen->weight > 0 && !is_same_access(first, hit)))
		return;
	seen->meets |= meets;
	seen->weight = seen->meets ? 1 : 1 / chance_in(setup, hit->tid);
}

static const struct watch_hit *first_of(const struct watch_hit *hits, const struct watch_hit *hit)
{
	while (hits->tid != hit->tid)
		hits++;
	return hits;
}

/* Of one register as many hits as it has: it may have been off before the end. */
static uint32_t count_used_up(const struct experiment_setup *setup, const struct watch_hit *hits,
			      size_t count, const struct experiment_result *result)
{
	uint32_t used_up = 0;

	for (size_t n = 0; n < count; n++) {
		uint32_t same = 0, was_seen = 0;

		if (hits[n].tid == setup->writer || first_of(hits, &hits[n]) != &hits[n])
			continue;
		for (size_t at = n; at < count; at++)
			same += hits[at].tid == hits[n].tid && hits[at].slot == hits[n].slot;
		for (uint32_t at = 0; at < result->count; at++)
			was_seen |= result->seen[at].tid == hits[n].tid;
		used_up += same >= WATCH_HITS_MOST && !was_seen;
	}
	return used_up;
}

void experiment_judge(const struct experiment_setup *setup, struct watch_hit *hits, size_t count,
		      struct experiment_result *result)
{
	size_t anchor, end;

	memset(result, 0, sizeof(*result));
	put_in_order(hits, 0, count);
	anchor = find_anchor(setup, hits, count);
	if (anchor == count) {
		result->end = EXPERIMENT_NO_ANCHOR;
		return;
	}
	result->anchor = hits[anchor].time;
	end = find_end(setup, hits, count, anchor);
	result->end = end < count ? EXPERIMENT_STORED : EXPERIMENT_TIMED_OUT;
	for (size_t n = anchor + 1; n < count; n++) {
		/* of the store that ends it what it meets besides is told behind it */
		if (n > end && !is_same_access(&hits[end], &hits[n]))
			continue;
		if (hits[n].tid != setup->writer)
			see(setup, result, &hits[n], first_of(hits + anchor + 1, &hits[n]));
	}
	result->used_up = count_used_up(setup, hits, count, result);
}
