/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of analyses: what each says of itself holds together, and all fit where they are counted. */
#include <string.h>

#include "analysis/groups.h"
#include "analysis/list.h"
#include "tests/support/tap.h"

static size_t length(const uint8_t *fields)
{
	size_t count = 0;

	while (fields && fields[count] != FIELDS_END)
		count++;
	return count;
}

static int has(const uint8_t *fields, uint8_t field)
{
	return fields && memchr(fields, field, length(fields)) != NULL;
}

static void names(void)
{
	for (size_t n = 0; analyses[n]; n++) {
		CU_ASSERT_TRUE(strlen(analyses[n]->name) > 0);
		for (size_t other = 0; other < n; other++)
			CU_ASSERT_STRING_NOT_EQUAL(analyses[n]->name, analyses[other]->name);
	}
}

/* Why a group's samples lack a field follows from the bits that tell groups apart alone. */
static void explained_is_decided(void)
{
	for (size_t n = 0; analyses[n]; n++) {
		const struct analysis *is = analyses[n];

		for (size_t i = 0; i < length(is->explained); i++)
			CU_ASSERT_TRUE(has(is->decided, is->explained[i]) ||
				       has(is->numbers, is->explained[i]));
	}
}

static void numbers_have_places(void)
{
	size_t count = 0, numbers[ANALYSIS_OF_ALL + 1] = { 0 };

	for (; analyses[count]; count++) {
		const struct analysis *is = analyses[count];

		CU_ASSERT_TRUE(length(is->numbers) <= ANALYSIS_NUMBERS);
		CU_ASSERT_EQUAL(is->numbers != NULL, is->number != NULL);
		CU_ASSERT_EQUAL(is->columns != NULL, is->batch != NULL);
		CU_ASSERT_EQUAL(is->starts_over != NULL, is->again != NULL);
		CU_ASSERT_PTR_NOT_NULL(is->merge);
		numbers[is->of] += length(is->numbers);
	}
	CU_ASSERT_TRUE(count > 0 && count <= ANALYSES_MOST);
	/* a sample is an op, a fetch or of PEBS, and always one of all */
	for (uint32_t of = 0; of < ANALYSIS_OF_ALL; of++)
		CU_ASSERT_TRUE(numbers[of] + numbers[ANALYSIS_OF_ALL] <= COMBINATION_NUMBERS);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each has a name of its own", names },
		{ "what it explains, it decides or counts", explained_is_decided },
		{ "numbers and analyses have room where they are counted", numbers_have_places },
	};

	return tap_main("analyses", cases, sizeof(cases) / sizeof(cases[0]));
}
