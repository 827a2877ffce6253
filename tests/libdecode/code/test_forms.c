/* SPDX-License-Identifier: BSD-3-Clause */
/* What instructions do, against what is known of each; groups; names for other tools' scripts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/code.h>
#include <precis/error.h>

#include "libdecode/code/groups.h"
#include "libdecode/code/instruction.h"
#include "libdecode/code/sde_names.h"
#include "tests/support/tap.h"

#define AT UINT64_C(0x401000)

/* --- floating-point operations and bytes: known_instructions.S --- */

#if defined(__x86_64__)
/* As the macro 'expect' has it */
struct known_row {
	const uint8_t *instruction;
	uint32_t flops, reads, writes, flops_figure, bytes_figure, vector_bits, elements, packing;
};
extern const struct known_row known_rows[], known_rows_end[];

/* 0: all is as expected */
static int differs(const struct known_row *row, const struct code_form *form)
{
	return form->flops != row->flops || code_read_bytes(form) != row->reads ||
	       code_written_bytes(form) != row->writes || form->flops_figure != row->flops_figure ||
	       form->bytes_figure != row->bytes_figure || form->vector_bits != row->vector_bits ||
	       form->packing != row->packing ||
	       (form->vector_bits && form->element_count != row->elements);
}

static void what_they_do(void)
{
	struct code_instruction found;
	const uint8_t *next = known_rows->instruction;

	CU_ASSERT(known_rows_end - known_rows > 60);
	for (const struct known_row *row = known_rows; row < known_rows_end; row++) {
		int length;

		CU_ASSERT_PTR_EQUAL(row->instruction, next);
		length = code_instruction_decode(row->instruction, 15, AT, 64, &found);
		CU_ASSERT(length > 0);
		next = row->instruction + length;
		if (!differs(row, &found.form))
			continue;
		printf("# row %td, %s: flops %u (%u), reads %u, writes %u (%u), vector %u, elements %u, %u\n",
		       row - known_rows, code_mnemonic_name(found.form.mnemonic), found.form.flops,
		       found.form.flops_figure, code_read_bytes(&found.form), code_written_bytes(&found.form),
		       found.form.bytes_figure, found.form.vector_bits, found.form.element_count,
		       found.form.packing);
		CU_FAIL("a form is not as expected");
	}
}
#else
static void what_they_do(void)
{
	tap_skip("the instructions are x86-64's");
}
#endif

/* --- branches --- */

#define NO_TARGET UINT64_MAX
static const struct {
	const char *bytes;
	uint32_t length;
	enum code_branch branch;
	int falls_through;
	uint64_t target;
} branches[] = {
	{ "\x90", 1, CODE_BRANCH_NONE, 1, NO_TARGET },
	{ "\x75\xfe", 2, CODE_BRANCH_CONDITIONAL, 1, AT },
	{ "\xe2\x10", 2, CODE_BRANCH_CONDITIONAL, 1, AT + 0x12 },         /* loop */
	{ "\xc7\xf8\x04\x00\x00\x00", 6, CODE_BRANCH_CONDITIONAL, 1, AT + 10 }, /* xbegin */
	{ "\xc6\xf8\x01", 3, CODE_BRANCH_CONDITIONAL, 1, NO_TARGET },      /* xabort */
	{ "\x0f\x34", 2, CODE_BRANCH_TRAP, 0, NO_TARGET },                /* sysenter */
	{ "\xeb\x10", 2, CODE_BRANCH_UNCONDITIONAL, 0, AT + 0x12 },
	{ "\xff\xe0", 2, CODE_BRANCH_INDIRECT_JUMP, 0, NO_TARGET },
	{ "\x3e\xff\xe0", 3, CODE_BRANCH_INDIRECT_JUMP, 0, NO_TARGET },   /* notrack */
	{ "\xe8\x00\x00\x00\x00", 5, CODE_BRANCH_CALL, 1, AT + 5 },
	{ "\xff\x17", 2, CODE_BRANCH_INDIRECT_CALL, 1, NO_TARGET },
	{ "\xc3", 1, CODE_BRANCH_RETURN, 0, NO_TARGET },
	{ "\xf3\xc3", 2, CODE_BRANCH_RETURN, 0, NO_TARGET },
	{ "\xc2\x08\x00", 3, CODE_BRANCH_RETURN, 0, NO_TARGET },
	{ "\x48\xcf", 2, CODE_BRANCH_RETURN, 0, NO_TARGET },              /* iretq */
	{ "\x48\x0f\x07", 3, CODE_BRANCH_RETURN, 0, NO_TARGET },          /* sysretq */
	{ "\x0f\x05", 2, CODE_BRANCH_SYSTEM_CALL, 1, NO_TARGET },
	{ "\xcd\x80", 2, CODE_BRANCH_SYSTEM_CALL, 1, NO_TARGET },
	{ "\xf4", 1, CODE_BRANCH_TRAP, 0, NO_TARGET },
	{ "\xcc", 1, CODE_BRANCH_TRAP, 0, NO_TARGET },
	{ "\x0f\x0b", 2, CODE_BRANCH_TRAP, 0, NO_TARGET },
};
#define BRANCHES (sizeof(branches) / sizeof(branches[0]))

static void how_they_go_on(void)
{
	struct code_instruction found;

	for (size_t n = 0; n < BRANCHES; n++) {
		const int length = (int)branches[n].length;

		CU_ASSERT_EQUAL(code_instruction_decode(branches[n].bytes, branches[n].length, AT, 64,
							&found), length);
		CU_ASSERT_EQUAL(found.length, branches[n].length);
		CU_ASSERT_EQUAL(found.form.branch, branches[n].branch);
		CU_ASSERT_EQUAL(code_falls_through(found.form.branch), branches[n].falls_through);
		CU_ASSERT_EQUAL(found.has_target, branches[n].target != NO_TARGET);
		CU_ASSERT_EQUAL(found.target, found.has_target ? branches[n].target : 0);
	}
	CU_ASSERT_STRING_EQUAL(code_branch_name(CODE_BRANCH_TRAP), "halt or trap");
	CU_ASSERT_STRING_EQUAL(code_branch_name(CODE_BRANCHES), "unknown");
	CU_ASSERT_FALSE(code_falls_through(CODE_BRANCHES));
}

static void what_is_none(void)
{
	static const char none[] = "\x06\x0f\x0b";
	struct code_form unknown;
	struct code_instruction found;

	code_form_unknown(&unknown);
	CU_ASSERT_EQUAL(unknown.flops_figure, CODE_FIGURE_UNKNOWN);
	CU_ASSERT_EQUAL(unknown.bytes_figure, CODE_FIGURE_UNKNOWN);
	memset(&found, 0x5a, sizeof(found));
	CU_ASSERT_EQUAL(code_instruction_decode(none, 3, AT, 64, &found), 0);
	CU_ASSERT_EQUAL(memcmp(&found.form, &unknown, sizeof(unknown)), 0);
	CU_ASSERT_EQUAL(found.length, 0);
	CU_ASSERT_EQUAL(code_instruction_decode(none, 3, AT, 32, &found), 1);
	/* every instruction, cut off */
	for (size_t n = 0; n < BRANCHES; n++) {
		for (uint32_t count = 0; count < branches[n].length; count++) {
			char *exact = malloc(count ? count : 1); /* sanitizers see who reads on */

			memcpy(exact, branches[n].bytes, count);
			CU_ASSERT_EQUAL(code_instruction_decode(exact, count, AT, 64, &found),
					PRECIS_E_TRUNCATED);
			CU_ASSERT_EQUAL(memcmp(&found.form, &unknown, sizeof(unknown)), 0);
			free(exact);
		}
	}
	CU_ASSERT_EQUAL(code_instruction_decode(NULL, 1, AT, 64, &found), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(code_instruction_decode(none, 1, AT, 16, &found), PRECIS_E_ARGUMENT);
}

static void what_they_are_marked_with(void)
{
	static const struct {
		const char *bytes;
		uint32_t length, traits;
	} marked[] = {
		{ "\xf0\x48\xff\x07", 4, CODE_LOCKED },                    /* lock incq (%rdi) */
		{ "\x48\x87\x07", 3, CODE_LOCKED },                        /* xchg with memory */
		{ "\x48\x87\xc3", 3, 0 },                                  /* xchg of registers */
		{ "\xf3\x48\xa5", 3, CODE_REPEATED },
		{ "\xf2\xae", 2, CODE_REPEATED },
		{ "\x55", 1, CODE_STACK },
		{ "\x62\xf1\xf5\x58\x58\x17", 6, CODE_BROADCAST },         /* vaddpd (%rdi){1to8} */
		{ "\xc4\xe2\x7d\x92\x14\x8f", 6, CODE_MASKED | CODE_GATHER },
		{ "\x62\xf2\x7d\x49\xa0\x04\x8f", 7, CODE_MASKED | CODE_SCATTER },
	};
	struct code_instruction found;

	for (size_t n = 0; n < sizeof(marked) / sizeof(marked[0]); n++) {
		CU_ASSERT_EQUAL(code_instruction_decode(marked[n].bytes, marked[n].length, AT, 64, &found),
				(int)marked[n].length);
		CU_ASSERT_EQUAL(found.form.traits, marked[n].traits);
	}
}

/* --- groups --- */

static int parse(const char *text, struct code_groups *groups, struct code_groups_error *error)
{
	return code_groups_parse(text, strlen(text), groups, error);
}

static void groups_of_mnemonics(void)
{
	static const char text[] = "# what waits\n\nwaits: mfence LFENCE,pause\r\n"
				   "slow division : DIV IDIV # and\n"
				   "waits: XCHG\nall: DIV XCHG";
	struct code_groups_error error;
	struct code_groups groups;
	const uint32_t xchg = code_mnemonic_find("xchg", 4), division = code_mnemonic_find("DIV", 3);

	CU_ASSERT_EQUAL_FATAL(parse(text, &groups, &error), 0);
	CU_ASSERT_EQUAL(groups.count, 3);
	CU_ASSERT_STRING_EQUAL(groups.name[0], "waits");
	CU_ASSERT_STRING_EQUAL(groups.name[1], "slow division");
	CU_ASSERT_EQUAL(code_groups_of(&groups, xchg), 5);
	CU_ASSERT_EQUAL(code_groups_of(&groups, division), 6);
	CU_ASSERT_EQUAL(code_groups_of(&groups, code_mnemonic_find("LFENCE", 6)), 1);
	CU_ASSERT_EQUAL(code_groups_of(&groups, code_mnemonic_find("ADD", 3)), 0);
	CU_ASSERT_EQUAL(code_groups_of(&groups, UINT32_MAX), 0);
	CU_ASSERT_EQUAL(code_mnemonic_find("NO_SUCH", 7), 0);
	code_groups_free(&groups);
}

static void groups_with_errors(void)
{
	static const struct {
		const char *text;
		uint32_t line, column;
	} wrong[] = {
		{ "waits MFENCE", 1, 1 },
		{ "\n : MFENCE", 2, 2 },
		{ "a: MFENCE\nb: ADD NO_SUCH", 2, 8 },
		{ "0123456789012345678901234567890123456789012345678901234567890123: ADD", 1, 1 },
	};
	struct code_groups_error error;
	struct code_groups groups;
	char many[65 * 8 + 1];

	for (size_t n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++) {
		CU_ASSERT_EQUAL(parse(wrong[n].text, &groups, &error), PRECIS_E_SYNTAX);
		CU_ASSERT_EQUAL(error.line, wrong[n].line);
		CU_ASSERT_EQUAL(error.column, wrong[n].column);
		CU_ASSERT_PTR_NOT_NULL(error.what);
		code_groups_free(&groups);
	}
	for (unsigned n = 0; n < 65; n++)
		snprintf(many + 8 * n, 9, "g%02u:ADD\n", n % 100);
	CU_ASSERT_EQUAL(code_groups_parse(many, 64 * 8, &groups, &error), 0);
	CU_ASSERT_EQUAL(code_groups_of(&groups, code_mnemonic_find("ADD", 3)), UINT64_MAX);
	code_groups_free(&groups);
	CU_ASSERT_EQUAL(code_groups_parse(many, sizeof(many) - 1, &groups, &error), PRECIS_E_SYNTAX);
	CU_ASSERT_EQUAL(error.line, 65);
	code_groups_free(&groups);
}

/* --- names --- */

/* "NAME NAME=2 ...": all that it has, in any order */
static void check_names(const char *bytes, uint32_t length, const char *const *expected)
{
	struct code_sde_name names[CODE_SDE_NAMES_MOST];
	struct code_instruction found;
	uint32_t count, n = 0;

	code_instruction_decode(bytes, length, AT, 64, &found);
	count = code_sde_names(&found.form, names);
	for (; expected[n]; n++) {
		const char *times = strchr(expected[n], '=');
		const size_t name = times ? (size_t)(times - expected[n]) : strlen(expected[n]);
		uint32_t i = 0;

		while (i < count && (strlen(names[i].name) != name ||
				     memcmp(names[i].name, expected[n], name) != 0))
			i++;
		CU_ASSERT(i < count);
		if (i == count)
			printf("# there is no %s\n", expected[n]);
		else
			CU_ASSERT_EQUAL(names[i].times, times ? strtoul(times + 1, NULL, 10) : 1);
	}
	CU_ASSERT_EQUAL(count, n);
}

static void names_of_sde(void)
{
	static const char *const packed[] = { "*category-VFMA", "*isa-ext-FMA", "*isa-set-FMA",
					      "*elements_fp_double_4", "*mem-read-32", NULL };
	static const char *const strings[] = { "*category-STRINGOP", "*isa-ext-BASE", "*isa-set-I86",
					       "*mem-read-1=2", NULL };
	static const char *const gather[] = { "*category-AVX2GATHER", "*isa-ext-AVX2GATHER",
					      "*isa-set-AVX2GATHER", "*elements_fp_single_8",
					      "*elements_fp_single_8_masked", "*mem-read-4=8", NULL };
	static const char *const unknown[] = { "*category-UNKNOWN", NULL };

	check_names("\xc4\xe2\xf5\xb8\x17", 5, packed); /* vfmadd231pd (%rdi), %ymm1, %ymm2 */
	check_names("\xa6", 1, strings);                /* cmpsb */
	check_names("\xc4\xe2\x7d\x92\x14\x8f", 6, gather);
	check_names("\x06", 1, unknown);
}

static const struct tap_case cases[] = {
	{ "operations and bytes of known instructions", what_they_do },
	{ "how control goes on behind each kind of branch", how_they_go_on },
	{ "what is no instruction, or cut off, is an unknown one", what_is_none },
	{ "locks, repetitions, masks, broadcasts, gathers", what_they_are_marked_with },
	{ "groups that a user makes", groups_of_mnemonics },
	{ "where a file of groups is wrong is said", groups_with_errors },
	{ "names as SDE has them", names_of_sde },
};

static void no_decoder(void)
{
	struct code_instruction found;

	CU_ASSERT_EQUAL(code_instruction_decode("\x90", 1, AT, 64, &found), PRECIS_E_UNSUPPORTED);
	CU_ASSERT_EQUAL(found.form.bytes_figure, CODE_FIGURE_UNKNOWN);
	CU_ASSERT_EQUAL(code_mnemonics(), 0);
}

static const struct tap_case without[] = {
	{ "a build that decodes nothing says so", no_decoder },
};

int main(void)
{
	if (!precis_code_available())
		return tap_main("forms", without, 1);
	return tap_main("forms", cases, sizeof(cases) / sizeof(cases[0]));
}
