/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels beside the table and the disassembler (truth.h). */
#include "truth.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <precis/code.h>

#define NO_FALL_THROUGH (CLASS_TAKEN | CLASS_RETURN)

struct truth truth_by_table(const struct kernel *kernel)
{
	struct truth truth = { .verdict = TRUTH_AGREES };

	for (enum quantity of = 0; of < QUANTITY_COUNT; of++) {
		const int64_t noted = kernel_truth(kernel, of, 1, 2) - kernel_truth(kernel, of, 1, 1);

		if (!kernel_knows(kernel, of) || noted == kernel->turn[of])
			continue;
		truth.verdict = TRUTH_DISAGREES;
		snprintf(truth.why, sizeof(truth.why),
			 "%s of a turn: the table has %" PRId64 ", the instructions make %" PRId64,
			 quantity_name(of), kernel->turn[of], noted);
		return truth;
	}
	return truth;
}

/* What an instruction does, by the disassembler, in the bits that it can tell */
static uint32_t classes_of(const struct precis_instruction *instruction)
{
	uint32_t class = 0;

	if (instruction->does & PRECIS_CODE_LOADS)
		class |= CLASS_LOAD;
	if (instruction->does & PRECIS_CODE_STORES)
		class |= CLASS_STORE;
	if (instruction->does & (PRECIS_CODE_JUMP | PRECIS_CODE_CALL | PRECIS_CODE_RETURN))
		class |= CLASS_BRANCH;
	if (instruction->does & PRECIS_CODE_RETURN)
		class |= CLASS_RETURN;
	if (strncmp(instruction->text, "lock ", 5) == 0)
		class |= CLASS_LOCKED;
	return class;
}

/* Is the line of code that it is in another one than that of the instruction before? */
static int begins_line(const struct kernel *kernel, size_t n)
{
	const struct kernel_site *site = &kernel->sites[n];

	return !n || site->offset / CODE_LINE != site[-1].offset / CODE_LINE;
}

/* Where fetches are known each line begins with what a jump leads to, and no jump leads elsewhere. */
static int is_fetched_otherwise(const struct kernel *kernel, size_t n,
				const struct precis_instruction *instruction)
{
	const struct kernel_site *site = &kernel->sites[n];
	const int is_first = (site->class & CLASS_FETCH) != 0;
	const size_t target = instruction->does & PRECIS_CODE_TARGET ?
				      kernel_site_at(kernel, instruction->target) : SIZE_MAX;

	if (!kernel_knows(kernel, QUANTITY_FETCHES))
		return is_first;
	if (target != SIZE_MAX && !(kernel->sites[target].class & CLASS_FETCH))
		return 1;
	return is_first != begins_line(kernel, n) || (is_first && site->offset % CODE_LINE) ||
	       (is_first && n && !(site[-1].class & CLASS_TAKEN)) ||
	       site->offset % CODE_LINE + site->length > CODE_LINE;
}

static const char *what_differs(const struct kernel *kernel, size_t n,
				const struct precis_instruction *instruction)
{
	const uint32_t told = CLASS_LOAD | CLASS_STORE | CLASS_BRANCH | CLASS_RETURN | CLASS_LOCKED;
	const struct kernel_site *site = &kernel->sites[n];
	const int is_call = strncmp(instruction->text, "syscall", 7) == 0;

	if (instruction->length != site->length)
		return "another length";
	if ((site->class & (CLASS_READ | CLASS_WRITE)) ? !is_call : is_call)
		return "a system call or none";
	if (!is_call && classes_of(instruction) != (site->class & told))
		return "something else to memory, or as a branch";
	if (site->class & CLASS_LOOP && !(instruction->does & PRECIS_CODE_CONDITIONAL))
		return "no branch that ends a loop";
	if (instruction->does & PRECIS_CODE_TARGET && kernel_site_at(kernel, instruction->target) == SIZE_MAX)
		return "a branch to what is not noted";
	if (is_fetched_otherwise(kernel, n, instruction))
		return "fetched otherwise";
	return NULL;
}

/* Behind what need not go elsewhere comes the next instruction that is noted. */
static int falls_into_nothing(const struct kernel *kernel, size_t n, int is_call)
{
	const struct kernel_site *site = &kernel->sites[n];

	if (!is_call && site->class & NO_FALL_THROUGH)
		return 0;
	return site + 1 == kernel->sites_end || site[1].offset != site->offset + site->length;
}

struct truth truth_by_disassembly(const struct kernel *kernel)
{
	struct truth truth = { .verdict = TRUTH_AGREES };
	const uint8_t *code = (const uint8_t *)(uintptr_t)kernel->code;

	if (!precis_code_available()) {
		truth.verdict = TRUTH_UNKNOWN;
		snprintf(truth.why, sizeof(truth.why), "this build has no Zydis");
		return truth;
	}
	for (size_t n = 0; n < kernel_site_count(kernel); n++) {
		const struct kernel_site *site = &kernel->sites[n];
		struct precis_instruction instruction = { .size = sizeof(instruction) };
		const char *what = "no instruction";

		if (precis_code_decode(code + site->offset, kernel_bytes(kernel) - site->offset,
				       (uint64_t)(uintptr_t)code + site->offset, 64, PRECIS_CODE_ATT,
				       &instruction) > 0)
			what = what_differs(kernel, n, &instruction);
		if (!what && falls_into_nothing(kernel, n, !!(instruction.does & PRECIS_CODE_CALL)))
			what = "one behind which nothing is noted";
		if (!what)
			continue;
		truth.verdict = TRUTH_DISAGREES;
		snprintf(truth.why, sizeof(truth.why), "%s+0x%" PRIx32 ", '%.40s', is %s", kernel->name,
			 site->offset, instruction.text, what);
		return truth;
	}
	return truth;
}
