/* SPDX-License-Identifier: BSD-3-Clause */
/* See state.h. */
#include "state.h"

#include <string.h>

/* Arrays of arrays of arrays: more are the debug information's mistake */
#define ARRAYS_MOST 8u

void operand_state_begin(struct operand_state *state)
{
	memset(state, 0, sizeof(*state));
	state->reg[OPERAND_RSP] = (struct operand_value){ .kind = VALUE_FRAME, .offset = -8 };
}

static int is_same(const struct operand_value *a, const struct operand_value *b)
{
	return a->kind == b->kind && a->index == b->index && a->offset == b->offset &&
	       a->target == b->target && a->type == b->type && a->is_sum == b->is_sum;
}

/* --- numbers --- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

struct operand_value operand_number(const struct operand_value *value)
{
	return value->kind == VALUE_NUMBER ? *value
					   : (struct operand_value){ .kind = VALUE_NUMBER, .target = 1 };
}

static struct operand_value checked(struct operand_value value)
{
	if (operand_is_any(&value) || !operand_is_near(value.offset) || value.target >= UINT64_C(1) << 40)
		return (struct operand_value){ .kind = VALUE_UNKNOWN };
	return value;
}

struct operand_value operand_number_times(const struct operand_value *number, int64_t times)
{
	struct operand_value product = *number;

	if (times > INT64_C(1) << 20 || times < -(INT64_C(1) << 20))
		return (struct operand_value){ .kind = VALUE_NUMBER, .target = 1 };
	product.offset *= times;
	product.target *= (uint64_t)(times < 0 ? -times : times);
	return product;
}

/* What an index moves by, as steps of the type go */
static enum operand_index index_of(const struct operand_value *pointer, const struct operand_value *number)
{
	const struct precis_data_type *type = pointer->type;
	enum operand_index index = INDEX_PART;
	uint64_t bytes;

	for (uint32_t n = 0; n < ARRAYS_MOST && operand_element_of(type, &type); n++)
		;
	bytes = operand_bytes_of(type);
	if (!number->target)
		index = INDEX_NONE;
	else if (bytes && number->target % bytes == 0)
		index = INDEX_WHOLE;
	else if (number->target == 1 || number->is_sum)
		index = INDEX_ANY;
	return index > pointer->index ? index : pointer->index;
}

void operand_value_add(struct operand_value *value, const struct operand_value *number)
{
	if (value->kind == VALUE_POINTER)
		value->index = (uint8_t)index_of(value, number);
	else if (value->kind == VALUE_FRAME && number->target)
		value->kind = VALUE_UNKNOWN;
	else if (value->kind != VALUE_FRAME) {
		*value = operand_number(value);
		value->is_sum |= number->is_sum || (value->target && number->target);
		value->target = common_divisor(value->target, number->target);
	}
	value->offset += number->offset;
	*value = checked(*value);
}

static struct operand_value meet_numbers(const struct operand_value *a, const struct operand_value *b)
{
	const uint64_t apart =
		(uint64_t)(a->offset > b->offset ? a->offset - b->offset : b->offset - a->offset);
	struct operand_value value = *a;

	value.target = common_divisor(common_divisor(a->target, b->target), apart);
	value.is_sum |= b->is_sum;
	if (value.target)
		value.offset = operand_in_element(a->offset, value.target);
	return checked(value);
}

/* --- pointers --- */

/* Pointers to an array and to its elements: both to these */
static int meet_types(struct operand_value *a, struct operand_value *b)
{
	for (uint32_t n = 0; n < ARRAYS_MOST && a->type != b->type; n++) {
		struct operand_value *larger =
			precis_data_type_kind(a->type) == PRECIS_DATA_KIND_ARRAY ? a : b;

		if (!operand_element_of(larger->type, &larger->type))
			return 0;
	}
	return a->type == b->type;
}

/* Pointers to elements of one array, as before and behind p++ */
static struct operand_value meet_pointers(const struct operand_value *one, const struct operand_value *other)
{
	struct operand_value a = *one, b = *other;
	uint64_t bytes;

	if (!meet_types(&a, &b))
		return (struct operand_value){ .kind = VALUE_UNKNOWN };
	if (b.index > a.index)
		a.index = b.index;
	if (a.offset == b.offset)
		return a;
	for (uint32_t n = 0; n < ARRAYS_MOST && operand_element_of(a.type, &a.type); n++)
		;
	bytes = operand_bytes_of(a.type);
	a.offset = operand_in_element(a.offset, bytes);
	if (a.index == INDEX_NONE)
		a.index = INDEX_WHOLE;
	if (!bytes || a.offset != operand_in_element(b.offset, bytes))
		return (struct operand_value){ .kind = VALUE_UNKNOWN };
	return a;
}

static int is_null(const struct operand_value *value)
{
	return value->kind == VALUE_NUMBER && !value->target && !value->offset;
}

static int may_be_null(const struct operand_value *value)
{
	return value->kind == VALUE_POINTER || value->kind == VALUE_RESULT;
}

struct operand_value operand_value_meet(const struct operand_value *a, const struct operand_value *b)
{
	if (is_same(a, b) || (is_null(b) && may_be_null(a)))
		return *a;
	if (is_null(a) && may_be_null(b))
		return *b;
	if (a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER)
		return meet_numbers(a, b);
	if (a->kind == VALUE_POINTER && b->kind == VALUE_POINTER)
		return meet_pointers(a, b);
	return (struct operand_value){ .kind = VALUE_UNKNOWN };
}

/* --- states --- */

/* Whatever the types say, each value becomes less only so often: the walk over a function ends. */
static int meet_value(struct operand_value *value, const struct operand_value *other)
{
	const struct operand_value met = operand_value_meet(value, other);
	const int has_changed = !is_same(value, &met);

	*value = met;
	return has_changed;
}

static int meet_slots(struct operand_state *state, const struct operand_state *other)
{
	int has_changed = 0;

	for (uint32_t n = 0; n < state->slots;) {
		const struct operand_value *value = operand_state_read(other, state->slot[n].at);

		if (value) {
			has_changed |= meet_value(&state->slot[n].value, value);
			n++;
			continue;
		}
		state->slot[n] = state->slot[--state->slots];
		has_changed = 1;
	}
	return has_changed;
}

int operand_state_meet(struct operand_state *state, const struct operand_state *other)
{
	int has_changed = meet_slots(state, other);

	for (uint32_t n = 0; n < OPERAND_REGISTERS; n++)
		has_changed |= meet_value(&state->reg[n], &other->reg[n]);
	return has_changed;
}

void operand_state_write(struct operand_state *state, int64_t at, uint32_t bytes,
			 const struct operand_value *value)
{
	for (uint32_t n = 0; n < state->slots;) {
		const int64_t slot = state->slot[n].at;

		if (slot < at + (int64_t)bytes && at < slot + 8)
			state->slot[n] = state->slot[--state->slots];
		else
			n++;
	}
	if (value && value->kind != VALUE_UNKNOWN && bytes == 8 && state->slots < OPERAND_SLOTS)
		state->slot[state->slots++] = (struct operand_slot){ at, *value };
}

const struct operand_value *operand_state_read(const struct operand_state *state, int64_t at)
{
	for (uint32_t n = 0; n < state->slots; n++) {
		if (state->slot[n].at == at)
			return &state->slot[n].value;
	}
	return NULL;
}
