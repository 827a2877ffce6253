/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of code whose bytes are known: of jitdumps, of a kernel that changes itself, of this program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/code.h>
#include <precis/precis.h>

#include "libdecode/code/blocks.h"
#include "libdecode/code/instruction.h"
#include "libdecode/code/jitdump.h"
#include "libdecode/code/pokes.h"
#include "tests/support/symbol_records.h"

#define PID 7u
#define JIT_AT UINT64_C(0x10000)
#define KERNEL_AT UINT64_C(0xffffffff81000000)
#define BPF_AT (KERNEL_AT + 0x8000)
#define USER PRECIS_CPUMODE_USER
#define KERNEL PRECIS_CPUMODE_KERNEL
#define EVER UINT64_MAX

/* --- what is learnt --- */

static struct precis_symbols *symbols;
static struct code_texts *texts;
static struct code_blocks *blocks;
static struct build build, dump;

static void begin(void)
{
	CU_ASSERT_EQUAL_FATAL(precis_symbols_new(NULL, &symbols), 0);
	CU_ASSERT_EQUAL_FATAL(code_texts_new(symbols, &texts), 0);
	CU_ASSERT_EQUAL_FATAL(code_blocks_new(&blocks), 0);
}

static void end(void)
{
	code_blocks_free(blocks);
	code_texts_free(texts);
	precis_symbols_free(symbols);
}

/* The record whose body was built behind 8 bytes of its header */
static void feed(uint32_t type, uint16_t misc, uint64_t time)
{
	struct precis_record record = { 0 };

	CU_ASSERT_EQUAL(feed_at(symbols, &build, type, misc, time), 0);
	CU_ASSERT_EQUAL_FATAL(precis_record_at(build.bytes, build.count, &record), 0);
	CU_ASSERT_EQUAL(code_texts_record(texts, &record, time), 0);
}

static void dump_header(uint64_t flags)
{
	dump.count = 0;
	build_u32(&dump, 0x4a695444);
	build_u32(&dump, 1);
	build_u32(&dump, 40);
	build_u32(&dump, 62); /* EM_X86_64 */
	build_u32(&dump, 0);
	build_u32(&dump, PID);
	build_u64(&dump, 0);
	build_u64(&dump, flags);
}

static void dump_record(uint32_t id, uint32_t bytes, uint64_t time)
{
	build_u32(&dump, id);
	build_u32(&dump, 16 + bytes);
	build_u64(&dump, time);
	build_u32(&dump, PID);
	build_u32(&dump, PID);
}

static void dump_load(uint64_t time, uint64_t start, uint64_t index, const void *code, uint32_t count)
{
	dump_record(0, 40 + 2 + count, time);
	build_u64(&dump, start);
	build_u64(&dump, start);
	build_u64(&dump, count);
	build_u64(&dump, index);
	build_bytes(&dump, "f", 2);
	build_bytes(&dump, code, count);
}

static void dump_move(uint64_t time, uint64_t from, uint64_t to, uint64_t index, uint64_t count)
{
	dump_record(1, 48, time);
	build_u64(&dump, from);
	build_u64(&dump, from);
	build_u64(&dump, to);
	build_u64(&dump, count);
	build_u64(&dump, index);
}

static struct code_text *text_at(uint32_t cpumode, uint64_t time, uint64_t address)
{
	struct code_place place;

	CU_ASSERT_EQUAL_FATAL(code_texts_locate(texts, PID, cpumode, time, address, &place), 1);
	CU_ASSERT_EQUAL(place.absent, CODE_PRESENT);
	return place.text;
}

/* One function of a jitdump at JIT_AT */
static struct code_text *function_of(const void *code, uint32_t count)
{
	begin();
	dump_header(0);
	dump_load(1, JIT_AT, 0, code, count);
	CU_ASSERT_EQUAL_FATAL(code_texts_jitdump(texts, dump.bytes, dump.count), 0);
	return text_at(USER, 1, JIT_AT);
}

/* --- what is asked --- */

/* The block at an offset; what it is at that time */
static const struct code_block *block_at(const struct code_text *text, uint64_t offset, uint64_t time)
{
	const struct code_block *block = code_blocks_get(blocks, code_blocks_at(blocks, text, offset, time));

	CU_ASSERT_PTR_NOT_NULL_FATAL(block);
	CU_ASSERT_PTR_EQUAL(block->text, text);
	CU_ASSERT_EQUAL(block->offset, offset);
	return block;
}

static void check_block(const struct code_text *text, uint64_t offset, uint32_t bytes, uint32_t count,
			enum code_branch branch)
{
	const struct code_block *block = block_at(text, offset, 0);

	CU_ASSERT_EQUAL(block->bytes, bytes);
	CU_ASSERT_EQUAL(block->count, count);
	CU_ASSERT_EQUAL(block->branch, branch);
}

static uint64_t offset_of(uint32_t n)
{
	return n == CODE_NO_BLOCK ? EVER : code_blocks_get(blocks, n)->offset;
}

static void check_edges(const struct code_text *text, uint64_t offset, uint64_t next, uint64_t target)
{
	const struct code_block *block = block_at(text, offset, 0);

	CU_ASSERT_EQUAL(offset_of(block->next), next);
	CU_ASSERT_EQUAL(offset_of(block->target), target);
}

static void check_range(struct code_text *text, uint64_t target, uint64_t source, uint64_t time,
			uint32_t fate, uint32_t blocks_of_it)
{
	uint32_t list[8], count;

	CU_ASSERT_EQUAL(code_blocks_range(blocks, text, target, source, time, list, 8, &count), fate);
	if (fate == CODE_FATE_KEPT || fate == CODE_FATE_INTERRUPTED || fate == CODE_FATE_NO_CODE)
		CU_ASSERT_EQUAL(count, blocks_of_it);
	if (count && count <= 8 && code_fate_is_kept(fate))
		CU_ASSERT_EQUAL(offset_of(list[0]), target);
}

static const struct code_form *first_form(const struct code_text *text, uint64_t offset)
{
	const uint32_t *steps = code_blocks_steps(blocks, block_at(text, offset, 0));

	return code_blocks_form(blocks, CODE_STEP_FORM(steps[0]));
}

/* --- blocks --- */

static const uint8_t loop[] = {
	0x48, 0xff, 0xc0,             /* 0: inc %rax */
	0x75, 0xfb,                   /* 3: jne 0 */
	0xe8, 0x06, 0x00, 0x00, 0x00, /* 5: call 16 */
	0xeb, 0x02,                   /* 10: jmp 14 */
	0x0f, 0x0b,                   /* 12: ud2 */
	0xc3,                         /* 14: ret */
	0xcc,                         /* 15: int3 */
	0x90,                         /* 16: nop */
	0xc3,                         /* 17: ret */
};

static void cut_at_branches_and_targets(void)
{
	struct code_text *text = function_of(loop, sizeof(loop));

	CU_ASSERT_EQUAL(code_blocks_add_target(blocks, text, 0, 5), 0);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), 0);
	CU_ASSERT_EQUAL(code_blocks_count(blocks), 4);
	check_block(text, 0, 5, 2, CODE_BRANCH_CONDITIONAL);
	check_edges(text, 0, 5, 0);
	check_block(text, 5, 5, 1, CODE_BRANCH_CALL);
	check_edges(text, 5, 10, EVER); /* nobody was seen there */
	check_block(text, 10, 2, 1, CODE_BRANCH_UNCONDITIONAL);
	check_edges(text, 10, EVER, 14);
	check_block(text, 14, 1, 1, CODE_BRANCH_RETURN);
	check_edges(text, 14, EVER, EVER);
	CU_ASSERT_EQUAL(code_blocks_at(blocks, text, 3, 0), CODE_NO_BLOCK);
	CU_ASSERT_EQUAL(offset_of(code_blocks_of(blocks, text, 3, 0)), 0);
	CU_ASSERT_EQUAL(code_blocks_of(blocks, text, 4, 0), CODE_NO_BLOCK); /* inside of the jump */
	CU_ASSERT_EQUAL(code_blocks_of(blocks, text, 12, 0), CODE_NO_BLOCK);
	CU_ASSERT_EQUAL(code_blocks_add_target(blocks, text, 16, 5), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), PRECIS_E_ARGUMENT);
	end();
}

static void entries_that_are_seen(void)
{
	struct code_text *text = function_of(loop, sizeof(loop));
	const uint32_t *steps;

	/* the call's target was seen, and the second instruction, by a jump that names no target */
	code_blocks_add_target(blocks, text, 0, 5);
	code_blocks_add_target(blocks, text, 3, 5);
	code_blocks_add_target(blocks, text, 16, 5);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), 0);
	CU_ASSERT_EQUAL(code_blocks_count(blocks), 6);
	check_block(text, 0, 3, 1, CODE_BRANCH_NONE);
	check_edges(text, 0, 3, EVER);
	check_block(text, 3, 2, 1, CODE_BRANCH_CONDITIONAL);
	check_edges(text, 5, 10, 16);
	check_block(text, 16, 2, 2, CODE_BRANCH_RETURN);
	steps = code_blocks_steps(blocks, block_at(text, 16, 0));
	CU_ASSERT_STRING_EQUAL(code_mnemonic_name(first_form(text, 16)->mnemonic), "nop");
	CU_ASSERT_EQUAL(CODE_STEP_LENGTH(steps[1]), 1);
	CU_ASSERT_PTR_NULL(code_blocks_form(blocks, code_blocks_forms(blocks)));
	CU_ASSERT_PTR_NULL(code_blocks_get(blocks, 6));
	end();
}

/* What only a jump without a target leads to is found from the function's start. */
static void samples_that_nothing_leads_to(void)
{
	static const uint8_t into[] = { 0xff, 0xe0, 0xb8, 0x90, 0x90, 0x90, 0xc3, 0xc3 };
	struct code_text *text = function_of(loop, sizeof(loop));

	code_blocks_add_target(blocks, text, 14, 5);
	code_blocks_add_sample(blocks, text, 17, 5);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), 0);
	CU_ASSERT_EQUAL(offset_of(code_blocks_of(blocks, text, 17, 0)), 16);
	check_block(text, 16, 2, 2, CODE_BRANCH_RETURN);
	check_block(text, 12, 2, 1, CODE_BRANCH_TRAP);
	end();
	/* jmp *%rax; mov $..., %eax: a sample inside of that begins a block of its own, beside the other */
	text = function_of(into, sizeof(into));
	code_blocks_add_sample(blocks, text, 3, 5);
	code_blocks_add_sample(blocks, text, 2, 5);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), 0);
	check_block(text, 3, 4, 4, CODE_BRANCH_RETURN);
	check_block(text, 2, 6, 2, CODE_BRANCH_RETURN);
	end();
}

/* A jump over a prefix: both decodings are blocks, and what they have in common is one. */
static void decodings_that_overlap(void)
{
	static const uint8_t code[] = { 0x74, 0x01, 0xf0, 0x48, 0x0f, 0xb1, 0x0f, 0xc3 };
	struct code_text *text = function_of(code, sizeof(code));
	code_blocks_add_target(blocks, text, 0, 5);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), 0);
	CU_ASSERT_EQUAL(code_blocks_count(blocks), 4);
	check_block(text, 2, 5, 1, CODE_BRANCH_NONE);
	check_block(text, 3, 4, 1, CODE_BRANCH_NONE);
	check_block(text, 7, 1, 1, CODE_BRANCH_RETURN);
	CU_ASSERT_EQUAL(first_form(text, 2)->traits, CODE_LOCKED);
	CU_ASSERT_EQUAL(first_form(text, 3)->traits, 0);
	end();
}

/* --- ranges --- */

static void ranges_of_branch_stacks(void)
{
	struct code_text *text = function_of(loop, sizeof(loop));

	code_blocks_add_range(blocks, text, 0, 3, 5);
	code_blocks_add_range(blocks, text, 16, 17, 5);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), 0);
	check_range(text, 0, 3, 5, CODE_FATE_KEPT, 1);
	check_range(text, 0, 0, 5, CODE_FATE_KEPT, 1); /* fused with the jump behind it */
	check_range(text, 0, 5, 5, CODE_FATE_KEPT, 2);
	check_range(text, 0, 10, 5, CODE_FATE_CROSSES, 0);  /* the call */
	check_range(text, 10, 14, 5, CODE_FATE_CROSSES, 0); /* the jump */
	check_range(text, 14, 17, 5, CODE_FATE_CROSSES, 0); /* the return */
	check_range(text, 0, 2, 5, CODE_FATE_MISALIGNED, 0);
	check_range(text, 16, 17, 5, CODE_FATE_KEPT, 1);
	check_range(text, 16, 16, 5, CODE_FATE_INTERRUPTED, 0);
	end();
}

static void ranges_to_interrupts(void)
{
	static const uint8_t code[] = { 0x90, 0x90, 0x90, 0x90, 0xc3 };
	struct code_text *text = function_of(code, sizeof(code));

	code_blocks_add_range(blocks, text, 0, 2, 5);
	code_blocks_add_range(blocks, text, 2, 3, 5);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), 0);
	check_block(text, 0, 2, 2, CODE_BRANCH_NONE);
	check_block(text, 2, 1, 1, CODE_BRANCH_NONE);
	check_block(text, 3, 2, 2, CODE_BRANCH_RETURN);
	check_range(text, 0, 2, 5, CODE_FATE_INTERRUPTED, 1);
	check_range(text, 0, 3, 5, CODE_FATE_INTERRUPTED, 2);
	check_range(text, 0, 4, 5, CODE_FATE_KEPT, 3);
	end();
}

/* A call of what is behind it, as code does that asks where it is, may be in no stack. */
static void calls_of_what_follows(void)
{
	static const uint8_t code[] = { 0xe8, 0x00, 0x00, 0x00, 0x00, 0x58, 0xc3 };
	struct code_text *text = function_of(code, sizeof(code));

	code_blocks_add_range(blocks, text, 0, 6, 5);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), 0);
	check_range(text, 0, 6, 5, CODE_FATE_KEPT, 2);
	end();
}

static void ranges_without_code(void)
{
	static const uint8_t code[] = { 0x90, 0x06, 0x90, 0xc3 };
	struct code_text *text = function_of(code, sizeof(code));

	code_blocks_add_range(blocks, text, 0, 3, 5);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), 0);
	CU_ASSERT_EQUAL(block_at(text, 0, 0)->absent, CODE_ABSENT_NOT_AN_INSTRUCTION);
	check_range(text, 0, 3, 5, CODE_FATE_NO_CODE, 1);
	check_range(text, 0, 4, 5, CODE_FATE_LEAVES_FUNCTION, 0);
	end();
}

/* --- the kernel changes itself --- */

static void map_kernel(void)
{
	build_kernel_mapping(&build, KERNEL_AT);
	feed(PRECIS_RECORD_MMAP, PRECIS_CPUMODE_KERNEL, 0);
}

static void poke(uint64_t time, uint64_t address, const char *before, uint16_t before_count,
		 const char *after, uint16_t after_count)
{
	build_poke(&build, address, before, before_count, after, after_count);
	feed(PRECIS_RECORD_TEXT_POKE, 0, time);
}

#define NOP5 "\x0f\x1f\x44\x00\x00"
#define JUMP5 "\xe9\x03\x00\x00\x00"

/* A tracepoint's nop that is a jump from 100 to 200; made at 50 */
static struct code_text *changing_kernel(void)
{
	begin();
	map_kernel();
	poke(50, KERNEL_AT, "", 0, NOP5 "\x48\xff\xc0\xc3", 9); /* nop; inc %rax; ret */
	poke(200, KERNEL_AT, JUMP5, 5, NOP5, 5);
	poke(100, KERNEL_AT, NOP5, 5, JUMP5, 5); /* of another CPU: later in the file */
	return text_at(KERNEL, 60, KERNEL_AT);
}

static void before_and_after_a_change(void)
{
	struct code_text *text = changing_kernel();
	const struct code_block *block;
	uint64_t since, until;

	for (uint64_t time = 60; time < 300; time += 90)
		code_blocks_add_target(blocks, text, 0, time);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), 0);
	block = block_at(text, 0, 60);
	CU_ASSERT_EQUAL(block->bytes, 8);
	CU_ASSERT_EQUAL(block->count, 2);
	CU_ASSERT_EQUAL(block->since, 50);
	CU_ASSERT_EQUAL(block->until, 100);
	CU_ASSERT_EQUAL(offset_of(block->next), 8);
	block = block_at(text, 0, 150);
	CU_ASSERT_EQUAL(block->branch, CODE_BRANCH_UNCONDITIONAL);
	CU_ASSERT_EQUAL(block->bytes, 5);
	CU_ASSERT_EQUAL(block->since, 100);
	CU_ASSERT_EQUAL(block->until, 200);
	CU_ASSERT_EQUAL(offset_of(block->target), 8);
	block = block_at(text, 0, 1000);
	CU_ASSERT_EQUAL(block->bytes, 8);
	CU_ASSERT_EQUAL(block->until, EVER);
	/* the return is one block at all times */
	CU_ASSERT_EQUAL(code_blocks_at(blocks, text, 8, 60), code_blocks_at(blocks, text, 8, 1000));
	CU_ASSERT_EQUAL(code_blocks_of(blocks, text, 5, 60), code_blocks_at(blocks, text, 0, 60));
	CU_ASSERT_EQUAL(code_blocks_of(blocks, text, 5, 150), CODE_NO_BLOCK);
	check_range(text, 0, 8, 60, CODE_FATE_KEPT, 2);
	check_range(text, 0, 8, 150, CODE_FATE_CROSSES, 0); /* as of a stack that is taken for a later one */
	check_range(text, 0, 0, 150, CODE_FATE_KEPT, 1);
	check_range(text, 0, 8, 250, CODE_FATE_KEPT, 2);
	code_text_valid(text, 0, 5, 150, &since, &until);
	CU_ASSERT_EQUAL(since, 100);
	CU_ASSERT_EQUAL(until, 200);
	code_text_valid(text, 5, 9, 150, &since, &until);
	CU_ASSERT_EQUAL(since, 50);
	CU_ASSERT_EQUAL(until, EVER);
	code_text_valid(text, 100, 200, 150, &since, &until);
	CU_ASSERT_EQUAL(since, 0);
	end();
}

static void made_function(uint16_t type, uint64_t address, const char *name)
{
	build.count = 8;
	build_u64(&build, address);
	build_u32(&build, 0x100);
	build_u16(&build, type);
	build_u16(&build, 0);
	build_name(&build, name);
	feed(PRECIS_RECORD_KSYMBOL, 0, 10);
}

/* Where a file or a copy of memory has the code, of whatever time, changes are put over it. */
static void changes_of_known_bytes(void)
{
	static const uint8_t old_code[] = { 1, 2, 3 }, new_code[] = { 4, 5, 6 };
	const struct precis_text_poke change = {
		.size = sizeof(change), .addr = KERNEL_AT + 4, .old_code = { old_code, 3 },
		.new_code = { new_code, 3 },
	};
	static struct code_pokes pokes;
	uint8_t bytes[8];

	CU_ASSERT_EQUAL(code_pokes_add(&pokes, &change, 100), 0);
	for (uint64_t time = 50; time <= 100; time += 50) {
		memset(bytes, 9, sizeof(bytes));
		CU_ASSERT_EQUAL(code_pokes_apply(&pokes, KERNEL_AT, time, bytes, 8, 8), 8);
		CU_ASSERT_EQUAL(memcmp(bytes, time < 100 ? "\x9\x9\x9\x9\x1\x2\x3\x9" :
							   "\x9\x9\x9\x9\x4\x5\x6\x9", 8), 0);
	}
	/* bytes that are missing before it, behind it, and where there is nothing at all */
	CU_ASSERT_EQUAL(code_pokes_apply(&pokes, KERNEL_AT, 100, bytes, 4, 8), 7);
	CU_ASSERT_EQUAL(code_pokes_apply(&pokes, KERNEL_AT, 100, bytes, 3, 8), 3);
	CU_ASSERT_EQUAL(code_pokes_apply(&pokes, KERNEL_AT + 6, 100, bytes, 0, 8), 1);
	CU_ASSERT_EQUAL(bytes[0], 6);
	CU_ASSERT_EQUAL(code_pokes_apply(&pokes, KERNEL_AT + 0x10000, 100, bytes, 2, 8), 2);
	CU_ASSERT_EQUAL(code_pokes_apply(&pokes, UINT64_MAX - 2, 100, bytes, 1, 8), 1);
	code_pokes_free(&pokes);
}

/* The kernel gives a name again, at another place. */
static void functions_of_one_name(void)
{
	struct code_text *first, *second;

	changing_kernel();
	made_function(PRECIS_KSYMBOL_OUT_OF_LINE, BPF_AT, "ftrace_trampoline");
	made_function(PRECIS_KSYMBOL_OUT_OF_LINE, BPF_AT + 0x1000, "ftrace_trampoline");
	first = text_at(KERNEL, 60, BPF_AT + 4);
	second = text_at(KERNEL, 60, BPF_AT + 0x1004);
	CU_ASSERT(first != second);
	CU_ASSERT_EQUAL(code_text_address(first, 4), BPF_AT + 4);
	CU_ASSERT_EQUAL(code_text_address(second, 4), BPF_AT + 0x1004);
	end();
}

static void check_absent(uint32_t cpumode, uint64_t time, uint64_t address, enum code_absence absence)
{
	uint8_t bytes[PRECIS_CODE_BYTES_MOST];
	struct code_place place;
	uint32_t absent;

	if (code_texts_locate(texts, PID, cpumode, time, address, &place) == 0) {
		CU_ASSERT_EQUAL(place.absent, absence);
		return;
	}
	CU_ASSERT_EQUAL(code_text_read(place.text, place.offset, time, bytes, &absent), 0);
	CU_ASSERT_EQUAL(absent, absence);
}

/* However many functions the kernel makes, the newest 65536 are known. */
static void functions_without_end(void)
{
	changing_kernel();
	for (uint32_t n = 0; n < 65536 + 4; n++)
		made_function(PRECIS_KSYMBOL_BPF, BPF_AT + n * UINT64_C(0x100), "bpf_prog_1");
	check_absent(KERNEL, 60, BPF_AT + 3 * 0x100, CODE_ABSENT_KERNEL_CODE);
	check_absent(KERNEL, 60, BPF_AT + 4 * 0x100, CODE_ABSENT_BPF);
	check_absent(KERNEL, 60, BPF_AT + (65536 + 3) * UINT64_C(0x100), CODE_ABSENT_BPF);
	made_function(PRECIS_KSYMBOL_OUT_OF_LINE, BPF_AT + 100 * 0x100, "ftrace_trampoline");
	check_absent(KERNEL, 60, BPF_AT + 100 * 0x100 + 8, CODE_ABSENT_OUT_OF_LINE);
	end();
}

/* Of a file that is nowhere */
static enum code_absence no_file(void)
{
	return precis_symbols_available() ? CODE_ABSENT_NO_FILE : CODE_ABSENT_NO_ELF;
}

/* Nothing that cannot be had is without a reason. */
static void reasons(void)
{
	changing_kernel();
	made_function(PRECIS_KSYMBOL_BPF, BPF_AT, "bpf_prog_1");
	made_function(PRECIS_KSYMBOL_OUT_OF_LINE, BPF_AT + 0x1000, "ftrace_trampoline");
	check_absent(KERNEL, 40, KERNEL_AT, CODE_ABSENT_KERNEL_CODE); /* before it was made */
	check_absent(KERNEL, 60, KERNEL_AT + 0x100, CODE_ABSENT_KERNEL_CODE);
	check_absent(KERNEL, 60, BPF_AT + 4, CODE_ABSENT_BPF);
	check_absent(KERNEL, 60, BPF_AT + 0x1004, CODE_ABSENT_OUT_OF_LINE);
	/* of which the record of the change has the bytes, unlike that of the symbol */
	poke(70, BPF_AT + 0x1000, "", 0, "\xc3", 1);
	CU_ASSERT_PTR_NOT_NULL(text_at(KERNEL, 80, BPF_AT + 0x1000));
	check_absent(USER, 60, 0x1000, CODE_ABSENT_NOT_MAPPED);
	check_absent(PRECIS_CPUMODE_GUEST_USER, 60, 0x1000, CODE_ABSENT_GUEST);
	feed_mmap_at(symbols, USER, PID, 0x400000, 0x1000, 0, "/nowhere/at-all", 1);
	check_absent(USER, 60, 0x400000, no_file());
	feed_mmap_at(symbols, USER, PID, 0x500000, 0x1000, 0, "//anon", 1);
	check_absent(USER, 60, 0x500000, CODE_ABSENT_RUN_TIME_CODE);
	for (uint32_t n = 0; n < CODE_ABSENCES; n++)
		CU_ASSERT(strlen(code_absence_text(n)) > 0);
	CU_ASSERT_STRING_EQUAL(code_absence_text(CODE_ABSENCES), "unknown reason");
	end();
}

/* A block without instructions is one: samples there are counted, with the reason. */
static void blocks_without_code(void)
{
	struct code_text *text;

	begin();
	feed_mmap_at(symbols, USER, PID, 0x400000, 0x1000, 0, "/nowhere/at-all", 1);
	text = text_at(USER, 5, 0x400000);
	code_blocks_add_sample(blocks, text, 0x10, 5);
	code_blocks_add_range(blocks, text, 0x20, 0x30, 5);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), 0);
	CU_ASSERT_EQUAL(code_blocks_count(blocks), 2);
	CU_ASSERT_EQUAL(offset_of(code_blocks_of(blocks, text, 0x10, 0)), 0x10);
	CU_ASSERT_EQUAL(block_at(text, 0x10, 0)->count, 0);
	CU_ASSERT_EQUAL(block_at(text, 0x20, 0)->absent, no_file());
	check_range(text, 0x20, 0x30, 5, CODE_FATE_NO_CODE, 0);
	end();
}

/* --- run-time code --- */

static void code_that_is_made_anew(void)
{
	struct code_text *first, *second, *moved;
	uint8_t bytes[PRECIS_CODE_BYTES_MOST];
	struct code_place place;
	uint32_t absent;

	begin();
	dump_header(0);
	dump_load(10, JIT_AT, 1, "\x90\xc3", 2);
	dump_load(20, JIT_AT, 2, "\x48\xff\xc0\xc3", 4);
	dump_move(30, JIT_AT, JIT_AT + 0x100, 2, 4);
	CU_ASSERT_EQUAL(code_texts_jitdump(texts, dump.bytes, dump.count), 0);
	check_absent(USER, 5, JIT_AT, CODE_ABSENT_NOT_MAPPED);
	first = text_at(USER, 15, JIT_AT);
	second = text_at(USER, 25, JIT_AT);
	moved = text_at(USER, 35, JIT_AT + 0x102);
	CU_ASSERT(first != second && second != moved);
	CU_ASSERT_EQUAL(code_text_read(first, 0, 15, bytes, &absent), 2);
	CU_ASSERT_EQUAL(code_text_read(moved, 3, 35, bytes, &absent), 1);
	CU_ASSERT_EQUAL(bytes[0], 0xc3);
	CU_ASSERT_STRING_EQUAL(code_text_made_name(moved), code_text_made_name(second));
	CU_ASSERT_EQUAL(code_text_read(moved, 4, 35, bytes, &absent), 0);
	CU_ASSERT_EQUAL(absent, CODE_ABSENT_RUN_TIME_CODE);
	CU_ASSERT_EQUAL(code_texts_locate(texts, PID + 1, USER, 15, JIT_AT, &place), 0);
	end();
	/* times of the CPU's own counter are no times of records */
	begin();
	dump_header(1);
	dump_load(10, JIT_AT, 1, "\x90\xc3", 2);
	CU_ASSERT_EQUAL(code_texts_jitdump(texts, dump.bytes, dump.count), 0);
	check_absent(USER, 15, JIT_AT, CODE_ABSENT_JITDUMP_CLOCK);
	end();
}

static int count_function(void *data, const struct code_jitdump *of,
			  const struct code_jitdump_function *function)
{
	CU_ASSERT_EQUAL(of->bits, 64);
	CU_ASSERT_EQUAL(function->pid, PID);
	++*(int *)data;
	return 0;
}

static void damaged_jitdumps(void)
{
	size_t offset, whole;
	int count;

	dump_header(0);
	dump_load(10, JIT_AT, 1, "\x90\xc3", 2);
	whole = dump.count;
	dump_load(20, JIT_AT, 2, "\x48\xff\xc0\xc3", 4);
	for (size_t length = 0; length <= dump.count; length++) {
		uint8_t *exact = malloc(length ? length : 1); /* sanitizers see who reads on */
		const int is_whole = length == 40 || length == whole || length == dump.count;
		const int expected = length < 4 ? PRECIS_E_NOT_PERF_DATA : is_whole ? 0 : PRECIS_E_TRUNCATED;

		memcpy(exact, dump.bytes, length);
		count = 0;
		CU_ASSERT_EQUAL(code_jitdump_parse(exact, length, count_function, &count, &offset), expected);
		CU_ASSERT_EQUAL(count, (length >= whole) + (length == dump.count));
		CU_ASSERT(offset <= length);
		free(exact);
	}
	build_patch(&dump, whole + 40, UINT64_MAX); /* bytes of code */
	count = 0;
	CU_ASSERT_EQUAL(code_jitdump_parse(dump.bytes, dump.count, count_function, &count, &offset),
			PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(offset, whole);
	CU_ASSERT_EQUAL(count, 1);
	CU_ASSERT_TRUE(code_jitdump_is_name("/tmp/.debug/jit-123.dump"));
	CU_ASSERT_FALSE(code_jitdump_is_name("/tmp/jit-.dump"));
	CU_ASSERT_FALSE(code_jitdump_is_name("/tmp/jit-1.dumps"));
}

/* The record of its mapping is all that a recording has of a jitdump. */
static void mapped_jitdump(void)
{
	char path[] = "/tmp/precis-XXXXXX", name[64];
	FILE *file;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(path));
	snprintf(name, sizeof(name), "%s/jit-%u.dump", path, PID);
	dump_header(0);
	dump_load(10, JIT_AT, 1, "\x90\xc3", 2);
	file = fopen(name, "wb");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL(fwrite(dump.bytes, 1, dump.count, file), dump.count);
	fclose(file);
	begin();
	for (int n = 0; n < 2; n++) {
		build.count = 8;
		build_u32(&build, PID);
		build_u32(&build, PID);
		build_u64(&build, 0x700000);
		build_u64(&build, 0x1000);
		build_u64(&build, 0);
		build_name(&build, n ? "/nowhere/jit-9.dump" : name);
		feed(PRECIS_RECORD_MMAP, USER, 5);
	}
	CU_ASSERT_PTR_NOT_NULL(text_at(USER, 15, JIT_AT));
	CU_ASSERT_EQUAL(code_texts_bad_jitdumps(texts), 0); /* one is not there */
	end();
	unlink(name);
	rmdir(path);
}

/* --- this program's own file --- */

/* Where this program's code is mapped: "START-END r-xp OFFSET ..." @return 0 if that is not known */
static int find_self(const void *code, uint64_t *start, uint64_t *bytes, uint64_t *offset, char path[4096])
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long long from, to, at;
	char line[4608];
	int found = 0;

	while (maps && !found && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %4095s", &from, &to, &at, path) != 4)
			continue;
		found = (uintptr_t)code >= from && (uintptr_t)code < to;
		*start = from;
		*bytes = to - from;
		*offset = at;
	}
	if (maps)
		fclose(maps);
	return found;
}

/* Two processes have it at other addresses: it is one text, and its instructions are what is in memory. */
static void code_of_a_file(void)
{
	const uint8_t *code = (const uint8_t *)(uintptr_t)find_self;
	uint64_t start, bytes, offset;
	struct code_place here, there;
	uint8_t read[PRECIS_CODE_BYTES_MOST];
	char path[4096];
	uint32_t absent;

	if (!precis_symbols_available() || !find_self(code, &start, &bytes, &offset, path)) {
		tap_skip("no elfutils, or no /proc/self/maps");
		return;
	}
	begin();
	feed_mmap_at(symbols, USER, PID, start, bytes, offset, path, 1);
	feed_mmap_at(symbols, USER, PID + 1, 0x70000000, bytes, offset, path, 1);
	CU_ASSERT_EQUAL(code_texts_locate(texts, PID, USER, 5, (uintptr_t)code, &here), 1);
	CU_ASSERT_EQUAL(code_texts_locate(texts, PID + 1, USER, 5, 0x70000000 + (uintptr_t)code - start,
					  &there), 1);
	CU_ASSERT_PTR_EQUAL(here.text, there.text);
	CU_ASSERT_EQUAL(here.offset, there.offset);
	CU_ASSERT_EQUAL(code_text_read(here.text, here.offset, 5, read, &absent), PRECIS_CODE_BYTES_MOST);
	CU_ASSERT_EQUAL(memcmp(read, code, sizeof(read)), 0);
	CU_ASSERT_EQUAL(code_text_bits(here.text), 64);
	CU_ASSERT_STRING_EQUAL(code_text_name(here.text), path);
	/* from the start of the function, whatever was sampled in it */
	code_blocks_add_sample(blocks, here.text, here.offset, 5);
	CU_ASSERT_EQUAL(code_blocks_build(blocks), 0);
	CU_ASSERT(code_blocks_count(blocks) > 5);
	/* where there is no code */
	CU_ASSERT_EQUAL(code_text_read(here.text, UINT64_MAX - 3, 5, read, &absent), 0);
	CU_ASSERT_EQUAL(absent, CODE_ABSENT_NONE_THERE);
	end();
}

static const struct tap_case cases[] = {
	{ "cut at branches and at their targets", cut_at_branches_and_targets },
	{ "cut where control was seen to arrive", entries_that_are_seen },
	{ "samples that nothing leads to", samples_that_nothing_leads_to },
	{ "decodings that overlap", decodings_that_overlap },
	{ "ranges of branch stacks", ranges_of_branch_stacks },
	{ "ranges that end with an interrupt", ranges_to_interrupts },
	{ "calls of what is behind them", calls_of_what_follows },
	{ "ranges without code", ranges_without_code },
	{ "kernel code before and after a change", before_and_after_a_change },
	{ "changes of known bytes", changes_of_known_bytes },
	{ "functions of one name at two places", functions_of_one_name },
	{ "functions without end", functions_without_end },
	{ "why there is no code", reasons },
	{ "blocks without code", blocks_without_code },
	{ "code that is made anew at the same place, and moved", code_that_is_made_anew },
	{ "damaged jitdumps", damaged_jitdumps },
	{ "a jitdump that was mapped", mapped_jitdump },
	{ "code of a file that is mapped twice", code_of_a_file },
};

/* Without a decoder there are no instructions. */
static const struct tap_case without[] = {
	{ "blocks without code", blocks_without_code },
	{ "code that is made anew at the same place, and moved", code_that_is_made_anew },
	{ "damaged jitdumps", damaged_jitdumps },
	{ "a jitdump that was mapped", mapped_jitdump },
};

int main(void)
{
	if (!precis_code_available())
		return tap_main("blocks", without, sizeof(without) / sizeof(without[0]));
	return tap_main("blocks", cases, sizeof(cases) / sizeof(cases[0]));
}
