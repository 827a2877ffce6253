/* SPDX-License-Identifier: BSD-3-Clause */
/* See trapped_place.h. */
#include "trapped_place.h"

#include <stdlib.h>

#include <precis/code.h>

#include "sharing/sampled_access.h"

/* Longer functions are not read. */
#define FUNCTION_MOST 65536u
/* Instructions that access memory by more than their operand, and go elsewhere */
#define ELSEWHERE (PRECIS_CODE_JUMP | PRECIS_CODE_CALL | PRECIS_CODE_RETURN)

struct function {
	uint8_t bytes[FUNCTION_MOST];
	uint32_t count, bits;
};

/* ACCESS_*, of one whose operand alone says where */
static uint16_t does_of(const struct precis_instruction *is)
{
	if (is->does & ELSEWHERE)
		return 0;
	return (uint16_t)((is->does & PRECIS_CODE_LOADS ? ACCESS_LOADS : 0) |
			  (is->does & PRECIS_CODE_STORES ? ACCESS_STORES : 0));
}

/* Of instructions that do it again and again a trap comes before the end: what is next is the same. */
static int is_repeated(const uint8_t *code, uint32_t bytes)
{
	uint32_t n = 1;

	if (bytes < 2 || (code[0] != 0xf2 && code[0] != 0xf3))
		return 0;
	n += n < bytes && (code[n] & 0xf0) == 0x40; /* REX */
	return n < bytes &&
	       ((code[n] >= 0xa4 && code[n] <= 0xa7) || (code[n] >= 0xaa && code[n] <= 0xaf));
}

/* An instruction in a function; 'does' 0: not known */
struct place {
	uint32_t at;
	uint16_t does;
};

static struct place decode(const struct function *function, uint32_t at, uint32_t *length)
{
	struct precis_instruction is = { .size = sizeof(is) };
	const int got = precis_code_decode(function->bytes + at, function->count - at, at,
					   function->bits, PRECIS_CODE_ATT, &is);

	*length = got > 0 ? (uint32_t)got : 0;
	return (struct place){ at, got > 0 ? does_of(&is) : 0 };
}

/* The one that ends there, or does itself again there: where it may be either it is not known. */
static struct place before(const struct function *function, uint32_t end)
{
	struct place last = { 0, 0 };
	uint32_t at = 0, length = 1;

	for (; at < end && length; at += length)
		last = decode(function, at, &length);
	if (at != end || !length)
		return (struct place){ 0, 0 };
	if (!is_repeated(function->bytes + end, function->count - end))
		return last;
	return last.does ? (struct place){ 0, 0 } : decode(function, end, &length);
}

static int read_function(struct precis_symbols *symbols, const struct precis_location *next,
			 uint64_t start, struct function *function)
{
	struct precis_location first = *next;
	struct precis_code code = { .size = sizeof(code) };
	int got;

	first.offset = start;
	got = precis_symbols_code(symbols, &first, function->bytes, FUNCTION_MOST, &code);
	function->count = got > 0 ? (uint32_t)got : 0;
	function->bits = code.bits;
	return got > 0;
}

uint64_t trapped_place(struct precis_symbols *symbols, uint32_t pid, uint64_t next_ip,
		       uint16_t *does)
{
	struct precis_location next = { .size = sizeof(next) };
	struct function *function;
	uint64_t start, end, place = 0;

	*does = 0;
	if (precis_symbols_find(symbols, pid, PRECIS_CPUMODE_USER, UINT64_MAX, next_ip, &next) <=
		    0 ||
	    !next.symbol || precis_symbols_extent(symbols, &next, &start, &end) <= 0 ||
	    next.offset <= start || next.offset - start >= FUNCTION_MOST)
		return 0;
	function = malloc(sizeof(*function));
	if (function && read_function(symbols, &next, start, function) &&
	    next.offset - start < function->count) {
		const uint32_t length = (uint32_t)(next.offset - start);
		const struct place is = before(function, length);

		*does = is.does;
		place = is.does ? next_ip - length + is.at : 0;
	}
	free(function);
	return place;
}
