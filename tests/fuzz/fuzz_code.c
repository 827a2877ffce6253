/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code as data: 3 bytes say how much of the input is a function's bytes; of what is left each 4 bytes are
 * something that was seen in it, a target, a range or a sample. All of the input is a jitdump, a file of
 * groups and what a recording has of BPF programs, too.
 */
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "libdecode/code/blocks.h"
#include "libdecode/code/bpf_programs.h"
#include "libdecode/code/groups.h"
#include "libdecode/code/instruction.h"
#include "libdecode/code/jitdump.h"
#include "tests/fuzz/one_function.h"
#include "tests/fuzz/target.h"

enum { SEEN_BYTES = 4, LIST = 4096 };

static uint32_t u16_at(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8;
}

/* Ends of ranges may be anywhere; so may samples. */
static void see(struct code_blocks *blocks, struct code_text *text, const uint8_t *seen)
{
	const uint64_t first = u16_at(seen), second = u16_at(seen + 2);

	if (first % 4 == 0)
		PROMISE(code_blocks_add_sample(blocks, text, second, 0) == 0);
	else if (first % 4 == 1)
		PROMISE(code_blocks_add_target(blocks, text, second, 0) == 0);
	else
		PROMISE(code_blocks_add_range(blocks, text, first / 4, second, 0) == 0);
}

static void check_block(const struct code_blocks *blocks, uint32_t n, uint64_t function_bytes)
{
	const struct code_block *block = code_blocks_get(blocks, n), *before = code_blocks_get(blocks, n - 1);
	const uint32_t *steps = code_blocks_steps(blocks, block);
	uint64_t at = block->offset;

	PROMISE(!n || before->offset < block->offset);
	PROMISE(code_blocks_at(blocks, block->text, block->offset, 0) == n);
	PROMISE(block->count || (block->absent && !block->bytes));
	for (uint32_t i = 0; i < block->count; i++) {
		const struct code_form *form = code_blocks_form(blocks, CODE_STEP_FORM(steps[i]));

		PROMISE(CODE_STEP_LENGTH(steps[i]) > 0 && form);
		PROMISE((form->branch == CODE_BRANCH_NONE) || i + 1 == block->count);
		PROMISE(code_blocks_of(blocks, block->text, at, 0) != CODE_NO_BLOCK);
		at += CODE_STEP_LENGTH(steps[i]);
	}
	PROMISE(at == block->offset + block->bytes && (!block->count || at <= function_bytes));
	PROMISE(block->next == CODE_NO_BLOCK || code_blocks_get(blocks, block->next)->offset == at);
	/* control goes on: to a block, or there is a reason why it is none */
	PROMISE(!code_falls_through(block->branch) || block->next != CODE_NO_BLOCK || block->absent);
}

static void check_range(const struct code_blocks *blocks, struct code_text *text, const uint8_t *seen)
{
	const uint64_t target = u16_at(seen) / 4, source = u16_at(seen + 2);
	uint32_t list[LIST], count;
	uint64_t at = target;
	const uint32_t fate = code_blocks_range(blocks, text, target, source, 0, list, LIST, &count);

	PROMISE(fate < CODE_FATES);
	if (!code_fate_is_kept(fate) || count > LIST)
		return;
	for (uint32_t n = 0; n < count; n++) {
		PROMISE(code_blocks_get(blocks, list[n])->offset == at);
		at += code_blocks_get(blocks, list[n])->bytes;
	}
	PROMISE(fate != CODE_FATE_KEPT || (count && at > source));
}

static void check_all(struct code_texts *texts, const uint8_t *seen, size_t count, uint64_t function_bytes)
{
	struct code_blocks *blocks;
	struct code_place place;

	if (code_texts_locate(texts, ONE_FUNCTION_PID, PRECIS_CPUMODE_USER, 0, ONE_FUNCTION_AT, &place) !=
		    1 ||
	    code_blocks_new(&blocks))
		return;
	for (size_t n = 0; n < count; n++)
		see(blocks, place.text, seen + SEEN_BYTES * n);
	PROMISE(code_blocks_build(blocks) == 0);
	for (uint32_t n = 0; n < code_blocks_count(blocks); n++)
		check_block(blocks, n, function_bytes);
	for (size_t n = 0; n < count; n++)
		check_range(blocks, place.text, seen + SEEN_BYTES * n);
	code_blocks_free(blocks);
}

static void run(const uint8_t *code, uint32_t code_bytes, const uint8_t *seen, size_t count)
{
	struct precis_symbols *symbols;
	struct code_texts *texts;
	size_t dump_bytes;
	uint8_t *dump = one_function_dump(code, code_bytes, &dump_bytes);

	if (dump && precis_symbols_new(NULL, &symbols) == 0) {
		if (code_texts_new(symbols, &texts) == 0) {
			PROMISE(code_texts_jitdump(texts, dump, dump_bytes) == 0);
			check_all(texts, seen, count, code_bytes);
			code_texts_free(texts);
		}
		precis_symbols_free(symbols);
	}
	free(dump);
}

static int nothing(void *data, const struct code_jitdump *dump, const struct code_jitdump_function *function)
{
	(void)data;
	(void)dump;
	PROMISE(function->start <= UINT64_MAX - function->bytes);
	PROMISE(!function->code ||
		function->name + strlen(function->name) < (const char *)function->code);
	return 0;
}

static void read_programs(const uint8_t *data, size_t size)
{
	struct bpf_programs programs = { .function = NULL };
	uint8_t bytes[16];

	bpf_programs_add(&programs, data, size);
	for (uint32_t n = 0; n < programs.count; n++) {
		const struct bpf_function *function = &programs.function[n];

		PROMISE(function->start < function->end && function->end - function->start <= size);
		PROMISE(bpf_programs_read(&programs, function->start, bytes, sizeof(bytes)) <=
			sizeof(bytes));
		bpf_programs_read(&programs, function->end - 1, bytes, sizeof(bytes));
	}
	bpf_programs_free(&programs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct code_groups_error error;
	struct code_groups groups;
	size_t offset, code_bytes;

	code_jitdump_parse(data, size, nothing, NULL, &offset);
	PROMISE(offset <= size);
	read_programs(data, size);
	code_groups_parse((const char *)data, size, &groups, &error);
	code_groups_free(&groups);
	if (size < 3)
		return 0;
	code_bytes = (data[0] | (size_t)data[1] << 8) % 4096;
	if (code_bytes > size - 3)
		code_bytes = size - 3;
	data += 3;
	size -= 3;
	run(data, (uint32_t)code_bytes, data + code_bytes, (size - code_bytes) / SEEN_BYTES);
	return 0;
}
