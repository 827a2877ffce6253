// SPDX-License-Identifier: BSD-3-Clause
/*
 * Whole branch stacks that come again: counted by their numbers, they are counted as if each had been taken
 * apart.
 */
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "analysis/mix/known_stacks.h"
#include "analysis/mix/sightings.h"
#include "statistics/random.h"
#include "tests/support/same_observations.h"
#include "tests/support/symbol_records.h"

#define KERNEL_AT UINT64_C(0xffffffff81000000)
#define USER_AT UINT64_C(0x400000)
#define BRANCH_USER 1u
#define BRANCH_ANY 8u
#define DEPTH_MOST 70u
#define WRONG_PATH (UINT64_C(1) << 24)

/* --- numbers --- */

struct stack {
	uint64_t entries[3 * DEPTH_MOST];
	uint32_t depth;
};

static struct precis_perf_sample sample_of(const struct stack *stack)
{
	return (struct precis_perf_sample){
		.size = sizeof(struct precis_perf_sample),
		.present = PRECIS_SAMPLE_BRANCH_STACK,
		.branch_count = stack->depth,
		.branches = { (const uint8_t *)stack->entries, stack->depth * 24 },
	};
}

static struct stack numbered(uint64_t number)
{
	return (struct stack){ .entries = { USER_AT, USER_AT + number, 0, USER_AT, USER_AT, 0 },
			       .depth = 2 };
}

/* @return its number if it is known, else UINT32_MAX, and it becomes known if it may */
static uint32_t find(struct known_stacks *known, const struct stack *stack, uint64_t task,
		     uint64_t epoch, uint32_t *added)
{
	const struct precis_perf_sample sample = sample_of(stack);
	struct known_stack key = { .task = task, .epoch = epoch, .copies = 5 };
	const struct known_stack *found = known_stacks_find(known, &sample, &key);

	if (found) {
		CU_ASSERT_EQUAL(found->entries, stack->depth);
		CU_ASSERT_EQUAL(found->copies, 5);
		return found->number;
	}
	*added = key.entries ? known_stacks_add(known, &key) : UINT32_MAX;
	return UINT32_MAX;
}

static void numbers(void)
{
	struct known_stacks *known = known_stacks_new(3);
	struct stack stacks[4];
	uint32_t added = UINT32_MAX;

	CU_ASSERT_FATAL(known != NULL);
	for (uint64_t n = 0; n < 4; n++)
		stacks[n] = numbered(n);
	for (uint32_t n = 0; n < 3; n++) {
		CU_ASSERT_EQUAL(find(known, &stacks[n], 1, 8, &added), UINT32_MAX);
		CU_ASSERT_EQUAL(added, n);
	}
	for (uint32_t n = 0; n < 3; n++)
		CU_ASSERT_EQUAL(find(known, &stacks[n], 1, 8, &added), n);
	/* One more: all others are forgotten */
	CU_ASSERT_EQUAL(find(known, &stacks[3], 1, 8, &added), UINT32_MAX);
	CU_ASSERT_EQUAL(added, 0);
	CU_ASSERT_EQUAL(find(known, &stacks[3], 1, 8, &added), 0);
	CU_ASSERT_EQUAL(find(known, &stacks[0], 1, 8, &added), UINT32_MAX);
	CU_ASSERT_EQUAL(added, 1);
	/* Of others, or of other times, it is another one */
	CU_ASSERT_EQUAL(find(known, &stacks[3], 2, 8, &added), UINT32_MAX);
	CU_ASSERT_EQUAL(added, 2);
	CU_ASSERT_EQUAL(find(known, &stacks[3], 2, 9, &added), UINT32_MAX);
	/* A part of it is another one, and none is not even that */
	stacks[3].depth = 1;
	CU_ASSERT_EQUAL(find(known, &stacks[3], 2, 9, &added), UINT32_MAX);
	CU_ASSERT_EQUAL(added, 1);
	stacks[3].depth = 0;
	CU_ASSERT_EQUAL(find(known, &stacks[3], 2, 9, &added), UINT32_MAX);
	CU_ASSERT_EQUAL(added, UINT32_MAX);
	known_stacks_free(known);
	known_stacks_free(NULL);
}

/* Where none comes again most are not even looked for; where all do, all are found. */
static void worth(void)
{
	const uint32_t many = 1000000;
	struct known_stacks *known = known_stacks_new(MIX_STACKS_MOST);
	uint32_t added = 0, tried = 0, found = 0;

	CU_ASSERT_FATAL(known != NULL);
	for (uint32_t n = 0; n < many; n++) {
		const struct stack stack = numbered(n);

		CU_ASSERT_EQUAL(find(known, &stack, 0, 8, &added), UINT32_MAX);
		tried += added != UINT32_MAX;
	}
	CU_ASSERT(tried > 0);
	CU_ASSERT(tried < many / 10);
	for (uint32_t n = 0; n < many; n++) {
		const struct stack stack = numbered(n % 1000);

		found += find(known, &stack, 1, 8, &added) != UINT32_MAX;
	}
	CU_ASSERT(found > many / 10 * 9);
	known_stacks_free(known);
}

/* --- counting --- */

#define STACKS 3000u
#define BRANCHES 30u

struct drawn {
	struct mix_jump jumps[MIX_STACK_MOST];
	uint32_t streams[MIX_STACK_MOST], count, known;
};

/*
 * Of a few branches, so that streams come again in other stacks, and short loops have one several times. The
 * number of a stream is made of both of its ends; ends of stacks may be in no code.
 */
static void draw(struct random *random, struct drawn *drawn)
{
	uint32_t branch = 0, newer;

	drawn->count = 2 + (uint32_t)random_below(random, MIX_STACK_MOST - 1);
	drawn->known = UINT32_MAX;
	for (uint32_t n = 0; n < drawn->count; n++) {
		newer = branch;
		branch = random_below(random, 4) ? (uint32_t)random_below(random, BRANCHES) : newer;
		drawn->jumps[n] = (struct mix_jump){ branch, branch * 7 % BRANCHES };
		if (n)
			drawn->streams[n - 1] = 1 + branch * BRANCHES + newer;
	}
	if (random_below(random, 4) == 0)
		drawn->jumps[drawn->count - 1].from = FLOW_NONE;
	if (random_below(random, 4) == 0) {
		drawn->jumps[0].to = FLOW_NONE;
		drawn->streams[0] += BRANCHES * BRANCHES;
	}
}

static int know(struct mix_observations *seen, const struct drawn *drawn)
{
	return mix_know_stack(seen, drawn->known, drawn->jumps, drawn->streams, drawn->count);
}

static int add(struct mix_observations *seen, const struct drawn *drawn, uint64_t n)
{
	return drawn->known != UINT32_MAX
		       ? mix_add_known_stack(seen, drawn->known, n % 1000, n)
		       : mix_add_numbered_stack(seen, drawn->jumps, drawn->streams, drawn->count,
						n % 1000, n);
}

/* What was seen becomes known now and then, and is forgotten when 'most' are. */
static void count_known(struct drawn *drawn, uint32_t limit, uint32_t most)
{
	struct random random = random_of(most);
	struct mix_observations alone = { 0 }, known = { 0 };
	uint32_t next = 0;
	int failed = mix_observations_defer(&known) < 0;

	for (uint32_t n = 0; n < limit; n++) {
		/* The deepest ones come late: what was full is none any more */
		const uint32_t of =
			(uint32_t)random_below(&random, 1 + n * (uint64_t)STACKS / limit);
		struct drawn *one = &drawn[of];

		failed |= mix_add_stack(&alone, one->jumps, one->count, n % 1000, n) < 0;
		failed |= add(&known, one, n) < 0;
		if (one->known != UINT32_MAX || random_below(&random, 3))
			continue;
		if (next == most) {
			for (uint32_t other = 0; other < STACKS; other++)
				drawn[other].known = UINT32_MAX;
			next = 0;
		}
		one->known = next++;
		failed |= know(&known, one) < 0;
	}
	CU_ASSERT_EQUAL(failed, 0);
	CU_ASSERT_EQUAL(mix_observations_settle(&known), 0);
	same_observations(&alone, &known);
	for (uint32_t n = 0; n < STACKS; n++)
		drawn[n].known = UINT32_MAX;
}

static int by_depth(const void *a, const void *b)
{
	const struct drawn *left = a, *right = b;

	return left->count < right->count ? -1 : left->count > right->count;
}

static void counted(void)
{
	struct drawn *drawn = calloc(STACKS, sizeof(*drawn));
	struct random random = random_of(3);

	CU_ASSERT_FATAL(drawn != NULL);
	for (uint32_t n = 0; n < STACKS; n++)
		draw(&random, &drawn[n]);
	qsort(drawn, STACKS, sizeof(*drawn), by_depth);
	count_known(drawn, 0, 5);
	count_known(drawn, 1, 5);
	count_known(drawn, 20000, 5);
	count_known(drawn, 60000, 1000);
	count_known(drawn, 60000, STACKS);
	free(drawn);
}

/* All groups have both hundreds of times; both are forgotten, and come again as often. */
static void often(void)
{
	struct mix_observations alone = { 0 }, known = { 0 };
	struct random random = random_of(8);
	struct drawn drawn[2];
	int failed = mix_observations_defer(&known) < 0;

	draw(&random, &drawn[0]);
	draw(&random, &drawn[1]);
	for (uint32_t n = 0; n < 30000; n++) {
		struct drawn *one = &drawn[n < 2 ? n : random_below(&random, 2)];

		failed |= mix_add_stack(&alone, one->jumps, one->count, n % 1000, n) < 0;
		failed |= add(&known, one, n) < 0;
		for (uint32_t number = 0; n % 10000 == 1 && number < 2; number++) {
			drawn[number].known = number;
			failed |= know(&known, &drawn[number]) < 0;
		}
	}
	CU_ASSERT_EQUAL(failed, 0);
	CU_ASSERT_EQUAL(mix_observations_settle(&known), 0);
	same_observations(&alone, &known);
}

/* What is known, and was never settled, is freed, too. */
static void unsettled(void)
{
	struct mix_observations seen = { 0 };
	struct random random = random_of(1);
	struct drawn drawn;

	draw(&random, &drawn);
	CU_ASSERT_EQUAL(mix_observations_defer(&seen), 0);
	CU_ASSERT_EQUAL(add(&seen, &drawn, 0), 0);
	drawn.known = 0;
	CU_ASSERT_EQUAL(know(&seen, &drawn), 0);
	CU_ASSERT_EQUAL(add(&seen, &drawn, 1), 0);
	mix_observations_free(&seen);
}

/* --- seeing --- */

#define DIFFERENT 400u

static struct build build;

struct seeing {
	struct precis_symbols *symbols;
	struct mix_sightings *sightings;
	struct code_streams streams;
};

static void begin(struct seeing *seeing)
{
	CU_ASSERT_EQUAL_FATAL(precis_symbols_new(NULL, &seeing->symbols), 0);
	CU_ASSERT_EQUAL_FATAL(mix_sightings_new(seeing->symbols, &seeing->sightings), 0);
	code_streams_init(&seeing->streams, BRANCH_ANY | BRANCH_USER);
}

static void end(struct seeing *seeing)
{
	mix_sightings_free(seeing->sightings);
	precis_symbols_free(seeing->symbols);
}

static void feed(struct seeing *seeing, uint32_t type, uint64_t time)
{
	struct precis_record record = { 0 };

	CU_ASSERT(mix_sightings_learn_from(type));
	mix_sightings_pause(seeing->sightings);
	CU_ASSERT_EQUAL(feed_at(seeing->symbols, &build, type, PRECIS_CPUMODE_KERNEL, time), 0);
	CU_ASSERT_EQUAL_FATAL(precis_record_at(build.bytes, build.count, &record), 0);
	CU_ASSERT_EQUAL(mix_sightings_record(seeing->sightings, &record, time), 0);
}

/* Loops, and entries that are left out, of the kernel, or of user space where nothing is mapped */
static void draw_entries(struct random *random, struct stack *stack)
{
	const uint64_t at = random_below(random, 2) ? KERNEL_AT : USER_AT;
	const uint32_t kind = (uint32_t)random_below(random, 8);

	stack->depth = random_below(random, 3) ? 32 : (uint32_t)random_below(random, DEPTH_MOST);
	for (uint32_t n = 0; n < stack->depth; n++) {
		uint64_t *entry = stack->entries + 3 * (size_t)n;

		entry[1] = at + 64 * random_below(random, 10);
		entry[0] = at + 64 * (10 + random_below(random, 10)) + 32;
		entry[2] = 2 | random_next(random) % 64 << 4;
		if (n && kind < 3 && random_below(random, 2))
			memcpy(entry, entry - 3, 24);
		if (kind == 3 && random_below(random, 10) == 0)
			entry[2] |= WRONG_PATH;
		if (kind == 4 && random_below(random, 10) == 0)
			entry[1] ^= KERNEL_AT ^ USER_AT;
		if (kind == 5 && random_below(random, 10) == 0)
			entry[0] = random_below(random, 2) ? 0 : at;
		if (kind == 6 && random_below(random, 10) == 0)
			entry[0] += UINT64_C(1) << 21;
	}
}

/* Its newest branch is a sample, sometimes, and its oldest one a branch that was or was not taken. */
static void see(struct seeing *seeing, const struct stack *stack, const struct mix_witness *who)
{
	const struct precis_perf_sample sample = sample_of(stack);
	const uint64_t *oldest = stack->entries + 3 * (size_t)(stack->depth ? stack->depth - 1 : 0);

	if (who->cluster % 3 == 0)
		CU_ASSERT_EQUAL(mix_see_sample(seeing->sightings, who, stack->entries[0]), 0);
	if (who->cluster % 5 == 0)
		CU_ASSERT_EQUAL(
			mix_see_branch(seeing->sightings, who, oldest[0], oldest[who->cluster % 2]),
			0);
	CU_ASSERT_EQUAL(mix_see_stack(seeing->sightings, who, &seeing->streams, &sample), 0);
}

/* Code that changes, of which places are new ones; processes and modes that are told apart */
static void see_all(struct seeing *seeing, const struct stack *stacks, uint32_t count)
{
	struct random random = random_of(count);

	build_kernel_mapping(&build, KERNEL_AT);
	feed(seeing, PRECIS_RECORD_MMAP, 0);
	for (uint32_t n = 0; n < count; n++) {
		const struct mix_witness who = {
			.pid = 1 + n / 4000 % 2,
			.context = n / 2000 % 2,
			.cpumode = n % 100 ? PRECIS_CPUMODE_USER : PRECIS_CPUMODE_HYPERVISOR,
			.time = n,
			.period = 1 + n % 1000,
			.cluster = n,
		};

		if (n % 9000 == 8999) {
			build_poke(&build, KERNEL_AT, "", 0, n % 18000 == 8999 ? "a" : "b", 1);
			feed(seeing, PRECIS_RECORD_TEXT_POKE, n);
		}
		see(seeing, &stacks[random_below(&random, DIFFERENT)], &who);
	}
}

/* As the numbers of places have it, by which alone observations would be the same for others, too */
static void same_places(const struct mix_sightings *a, const struct mix_sightings *b)
{
	uint32_t different = 0;

	CU_ASSERT_EQUAL_FATAL(mix_sightings_places(a), mix_sightings_places(b));
	for (uint32_t n = 0; n < mix_sightings_places(a); n++) {
		const struct mix_place left = mix_sightings_place(a, n),
				       right = mix_sightings_place(b, n);

		different +=
			!left.text != !right.text || left.offset != right.offset ||
			left.since != right.since || left.context != right.context ||
			left.absent != right.absent || left.is_kernel != right.is_kernel ||
			(left.text && code_text_number(left.text) != code_text_number(right.text));
	}
	CU_ASSERT_EQUAL(different, 0);
}

/* Some 3000 different ones are known by then, of two processes, contexts, modes and texts. */
static void compare_seen(const struct stack *stacks, uint32_t threads)
{
	struct seeing alone = { 0 }, known = { 0 };

	begin(&alone);
	begin(&known);
	CU_ASSERT_EQUAL(mix_sightings_begin(known.sightings, threads), 0);
	see_all(&alone, stacks, 40000);
	see_all(&known, stacks, 40000);
	CU_ASSERT_EQUAL(mix_sightings_settle(known.sightings), 0);
	CU_ASSERT_EQUAL(memcmp(&alone.streams, &known.streams, sizeof(alone.streams)), 0);
	CU_ASSERT(alone.streams.wrong_path > 0 && alone.streams.other_ring > 0);
	CU_ASSERT(alone.streams.fates[CODE_FATE_NO_ADDRESS] > 0);
	CU_ASSERT(alone.streams.fates[CODE_FATE_TOO_LONG] > 0);
	CU_ASSERT(alone.streams.fates[CODE_FATE_BACKWARD] > 0);
	same_places(alone.sightings, known.sightings);
	same_observations((struct mix_observations *)mix_sightings_seen(alone.sightings),
			  (struct mix_observations *)mix_sightings_seen(known.sightings));
	end(&alone);
	end(&known);
}

static void seen(void)
{
	static const uint32_t threads[] = { 0, 1, 2, 3, 8 };
	struct stack *stacks = calloc(DIFFERENT, sizeof(*stacks));
	struct random random = random_of(5);

	CU_ASSERT_FATAL(stacks != NULL);
	for (uint32_t n = 0; n < DIFFERENT; n++)
		draw_entries(&random, &stacks[n]);
	for (size_t n = 0; n < sizeof(threads) / sizeof(threads[0]); n++)
		compare_seen(stacks, threads[n]);
	free(stacks);
}

#define KEPT 16u
#define ADDRESSES 1000u

/* Of more addresses than are kept the first ones are known, all others are one place of each process. */
static void bounded(void)
{
	struct seeing seeing = { 0 };
	struct mix_witness who = {
		.pid = 7, .context = 3, .cpumode = PRECIS_CPUMODE_USER, .period = 5
	};
	uint32_t left_out = 0;

	begin(&seeing);
	mix_sightings_keep(seeing.sightings, KEPT);
	for (uint32_t n = 0; n < 2 * ADDRESSES;
	     n++) { /* the second time they are where they were the first time */
		who.cluster = n;
		CU_ASSERT_EQUAL(
			mix_see_sample(seeing.sightings, &who, USER_AT + 64 * (n % ADDRESSES)), 0);
	}
	who.context = 4;
	CU_ASSERT_EQUAL(mix_see_sample(seeing.sightings, &who, USER_AT), 0);
	CU_ASSERT_EQUAL_FATAL(mix_sightings_places(seeing.sightings), KEPT + 2);
	for (uint32_t n = 0; n < KEPT + 2; n++) {
		const struct mix_place place = mix_sightings_place(seeing.sightings, n);

		left_out += place.absent == CODE_ABSENT_TOO_MANY;
		CU_ASSERT_EQUAL(place.context, n <= KEPT ? 3 : 4);
		if (n < KEPT)
			CU_ASSERT(place.absent == CODE_ABSENT_NOT_MAPPED &&
				  place.offset == USER_AT + 64 * n);
	}
	CU_ASSERT_EQUAL(left_out, 2);
	CU_ASSERT_EQUAL(mix_weight_of_samples(mix_sightings_seen(seeing.sightings)),
			5 * (2 * ADDRESSES + 1));
	end(&seeing);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "stacks have numbers, until there are too many", numbers },
		{ "where hardly any stack comes again, they are not looked for", worth },
		{ "known stacks are counted as those that are not", counted },
		{ "those that come often, too, and once more when they were forgotten", often },
		{ "what is known is freed", unsettled },
		{ "stacks that are seen again are seen as the first time", seen },
		{ "of more addresses than are kept the first ones are known", bounded },
	};

	return tap_main("mix_stacks", cases, sizeof(cases) / sizeof(cases[0]));
}
