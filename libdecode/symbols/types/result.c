/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pointer is in rax at first (System V ABI for x86-64, section 3.2.3), or where an argument of the call
 * points. Compilers without optimization store it at once; with it, location lists say which variable a
 * register is.
 */
#include "result.h"

#include <stdlib.h>

#include <precis/error.h>

#include "code_window.h"
#include "measure.h"
#include "pointer_sums.h"
#include "pointer_types.h"
#include "type.h"

#define STEPS 48u /* from where a branch leads */
#define BRANCHES 6u /* that are followed, of those that were not taken */
#define READS 16u /* of code, where it leads out of what was read */
/* From where the function begins to the call, at most; of what was loaded there the last is looked at */
#define CODE_BEFORE 16384u
#define LOADS_BEFORE 4096u
/* What functions leave as it was: rbx, rsp, rbp, r12 to r15 */
#define FRAME_REGISTERS ((1u << REGISTER_RSP) | (1u << REGISTER_RBP))
#define KEPT (FRAME_REGISTERS | (1u << 3) | (0xfu << 12))

static const struct pointer_value unknown = { .kind = POINTER_UNKNOWN };

struct flow {
	struct precis_data_types *types;
	struct pointer_types pointers; /* of 'now' */
	struct code_window code;
	struct pointer_state now, at_call;
	int is_before; /* the call */
	struct branch {
		uint64_t to;
		struct pointer_state state;
	} branch[BRANCHES];
	uint32_t branches;
	struct result_end end;
	struct followed *followed; /* NULL: it is not kept */
	fits_block *fits;
	void *data;
};

/* --- what a place says of the block ----------------------------------------------------------- */

static int ask(struct flow *flow, const struct precis_data_type *type, uint32_t evidence,
	       enum block_part part)
{
	const struct followed_offer offer = { type, evidence, part };

	if (flow->followed && !precis_followed_note(flow->followed, &offer))
		return 0;
	return flow->fits(type, evidence, part, flow->data);
}

static int offer(struct flow *flow, const struct precis_data_type *type, uint32_t evidence)
{
	return type && ask(flow, type, evidence, BLOCK_START);
}

/* A pointer to that leads into the block */
static int offer_inside(struct flow *flow, const struct precis_data_type *type, int64_t step,
			uint32_t evidence)
{
	uint64_t bytes;

	if (!type || precis_data_type_measure(type, &bytes))
		return 0;
	return ask(flow, type, evidence,
		   step > 1 && bytes == (uint64_t)step ? BLOCK_ELEMENT : BLOCK_ELSEWHERE);
}

/* What a place of a pointer type says that has a value of the block, or from there */
static int offer_place(struct flow *flow, const struct pointer_value *value,
		       const struct precis_data_type *type, uint32_t evidence)
{
	const struct precis_data_type *pointed = precis_scopes_pointed(type);

	switch (value->kind) {
	case POINTER_BLOCK:
		return value->by == 0 && offer(flow, pointed, evidence);
	case POINTER_INSIDE:
		return offer_inside(flow, pointed, value->by, evidence);
	case POINTER_ELEMENT: /* hashes of texts load eight bytes, too, but not each eighth of them */
		if (value->by != 8 || !pointed)
			return 0;
		flow->end.has_pointers = 1;
		return ask(flow, type, evidence, BLOCK_ELEMENT);
	default:
		return 0;
	}
}

/* Of several in one register each is asked about: what is cast, and what that is cast to */
static int is_taken(void *data, unsigned int number, const struct precis_data_type *type,
		    uint32_t evidence)
{
	struct flow *flow = data;

	return offer_place(flow, &flow->now.reg[number], type, evidence);
}

/* Is a register that has the pointer, or something of the block, a variable here? */
static int offer_registers(struct flow *flow)
{
	uint32_t numbers = 0;

	for (unsigned int n = 0; n < POINTER_REGISTERS; n++) {
		const struct pointer_value *value = &flow->now.reg[n];

		if ((value->kind == POINTER_BLOCK && value->by == 0) ||
		    value->kind == POINTER_INSIDE || value->kind == POINTER_ELEMENT)
			numbers |= 1u << n;
	}
	return numbers && precis_pointer_registers(&flow->pointers, numbers, is_taken, flow);
}

/* The pointer is an argument of a call */
static int offer_arguments(struct flow *flow, uint64_t next)
{
	Dwarf_Die call, callee, parameter;
	uint32_t holds = 0;

	for (unsigned int n = 0; n < GIVEN_ARGUMENTS; n++) {
		const struct pointer_value *value = &flow->now.reg[precis_pointers_argument(n)];

		if (value->kind == POINTER_BLOCK && value->by == 0)
			holds |= 1u << n;
	}
	if (!holds || !precis_pointer_types_move(&flow->pointers) ||
	    !precis_scopes_call(flow->pointers.scopes, next, &call) ||
	    !precis_scopes_callee(flow->pointers.scopes, &call, &callee))
		return 0;
	for (unsigned int n = 0; n < GIVEN_ARGUMENTS; n++) {
		if (holds & 1u << n &&
		    precis_scopes_part(flow->types, &callee, DW_TAG_formal_parameter, n,
				       &parameter) &&
		    offer(flow, precis_scopes_pointed(precis_die_type(flow->types, &parameter)),
			  precis_pointer_evidence(flow->types, &parameter)))
			return 1;
	}
	return 0;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Is memory of the block accessed, and in steps of how many bytes? 0: of any */
static int is_in_block(const struct flow *flow, const struct operation *operation, int64_t *step)
{
	const struct pointer_value *base, *index;

	if (operation->base >= POINTER_REGISTERS)
		return 0;
	base = &flow->now.reg[operation->base];
	*step = 0;
	if (operation->index >= POINTER_REGISTERS) {
		if (base->kind == POINTER_INSIDE && base->by && operation->offset % base->by == 0)
			*step = base->by;
		return pointer_is_of_block(base);
	}
	index = &flow->now.reg[operation->index];
	if (base->kind == POINTER_BLOCK && operation->scale > 1 &&
	    base->by % operation->scale == 0 && operation->offset % operation->scale == 0)
		*step = operation->scale;
	return pointer_is_of_block(base) || (operation->scale == 1 && pointer_is_of_block(index));
}

/* Eight bytes of a register are stored in the block */
static int store_in_block(struct flow *flow, unsigned int number, int64_t step)
{
	const struct pointer_value *stored = &flow->now.reg[number];
	const struct precis_data_type *type = NULL;

	if (stored->kind == POINTER_FRAME || stored->kind == POINTER_PLACE)
		return 0;
	if (!pointer_is_of_block(stored))
		type = precis_pointer_register(&flow->pointers, number);
	if (!pointer_is_of_block(stored) && !precis_scopes_pointed(type))
		return 0;
	flow->end.has_pointers = 1;
	return type && step == 8 && ask(flow, type, PRECIS_ALLOCATION_VARIABLE, BLOCK_ELEMENT);
}

/* Which argument of the function a register is, as it was at first; -1: none */
static int argument_of(struct flow *flow, unsigned int number)
{
	const struct pointer_value *value = &flow->now.reg[number];

	if (value->kind == POINTER_ARGUMENT)
		return (int)value->by;
	return value->kind == POINTER_UNKNOWN || value->kind == POINTER_TYPED ||
			       value->kind == POINTER_COPY
		       ? precis_pointer_argument(&flow->pointers, number)
		       : -1;
}

/* @return 0: it is no argument of the function */
static int note_given(struct flow *flow, const struct operation *operation, int64_t by)
{
	const int argument = operation->base < POINTER_REGISTERS && !operation->offset &&
					     operation->index == REGISTER_NONE && by >= 0
				     ? argument_of(flow, operation->base)
				     : -1;

	if (argument < 0 || argument >= (int)GIVEN_ARGUMENTS ||
	    precis_code_steps_on(flow->types, flow->pointers.at, operation->base))
		return 0;
	if (flow->end.is_given || flow->end.is_returned)
		return 1;
	flow->end.is_given = 1;
	flow->end.argument = (uint32_t)argument;
	flow->end.moved = (uint64_t)by;
	return 1;
}

static void note_kept(struct flow *flow, const struct operation *operation,
		      const struct pointer_value *value)
{
	const int is_in_frame = operation->base < POINTER_REGISTERS &&
				flow->now.reg[operation->base].kind == POINTER_FRAME;

	if (value->kind == POINTER_BLOCK && note_given(flow, operation, value->by))
		return;
	flow->end.is_kept |= pointer_is_of_block(value) && !is_in_frame;
}

static int move_to_memory(struct flow *flow, const struct operation *operation, uint64_t next)
{
	const struct pointer_value value =
		operation->is_wide ? flow->now.reg[operation->reg] : unknown;
	const struct precis_data_type *type;
	uint32_t evidence;
	int64_t step;

	if (operation->index == REGISTER_NONE && !operation->is_of_thread)
		precis_pointers_store(&flow->now, operation->base, operation->offset, value);
	if (flow->is_before || !operation->is_wide || operation->is_of_thread)
		return 0;
	if (is_in_block(flow, operation, &step) && store_in_block(flow, operation->reg, step))
		return 1;
	note_kept(flow, operation, &value);
	if (!pointer_is_of_block(&value) && value.kind != POINTER_ELEMENT)
		return 0;
	type = precis_pointer_memory(&flow->pointers, operation, next, &evidence);
	return type && offer_place(flow, &value, type, evidence);
}

static struct pointer_value argument_value(struct flow *flow, unsigned int argument)
{
	return (struct pointer_value){
		.kind = POINTER_ARGUMENT,
		.by = (int64_t)argument,
		.type = precis_pointer_parameter(&flow->pointers, argument),
	};
}

/* What is loaded of the frame or elsewhere, but not what was stored there */
static struct pointer_value loaded(struct flow *flow, const struct operation *operation,
				   uint64_t next)
{
	const struct pointer_value *base =
		operation->base < POINTER_REGISTERS ? &flow->now.reg[operation->base] : NULL;
	struct pointer_value value = unknown;
	uint32_t evidence;
	int64_t step;
	int argument = -1;

	if (is_in_block(flow, operation, &step))
		value = (struct pointer_value){ .kind = POINTER_ELEMENT, .by = step };
	else if (base && base->kind == POINTER_FRAME && operation->index == REGISTER_NONE)
		argument = precis_pointer_frame_argument(
			&flow->pointers,
			(int64_t)((uint64_t)base->by + (uint64_t)operation->offset));
	if (argument >= 0)
		return argument_value(flow, (unsigned int)argument);
	value.type = precis_pointer_memory(&flow->pointers, operation, next, &evidence);
	if (value.kind == POINTER_UNKNOWN && value.type)
		value.kind = POINTER_TYPED;
	return value;
}

static struct pointer_value copied(const struct flow *flow, unsigned int from)
{
	const struct pointer_value *value = &flow->now.reg[from];

	if (value->kind != POINTER_UNKNOWN)
		return *value;
	return (struct pointer_value){ .kind = POINTER_COPY,
				       .base = (uint8_t)from,
				       .at = flow->pointers.at };
}

static void load(struct flow *flow, const struct operation *operation, uint64_t next,
		 int is_passed_over)
{
	const struct pointer_value *kept =
		operation->rm == REGISTER_NONE && operation->index == REGISTER_NONE &&
				!operation->is_of_thread
			? precis_pointers_load(&flow->now, operation->base, operation->offset)
			: NULL;
	struct pointer_value value = unknown;

	if (operation->is_wide && operation->rm != REGISTER_NONE)
		value = copied(flow, operation->rm);
	else if (operation->is_wide && kept)
		value = *kept;
	else if (operation->is_wide && !is_passed_over)
		value = loaded(flow, operation, next);
	precis_pointers_set(&flow->now, operation->reg, value);
}

/* --- sums -------------------------------------------------------------------------------------- */

static void add_constant(struct flow *flow, const struct operation *operation)
{
	const struct pointer_value *kept = NULL;

	if (operation->rm == REGISTER_NONE) {
		if (operation->index == REGISTER_NONE && !operation->is_of_thread)
			kept = precis_pointers_load(&flow->now, operation->base, operation->offset);
		if (kept)
			precis_pointers_store(
				&flow->now, operation->base, operation->offset,
				operation->is_wide ? precis_pointer_plus(kept, operation->constant)
						   : unknown);
	} else {
		precis_pointers_set(&flow->now, operation->rm,
				    operation->is_wide ? precis_pointer_behind(
								 &flow->now, flow->pointers.at,
								 operation->rm, operation->constant)
						       : unknown);
	}
}

static void add_registers(struct flow *flow, unsigned int to, unsigned int from, int is_wide)
{
	if (to >= POINTER_REGISTERS)
		return;
	precis_pointers_set(
		&flow->now, to,
		is_wide ? precis_pointer_sum(&flow->now.reg[to], from < POINTER_REGISTERS
									 ? &flow->now.reg[from]
									 : &unknown)
			: unknown);
}

/* Numbers of whom nothing else is known */
static void shift(struct flow *flow, const struct operation *operation)
{
	const int is_step =
		operation->is_wide && operation->constant > 0 && operation->constant < 32;

	precis_pointers_set(
		&flow->now, operation->rm,
		is_step ? (struct pointer_value){ .kind = POINTER_TIMES,
						  .by = INT64_C(1) << operation->constant }
			: unknown);
}

/* --- the stack -------------------------------------------------------------------------------- */

static void move_top(struct flow *flow, int64_t by)
{
	precis_pointers_set(&flow->now, REGISTER_RSP,
			    precis_pointer_plus(&flow->now.reg[REGISTER_RSP], by));
}

static void push(struct flow *flow, const struct operation *operation)
{
	const struct pointer_value value =
		operation->reg < POINTER_REGISTERS ? copied(flow, operation->reg) : unknown;

	move_top(flow, -8);
	precis_pointers_store(&flow->now, REGISTER_RSP, 0, value);
}

static void pop(struct flow *flow, unsigned int number)
{
	const struct pointer_value *kept = precis_pointers_load(&flow->now, REGISTER_RSP, 0);
	const struct pointer_value value = kept ? *kept : unknown;

	move_top(flow, 8);
	precis_pointers_set(&flow->now, number, value);
}

static void leave_frame(struct flow *flow)
{
	precis_pointers_set(&flow->now, REGISTER_RSP, flow->now.reg[REGISTER_RBP]);
	pop(flow, REGISTER_RBP);
}

/* @return as operate() */
static int leave(struct flow *flow)
{
	const struct pointer_value *result = &flow->now.reg[REGISTER_RAX];
	const struct precis_data_type *returned;

	if (result->kind != POINTER_BLOCK || result->by < 0)
		return -1;
	/* on the way behind a branch it may be NULL, which is returned as it is */
	if (!flow->end.is_returned && !flow->end.is_given) {
		flow->end.is_returned = 1;
		flow->end.moved = (uint64_t)result->by;
	}
	returned = result->by ? NULL : precis_die_type(flow->types, &flow->pointers.function);
	return offer(flow, precis_scopes_pointed(returned), PRECIS_ALLOCATION_RETURNED) ? 1 : -1;
}

/* --- what an instruction does ----------------------------------------------------------------- */

/* The registers that it writes, where that is all */
static uint32_t written(const struct operation *operation)
{
	switch (operation->effect) {
	case EFFECT_WRITES_R:
	case EFFECT_WRITES_O:
		return 1u << operation->reg;
	case EFFECT_WRITES_RM:
		return 1u << operation->rm;
	case EFFECT_WRITES_A:
		return 1u << REGISTER_RAX;
	case EFFECT_WRITES_AD:
		return 1u << REGISTER_RAX | 1u << REGISTER_RDX;
	case EFFECT_WRITES_STRING:
		return 1u << REGISTER_RCX | 1u << REGISTER_RSI | 1u << REGISTER_RDI;
	case EFFECT_EXCHANGES:
		return 1u << operation->reg | 1u << operation->rm;
	default:
		return 0;
	}
}

static void write_registers(struct flow *flow, uint32_t numbers)
{
	for (unsigned int n = 0; n < POINTER_REGISTERS; n++) {
		if (numbers & 1u << n)
			precis_pointers_set(&flow->now, n, unknown);
	}
}

/* Of programs that are loaded where they were linked to be, addresses are constants. */
static void write_constant(struct flow *flow, const struct operation *operation)
{
	const uint64_t constant =
		operation->is_wide ? (uint64_t)operation->constant : (uint32_t)operation->constant;

	write_registers(flow, 1u << operation->reg);
	if (constant)
		precis_pointers_set(&flow->now, operation->reg,
				    (struct pointer_value){ .kind = POINTER_PLACE,
							    .base = REGISTER_RIP,
							    .by = (int64_t)constant });
}

/* Those of the stack, and those that move and add. @return 0: it is none of them */
static int compute(struct flow *flow, const struct operation *operation, uint64_t next,
		   int is_passed_over)
{
	switch (operation->effect) {
	case EFFECT_MOVES_TO_R:
		load(flow, operation, next, is_passed_over);
		return 1;
	case EFFECT_ADDS:
		add_constant(flow, operation);
		return 1;
	case EFFECT_ADDS_TO_R:
		add_registers(flow, operation->reg, operation->rm, operation->is_wide);
		return 1;
	case EFFECT_ADDS_TO_RM:
		add_registers(flow, operation->rm, operation->reg, operation->is_wide);
		return 1;
	case EFFECT_SHIFTS:
		shift(flow, operation);
		return 1;
	case EFFECT_LOADS_ADDRESS:
		precis_pointers_set(
			&flow->now, operation->reg,
			precis_pointer_address(&flow->now, flow->pointers.at, operation, next));
		return 1;
	case EFFECT_PUSHES:
		push(flow, operation);
		return 1;
	case EFFECT_POPS:
		pop(flow, operation->reg);
		return 1;
	case EFFECT_LEAVES:
		leave_frame(flow);
		return 1;
	case EFFECT_WRITES_O:
		write_constant(flow, operation);
		return 1;
	default:
		return 0;
	}
}

/* What a call gets the address of it may write to */
static void give_up_places(struct flow *flow)
{
	for (unsigned int n = 0; n < GIVEN_ARGUMENTS; n++) {
		const unsigned int number = precis_pointers_argument(n);

		if (flow->now.reg[number].kind == POINTER_FRAME)
			precis_pointers_store(&flow->now, number, 0, unknown);
	}
}

/* @return 1: found; 0: go on; -1: the pointer is lost */
static int operate(struct flow *flow, const struct operation *operation, uint64_t next,
		   int is_passed_over)
{
	if (compute(flow, operation, next, is_passed_over))
		return 0;
	switch (operation->effect) {
	case EFFECT_MOVES_TO_RM:
		if (operation->rm == REGISTER_NONE)
			return move_to_memory(flow, operation, next);
		precis_pointers_set(&flow->now, operation->rm,
				    operation->is_wide ? copied(flow, operation->reg) : unknown);
		return 0;
	case EFFECT_CALLS:
		if (!flow->is_before && offer_arguments(flow, next))
			return 1;
		give_up_places(flow);
		precis_pointers_forget(&flow->now, KEPT);
		return 0;
	case EFFECT_JUMPS: /* perhaps a call, as the last thing that the function does */
		return !flow->is_before && offer_arguments(flow, next);
	case EFFECT_RETURNS:
		return leave(flow);
	case EFFECT_STOPS:
		return -1;
	default:
		write_registers(flow, written(operation));
		return 0;
	}
}

/* --- before the call -------------------------------------------------------------------------- */

#define DEPTHS 32u

/* Where the frame is behind jumps: as it was where one leads to that, or as at the last call */
struct depths {
	struct depth {
		uint64_t at;
		struct pointer_value top, frame;
	} known[DEPTHS], last;
	uint32_t count;
	int has_call; /* until there was one, 'last' is that of a jump */
	int is_wrong; /* a function returned from elsewhere than where it began */
};

static struct depth depth_of(const struct flow *flow, uint64_t at)
{
	return (struct depth){ at, flow->now.reg[REGISTER_RSP], flow->now.reg[REGISTER_RBP] };
}

static void note_depth(struct depths *depths, const struct flow *flow,
		       const struct operation *operation, uint64_t next)
{
	const int is_call = operation->effect == EFFECT_CALLS;
	const int is_jump =
		operation->effect == EFFECT_BRANCHES || operation->effect == EFFECT_JUMPS;

	if (is_call || (is_jump && !depths->has_call))
		depths->last = depth_of(flow, 0);
	depths->has_call |= is_call;
	if (operation->effect == EFFECT_RETURNS &&
	    flow->now.reg[REGISTER_RSP].kind == POINTER_FRAME)
		depths->is_wrong |= flow->now.reg[REGISTER_RSP].by != 0;
	if (is_jump && operation->offset > 0)
		depths->known[depths->count++ % DEPTHS] =
			depth_of(flow, next + (uint64_t)operation->offset);
}

static void set_depth(const struct depths *depths, struct flow *flow, uint64_t at)
{
	const struct depth *depth = &depths->last;

	for (uint32_t n = 0; n < DEPTHS && n < depths->count; n++) {
		if (depths->known[n].at == at)
			depth = &depths->known[n];
	}
	flow->now.reg[REGISTER_RSP] = depth->top;
	flow->now.reg[REGISTER_RBP] = depth->frame;
}

static int goes_on_elsewhere(const struct operation *operation)
{
	return operation->effect == EFFECT_JUMPS || operation->effect == EFFECT_RETURNS ||
	       operation->effect == EFFECT_STOPS;
}

/*
 * What was loaded before the call, for registers that it keeps, and its arguments. Code is passed over in the
 * order of its addresses; what stands behind a jump is reached from elsewhere, with other contents, but with
 * the same frame.
 */
static void prepare(struct flow *flow, uint64_t return_address)
{
	const uint64_t no_loads = return_address > LOADS_BEFORE ? return_address - LOADS_BEFORE : 0;
	struct depths depths = { .count = 0 };
	struct operation operation;
	Dwarf_Addr begin;
	uint64_t at, end;

	if (dwarf_entrypc(&flow->pointers.function, &begin) != 0)
		return;
	begin += flow->pointers.scopes->base;
	precis_pointers_begin(&flow->now);
	for (unsigned int n = 0; n < GIVEN_ARGUMENTS; n++)
		precis_pointers_set(&flow->now, precis_pointers_argument(n),
				    argument_value(flow, n));
	end = begin < return_address && return_address - begin <= CODE_BEFORE
		      ? return_address
		      : begin + CODE_WINDOW_BYTES;
	depths.last = depth_of(flow, 0);
	for (at = begin; at < end; at += operation.length) {
		flow->pointers.at = at;
		if (!precis_code_read(flow->types, &flow->code, at, &operation))
			break;
		note_depth(&depths, flow, &operation, at + operation.length);
		if (at + operation.length == return_address)
			flow->at_call = flow->now;
		if (goes_on_elsewhere(&operation)) {
			precis_pointers_forget(&flow->now, 0);
			set_depth(&depths, flow, at + operation.length);
		} else {
			operate(flow, &operation, at + operation.length, at < no_loads);
		}
	}
	if (at != return_address) {
		precis_pointers_forget(&flow->now, 0);
		set_depth(&depths, flow, return_address);
	}
	if (depths.is_wrong) {
		precis_pointers_forget(&flow->now, 0);
		precis_pointers_set(&flow->now, REGISTER_RSP, unknown);
	}
	if (at != return_address || depths.is_wrong)
		flow->at_call = flow->now;
}

/* --- behind it -------------------------------------------------------------------------------- */

/* The result is looked at as a number, an error perhaps, and nothing has been made of it before. */
static int is_number(const struct flow *flow, const struct operation *operation)
{
	const unsigned int from =
		operation->effect == EFFECT_MOVES_TO_RM ? operation->reg
		: operation->effect == EFFECT_MOVES_TO_R || operation->effect == EFFECT_COMPARES
			? operation->rm
			: REGISTER_NONE;
	struct pointer_state others = flow->now;

	if (from != REGISTER_RAX || operation->is_wide ||
	    flow->now.reg[REGISTER_RAX].kind != POINTER_BLOCK)
		return 0;
	others.reg[REGISTER_RAX] = unknown;
	return !precis_pointers_have_block(&others);
}

static void note_branch(struct flow *flow, uint64_t to)
{
	if (flow->branches == BRANCHES)
		return;
	flow->branch[flow->branches++] = (struct branch){ to, flow->now };
}

/* From an address on. @return 1: found */
static int walk(struct flow *flow, uint64_t at)
{
	struct operation operation;
	int found = 0;

	for (uint32_t step = 0; step < STEPS && !found && precis_pointers_have_block(&flow->now);
	     step++) {
		uint64_t next;

		flow->pointers.at = at;
		if (!precis_pointer_types_move(&flow->pointers))
			return 0;
		if (offer_registers(flow))
			return 1;
		if (!precis_code_read(flow->types, &flow->code, at, &operation))
			return 0;
		flow->end.is_number = is_number(flow, &operation);
		if (flow->end.is_number)
			return 0;
		next = at + operation.length;
		if (operation.effect == EFFECT_BRANCHES)
			note_branch(flow, next + (uint64_t)operation.offset);
		found = operate(flow, &operation, next, 0);
		at = operation.effect == EFFECT_JUMPS ? next + (uint64_t)operation.offset : next;
	}
	return found > 0;
}

static int walk_all(struct flow *flow, uint64_t at)
{
	int found = walk(flow, at);

	/* Behind a branch may be where it is not NULL */
	for (uint32_t n = 0; !found && !flow->end.is_number && n < flow->branches; n++) {
		flow->now = flow->branch[n].state;
		found = walk(flow, flow->branch[n].to);
	}
	return found;
}

/* What an argument of a call was; 'at' of the flow is that of the call */
static struct pointer_value argument_at_call(struct flow *flow, uint32_t argument)
{
	const unsigned int number = precis_pointers_argument(argument);
	struct pointer_value value =
		number < POINTER_REGISTERS ? flow->at_call.reg[number] : unknown;
	int own = -1;

	if (value.kind != POINTER_COPY)
		return value;
	flow->pointers.at = value.at;
	own = precis_pointer_argument(&flow->pointers, value.base);
	if (own >= 0)
		return (struct pointer_value){ .kind = POINTER_ARGUMENT, .by = own };
	value.kind = POINTER_PLACE;
	return value;
}

/* The call has put the pointer where its argument points. @return 1: found */
static int begin_given(struct flow *flow, uint32_t argument)
{
	const struct pointer_value value = argument_at_call(flow, argument);
	const struct precis_data_type *type;
	uint32_t evidence = PRECIS_ALLOCATION_PARAMETER;

	if (value.kind == POINTER_ARGUMENT && value.by < (int64_t)GIVEN_ARGUMENTS) {
		flow->end.is_given = 1;
		flow->end.argument = (uint32_t)value.by;
		type = precis_scopes_pointed(
			precis_pointer_parameter(&flow->pointers, (unsigned int)value.by));
	} else {
		type = precis_pointer_place(&flow->pointers, &value, 0, &evidence);
	}
	if (value.kind == POINTER_FRAME) {
		/* as an offset from a register that is in the frame */
		flow->now.reg[REGISTER_RAX] = value;
		precis_pointers_store(&flow->now, REGISTER_RAX, 0,
				      (struct pointer_value){ .kind = POINTER_BLOCK });
		flow->now.reg[REGISTER_RAX] = unknown;
	}
	return type && offer(flow, precis_scopes_pointed(type), evidence);
}

/* @return 1: found; 'end' of the flow is filled otherwise */
static int follow(struct flow *flow, struct scopes *scopes, uint64_t return_address, uint32_t given)
{
	int found = 0;

	precis_pointers_begin(&flow->now);
	precis_pointers_forget(&flow->now, 0);
	flow->at_call = flow->now;
	precis_pointer_types_begin(&flow->pointers, scopes, &flow->now);
	flow->is_before = 1;
	flow->code.reads = 2 * CODE_BEFORE / CODE_WINDOW_BYTES;
	prepare(flow, return_address);
	flow->is_before = 0;
	flow->pointers.at = return_address - 1;
	if (given == GIVEN_RETURNED)
		flow->now.reg[REGISTER_RAX] = (struct pointer_value){ .kind = POINTER_BLOCK };
	else
		found = begin_given(flow, given);
	flow->code.reads = READS;
	return found || walk_all(flow, return_address);
}

/* What was seen before. @return 1: found */
static int ask_again(const struct followed *followed, fits_block *fits, void *data)
{
	for (uint32_t n = 0; n < followed->count; n++) {
		const struct followed_offer *offer = &followed->offer[n];

		if (fits(offer->type, offer->evidence, offer->part, data))
			return 1;
	}
	return 0;
}

int precis_result_follow(struct scopes *scopes, uint64_t return_address, uint32_t given,
			 fits_block *fits, void *data, struct result_end *end)
{
	struct flow *flow;
	struct followed *followed;
	int found;

	*end = (struct result_end){ 0 };
	if (!scopes->count)
		return 0;
	followed = precis_followed_find(scopes->types, return_address, given);
	if (followed && followed->has_more)
		followed = NULL;
	if (followed && ask_again(followed, fits, data))
		return 1;
	if (followed && followed->is_whole) {
		*end = followed->end;
		return 0;
	}
	flow = calloc(1, sizeof(*flow));
	if (!flow)
		return 0;
	flow->types = scopes->types;
	flow->followed = followed;
	flow->fits = fits;
	flow->data = data;
	found = follow(flow, scopes, return_address, given);
	*end = flow->end;
	if (followed && !found) {
		followed->is_whole = 1;
		followed->end = flow->end;
	}
	free(flow);
	return found;
}
