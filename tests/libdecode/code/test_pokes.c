// SPDX-License-Identifier: BSD-3-Clause
/* Code that changes: an index of changes says what a look at all of them says, however many there are. */
#include <string.h>

#include "libdecode/code/pokes.h"
#include "statistics/random.h"
#include "tests/support/tap.h"

#define AT UINT64_C(0xffffffff81000000)
#define CHANGES 60u
#define SPAN 256u /* bytes of code in which all of them are */
#define LONGEST 24u

struct change {
	uint64_t time, start;
	uint32_t before_bytes, after_bytes;
	uint8_t before[LONGEST], after[LONGEST];
};

static struct change changes[CHANGES];
static struct code_pokes pokes;

static int add(uint64_t start, const void *before, uint32_t before_bytes, const void *after,
	       uint32_t after_bytes, uint64_t time)
{
	const struct precis_text_poke poke = { .size = sizeof(poke),
					       .addr = start,
					       .old_code = { before, before_bytes },
					       .new_code = { after, after_bytes } };

	return code_pokes_add(&pokes, &poke, time);
}

static void draw(struct random *random)
{
	for (uint32_t n = 0; n < CHANGES; n++) {
		struct change *change = &changes[n];

		*change = (struct change){ .time = 10 * (1 + random_below(random, 20)),
					   .start = AT + random_below(random, SPAN),
					   .before_bytes =
						   (uint32_t)random_below(random, LONGEST + 1),
					   .after_bytes =
						   (uint32_t)random_below(random, LONGEST + 1) };
		for (uint32_t at = 0; at < LONGEST; at++) {
			change->before[at] = (uint8_t)random_below(random, 256);
			change->after[at] = (uint8_t)random_below(random, 256);
		}
		CU_ASSERT_EQUAL(add(change->start, change->before, change->before_bytes,
				    change->after, change->after_bytes, change->time),
				0);
	}
}

static uint64_t end_of(const struct change *change)
{
	return change->start + (change->before_bytes > change->after_bytes ? change->before_bytes
									   : change->after_bytes);
}

/* The last change before a time that has a byte, else the first one behind it; NULL: none has */
static const struct change *deciding(uint64_t address, uint64_t time)
{
	const struct change *last = NULL, *first = NULL;

	for (uint32_t n = 0; n < CHANGES; n++) {
		const struct change *change = &changes[n];

		if (address < change->start || address >= end_of(change))
			continue;
		if (change->time <= time && (!last || change->time >= last->time))
			last = change;
		if (change->time > time && (!first || change->time < first->time))
			first = change;
	}
	return last ? last : first;
}

static void check_bytes(uint64_t start, uint64_t time)
{
	uint8_t bytes[16], wanted[16];
	uint32_t known = 0;

	memset(bytes, 0xa5, sizeof(bytes));
	memset(wanted, 0xa5, sizeof(wanted));
	for (; known < sizeof(bytes); known++) {
		const struct change *change = deciding(start + known, time);
		const int is_new = change && change->time <= time;
		const uint64_t into = change ? start + known - change->start : 0;

		if (!change && known >= 8)
			break;
		if (change && into >= (is_new ? change->after_bytes : change->before_bytes))
			break;
		if (change)
			wanted[known] = is_new ? change->after[into] : change->before[into];
	}
	CU_ASSERT_EQUAL(code_pokes_apply(&pokes, start, time, bytes, 8, sizeof(bytes)), known);
	CU_ASSERT_EQUAL(memcmp(bytes, wanted, known), 0);
}

static void check_times(uint64_t start, uint64_t end, uint64_t time)
{
	uint64_t since = 0, until = UINT64_MAX, got_since, got_until;

	for (uint32_t n = 0; n < CHANGES; n++) {
		const struct change *change = &changes[n];

		if (change->start >= end || end_of(change) <= start ||
		    end_of(change) == change->start)
			continue;
		if (change->time <= time)
			since = change->time > since ? change->time : since;
		else
			until = change->time < until ? change->time : until;
	}
	code_pokes_valid(&pokes, start, end, time, &got_since, &got_until);
	CU_ASSERT_EQUAL(got_since, since);
	CU_ASSERT_EQUAL(got_until, until);
}

/* Of any length and order in time, one over the other */
static void as_all_of_them_say(void)
{
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct random random = random_of(seed);

		draw(&random);
		for (uint32_t n = 0; n < 400; n++) {
			const uint64_t start = AT - 16 + random_below(&random, SPAN + 64);
			const uint64_t time = random_below(&random, 220);

			check_bytes(start, time);
			check_times(start, start + 1 + random_below(&random, n % 10 ? 20 : 20000),
				    time);
		}
		code_pokes_free(&pokes);
	}
}

/*
 * A tracer that is turned on and off a hundred times, with 5000 functions; and one place that changes half a
 * million times. Each is asked for as often: a look at all changes each time would take hours.
 */
static void many(void)
{
	static const uint8_t nop[5] = { 0x0f, 0x1f, 0x44, 0, 0 }, call[5] = { 0xe8, 1, 2, 3, 4 };
	const uint32_t functions[] = { 5000, 1 };
	uint8_t bytes[5];
	uint64_t since, until, wrong = 0;

	for (size_t of = 0; of < 2; of++) {
		for (uint32_t n = 0; n < 500000; n++) {
			const uint32_t turn = n / functions[of];
			const uint64_t start = AT + UINT64_C(256) * (n % functions[of]);

			wrong += add(start, turn % 2 ? call : nop, 5, turn % 2 ? nop : call, 5,
				     n + 1) != 0;
		}
		for (uint32_t n = 0; n < 500000; n++) {
			const uint32_t turn = n / functions[of];
			const uint64_t start = AT + UINT64_C(256) * (n % functions[of]);

			code_pokes_valid(&pokes, start, start + 5, n + 1, &since, &until);
			wrong += since != n + 1 ||
				 until != (n + functions[of] < 500000 ? n + 1 + functions[of]
								      : UINT64_MAX);
			wrong += code_pokes_apply(&pokes, start, n + 1, bytes, 0, 5) != 5 ||
				 memcmp(bytes, turn % 2 ? nop : call, 5) != 0;
		}
		code_pokes_free(&pokes);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* What there is no room for is counted: too many bytes, too many places in one line, too long ones. */
static void no_room(void)
{
	static uint8_t code[UINT16_MAX + 1u];
	uint64_t since, until;

	CU_ASSERT_EQUAL(add(AT, code, UINT16_MAX + 1u, code, 0, 5), 0);
	CU_ASSERT_EQUAL(pokes.not_kept, 1);
	for (uint32_t n = 0; n < 2 * CODE_POKE_PLACES_MOST; n++)
		CU_ASSERT_EQUAL(add(AT, code, n + 1, code, 0, 5), 0);
	CU_ASSERT_EQUAL(pokes.not_kept, 1 + CODE_POKE_PLACES_MOST);
	/* a place that is there already changes again all the same */
	CU_ASSERT_EQUAL(add(AT, code, 1, code, 1, 9), 0);
	CU_ASSERT_EQUAL(pokes.not_kept, 1 + CODE_POKE_PLACES_MOST);
	code_pokes_valid(&pokes, AT, AT + 1, 7, &since, &until);
	CU_ASSERT_EQUAL(since, 5);
	CU_ASSERT_EQUAL(until, 9);
	for (uint32_t n = 0; n < CODE_POKE_BYTES_MOST / UINT16_MAX + 2; n++)
		CU_ASSERT_EQUAL(add(AT + 0x100000, code, UINT16_MAX, code, 0, n), 0);
	CU_ASSERT(pokes.pool_bytes <= CODE_POKE_BYTES_MOST);
	CU_ASSERT(pokes.not_kept > 1 + CODE_POKE_PLACES_MOST);
	/* nothing is changed by nothing; addresses end */
	CU_ASSERT_EQUAL(add(UINT64_MAX, code, 0, code, 0, 5), 0);
	code_pokes_free(&pokes);
	CU_ASSERT_EQUAL(add(UINT64_MAX - 2, code, 8, code, 0, 5), 0);
	code_pokes_valid(&pokes, UINT64_MAX - 8, UINT64_MAX, 7, &since, &until);
	CU_ASSERT_EQUAL(since, 5);
	code_pokes_free(&pokes);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "bytes and times are those that all changes together say", as_all_of_them_say },
		{ "half a million changes, of many places and of one", many },
		{ "what there is no room for is counted", no_room },
	};

	return tap_main("pokes", cases, sizeof(cases) / sizeof(cases[0]));
}
