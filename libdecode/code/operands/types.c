/* SPDX-License-Identifier: BSD-3-Clause */
/* See types.h: functions that were followed, and what of their instructions is asked for. */
#include "types.h"

#include <stdlib.h>

#include <precis/error.h>

#include "function.h"

/* Functions that are kept, and instructions of all together: 64 bytes each */
#define FUNCTIONS_MOST 4096u
#define INSTRUCTIONS_MOST (1u << 20)

struct operand_types {
	struct precis_data_types *types;
	struct operand_function list[FUNCTIONS_MOST]; /* by address */
	uint32_t count, instructions;
};

struct operand_types *operand_types_new(struct precis_data_types *types)
{
	struct operand_types *operands = calloc(1, sizeof(*operands));

	if (operands)
		operands->types = types;
	return operands;
}

static void forget(struct operand_types *operands)
{
	while (operands->count)
		operand_function_free(&operands->list[--operands->count]);
	operands->instructions = 0;
}

void operand_types_free(struct operand_types *operands)
{
	if (!operands)
		return;
	forget(operands);
	free(operands);
}

/* The first that ends behind the address */
static uint32_t place_of(const struct operand_types *operands, uint64_t address)
{
	uint32_t low = 0, high = operands->count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (operands->list[middle].high <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int have_function(struct operand_types *operands, uint64_t address, operand_reader *reader, void *data,
			 const struct operand_function **function)
{
	uint32_t at = place_of(operands, address);
	struct operand_function made;

	*function = &operands->list[at];
	if (at < operands->count && operands->list[at].low <= address)
		return 0;
	if (operand_function_read(operands->types, address, reader, data, &made) < 0)
		return PRECIS_E_NO_MEMORY;
	if (operands->count == FUNCTIONS_MOST || made.count > INSTRUCTIONS_MOST - operands->instructions) {
		forget(operands);
		at = 0;
	}
	/* ranges that overlap are damage: what was there stays as it is for its addresses */
	if (at < operands->count && made.high > operands->list[at].low)
		made.high = operands->list[at].low;
	if (at > 0 && made.low < operands->list[at - 1].high)
		made.low = operands->list[at - 1].high;
	for (uint32_t n = operands->count++; n > at; n--)
		operands->list[n] = operands->list[n - 1];
	operands->list[at] = made;
	operands->instructions += made.count;
	*function = &operands->list[at];
	return 0;
}

static int by_address(const void *one, const void *other)
{
	const uint64_t a = ((const struct operand_instruction *)one)->address;
	const uint64_t b = ((const struct operand_instruction *)other)->address;

	return (a > b) - (a < b);
}

/* An instruction may do something to the stack, too: which of both was sampled has to be known then. */
static void choose(struct operand_type *is, uint32_t does)
{
	const int may_be_stack = is->stack_does && (!does || does & is->stack_does);
	const int may_be_data = is->does && (!does || does & is->does);

	if (!is->does || !may_be_stack)
		return;
	is->type = NULL;
	is->absent = may_be_data ? OPERAND_SEVERAL : OPERAND_STACK;
}

int operand_types_at(struct operand_types *operands, uint64_t address, uint32_t does, operand_reader *reader,
		     void *data, struct operand_type *is)
{
	const struct operand_instruction key = { .address = address };
	const struct operand_instruction *found = NULL;
	const struct operand_function *function;

	*is = (struct operand_type){ .absent = OPERAND_NO_FUNCTION };
	if (have_function(operands, address, reader, data, &function) < 0)
		return PRECIS_E_NO_MEMORY;
	if (function->count)
		found = bsearch(&key, function->list, function->count, sizeof(key), by_address);
	if (!found) {
		is->absent = function->absent ? function->absent : OPERAND_NO_INSTRUCTION;
		return 0;
	}
	*is = found->is;
	choose(is, does);
	return 0;
}
