/* SPDX-License-Identifier: BSD-3-Clause */
/* See experiment.h. */
#include "experiment.h"

#include <stdlib.h>
#include <string.h>

#define WORD_BYTES 8u
#define LINE_BYTES (EXPERIMENT_WORDS * WORD_BYTES)

/*
 * Registers of a thread: of the word stored to, and of another or the line, both of their kinds. Beside those
 * of a line the second one takes what the first one cannot of the words stored to.
 */
enum {
	ALL_OF_FIRST,
	STORES_OF_FIRST,
	MORE_OF_FIRST = STORES_OF_FIRST,
	ALL_OF_SECOND,
	STORES_OF_SECOND
};

static struct watch_register watch_of(uint64_t address, uint32_t bytes, enum watch_kind kind)
{
	return (struct watch_register){ address, bytes, kind };
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

/*
 * From so many stores to a line on a thread that has made none of these makes few, if any: of those that are
 * missed by taking it for one that loads alone there is less than one in thirty.
 */
#define LINE_STORES_LEAST 32u

/* Its stores need no registers, which others of its words can have. */
static int is_worth_more_words(const struct experiment_setup *setup,
			       const struct experiment_hints *hints)
{
	return setup->line_stores >= LINE_STORES_LEAST && !hints->stores &&
	       drawn_words_places(hints, setup->word) > 1;
}

/* It loads alone: each register is of a word of its own. */
static void watch_more_words(const struct experiment_setup *setup,
			     const struct experiment_other *other,
			     struct watch_register registers[WATCH_REGISTERS])
{
	registers[ALL_OF_FIRST] = watch_of(word_at(setup, setup->word), WORD_BYTES, WATCH_ALL);
	for (uint32_t n = 0; n < DRAWN_WORDS_MOST; n++)
		registers[ALL_OF_FIRST + 1 + n] =
			watch_of(word_at(setup, other->drawn.word[n]), WORD_BYTES, WATCH_ALL);
}

static void watch_words(const struct experiment_setup *setup, const struct experiment_other *other,
			struct watch_register registers[WATCH_REGISTERS])
{
	const uint64_t first = word_at(setup, setup->word),
		       second = word_at(setup, other->drawn.word[0]);

	registers[ALL_OF_FIRST] = watch_of(first, WORD_BYTES, WATCH_ALL);
	registers[STORES_OF_FIRST] = watch_of(first, WORD_BYTES, WATCH_STORES);
	registers[ALL_OF_SECOND] = watch_of(second, WORD_BYTES, WATCH_ALL);
	registers[STORES_OF_SECOND] = watch_of(second, WORD_BYTES, WATCH_STORES);
}

/* Registers take powers of two, aligned: the most of these words that one does, from the first on */
static struct watch_register watch_most(const struct experiment_setup *setup, uint32_t words)
{
	const uint32_t first = (uint32_t)__builtin_ctz(words);
	uint32_t most = 1;

	while (most < EXPERIMENT_WORDS && first % (2 * most) == 0 &&
	       !(drawn_words_from(first, 2 * most) & ~words))
		most *= 2;
	return watch_of(word_at(setup, first), WORD_BYTES * most, WATCH_ALL);
}

/* Of stores whose words want three registers or more, those of the first two are what is met. */
static void watch_stored(const struct experiment_setup *setup,
			 struct watch_register registers[WATCH_REGISTERS])
{
	uint32_t words = setup->stored;

	registers[ALL_OF_FIRST] = watch_most(setup, words);
	words &= ~drawn_words_from((uint32_t)__builtin_ctz(words),
				   registers[ALL_OF_FIRST].bytes / WORD_BYTES);
	if (words)
		registers[MORE_OF_FIRST] = watch_most(setup, words);
}

static void watch_line(const struct experiment_setup *setup, int is_writer,
		       struct watch_register registers[WATCH_REGISTERS])
{
	const struct watch_register nothing = watch_of(setup->line, WORD_BYTES, WATCH_NOTHING);

	registers[ALL_OF_FIRST] = watch_of(word_at(setup, setup->word), WORD_BYTES, WATCH_STORES);
	registers[MORE_OF_FIRST] = nothing;
	if (!is_writer)
		watch_stored(setup, registers);
	registers[ALL_OF_SECOND] =
		is_writer ? nothing : watch_of(setup->line, LINE_BYTES, WATCH_ALL);
	registers[STORES_OF_SECOND] = watch_of(setup->line, LINE_BYTES, WATCH_STORES);
}

/* Of the access's line: how many */
static uint32_t words_of(uint64_t address, uint32_t bytes)
{
	const uint32_t at = (uint32_t)(address % LINE_BYTES);
	const uint32_t last = (at + (bytes ? bytes : 1) - 1) / WORD_BYTES;

	return (last < EXPERIMENT_WORDS ? last + 1 : EXPERIMENT_WORDS) - at / WORD_BYTES;
}

void experiment_learn(struct experiment_hints *hints, uint64_t address, uint32_t bytes,
		      int is_store)
{
	const uint32_t word = (uint32_t)(address % LINE_BYTES / WORD_BYTES);
	const uint32_t words = words_of(address, bytes);

	hints->counts[word]++;
	hints->stores += is_store != 0;
	if (words > hints->words[word])
		hints->words[word] = (uint8_t)words;
}

void experiment_begin(struct experiment_setup *setup, uint64_t address, uint32_t bytes,
		      uint32_t writer, uint64_t line_stores, int is_whole)
{
	setup->line = address - address % LINE_BYTES;
	setup->writer = writer;
	setup->is_whole = is_whole;
	setup->line_stores = line_stores;
	setup->word = (uint32_t)(address % LINE_BYTES / WORD_BYTES);
	setup->stored = drawn_words_from(setup->word, words_of(address, bytes));
	setup->count = 0;
	setup->stored_at = setup->armed_at = setup->window_ns = 0;
	setup->same_ns = EXPERIMENT_SAME_ACCESS_NS;
}

/* Of a thread all of whose accesses are met */
static struct experiment_other all_of(uint32_t tid)
{
	return (struct experiment_other){ .tid = tid, .drawn = { .least = 1, .most = 1 } };
}

void experiment_watch(struct experiment_setup *setup, uint32_t tid,
		      const struct experiment_hints *hints, struct random *random,
		      struct watch_register registers[WATCH_REGISTERS])
{
	struct experiment_other other = all_of(tid);
	const int is_writer = tid == setup->writer;

	if (setup->is_whole) {
		watch_line(setup, is_writer, registers);
	} else if (is_writer) {
		watch_writer(setup, hints, registers);
	} else {
		other.loads_alone = is_worth_more_words(setup, hints);
		drawn_words_draw(&other.drawn, hints, setup->word, setup->stored,
				 other.loads_alone ? DRAWN_WORDS_MOST : 1, random);
		if (other.loads_alone)
			watch_more_words(setup, &other, registers);
		else
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

/* What else is watched in a thread than what was stored to */
static const struct experiment_other *other_of(const struct experiment_setup *setup, uint32_t tid)
{
	static const struct experiment_other none = { .drawn = { .least = 1, .most = 1 } };

	for (uint32_t n = 0; n < setup->count; n++) {
		if (setup->others[n].tid == tid)
			return &setup->others[n];
	}
	return &none;
}

static int is_store(const struct experiment_setup *setup, const struct watch_hit *hit)
{
	if (hit->tid == setup->writer)
		return 1;
	return (hit->slot == STORES_OF_SECOND ||
		(hit->slot == STORES_OF_FIRST && !setup->is_whole)) &&
	       !other_of(setup, hit->tid)->loads_alone;
}

/*
 * Registers that one access meets are told one behind the other, each within that time and once, and not by
 * accesses that come that close behind each other: between these is a trap. It is longer where the kernel is
 * interrupted in between, or its hypervisor: of a thread all of whose accesses meet the first word, an
 * instruction that met the second one has not done with it before it has met that, too.
 */
static uint64_t longest_ns(const struct experiment_setup *setup, const struct watch_hit *first)
{
	const int is_one = first->tid != setup->writer && other_of(setup, first->tid)->drawn.is_one;

	return is_one && first->ip ? UINT64_MAX : setup->same_ns;
}

/* Both are among hits in order. */
static int is_same_access(const struct experiment_setup *setup, const struct watch_hit *first,
			  const struct watch_hit *hit)
{
	const uint64_t longest = longest_ns(setup, first);
	uint32_t slots = 1u << first->slot;
	uint64_t last = first->time;

	for (const struct watch_hit *at = first + 1; at <= hit; at++) {
		if (at->tid != first->tid)
			continue;
		if (slots >> at->slot & 1 || at->time - last > longest || at->ip != first->ip)
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

	while (n < count &&
	       (!is_store(setup, &hits[n]) || is_same_access(setup, &hits[anchor], &hits[n])))
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

/* The first was to what was stored to; what was not watched may have been accessed before. */
static void see_met(struct experiment_seen *seen, const struct experiment_other *other)
{
	seen->meets = 1;
	seen->other = seen->unsure_kind = other->drawn.unwatched / 2;
}

/* Which of the words that were drawn for it, where that is known */
static uint32_t reach_of(const struct experiment_other *other, const struct watch_hit *hit)
{
	if (!other->drawn.count)
		return 0;
	return other->drawn.reach[other->loads_alone ? hit->slot - (ALL_OF_FIRST + 1) : 0];
}

/*
 * Between all of the thread's words, of which any would have told, and those that did, watched by chance. Of
 * one access where most are watched there was hardly another.
 */
static void see_other(struct experiment_seen *seen, const struct experiment_other *other,
		      int is_alone)
{
	const struct drawn_words *drawn = &other->drawn;
	double least = drawn->least, most = drawn->most;

	if (!(least > 0)) {
		least = 1 / drawn_words_chance(drawn, drawn->beside | seen->words);
		most = 1 / drawn_words_chance(drawn, seen->words);
	}
	seen->weight = is_alone && other->loads_alone && most < 2 ? most : (least + most) / 2;
	seen->unsure = (most - least) / 2;
}

/* The first access of each thread. Of one that accesses what was stored to, before or behind, it is one. */
static void see(const struct experiment_setup *setup, struct experiment_result *result,
		const struct watch_hit *hit, const struct watch_hit *first)
{
	const struct experiment_other *other = other_of(setup, hit->tid);
	const int is_alone = is_same_access(setup, first, hit);
	struct experiment_seen *seen = seen_of(result, hit->tid);

	if (!seen || (seen->is_certain && !is_alone))
		return;
	if (hit->slot == ALL_OF_FIRST || (hit->slot == STORES_OF_FIRST && !other->loads_alone)) {
		if (is_alone)
			see_met(seen, other);
		seen->is_certain = 1;
		seen->weight = 1;
		seen->unsure = 0;
		return;
	}
	if (!(seen->weight > 0))
		seen->meets = (reach_of(other, hit) & setup->stored) != 0;
	seen->words |= reach_of(other, hit);
	if (!seen->is_certain)
		see_other(seen, other, is_alone);
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

/* From the first one of these to the end, at which others follow that its access meets besides */
static void see_all(const struct experiment_setup *setup, struct experiment_result *result,
		    const struct watch_hit *hits, size_t first, size_t end, size_t count,
		    uint64_t begun)
{
	for (size_t n = first; n < count; n++) {
		if (n > end && !is_same_access(setup, &hits[end], &hits[n]))
			continue;
		if (setup->window_ns && hits[n].time > begun + setup->window_ns)
			break;
		if (hits[n].tid != setup->writer)
			see(setup, result, &hits[n], first_of(hits + first, &hits[n]));
	}
}

static uint32_t count_stores(const struct experiment_setup *setup, const struct watch_hit *hits,
			     size_t count)
{
	const struct watch_hit *last = NULL;
	uint32_t stores = 0;

	for (size_t n = 0; n < count; n++) {
		if (!is_store(setup, &hits[n]) || (last && is_same_access(setup, last, &hits[n])))
			continue;
		last = &hits[n];
		stores++;
	}
	return stores;
}

/* That nobody stored between the store that was sampled and when it was watched, as often as somebody does */
static double chance_unstored(const struct experiment_setup *setup, uint32_t stores)
{
	const double before = (double)(setup->armed_at - setup->stored_at);

	return 1 / (1 + stores * before / (double)setup->window_ns);
}

/* No anchor: the store that was sampled */
static void see_sampled(const struct experiment_setup *setup, struct experiment_result *result,
			const struct watch_hit *hits, size_t count)
{
	size_t end = 0;
	double chance;

	if (!setup->window_ns || setup->armed_at < setup->stored_at)
		return;
	while (end < count && !is_store(setup, &hits[end]))
		end++;
	see_all(setup, result, hits, 0, end, count, setup->armed_at);
	chance = chance_unstored(setup, count_stores(setup, hits, count));
	for (uint32_t n = 0; n < result->count; n++) {
		result->seen[n].weight *= chance;
		result->seen[n].unsure *= chance;
		result->seen[n].other *= chance;
		result->seen[n].unsure_kind *= chance;
	}
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
		see_sampled(setup, result, hits, count);
		return;
	}
	result->anchor = hits[anchor].time;
	end = find_end(setup, hits, count, anchor);
	result->end = end < count ? EXPERIMENT_STORED : EXPERIMENT_TIMED_OUT;
	see_all(setup, result, hits, anchor + 1, end, count, result->anchor);
	result->used_up = count_used_up(setup, hits, count, result);
}
