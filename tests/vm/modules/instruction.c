// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* See instruction.h. */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/insn.h>
#include <asm/pgtable.h>

#include "instruction.h"
#include "instruction_table.h"
#include "kernel_symbols.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* What the encoding says, whichever of its forms it has */
struct encoding {
	enum instruction_map map;
	bool vex, wide, long_vector;
	u8 prefix;           /* 0, 0x66, 0xf2, 0xf3 */
	u8 opcode;
	u8 mod, reg, rm;     /* reg, rm: with the field alone */
	u8 extend_reg, extend_index, extend_base; /* 0 or 8 */
	bool memory, repeated, locked, segment;
};

static bool read_bytes(const struct pt_regs *regs, u64 address, void *bytes, unsigned int n)
{
	if (user_mode((struct pt_regs *)regs))
		return copy_from_user_nmi(bytes, (void __user *)address, n) == 0;
	return copy_from_kernel_nofault(bytes, (void *)address, n) == 0;
}

/* The bytes of an instruction end with its page if the next one is not there. */
static unsigned int read_code(const struct pt_regs *regs, u8 *code)
{
	unsigned int n = MAX_INSN_SIZE;

	if (read_bytes(regs, regs->ip, code, n))
		return n;
	n = PAGE_SIZE - offset_in_page(regs->ip);
	return n < MAX_INSN_SIZE && read_bytes(regs, regs->ip, code, n) ? n : 0;
}

static void encoding_prefixes(const struct insn *insn, struct encoding *encoding)
{
	unsigned int i;

	for (i = 0; i < sizeof(insn->prefixes.bytes) && i < insn->prefixes.nbytes; i++) {
		switch (insn->prefixes.bytes[i]) {
		case 0x66:
			if (!encoding->prefix)
				encoding->prefix = 0x66;
			break;
		case 0xf2:
		case 0xf3:
			encoding->prefix = insn->prefixes.bytes[i];
			encoding->repeated = true;
			break;
		case 0xf0:
			encoding->locked = true;
			break;
		case 0x64:
		case 0x65:
			encoding->segment = true;
			break;
		}
	}
}

static bool encoding_vex(const struct insn *insn, struct encoding *encoding)
{
	static const u8 prefixes[4] = { 0, 0x66, 0xf3, 0xf2 };
	const u8 *vex = insn->vex_prefix.bytes;
	bool three = insn->vex_prefix.nbytes >= 3;
	u8 last = three ? vex[2] : vex[1];
	u8 map = three ? X86_VEX3_M(vex[1]) : X86_VEX2_M;

	/* EVEX: no machine of the model has AVX-512 */
	if (insn->vex_prefix.nbytes > 3 || map < 1 || map > 3)
		return false;
	encoding->vex = true;
	encoding->map = map;
	encoding->prefix = prefixes[X86_VEX_P(last)];
	encoding->long_vector = X86_VEX_L(last);
	encoding->extend_reg = X86_VEX_R(vex[1]) ? 0 : 8;
	if (three) {
		encoding->extend_index = X86_VEX_X(vex[1]) ? 0 : 8;
		encoding->extend_base = X86_VEX_B(vex[1]) ? 0 : 8;
		encoding->wide = X86_VEX_W(vex[2]);
	}
	encoding->opcode = insn->opcode.bytes[0];
	return true;
}

static void encoding_legacy(const struct insn *insn, struct encoding *encoding)
{
	const u8 *opcode = insn->opcode.bytes;
	u8 rex = insn->rex_prefix.nbytes ? insn->rex_prefix.bytes[0] : 0;

	encoding->wide = X86_REX_W(rex);
	encoding->extend_reg = X86_REX_R(rex) ? 8 : 0;
	encoding->extend_index = X86_REX_X(rex) ? 8 : 0;
	encoding->extend_base = X86_REX_B(rex) ? 8 : 0;
	switch (insn->opcode.nbytes) {
	case 1:
		encoding->map = MAP_ONE_BYTE;
		break;
	case 2:
		encoding->map = MAP_0F;
		break;
	default:
		encoding->map = opcode[1] == 0x38 ? MAP_0F38 : MAP_0F3A;
		break;
	}
	encoding->opcode = opcode[insn->opcode.nbytes - 1];
}

static bool encoding_of(const struct insn *insn, struct encoding *encoding)
{
	memset(encoding, 0, sizeof(*encoding));
	encoding_prefixes(insn, encoding);
	if (insn->vex_prefix.nbytes) {
		if (!encoding_vex(insn, encoding))
			return false;
	} else {
		encoding_legacy(insn, encoding);
	}
	encoding->mod = X86_MODRM_MOD(insn->modrm.value);
	encoding->reg = X86_MODRM_REG(insn->modrm.value);
	encoding->rm = X86_MODRM_RM(insn->modrm.value);
	encoding->memory = insn->modrm.nbytes && encoding->mod != 3;
	return true;
}

static u32 access_bytes(const struct insn *insn, const struct encoding *encoding, u8 width)
{
	switch (width) {
	case WIDTH_OPERAND:
		return insn->opnd_bytes;
	case WIDTH_WORD:
		return encoding->wide ? 8 : 4;
	case WIDTH_HALF:
		return encoding->prefix == 0x66 ? 8 : 4;
	case WIDTH_SCALAR:
		if (encoding->prefix == 0xf3)
			return 4;
		if (encoding->prefix == 0xf2)
			return 8;
		fallthrough;
	case WIDTH_VECTOR:
		return encoding->long_vector ? 32 : 16;
	default:
		return width;
	}
}

/* The registers that the address of a memory operand is made of */
static u16 address_registers(const struct insn *insn, const struct encoding *encoding)
{
	u16 registers = 0;
	u8 base = encoding->rm, index;

	if (!encoding->memory)
		return 0;
	if (insn->sib.nbytes) {
		base = X86_SIB_BASE(insn->sib.value);
		index = X86_SIB_INDEX(insn->sib.value) | encoding->extend_index;
		if (index != RSP)
			registers |= 1u << index;
	}
	if (base == RBP && encoding->mod == 0)
		return registers; /* a displacement instead */
	return registers | 1u << (base | encoding->extend_base);
}

/*
 * Push, pop, call and return do not count as readers and writers of rsp: the stack engine
 * of these cores follows it without executing anything.
 */
static void depend(struct vm_operation *operation, const struct insn *insn,
		   const struct encoding *encoding, u32 what)
{
	u16 reg = 1u << (encoding->reg | encoding->extend_reg);
	u16 rm = encoding->memory ? 0 : 1u << (encoding->rm | encoding->extend_base);
	u16 low = 1u << ((encoding->opcode & 7) | encoding->extend_base);
	const struct {
		u32 what;
		u16 registers;
	} rows[] = {
		{ OP_READS_REG | OP_WRITES_REG, reg },
		{ OP_READS_RM | OP_WRITES_RM, rm },
		{ OP_READS_LOW | OP_WRITES_LOW, low },
		{ OP_READS_AX | OP_WRITES_AX, 1u << RAX },
		{ OP_READS_DX | OP_WRITES_DX, 1u << RDX },
		{ OP_READS_CX | OP_WRITES_CX, 1u << RCX },
		{ OP_FROM_SI, 1u << RSI },
		{ OP_FROM_DI | OP_TO_DI, 1u << RDI },
	};
	const u32 reads = OP_READS_REG | OP_READS_RM | OP_READS_LOW | OP_READS_AX | OP_READS_DX |
			  OP_READS_CX | OP_FROM_SI | OP_FROM_DI | OP_TO_DI;
	const u32 writes = OP_WRITES_REG | OP_WRITES_RM | OP_WRITES_LOW | OP_WRITES_AX |
			   OP_WRITES_DX | OP_WRITES_CX | OP_FROM_SI | OP_FROM_DI | OP_TO_DI;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (what & rows[i].what & reads)
			operation->reads |= rows[i].registers;
		if (what & rows[i].what & writes)
			operation->writes |= rows[i].registers;
	}
	operation->reads |= address_registers(insn, encoding);
}

static void set_address(struct vm_operation *operation, u64 address)
{
	operation->address = address;
	operation->address_known = true;
}

/* The address of what ModRM names */
static bool operand_address(struct insn *insn, const struct encoding *encoding,
			    struct pt_regs *regs, u64 *address)
{
	/* The kernel's decoder takes the segments of the user even in the kernel. */
	if (encoding->segment && !user_mode(regs))
		return false;
	*address = (u64)kernel_symbols.insn_get_addr_ref(insn, regs);
	return *address != -1UL;
}

static u64 absolute_address(const struct insn *insn)
{
	u64 address = (u32)insn->moffset1.value;

	if (insn->moffset2.nbytes)
		address |= (u64)(u32)insn->moffset2.value << 32;
	return address;
}

static void access(struct vm_operation *operation, struct insn *insn,
		   const struct encoding *encoding, struct pt_regs *regs,
		   const struct instruction_row *row)
{
	u32 what = row->what;
	u64 address;

	if ((what & OP_ABSOLUTE) || (what & (OP_FROM_SI | OP_FROM_DI | OP_TO_DI)) ||
	    encoding->memory) {
		operation->load = what & OP_LOAD;
		operation->store = what & OP_STORE;
	}
	if (operation->load && (what & OP_PREFETCH))
		operation->software_prefetch = true;
	if (operation->load || operation->store)
		operation->locked = encoding->locked || (what & OP_LOCKED);
	operation->streaming = operation->store && (what & OP_STREAMING);

	if (what & OP_ABSOLUTE) {
		if (!encoding->segment)
			set_address(operation, absolute_address(insn));
	} else if (what & OP_FROM_SI) {
		set_address(operation, regs->si);
	} else if (what & (OP_FROM_DI | OP_TO_DI)) {
		set_address(operation, regs->di);
	} else if (operation->load || operation->store) {
		if (!(what & OP_NO_ACCESS) && operand_address(insn, encoding, regs, &address))
			set_address(operation, address);
	} else if (what & OP_PUSH) {
		operation->store = true;
		set_address(operation, regs->sp - row->width);
	} else if (what & OP_POP) {
		operation->load = true;
		/* leave: takes the frame pointer from where it points to */
		set_address(operation, encoding->opcode == 0xc9 ? regs->bp : regs->sp);
	}
	if ((what & OP_PUSH) && operation->load)
		operation->store = true;
	if (operation->load || operation->store)
		operation->bytes = access_bytes(insn, encoding, row->width);
	if (encoding->map == MAP_0F && encoding->opcode == 0xc7)
		operation->bytes = encoding->wide ? 16 : 8; /* cmpxchg8b, cmpxchg16b */
}

/* Conditions of jcc, by opcode[3:1]; [0] is "not" */
static bool condition(unsigned long flags, u8 code)
{
	bool carry = flags & X86_EFLAGS_CF, zero = flags & X86_EFLAGS_ZF;
	bool sign = flags & X86_EFLAGS_SF, overflow = flags & X86_EFLAGS_OF;
	const bool conditions[8] = {
		overflow, carry, zero, carry || zero, sign, flags & X86_EFLAGS_PF,
		sign != overflow, zero || sign != overflow,
	};

	return conditions[code >> 1 & 7] != (code & 1);
}

/* loop, jrcxz (E0 to E3) */
static bool counted(const struct pt_regs *regs, u8 opcode)
{
	bool zero = regs->flags & X86_EFLAGS_ZF;

	switch (opcode) {
	case 0xe0:
		return regs->cx != 1 && !zero;
	case 0xe1:
		return regs->cx != 1 && zero;
	case 0xe2:
		return regs->cx != 1;
	default:
		return regs->cx == 0;
	}
}

static u64 register_value(const struct pt_regs *regs, u8 number)
{
	const unsigned long values[16] = {
		regs->ax, regs->cx, regs->dx, regs->bx, regs->sp, regs->bp, regs->si, regs->di,
		regs->r8, regs->r9, regs->r10, regs->r11, regs->r12, regs->r13, regs->r14,
		regs->r15,
	};

	return values[number & 15];
}

static void branch(struct vm_operation *operation, const struct insn *insn,
		   const struct encoding *encoding, const struct pt_regs *regs, u32 what)
{
	operation->branch = true;
	operation->is_return = what & OP_RETURN;
	operation->conditional = what & (OP_CONDITION | OP_COUNTED);
	operation->taken = true;
	if (what & OP_CONDITION)
		operation->taken = condition(regs->flags, encoding->opcode & 15);
	else if (what & OP_COUNTED)
		operation->taken = counted(regs, encoding->opcode);

	if (!(what & OP_INDIRECT))
		operation->branch_target = regs->ip + insn->length + (s64)insn->immediate.value;
	else if (!(what & OP_RETURN) && !encoding->memory)
		operation->branch_target =
			register_value(regs, encoding->rm | encoding->extend_base);
	else if (!operation->address_known ||
		 !read_bytes(regs, operation->address, &operation->branch_target, 8))
		operation->branch_target = 0;
}

/* What has to run next, unless a signal comes */
static void expect(struct instruction *instruction, const struct encoding *encoding, u32 what)
{
	const struct vm_operation *operation = &instruction->operation;

	instruction->next_known = true;
	instruction->expected_next = operation->ip + instruction->length;
	if (operation->branch && operation->taken)
		instruction->expected_next = operation->branch_target;
	/* A repeated string instruction is stepped iteration by iteration. */
	if ((what & OP_SYSTEM) || !instruction->expected_next ||
	    (encoding->repeated && (what & (OP_FROM_SI | OP_FROM_DI | OP_TO_DI))))
		instruction->next_known = false;
}

void instruction_start(void)
{
	instruction_table_start();
}

bool instruction_decode(struct pt_regs *regs, struct instruction *instruction)
{
	struct vm_operation *operation = &instruction->operation;
	const struct instruction_row *row;
	struct encoding encoding;
	struct insn insn;
	u8 code[MAX_INSN_SIZE];
	unsigned int n;
	u32 what;

	memset(instruction, 0, sizeof(*instruction));
	operation->ip = regs->ip;
	if (user_mode(regs) && !user_64bit_mode(regs))
		return false;
	n = read_code(regs, code);
	if (n == 0 || kernel_symbols.insn_decode(&insn, code, n, INSN_MODE_64) < 0)
		return false;
	instruction->length = insn.length;
	if (!encoding_of(&insn, &encoding))
		return false;
	row = instruction_row(encoding.map, encoding.vex, encoding.prefix, encoding.opcode,
			      encoding.reg);
	what = row ? row->what : 0;
	if (row)
		access(operation, &insn, &encoding, regs, row);
	if (what & OP_JUMP)
		branch(operation, &insn, &encoding, regs, what);
	operation->microcode = what & OP_MICROCODE;
	depend(operation, &insn, &encoding, what);
	expect(instruction, &encoding, what);
	return true;
}

/* false: no page is there */
static bool translate(u64 address, u64 *physical, u8 *page)
{
	unsigned int level;
	u64 entry, size;
	pte_t *pte;

	if (address < TASK_SIZE_MAX)
		pte = current->mm ? kernel_symbols.lookup_address_in_pgd(
				pgd_offset(current->mm, address), address, &level) : NULL;
	else
		pte = lookup_address(address, &level);
	if (!pte || !(pte_flags(*pte) & (_PAGE_PRESENT | _PAGE_PROTNONE)))
		return false;
	entry = pte_val(*pte);
	switch (level) {
	case PG_LEVEL_4K:
		*page = VM_PAGE_4K;
		size = PAGE_SIZE;
		break;
	case PG_LEVEL_2M:
		*page = VM_PAGE_2M;
		size = PMD_SIZE;
		break;
	case PG_LEVEL_1G:
		*page = VM_PAGE_1G;
		size = PUD_SIZE;
		break;
	default:
		return false;
	}
	*physical = (entry & PTE_PFN_MASK & ~(size - 1)) | (address & (size - 1));
	return true;
}

void instruction_translate(struct vm_operation *operation)
{
	operation->ip_physical_known =
		translate(operation->ip, &operation->ip_physical, &operation->ip_page);
	if (operation->address_known)
		operation->physical_known =
			translate(operation->address, &operation->physical, &operation->page);
}
