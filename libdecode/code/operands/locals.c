/* SPDX-License-Identifier: BSD-3-Clause */
/* See locals.h. */
#include "locals.h"

#include <stdlib.h>

#include <precis/error.h>

#define FRAME OPERAND_REGISTERS

/* --- reading them --- */

/* OPERAND_GROUPS: in none */
static uint32_t group_of(const struct precis_local *local)
{
	switch (local->place) {
	case PRECIS_LOCAL_REGISTER:
	case PRECIS_LOCAL_VALUE:
		return local->number < OPERAND_REGISTERS ? local->number : OPERAND_GROUPS;
	case PRECIS_LOCAL_MEMORY:
	case PRECIS_LOCAL_FRAME:
		return FRAME;
	default:
		return local->number < OPERAND_REGISTERS ? FRAME + 1 + local->number : OPERAND_GROUPS;
	}
}

static int by_group_and_start(const void *one, const void *other)
{
	const struct precis_local *a = &((const struct operand_place *)one)->local;
	const struct precis_local *b = &((const struct operand_place *)other)->local;

	if (group_of(a) != group_of(b))
		return group_of(a) < group_of(b) ? -1 : 1;
	return (a->low > b->low) - (a->low < b->low);
}

static void index_groups(struct operand_locals *locals, uint32_t count)
{
	uint32_t n = 0;

	qsort(locals->list, count, sizeof(*locals->list), by_group_and_start);
	for (uint32_t group = 0; group < OPERAND_GROUPS; group++) {
		uint64_t reach = 0;

		locals->first[group] = n;
		for (; n < count && group_of(&locals->list[n].local) == group; n++) {
			if (locals->list[n].local.high > reach)
				reach = locals->list[n].local.high;
			locals->list[n].reach = reach;
		}
	}
	locals->first[OPERAND_GROUPS] = n;
}

int operand_locals_read(struct precis_data_types *types, uint64_t address, struct operand_locals *locals)
{
	struct precis_local local = { .size = sizeof(local) };
	const int found = precis_data_locals_new(types, address, &locals->all);
	uint32_t count = 0;

	if (found <= 0)
		return found;
	while (precis_data_locals_get(locals->all, count, &local) > 0)
		count++;
	locals->list = calloc(count ? count : 1, sizeof(*locals->list));
	if (!locals->list)
		return PRECIS_E_NO_MEMORY;
	for (uint32_t n = 0; n < count; n++) {
		locals->list[n].local.size = sizeof(local);
		precis_data_locals_get(locals->all, n, &locals->list[n].local);
	}
	index_groups(locals, count);
	return 1;
}

void operand_locals_free(struct operand_locals *locals)
{
	precis_data_locals_free(locals->all);
	free(locals->list);
	*locals = (struct operand_locals){ .all = NULL };
}

/* --- asking for them --- */

/* How many of a group begin at an address or before, from the first of all */
static uint32_t count_before(const struct operand_locals *locals, uint32_t group, uint64_t address)
{
	uint32_t low = locals->first[group], high = locals->first[group + 1];

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (locals->list[middle].local.low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The next one that is there, backwards. 'at' is where to go on. NULL: there are no more */
static const struct precis_local *previous(const struct operand_locals *locals, uint32_t group,
					   uint64_t address, uint32_t *at)
{
	while (*at > locals->first[group] && locals->list[*at - 1].reach > address) {
		const struct precis_local *local = &locals->list[--*at].local;

		if (local->high > address)
			return local;
	}
	return NULL;
}

struct candidate {
	struct operand_value value;
	uint32_t depth;
	/* of what it points to: of a class and its base in one register the class says more */
	uint64_t bytes;
};

static int is_better(const struct candidate *a, const struct candidate *b)
{
	return a->depth != b->depth ? a->depth > b->depth : a->bytes > b->bytes;
}

#define CANDIDATES 8u

static void insert(struct candidate *list, uint32_t *count, const struct candidate *candidate)
{
	uint32_t at = *count;

	if (*count < CANDIDATES)
		(*count)++;
	else if (!is_better(candidate, &list[--at]))
		return;
	for (; at > 0 && is_better(candidate, &list[at - 1]); at--)
		list[at] = list[at - 1];
	list[at] = *candidate;
}

static int is_candidate(struct precis_data_type_paths *paths, const struct precis_local *local,
			struct candidate *candidate)
{
	if (!operand_is_near(local->offset) ||
	    !operand_pointer_of(paths, local->type, local->part, &candidate->value))
		return 0;
	if (local->place == PRECIS_LOCAL_VALUE)
		candidate->value.offset = -local->offset;
	candidate->value.evidence = OPERAND_BY_VARIABLE;
	candidate->value.variable = local->name;
	candidate->depth = local->depth;
	candidate->bytes = operand_bytes_of(candidate->value.type);
	return 1;
}

uint32_t operand_locals_in(const struct operand_locals *locals, struct precis_data_type_paths *paths,
			   uint64_t address, uint32_t number, struct operand_value *values, uint32_t most)
{
	uint32_t count = 0, at = count_before(locals, number, address);
	struct candidate list[CANDIDATES], candidate;
	const struct precis_local *local;

	while ((local = previous(locals, number, address, &at)) != NULL) {
		if (is_candidate(paths, local, &candidate))
			insert(list, &count, &candidate);
	}
	for (uint32_t n = 0; n < count && n < most; n++)
		values[n] = list[n].value;
	return count < most ? count : most;
}

void operand_locals_begin(const struct operand_locals *locals, struct precis_data_type_paths *paths,
			  struct operand_state *state)
{
	for (uint32_t number = 0; number < OPERAND_REGISTERS; number++) {
		const uint32_t group = FRAME + 1 + number;
		struct candidate best = { .value.kind = VALUE_UNKNOWN }, candidate;

		/* the function's own parameters before those of what is inlined */
		for (uint32_t n = locals->first[group]; n < locals->first[group + 1]; n++) {
			if (is_candidate(paths, &locals->list[n].local, &candidate) &&
			    (best.value.kind == VALUE_UNKNOWN || candidate.depth < best.depth))
				best = candidate;
		}
		if (best.value.kind != VALUE_UNKNOWN)
			state->reg[number] = best.value;
	}
}

/* From where on a variable is, as the register that is asked for has it. @return 0 if that is not known */
static int start_of(const struct precis_local *local, const struct operand_state *state, uint32_t number,
		    int64_t *start)
{
	const struct operand_value *own = &state->reg[number];
	const struct operand_value *base =
		local->place == PRECIS_LOCAL_MEMORY && local->number < OPERAND_REGISTERS
			? &state->reg[local->number] : NULL;

	if (base && local->number == number) {
		*start = local->offset;
		return 1;
	}
	if (own->kind != VALUE_FRAME)
		return 0;
	if (local->place == PRECIS_LOCAL_FRAME) {
		*start = (int64_t)((uint64_t)local->offset - (uint64_t)own->offset);
		return 1;
	}
	if (!base || base->kind != VALUE_FRAME)
		return 0;
	*start = (int64_t)((uint64_t)base->offset + (uint64_t)local->offset - (uint64_t)own->offset);
	return 1;
}

const char *operand_locals_at(const struct operand_locals *locals, uint64_t address,
			      const struct operand_state *state, uint32_t number, int64_t offset,
			      struct operand_access *access)
{
	uint32_t at = count_before(locals, FRAME, address);
	const struct precis_local *local, *best = NULL;
	int64_t start;

	while ((local = previous(locals, FRAME, address, &at)) != NULL) {
		uint64_t into;

		if (!start_of(local, state, number, &start) || start > offset)
			continue;
		if (!operand_is_near((int64_t)local->part) || !operand_is_near(start))
			continue;
		into = (uint64_t)(offset - start) + local->part;
		if (into >= operand_bytes_of(local->type) || (best && local->depth <= best->depth))
			continue;
		best = local;
		access->type = local->type;
		access->offset = (int64_t)into;
	}
	return best ? best->name ? best->name : "" : NULL;
}
