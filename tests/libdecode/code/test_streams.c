/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of branch stacks that are made up, and of a real recording whose CPU copies entries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "libdecode/code/stack_digest.h"
#include "libdecode/code/streams.h"
#include "statistics/random.h"
#include "tests/support/tap.h"

#define ANY (1u << 3)
#define USER (1u << 0)
#define KERNEL (1u << 1)
#define WRONG_PATH (UINT64_C(1) << 24)
#define KERNEL_AT UINT64_C(0xffffffff81000000)
#define STACK PRECIS_SAMPLE_BRANCH_STACK

struct entry {
	uint64_t from, to, flags;
};

static struct code_jump branches[CODE_JUMPS_MOST];

/* @return how many ranges the stack has */
static uint32_t ranges_of(struct code_streams *streams, const struct entry *entries, size_t count)
{
	struct precis_perf_sample sample = {
		.size = sizeof(sample), .present = STACK, .branch_count = count,
		.branches = { (const uint8_t *)entries, (uint32_t)(count * sizeof(*entries)) },
	};

	count = code_streams_jumps(streams, &sample, branches);
	return count ? (uint32_t)count - 1 : 0;
}

static void refusals(void)
{
	static const struct {
		uint64_t sample_type, branches;
		uint32_t refusal;
	} rows[] = {
		{ STACK, ANY, CODE_STACKS_USABLE },
		{ STACK, ANY | USER | 1u << 16 | 1u << 15 | 1u << 14, CODE_STACKS_USABLE },
		{ 0, ANY, CODE_STACKS_NO_STACK },
		{ STACK, ANY | 1u << 11, CODE_STACKS_CALL_STACK },
		{ STACK, ANY | 1u << 4, CODE_STACKS_SUBSET },   /* calls */
		{ STACK, 1u << 5 | USER, CODE_STACKS_SUBSET },  /* returns */
		{ STACK, ANY | 1u << 10, CODE_STACKS_SUBSET },  /* conditional ones */
		{ STACK, ANY | 1u << 13, CODE_STACKS_SUBSET },
		{ STACK, ANY | 1u << 7, CODE_STACKS_SUBSET },   /* aborts */
		{ STACK, ANY | 1u << 8, CODE_STACKS_TRANSACTIONS },
		{ STACK, USER, CODE_STACKS_NOT_ANY },
		{ STACK, 1u << 17, CODE_STACKS_USABLE }, /* perf made it of a trace */
		{ STACK, 0, CODE_STACKS_USABLE },        /* likewise, before Linux 5.7 */
		{ STACK, USER | 1u << 17, CODE_STACKS_NOT_ANY },
		{ 0, 1u << 17, CODE_STACKS_NO_STACK },
	};

	CU_ASSERT(code_stacks_are_synthesized(STACK, 1u << 17));
	CU_ASSERT(!code_stacks_are_synthesized(STACK, ANY | 1u << 17));
	CU_ASSERT(!code_stacks_are_synthesized(0, 0));

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		CU_ASSERT_EQUAL(code_stacks_refusal(rows[n].sample_type, rows[n].branches), rows[n].refusal);
	CU_ASSERT_STRING_EQUAL(code_refusal_text(CODE_REFUSALS), "unknown reason");
}

static void check_range(uint32_t n, uint64_t target, uint64_t source, uint32_t fate)
{
	CU_ASSERT_EQUAL(branches[n + 1].to, target);
	CU_ASSERT_EQUAL(branches[n].from, source);
	CU_ASSERT_EQUAL(code_fate_of(branches[n + 1], branches[n]), fate);
}

/* What ran between two branches, the newest first */
static void what_ran(void)
{
	static const struct entry entries[] = {
		{ 0x1050, 0x2000, 0 },
		{ 0x3010, 0x1040, 0 },
		{ 0x1048, 0x3000, 0 },                        /* the range behind it: backward */
		{ 0x900, 0x1090, 0 },
		{ 0x400000, 0x800, 0 },
		{ 0x700, 0x100, 0 },                          /* too long */
		{ KERNEL_AT, 0x600, 0 },
		{ 0x500, 0x10, 0 },                           /* of the other ring */
		{ 0, 0x400, 0 },
		{ 0x300, UINT64_C(0x0200000000000000), 0 },   /* no address */
	};
	struct code_streams streams;

	code_streams_init(&streams, ANY);
	CU_ASSERT_EQUAL(ranges_of(&streams, entries, 10), 9);
	check_range(0, 0x1040, 0x1050, CODE_FATE_KEPT);
	check_range(1, 0x3000, 0x3010, CODE_FATE_KEPT);
	check_range(2, 0x1090, 0x1048, CODE_FATE_BACKWARD);
	check_range(3, 0x800, 0x900, CODE_FATE_KEPT);
	check_range(4, 0x100, 0x400000, CODE_FATE_TOO_LONG);
	check_range(5, 0x600, 0x700, CODE_FATE_KEPT);
	check_range(6, 0x10, KERNEL_AT, CODE_FATE_RINGS);
	check_range(7, 0x400, 0x500, CODE_FATE_KEPT);
	check_range(8, UINT64_C(0x0200000000000000), 0, CODE_FATE_NO_ADDRESS);
	CU_ASSERT_EQUAL(streams.stacks, 1);
	CU_ASSERT_EQUAL(streams.entries, 10);
	CU_ASSERT_EQUAL(streams.fates[CODE_FATE_KEPT], 5);
	CU_ASSERT_EQUAL(streams.fates[CODE_FATE_BACKWARD], 1);
	CU_ASSERT_EQUAL(streams.other_ring, 0);
	CU_ASSERT_EQUAL(ranges_of(&streams, entries, 1), 0);
	CU_ASSERT_EQUAL(ranges_of(&streams, entries, 0), 0);
	CU_ASSERT_EQUAL(streams.stacks, 3);
}

/* One instruction that jumps to itself is a range; one that ends before it begins is none. */
static void shortest(void)
{
	static const struct entry entries[] = { { 0x20, 0x30, 0 }, { 0x10, 0x20, 0 }, { 0x8, 0x11, 0 } };
	struct code_streams streams;

	code_streams_init(&streams, ANY);
	CU_ASSERT_EQUAL(ranges_of(&streams, entries, 3), 2);
	check_range(0, 0x20, 0x20, CODE_FATE_KEPT);
	check_range(1, 0x11, 0x10, CODE_FATE_BACKWARD);
}

/* What was never executed is taken out, and what ran round it stays one. */
static void wrong_path(void)
{
	static const struct entry entries[] = {
		{ 0x1050, 0x2000, 0 }, { 0x5000, 0x6000, WRONG_PATH }, { 0x3010, 0x1040, 2 * WRONG_PATH },
		{ 0x7000, 0x8000, WRONG_PATH }, { 0x30, 0x3000, 3 * WRONG_PATH },
	};
	struct code_streams streams;

	code_streams_init(&streams, ANY);
	CU_ASSERT_EQUAL(ranges_of(&streams, entries, 5), 2);
	check_range(0, 0x1040, 0x1050, CODE_FATE_KEPT);
	check_range(1, 0x3000, 0x3010, CODE_FATE_KEPT);
	CU_ASSERT_EQUAL(streams.wrong_path, 2);
	CU_ASSERT_EQUAL(streams.entries, 5);
}

/* Where one ring is recorded, leaving the other one is no branch; where both are, it is. */
static void rings(void)
{
	static const struct entry entries[] = {
		{ 0x1050, 0x2000, 0 }, { KERNEL_AT, 0x1048, 0 }, { 0x3010, 0x1040, 0 },
	};
	struct code_streams streams;

	code_streams_init(&streams, ANY | USER);
	CU_ASSERT_EQUAL(ranges_of(&streams, entries, 3), 1);
	check_range(0, 0x1040, 0x1050, CODE_FATE_KEPT);
	CU_ASSERT_EQUAL(streams.other_ring, 1);
	code_streams_init(&streams, ANY | USER | KERNEL);
	CU_ASSERT_EQUAL(ranges_of(&streams, entries, 3), 2);
	check_range(0, 0x1048, 0x1050, CODE_FATE_KEPT);
	check_range(1, 0x1040, KERNEL_AT, CODE_FATE_RINGS);
}

/* A type that names no ring has the event's; what names one is as it is. */
static void rings_of_the_event(void)
{
	CU_ASSERT_EQUAL(code_stacks_type(ANY, 1, 0), ANY | USER);
	CU_ASSERT_EQUAL(code_stacks_type(ANY, 0, 1), ANY | KERNEL);
	CU_ASSERT_EQUAL(code_stacks_type(ANY, 0, 0), ANY | USER | KERNEL);
	CU_ASSERT_EQUAL(code_stacks_type(ANY | KERNEL, 1, 0), ANY | KERNEL);
	CU_ASSERT_EQUAL(code_stacks_type(ANY | USER, 0, 0), ANY | USER);
}

/* --- copies of the newest entry --- */

#define DEPTH 16u
#define DEPTH_MOST (CODE_PLACES + 6)
#define STACKS 2000u

/*
 * A walk over a loop that jumps to itself, 40 % of the time, and to another branch; 'copied' of a hundred
 * stacks have their newest entry twice.
 */
static void fill(struct code_streams *streams, uint32_t seed, uint32_t copied, uint32_t depth)
{
	struct entry entries[DEPTH_MOST];

	code_streams_init(streams, ANY | USER);
	srand(seed);
	for (uint32_t stack = 0; stack < STACKS; stack++) {
		for (uint32_t n = 0; n < depth; n++) {
			const uint64_t other = 0x1020 + 16 * (uint64_t)(rand() % 64);

			entries[n] = (struct entry){ rand() % 5 < 2 ? 0x1010 : other, 0x1000, 0 };
		}
		if ((uint32_t)rand() % 100 < copied)
			entries[0] = entries[1];
		ranges_of(streams, entries, depth);
	}
}

static void copies(void)
{
	struct code_streams streams, sum;

	for (uint32_t seed = 1; seed <= 200; seed++) {
		fill(&streams, seed, 0, DEPTH);
		CU_ASSERT_FALSE(code_streams_drop_duplicates(&streams));
		fill(&streams, seed, 15, DEPTH);
		CU_ASSERT_TRUE(code_streams_drop_duplicates(&streams));
	}
	/* all ranges are counted but those that are judged later */
	CU_ASSERT_EQUAL(streams.fates[CODE_FATE_DUPLICATE], 0);
	CU_ASSERT_EQUAL(streams.copies[0] + streams.fates[CODE_FATE_KEPT] + streams.fates[CODE_FATE_BACKWARD],
			(uint64_t)STACKS * (DEPTH - 1));
	code_streams_init(&sum, ANY | USER);
	code_streams_merge(&sum, &streams);
	code_streams_merge(&sum, &streams);
	CU_ASSERT_EQUAL(sum.copies[0], 2 * streams.copies[0]);
	CU_ASSERT_EQUAL(streams.depths[DEPTH], STACKS);
	CU_ASSERT_EQUAL(sum.depths[DEPTH], 2 * STACKS);
	CU_ASSERT_EQUAL(sum.stacks, 2 * streams.stacks);
	CU_ASSERT_TRUE(code_streams_drop_duplicates(&sum));
	/* two entries: nothing to compare with */
	fill(&streams, 1, 50, 2);
	CU_ASSERT_FALSE(code_streams_drop_duplicates(&streams));
	code_streams_init(&streams, ANY);
	CU_ASSERT_FALSE(code_streams_drop_duplicates(&streams));
}

/* A pair is judged by the stacks that have both of its places: all others say nothing of it */
static void copies_of_some(void)
{
	struct code_streams streams, others;

	fill(&streams, 1, 25, 3);
	CU_ASSERT_TRUE(code_streams_drop_duplicates(&streams));
	/* One entry is no pair */
	fill(&others, 2, 0, 1);
	for (uint32_t n = 0; n < 20; n++)
		code_streams_merge(&streams, &others);
	CU_ASSERT_EQUAL(streams.depths[1], 20 * STACKS);
	CU_ASSERT_TRUE(code_streams_drop_duplicates(&streams));
	/* Two are the newest one: of so many a quarter of some is too few */
	fill(&others, 2, 0, 2);
	for (uint32_t n = 0; n < 20; n++)
		code_streams_merge(&streams, &others);
	CU_ASSERT_FALSE(code_streams_drop_duplicates(&streams));
	for (uint32_t depth = CODE_PLACES - 1; depth <= DEPTH_MOST; depth++) {
		fill(&streams, depth, 15, depth);
		CU_ASSERT_EQUAL(streams.depths[depth < CODE_PLACES + 1 ? depth : CODE_PLACES + 1],
				STACKS);
		CU_ASSERT_TRUE(code_streams_drop_duplicates(&streams));
	}
}

/* --- a stack as long as a record can have, of any bytes --- */

static void whatever_entries(void)
{
	static struct entry entries[CODE_JUMPS_MOST];
	struct code_streams streams;
	uint64_t sum = 0;
	uint32_t count;

	srand(7);
	for (size_t n = 0; n < sizeof(entries); n++)
		((uint8_t *)entries)[n] = (uint8_t)(rand() >> 7);
	code_streams_init(&streams, ANY | USER);
	count = ranges_of(&streams, entries, CODE_JUMPS_MOST);
	for (uint32_t n = 0; n < CODE_FATES; n++)
		sum += streams.fates[n];
	CU_ASSERT_EQUAL(sum + streams.copies[0], count);
	CU_ASSERT_EQUAL(streams.entries, CODE_JUMPS_MOST);
	CU_ASSERT_EQUAL(count, streams.entries - streams.wrong_path - streams.other_ring - 1);
}

/* --- whole stacks --- */

static uint32_t digest_of(const struct entry *entries, size_t count,
			  struct code_stack_digest *digest)
{
	struct precis_perf_sample sample = {
		.size = sizeof(sample),
		.present = STACK,
		.branch_count = count,
		.branches = { (const uint8_t *)entries, (uint32_t)(count * sizeof(*entries)) },
	};
	struct random random = random_of(1);
	struct code_digest_keys keys;

	for (uint32_t n = 0; n < CODE_DIGEST_ENTRIES_MOST; n++) {
		keys.of[n].from = random_next(&random);
		keys.of[n].to = random_next(&random);
	}
	return code_stack_digest(&keys, &sample, digest);
}

static int is_same(struct code_stack_digest a, struct code_stack_digest b)
{
	return a.low == b.low && a.high == b.high;
}

static void fill_loop(struct entry entries[CODE_DIGEST_ENTRIES_MOST + 1])
{
	for (uint64_t n = 0; n <= CODE_DIGEST_ENTRIES_MOST; n++)
		entries[n] = (struct entry){ 0x401000 + 16 * (n % 5), 0x401000 + 16 * (n % 3), 0 };
}

/* Each bit of each address tells, and which entry it is of; flags that say nothing of the path do not. */
static void digests(void)
{
	struct entry entries[CODE_DIGEST_ENTRIES_MOST + 1];
	struct code_stack_digest digest, other;

	fill_loop(entries);
	for (uint32_t count = 1; count <= CODE_DIGEST_ENTRIES_MOST; count++) {
		CU_ASSERT_EQUAL(digest_of(entries, count, &digest), count);
		for (uint32_t n = 0; n < 63 * count; n++) {
			struct entry *entry = &entries[n / 63];
			const uint64_t bit = UINT64_C(1) << n % 63;

			entry->from ^= bit;
			CU_ASSERT_EQUAL(digest_of(entries, count, &other), count);
			CU_ASSERT(!is_same(digest, other));
			entry->from ^= bit;
			entry->to ^= bit;
			CU_ASSERT_EQUAL(digest_of(entries, count, &other), count);
			CU_ASSERT(!is_same(digest, other));
			entry->to ^= bit;
		}
		entries[count - 1].flags = 2 * WRONG_PATH | 0xfffff;
		CU_ASSERT_EQUAL(digest_of(entries, count, &other), count);
		CU_ASSERT(is_same(digest, other));
		entries[count - 1].flags = 0;
	}
	/* Ends that change their places, and entries that do */
	entries[0] = (struct entry){ 0x401010, 0x401020, 0 };
	entries[1] = (struct entry){ 0x401030, 0x401040, 0 };
	digest_of(entries, 2, &digest);
	entries[0] = (struct entry){ 0x401020, 0x401010, 0 };
	digest_of(entries, 2, &other);
	CU_ASSERT(!is_same(digest, other));
	entries[0] = (struct entry){ 0x401030, 0x401040, 0 };
	entries[1] = (struct entry){ 0x401010, 0x401020, 0 };
	digest_of(entries, 2, &other);
	CU_ASSERT(!is_same(digest, other));
}

static void no_digests(void)
{
	struct entry entries[CODE_DIGEST_ENTRIES_MOST + 1];
	struct code_stack_digest digest;

	fill_loop(entries);
	CU_ASSERT_EQUAL(digest_of(entries, 0, &digest), 0);
	CU_ASSERT_EQUAL(digest_of(entries, CODE_DIGEST_ENTRIES_MOST + 1, &digest), 0);
	for (uint32_t n = 0; n < CODE_DIGEST_ENTRIES_MOST; n++) {
		const struct entry was = entries[n];

		entries[n].flags = WRONG_PATH;
		CU_ASSERT_EQUAL(digest_of(entries, CODE_DIGEST_ENTRIES_MOST, &digest), 0);
		entries[n] = was;
		entries[n].to = KERNEL_AT;
		CU_ASSERT_EQUAL(digest_of(entries, CODE_DIGEST_ENTRIES_MOST, &digest), 0);
		entries[n].from = KERNEL_AT + 16;
		CU_ASSERT_EQUAL(digest_of(entries, CODE_DIGEST_ENTRIES_MOST, &digest),
				CODE_DIGEST_ENTRIES_MOST);
		entries[n] = was;
	}
}

/* Counted by its copies it is as if its entries had been there once more. */
static void again(void)
{
	struct entry entries[CODE_DIGEST_ENTRIES_MOST];
	struct code_streams twice, once;

	for (uint32_t copied = 0; copied < 5; copied++) {
		uint64_t copies = 0;

		for (uint64_t n = 0; n < CODE_DIGEST_ENTRIES_MOST; n++)
			entries[n] =
				(struct entry){ 0x2000, n % 7 < copied ? 0x1000 : 0x1000 + n, 0 };
		for (uint32_t n = 0; n + 1 < CODE_DIGEST_ENTRIES_MOST; n++)
			copies |= (uint64_t)(entries[n].to == entries[n + 1].to) << n;
		for (uint32_t count = 2; count <= CODE_DIGEST_ENTRIES_MOST; count++) {
			const uint64_t mask = (UINT64_C(1) << (count - 1)) - 1;

			code_streams_init(&twice, ANY);
			code_streams_init(&once, ANY);
			ranges_of(&twice, entries, count);
			ranges_of(&twice, entries, count);
			ranges_of(&once, entries, count);
			code_streams_again(&once, count, copies & mask);
			CU_ASSERT_EQUAL(memcmp(&once, &twice, sizeof(once)), 0);
		}
	}
}

/* --- Skylake-SP --- */

#define REAL "google_autofdo__propeller_sample_1.perfdata1"

static void take_stack(struct precis_file *file, const struct precis_record *record,
		       struct code_streams *streams, uint64_t *impossible_copies)
{
	struct precis_perf_sample sample = { .size = sizeof(sample) };
	const struct precis_event *event = precis_file_event_of(file, record);
	uint64_t copies;

	if (!event || precis_perf_sample_parse(event->layout, record, &sample) || sample.branch_count < 2)
		return;
	CU_ASSERT_EQUAL(code_stacks_refusal(event->layout->sample_type, event->layout->branch_sample_type),
			CODE_STACKS_USABLE);
	copies = streams->copies[0];
	code_streams_jumps(streams, &sample, branches);
	*impossible_copies += streams->copies[0] > copies && branches[0].from < branches[1].to;
}

/* The figures were counted apart from this program. */
static void real_recording(void)
{
	const char *shared = getenv("PRECIS_SHARED");
	struct precis_record record = { 0 };
	struct code_streams streams;
	struct precis_file *file;
	uint64_t impossible = 0, impossible_copies = 0, all;
	char path[4096];

	snprintf(path, sizeof(path), "%s/perfdata/" REAL, shared ? shared : "");
	if (precis_file_open(path, NULL, &file, NULL)) {
		tap_skip("no recording " REAL " (PRECIS_SHARED)");
		return;
	}
	code_streams_init(&streams, ANY | USER);
	while (precis_file_next(file, &record) == 1) {
		if (record.type == PRECIS_RECORD_SAMPLE)
			take_stack(file, &record, &streams, &impossible_copies);
	}
	precis_file_close(file);
	all = streams.copies[0];
	for (uint32_t n = 0; n < CODE_FATES; n++) {
		all += streams.fates[n];
		impossible += n == CODE_FATE_KEPT ? 0 : streams.fates[n];
	}
	CU_ASSERT_EQUAL(streams.stacks, 3732);
	/* an entry that leads out of user space, or into it, has no range of its own */
	CU_ASSERT_EQUAL(all + streams.other_ring, 115692);
	CU_ASSERT_EQUAL(streams.copies[0], 966);
	CU_ASSERT_EQUAL(impossible_copies, 733);
	CU_ASSERT_TRUE(code_streams_drop_duplicates(&streams));
	CU_ASSERT(impossible <= 5);
}

static const struct tap_case cases[] = {
	{ "which events have stacks that can be used", refusals },
	{ "what ran between two branches", what_ran },
	{ "the shortest range, and none", shortest },
	{ "speculative branches of the wrong path", wrong_path },
	{ "entries with an end in the other ring", rings },
	{ "a type without rings has the event's", rings_of_the_event },
	{ "copies of the newest entry, and loops that look so", copies },
	{ "copies are judged by the stacks that could have them", copies_of_some },
	{ "whatever entries", whatever_entries },
	{ "digests tell stacks apart", digests },
	{ "stacks without a digest", no_digests },
	{ "a stack once more", again },
	{ "copies in a recording of Skylake-SP", real_recording },
};

int main(void)
{
	return tap_main("streams", cases, sizeof(cases) / sizeof(cases[0]));
}
