/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks through buffers: which record comes next, where a walk ends and why. */
#include "tests/libdecode/pebs/pebs_bytes.h"

#define BASIC BIT(63)
#define AUX BIT(62)
#define CONTINUED BIT(31)

/* What a walk is expected to meet. */
struct step {
	int rc;
	size_t offset; /* of the record, or of the error */
	uint32_t bytes;
};

static void walk(uint32_t format, const uint8_t *bytes, size_t count, const struct step *steps,
		 size_t step_count)
{
	struct precis_pebs_buffer buffer;
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	uint64_t records = 0;

	CU_ASSERT_EQUAL_FATAL(precis_pebs_buffer_init(&buffer, format, bytes, count), 0);
	for (size_t i = 0; i < step_count; i++) {
		int rc = precis_pebs_buffer_next(&buffer, &pebs, &views);

		if (rc != steps[i].rc || buffer.offset != steps[i].offset)
			printf("# step %zu: %d at %zu\n", i, rc, buffer.offset);
		CU_ASSERT_EQUAL(rc, steps[i].rc);
		CU_ASSERT_EQUAL(buffer.offset, steps[i].offset);
		if (rc > 0) {
			CU_ASSERT_EQUAL(pebs.bytes, steps[i].bytes);
			records++;
		}
		CU_ASSERT_EQUAL(buffer.records, records);
	}
	CU_ASSERT_EQUAL(precis_pebs_buffer_next(&buffer, &pebs, NULL), 0);
	CU_ASSERT_EQUAL(precis_pebs_buffer_next(&buffer, &pebs, &views), 0);
}

#define WALK(format, bytes, count, steps) walk(format, bytes, count, steps, COUNT(steps))

static void fixed(void)
{
	static const struct step whole[] = { { 1, 0, 200 }, { 1, 200, 200 }, { 1, 400, 200 } };
	static const struct step partial[] = { { 1, 0, 200 },
					       { 1, 200, 200 },
					       { PRECIS_E_TRUNCATED, 400, 0 } };
	uint8_t bytes[600];

	fill(bytes, sizeof(bytes));
	WALK(PRECIS_PEBS_FORMAT_3, bytes, 600, whole);
	for (size_t count = 401; count < 600; count++)
		WALK(PRECIS_PEBS_FORMAT_3, bytes, count, partial);
	walk(PRECIS_PEBS_FORMAT_3, bytes, 400, whole, 2);
	walk(PRECIS_PEBS_FORMAT_3, bytes, 0, NULL, 0);
	walk(PRECIS_PEBS_FORMAT_3, NULL, 0, NULL, 0);
}

static void put_adaptive(uint8_t *at, uint32_t bits, size_t bytes)
{
	put64(at, bits | (uint64_t)bytes << 48);
}

static void adaptive(void)
{
	static const struct step mixed[] = { { 1, 0, 64 },   { 1, 64, 32 },  { 1, 96, 208 },
					     { 1, 304, 64 }, { 1, 368, 56 } };
	static const struct step partial[] = { { 1, 0, 64 },
					       { 1, 64, 32 },
					       { 1, 96, 208 },
					       { PRECIS_E_TRUNCATED, 304, 0 } };
	static const struct step unknown[] = { { 1, 0, 64 },
					       { PRECIS_E_UNKNOWN_BITS, 64, 0 },
					       { 1, 96, 208 },
					       { 1, 304, 64 },
					       { 1, 368, 56 } };
	static const struct step zero[] = { { 1, 0, 64 }, { PRECIS_E_BAD_SIZE, 64, 0 } };
	uint8_t bytes[424];

	fill(bytes, sizeof(bytes));
	put_adaptive(bytes, 1, 64);
	put_adaptive(bytes + 64, 0, 32);
	put_adaptive(bytes + 96, 3, 208);
	put_adaptive(bytes + 304, 1, 64);
	put_adaptive(bytes + 368, 8, 56);
	WALK(PRECIS_PEBS_FORMAT_4, bytes, 424, mixed);
	WALK(PRECIS_PEBS_FORMAT_6, bytes, 424, mixed);
	WALK(PRECIS_PEBS_FORMAT_4, bytes, 305, partial);
	WALK(PRECIS_PEBS_FORMAT_4, bytes, 367, partial);
	/* a group that is not known: its record is passed over */
	put_adaptive(bytes + 64, 0x10, 32);
	WALK(PRECIS_PEBS_FORMAT_5, bytes, 424, unknown);
	/* nobody knows where the next one is */
	put_adaptive(bytes + 64, 0, 0);
	WALK(PRECIS_PEBS_FORMAT_4, bytes, 424, zero);
	put_adaptive(bytes + 64, 0, 40);
	WALK(PRECIS_PEBS_FORMAT_4, bytes, 424, zero);
}

static void architectural(void)
{
	static const struct step expected[] = { { 1, 48, 64 },
						{ PRECIS_E_FRAGMENT, 128, 0 },
						{ 1, 208, 160 },
						{ PRECIS_E_UNKNOWN_BITS, 432, 0 },
						{ 1, 432, 64 } };
	static const struct step zero[] = { { 1, 48, 64 }, { PRECIS_E_BAD_SIZE, 112, 0 } };
	static const struct step inside[] = { { 1, 48, 64 },
					      { PRECIS_E_FRAGMENT, 128, 0 },
					      { PRECIS_E_BAD_SIZE, 288, 0 } };
	static const struct step half[] = { { 1, 48, 64 }, { PRECIS_E_TRUNCATED, 112, 0 } };
	struct precis_pebs_buffer buffer;
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	uint8_t bytes[528] = { 0 };

	put64(bytes, 16);			     /* null records */
	put64(bytes + 16, 32);
	put64(bytes + 48, BASIC | 64);		     /* a record */
	put64(bytes + 112, 16);			     /* null */
	put64(bytes + 128, AUX | CONTINUED | 80);    /* the rest of another one */
	put64(bytes + 208, BASIC | CONTINUED | 64);  /* a record of two fragments, null between */
	put64(bytes + 272, 16);
	put64(bytes + 288, AUX | 80);
	put64(bytes + 368, BASIC | CONTINUED | 64);  /* one that is not continued */
	put64(bytes + 432, BASIC | 64);		     /* a record */
	put64(bytes + 496, 16);			     /* null */
	put64(bytes + 512, 16);
	WALK(PRECIS_PEBS_FORMAT_ARCH, bytes, 528, expected);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_buffer_init(&buffer, PRECIS_PEBS_FORMAT_ARCH, bytes,
						      528), 0);
	while (precis_pebs_buffer_next(&buffer, &pebs, NULL))
		;
	CU_ASSERT_EQUAL(buffer.records, 3);
	CU_ASSERT_EQUAL(buffer.null_records, 5);
	for (size_t count = 113; count < 128; count++)
		WALK(PRECIS_PEBS_FORMAT_ARCH, bytes, count, half);
	/* a size of 0 where a fragment should follow, and where a record should begin */
	put64(bytes + 288, AUX);
	WALK(PRECIS_PEBS_FORMAT_ARCH, bytes, 528, inside);
	put64(bytes + 112, 0);
	WALK(PRECIS_PEBS_FORMAT_ARCH, bytes, 528, zero);
	put64(bytes + 112, 8);
	WALK(PRECIS_PEBS_FORMAT_ARCH, bytes, 528, zero);
	put64(bytes + 112, 20);
	WALK(PRECIS_PEBS_FORMAT_ARCH, bytes, 528, zero);
	put64(bytes + 112, 528);
	WALK(PRECIS_PEBS_FORMAT_ARCH, bytes, 528, half);
}

/* One column of a buffer in which only the first record is right. */
static void first_only(uint32_t format, const uint8_t *bytes, size_t count, int error)
{
	struct precis_pebs_buffer buffer;
	uint32_t word = PRECIS_PEBS_TSC, captured[8];
	uint64_t values[8], *columns[1] = { values };

	CU_ASSERT_EQUAL_FATAL(precis_pebs_buffer_init(&buffer, format, bytes, count), 0);
	CU_ASSERT_EQUAL(precis_pebs_words(&buffer, &word, 1, 8, columns, captured), 1);
	CU_ASSERT_EQUAL(precis_pebs_words(&buffer, &word, 1, 8, columns, captured), error);
	CU_ASSERT_EQUAL(buffer.offset, count / 2);
}

/* The same first word, and yet not the same layout: counts within the groups decide, too. */
static void columns_check_sizes(void)
{
	uint8_t bytes[416] = { 0 };

	put_adaptive(bytes, 0x10, 56);
	put32(bytes + 32, 1);
	put_adaptive(bytes + 56, 0x10, 56);
	put32(bytes + 56 + 32, 3);
	first_only(PRECIS_PEBS_FORMAT_6, bytes, 112, PRECIS_E_BAD_SIZE);
	memset(bytes, 0, sizeof(bytes));
	put_adaptive(bytes, 0x20, 64);
	put32(bytes + 40, 3);
	put_adaptive(bytes + 64, 0x20, 64);
	put32(bytes + 64 + 40, 2);
	first_only(PRECIS_PEBS_FORMAT_6, bytes, 128, PRECIS_E_UNKNOWN_BITS);
	/* each bit of the size counts */
	for (unsigned int bit = 0; bit < 6; bit++) {
		memset(bytes, 0, sizeof(bytes));
		put_adaptive(bytes, 1, 64);
		put_adaptive(bytes + 64, 1, 64 + (1u << bit));
		first_only(PRECIS_PEBS_FORMAT_6, bytes, 128,
			   bit < 3 ? PRECIS_E_BAD_SIZE : PRECIS_E_TRUNCATED);
	}
	memset(bytes, 0, sizeof(bytes));
	put64(bytes, BASIC | BIT(40) | BIT(41) | 208);
	put64(bytes + 64 + 0x10, 4);
	put64(bytes + 208, BASIC | BIT(40) | BIT(41) | 208);
	put64(bytes + 208 + 64 + 0x10, 5);
	first_only(PRECIS_PEBS_FORMAT_ARCH, bytes, 416, PRECIS_E_BAD_SIZE);
}

static void arguments(void)
{
	struct precis_pebs_buffer buffer;
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_groups views = { .size = 0 };
	uint32_t word = PRECIS_PEBS_WORD_COUNT, captured;
	uint64_t values[1], *columns[1] = { values };
	uint8_t bytes[144] = { 0 };

	CU_ASSERT_EQUAL(precis_pebs_buffer_init(NULL, 0, bytes, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_buffer_init(&buffer, 7, bytes, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_buffer_init(&buffer, 0, NULL, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_buffer_init(&buffer, 0, bytes, 144), 0);
	CU_ASSERT_EQUAL(precis_pebs_buffer_next(NULL, &pebs, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_buffer_next(&buffer, NULL, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_buffer_next(&buffer, &pebs, &views), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_words(&buffer, &word, 1, 1, columns, &captured),
			PRECIS_E_ARGUMENT);
	word = PRECIS_PEBS_TSC;
	CU_ASSERT_EQUAL(precis_pebs_words(NULL, &word, 1, 1, columns, &captured),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_words(&buffer, NULL, 1, 1, columns, &captured),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_words(&buffer, &word, 1, 1, NULL, &captured),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_words(&buffer, &word, 1, 1, columns, NULL),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_words(&buffer, &word, 1, 0, columns, &captured),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_words(&buffer, NULL, 0, 1, NULL, &captured), 1);
	buffer.size = 0;
	CU_ASSERT_EQUAL(precis_pebs_words(&buffer, &word, 1, 1, columns, &captured),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_buffer_next(&buffer, &pebs, NULL), PRECIS_E_ARGUMENT);
}

static const struct tap_case cases[] = {
	{ "records of one size", fixed },
	{ "adaptive records of different sizes", adaptive },
	{ "architectural: null records, fragments, remains", architectural },
	{ "columns check what the first word does not tell", columns_check_sizes },
	{ "bad arguments", arguments },
};

int main(void)
{
	return tap_main("pebs buffer", cases, COUNT(cases));
}
