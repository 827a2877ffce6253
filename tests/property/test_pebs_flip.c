/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flip each bit of a record: exactly one bit of one word changes, each bit of
 * each word is changed by exactly one flip, and what a flip does to sizes and
 * headers is an error or leaves the words alone.
 */
#include "tests/property/pebs_records.h"
#include "tests/support/tap.h"

#define UNITS_MAX (PRECIS_PEBS_WORD_COUNT + PRECIS_PEBS_GPR_COUNT + RECORD_MAX / 8)

static unsigned int wrong;
static unsigned long long flips;

/* All values of a record as 64-bit units, and what tells which there are. */
struct flat {
	size_t count;
	uint64_t unit[UNITS_MAX];
	uint32_t structure[10];
};

static void add(struct flat *flat, const uint8_t *at, size_t bytes)
{
	if (at) {
		memcpy(flat->unit + flat->count, at, bytes);
		flat->count += bytes / 8;
	}
}

static void flatten(const struct precis_pebs *pebs, const struct precis_pebs_groups *views,
		    struct flat *flat)
{
	const uint32_t structure[] = { pebs->bytes,	  pebs->groups,	       pebs->captured,
				       pebs->gpr_captured, pebs->fragments,    views->lbr_count,
				       views->gp_counters, views->fixed_counters, views->metrics,
				       views->has_lbr_header };

	memcpy(flat->structure, structure, sizeof(structure));
	flat->count = 0;
	for (uint32_t i = 0; i < PRECIS_PEBS_WORD_COUNT; i++) {
		if (pebs->captured >> i & 1)
			flat->unit[flat->count++] = pebs->word[i];
	}
	for (uint32_t i = 0; i < PRECIS_PEBS_GPR_COUNT; i++) {
		if (pebs->gpr_captured >> i & 1)
			flat->unit[flat->count++] = pebs->gpr[i];
	}
	add(flat, views->xmm, 256);
	add(flat, views->ymmh, 256);
	add(flat, views->opmask, 64);
	add(flat, views->zmmh, 512);
	add(flat, views->hi16_zmm, 1024);
	/* the header's first word is reserved */
	add(flat, views->lbr_header ? views->lbr_header + 8 : NULL, 40);
	add(flat, views->lbr, 24 * (size_t)views->lbr_count);
	add(flat, views->counters,
	    8 * (size_t)(__builtin_popcount(views->gp_counters) +
			 __builtin_popcount(views->fixed_counters)) + (views->metrics ? 16 : 0));
}

/* The only units of fewer bits than 64. */
static uint64_t bits_of(const struct precis_pebs *pebs, size_t unit)
{
	uint32_t retire = (uint32_t)__builtin_popcount(
		pebs->captured & ((1u << PRECIS_PEBS_RETIRE_LATENCY) - 1));

	if (pebs->format == PRECIS_PEBS_FORMAT_NETBURST_32)
		return UINT32_MAX;
	if ((pebs->captured >> PRECIS_PEBS_RETIRE_LATENCY & 1) && unit == retire)
		return 0xffff;
	return ~UINT64_C(0);
}

static void complain(uint32_t format, uint32_t n, size_t bit, const char *what)
{
	if (wrong++ < 10)
		printf("# format %s, combination %u, bit %zu of byte %zu: %s\n",
		       precis_pebs_format_name(format), (unsigned int)n, bit % 8, bit / 8, what);
}

/*
 * Where a flip may leave another record, without an error: the counters' masks, where
 * padding takes a counter up; and the headers of fragments, since a record that is
 * continued becomes one that is not.
 */
static int may_restructure(const struct precis_pebs *pebs, const struct precis_pebs_groups *views,
			   const uint8_t *bytes, size_t byte)
{
	if (views->counters && bytes + byte >= views->counters - 16 &&
	    bytes + byte < views->counters)
		return 1;
	if (pebs->format != PRECIS_PEBS_FORMAT_ARCH)
		return 0;
	for (size_t at = 0; at <= byte; at += bytes[at] | (size_t)bytes[at + 1] << 8) {
		if (byte - at < 8)
			return 1;
	}
	return 0;
}

/* How deep the LBRs are said to be: a variable number of entries cannot change alone. */
static int is_depth(const struct precis_pebs_groups *views, size_t unit, const struct flat *flat)
{
	static struct flat behind;

	if (!views->lbr_header || views->lbr_count == 8 || views->lbr_count == 16)
		return 0;
	behind.count = 0;
	add(&behind, views->lbr, 24 * (size_t)views->lbr_count);
	add(&behind, views->counters,
	    8 * (size_t)(__builtin_popcount(views->gp_counters) +
			 __builtin_popcount(views->fixed_counters)) + (views->metrics ? 16 : 0));
	/* LBR_CTL, depth and the three words of LER */
	return unit == flat->count - behind.count - 4;
}

static void flip_record(uint64_t *state, uint32_t format, uint32_t n)
{
	static struct made_record made;
	static uint8_t bytes[RECORD_MAX];
	static struct flat base, flat;
	static uint64_t changed[UNITS_MAX];
	struct precis_pebs pebs = { .size = sizeof(pebs) }, other = { .size = sizeof(other) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	struct precis_pebs_groups others = { .size = sizeof(others) };
	int length;

	make_record(state, format, n, &made);
	length = made_encode(&made, bytes, sizeof(bytes));
	if (length <= 0 || precis_pebs_parse(format, bytes, (size_t)length, &pebs, &views) < 0) {
		complain(format, n, 0, "encode");
		return;
	}
	flatten(&pebs, &views, &base);
	memset(changed, 0, sizeof(changed));
	for (size_t bit = 0; bit < 8 * (size_t)length; bit++, flips++) {
		size_t units = 0;

		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		if (precis_pebs_parse(format, bytes, (size_t)length, &other, &others) == 0) {
			flatten(&other, &others, &flat);
			if (memcmp(flat.structure, base.structure, sizeof(base.structure))) {
				bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
				if (!may_restructure(&pebs, &views, bytes, bit / 8))
					complain(format, n, bit, "another structure");
				continue;
			}
			for (size_t i = 0; i < base.count; i++) {
				uint64_t difference = flat.unit[i] ^ base.unit[i];

				if (!difference)
					continue;
				units++;
				if (difference & (difference - 1))
					complain(format, n, bit, "more than a bit of a word");
				if (changed[i] & difference)
					complain(format, n, bit, "a bit that another one changed");
				changed[i] |= difference;
			}
			units += (size_t)__builtin_popcount(pebs.flags ^ other.flags);
			if (units > 1)
				complain(format, n, bit, "more than a word");
		}
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	for (size_t i = 0; i < base.count; i++) {
		if (changed[i] != bits_of(&pebs, i) && !is_depth(&views, i, &base))
			complain(format, n, 0, "a word with bits that nothing changed");
	}
}

static void flip_everything(void)
{
	uint64_t state = random_seed("flip");

	for (size_t f = 0; f < COUNT(made_formats); f++) {
		uint32_t combinations = made_combinations(made_formats[f]);
		unsigned int records = random_amount(combinations);

		for (unsigned int i = 0; i < records; i++)
			flip_record(&state, made_formats[f],
				    combinations == records ?
					    i :
					    (uint32_t)(random_next(&state) % combinations));
	}
	printf("# %llu bits flipped\n", flips);
	CU_ASSERT_EQUAL(wrong, 0);
}

static const struct tap_case cases[] = {
	{ "each bit of a record is one bit of one word", flip_everything },
};

int main(void)
{
	return tap_main("pebs flip", cases, COUNT(cases));
}
