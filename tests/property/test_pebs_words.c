/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of words say the same as the records, one by one, whatever the buffer is made of. */
#include "tests/property/pebs_records.h"
#include "tests/support/guarded.h"
#include "tests/support/tap.h"

#define BUFFER_BYTES 60000
#define ROOM 700

static unsigned int wrong;
static unsigned long long records;

static void same(int holds, uint32_t format, const char *what)
{
	if (!holds && wrong++ < 10)
		printf("# format %s: %s\n", precis_pebs_format_name(format), what);
}

/* Runs of like records, single ones, and now and then bytes that are wrong. */
static size_t make_buffer(uint64_t *state, uint32_t format, uint8_t *bytes)
{
	static struct made_record made;
	uint32_t hostile = random_next(state) % 4 == 0;
	size_t used = 0;

	while (used + RECORD_MAX < BUFFER_BYTES) {
		uint32_t n = (uint32_t)random_next(state) % made_combinations(format);
		unsigned int run = random_next(state) % 3 ? 1 : random_next(state) % 600;

		for (; run && used + RECORD_MAX < BUFFER_BYTES; run--) {
			int length;

			make_record(state, format, n, &made);
			length = made_encode(&made, bytes + used, RECORD_MAX);
			if (length <= 0) {
				same(0, format, "encode");
				return used;
			}
			if (hostile && random_next(state) % 50 == 0)
				bytes[used + random_next(state) % (unsigned int)length] ^=
					(uint8_t)(1u << random_next(state) % 8);
			used += (size_t)length;
		}
	}
	return hostile ? used - random_next(state) % 30 : used;
}

static uint32_t valid_words(const struct precis_pebs *pebs)
{
	uint32_t captured = pebs->captured;

	if ((pebs->flags & PRECIS_PEBS_RETIRE_LATENCY_TOLD) &&
	    !(pebs->flags & PRECIS_PEBS_RETIRE_LATENCY_VALID))
		captured &= ~(1u << PRECIS_PEBS_RETIRE_LATENCY);
	return captured;
}

static void compare(uint64_t *state, uint32_t format, const uint8_t *bytes, size_t count)
{
	static uint64_t values[PRECIS_PEBS_WORD_COUNT][ROOM + 1];
	static uint32_t captured[ROOM + 1];
	uint64_t *columns[PRECIS_PEBS_WORD_COUNT];
	uint32_t words[PRECIS_PEBS_WORD_COUNT];
	struct precis_pebs_buffer one, many;
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	size_t chosen = 1 + random_next(state) % PRECIS_PEBS_WORD_COUNT;

	for (size_t i = 0; i < chosen; i++) {
		columns[i] = values[i];
		words[i] = (uint32_t)(random_next(state) % PRECIS_PEBS_WORD_COUNT);
	}
	precis_pebs_buffer_init(&one, format, bytes, count);
	precis_pebs_buffer_init(&many, format, bytes, count);
	for (;;) {
		size_t room = random_next(state) % 2 ? 1 + random_next(state) % 5 : ROOM;
		int got, rc;

		captured[room] = 0xabcdef;
		values[0][room] = 0xfedcba;
		got = precis_pebs_words(&many, words, chosen, room, columns, captured);
		same(captured[room] == 0xabcdef && values[0][room] == 0xfedcba, format,
		     "behind the room");
		if (got <= 0) {
			rc = precis_pebs_buffer_next(&one, &pebs, NULL);
			same(rc == got && one.offset == many.offset && one.next == many.next,
			     format, "end or error");
			same(one.records == many.records && one.null_records == many.null_records,
			     format, "counts");
			if (got == 0)
				return;
			continue;
		}
		for (int i = 0; i < got; i++, records++) {
			if (precis_pebs_buffer_next(&one, &pebs, NULL) != 1) {
				same(0, format, "more records");
				return;
			}
			same(captured[i] == valid_words(&pebs), format, "captured");
			for (size_t j = 0; j < chosen; j++)
				same(!(captured[i] >> words[j] & 1) ||
					     values[j][i] == pebs.word[words[j]], format,
				     precis_pebs_word_name(words[j]));
		}
		same(one.offset == many.offset && one.next == many.next, format, "place");
	}
}

static void columns(void)
{
	uint64_t state = random_seed("words");
	unsigned int rounds = random_amount(60);
	uint8_t *bytes = (uint8_t *)malloc(BUFFER_BYTES);

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	for (size_t f = 0; f < COUNT(made_formats); f++) {
		for (unsigned int round = 0; round < rounds; round++) {
			size_t count = make_buffer(&state, made_formats[f], bytes);

			compare(&state, made_formats[f], guarded(bytes, count), count);
		}
	}
	free(bytes);
	printf("# %llu records\n", records);
	CU_ASSERT_EQUAL(wrong, 0);
}

static const struct tap_case cases[] = {
	{ "columns are the records' words", columns },
};

int main(void)
{
	return tap_main("pebs words", cases, COUNT(cases));
}
