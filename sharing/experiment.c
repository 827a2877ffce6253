/* SPDX-License-Identifier: BSD-3-Clause */
/* What hits say; see experiment.h. */
#include "experiment.h"

#include <stdlib.h>
#include <string.h>

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
 * The first ones are. What has come since is put in order by itself, and then where it belongs, which is
 * not far from the end: rings are read one behind the other, and that takes less time than a trap.
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
	static const struct experiment_other none = { .first_slots = WATCH_REGISTERS / 2,
						      .stores = 1u << (WATCH_REGISTERS - 1),
						      .drawn = { .least = 1, .most = 1 } };

	for (uint32_t n = 0; n < setup->count; n++) {
		if (setup->others[n].tid == tid)
			return &setup->others[n];
	}
	return &none;
}

static int is_store(const struct experiment_setup *setup, const struct watch_hit *hit)
{
	return hit->tid == setup->writer || other_of(setup, hit->tid)->stores >> hit->slot & 1;
}

/*
 * Registers that one access meets are told one behind the other, each within that time and once, and not
 * by accesses that come that close behind each other: between these is a trap. It is longer where the
 * kernel is interrupted in between, or its hypervisor: of a thread all of whose accesses meet the first
 * word, an instruction that met the second one has not done with it before it has met that, too.
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

/* Of all threads but that one; 0: of all */
static uint32_t count_stores(const struct experiment_setup *setup, const struct watch_hit *hits,
			     size_t count, uint32_t without)
{
	const struct watch_hit *last = NULL;
	uint32_t stores = 0;

	for (size_t n = 0; n < count; n++) {
		if (hits[n].tid == without || !is_store(setup, &hits[n]) ||
		    (last && is_same_access(setup, last, &hits[n])))
			continue;
		last = &hits[n];
		stores++;
	}
	return stores;
}

/* So many of others came before the anchor. */
static int is_absent(const struct experiment_setup *setup, const struct watch_hit *hits,
		     size_t anchor)
{
	return setup->patience &&
	       count_stores(setup, hits, anchor, setup->writer) > setup->patience;
}

int experiment_has_ended(const struct experiment_setup *setup, struct watch_hit *hits,
			 size_t in_order, size_t count, uint64_t *anchor)
{
	size_t at;

	put_in_order(hits, in_order, count);
	at = find_anchor(setup, hits, count);
	*anchor = at < count ? hits[at].time : 0;
	return is_absent(setup, hits, at) ||
	       (at < count && find_end(setup, hits, count, at) < count);
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
	return other->drawn.reach[other->drawn.count > 1 ? hit->slot - other->first_slots : 0];
}

/* Where two registers are of the same words */
static void see_kind(const struct experiment_setup *setup, struct experiment_seen *seen,
		     const struct experiment_other *other, const struct watch_hit *hit)
{
	const int is_first = hit->slot < other->first_slots;
	const uint32_t words = is_first ? 1u << setup->word : reach_of(other, hit);

	if (is_first ? other->first_slots == 1 : other->drawn.count > 1)
		return;
	seen->of_both_kinds |= words;
	seen->stored |= other->stores >> hit->slot & 1 ? words : 0;
}

/*
 * Between all of the thread's words, of which any would have told, and those that did, watched by
 * chance. Of one access where most are watched there was hardly another.
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
	seen->weight = is_alone && drawn->count > 1 && most < 2 ? most : (least + most) / 2;
	seen->unsure = (most - least) / 2;
}

/*
 * The first access of each thread. Of one that accesses what was stored to, before or behind, it is
 * one.
 */
static void see(const struct experiment_setup *setup, struct experiment_result *result,
		const struct watch_hit *hit, const struct watch_hit *first)
{
	const struct experiment_other *other = other_of(setup, hit->tid);
	const int is_alone = is_same_access(setup, first, hit);
	struct experiment_seen *seen = seen_of(result, hit->tid);

	if (!seen)
		return;
	see_kind(setup, seen, other, hit);
	if (seen->is_certain && !is_alone)
		return;
	if (hit->slot < other->first_slots) {
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
	for (uint32_t n = 0; n < result->count && end < count; n++)
		result->seen[n].is_end = result->seen[n].tid == hits[end].tid;
}

/*
 * That nobody stored between the store that was sampled and when it was watched, as often as somebody
 * does
 */
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
	chance = chance_unstored(setup, count_stores(setup, hits, count, 0));
	for (uint32_t n = 0; n < result->count; n++) {
		result->seen[n].weight *= chance;
		result->seen[n].unsure *= chance;
		result->seen[n].other *= chance;
		result->seen[n].unsure_kind *= chance;
	}
}

/*
 * How much of the line's stores meets no register, as far as samples tell who stores there: with the writer,
 * where it is as likely to be next as another one, and without it, where it is not.
 */
struct unseen {
	double least, most;
};

static struct unseen share_unseen(const struct experiment_setup *setup)
{
	double unseen = 0, stores = 0, others, all;

	for (uint32_t n = 0; n < setup->count; n++) {
		unseen += setup->others[n].unseen * setup->others[n].store_samples;
		stores += setup->others[n].store_samples;
	}
	others = stores > 0 ? unseen / stores : 0;
	unseen += setup->own.unseen * setup->own.store_samples;
	stores += setup->own.store_samples;
	all = stores > 0 ? unseen / stores : 0;
	return others < all ? (struct unseen){ others, all } : (struct unseen){ all, others };
}

/*
 * A store that was not seen lets others be seen in place of it, or beside it. Where each thread accesses one
 * word and waits for its turn again, a store counts for those that are missed, and so much less for those
 * that it is seen in place of, and a load for these or not, as it may have come before; of threads that
 * access all of their words by then none is missed, but for those of threads that are not watched. In the
 * middle of these.
 */
static void weigh_seen(struct experiment_seen *seen, const struct unseen *unseen, double watched)
{
	const double weight = seen->weight, one = weight + seen->unsure;
	const double low = one * watched * (1 - unseen->most),
		     high = seen->is_end ? one * watched * (1 - unseen->least) : one;
	double least = (weight - seen->unsure) * watched, most = high > least ? high : least;

	least = low < least ? low : least;
	seen->weight = (least + most) / 2;
	seen->unsure = (most - least) / 2;
	seen->other *= seen->weight / weight;
	seen->unsure_kind *= seen->weight / weight;
}

static void weigh_unseen(const struct experiment_setup *setup, struct experiment_result *result)
{
	const struct unseen unseen = share_unseen(setup);

	if (!(unseen.most > 0 || setup->unwatched > 0))
		return;
	for (uint32_t n = 0; n < result->count; n++)
		weigh_seen(&result->seen[n], &unseen, 1 - setup->unwatched);
}

void experiment_judge(const struct experiment_setup *setup, struct watch_hit *hits, size_t count,
		      struct experiment_result *result)
{
	size_t anchor, end;

	memset(result, 0, sizeof(*result));
	put_in_order(hits, 0, count);
	anchor = find_anchor(setup, hits, count);
	if (is_absent(setup, hits, anchor)) {
		result->end = EXPERIMENT_ABSENT;
		return;
	}
	if (anchor == count) {
		result->end = EXPERIMENT_NO_ANCHOR;
		see_sampled(setup, result, hits, count);
	} else {
		result->anchor = hits[anchor].time;
		end = find_end(setup, hits, count, anchor);
		result->end = end < count ? EXPERIMENT_STORED : EXPERIMENT_TIMED_OUT;
		see_all(setup, result, hits, anchor + 1, end, count, result->anchor);
		result->used_up = count_used_up(setup, hits, count, result);
	}
	weigh_unseen(setup, result);
}
