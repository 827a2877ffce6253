/* SPDX-License-Identifier: BSD-3-Clause */
/* See pointer_sums.h. */
#include "pointer_sums.h"

#include "scopes.h"

static const struct pointer_value unknown = { .kind = POINTER_UNKNOWN };

struct pointer_value precis_pointer_plus(const struct pointer_value *value, int64_t constant)
{
	struct pointer_value sum = *value;

	if (value->kind == POINTER_INSIDE) {
		sum.by = value->by && constant % value->by == 0 ? value->by : 0;
		return sum;
	}
	if (value->kind != POINTER_BLOCK && value->kind != POINTER_FRAME &&
	    value->kind != POINTER_PLACE)
		return unknown;
	sum.by = (int64_t)((uint64_t)value->by + (uint64_t)constant);
	return sum;
}

/* A pointer into the block and any number of steps of so many bytes; 0: of any */
static struct pointer_value plus_steps(const struct pointer_value *value, int64_t step)
{
	const int is_whole =
		step && (value->kind == POINTER_BLOCK ? value->by % step == 0 : value->by == step);

	return (struct pointer_value){ .kind = POINTER_INSIDE, .by = is_whole ? step : 0 };
}

struct pointer_value precis_pointer_sum(const struct pointer_value *a,
					const struct pointer_value *b)
{
	if (pointer_is_of_block(a) && !pointer_is_of_block(b))
		return plus_steps(a, b->kind == POINTER_TIMES ? b->by : 0);
	if (pointer_is_of_block(b) && !pointer_is_of_block(a))
		return plus_steps(b, a->kind == POINTER_TIMES ? a->by : 0);
	return unknown;
}

/* A register and so many times another one */
static struct pointer_value address_with_index(const struct pointer_state *state,
					       const struct operation *operation)
{
	const struct pointer_value *index = &state->reg[operation->index], *base;
	const struct precis_data_type *type;
	struct pointer_value times = { .kind = POINTER_TIMES, .by = operation->scale }, sum;

	if (operation->scale == 1)
		times = *index;
	if (operation->base >= POINTER_REGISTERS)
		return operation->base == REGISTER_NONE && !operation->offset &&
				       operation->scale > 1
			       ? times
			       : unknown;
	base = &state->reg[operation->base];
	sum = precis_pointer_sum(base, &times);
	if (sum.kind != POINTER_UNKNOWN)
		return precis_pointer_plus(&sum, operation->offset);
	/* The address of an element: as good as that of the first, where all are pointers */
	type = base->kind == POINTER_TYPED    ? base->type
	       : index->kind == POINTER_TYPED ? index->type
					      : NULL;
	if (operation->offset % 8 == 0 && precis_scopes_pointed(precis_scopes_pointed(type)))
		return (struct pointer_value){ .kind = POINTER_TYPED, .type = type };
	return unknown;
}

struct pointer_value precis_pointer_behind(const struct pointer_state *state, uint64_t at,
					   unsigned int number, int64_t by)
{
	const struct pointer_value *value = &state->reg[number],
				   sum = precis_pointer_plus(value, by);

	if (sum.kind != POINTER_UNKNOWN)
		return sum;
	return (struct pointer_value){
		.kind = POINTER_PLACE,
		.base = (uint8_t)number,
		.by = by,
		.type = value->kind == POINTER_TYPED || value->kind == POINTER_ARGUMENT
				? value->type
				: NULL,
		.at = at,
	};
}

struct pointer_value precis_pointer_address(const struct pointer_state *state, uint64_t at,
					    const struct operation *operation, uint64_t next)
{
	const unsigned int base = operation->base;

	if (!operation->is_wide)
		return unknown;
	if (operation->index < POINTER_REGISTERS)
		return address_with_index(state, operation);
	if (base == REGISTER_RIP)
		return (struct pointer_value){ .kind = POINTER_PLACE,
					       .base = REGISTER_RIP,
					       .by = (int64_t)(next +
							       (uint64_t)operation->offset) };
	if (base >= POINTER_REGISTERS)
		return unknown;
	return precis_pointer_behind(state, at, base, operation->offset);
}
