/* SPDX-License-Identifier: BSD-3-Clause */
/* See call_frames.h. */
#define _GNU_SOURCE
#include "call_frames.h"

#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#include "system.h"

/* Registers by their numbers in the psABI of x86-64, figure 3.36 */
enum { FRAME_POINTER = 6, STACK_POINTER = 7, RETURN_ADDRESS = 16 };

/* Of the unwinder (libgcc, LLVM's libunwind), which finds tables by address; it is in no header. */
struct dwarf_eh_bases {
	void *text, *data, *function;
};
const void *_Unwind_Find_FDE(void *address, struct dwarf_eh_bases *bases);

/* --- a line of a table --- */

enum rule { RULE_SAME = 0, RULE_SAVED, RULE_UNDEFINED, RULE_OTHER };

struct line {
	uint32_t base; /* of the CFA: a register; what is neither of the two is not known */
	uint64_t offset; /* the CFA is so far from that */
	enum rule frame_pointer, return_address;
	int64_t frame_pointer_at, return_address_at; /* where they are saved, from the CFA */
};

#define REMEMBERED_MOST 4u

struct program {
	const uint8_t *at, *end;
	uint64_t code_unit;
	int64_t data_unit;
	uint64_t address, until;
	struct line line, initial, remembered[REMEMBERED_MOST];
	uint32_t remembered_count;
	int has_failed;
	int is_signal; /* 1: what the kernel has put on the stack for a signal's handler to return to */
};

/* Where a table says that it ends before its first instruction, there is nothing. */
static size_t rest(const struct program *program)
{
	return program->at < program->end ? (size_t)(program->end - program->at) : 0;
}

static uint64_t take(struct program *program, uint32_t bytes)
{
	uint64_t value = 0;

	if (rest(program) < bytes) {
		program->has_failed = 1;
		return 0;
	}
	memcpy(&value, program->at, bytes);
	program->at += bytes;
	return value;
}

/* LEB128. @param bits  set to how many it has; those from 64 on are lost, as they mean nothing */
static uint64_t take_number(struct program *program, uint32_t *bits)
{
	uint64_t value = 0, byte;

	*bits = 0;
	do {
		byte = take(program, 1);
		value |= *bits < 64 ? (byte & 0x7f) << *bits : 0;
		*bits += 7;
	} while (byte & 0x80);
	return value;
}

static uint64_t take_unsigned(struct program *program)
{
	uint32_t bits;

	return take_number(program, &bits);
}

static int64_t take_signed(struct program *program)
{
	uint32_t bits;
	const uint64_t value = take_number(program, &bits);
	const int is_negative = bits < 64 && value >> (bits - 1) & 1;

	return (int64_t)(is_negative ? value | ~UINT64_C(0) << bits : value);
}

static void skip(struct program *program, uint64_t bytes)
{
	if (rest(program) < bytes)
		program->has_failed = 1;
	else
		program->at += bytes;
}

static void set_rule(struct program *program, uint64_t which, enum rule rule, int64_t at)
{
	struct line *line = &program->line;

	if (which == FRAME_POINTER) {
		line->frame_pointer = rule;
		line->frame_pointer_at = at;
	} else if (which == RETURN_ADDRESS) {
		line->return_address = rule;
		line->return_address_at = at;
	}
}

static void restore(struct program *program, uint64_t which)
{
	const struct line *initial = &program->initial;

	if (which == FRAME_POINTER)
		set_rule(program, which, initial->frame_pointer, initial->frame_pointer_at);
	else if (which == RETURN_ADDRESS)
		set_rule(program, which, initial->return_address, initial->return_address_at);
}

static void remember(struct program *program)
{
	if (program->remembered_count == REMEMBERED_MOST)
		program->has_failed = 1;
	else
		program->remembered[program->remembered_count++] = program->line;
}

static void recall(struct program *program)
{
	if (!program->remembered_count)
		program->has_failed = 1;
	else
		program->line = program->remembered[--program->remembered_count];
}

/* DW_CFA_*: those with their operand in them, in their two highest bits */
enum { ADVANCE = 0x40, OFFSET = 0x80, RESTORE = 0xc0, HIGH = 0xc0, LOW = 0x3f };
/* ... and the others */
enum {
	NOP, SET_LOC, ADVANCE1, ADVANCE2, ADVANCE4, OFFSET_EXTENDED, RESTORE_EXTENDED, UNDEFINED, SAME_VALUE,
	REGISTER, REMEMBER, RECALL, DEF_CFA, DEF_CFA_REGISTER, DEF_CFA_OFFSET, DEF_CFA_EXPRESSION, EXPRESSION,
	OFFSET_EXTENDED_SF, DEF_CFA_SF, DEF_CFA_OFFSET_SF, VAL_OFFSET, VAL_OFFSET_SF, VAL_EXPRESSION,
	GNU_ARGS_SIZE = 0x2e, GNU_NEGATIVE_OFFSET = 0x2f,
};

static void advance(struct program *program, uint64_t units)
{
	program->address += units * program->code_unit;
}

static void run_instruction(struct program *program, uint8_t instruction)
{
	struct line *line = &program->line;
	uint64_t which;

	switch (instruction) {
	case NOP: break;
	case ADVANCE1: advance(program, take(program, 1)); break;
	case ADVANCE2: advance(program, take(program, 2)); break;
	case ADVANCE4: advance(program, take(program, 4)); break;
	case REMEMBER: remember(program); break;
	case RECALL: recall(program); break;
	case RESTORE_EXTENDED: restore(program, take_unsigned(program)); break;
	case UNDEFINED: set_rule(program, take_unsigned(program), RULE_UNDEFINED, 0); break;
	case SAME_VALUE: set_rule(program, take_unsigned(program), RULE_SAME, 0); break;
	case OFFSET_EXTENDED:
		which = take_unsigned(program);
		set_rule(program, which, RULE_SAVED, (int64_t)take_unsigned(program) * program->data_unit);
		break;
	case OFFSET_EXTENDED_SF:
		which = take_unsigned(program);
		set_rule(program, which, RULE_SAVED, take_signed(program) * program->data_unit);
		break;
	case GNU_NEGATIVE_OFFSET:
		which = take_unsigned(program);
		set_rule(program, which, RULE_SAVED, -(int64_t)take_unsigned(program) * program->data_unit);
		break;
	case REGISTER:
	case VAL_OFFSET:
		set_rule(program, take_unsigned(program), RULE_OTHER, 0);
		take_unsigned(program);
		break;
	case VAL_OFFSET_SF:
		set_rule(program, take_unsigned(program), RULE_OTHER, 0);
		take_signed(program);
		break;
	case EXPRESSION:
	case VAL_EXPRESSION:
		set_rule(program, take_unsigned(program), RULE_OTHER, 0);
		skip(program, take_unsigned(program));
		break;
	case DEF_CFA:
		line->base = (uint32_t)take_unsigned(program);
		line->offset = take_unsigned(program);
		break;
	case DEF_CFA_SF:
		line->base = (uint32_t)take_unsigned(program);
		line->offset = (uint64_t)(take_signed(program) * program->data_unit);
		break;
	case DEF_CFA_REGISTER: line->base = (uint32_t)take_unsigned(program); break;
	case DEF_CFA_OFFSET: line->offset = take_unsigned(program); break;
	case DEF_CFA_OFFSET_SF:
		line->offset = (uint64_t)(take_signed(program) * program->data_unit);
		break;
	case DEF_CFA_EXPRESSION:
		line->base = UINT32_MAX;
		skip(program, take_unsigned(program));
		break;
	case GNU_ARGS_SIZE: take_unsigned(program); break;
	default: program->has_failed = 1; /* SET_LOC, and what is not known */
	}
}

/* Up to what is behind the address, or the program's end */
static void run(struct program *program)
{
	while (rest(program) && program->address < program->until && !program->has_failed) {
		const uint8_t instruction = (uint8_t)take(program, 1);
		const uint64_t low = instruction & LOW;

		switch (instruction & HIGH) {
		case ADVANCE: advance(program, low); break;
		case OFFSET:
			set_rule(program, low, RULE_SAVED,
				 (int64_t)take_unsigned(program) * program->data_unit);
			break;
		case RESTORE: restore(program, low); break;
		default: run_instruction(program, instruction);
		}
	}
}

/* --- where the table is --- */

/* Bytes of a pointer in it (DW_EH_PE_*, whose low bits say that); 0: not known, or not always the same */
static uint32_t pointer_bytes(uint8_t encoding)
{
	static const uint8_t bytes[16] = { 8, 0, 2, 4, 8, 0, 0, 0, 0, 0, 2, 4, 8 };

	return encoding == 0x50 ? 0 : bytes[encoding & 15]; /* 0x50: aligned */
}

/* What the CIE says of all of its FDEs. @return the bytes of a pointer in these; 0: not one that is known */
static uint32_t read_cie(struct program *program, const uint8_t *cie, int *is_augmented)
{
	uint32_t length, pointer = pointer_bytes(0), personality;
	const char *augmentation = (const char *)cie + 9;
	uint8_t version = cie[8];

	memcpy(&length, cie, sizeof(length));
	if (length == UINT32_MAX) /* of 64 bits */
		return 0;
	program->at = (const uint8_t *)augmentation + strlen(augmentation) + 1;
	program->end = cie + 4 + length;
	program->code_unit = take_unsigned(program);
	program->data_unit = take_signed(program);
	if ((version == 1 ? take(program, 1) : take_unsigned(program)) != RETURN_ADDRESS)
		return 0;
	*is_augmented = *augmentation == 'z';
	if (*augmentation && !*is_augmented)
		return 0;
	if (*is_augmented)
		take_unsigned(program);
	while (*is_augmented && *++augmentation) {
		switch (*augmentation) {
		case 'R': pointer = pointer_bytes((uint8_t)take(program, 1)); break;
		case 'L': take(program, 1); break;
		case 'P':
			personality = pointer_bytes((uint8_t)take(program, 1));
			if (!personality)
				return 0;
			skip(program, personality);
			break;
		case 'S': program->is_signal = 1; break;
		default: return 0;
		}
	}
	return program->has_failed ? 0 : pointer;
}

/* @return 0; 1: a signal's frame; -1: there is no table, or one that is not to be understood here */
static int read_line(uint64_t address, struct line *line)
{
	struct program program = { .until = 0 };
	struct dwarf_eh_bases bases = { NULL, NULL, NULL };
	/* the call is before the return address, which may be another function's */
	const uint8_t *fde = _Unwind_Find_FDE((void *)(address - 1), &bases), *cie;
	uint32_t length, pointer;
	int32_t to_cie;
	int is_augmented = 0;

	if (!fde)
		return -1;
	memcpy(&length, fde, sizeof(length));
	memcpy(&to_cie, fde + 4, sizeof(to_cie));
	cie = fde + 4 - to_cie;
	pointer = length == UINT32_MAX ? 0 : read_cie(&program, cie, &is_augmented);
	if (!pointer)
		return -1;
	if (program.is_signal)
		return 1;
	program.until = 1;
	run(&program);
	program.initial = program.line;
	program.at = fde + 8 + 2 * pointer;
	program.end = fde + 4 + length;
	if (is_augmented)
		skip(&program, take_unsigned(&program));
	program.address = (uint64_t)bases.function;
	program.until = address;
	run(&program);
	*line = program.line;
	return program.has_failed ? -1 : 0;
}

/* --- lines that were read --- */

enum kind {
	KIND_NONE = 0,
	KIND_BY_STACK_POINTER,
	KIND_BY_FRAME_POINTER,
	KIND_OUTERMOST,
	KIND_SIGNAL,
	KIND_UNKNOWN
};

/* A line as one word: its kind, bytes to the CFA, from there to where the frame pointer is; 0: as it is */
#define KIND_BITS 3u
#define OFFSET_BITS 29u

static uint64_t packed(enum kind kind, uint64_t offset, int64_t frame_pointer_at)
{
	return (uint64_t)kind | offset << KIND_BITS | (uint64_t)frame_pointer_at << (KIND_BITS + OFFSET_BITS);
}

static uint64_t pack(const struct line *line)
{
	const int is_saved = line->frame_pointer == RULE_SAVED;
	const int64_t at = is_saved ? line->frame_pointer_at : 0;

	if (line->return_address == RULE_UNDEFINED)
		return packed(KIND_OUTERMOST, 0, 0);
	if ((line->base != STACK_POINTER && line->base != FRAME_POINTER) || line->offset >> OFFSET_BITS ||
	    line->return_address != RULE_SAVED || line->return_address_at != -8 ||
	    line->frame_pointer == RULE_OTHER || at != (int32_t)at || at % 8 || (is_saved && at >= 0))
		return packed(KIND_UNKNOWN, 0, 0);
	return packed(line->base == STACK_POINTER ? KIND_BY_STACK_POINTER : KIND_BY_FRAME_POINTER,
		      line->offset, at);
}

#define KEPT_LOG 14u
#define KEPT ((size_t)1 << KEPT_LOG)

/* Threads write without a lock: what two threads have written of one half each has a check that is wrong. */
static struct kept {
	uint64_t line, check;
} *kept;

int call_frames_begin(void)
{
	kept = own_memory(KEPT * sizeof(*kept));
	return kept ? 0 : -1;
}

/* Odd factors: neither addresses nor lines that are near to each other make up for what else is different. */
static uint64_t check_of(uint64_t line, uint64_t address, uint64_t libraries)
{
	return line * UINT64_C(0xff51afd7ed558ccd) ^ (address + libraries * UINT64_C(0xc4ceb9fe1a85ec53));
}

static uint64_t line_of(uint64_t address, uint64_t libraries)
{
	struct kept *at = &kept[(address * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - KEPT_LOG)];
	uint64_t packed_line = __atomic_load_n(&at->line, __ATOMIC_RELAXED);
	struct line line;
	int read;

	if (packed_line &&
	    __atomic_load_n(&at->check, __ATOMIC_RELAXED) == check_of(packed_line, address, libraries))
		return packed_line;
	read = read_line(address, &line);
	packed_line = read ? packed(read < 0 ? KIND_UNKNOWN : KIND_SIGNAL, 0, 0) : pack(&line);
	__atomic_store_n(&at->line, packed_line, __ATOMIC_RELAXED);
	__atomic_store_n(&at->check, check_of(packed_line, address, libraries), __ATOMIC_RELAXED);
	return packed_line;
}

/* --- a step --- */

static uint64_t word_at(uint64_t address)
{
	return *(const uint64_t *)address;
}

/* What a handler returns by stands there: a ucontext_t, with the registers that were interrupted. */
static int step_over_signal(struct call_frame *frame, uint64_t top, uint64_t *end)
{
	const ucontext_t *context = (const ucontext_t *)frame->stack_pointer;

	*end = (uint64_t)(&context->uc_mcontext.gregs[REG_RIP] + 1);
	if (frame->stack_pointer % 8)
		return CALL_FRAMES_UNKNOWN;
	if (*end > top)
		return CALL_FRAMES_BEYOND;
	frame->address = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	frame->frame_pointer = (uint64_t)context->uc_mcontext.gregs[REG_RBP];
	frame->stack_pointer = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
	frame->is_exact = 1;
	return 0;
}

int call_frames_step(struct call_frame *frame, uint64_t top, uint64_t libraries, uint64_t *end)
{
	/* as of a call that returns there: a line is of all addresses up to the one before */
	const uint64_t line = line_of(frame->address + (uint64_t)frame->is_exact, libraries);
	const uint64_t offset = line >> KIND_BITS & ((UINT64_C(1) << OFFSET_BITS) - 1);
	const int64_t saved_at = (int64_t)line >> (KIND_BITS + OFFSET_BITS);
	uint64_t cfa;

	switch (line & ((1u << KIND_BITS) - 1)) {
	case KIND_BY_STACK_POINTER: cfa = frame->stack_pointer + offset; break;
	case KIND_BY_FRAME_POINTER: cfa = frame->frame_pointer + offset; break;
	case KIND_OUTERMOST: frame->address = 0; return 0;
	case KIND_SIGNAL: return step_over_signal(frame, top, end);
	default: return CALL_FRAMES_UNKNOWN;
	}
	*end = cfa;
	if (cfa <= frame->stack_pointer || cfa % 8 || (uint64_t)-saved_at > cfa - frame->stack_pointer)
		return CALL_FRAMES_UNKNOWN;
	if (cfa > top)
		return CALL_FRAMES_BEYOND;
	if (saved_at)
		frame->frame_pointer = word_at(cfa + (uint64_t)saved_at);
	frame->address = word_at(cfa - 8);
	frame->stack_pointer = cfa;
	frame->is_exact = 0;
	return 0;
}
