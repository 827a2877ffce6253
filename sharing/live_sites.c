/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_sites.h. */
#include "live_sites.h"

#include <stdlib.h>
#include <string.h>

#include "experiment.h"

#define LINE_BYTES 64u
#define WORD_BYTES 8u

int live_sites_open(struct live_sites *sites)
{
	sites->list = calloc(LIVE_SITES_MOST, sizeof(*sites->list));
	return sites->list ? 0 : -1;
}

void live_sites_free(struct live_sites *sites)
{
	free(sites->list);
	memset(sites, 0, sizeof(*sites));
}

static int is_like(const struct live_site *site, const struct live_site *other)
{
	return site->line == other->line && site->ip == other->ip && site->tid == other->tid &&
	       site->cpu == other->cpu && site->offset == other->offset &&
	       site->bytes == other->bytes && site->flags == other->flags &&
	       site->is_trap == other->is_trap;
}

static uint32_t home(const struct live_site *site)
{
	uint64_t hash = (site->line + site->offset) * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ site->ip ^ (uint64_t)site->tid << 20 ^ site->cpu) *
	       UINT64_C(0xd1342543de82ef95);
	return (uint32_t)(hash >> 40) % LIVE_SITES_MOST;
}

static void count_one(struct live_sites *sites, const struct live_site *one)
{
	uint32_t at = home(one);

	while (sites->list[at].line && !is_like(&sites->list[at], one))
		at = (at + 1) % LIVE_SITES_MOST;
	if (!sites->list[at].line && sites->count == LIVE_SITES_MOST / 4 * 3) {
		sites->beyond++;
		return;
	}
	if (!sites->list[at].line) {
		sites->count++;
		sites->list[at] = *one;
	}
	sites->list[at].count++;
}

/* Bytes beyond the line's end are not of it. */
void live_sites_sampled(struct live_sites *sites, const struct sampled_access *access)
{
	const uint32_t offset = (uint32_t)(access->address % LINE_BYTES);
	const uint32_t most = LINE_BYTES - offset;
	const struct live_site one = {
		.line = access->address - offset,
		.ip = access->ip,
		.tid = access->tid,
		.cpu = access->cpu,
		.offset = (uint8_t)offset,
		.bytes = (uint8_t)(access->bytes < most ? access->bytes : most),
		.flags = (uint8_t)access->flags,
	};

	count_one(sites, &one);
}

void live_sites_trap(struct live_sites *sites, const struct watch_thread *thread,
		     const struct watch_hit *hit, uint16_t flags)
{
	const uint64_t address = thread->addresses[hit->slot];
	const uint32_t bytes = thread->bytes[hit->slot];
	const struct live_site one = {
		.line = address - address % LINE_BYTES,
		.ip = hit->ip,
		.tid = hit->tid,
		.cpu = hit->cpu,
		.offset = (uint8_t)(address % LINE_BYTES),
		.bytes = (uint8_t)(bytes > WORD_BYTES ? bytes : 0),
		.flags = (uint8_t)flags,
		.is_trap = 1,
	};

	count_one(sites, &one);
}

/* --- traps that one access met --- */

struct trapped {
	struct watch_hit
		first; /* of the register that watches least, and of these the first byte */
	uint64_t last;
	uint32_t slots; /* 0: none yet */
	uint16_t flags;
};

static void settle(struct live_sites *sites, const struct watch_thread *thread,
		   struct trapped *trapped)
{
	if (trapped->slots)
		live_sites_trap(sites, thread, &trapped->first, trapped->flags);
	trapped->slots = 0;
}

static int is_closer(const struct watch_thread *thread, uint32_t slot, uint32_t than)
{
	if (thread->bytes[slot] != thread->bytes[than])
		return thread->bytes[slot] < thread->bytes[than];
	return thread->addresses[slot] < thread->addresses[than];
}

/* However late: an instruction that meets one of a word's two registers does not meet the other alone. */
static int is_same(const struct watch_thread *thread, const struct trapped *trapped,
		   const struct watch_hit *hit)
{
	if (!trapped->slots || hit->ip != trapped->first.ip || trapped->slots >> hit->slot & 1)
		return 0;
	return thread->addresses[hit->slot] == thread->addresses[trapped->first.slot] ||
	       hit->time - trapped->last <= EXPERIMENT_SAME_ACCESS_NS;
}

static void take(struct live_sites *sites, const struct watch_thread *thread,
		 struct trapped *trapped, const struct watch_hit *hit)
{
	if (!is_same(thread, trapped, hit)) {
		settle(sites, thread, trapped);
		*trapped = (struct trapped){ .first = *hit, .flags = ACCESS_LOADS };
	}
	if (is_closer(thread, hit->slot, trapped->first.slot))
		trapped->first.slot = hit->slot;
	if (thread->kinds[hit->slot] == WATCH_STORES)
		trapped->flags = ACCESS_STORES;
	trapped->slots |= 1u << hit->slot;
	trapped->last = hit->time;
}

void live_sites_trapped(struct live_sites *sites, struct watch *watch, const struct watch_hit *hits,
			size_t count)
{
	struct trapped of[WATCH_THREADS_MOST];

	for (uint32_t n = 0; n < watch->count; n++)
		of[n].slots = 0;
	for (size_t n = 0; n < count; n++) {
		const struct watch_thread *thread = watch_find(watch, hits[n].tid);

		if (thread && hits[n].time >= thread->armed_at)
			take(sites, thread, &of[thread - watch->threads], &hits[n]);
	}
	for (uint32_t n = 0; n < watch->count; n++)
		settle(sites, &watch->threads[n], &of[n]);
}
