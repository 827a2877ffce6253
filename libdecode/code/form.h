/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an instruction of x86 does, as numbers that can be counted: what it is called, how it branches, what
 * it reads and writes, how many floating-point operations it does. Not how long it is, where it is, and
 * where it goes.
 */
#ifndef LIBDECODE_CODE_FORM_H
#define LIBDECODE_CODE_FORM_H

#include <stdint.h>

/* How control goes on behind it */
enum code_branch {
#define BRANCH(name, text, falls_through) CODE_BRANCH_##name,
#include "branches.def"
#undef BRANCH
	CODE_BRANCHES
};

/* How far a number of operations or bytes is known, and why no further */
enum code_figure {
#define FIGURE(name, text) CODE_FIGURE_##name,
#include "figures.def"
#undef FIGURE
	CODE_FIGURES
};

enum code_element {
	CODE_ELEMENT_NONE = 0,
	CODE_ELEMENT_INT = 1,
	CODE_ELEMENT_UINT = 2,
	CODE_ELEMENT_FLOAT = 3,
	CODE_ELEMENT_OTHER = 4 /* structures, decimals */
};

/* By what is computed with, not by where it lies: ADDSD is scalar though its register is a vector */
enum code_packing {
	CODE_PACKING_NONE = 0, /* no vector register */
	CODE_PACKING_SCALAR = 1,
	CODE_PACKING_PACKED = 2
};

/* Traits */
#define CODE_LOCKED (1u << 0)    /* by a LOCK prefix, or as xchg with memory always is */
#define CODE_REPEATED (1u << 1)  /* REP, REPE, REPNE */
#define CODE_MASKED (1u << 2)    /* a mask register other than k0, or a vector, says which elements */
#define CODE_BROADCAST (1u << 3) /* one element of memory for all of the vector */
#define CODE_GATHER (1u << 4)
#define CODE_SCATTER (1u << 5)
#define CODE_STACK (1u << 6)     /* memory that no operand in the text names: of push, pop, call, ret */

/* A memory operand that is read or written */
#define CODE_READS 1u
#define CODE_WRITES 2u
struct code_access {
	uint16_t bytes; /* of one element of a gather or scatter, else of all */
	uint8_t times;  /* elements of a gather or scatter, else 1; 0: no such operand */
	uint8_t does;   /* CODE_READS, CODE_WRITES */
};
#define CODE_ACCESSES 3u

/*
 * Two with the same bytes in all members are the same form. An unknown instruction has zeros, but for its
 * figures, which are CODE_FIGURE_UNKNOWN: see code_form_unknown().
 */
struct code_form {
	uint16_t mnemonic;      /* Zydis's number, see code_mnemonic_name(); 0: an unknown instruction */
	uint16_t category;      /* Zydis's numbers, too */
	uint16_t isa_set;
	uint16_t isa_extension;
	uint16_t vector_bits;   /* of the widest vector that it works on; 0: none */
	uint16_t operand_bits;  /* what 16, 32 and 64 bits mean to a general-purpose instruction */
	uint16_t element_bits;  /* 0 without an element */
	uint16_t element_count;
	uint16_t traits;        /* CODE_LOCKED ... */
	uint8_t element;        /* enum code_element */
	uint8_t packing;        /* enum code_packing */
	uint8_t branch;         /* enum code_branch */
	uint8_t flops_figure;   /* enum code_figure: of 'flops' */
	uint8_t bytes_figure;   /* of 'access' */
	uint8_t reserved;
	uint32_t flops;         /* floating-point operations; FMA is two */
	struct code_access access[CODE_ACCESSES];
};
_Static_assert(sizeof(struct code_form) == 40, "no bytes between members: forms are compared as bytes");

/* One instruction at its place, and its form */
struct code_instruction {
	uint64_t target; /* address; 0 without a direct one */
	uint32_t length; /* bytes */
	uint32_t has_target;
	struct code_form form;
};

/** The form of an instruction of which nothing is known. */
void code_form_unknown(struct code_form *form);

/** "conditional", "return", ... Never NULL. */
const char *code_branch_name(uint32_t branch);

/** Does control go on behind it, at once or after a call? */
int code_falls_through(uint32_t branch);

/** Why a figure is not exact. Never NULL. */
const char *code_figure_text(uint32_t figure);

/** Bytes that one execution reads, and writes; as far as 'bytes_figure' says. */
uint32_t code_read_bytes(const struct code_form *form);
uint32_t code_written_bytes(const struct code_form *form);

#endif
