/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See function.h. Code is cut into blocks where jumps lead and behind them; what registers hold goes
 * along the jumps until nothing changes any more. Where jumps of which nobody knows where they lead, as those
 * of switches, are the only way to a block, it begins with what held before them.
 */
#include "function.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "flow.h"

/* Generated code and interpreters stay below */
#define CODE_MOST (1u << 20)
#define BLOCKS_MOST 20000u
#define PASSES_MOST 200u
#define RANGES_MOST 64u

struct code_range {
	uint64_t low, high;
	uint32_t first; /* of its bytes */
	uint32_t bytes; /* that were read */
};

struct block {
	uint64_t address;
	uint32_t first, count; /* of its instructions */
	uint8_t is_reached, is_changed;
	struct operand_state *state; /* before it; NULL until it is reached */
};

struct code {
	struct operand_flow flow;
	struct code_range range[RANGES_MOST];
	uint32_t ranges;
	uint8_t *bytes;
	struct operand_instruction *list;
	uint32_t count, room;
	uint8_t *begins; /* of each instruction: does a block begin there? */
	struct block *block;
	uint32_t blocks;
	struct operand_state indirect; /* before jumps that lead nobody knows where */
	int has_indirect;
};

/* --- reading --- */

static enum operand_absence find_ranges(struct code *code)
{
	uint64_t total = 0;

	while (code->ranges < RANGES_MOST) {
		struct code_range *range = &code->range[code->ranges];

		if (precis_data_locals_range(code->flow.locals.all, code->ranges, &range->low,
					     &range->high) <= 0)
			break;
		if (range->high - range->low > CODE_MOST - total)
			return OPERAND_TOO_MANY;
		range->first = (uint32_t)total;
		total += range->high - range->low;
		code->ranges++;
	}
	return total ? OPERAND_PRESENT : OPERAND_NO_FUNCTION;
}

static enum operand_absence read_code(struct code *code, operand_reader *reader, void *data)
{
	const struct code_range *last = &code->range[code->ranges - 1];
	uint32_t read = 0;

	code->bytes = malloc(last->first + (last->high - last->low));
	if (!code->bytes)
		return OPERAND_NO_CODE;
	for (uint32_t n = 0; n < code->ranges; n++) {
		struct code_range *range = &code->range[n];

		range->bytes = reader(data, range->low, code->bytes + range->first,
				      (uint32_t)(range->high - range->low));
		read += range->bytes;
	}
	return read ? OPERAND_PRESENT : OPERAND_NO_CODE;
}

static uint32_t decode_at(const struct code *code, uint64_t address, struct decoded *decoded)
{
	for (uint32_t n = 0; n < code->ranges; n++) {
		const struct code_range *range = &code->range[n];

		if (address >= range->low && address - range->low < range->bytes)
			return operand_decode(code->bytes + range->first + (address - range->low),
					      range->bytes - (uint32_t)(address - range->low), decoded);
	}
	return 0;
}

static int add_instruction(struct code *code, uint64_t address)
{
	if (code->count == code->room) {
		const uint32_t room = code->room ? 2 * code->room : 256;
		struct operand_instruction *more = realloc(code->list, room * sizeof(*more));

		if (!more)
			return 0;
		code->list = more;
		code->room = room;
	}
	code->list[code->count++] = (struct operand_instruction){ .address = address };
	return 1;
}

/* One behind the other: what is none is passed by bytes. @return 0 if memory is short */
static int list_instructions(struct code *code)
{
	struct decoded decoded;

	for (uint32_t n = 0; n < code->ranges; n++) {
		const struct code_range *range = &code->range[n];

		for (uint64_t at = range->low; at - range->low < range->bytes;) {
			const uint32_t length = decode_at(code, at, &decoded);

			if (length && !add_instruction(code, at))
				return 0;
			at += length ? length : 1;
		}
	}
	return 1;
}

static int by_address(const void *one, const void *other)
{
	const uint64_t a = ((const struct operand_instruction *)one)->address;
	const uint64_t b = ((const struct operand_instruction *)other)->address;

	return (a > b) - (a < b);
}

static struct operand_instruction *find(const struct code *code, uint64_t address)
{
	const struct operand_instruction key = { .address = address };

	return code->count ? bsearch(&key, code->list, code->count, sizeof(key), by_address) : NULL;
}

/* --- blocks --- */

static void begin_block(struct code *code, uint64_t address)
{
	const struct operand_instruction *instruction = find(code, address);

	if (instruction)
		code->begins[instruction - code->list] = 1;
}

/* @return how many there are */
static uint32_t mark_blocks(struct code *code)
{
	uint32_t count = 0, length = 0;
	struct decoded decoded;
	uint64_t target;

	for (uint32_t n = 0; n < code->ranges; n++)
		begin_block(code, code->range[n].low);
	for (uint32_t n = 0; n < code->count; n++) {
		const uint64_t address = code->list[n].address;

		if (!n || code->list[n - 1].address + length != address)
			code->begins[n] = 1;
		length = decode_at(code, address, &decoded);
		if (operand_control_of(&decoded, address, &target) == CONTROL_NEXT)
			continue;
		if (target)
			begin_block(code, target);
		if (n + 1 < code->count)
			code->begins[n + 1] = 1;
	}
	for (uint32_t n = 0; n < code->count; n++)
		count += code->begins[n];
	return count;
}

static enum operand_absence make_blocks(struct code *code)
{
	uint32_t count;

	code->begins = calloc(code->count ? code->count : 1, 1);
	if (!code->begins)
		return OPERAND_TOO_MANY;
	count = mark_blocks(code);
	if (count > BLOCKS_MOST)
		return OPERAND_TOO_MANY;
	code->block = calloc(count ? count : 1, sizeof(*code->block));
	if (!code->block)
		return OPERAND_TOO_MANY;
	for (uint32_t n = 0; n < code->count; n++) {
		if (code->begins[n])
			code->block[code->blocks++] =
				(struct block){ .address = code->list[n].address, .first = n };
		code->block[code->blocks - 1].count++;
	}
	return OPERAND_PRESENT;
}

static struct block *block_at(const struct code *code, uint64_t address)
{
	uint32_t low = 0, high = code->blocks;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (code->block[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < code->blocks && code->block[low].address == address ? &code->block[low] : NULL;
}

/* --- the walk --- */

/* @return 0 if memory is short */
static int flow_into(struct block *block, const struct operand_state *state)
{
	if (!block)
		return 1;
	if (block->is_reached) {
		block->is_changed |= (uint8_t)operand_state_meet(block->state, state);
		return 1;
	}
	block->state = malloc(sizeof(*block->state));
	if (!block->state)
		return 0;
	*block->state = *state;
	block->is_reached = block->is_changed = 1;
	return 1;
}

static void note_indirect(struct code *code, const struct operand_state *state)
{
	if (code->has_indirect)
		operand_state_meet(&code->indirect, state);
	else
		code->indirect = *state;
	code->has_indirect = 1;
}

/* With 'evaluates' what each instruction accesses is found. @return 0 if memory is short */
static int follow_block(struct code *code, struct block *block, int evaluates)
{
	struct operand_state state = *block->state;
	enum operand_control control = CONTROL_NEXT;
	uint64_t target = 0, next = block->address;
	struct decoded decoded;

	for (uint32_t n = 0; n < block->count; n++) {
		struct operand_instruction *instruction = &code->list[block->first + n];
		const uint32_t length = decode_at(code, instruction->address, &decoded);

		operand_learn(&code->flow, &state, instruction->address);
		if (evaluates)
			operand_evaluate(&code->flow, &state, &decoded, instruction->address,
					 &instruction->is);
		operand_step(&code->flow, &state, &decoded, instruction->address);
		control = operand_control_of(&decoded, instruction->address, &target);
		next = instruction->address + length;
	}
	if (evaluates)
		return 1;
	if (control == CONTROL_INDIRECT)
		note_indirect(code, &state);
	return (control == CONTROL_INDIRECT || control == CONTROL_END || control == CONTROL_JUMP ||
		flow_into(block_at(code, next), &state)) &&
	       (!target || flow_into(block_at(code, target), &state));
}

/* Until nothing changes. @return OPERAND_TOO_MANY if that takes too long, or memory is short */
static enum operand_absence settle(struct code *code)
{
	int has_changed = 1;

	for (uint32_t pass = 0; has_changed; pass++) {
		if (pass == PASSES_MOST)
			return OPERAND_TOO_MANY;
		has_changed = 0;
		for (uint32_t n = 0; n < code->blocks; n++) {
			if (!code->block[n].is_changed)
				continue;
			code->block[n].is_changed = 0;
			has_changed = 1;
			if (!follow_block(code, &code->block[n], 0))
				return OPERAND_TOO_MANY;
		}
	}
	return OPERAND_PRESENT;
}

/* What stands before a loop to align it leads into that, and is never run. */
static int is_padding(const struct code *code, const struct block *block)
{
	struct decoded decoded;

	for (uint32_t n = 0; n < block->count; n++) {
		if (!decode_at(code, code->list[block->first + n].address, &decoded) ||
		    !operand_is_padding(&decoded))
			return 0;
	}
	return 1;
}

/* The block that nothing leads to; one after the other, as what is behind it is reached then */
static struct block *next_unreached(struct code *code)
{
	for (uint32_t n = 0; n < code->blocks; n++) {
		if (!code->block[n].is_reached && !is_padding(code, &code->block[n]))
			return &code->block[n];
	}
	return NULL;
}

static enum operand_absence follow(struct code *code)
{
	struct operand_state *state = calloc(1, sizeof(*state));
	enum operand_absence absent = OPERAND_PRESENT;
	struct block *block = block_at(code, code->range[0].low);

	if (!state)
		return OPERAND_TOO_MANY;
	operand_state_begin(state);
	operand_locals_begin(&code->flow.locals, code->flow.paths, state);
	while (block && absent == OPERAND_PRESENT) {
		absent = flow_into(block, state) ? settle(code) : OPERAND_TOO_MANY;
		block = next_unreached(code);
		memset(state, 0, sizeof(*state));
		if (code->has_indirect)
			*state = code->indirect;
	}
	free(state);
	return absent;
}

static enum operand_absence read_all(struct code *code, operand_reader *reader, void *data)
{
	enum operand_absence absent = find_ranges(code);

	if (absent == OPERAND_PRESENT)
		absent = read_code(code, reader, data);
	if (absent == OPERAND_PRESENT && !list_instructions(code))
		absent = OPERAND_TOO_MANY;
	if (absent == OPERAND_PRESENT && !code->count)
		absent = OPERAND_NO_CODE; /* bytes, of which none are instructions */
	if (absent != OPERAND_PRESENT)
		return absent;
	qsort(code->list, code->count, sizeof(*code->list), by_address);
	absent = make_blocks(code);
	if (absent == OPERAND_PRESENT)
		absent = follow(code);
	for (uint32_t n = 0; n < code->blocks && absent == OPERAND_PRESENT; n++) {
		if (code->block[n].is_reached)
			follow_block(code, &code->block[n], 1);
		else
			for (uint32_t i = 0; i < code->block[n].count; i++)
				code->list[code->block[n].first + i].is.absent = OPERAND_NO_MEMORY;
	}
	return absent;
}

static void free_code(struct code *code)
{
	for (uint32_t n = 0; n < code->blocks; n++)
		free(code->block[n].state);
	operand_locals_free(&code->flow.locals);
	precis_data_type_paths_free(code->flow.paths);
	free(code->block);
	free(code->begins);
	free(code->bytes);
	free(code->list);
	free(code);
}

/* The instructions go over. */
static void hand_out(struct code *code, enum operand_absence absent, uint64_t address,
		     struct operand_function *function)
{
	*function = (struct operand_function){
		.absent = (uint8_t)absent, .low = address, .high = address + 1,
	};
	for (uint32_t n = 0; n < code->ranges; n++) {
		if (address < code->range[n].low || address >= code->range[n].high)
			continue;
		function->low = code->range[n].low;
		function->high = code->range[n].high;
	}
	if (absent != OPERAND_PRESENT)
		return;
	function->list = code->list;
	function->count = code->count;
	code->list = NULL;
}

int operand_function_read(struct precis_data_types *types, uint64_t address, operand_reader *reader,
			  void *data, struct operand_function *function)
{
	struct code *code = calloc(1, sizeof(*code));
	enum operand_absence absent = OPERAND_NO_FUNCTION;
	int found;

	*function = (struct operand_function){ .absent = OPERAND_NO_FUNCTION };
	if (!code)
		return PRECIS_E_NO_MEMORY;
	code->flow.types = types;
	found = precis_data_type_paths_new(&code->flow.paths);
	if (!found)
		found = operand_locals_read(types, address, &code->flow.locals);
	if (found > 0)
		absent = read_all(code, reader, data);
	if (found >= 0)
		hand_out(code, absent, address, function);
	free_code(code);
	return found == PRECIS_E_NO_MEMORY ? found : 0;
}

void operand_function_free(struct operand_function *function)
{
	free(function->list);
	function->list = NULL;
	function->count = 0;
}
