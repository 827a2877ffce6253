/* SPDX-License-Identifier: BSD-3-Clause */
/* See instruction.h: from what Zydis decodes to a form, by the tables specials.def and flops.def. */
#include "instruction.h"

#include <string.h>

#include <precis/code.h>
#include <precis/error.h>

#include "aarch64.h"
#include "decoded.h"

#define MNEMONICS ((uint32_t)ZYDIS_MNEMONIC_MAX_VALUE + 1)
_Static_assert(ZYDIS_MNEMONIC_MAX_VALUE < AARCH64_FIRST,
	       "numbers of aarch64 are above those of Zydis");

/* --- the tables by mnemonic --- */

enum shape { SHAPE_NONE, SHAPE_PACKED, SHAPE_SCALAR, SHAPE_X87, SHAPE_DOT, SHAPE_UNDEFINED, SHAPE_TILE };

static const struct {
	uint8_t shape, bits, operations;
} flops[MNEMONICS] = {
#define FLOPS(mnemonic, shape, bits, operations) \
	[ZYDIS_MNEMONIC_##mnemonic] = { SHAPE_##shape, bits, operations },
#include "flops.def"
#undef FLOPS
};

/* One more than the kind of branch; 0: the category says it */
static const uint8_t kinds[MNEMONICS] = {
#define KIND(mnemonic, branch) [ZYDIS_MNEMONIC_##mnemonic] = 1 + CODE_BRANCH_##branch,
#include "specials.def"
#undef KIND
};

#define HAS_NO_DATA 1u
#define HAS_SIZE_IN_STATE 2u
#define HAS_MASK_IN_VECTOR 4u
#define IS_NOT_SCALAR 8u
#define IS_ALWAYS_SCALAR 16u
static const uint8_t specials[MNEMONICS] = {
#define NO_DATA(mnemonic) [ZYDIS_MNEMONIC_##mnemonic] = HAS_NO_DATA,
#define SIZE_IN_STATE(mnemonic) [ZYDIS_MNEMONIC_##mnemonic] = HAS_SIZE_IN_STATE,
#define MASK_IN_VECTOR(mnemonic) [ZYDIS_MNEMONIC_##mnemonic] = HAS_MASK_IN_VECTOR,
#define NOT_SCALAR(mnemonic) [ZYDIS_MNEMONIC_##mnemonic] = IS_NOT_SCALAR,
#define IS_SCALAR(mnemonic) [ZYDIS_MNEMONIC_##mnemonic] = IS_ALWAYS_SCALAR,
#include "specials.def"
#undef NO_DATA
#undef SIZE_IN_STATE
#undef MASK_IN_VECTOR
#undef NOT_SCALAR
#undef IS_SCALAR
};

/* Where an index is as wide as an element or wider, it says how many there are; else the element does. */
static const struct {
	uint8_t widest, bits, is_scatter;
} spread[MNEMONICS] = {
#define SPREAD(mnemonic, index, element, scatters) \
	[ZYDIS_MNEMONIC_##mnemonic] = { index > element ? index : element, element, scatters },
#define GATHER(mnemonic, index, element) SPREAD(mnemonic, index, element, 0)
#define SCATTER(mnemonic, index, element) SPREAD(mnemonic, index, element, 1)
#include "specials.def"
#undef GATHER
#undef SCATTER
#undef SPREAD
};

/* --- branches --- */

static int is_direct(const struct decoded *decoded)
{
	const ZydisDecodedOperand *operand = &decoded->operands[0];

	return decoded->instruction.operand_count && operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	       operand->imm.is_relative;
}

static enum code_branch branch_of(const struct decoded *decoded)
{
	const uint8_t kind = kinds[decoded->instruction.mnemonic];

	if (kind)
		return kind - 1;
	switch (decoded->instruction.meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return CODE_BRANCH_CONDITIONAL;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return is_direct(decoded) ? CODE_BRANCH_UNCONDITIONAL : CODE_BRANCH_INDIRECT_JUMP;
	case ZYDIS_CATEGORY_CALL:
		return is_direct(decoded) ? CODE_BRANCH_CALL : CODE_BRANCH_INDIRECT_CALL;
	case ZYDIS_CATEGORY_RET:
		return CODE_BRANCH_RETURN;
	default:
		return CODE_BRANCH_NONE;
	}
}

static void find_target(const struct decoded *decoded, uint64_t address, struct code_instruction *instruction)
{
	ZyanU64 target;

	if (instruction->form.branch == CODE_BRANCH_NONE || !is_direct(decoded) ||
	    !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&decoded->instruction, &decoded->operands[0], address,
						   &target)))
		return;
	instruction->has_target = 1;
	instruction->target = target;
}

/* --- vectors and their elements --- */

static uint32_t vector_bits_of(const ZydisDecodedOperand *operand)
{
	if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER)
		return 0;
	switch (ZydisRegisterGetClass(operand->reg.value)) {
	case ZYDIS_REGCLASS_MMX:
		return 64;
	case ZYDIS_REGCLASS_XMM:
		return 128;
	case ZYDIS_REGCLASS_YMM:
		return 256;
	case ZYDIS_REGCLASS_ZMM:
		return 512;
	default:
		return 0;
	}
}

/* The widest one, and the first, which is what is written */
static const ZydisDecodedOperand *find_vector(const struct decoded *decoded, uint32_t *widest)
{
	const ZydisDecodedOperand *first = NULL;

	*widest = 0;
	for (uint32_t n = 0; n < decoded->instruction.operand_count; n++) {
		const uint32_t bits = vector_bits_of(&decoded->operands[n]);

		/* vzeroupper changes all of them and works on none */
		if (!bits || decoded->operands[n].visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN)
			continue;
		if (!first)
			first = &decoded->operands[n];
		if (bits > *widest)
			*widest = bits;
	}
	return first;
}

static int is_scalar(const struct decoded *decoded)
{
	static const char *const inside[] = { "ss2", "sd2", "sh2", "si2" };
	const uint8_t special = specials[decoded->instruction.mnemonic];
	const char *name = ZydisMnemonicGetString(decoded->instruction.mnemonic);
	const size_t length = name ? strlen(name) : 0;

	if (special & (IS_NOT_SCALAR | IS_ALWAYS_SCALAR))
		return special == IS_ALWAYS_SCALAR;
	if (length < 3 || name[0] == 'p' || strncmp(name, "vp", 2) == 0)
		return 0;
	for (size_t n = 0; n < sizeof(inside) / sizeof(inside[0]); n++) {
		if (strstr(name, inside[n]))
			return 1;
	}
	return name[length - 2] == 's' && strchr("sdh", name[length - 1]) != NULL;
}

static enum code_element element_of(ZydisElementType type)
{
	switch (type) {
	case ZYDIS_ELEMENT_TYPE_INVALID:
		return CODE_ELEMENT_NONE;
	case ZYDIS_ELEMENT_TYPE_INT:
		return CODE_ELEMENT_INT;
	case ZYDIS_ELEMENT_TYPE_UINT:
		return CODE_ELEMENT_UINT;
	case ZYDIS_ELEMENT_TYPE_FLOAT16:
	case ZYDIS_ELEMENT_TYPE_FLOAT32:
	case ZYDIS_ELEMENT_TYPE_FLOAT64:
	case ZYDIS_ELEMENT_TYPE_FLOAT80:
		return CODE_ELEMENT_FLOAT;
	default:
		return CODE_ELEMENT_OTHER;
	}
}

static void find_elements(const struct decoded *decoded, struct code_form *form)
{
	const ZydisDecodedOperand *operand;
	uint32_t widest;

	operand = find_vector(decoded, &widest);
	if (!operand)
		return;
	form->packing = is_scalar(decoded) ? CODE_PACKING_SCALAR : CODE_PACKING_PACKED;
	/* The widest may be an index, or in memory */
	if (form->packing == CODE_PACKING_PACKED && decoded->instruction.avx.vector_length > widest)
		widest = decoded->instruction.avx.vector_length;
	form->vector_bits = (uint16_t)widest;
	form->element = element_of(operand->element_type);
	form->element_bits = operand->element_size;
	form->element_count = form->packing == CODE_PACKING_SCALAR ? 1 : operand->element_count;
}

/* --- masks --- */

static int is_masked(const struct decoded *decoded)
{
	const ZydisDecodedInstruction *instruction = &decoded->instruction;

	if (specials[instruction->mnemonic] & HAS_MASK_IN_VECTOR)
		return 1;
	/* AVX2 has the mask of a gather in a vector */
	if (spread[instruction->mnemonic].bits && instruction->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX)
		return 1;
	return instruction->avx.mask.mode >= ZYDIS_MASK_MODE_MERGING &&
	       instruction->avx.mask.reg != ZYDIS_REGISTER_NONE &&
	       instruction->avx.mask.reg != ZYDIS_REGISTER_K0;
}

/* --- memory --- */

static int accesses_memory(const struct decoded *decoded, const ZydisDecodedOperand *operand)
{
	return decoded_accesses(decoded, operand) &&
	       !(specials[decoded->instruction.mnemonic] & HAS_NO_DATA);
}

/* Zydis gives the one element that is broadcast, and of gathers and scatters one, too. */
static struct code_access access_of(const struct decoded *decoded, const ZydisDecodedOperand *operand,
				    const struct code_form *form)
{
	const uint16_t mnemonic = (uint16_t)decoded->instruction.mnemonic;
	struct code_access access = { .bytes = (uint16_t)(operand->size / 8), .times = 1 };

	if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		access.does |= CODE_READS;
	if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		access.does |= CODE_WRITES;
	if (spread[mnemonic].bits) {
		access.bytes = spread[mnemonic].bits / 8;
		access.times = (uint8_t)(form->vector_bits / spread[mnemonic].widest);
		access.does = spread[mnemonic].is_scatter ? CODE_WRITES : CODE_READS;
	}
	return access;
}

static void find_accesses(const struct decoded *decoded, struct code_form *form)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < decoded->instruction.operand_count && count < CODE_ACCESSES; n++) {
		const ZydisDecodedOperand *operand = &decoded->operands[n];

		if (!accesses_memory(decoded, operand))
			continue;
		form->access[count] = access_of(decoded, operand, form);
		if (!form->access[count].does) {
			form->access[count] = (struct code_access){ 0 };
			continue;
		}
		if (operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
		    operand->mem.base == ZYDIS_REGISTER_RSP)
			form->traits |= CODE_STACK;
		count++;
	}
	if (spread[decoded->instruction.mnemonic].bits)
		form->traits |= spread[decoded->instruction.mnemonic].is_scatter ? CODE_SCATTER : CODE_GATHER;
}

static void find_traits(const struct decoded *decoded, struct code_form *form)
{
	const ZydisInstructionAttributes attributes = decoded->instruction.attributes;

	if (attributes & ZYDIS_ATTRIB_HAS_LOCK)
		form->traits |= CODE_LOCKED;
	if (decoded->instruction.mnemonic == ZYDIS_MNEMONIC_XCHG && form->access[0].times)
		form->traits |= CODE_LOCKED;
	if (attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE))
		form->traits |= CODE_REPEATED;
	if (is_masked(decoded))
		form->traits |= CODE_MASKED;
	if (form->access[0].times && decoded->instruction.avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID)
		form->traits |= CODE_BROADCAST;
}

static void judge_bytes(const struct decoded *decoded, struct code_form *form)
{
	if (specials[decoded->instruction.mnemonic] & HAS_SIZE_IN_STATE) {
		form->bytes_figure = CODE_FIGURE_STATE;
		memset(form->access, 0, sizeof(form->access));
	} else if (!form->access[0].times) {
		form->bytes_figure = CODE_FIGURE_EXACT;
	} else if (form->traits & CODE_REPEATED) {
		form->bytes_figure = CODE_FIGURE_REPEATED;
	} else if (form->traits & CODE_MASKED) {
		form->bytes_figure = CODE_FIGURE_MASKED;
	}
}

/* --- floating-point operations --- */

/* DPPS and DPPD multiply what the upper four bits select, and add all: what is not selected is zero. */
static uint32_t dot_flops(const struct decoded *decoded, uint32_t vector_bits, uint32_t bits)
{
	const uint32_t each = 128 / bits;
	uint64_t immediate = 0;
	uint32_t products = 0;

	for (uint32_t n = 0; n < decoded->instruction.operand_count_visible; n++) {
		if (decoded->operands[n].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			immediate = decoded->operands[n].imm.value.u;
	}
	for (uint32_t n = 0; n < each; n++)
		products += immediate >> (4 + n) & 1;
	return vector_bits / 128 * (products + each - 1);
}

static void count_flops(const struct decoded *decoded, struct code_form *form)
{
	const uint16_t mnemonic = form->mnemonic;
	const uint32_t bits = flops[mnemonic].bits, vector = form->vector_bits;
	uint32_t elements = 1;

	form->flops_figure = CODE_FIGURE_EXACT;
	switch (flops[mnemonic].shape) {
	case SHAPE_UNDEFINED:
		form->flops_figure = CODE_FIGURE_UNDEFINED;
		return;
	case SHAPE_TILE:
		form->flops_figure = CODE_FIGURE_STATE;
		return;
	case SHAPE_X87:
		break;
	case SHAPE_SCALAR:
	case SHAPE_PACKED:
	case SHAPE_DOT:
		if (form->vector_bits)
			break;
		return; /* the string instruction of that name */
	default:
		return;
	}
	if (flops[mnemonic].shape == SHAPE_PACKED || flops[mnemonic].shape == SHAPE_DOT)
		elements = vector / bits;
	form->flops = flops[mnemonic].shape == SHAPE_DOT ? dot_flops(decoded, vector, bits) :
							   elements * flops[mnemonic].operations;
	if (form->traits & CODE_MASKED)
		form->flops_figure = CODE_FIGURE_MASKED;
	form->element = CODE_ELEMENT_FLOAT;
	form->element_bits = (uint16_t)bits;
	form->element_count = (uint16_t)elements;
}

/* --- all of it --- */

static void describe(const struct decoded *decoded, struct code_form *form)
{
	*form = (struct code_form){
		.mnemonic = (uint16_t)decoded->instruction.mnemonic,
		.category = (uint16_t)decoded->instruction.meta.category,
		.isa_set = (uint16_t)decoded->instruction.meta.isa_set,
		.isa_extension = (uint16_t)decoded->instruction.meta.isa_ext,
		.operand_bits = decoded->instruction.operand_width,
		.branch = (uint8_t)branch_of(decoded),
	};
	find_elements(decoded, form);
	find_accesses(decoded, form);
	find_traits(decoded, form);
	judge_bytes(decoded, form);
	count_flops(decoded, form);
}

int code_instruction_decode(const void *bytes, size_t count, uint64_t address, uint32_t bits,
			    struct code_instruction *instruction)
{
	const int is_64 = bits == 64;
	ZydisDecoder decoder;
	struct decoded decoded;
	ZyanStatus status;

	if ((!bytes && count) || (bits != 64 && bits != 32 && bits != PRECIS_CODE_AARCH64) ||
	    !instruction)
		return PRECIS_E_ARGUMENT;
	*instruction = (struct code_instruction){ 0 };
	code_form_unknown(&instruction->form);
	if (bits == PRECIS_CODE_AARCH64)
		return aarch64_decode(bytes, count, address, instruction);
	if (!count)
		return PRECIS_E_TRUNCATED;
	count = count < PRECIS_CODE_BYTES_MOST ? count : PRECIS_CODE_BYTES_MOST;
	if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder,
					   is_64 ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
					   is_64 ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32)))
		return PRECIS_E_UNSUPPORTED;
	status = ZydisDecoderDecodeFull(&decoder, bytes, count, &decoded.instruction, decoded.operands);
	if (status == ZYDIS_STATUS_NO_MORE_DATA)
		return count < PRECIS_CODE_BYTES_MOST ? PRECIS_E_TRUNCATED : 0;
	if (!ZYAN_SUCCESS(status))
		return 0;
	describe(&decoded, &instruction->form);
	instruction->length = decoded.instruction.length;
	find_target(&decoded, address, instruction);
	return decoded.instruction.length;
}

/* --- names --- */

const char *code_mnemonic_name(uint32_t mnemonic)
{
	if (mnemonic >= AARCH64_FIRST)
		return aarch64_mnemonic_name(mnemonic - AARCH64_FIRST);
	return mnemonic && mnemonic < MNEMONICS ? ZydisMnemonicGetString((ZydisMnemonic)mnemonic) : NULL;
}

const char *code_category_name(uint32_t category)
{
	if (category >= AARCH64_FIRST)
		return aarch64_category_name(category - AARCH64_FIRST);
	return category && category <= ZYDIS_CATEGORY_MAX_VALUE ?
		       ZydisCategoryGetString((ZydisInstructionCategory)category) : NULL;
}

const char *code_isa_set_name(uint32_t isa_set)
{
	if (isa_set >= AARCH64_FIRST)
		return aarch64_extension_name(isa_set - AARCH64_FIRST);
	return isa_set && isa_set <= ZYDIS_ISA_SET_MAX_VALUE ? ZydisISASetGetString((ZydisISASet)isa_set) :
							       NULL;
}

const char *code_isa_extension_name(uint32_t isa_extension)
{
	if (isa_extension >= AARCH64_FIRST)
		return aarch64_extension_name(isa_extension - AARCH64_FIRST);
	return isa_extension && isa_extension <= ZYDIS_ISA_EXT_MAX_VALUE ?
		       ZydisISAExtGetString((ZydisISAExt)isa_extension) : NULL;
}

uint32_t code_mnemonics(void)
{
	return AARCH64_FIRST + aarch64_mnemonics();
}
