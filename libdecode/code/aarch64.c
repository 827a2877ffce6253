/* SPDX-License-Identifier: BSD-3-Clause */
/* See aarch64.h: from what capstone decodes to a form. */
#include "aarch64.h"

#include <string.h>

#include <precis/error.h>

#include "aarch64_branches.h"
#include "aarch64_capstone.h"

/* A branch by a condition has a mnemonic of its own: b.eq is not b. */
#define CONDITION 1024u
#define CONDITIONS 17u
_Static_assert(ARM64_INS_ENDING < CONDITION, "mnemonics and conditions are one number");

enum operations { OPERATIONS_NONE, OPERATIONS_EACH, OPERATIONS_PAIRS, OPERATIONS_ACROSS };

static const struct {
	uint8_t kind, times;
} flops[ARM64_INS_ENDING] = {
#define EACH(mnemonic, times) [ARM64_INS_##mnemonic] = { OPERATIONS_EACH, times },
#define PAIRS(mnemonic) [ARM64_INS_##mnemonic] = { OPERATIONS_PAIRS, 1 },
#define ACROSS(mnemonic) [ARM64_INS_##mnemonic] = { OPERATIONS_ACROSS, 1 },
#include "aarch64_flops.def"
#undef EACH
#undef PAIRS
#undef ACROSS
};

enum category {
	CATEGORY_INTEGER = 1,
	CATEGORY_BRANCH,
	CATEGORY_LOAD,
	CATEGORY_STORE,
	CATEGORY_PREFETCH,
	CATEGORY_FLOAT,
	CATEGORY_VECTOR,
	CATEGORY_CRYPTO,
	CATEGORY_SYSTEM,
	CATEGORIES
};

static const char *const categories[CATEGORIES] = {
	[CATEGORY_INTEGER] = "INTEGER",   [CATEGORY_BRANCH] = "BRANCH",
	[CATEGORY_LOAD] = "LOAD",         [CATEGORY_STORE] = "STORE",
	[CATEGORY_PREFETCH] = "PREFETCH", [CATEGORY_FLOAT] = "FLOAT",
	[CATEGORY_VECTOR] = "VECTOR",     [CATEGORY_CRYPTO] = "CRYPTO",
	[CATEGORY_SYSTEM] = "SYSTEM",
};

enum extension {
	EXTENSION_BASE = 1,
	EXTENSION_FP,
	EXTENSION_NEON,
	EXTENSION_CRYPTO,
	EXTENSION_CRC,
	EXTENSIONS
};

static const char *const extensions[EXTENSIONS] = {
	[EXTENSION_BASE] = "A64",      [EXTENSION_FP] = "FP",   [EXTENSION_NEON] = "NEON",
	[EXTENSION_CRYPTO] = "CRYPTO", [EXTENSION_CRC] = "CRC",
};

/* --- registers and their elements --- */

static uint32_t bytes_of_register(arm64_reg reg)
{
	static const struct {
		arm64_reg first, last;
		uint32_t bytes;
	} files[] = {
		{ ARM64_REG_B0, ARM64_REG_B31, 1 },  { ARM64_REG_H0, ARM64_REG_H31, 2 },
		{ ARM64_REG_S0, ARM64_REG_S31, 4 },  { ARM64_REG_D0, ARM64_REG_D31, 8 },
		{ ARM64_REG_Q0, ARM64_REG_Q31, 16 }, { ARM64_REG_V0, ARM64_REG_V31, 16 },
		{ ARM64_REG_W0, ARM64_REG_W30, 4 },  { ARM64_REG_X0, ARM64_REG_X28, 8 },
		{ ARM64_REG_X29, ARM64_REG_X30, 8 }, { ARM64_REG_SP, ARM64_REG_SP, 8 },
		{ ARM64_REG_WSP, ARM64_REG_WZR, 4 }, { ARM64_REG_XZR, ARM64_REG_XZR, 8 },
	};

	for (size_t n = 0; n < sizeof(files) / sizeof(files[0]); n++) {
		if (reg >= files[n].first && reg <= files[n].last)
			return files[n].bytes;
	}
	return 0;
}

static int is_general(arm64_reg reg)
{
	return (reg >= ARM64_REG_W0 && reg <= ARM64_REG_X28) || reg == ARM64_REG_X29 ||
	       reg == ARM64_REG_X30 || (reg >= ARM64_REG_SP && reg <= ARM64_REG_XZR);
}

/* Bits of an element and how many there are; 0, 0 without an arrangement */
static void arrangement_of(const cs_arm64_op *operand, uint32_t *bits, uint32_t *count)
{
	static const struct {
		uint8_t bits, count;
	} of[] = {
		[ARM64_VAS_INVALID] = { 0, 0 }, [ARM64_VAS_8B] = { 8, 8 },
		[ARM64_VAS_16B] = { 8, 16 },    [ARM64_VAS_4H] = { 16, 4 },
		[ARM64_VAS_8H] = { 16, 8 },     [ARM64_VAS_2S] = { 32, 2 },
		[ARM64_VAS_4S] = { 32, 4 },     [ARM64_VAS_1D] = { 64, 1 },
		[ARM64_VAS_2D] = { 64, 2 },     [ARM64_VAS_1Q] = { 128, 1 },
	};
	static const uint8_t indexed[] = {
		[ARM64_VESS_INVALID] = 0, [ARM64_VESS_B] = 8,  [ARM64_VESS_H] = 16,
		[ARM64_VESS_S] = 32,      [ARM64_VESS_D] = 64,
	};
	const uint32_t vas = (uint32_t)operand->vas, vess = (uint32_t)operand->vess;

	*bits = *count = 0;
	if (operand->type != ARM64_OP_REG)
		return;
	if (vess < sizeof(indexed) && indexed[vess]) {
		*bits = indexed[vess];
		*count = 1;
	} else if (vas < sizeof(of) / sizeof(of[0])) {
		*bits = of[vas].bits;
		*count = of[vas].count;
	}
}

/* The first operand in a vector register decides; 0 where none is in such a one */
static const cs_arm64_op *first_vector(const cs_arm64 *detail)
{
	for (uint32_t n = 0; n < detail->op_count; n++) {
		const cs_arm64_op *operand = &detail->operands[n];

		if (operand->type == ARM64_OP_REG && !is_general(operand->reg) &&
		    bytes_of_register(operand->reg))
			return operand;
	}
	return NULL;
}

static enum code_element element_of(const char *name)
{
	if (name[0] == 'f' || strstr(name, "cvtf"))
		return CODE_ELEMENT_FLOAT;
	return name[0] == 'u' ? CODE_ELEMENT_UINT : CODE_ELEMENT_INT;
}

static void find_elements(const cs_insn *insn, const cs_arm64 *detail, struct code_form *form)
{
	const cs_arm64_op *operand = first_vector(detail);
	uint32_t bits, count, bytes;

	if (!operand)
		return;
	bytes = bytes_of_register(operand->reg);
	arrangement_of(operand, &bits, &count);
	form->vector_bits = 128;
	if (bits && operand->vess == ARM64_VESS_INVALID) {
		form->packing = CODE_PACKING_PACKED;
		form->vector_bits = (uint16_t)(bits * count);
	} else if (bits || bytes < 16) {
		form->packing = CODE_PACKING_SCALAR;
		bits = bits ? bits : 8 * bytes;
		count = 1;
	} else {
		/* A whole register that is loaded or stored: of what nobody says */
		form->packing = CODE_PACKING_PACKED;
		form->element = CODE_ELEMENT_OTHER;
		form->element_bits = 128;
		form->element_count = 1;
		return;
	}
	form->element = element_of(insn->mnemonic);
	form->element_bits = (uint16_t)bits;
	form->element_count = (uint16_t)count;
}

static void find_operand_size(const cs_arm64 *detail, struct code_form *form)
{
	for (uint32_t n = 0; n < detail->op_count; n++) {
		const cs_arm64_op *operand = &detail->operands[n];

		if (operand->type != ARM64_OP_REG || !is_general(operand->reg))
			continue;
		form->operand_bits = (uint16_t)(8 * bytes_of_register(operand->reg));
		return;
	}
}

/* --- memory --- */

static int begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* What the mnemonic says of the size of data in a general register; 0: all of it */
static uint32_t bytes_by_name(const char *name)
{
	const size_t length = strlen(name);

	if (length > 2 && name[length - 1] == 'b')
		return 1;
	if (length > 2 && name[length - 1] == 'h')
		return 2;
	return length > 2 && strcmp(name + length - 2, "sw") == 0 ? 4 : 0;
}

static uint32_t bytes_of(const cs_arm64_op *operand, uint32_t by_name)
{
	uint32_t bits, count;

	if (is_general(operand->reg))
		return by_name ? by_name : bytes_of_register(operand->reg);
	arrangement_of(operand, &bits, &count);
	return bits ? bits * count / 8 : bytes_of_register(operand->reg);
}

/* Registers before the address are data; of a store that may fail the first is its answer. */
static void find_access(const cs_insn *insn, const cs_arm64 *detail, struct code_form *form)
{
	const char *name = insn->mnemonic;
	const int loads = begins(name, "ld"), stores = begins(name, "st");
	const uint32_t first = begins(name, "stx") || begins(name, "stlx") ? 1 : 0;
	const int is_one_for_all = begins(name, "ld") && strlen(name) == 4 && name[3] == 'r' &&
				   name[2] >= '1' && name[2] <= '4';
	uint32_t bytes = 0;

	if (!loads && !stores)
		return;
	for (uint32_t n = first; n < detail->op_count; n++) {
		const cs_arm64_op *operand = &detail->operands[n];
		uint32_t bits, count;

		if (operand->type != ARM64_OP_REG)
			break;
		arrangement_of(operand, &bits, &count);
		bytes += is_one_for_all ? bits / 8 : bytes_of(operand, bytes_by_name(name));
	}
	form->access[0] = (struct code_access){ .bytes = (uint16_t)bytes,
						.times = 1,
						.does = loads ? CODE_READS : CODE_WRITES };
	if (is_one_for_all)
		form->traits |= CODE_BROADCAST;
	if (!bytes) {
		form->access[0] = (struct code_access){ 0 };
		form->bytes_figure = CODE_FIGURE_UNKNOWN;
	}
}

/* --- floating-point operations --- */

static uint32_t elements_of(const cs_arm64 *detail, uint32_t n)
{
	uint32_t bits, count;

	if (n >= detail->op_count)
		return 0;
	arrangement_of(&detail->operands[n], &bits, &count);
	return count;
}

static void count_flops(const cs_insn *insn, const cs_arm64 *detail, struct code_form *form)
{
	const uint32_t elements = form->element_count ? form->element_count : 1;

	switch (flops[insn->id].kind) {
	case OPERATIONS_EACH:
		form->flops = elements * flops[insn->id].times;
		break;
	case OPERATIONS_PAIRS: /* of two vectors as many pairs as a result has elements; of one, one pair */
		form->flops = form->packing == CODE_PACKING_PACKED ? elements : 1;
		break;
	case OPERATIONS_ACROSS:
		form->flops = elements_of(detail, 1) ? elements_of(detail, 1) - 1 : 0;
		break;
	default:
		return;
	}
	form->element = CODE_ELEMENT_FLOAT;
}

/* --- all of it --- */

static int is_in(const cs_insn *insn, uint8_t group)
{
	for (uint32_t n = 0; n < insn->detail->groups_count; n++) {
		if (insn->detail->groups[n] == group)
			return 1;
	}
	return 0;
}

static enum extension extension_of(const cs_insn *insn, const struct code_form *form)
{
	if (is_in(insn, ARM64_GRP_CRYPTO))
		return EXTENSION_CRYPTO;
	if (is_in(insn, ARM64_GRP_CRC))
		return EXTENSION_CRC;
	if (is_in(insn, ARM64_GRP_NEON) || form->packing == CODE_PACKING_PACKED)
		return EXTENSION_NEON;
	return is_in(insn, ARM64_GRP_FPARMV8) || form->packing ? EXTENSION_FP : EXTENSION_BASE;
}

static enum category category_of(const cs_insn *insn, const struct code_form *form)
{
	if (form->branch != CODE_BRANCH_NONE)
		return CATEGORY_BRANCH;
	if (begins(insn->mnemonic, "prf"))
		return CATEGORY_PREFETCH;
	if (form->access[0].times)
		return form->access[0].does & CODE_READS ? CATEGORY_LOAD : CATEGORY_STORE;
	switch (insn->id) {
	case ARM64_INS_MRS:
	case ARM64_INS_MSR:
	case ARM64_INS_SYS:
	case ARM64_INS_SYSL:
	case ARM64_INS_DMB:
	case ARM64_INS_DSB:
	case ARM64_INS_ISB:
	case ARM64_INS_HINT:
	case ARM64_INS_CLREX:
		return CATEGORY_SYSTEM;
	default:
		break;
	}
	if (form->isa_extension == AARCH64_FIRST + EXTENSION_CRYPTO ||
	    form->isa_extension == AARCH64_FIRST + EXTENSION_CRC)
		return CATEGORY_CRYPTO;
	if (form->packing == CODE_PACKING_PACKED)
		return CATEGORY_VECTOR;
	return form->packing == CODE_PACKING_SCALAR ? CATEGORY_FLOAT : CATEGORY_INTEGER;
}

static uint32_t mnemonic_of(const cs_insn *insn, const cs_arm64 *detail)
{
	const uint32_t condition = insn->id == ARM64_INS_B && (uint32_t)detail->cc < CONDITIONS
					   ? (uint32_t)detail->cc
					   : 0;

	return condition * CONDITION + insn->id;
}

static void describe(const cs_insn *insn, struct code_form *form)
{
	const cs_arm64 *detail = &insn->detail->arm64;
	const uint8_t branch = form->branch;

	*form = (struct code_form){
		.mnemonic = (uint16_t)(AARCH64_FIRST + mnemonic_of(insn, detail)),
		.branch = branch,
	};
	find_elements(insn, detail, form);
	find_operand_size(detail, form);
	find_access(insn, detail, form);
	count_flops(insn, detail, form);
	form->isa_extension = form->isa_set = (uint16_t)(AARCH64_FIRST + extension_of(insn, form));
	form->category = (uint16_t)(AARCH64_FIRST + category_of(insn, form));
}

static int describe_known(const cs_insn *insn, void *form)
{
	if (!insn->id || insn->id >= ARM64_INS_ENDING)
		return 0;
	describe(insn, form);
	return 1;
}

int aarch64_decode(const uint8_t *bytes, size_t count, uint64_t address,
		   struct code_instruction *instruction)
{
	uint64_t displacement;
	int is_direct;

	if (count < AARCH64_BYTES)
		return PRECIS_E_TRUNCATED;
	instruction->length = AARCH64_BYTES;
	instruction->form.branch =
		(uint8_t)aarch64_branch_of(aarch64_word(bytes), &displacement, &is_direct);
	if (is_direct) {
		instruction->has_target = 1;
		instruction->target = address + displacement;
	}
	aarch64_capstone_use(bytes, address, 1, describe_known, &instruction->form);
	return (int)instruction->length;
}

/* --- names --- */

uint32_t aarch64_mnemonics(void)
{
	return CONDITIONS * CONDITION;
}

/* It is a string of capstone's own, which nobody frees. */
static const char *name_of(uint32_t id)
{
	struct aarch64_capstone capstone;
	const char *name;

	if (!aarch64_capstone_open(&capstone))
		return NULL;
	name = capstone.calls.insn_name(capstone.handle, id);
	aarch64_capstone_close(&capstone);
	return name;
}

const char *aarch64_mnemonic_name(uint32_t mnemonic)
{
	static const char *const conditions[CONDITIONS] = {
		[ARM64_CC_EQ] = "b.eq", [ARM64_CC_NE] = "b.ne", [ARM64_CC_HS] = "b.hs",
		[ARM64_CC_LO] = "b.lo", [ARM64_CC_MI] = "b.mi", [ARM64_CC_PL] = "b.pl",
		[ARM64_CC_VS] = "b.vs", [ARM64_CC_VC] = "b.vc", [ARM64_CC_HI] = "b.hi",
		[ARM64_CC_LS] = "b.ls", [ARM64_CC_GE] = "b.ge", [ARM64_CC_LT] = "b.lt",
		[ARM64_CC_GT] = "b.gt", [ARM64_CC_LE] = "b.le", [ARM64_CC_AL] = "b.al",
		[ARM64_CC_NV] = "b.nv",
	};
	const uint32_t condition = mnemonic / CONDITION, id = mnemonic % CONDITION;

	if (condition)
		return condition < CONDITIONS && id == ARM64_INS_B ? conditions[condition] : NULL;
	return id && id < ARM64_INS_ENDING ? name_of(id) : NULL;
}

const char *aarch64_category_name(uint32_t category)
{
	return category < CATEGORIES ? categories[category] : NULL;
}

const char *aarch64_extension_name(uint32_t extension)
{
	return extension < EXTENSIONS ? extensions[extension] : NULL;
}
