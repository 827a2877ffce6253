/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of a program that runs, by their instructions: which traps are one access, and what has room. */
#include <string.h>

#include "sharing/live_sites.h"
#include "tests/support/tap.h"

#define LINE UINT64_C(0x7f0000001000)
#define IP UINT64_C(0x401000)
#define WRITER 100u
#define OTHER 101u

static struct live_sites sites;
static struct watch watch;

static void aim(uint32_t thread, uint32_t slot, uint64_t address, uint32_t bytes,
		enum watch_kind kind)
{
	watch.threads[thread].addresses[slot] = address;
	watch.threads[thread].bytes[slot] = bytes;
	watch.threads[thread].kinds[slot] = kind;
}

/* The other watches two words, the writer its stores to them. */
static void begin(void)
{
	live_sites_free(&sites);
	CU_ASSERT_EQUAL_FATAL(live_sites_open(&sites), 0);
	memset(&watch, 0, sizeof(watch));
	watch.count = 2;
	watch.threads[0].tid = WRITER;
	watch.threads[1].tid = OTHER;
	for (uint32_t n = 0; n < WATCH_REGISTERS; n++) {
		const enum watch_kind kind = n % 2 ? WATCH_STORES : WATCH_ALL;

		aim(0, n, LINE + 8 * n, 8, WATCH_STORES);
		aim(1, n, LINE + (n < 2 ? 8 : 24), 8, kind);
	}
}

static const struct live_site *find(uint32_t tid, uint64_t ip, uint32_t offset)
{
	const struct live_site *found = NULL;

	for (uint32_t n = 0; n < LIVE_SITES_MOST; n++) {
		const struct live_site *site = &sites.list[n];

		if (site->line == LINE && site->tid == tid && site->ip == ip &&
		    site->offset == offset) {
			CU_ASSERT_PTR_NULL(found);
			found = site;
		}
	}
	return found;
}

static void check(uint32_t tid, uint64_t ip, uint32_t offset, uint32_t count, uint32_t flags)
{
	const struct live_site *site = find(tid, ip, offset);

	CU_ASSERT_PTR_NOT_NULL(site);
	if (!site)
		return;
	CU_ASSERT_EQUAL(site->count, count);
	CU_ASSERT_EQUAL(site->flags, flags);
}

static void trapped(void)
{
	const struct watch_hit hits[] = {
		{ 10000, OTHER, 0, IP, 3 }, /* a load */
		{ 30000, OTHER, 1, IP + 4, 3 }, /* a store: both registers, in any order */
		{ 30500, OTHER, 0, IP + 4, 3 },
		{ 30600, WRITER, 2, IP + 8, 1 }, /* another thread in between */
		{ 30900, OTHER, 2, IP + 4, 3 }, /* of two words: the first one */
		{ 50000, OTHER, 0, IP, 3 }, /* twice, one behind the other */
		{ 50900, OTHER, 0, IP, 3 },
		{ 70000, OTHER, 0, IP, 3 }, /* then late: another access */
		{ 90000, OTHER, 3, IP, 3 },
		{ 110000, OTHER, 0, IP + 12, 3 }, /* of one word, and late: one store */
		{ 150000, OTHER, 1, IP + 12, 3 },
	};

	begin();
	live_sites_trapped(&sites, &watch, hits, sizeof(hits) / sizeof(hits[0]));
	check(OTHER, IP, 8, 4, ACCESS_LOADS);
	check(OTHER, IP + 4, 8, 1, ACCESS_STORES);
	check(OTHER, IP, 24, 1, ACCESS_STORES);
	check(WRITER, IP + 8, 16, 1, ACCESS_STORES);
	check(OTHER, IP + 12, 8, 1, ACCESS_STORES);
	CU_ASSERT_EQUAL(sites.count, 5);
	CU_ASSERT_EQUAL(find(OTHER, IP, 8)->cpu, 3);
	CU_ASSERT_TRUE(find(OTHER, IP, 8)->is_trap);
}

/* Where registers were before they were aimed again; threads that nobody knows */
static void foreign(void)
{
	const struct watch_hit hits[] = { { 10000, OTHER, 0, IP, 0 }, { 30000, 7, 0, IP, 0 } };

	begin();
	watch.threads[1].armed_at = 20000;
	live_sites_trapped(&sites, &watch, hits, sizeof(hits) / sizeof(hits[0]));
	CU_ASSERT_EQUAL(sites.count, 0);
}

/* A word in a line that is watched: the word is where it was */
static void whole_lines(void)
{
	const struct watch_hit hits[] = { { 10000, OTHER, 2, IP, 0 },
					  { 10100, OTHER, 0, IP, 0 },
					  { 30000, OTHER, 2, IP, 0 } };

	begin();
	aim(1, 2, LINE, 64, WATCH_ALL);
	live_sites_trapped(&sites, &watch, hits, sizeof(hits) / sizeof(hits[0]));
	check(OTHER, IP, 8, 1, ACCESS_LOADS);
	check(OTHER, IP, 0, 1, ACCESS_LOADS);
	CU_ASSERT_EQUAL(find(OTHER, IP, 0)->bytes, 64);
	CU_ASSERT_EQUAL(find(OTHER, IP, 8)->bytes, 0);
}

/* Of another CPU it is another site; bytes beyond the line's end are not of it */
static void sampled(void)
{
	struct sampled_access access = { .address = LINE + 60,
					 .ip = IP,
					 .tid = OTHER,
					 .cpu = 2,
					 .bytes = 8,
					 .flags = ACCESS_STORES };

	begin();
	live_sites_sampled(&sites, &access);
	live_sites_sampled(&sites, &access);
	check(OTHER, IP, 60, 2, ACCESS_STORES);
	CU_ASSERT_EQUAL(find(OTHER, IP, 60)->bytes, 4);
	CU_ASSERT_FALSE(find(OTHER, IP, 60)->is_trap);
	access.cpu = 1;
	live_sites_sampled(&sites, &access);
	CU_ASSERT_EQUAL(sites.count, 2);
}

static void full(void)
{
	struct sampled_access access = { .address = LINE, .tid = OTHER, .flags = ACCESS_STORES };

	begin();
	for (uint32_t n = 0; n < LIVE_SITES_MOST; n++) {
		access.ip = IP + n;
		live_sites_sampled(&sites, &access);
	}
	CU_ASSERT_EQUAL(sites.count + sites.beyond, LIVE_SITES_MOST);
	CU_ASSERT_TRUE(sites.count > LIVE_SITES_MOST / 2 && sites.beyond > 0);
	access.ip = IP;
	live_sites_sampled(&sites, &access);
	check(OTHER, IP, 0, 2, ACCESS_STORES);
	live_sites_free(&sites);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "registers that one access met are one access, a load or a store", trapped },
		{ "traps of other lines and of threads that are not known are left out", foreign },
		{ "of whole lines it is not known where, but for words that are watched, too",
		  whole_lines },
		{ "samples: by instruction, CPU and bytes of the line", sampled },
		{ "what has no room is counted", full },
	};

	return tap_main("live_sites", cases, sizeof(cases) / sizeof(cases[0]));
}
