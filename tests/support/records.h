/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of parsers of record bodies: each at every length of its body, from nothing on. */
#ifndef TESTS_SUPPORT_RECORDS_H
#define TESTS_SUPPORT_RECORDS_H

#include <precis/error.h>

#include "tests/support/build.h"
#include "tests/support/tap.h"

enum parse_mode {
	PARSE_ONLY, /* the body may end anywhere */
	PARSE_CHECKED, /* it is whole: every member is what was put in */
	PARSE_UNDERSIZED /* a struct of an older library */
};

/* One record type, or one variant of it */
struct record_case {
	const char *name;
	uint32_t type;
	uint16_t misc;
	void (*build)(struct build *build); /* the body */
	int (*parse)(const struct precis_record *record, enum parse_mode mode);
	/* Lengths of a body that has all it needs: from 'enough' on, not between the two ends of
	 * the gap (the members that a version added, in part), multiples of 'step' beyond it. */
	uint32_t enough;
	uint32_t gap_from, gap_to;
	uint32_t step;
};

static inline int record_case_is_whole(const struct record_case *row, uint32_t bytes)
{
	return bytes >= row->enough && !(bytes > row->gap_from && bytes < row->gap_to) &&
	       (!row->step || (bytes - row->enough) % row->step == 0);
}

/* Read every byte of a view, so that a sanitizer has its say. */
static inline void record_touch(struct precis_bytes view)
{
	volatile uint8_t sum = 0;

	for (uint32_t i = 0; i < view.bytes; i++)
		sum = (uint8_t)(sum + view.data[i]);
}

static inline void record_touch_text(const char *text)
{
	volatile size_t length = strlen(text);

	(void)length;
}

/* A copy of the record that ends after so many bytes of its body, in memory that ends there */
static inline struct precis_record record_cut(const struct build *build, uint32_t body,
					      uint8_t **copy)
{
	struct precis_record record = build_record(build);
	size_t bytes = 8 + (size_t)body;

	*copy = malloc(bytes);
	if (!*copy)
		abort();
	memcpy(*copy, build->bytes, bytes);
	record.data = *copy;
	record.size = (uint16_t)bytes;
	return record;
}

static inline void record_case_run(const struct record_case *row)
{
	static struct build build;
	struct precis_record record;
	uint32_t body;
	uint8_t *copy;
	int code;

	build_begin(&build, row->type, row->misc);
	row->build(&build);
	build_end(&build);
	body = (uint32_t)build.count - 8;
	for (uint32_t bytes = 0; bytes <= body; bytes++) {
		record = record_cut(&build, bytes, &copy);
		code = row->parse(&record, bytes == body ? PARSE_CHECKED : PARSE_ONLY);
		if ((code == 0) != record_case_is_whole(row, bytes) || code > 0) {
			printf("# %s: %u of %u bytes: %d\n", row->name, bytes, body, code);
			CU_FAIL("a body cut short");
		}
		free(copy);
	}
	record = build_record(&build);
	CU_ASSERT_EQUAL(row->parse(&record, PARSE_UNDERSIZED), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(row->parse(NULL, PARSE_ONLY), PRECIS_E_ARGUMENT);
	record.size = 7;
	CU_ASSERT_NOT_EQUAL(row->parse(&record, PARSE_ONLY), 0);
	record.size = (uint16_t)build.count;
	record.type = PRECIS_RECORD_SAMPLE;
	CU_ASSERT_EQUAL(row->parse(&record, PARSE_ONLY), PRECIS_E_ARGUMENT);
}

/* A parser: declares 'parsed', fills it, and asserts the last argument where the body is whole. */
#define RECORD_PARSER(name, type, call, touch, checks)                                             \
	static int name(const struct precis_record *record, enum parse_mode mode)                  \
	{                                                                                          \
		type parsed;                                                                       \
		int code;                                                                          \
                                                                                                   \
		memset(&parsed, 0x5a, sizeof(parsed));                                             \
		parsed.size = mode == PARSE_UNDERSIZED ? 4 : sizeof(parsed);                       \
		code = call(record, &parsed);                                                      \
		if (code)                                                                          \
			return code;                                                               \
		touch;                                                                             \
		if (mode == PARSE_CHECKED) {                                                       \
			checks;                                                                    \
		}                                                                                  \
		return 0;                                                                          \
	}

#endif
