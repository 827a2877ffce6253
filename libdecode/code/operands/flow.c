/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See flow.h. What calls keep is the System V ABI's for x86-64, section 3.2.1; that of a system whose
 * functions keep more is lost at a call, and not wrong.
 */
#include "flow.h"

#define VALUES_MOST 4u
#define WIDE_BITS 64u
#define WIDTH_MOST 4096u

/* --- registers --- */

/* DWARF's number; OPERAND_REGISTERS: it is no general-purpose register */
static uint32_t number_of(ZydisRegister reg)
{
	static const uint8_t numbers[8] = { 0, 2, 1, 3, 7, 6, 4, 5 };
	const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
	ZyanI8 id;

	if (ZydisRegisterGetClass(whole) != ZYDIS_REGCLASS_GPR64)
		return OPERAND_REGISTERS;
	id = ZydisRegisterGetId(whole);
	return id < 0 || id >= (int)OPERAND_REGISTERS ? OPERAND_REGISTERS
	       : id < 8 ? numbers[id] : (uint32_t)id;
}

static int is_wide_register(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->size == WIDE_BITS &&
	       ZydisRegisterGetClass(operand->reg.value) == ZYDIS_REGCLASS_GPR64;
}

/* The call's result, if that is what it is */
static void look_up(struct operand_flow *flow, struct operand_value *value)
{
	const struct precis_data_type *type;
	const uint64_t behind = (uint64_t)value->offset;

	if (value->kind != VALUE_RESULT)
		return;
	if (precis_data_locals_returned(flow->locals.all, behind, value->target, &type) <= 0 ||
	    !operand_pointer_of(flow->paths, type, 0, value))
		*value = (struct operand_value){ .kind = VALUE_UNKNOWN };
	else
		value->evidence = OPERAND_BY_RESULT;
}

/* What a register may have, the most likely first. @return how many */
static uint32_t values_of(struct operand_flow *flow, const struct operand_state *state, uint64_t address,
			  uint32_t number, struct operand_value values[VALUES_MOST])
{
	uint32_t count = 0;

	if (number >= OPERAND_REGISTERS)
		return 0;
	if (state->reg[number].kind != VALUE_FRAME)
		count = operand_locals_in(&flow->locals, flow->paths, address, number, values,
					  VALUES_MOST - 1);
	values[count] = state->reg[number];
	look_up(flow, &values[count]);
	return count + (values[count].kind != VALUE_UNKNOWN);
}

/* What is copied with it: a variable that points to nothing in particular does not hide what is known */
static struct operand_value value_of(struct operand_flow *flow, const struct operand_state *state,
				     uint64_t address, uint32_t number)
{
	struct operand_value values[VALUES_MOST];
	const uint32_t count = values_of(flow, state, address, number, values);

	for (uint32_t n = 0; n < count; n++) {
		if (values[n].kind != VALUE_POINTER || values[n].type)
			return values[n];
	}
	return count ? values[0] : (struct operand_value){ .kind = VALUE_UNKNOWN };
}

static void set(struct operand_state *state, uint32_t number, const struct operand_value *value)
{
	if (number >= OPERAND_REGISTERS)
		return;
	state->reg[number] = *value;
	if (operand_is_any(value) ||
	    (value->kind != VALUE_RESULT && !operand_is_near(value->offset)))
		state->reg[number] = (struct operand_value){ .kind = VALUE_UNKNOWN };
}

static void forget(struct operand_state *state, uint32_t number)
{
	set(state, number, &(struct operand_value){ .kind = VALUE_UNKNOWN });
}

/* --- memory --- */

struct memory {
	int64_t offset;
	uint32_t base, index; /* OPERAND_REGISTERS: none */
	uint32_t scale, width;
	int has_base, has_index; /* also in registers that are followed by nobody */
	int is_relative; /* to the instruction: 'offset' is an address */
	int is_segment, is_thread; /* relative to fs or gs; to fs */
};

static void describe(const struct decoded *decoded, const ZydisDecodedOperand *operand, uint64_t address,
		     struct memory *memory)
{
	ZyanU64 absolute;

	*memory = (struct memory){
		.offset = operand->mem.disp.has_displacement ? operand->mem.disp.value : 0,
		.base = OPERAND_REGISTERS,
		.index = OPERAND_REGISTERS,
		.scale = operand->mem.scale,
		.width = operand->size / 8 <= WIDTH_MOST ? operand->size / 8 : 0,
		.has_index = operand->mem.index != ZYDIS_REGISTER_NONE,
		.is_segment = operand->mem.segment == ZYDIS_REGISTER_FS ||
			      operand->mem.segment == ZYDIS_REGISTER_GS,
		.is_thread = operand->mem.segment == ZYDIS_REGISTER_FS,
	};
	if (memory->has_index)
		memory->index = number_of(operand->mem.index);
	if (operand->mem.base == ZYDIS_REGISTER_RIP) {
		if (ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&decoded->instruction, operand, address,
							  &absolute)))
			memory->offset = (int64_t)absolute;
		memory->is_relative = 1;
		return;
	}
	memory->has_base = operand->mem.base != ZYDIS_REGISTER_NONE;
	if (memory->has_base)
		memory->base = number_of(operand->mem.base);
}

/*
 * May that number be an address of the file? Linkers put programs that are not to be moved there and above;
 * of those that are to be moved code has no addresses, and they begin at 0: a number below is no address.
 */
static int is_absolute(int64_t number)
{
	return number >= 0x400000;
}

/* The variable at an address of the file, or of a thread. @return its name; NULL: there is none */
static const char *static_at(struct operand_flow *flow, uint32_t flags, int64_t address,
			     struct operand_access *access)
{
	struct precis_variable variable = { .size = sizeof(variable) };

	if (precis_data_types_variable_at(flow->types, flags, (uint64_t)address, &variable) <= 0 ||
	    !variable.type)
		return NULL;
	access->type = variable.type;
	access->offset = address - (int64_t)variable.address;
	return variable.name;
}

/* What an index adds, or a base that is none. @return a number; exactly 0 if there is none */
static struct operand_value index_of(const struct operand_state *state, uint32_t number,
				     const struct memory *memory)
{
	struct operand_value index = { .kind = VALUE_NUMBER, .target = 1 };

	if (number == memory->index ? !memory->has_index : !memory->has_base)
		return (struct operand_value){ .kind = VALUE_NUMBER };
	if (number < OPERAND_REGISTERS)
		index = operand_number(&state->reg[number]);
	return number == memory->index ? operand_number_times(&index, (int64_t)memory->scale) : index;
}

typedef int use_access(struct operand_flow *flow, const struct operand_access *access, void *data);

/* What 'use' gets beside an access */
struct found {
	use_access *use;
	void *data;
	uint8_t evidence;
	const char *variable;
};

static int use(struct operand_flow *flow, struct found *found, const struct operand_access *access,
	       uint32_t evidence, const char *variable)
{
	if (!found->use(flow, access, found->data))
		return 0;
	found->evidence = (uint8_t)evidence;
	found->variable = variable;
	return 1;
}

static int use_frame(struct operand_flow *flow, const struct operand_state *state, uint64_t address,
		     const struct memory *memory, struct found *found)
{
	const struct operand_value index = index_of(state, memory->index, memory);
	struct operand_access access = {
		.width = memory->width, .index = index.target ? INDEX_ANY : INDEX_NONE,
	};
	const char *name = operand_locals_at(&flow->locals, address, state, memory->base,
					     memory->offset + index.offset, &access);

	return name && use(flow, found, &access, OPERAND_BY_FRAME, name);
}

/*
 * The pointers that a register may have, one after the other, with the other register as an index.
 * @return 1: used; *had: there were some
 */
static int use_pointers(struct operand_flow *flow, const struct operand_state *state, uint64_t address,
			const struct memory *memory, int is_base, int *had, struct found *found)
{
	const uint32_t number = is_base ? memory->base : memory->index;
	struct operand_value index = index_of(state, is_base ? memory->index : memory->base, memory);
	struct operand_value values[VALUES_MOST];
	const uint32_t count = values_of(flow, state, address, number, values);

	index.offset += memory->offset;
	for (uint32_t n = 0; n < count; n++) {
		struct operand_access access = { .width = memory->width };

		if (values[n].kind != VALUE_POINTER)
			continue;
		operand_value_add(&values[n], &index);
		access.type = values[n].type;
		access.offset = values[n].offset;
		access.index = values[n].index;
		*had = 1;
		if (values[n].kind == VALUE_POINTER &&
		    use(flow, found, &access, values[n].evidence, values[n].variable))
			return 1;
	}
	return 0;
}

/* Tables at an address, where code is not to be moved: registers have the index. */
static int use_static(struct operand_flow *flow, const struct operand_state *state,
		      const struct memory *memory, struct found *found)
{
	const struct operand_value index = index_of(state, memory->index, memory);
	const struct operand_value base = index_of(state, memory->base, memory);
	struct operand_value pointer = { .kind = VALUE_POINTER };
	struct operand_access access = { .width = memory->width };
	const char *name;

	/* A program's own variables are before the pointer */
	if (memory->is_thread ? memory->offset >= 0
			      : !memory->is_relative && !is_absolute(memory->offset))
		return 0;
	name = static_at(flow, memory->is_thread ? PRECIS_VARIABLE_POINTER : 0, memory->offset,
			 &access);
	if (!name)
		return 0;
	pointer.type = access.type;
	pointer.offset = access.offset;
	operand_value_add(&pointer, &index);
	operand_value_add(&pointer, &base);
	access.offset = pointer.offset;
	access.index = pointer.index;
	return pointer.kind == VALUE_POINTER && use(flow, found, &access, OPERAND_BY_STATIC, name);
}

/*
 * What an operand in memory is. 'use' is asked of each access that it may be, until it says yes.
 * @return OPERAND_PRESENT, or why not
 */
static enum operand_absence resolve(struct operand_flow *flow, const struct operand_state *state,
				    uint64_t address, const struct memory *memory, struct found *found)
{
	int had = 0;

	if (memory->is_segment)
		return memory->is_thread && use_static(flow, state, memory, found)
			       ? OPERAND_PRESENT
			       : OPERAND_SEGMENT;
	if (memory->base < OPERAND_REGISTERS) {
		if (use_frame(flow, state, address, memory, found))
			return OPERAND_PRESENT;
		if (state->reg[memory->base].kind == VALUE_FRAME || memory->base == OPERAND_RSP)
			return OPERAND_NO_LOCAL;
	}
	if (use_pointers(flow, state, address, memory, 1, &had, found) ||
	    (!had && memory->scale == 1 && use_pointers(flow, state, address, memory, 0, &had, found)))
		return OPERAND_PRESENT;
	if (had)
		return OPERAND_BEYOND;
	if (use_static(flow, state, memory, found))
		return OPERAND_PRESENT;
	return memory->has_base || memory->has_index ? OPERAND_NO_POINTER : OPERAND_NO_STATIC;
}

/* --- which data --- */

static int take_type(struct operand_flow *flow, const struct operand_access *access, void *data)
{
	struct operand_type is = { .absent = OPERAND_PRESENT };
	struct operand_type *to = data;
	const int found = operand_locate(flow->paths, access, &is);

	/* the first reason stays: that of the most likely one */
	if (found || to->absent == OPERAND_PRESENT) {
		to->type = is.type;
		to->offset = is.offset;
		to->absent = is.absent;
	}
	return found;
}

static uint8_t does_of(const ZydisDecodedOperand *operand)
{
	return (uint8_t)((operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ ? OPERAND_READS : 0) |
			 (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE ? OPERAND_WRITES : 0));
}

/* Of push, pop, call and ret: by the way */
static int is_of_stack(const ZydisDecodedOperand *operand)
{
	return operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
	       number_of(operand->mem.base) == OPERAND_RSP;
}

/* The operand in memory that is data. @return how many there are; 'is' gets what it and the stack's do */
static uint32_t find_memory(const struct decoded *decoded, const ZydisDecodedOperand **found,
			    struct operand_type *is)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < decoded->instruction.operand_count; n++) {
		const ZydisDecodedOperand *operand = &decoded->operands[n];

		if (!decoded_accesses(decoded, operand))
			continue;
		if (is_of_stack(operand)) {
			is->stack_does |= does_of(operand);
			continue;
		}
		*found = operand;
		is->does |= does_of(operand);
		count++;
	}
	return count;
}

void operand_evaluate(struct operand_flow *flow, const struct operand_state *state,
		      const struct decoded *decoded, uint64_t address, struct operand_type *is)
{
	struct found found = { .use = take_type, .data = is };
	const ZydisDecodedOperand *operand = NULL;
	enum operand_absence absent;
	struct memory memory;
	uint32_t count;

	*is = (struct operand_type){ .absent = OPERAND_PRESENT };
	count = find_memory(decoded, &operand, is);
	if (count != 1) {
		is->absent = count ? OPERAND_SEVERAL : is->stack_does ? OPERAND_STACK : OPERAND_NO_MEMORY;
		return;
	}
	describe(decoded, operand, address, &memory);
	absent = resolve(flow, state, address, &memory, &found);
	is->width = memory.width;
	if (absent == OPERAND_PRESENT) {
		is->evidence = found.evidence;
		is->variable = found.variable && found.variable[0] ? found.variable : NULL;
	} else if (is->absent == OPERAND_PRESENT) {
		is->absent = (uint8_t)absent;
	}
}

/* --- what it does to registers --- */

/* Of a variable that is a pointer itself that is what tells it. */
static int take_pointer(struct operand_flow *flow, const struct operand_access *access, void *data)
{
	struct operand_value *value = data;

	if (!operand_load(flow->paths, access, value))
		return 0;
	value->evidence = precis_data_type_kind(access->type) == PRECIS_DATA_KIND_POINTER
				  ? OPERAND_BY_VARIABLE : OPERAND_BY_MEMBER;
	return 1;
}

/* Eight bytes that are loaded */
static struct operand_value loaded(struct operand_flow *flow, const struct operand_state *state,
				   const struct decoded *decoded, const ZydisDecodedOperand *operand,
				   uint64_t address)
{
	struct operand_value value = { .kind = VALUE_UNKNOWN };
	struct found found = { .use = take_pointer, .data = &value };
	const struct operand_value *slot = NULL;
	struct memory memory;

	if (operand->size != WIDE_BITS)
		return value;
	describe(decoded, operand, address, &memory);
	if (memory.base < OPERAND_REGISTERS && !memory.has_index && !memory.is_segment &&
	    state->reg[memory.base].kind == VALUE_FRAME)
		slot = operand_state_read(state, state->reg[memory.base].offset + memory.offset);
	/* what a variable of the frame says is better, unless that is void * */
	if (resolve(flow, state, address, &memory, &found) == OPERAND_PRESENT && (value.type || !slot)) {
		value.variable = found.variable;
		return value;
	}
	return slot ? *slot : (struct operand_value){ .kind = VALUE_UNKNOWN };
}

static int take_access(struct operand_flow *flow, const struct operand_access *access, void *data)
{
	(void)flow;
	*(struct operand_access *)data = *access;
	return 1;
}

/* lea: an address, or a sum of numbers */
static struct operand_value address_of(struct operand_flow *flow, const struct operand_state *state,
				       const struct decoded *decoded, const ZydisDecodedOperand *operand,
				       uint64_t address)
{
	struct operand_access access = { .type = NULL };
	struct found found = { .use = take_access, .data = &access };
	struct operand_value value = { .kind = VALUE_NUMBER }, index, base;
	struct memory memory;

	describe(decoded, operand, address, &memory);
	memory.width = 0;
	index = index_of(state, memory.index, &memory);
	base = index_of(state, memory.base, &memory);
	value.offset = memory.offset;
	if (memory.base < OPERAND_REGISTERS && state->reg[memory.base].kind == VALUE_FRAME &&
	    !index.target) {
		value.kind = VALUE_FRAME;
		value.offset += state->reg[memory.base].offset + index.offset;
		return value;
	}
	if (resolve(flow, state, address, &memory, &found) == OPERAND_PRESENT)
		return (struct operand_value){
			.kind = access.type ? VALUE_POINTER : VALUE_UNKNOWN, .type = access.type,
			.offset = access.offset, .index = access.index, .evidence = found.evidence,
			.variable = found.variable,
		};
	if (memory.is_relative)
		return (struct operand_value){ .kind = VALUE_UNKNOWN };
	operand_value_add(&value, &index);
	operand_value_add(&value, &base);
	return value;
}

/* Of the lower half of a register; of less nothing is known */
static struct operand_value number_in(const struct operand_state *state, const ZydisDecodedOperand *operand)
{
	const uint32_t number = operand->size == 32 ? number_of(operand->reg.value) : OPERAND_REGISTERS;

	return number < OPERAND_REGISTERS && state->reg[number].kind == VALUE_NUMBER
		       ? state->reg[number] : (struct operand_value){ .kind = VALUE_UNKNOWN };
}

/* What an operand that is read has */
static struct operand_value source(struct operand_flow *flow, const struct operand_state *state,
				   const struct decoded *decoded, const ZydisDecodedOperand *operand,
				   uint64_t address)
{
	struct operand_access access;
	const char *name;

	if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
		return loaded(flow, state, decoded, operand, address);
	if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER && !is_wide_register(operand))
		return number_in(state, operand);
	if (is_wide_register(operand))
		return value_of(flow, state, address, number_of(operand->reg.value));
	if (operand->type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return (struct operand_value){ .kind = VALUE_UNKNOWN };
	name = is_absolute(operand->imm.value.s) ? static_at(flow, 0, operand->imm.value.s, &access)
						 : NULL;
	if (!name)
		return (struct operand_value){ .kind = VALUE_NUMBER, .offset = operand->imm.value.s };
	return (struct operand_value){
		.kind = VALUE_POINTER, .type = access.type, .offset = access.offset,
		.evidence = OPERAND_BY_STATIC, .variable = name,
	};
}

/* Two are added, or one is taken off the other */
static struct operand_value sum(struct operand_value value, struct operand_value other, int is_minus)
{
	if (value.kind != VALUE_POINTER && value.kind != VALUE_FRAME && other.kind == VALUE_POINTER &&
	    !is_minus) {
		const struct operand_value pointer = other;

		other = value;
		value = pointer;
	}
	/* of two pointers the difference is a number; of the frame nobody knows how it goes on */
	if (other.kind == VALUE_POINTER || other.kind == VALUE_FRAME || other.kind == VALUE_RESULT)
		return (struct operand_value){ .kind = VALUE_UNKNOWN };
	other = operand_number(&other);
	other.offset = is_minus ? -other.offset : other.offset;
	operand_value_add(&value, &other);
	return value;
}

/* As often as an operand says */
static struct operand_value product(const struct operand_value *value, const ZydisDecodedOperand *times,
				    int is_shift)
{
	const struct operand_value number = operand_number(value);
	int64_t by;

	if (times->type != ZYDIS_OPERAND_TYPE_IMMEDIATE || (is_shift && times->imm.value.u > 20))
		return (struct operand_value){ .kind = VALUE_UNKNOWN };
	by = is_shift ? INT64_C(1) << times->imm.value.u : times->imm.value.s;
	return operand_number_times(&number, by);
}

/* The value that the first operand, a register, gets: one of 32 bits a number at most */
static struct operand_value result_of(struct operand_flow *flow, const struct operand_state *state,
				      const struct decoded *decoded, uint64_t address)
{
	static const ZydisDecodedOperand one = { .type = ZYDIS_OPERAND_TYPE_IMMEDIATE, .imm.value.s = 1 };
	const ZydisDecodedOperand *to = &decoded->operands[0], *from = &decoded->operands[1];
	const ZydisMnemonic mnemonic = decoded->instruction.mnemonic;
	const int is_cmov = decoded->instruction.meta.category == ZYDIS_CATEGORY_CMOV;
	struct operand_value value, other;

	switch (mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVSXD:
		return source(flow, state, decoded, from, address);
	case ZYDIS_MNEMONIC_LEA:
		return address_of(flow, state, decoded, from, address);
	case ZYDIS_MNEMONIC_IMUL:
		if (decoded->instruction.operand_count_visible != 3)
			break;
		value = source(flow, state, decoded, from, address);
		return product(&value, &decoded->operands[2], 0);
	case ZYDIS_MNEMONIC_INC:
	case ZYDIS_MNEMONIC_DEC:
		from = &one;
		break;
	default:
		break;
	}
	value = source(flow, state, decoded, to, address);
	if (mnemonic == ZYDIS_MNEMONIC_SHL)
		return product(&value, from, 1);
	if (!is_cmov && mnemonic != ZYDIS_MNEMONIC_ADD && mnemonic != ZYDIS_MNEMONIC_SUB && from != &one)
		return (struct operand_value){ .kind = VALUE_UNKNOWN };
	other = source(flow, state, decoded, from, address);
	return is_cmov ? operand_value_meet(&value, &other)
		       : sum(value, other, mnemonic == ZYDIS_MNEMONIC_SUB || mnemonic == ZYDIS_MNEMONIC_DEC);
}

/* xor %eax,%eax */
static int is_zero(const struct decoded *decoded)
{
	const ZydisDecodedOperand *to = &decoded->operands[0], *from = &decoded->operands[1];

	return decoded->instruction.mnemonic == ZYDIS_MNEMONIC_XOR && to->size >= 32 &&
	       to->type == ZYDIS_OPERAND_TYPE_REGISTER && from->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       from->reg.value == to->reg.value;
}

/*
 * May the first operand, a register, get a value that is known? mov $ADDRESS,%eax is a pointer, too, where
 * programs are not to be moved: the rest of the register is 0.
 */
static int is_written_whole(const struct decoded *decoded)
{
	const ZydisDecodedOperand *to = &decoded->operands[0];

	return decoded->instruction.operand_count_visible && to->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       to->size >= 32 && number_of(to->reg.value) < OPERAND_REGISTERS &&
	       to->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
}

/* --- all that it does --- */

static void call(struct operand_state *state, const struct decoded *decoded, uint64_t address)
{
	/* rax, rdx, rcx, rsi, rdi, r8 to r11 */
	static const uint8_t lost[] = { 0, 1, 2, 4, 5, 8, 9, 10, 11 };
	const ZydisDecodedOperand *operand = &decoded->operands[0];
	ZyanU64 target = 0;

	for (uint32_t n = 0; n < sizeof(lost); n++)
		forget(state, lost[n]);
	if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand->imm.is_relative)
		ZydisCalcAbsoluteAddress(&decoded->instruction, operand, address, &target);
	state->reg[OPERAND_RAX] = (struct operand_value){
		.kind = VALUE_RESULT,
		.offset = (int64_t)(address + decoded->instruction.length), .target = target,
	};
}

static void move_stack(struct operand_state *state, int64_t bytes)
{
	struct operand_value top = state->reg[OPERAND_RSP];

	top.offset += bytes;
	set(state, OPERAND_RSP, &top);
}

static void push(struct operand_flow *flow, struct operand_state *state, const struct decoded *decoded,
		 uint64_t address)
{
	const struct operand_value value = source(flow, state, decoded, &decoded->operands[0], address);

	move_stack(state, -8);
	if (state->reg[OPERAND_RSP].kind == VALUE_FRAME)
		operand_state_write(state, state->reg[OPERAND_RSP].offset, 8, &value);
}

static void pop(struct operand_state *state, const struct decoded *decoded)
{
	const struct operand_value *slot = NULL;
	struct operand_value value = { .kind = VALUE_UNKNOWN };

	if (state->reg[OPERAND_RSP].kind == VALUE_FRAME)
		slot = operand_state_read(state, state->reg[OPERAND_RSP].offset);
	if (slot)
		value = *slot;
	move_stack(state, 8);
	if (is_wide_register(&decoded->operands[0]))
		set(state, number_of(decoded->operands[0].reg.value), &value);
}

static void leave(struct operand_state *state)
{
	state->reg[OPERAND_RSP] = state->reg[OPERAND_RBP];
	move_stack(state, 8);
	forget(state, OPERAND_RBP);
}

/* Memory of the frame that it writes */
static void write_frame(struct operand_flow *flow, struct operand_state *state, const struct decoded *decoded,
			uint64_t address)
{
	const int is_move = decoded->instruction.mnemonic == ZYDIS_MNEMONIC_MOV;

	for (uint32_t n = 0; n < decoded->instruction.operand_count; n++) {
		const ZydisDecodedOperand *operand = &decoded->operands[n];
		struct operand_value value = { .kind = VALUE_UNKNOWN };
		struct memory memory;

		if (!decoded_accesses(decoded, operand) ||
		    !(operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) || is_of_stack(operand))
			continue;
		describe(decoded, operand, address, &memory);
		if (memory.base >= OPERAND_REGISTERS || memory.is_segment ||
		    state->reg[memory.base].kind != VALUE_FRAME)
			continue;
		if (is_move && n == 0 && !memory.has_index)
			value = source(flow, state, decoded, &decoded->operands[1], address);
		if (memory.has_index || !memory.width)
			state->slots = 0;
		else
			operand_state_write(state, state->reg[memory.base].offset + memory.offset,
					    memory.width, &value);
	}
}

/* What it writes without more being known of it */
static void forget_written(struct operand_state *state, const struct decoded *decoded)
{
	for (uint32_t n = 0; n < decoded->instruction.operand_count; n++) {
		const ZydisDecodedOperand *operand = &decoded->operands[n];

		if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			forget(state, number_of(operand->reg.value));
	}
}

/* Of the stack's instructions rsp is theirs. @return 0: it is none of them */
static int step_stack(struct operand_flow *flow, struct operand_state *state, const struct decoded *decoded,
		      uint64_t address)
{
	const uint16_t bits = decoded->instruction.operand_width;

	switch (decoded->instruction.mnemonic) {
	case ZYDIS_MNEMONIC_CALL:
		call(state, decoded, address);
		return 1;
	case ZYDIS_MNEMONIC_PUSH:
		push(flow, state, decoded, address);
		break;
	case ZYDIS_MNEMONIC_POP:
		pop(state, decoded);
		break;
	case ZYDIS_MNEMONIC_LEAVE:
		leave(state);
		break;
	default:
		return 0;
	}
	if (bits != WIDE_BITS)
		forget(state, OPERAND_RSP);
	return 1;
}

void operand_step(struct operand_flow *flow, struct operand_state *state, const struct decoded *decoded,
		  uint64_t address)
{
	struct operand_value value = { .kind = VALUE_UNKNOWN };
	static const struct operand_value nothing = { .kind = VALUE_UNKNOWN };
	const ZydisDecodedOperand *to = &decoded->operands[0];
	const int is_known = is_written_whole(decoded);

	if (step_stack(flow, state, decoded, address))
		return;
	/* the number of its lower half */
	if (decoded->instruction.mnemonic == ZYDIS_MNEMONIC_CDQE) {
		value = state->reg[OPERAND_RAX];
		set(state, OPERAND_RAX, value.kind == VALUE_NUMBER ? &value : &nothing);
		return;
	}
	write_frame(flow, state, decoded, address);
	if (is_zero(decoded))
		value.kind = VALUE_NUMBER;
	else if (is_known)
		value = result_of(flow, state, decoded, address);
	if (is_known && to->size == 32 && decoded->instruction.mnemonic != ZYDIS_MNEMONIC_MOV)
		value = operand_number(&value);
	forget_written(state, decoded);
	if (is_known)
		set(state, number_of(to->reg.value), &value);
}

/* What variables say of registers of which nothing is known stays true until they are written. */
void operand_learn(struct operand_flow *flow, struct operand_state *state, uint64_t address)
{
	for (uint32_t number = 0; number < OPERAND_REGISTERS; number++) {
		struct operand_value value;

		if (state->reg[number].kind == VALUE_UNKNOWN &&
		    operand_locals_in(&flow->locals, flow->paths, address, number, &value, 1) && value.type)
			state->reg[number] = value;
	}
}

/* --- decoding --- */

uint32_t operand_decode(const uint8_t *bytes, uint32_t count, struct decoded *decoded)
{
	ZydisDecoder decoder;

	if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ||
	    !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, count, &decoded->instruction,
						 decoded->operands)))
		return 0;
	return decoded->instruction.length;
}

enum operand_control operand_control_of(const struct decoded *decoded, uint64_t address, uint64_t *target)
{
	const ZydisDecodedOperand *operand = &decoded->operands[0];
	int is_direct = operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand->imm.is_relative;
	ZyanU64 to;

	*target = 0;
	switch (decoded->instruction.meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
		if (is_direct &&
		    ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&decoded->instruction, operand, address, &to)))
			*target = to;
		if (decoded->instruction.meta.category == ZYDIS_CATEGORY_COND_BR)
			return CONTROL_BRANCH;
		return is_direct ? CONTROL_JUMP : CONTROL_INDIRECT;
	case ZYDIS_CATEGORY_RET:
		return CONTROL_END;
	default:
		return decoded->instruction.mnemonic == ZYDIS_MNEMONIC_UD2 ||
				       decoded->instruction.mnemonic == ZYDIS_MNEMONIC_HLT
			       ? CONTROL_END : CONTROL_NEXT;
	}
}

int operand_is_padding(const struct decoded *decoded)
{
	return decoded->instruction.meta.category == ZYDIS_CATEGORY_NOP ||
	       decoded->instruction.meta.category == ZYDIS_CATEGORY_WIDENOP ||
	       decoded->instruction.mnemonic == ZYDIS_MNEMONIC_INT3;
}
