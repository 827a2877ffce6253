/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every format and every combination of groups: what was written is read again,
 * a record without its last bytes is none, and nothing is read behind the end.
 */
#include "tests/property/pebs_records.h"
#include "tests/support/guarded.h"
#include "tests/support/tap.h"

static unsigned int wrong;

static void same(int holds, const struct made_record *made, const char *what)
{
	if (!holds && wrong++ < 10)
		printf("# format %s, groups 0x%x: %s\n",
		       precis_pebs_format_name(made->pebs.format),
		       (unsigned int)made->pebs.groups, what);
}

static int same_bytes(const uint8_t *a, const uint8_t *b, size_t count)
{
	return !a == !b && (!a || memcmp(a, b, count) == 0);
}

/* Values of the counters behind their header. */
static size_t counter_bytes(const struct precis_pebs_groups *views)
{
	return 8 * (size_t)(__builtin_popcount(views->gp_counters) +
			    __builtin_popcount(views->fixed_counters)) +
	       (views->metrics ? 16 : 0);
}

static void compare(const struct made_record *made, const struct precis_pebs *pebs,
		    const struct precis_pebs_groups *views)
{
	const struct precis_pebs *was = &made->pebs;
	const struct precis_pebs_groups *had = &made->views;

	same(pebs->groups == was->groups, made, "groups");
	same(pebs->captured == was->captured, made, "captured");
	same(pebs->gpr_captured == was->gpr_captured, made, "gpr_captured");
	same(pebs->flags == was->flags, made, "flags");
	same(pebs->unknown_groups == 0, made, "unknown_groups");
	for (uint32_t i = 0; i < PRECIS_PEBS_WORD_COUNT; i++)
		same(!(was->captured >> i & 1) || pebs->word[i] == was->word[i], made,
		     precis_pebs_word_name(i));
	for (uint32_t i = 0; i < PRECIS_PEBS_GPR_COUNT; i++)
		same(!(was->gpr_captured >> i & 1) || pebs->gpr[i] == was->gpr[i], made,
		     precis_pebs_gpr_name(i));
	same(same_bytes(views->xmm, had->xmm, 256), made, "xmm");
	same(same_bytes(views->ymmh, had->ymmh, 256), made, "ymmh");
	same(same_bytes(views->opmask, had->opmask, 64), made, "opmask");
	same(same_bytes(views->zmmh, had->zmmh, 512), made, "zmmh");
	same(same_bytes(views->hi16_zmm, had->hi16_zmm, 1024), made, "hi16_zmm");
	same(views->xstate == had->xstate, made, "xstate");
	same(views->has_lbr_header == had->has_lbr_header, made, "has_lbr_header");
	same(same_bytes(views->lbr_header, had->lbr_header, 48), made, "lbr_header");
	same(views->lbr_count == had->lbr_count, made, "lbr_count");
	same(same_bytes(views->lbr, had->lbr, 24 * (size_t)had->lbr_count), made, "lbr");
	same(views->gp_counters == had->gp_counters, made, "gp_counters");
	same(views->fixed_counters == had->fixed_counters, made, "fixed_counters");
	same(views->metrics == had->metrics, made, "metrics");
	same(same_bytes(views->counters, had->counters, counter_bytes(had)), made, "counters");
}

/* Parses a copy that ends where memory ends. */
static int parse_exactly(const struct made_record *made, const uint8_t *bytes, size_t count)
{
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	int rc = precis_pebs_parse(made->pebs.format, guarded(bytes, count), count, &pebs, &views);

	if (rc == 0)
		compare(made, &pebs, &views);
	return rc;
}

static void one(uint64_t *state, const struct made_record *made)
{
	static uint8_t bytes[RECORD_MAX], again[RECORD_MAX];
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	int length = made_encode(made, bytes, sizeof(bytes)), rc;
	size_t step;

	same(length > 0, made, "encode");
	if (length <= 0)
		return;
	same(parse_exactly(made, bytes, (size_t)length) == 0, made, "parse");
	/* what stands behind a record does not matter */
	memset(bytes + length, 0xff, sizeof(bytes) - (size_t)length);
	rc = precis_pebs_parse(made->pebs.format, bytes, sizeof(bytes), &pebs, &views);
	same(rc == 0 && pebs.bytes == (uint32_t)length, made, "length");
	/* null records may stand in front: format_word is the first header that is none */
	rc = precis_pebs_encode(&pebs, &views, again, sizeof(again));
	if (!made->split && !made->nulls)
		same(rc == length && !memcmp(bytes, again, (size_t)length), made, "encoded again");
	rc = made_encode(made, again, (size_t)length - 1);
	same(rc == PRECIS_E_NO_SPACE, made, "too small a buffer");
	step = length < 256 ? 1 : 1 + random_next(state) % 200;
	for (size_t count = 0; count < (size_t)length; count += step)
		same(parse_exactly(made, bytes, count) == PRECIS_E_TRUNCATED, made, "truncated");
	same(parse_exactly(made, bytes, (size_t)length - 1) == PRECIS_E_TRUNCATED, made,
	     "one byte less");
}

static void round_trip(void)
{
	uint64_t state = random_seed("round trip");
	static struct made_record made;
	unsigned int records = 0;

	for (size_t f = 0; f < COUNT(made_formats); f++) {
		uint32_t combinations = made_combinations(made_formats[f]);
		unsigned int rounds = random_amount(combinations < 1024 ? 64 : 8);

		for (unsigned int round = 0; round < rounds; round++) {
			for (uint32_t n = 0; n < combinations; n++, records++) {
				make_record(&state, made_formats[f], n, &made);
				one(&state, &made);
			}
		}
	}
	printf("# %u records\n", records);
	CU_ASSERT_EQUAL(wrong, 0);
}

/* What a record does not have cannot be written: no word of it becomes a 0. */
static void nothing_is_made_up(void)
{
	uint64_t state = random_seed("nothing is made up");
	static struct made_record made, less;
	static uint8_t bytes[RECORD_MAX];

	for (size_t f = 0; f < COUNT(made_formats); f++) {
		make_record(&state, made_formats[f], made_combinations(made_formats[f]) - 1, &made);
		for (uint32_t i = 0; i < PRECIS_PEBS_WORD_COUNT; i++) {
			less = made;
			less.pebs.captured &= ~(1u << i);
			same((made_encode(&less, bytes, sizeof(bytes)) == PRECIS_E_ARGUMENT) ==
				     (made.pebs.captured >> i & 1), &made,
			     precis_pebs_word_name(i));
		}
		for (uint32_t i = 0; i < PRECIS_PEBS_GPR_COUNT; i++) {
			less = made;
			less.pebs.gpr_captured &= ~(1u << i);
			same((made_encode(&less, bytes, sizeof(bytes)) == PRECIS_E_ARGUMENT) ==
				     (made.pebs.gpr_captured >> i & 1), &made,
			     precis_pebs_gpr_name(i));
		}
		if (precis_pebs_format_bytes(made_formats[f]))
			continue;
		less = made;
		less.pebs.word[PRECIS_PEBS_RETIRE_LATENCY] = 0x10000;
		same(made_encode(&less, bytes, sizeof(bytes)) == PRECIS_E_ARGUMENT, &made,
		     "a retire latency of 17 bits");
		less = made;
		less.pebs.groups &= ~PRECIS_PEBS_GROUP_BASIC;
		same(made_encode(&less, bytes, sizeof(bytes)) == PRECIS_E_ARGUMENT, &made,
		     "no Basic");
		less = made;
		less.pebs.groups |= 1u << 11;
		same(made_encode(&less, bytes, sizeof(bytes)) == PRECIS_E_ARGUMENT, &made,
		     "an unknown group");
		less = made;
		less.views.xmm = NULL;
		same(made_encode(&less, bytes, sizeof(bytes)) == PRECIS_E_ARGUMENT, &made,
		     "no XMM registers");
		less = made;
		less.views.lbr = NULL;
		less.views.lbr_count = 8;
		same(made_encode(&less, bytes, sizeof(bytes)) == PRECIS_E_ARGUMENT, &made,
		     "no branches");
		same(precis_pebs_encode(&made.pebs, NULL, bytes, sizeof(bytes)) ==
			     PRECIS_E_ARGUMENT, &made, "no views");
	}
	/* formats without a group do not get it */
	for (uint32_t n = 0; n < made_combinations(6); n++) {
		make_record(&state, 6, n, &made);
		made.pebs.format = 4 + n % 2;
		same((made_encode(&made, bytes, sizeof(bytes)) == PRECIS_E_ARGUMENT) == (n >= 16),
		     &made, "counters");
	}
	make_record(&state, PRECIS_PEBS_FORMAT_NETBURST_32, 0, &made);
	made.pebs.gpr[PRECIS_PEBS_SI] = UINT64_C(1) << 32;
	same(made_encode(&made, bytes, sizeof(bytes)) == PRECIS_E_ARGUMENT, &made, "33 bits");
	/* an architectural record says of a retire latency whether it is valid: nobody else can */
	make_record(&state, PRECIS_PEBS_FORMAT_ARCH, 0, &made);
	made.pebs.flags = 0;
	same(made_encode(&made, bytes, sizeof(bytes)) == PRECIS_E_ARGUMENT, &made, "not told");
	CU_ASSERT_EQUAL(wrong, 0);
}

static const struct tap_case cases[] = {
	{ "all formats, all combinations of groups, all prefixes", round_trip },
	{ "what is not captured is not written", nothing_is_made_up },
};

int main(void)
{
	return tap_main("pebs round trip", cases, COUNT(cases));
}
