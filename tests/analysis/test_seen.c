/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples are remembered by the bits that decide in one word: no two that differ in one of them are one. */
#include <stdlib.h>

#include "analysis/list.h"
#include "analysis/seen.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define ROUNDS 20000u

static uint64_t *word_of(struct group_key *key, uint32_t n)
{
	uint64_t *const words[] = { &key->control, &key->data, &key->data2, &key->data3 };

	return words[n];
}

/* Some bits of each register, about one in eight */
static struct group_key some_bits(uint64_t *state)
{
	struct group_key bits = { 0 };

	for (uint32_t n = 0; n < 4; n++)
		*word_of(&bits, n) = random_next(state) & random_next(state) & random_next(state);
	return bits;
}

static uint32_t count_of(struct group_key *bits)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < 4; n++)
		count += (uint32_t)__builtin_popcountll(*word_of(bits, n));
	return count;
}

/* A key, and another one that differs in one of the bits */
static void check_bits(struct group_key *bits, const struct packing *packing, uint64_t *state)
{
	struct group_key key = { 0 };

	for (uint32_t n = 0; n < 4; n++)
		*word_of(&key, n) = random_next(state) & *word_of(bits, n);
	for (uint32_t n = 0; n < 4; n++) {
		for (uint64_t left = *word_of(bits, n); left; left &= left - 1) {
			struct group_key other = key;

			*word_of(&other, n) ^= left & -left;
			CU_ASSERT_EQUAL(__builtin_popcountll(packed_bits(packing, &key) ^
							     packed_bits(packing, &other)), 1);
		}
	}
}

static void packed(void)
{
	uint64_t state = 20261126;
	uint32_t possible = 0, impossible = 0;

	for (uint32_t n = 0; n < ROUNDS; n++) {
		struct group_key bits = some_bits(&state);
		const struct packing packing = packing_of(&bits);

		if (packing.is_possible)
			check_bits(&bits, &packing, &state);
		if (count_of(&bits) > 64)
			CU_ASSERT_FALSE(packing.is_possible);
		possible += packing.is_possible != 0;
		impossible += !packing.is_possible;
	}
	CU_ASSERT_TRUE(possible > 100);
	CU_ASSERT_TRUE(impossible > 100);
}

static uint64_t set_of(const uint8_t *fields)
{
	uint64_t set = 0;

	for (; fields && *fields != FIELDS_END; fields++) {
		if (*fields < 64)
			set |= UINT64_C(1) << *fields;
	}
	return set;
}

/* If they did not, runs of samples would be taken one by one, which is slow and shows in nothing else. */
static void all_analyses(void)
{
	uint64_t decided[PRECIS_FIELD_WORDS] = { 0 }, numbers[PRECIS_FIELD_WORDS] = { 0 };
	struct group_bits bits;

	for (uint32_t n = 0; analyses[n]; n++) {
		decided[0] |= set_of(analyses[n]->decided);
		numbers[0] |= set_of(analyses[n]->numbers);
	}
	bits = group_bits_of(decided, numbers);
	CU_ASSERT_TRUE(packing_of(&bits.op).is_possible);
	CU_ASSERT_TRUE(packing_of(&bits.fetch).is_possible);
}

static void found(void)
{
	struct seen *const seen = seen_new();
	uint64_t state = 7;

	CU_ASSERT_PTR_NOT_NULL_FATAL(seen);
	for (uint32_t n = 0; n < ROUNDS; n++) {
		const struct packed_key key = { random_next(&state), random_next(&state) };
		const uint64_t form = random_next(&state);
		struct seen *const set = seen_set(seen, &key, form);
		struct packed_key other = key;
		uint64_t other_form = form;
		uint64_t *const words[] = { &other.bits, &other.measured, &other_form };

		CU_ASSERT_EQUAL(seen_find(set, &key, form, 1), -1);
		seen_put(set, &key, form, n, 1);
		CU_ASSERT_EQUAL(seen_find(set, &key, form, 1), n);
		CU_ASSERT_EQUAL(seen_find(set, &key, form, 2), -1);
		*words[n % 3] ^= UINT64_C(1) << n % 64;
		CU_ASSERT_EQUAL(seen_find(set, &other, other_form, 1), -1);
	}
	free(seen);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "bits of random registers in one word: each of them tells keys apart", packed },
		{ "all that any analysis tells apart has room in a word", all_analyses },
		{ "a key is found until it is no more, and no other one is", found },
	};

	return tap_main("seen", cases, sizeof(cases) / sizeof(cases[0]));
}
