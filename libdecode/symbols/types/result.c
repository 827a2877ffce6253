/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pointer is in rax at first (System V ABI for x86-64, section 3.2.3). Compilers without optimization
 * store it at once; with it, location lists say which variable a register is.
 */
#include "result.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "die.h"
#include "instruction.h"
#include "libdecode/symbols/elf_bytes.h"
#include "measure.h"
#include "type.h"

#define CODE_BYTES 512u
#define STEPS 48u
/* From where the function begins to the call, at most */
#define CODE_BEFORE 4096u
#define LONGEST 15u /* instruction, in bytes */
#define REGISTERS 16u
/* What functions leave as it was: rbx, rsp, rbp, r12 to r15 */
#define KEPT ((1u << 3) | (1u << 4) | (1u << 5) | (0xfu << 12))

/* Where the pointer to the block is */
struct where {
	uint32_t holds; /* registers that have it */
	uint32_t moved; /* those that have it with 'by' bytes added */
	int64_t by[REGISTERS];
	int64_t kept_at; /* from rbp, in the frame: it was stored there; 0: nowhere */
	int64_t kept_by; /* with so many bytes added */
};

struct flow {
	struct precis_data_types *types;
	struct scopes *scopes;
	uint8_t code[CODE_BYTES];
	struct elf_bytes bytes;
	uint64_t at;
	struct where now;
	uint64_t branch; /* where the first branch leads that was not taken; 0: there was none */
	struct where at_branch;
	const struct precis_data_type
		*type[REGISTERS]; /* of others, as far as they were loaded here */
	struct result_end end;
	fits_block *fits;
	void *data;
};

/* --- variables -------------------------------------------------------------------------------- */

/* DWARF's number of a register: System V ABI, figure 3.36 */
static unsigned int dwarf_register(unsigned int number)
{
	static const uint8_t numbers[8] = { 0, 2, 1, 3, 7, 6, 4, 5 };

	return number < 8 ? numbers[number] : number;
}

/* The one operation of where a variable is at an instruction. @return 0 if there are more, or none */
static int location_of(Dwarf_Die *die, unsigned int attribute_name, uint64_t address, Dwarf_Op *operation)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *operations;
	size_t count;

	if (!dwarf_attr(die, attribute_name, &attribute) ||
	    dwarf_getlocation_addr(&attribute, address, &operations, &count, 1) != 1 || count != 1)
		return 0;
	*operation = operations[0];
	return 1;
}

static int is_variable(Dwarf_Die *die)
{
	const int tag = dwarf_tag(die);

	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

typedef int is_there(struct flow *flow, Dwarf_Die *die, const Dwarf_Op *operation, int64_t place,
		     uint64_t *offset);

/* The variable at a place, innermost first. 'variable' goes on behind the last one if it was set */
static const struct precis_data_type *find_variable(struct flow *flow, is_there *there, int64_t place,
						    Dwarf_Die *variable, uint64_t *offset)
{
	Dwarf_Op operation;

	for (uint32_t n = flow->scopes->count; n-- > 0;) {
		Dwarf_Die *scope = &flow->scopes->scope[n];

		for (int found = precis_die_child(scope, variable); found > 0;
		     found = precis_die_next(variable, variable)) {
			const struct precis_data_type *type;

			if (!is_variable(variable) ||
			    !location_of(variable, DW_AT_location, flow->at - flow->scopes->base,
					 &operation) ||
			    !there(flow, variable, &operation, place, offset))
				continue;
			type = precis_die_type(flow->types, variable);
			if (type)
				return type;
		}
	}
	return NULL;
}

/* Of several in one register what points to something: a parameter void * may be beside it */
static int is_in_register(struct flow *flow, Dwarf_Die *die, const Dwarf_Op *operation, int64_t place,
			  uint64_t *offset)
{
	const unsigned int wanted = dwarf_register((unsigned int)place);

	*offset = 0;
	if (operation->atom == DW_OP_regx ? operation->number != wanted
					  : operation->atom != DW_OP_reg0 + wanted)
		return 0;
	return precis_scopes_pointed(precis_die_type(flow->types, die)) != NULL;
}

/* Where the frame's variables are counted from, as an offset from rbp. @return 0 if that is not known */
static int frame_base(struct flow *flow, int64_t *base)
{
	Dwarf_Op operation;

	if (!location_of(&flow->scopes->scope[0], DW_AT_frame_base, flow->at - flow->scopes->base,
			 &operation))
		return 0;
	switch (operation.atom) {
	case DW_OP_reg6:
		*base = 0;
		return 1;
	case DW_OP_breg6:
		*base = (int64_t)operation.number;
		return 1;
	case DW_OP_call_frame_cfa: /* behind the return address and rbp, which was pushed */
		*base = 16;
		return 1;
	default:
		return 0;
	}
}

static int is_in_frame(struct flow *flow, Dwarf_Die *die, const Dwarf_Op *operation, int64_t place,
		       uint64_t *offset)
{
	int64_t base;
	uint64_t bytes;

	if (operation->atom != DW_OP_fbreg || !frame_base(flow, &base) ||
	    precis_data_type_measure(precis_die_type(flow->types, die), &bytes))
		return 0;
	*offset = (uint64_t)place - (uint64_t)base - operation->number;
	return *offset < bytes;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* The type of a pointer at an offset of something. @return NULL if there is none, or several may be meant */
static const struct precis_data_type *pointer_at(const struct precis_data_type *type, uint64_t offset)
{
	struct precis_data_type_path path = { .size = sizeof(path) };
	const struct precis_data_type *found = NULL;
	struct precis_data_type_paths *paths;

	if (precis_data_type_paths_new(&paths) != 0)
		return NULL;
	if (precis_data_type_at(type, offset, 8, paths) == 1 && precis_data_type_path(paths, 0, &path) > 0 &&
	    path.kind == PRECIS_PATH_MEMBER && path.offset == offset && path.bytes == 8)
		found = path.type;
	precis_data_type_paths_free(paths);
	return found;
}

static const struct precis_data_type *static_at(struct flow *flow, uint64_t address)
{
	struct precis_variable variable = { .size = sizeof(variable) };

	if (precis_data_types_variable_at(flow->types, 0, address, &variable) <= 0 || !variable.type)
		return NULL;
	return pointer_at(variable.type, address - variable.address);
}

/* The pointer type that a register has, by what was loaded into it or by the variable that it is */
static const struct precis_data_type *register_type(struct flow *flow, unsigned int number)
{
	Dwarf_Die variable;
	uint64_t offset;

	return flow->type[number] ? flow->type[number]
				  : find_variable(flow, is_in_register, number, &variable, &offset);
}

/* What a pointer with an offset, and an index perhaps, leads to: all pointers of an array have one type */
static const struct precis_data_type *pointed_at(const struct precis_data_type *pointed,
						 const struct operation *operation)
{
	const int has_index = operation->index != REGISTER_NONE;

	if (precis_scopes_pointed(pointed))
		return operation->offset % 8 == 0 && (!has_index || operation->scale == 8) ? pointed : NULL;
	return has_index ? NULL : pointer_at(pointed, (uint64_t)operation->offset);
}

/* What type of pointer is at an operand in memory; the next instruction is at 'next' */
static const struct precis_data_type *memory_type(struct flow *flow, const struct operation *operation,
						  uint64_t next, uint32_t *evidence)
{
	const struct precis_data_type *type, *pointed;
	Dwarf_Die variable;
	uint64_t offset;

	*evidence = PRECIS_ALLOCATION_VARIABLE;
	if (operation->base == REGISTER_RIP)
		return static_at(flow, next + (uint64_t)operation->offset);
	if (operation->base == REGISTER_NONE && (operation->index == REGISTER_NONE || operation->scale == 8))
		return static_at(flow, (uint64_t)operation->offset);
	if (operation->base >= REGISTERS)
		return NULL;
	if (operation->base == REGISTER_RBP && operation->index == REGISTER_NONE) {
		type = find_variable(flow, is_in_frame, operation->offset, &variable, &offset);
		if (type)
			return pointer_at(type, offset);
	}
	*evidence = PRECIS_ALLOCATION_MEMBER;
	pointed = precis_scopes_pointed(register_type(flow, operation->base));
	return pointed ? pointed_at(pointed, operation) : NULL;
}

/* --- the walk --------------------------------------------------------------------------------- */

static int offer(struct flow *flow, const struct precis_data_type *pointer, uint32_t evidence)
{
	const struct precis_data_type *pointed = precis_scopes_pointed(pointer);

	return pointed && flow->fits(pointed, evidence, flow->data);
}

static uint32_t evidence_of(struct flow *flow, const Dwarf_Die *variable)
{
	Dwarf_Die die = *variable, holder;

	if (dwarf_tag(&die) != DW_TAG_formal_parameter)
		return PRECIS_ALLOCATION_VARIABLE;
	return precis_die_holder(flow->types, variable, DW_AT_artificial, &holder)
		       ? PRECIS_ALLOCATION_OBJECT
		       : PRECIS_ALLOCATION_PARAMETER;
}

/* Of several that are in one register, each is asked about: what is cast, and what that is cast to */
static int is_taken(struct flow *flow, Dwarf_Die *die, const Dwarf_Op *operation, int64_t place,
		    uint64_t *offset)
{
	return is_in_register(flow, die, operation, place, offset) &&
	       offer(flow, precis_die_type(flow->types, die), evidence_of(flow, die));
}

/* Is a register that has the pointer a variable here? */
static int offer_registers(struct flow *flow)
{
	for (unsigned int number = 0; number < REGISTERS; number++) {
		Dwarf_Die variable;
		uint64_t offset;

		if (flow->now.holds & 1u << number &&
		    find_variable(flow, is_taken, number, &variable, &offset))
			return 1;
	}
	return 0;
}

/* The pointer is an argument of a call */
static int offer_arguments(struct flow *flow, uint64_t next)
{
	static const uint8_t arguments[] = { 7, 6, 2, 1, 8, 9 }; /* rdi, rsi, rdx, rcx, r8, r9 */
	Dwarf_Die call, callee, parameter;

	if (!precis_scopes_call(flow->scopes, next, &call) ||
	    !precis_scopes_callee(flow->scopes, &call, &callee))
		return 0;
	for (unsigned int n = 0; n < sizeof(arguments); n++) {
		if (flow->now.holds & 1u << arguments[n] &&
		    precis_scopes_part(flow->types, &callee, DW_TAG_formal_parameter, n,
				       &parameter) &&
		    offer(flow, precis_die_type(flow->types, &parameter),
			  evidence_of(flow, &parameter)))
			return 1;
	}
	return 0;
}

static void set_register(struct flow *flow, unsigned int number, int holds,
			 const struct precis_data_type *type)
{
	if (number >= REGISTERS)
		return;
	if (number == REGISTER_RBP)
		flow->now.kept_at = 0;
	flow->now.holds = (flow->now.holds & ~(1u << number)) | (holds ? 1u << number : 0);
	flow->now.moved &= ~(1u << number);
	flow->type[number] = type;
}

/* It has the pointer, with some bytes added */
static void hold(struct flow *flow, unsigned int number, int64_t by)
{
	set_register(flow, number, by == 0, NULL);
	if (by && number < REGISTERS) {
		flow->now.moved |= 1u << number;
		flow->now.by[number] = by;
	}
}

/* Is it the pointer, with some bytes added perhaps? */
static int is_of_block(const struct flow *flow, unsigned int number, int64_t *by)
{
	if (number >= REGISTERS || !((flow->now.holds | flow->now.moved) & 1u << number))
		return 0;
	*by = flow->now.moved & 1u << number ? flow->now.by[number] : 0;
	return 1;
}

static void copy_register(struct flow *flow, unsigned int number, unsigned int from)
{
	const struct precis_data_type *type = flow->type[from];
	int64_t by;

	if (is_of_block(flow, from, &by))
		hold(flow, number, by);
	else
		set_register(flow, number, 0, type);
}

static void forget(struct flow *flow, uint32_t kept)
{
	flow->now.holds &= kept;
	flow->now.moved &= kept;
	for (unsigned int n = 0; n < REGISTERS; n++) {
		if (!(kept & 1u << n))
			flow->type[n] = NULL;
	}
}

static int is_in_slot(const struct operation *operation)
{
	return operation->base == REGISTER_RBP && operation->index == REGISTER_NONE &&
	       operation->offset < 0;
}

static void keep(struct flow *flow, int64_t at, int64_t by)
{
	flow->now.kept_at = at;
	flow->now.kept_by = by;
}

static int move_to_memory(struct flow *flow, const struct operation *operation, uint64_t next)
{
	const struct precis_data_type *type;
	int64_t by = 0;
	const int is_here = operation->is_wide && is_of_block(flow, operation->reg, &by);
	uint32_t evidence;

	if (is_in_slot(operation) && (is_here || flow->now.kept_at == operation->offset))
		keep(flow, is_here ? operation->offset : 0, by);
	if (!is_here || by)
		return 0;
	type = memory_type(flow, operation, next, &evidence);
	return type && offer(flow, type, evidence);
}

static int is_kept(const struct flow *flow, const struct operation *operation)
{
	return operation->rm == REGISTER_NONE && flow->now.kept_at && is_in_slot(operation) &&
	       operation->offset == flow->now.kept_at;
}

static void load(struct flow *flow, const struct operation *operation, uint64_t next)
{
	const unsigned int from = operation->rm;
	uint32_t evidence;

	if (!operation->is_wide)
		set_register(flow, operation->reg, 0, NULL);
	else if (is_kept(flow, operation))
		hold(flow, operation->reg, flow->now.kept_by);
	else if (from == REGISTER_NONE)
		set_register(flow, operation->reg, 0, memory_type(flow, operation, next, &evidence));
	else
		copy_register(flow, operation->reg, from);
}

/* The address of an element: as good as that of the first, where all are pointers */
static void load_address(struct flow *flow, const struct operation *operation)
{
	const unsigned int base = operation->base, index = operation->index;
	const struct precis_data_type *type = NULL;
	int64_t by;

	if (index == REGISTER_NONE && operation->is_wide && is_of_block(flow, base, &by)) {
		hold(flow, operation->reg, by + operation->offset);
		return;
	}
	if (base < REGISTERS && index < REGISTERS && operation->is_wide && operation->offset % 8 == 0) {
		type = flow->type[base] ? flow->type[base] : flow->type[index];
		if (!precis_scopes_pointed(precis_scopes_pointed(type)))
			type = NULL;
	}
	set_register(flow, operation->reg, 0, type);
}

static void add_constant(struct flow *flow, const struct operation *operation)
{
	int64_t by;

	if (is_kept(flow, operation))
		flow->now.kept_by += operation->constant;
	else if (operation->is_wide && is_of_block(flow, operation->rm, &by))
		hold(flow, operation->rm, by + operation->constant);
	else
		set_register(flow, operation->rm, 0, NULL);
}

/* @return as operate() */
static int leave(struct flow *flow)
{
	const struct precis_data_type *returned;
	int64_t by;

	if (!is_of_block(flow, REGISTER_RAX, &by) || by < 0)
		return -1;
	/* on the way behind a branch it may be NULL, which is returned as it is */
	if (!flow->end.is_returned)
		flow->end = (struct result_end){ 1, (uint64_t)by };
	returned = by ? NULL : precis_die_type(flow->types, &flow->scopes->scope[0]);
	return returned && offer(flow, returned, PRECIS_ALLOCATION_RETURNED) ? 1 : -1;
}

/* What an instruction does. @return 1: found; 0: go on; -1: the pointer is lost */
static int operate(struct flow *flow, const struct operation *operation, uint64_t next)
{
	switch (operation->effect) {
	case EFFECT_MOVES_TO_RM:
		if (operation->rm == REGISTER_NONE)
			return move_to_memory(flow, operation, next);
		if (operation->is_wide)
			copy_register(flow, operation->rm, operation->reg);
		else
			set_register(flow, operation->rm, 0, NULL);
		return 0;
	case EFFECT_MOVES_TO_R:
		load(flow, operation, next);
		return 0;
	case EFFECT_ADDS:
		add_constant(flow, operation);
		return 0;
	case EFFECT_LOADS_ADDRESS:
		load_address(flow, operation);
		return 0;
	case EFFECT_WRITES_R:
	case EFFECT_WRITES_O:
		set_register(flow, operation->reg, 0, NULL);
		return 0;
	case EFFECT_WRITES_RM:
		set_register(flow, operation->rm, 0, NULL);
		return 0;
	case EFFECT_WRITES_A:
		set_register(flow, REGISTER_RAX, 0, NULL);
		return 0;
	case EFFECT_LEAVES:
		set_register(flow, REGISTER_RBP, 0, NULL);
		return 0;
	case EFFECT_CALLS:
		if (offer_arguments(flow, next))
			return 1;
		forget(flow, KEPT);
		return 0;
	case EFFECT_JUMPS: /* perhaps a call, as the last thing that the function does */
		return offer_arguments(flow, next);
	case EFFECT_RETURNS:
		return leave(flow);
	default:
		return 0;
	}
}

static void note_branch(struct flow *flow, uint64_t to)
{
	if (flow->branch)
		return;
	flow->branch = to;
	flow->at_branch = flow->now;
}

/* From an address on. @return 1: found */
static int walk(struct flow *flow, uint64_t at)
{
	struct operation operation;
	int found = 0;

	for (uint32_t step = 0;
	     step < STEPS && !found && (flow->now.holds || flow->now.moved || flow->now.kept_at);
	     step++) {
		const uint64_t into = at - flow->bytes.address;
		uint64_t next;

		flow->at = at;
		precis_scopes_move(flow->scopes, at);
		if (into >= flow->bytes.count || !flow->scopes->count)
			return 0;
		if (offer_registers(flow))
			return 1;
		if (!precis_operation_read(flow->code + into, flow->bytes.count - into, &operation))
			return 0;
		next = at + operation.length;
		found = operate(flow, &operation, next);
		if (operation.effect == EFFECT_BRANCHES)
			note_branch(flow, next + (uint64_t)operation.offset);
		at = operation.effect == EFFECT_JUMPS ? next + (uint64_t)operation.offset : next;
	}
	return found > 0;
}

/* The file that ran: it stays open, as many pieces of its code may be asked for. NULL: it cannot be had */
static const struct elf_search *code_of(struct precis_data_types *types)
{
	if (types->code || types->has_no_code)
		return types->code;
	types->code = malloc(sizeof(*types->code));
	if (types->code &&
	    precis_elf_search_begin(types->code, &types->places, types->path, &types->build_id)) {
		free(types->code);
		types->code = NULL;
	}
	types->has_no_code = !types->code;
	return types->code;
}

void precis_result_close(struct precis_data_types *types)
{
	if (types->code)
		precis_elf_search_end(types->code);
	free(types->code);
	types->code = NULL;
}

static int read_code(struct flow *flow, uint64_t address)
{
	const struct elf_search *code = code_of(flow->types);
	uint64_t offset;

	flow->bytes.room = flow->code;
	flow->bytes.most = sizeof(flow->code);
	return code && precis_elf_offset_of(&flow->types->segments, address, &offset) &&
	       precis_elf_bytes_from(code, offset, &flow->bytes) == PRECIS_SYMBOL_PRESENT &&
	       flow->bytes.bits == 64 && flow->bytes.address == address;
}

/*
 * What was loaded before the call, for registers that it keeps. Code is passed over in the order of its
 * addresses; what stands behind a jump is reached from elsewhere, with other contents.
 */
static void prepare(struct flow *flow, uint64_t return_address)
{
	struct operation operation;
	Dwarf_Addr at;

	if (dwarf_entrypc(&flow->scopes->scope[0], &at) != 0)
		return;
	at += flow->scopes->base;
	if (at >= return_address || return_address - at > CODE_BEFORE)
		return;
	for (uint64_t begin = at; at < return_address; at += operation.length) {
		if (at == begin || at + LONGEST > flow->bytes.address + flow->bytes.count) {
			if (!read_code(flow, at))
				break;
		}
		flow->at = at;
		precis_scopes_move(flow->scopes, at);
		if (!flow->scopes->count ||
		    !precis_operation_read(flow->code + (at - flow->bytes.address),
					   flow->bytes.count - (at - flow->bytes.address), &operation))
			break;
		if (operation.effect == EFFECT_JUMPS || operation.effect == EFFECT_RETURNS)
			forget(flow, 0);
		else
			operate(flow, &operation, at + operation.length);
	}
	if (at != return_address)
		forget(flow, 0);
}

int precis_result_follow(struct scopes *scopes, uint64_t return_address, fits_block *fits,
			 void *data, struct result_end *end)
{
	struct flow flow = { .types = scopes->types, .scopes = scopes, .fits = fits, .data = data };
	const struct precis_data_type *before[REGISTERS];
	const Dwarf_Die function = scopes->scope[0];
	int found;

	*end = (struct result_end){ 0 };
	if (!scopes->count)
		return 0;
	prepare(&flow, return_address);
	scopes->scope[0] = function;
	scopes->count = 1;
	if (!read_code(&flow, return_address))
		return 0;
	memcpy(before, flow.type, sizeof(before));
	flow.now.holds = 1u << REGISTER_RAX;
	found = walk(&flow, return_address);
	*end = flow.end;
	if (found || !flow.branch)
		return found;
	/* Behind a branch may be where it is not NULL */
	scopes->scope[0] = function;
	scopes->count = 1;
	memcpy(flow.type, before, sizeof(before));
	flow.now = flow.at_branch;
	found = walk(&flow, flow.branch);
	*end = flow.end;
	return found;
}
