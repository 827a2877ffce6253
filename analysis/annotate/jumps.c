/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See jumps.h. The shortest jumps have the lanes next to the code, as in objdump's --visualize-jumps.
 * Each is drawn as far as there are lanes, and if it is no longer than JUMP_ROWS.
 */
#include "jumps.h"

#include <stdlib.h>
#include <string.h>

#define JUMP_ROWS 256u

struct jump {
	uint32_t from, to; /* instructions of the list */
};

static uint32_t rows_of(const struct jump *jump)
{
	return jump->from > jump->to ? jump->from - jump->to : jump->to - jump->from;
}

static int by_rows_then_place(const void *a, const void *b)
{
	const struct jump *left = a, *right = b;

	if (rows_of(left) != rows_of(right))
		return rows_of(left) < rows_of(right) ? -1 : 1;
	return left->from < right->from ? -1 : left->from > right->from;
}

static const struct annotated_instruction *target_of(const struct annotated_code *code,
						     const struct annotated_instruction *instruction)
{
	if (!(instruction->does & PRECIS_CODE_JUMP) || !(instruction->does & PRECIS_CODE_TARGET))
		return NULL;
	return annotated_find(code, instruction->target);
}

const char *jump_way(const struct annotated_code *code,
		     const struct annotated_instruction *instruction)
{
	const struct annotated_instruction *to = target_of(code, instruction);

	if (!(instruction->does & PRECIS_CODE_JUMP) || !(instruction->does & PRECIS_CODE_TARGET))
		return NULL;
	if (!to)
		return "out";
	return to <= instruction ? "back" : "forward";
}

/* --- loops --- */

/* What lies between a jump back and where it goes is in a loop. */
static int count_loops(struct annotated_code *code)
{
	int32_t *change = calloc((size_t)code->count + 1, sizeof(*change));
	int32_t loops = 0;

	if (!change)
		return -1;
	for (uint32_t n = 0; n < code->count; n++) {
		const struct annotated_instruction *to = target_of(code, &code->list[n]);

		if (!to || to > &code->list[n])
			continue;
		change[to - code->list]++;
		change[n + 1]--;
	}
	for (uint32_t n = 0; n < code->count; n++)
		code->list[n].loops = (uint32_t)(loops += change[n]);
	free(change);
	return 0;
}

/* --- lines --- */

static int is_free(const struct jumps *jumps, const struct jump *jump, uint32_t lane)
{
	uint32_t low = jump->from < jump->to ? jump->from : jump->to;

	for (uint32_t n = low; n <= low + rows_of(jump); n++) {
		if (jumps->text[n][lane] != ' ')
			return 0;
	}
	return 1;
}

/* From the lane to the code: over the lines of shorter jumps */
static void draw_end(char *text, uint32_t lane, int is_target)
{
	for (uint32_t n = lane + 1; n < JUMP_LANES; n++)
		text[n] = text[n] == ' ' ? '-' : text[n] == '|' ? '+' : text[n];
	if (text[JUMP_LANES] != '>')
		text[JUMP_LANES] = is_target ? '>' : '-';
}

static void draw(struct jumps *jumps, const struct jump *jump)
{
	uint32_t low = jump->from < jump->to ? jump->from : jump->to;
	uint32_t high = low + rows_of(jump), lane = JUMP_LANES;

	while (lane && !is_free(jumps, jump, lane - 1))
		lane--;
	if (!lane) {
		jumps->text[jump->from][JUMP_LANES] = jump->to < jump->from ? '^' : 'v';
		return;
	}
	lane--;
	for (uint32_t n = low; n <= high; n++)
		jumps->text[n][lane] = n == low ? ',' : n == high ? '`' : '|';
	if (low == high)
		jumps->text[low][lane] = '*';
	draw_end(jumps->text[low], lane, low == jump->to);
	draw_end(jumps->text[high], lane, high == jump->to);
	if (JUMP_LANES - lane > jumps->lanes)
		jumps->lanes = JUMP_LANES - lane;
}

static uint32_t find_jumps(const struct annotated_code *code, struct jumps *jumps, struct jump *found)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < code->count; n++) {
		const struct annotated_instruction *to = target_of(code, &code->list[n]);

		memset(jumps->text[n], ' ', JUMP_LANES + 1);
		if (!to || !code->list[n].is_shown)
			continue;
		found[count] = (struct jump){ n, (uint32_t)(to - code->list) };
		if (to->is_shown && rows_of(&found[count]) <= JUMP_ROWS)
			count++;
		else
			jumps->text[n][JUMP_LANES] = to <= &code->list[n] ? '^' : 'v';
	}
	return count;
}

int jumps_open(struct jumps *jumps, struct annotated_code *code)
{
	struct jump *found = calloc((size_t)code->count + 1, sizeof(*found));
	uint32_t count;

	*jumps = (struct jumps){ .text = calloc((size_t)code->count + 1, sizeof(*jumps->text)) };
	if (!found || !jumps->text || count_loops(code) < 0) {
		free(found);
		return -1;
	}
	count = find_jumps(code, jumps, found);
	qsort(found, count, sizeof(*found), by_rows_then_place);
	for (uint32_t n = 0; n < count; n++)
		draw(jumps, &found[n]);
	free(found);
	return 0;
}

void jumps_free(struct jumps *jumps)
{
	free(jumps->text);
}

const char *jumps_text(const struct jumps *jumps, uint32_t n)
{
	return jumps->text[n] + JUMP_LANES - jumps->lanes;
}
