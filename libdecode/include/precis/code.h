/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an instruction is: how long, what it does to memory, where it jumps, and its text.
 *
 * The decoder of x86 is Zydis, that of aarch64 capstone; a build without one knows no instruction of its
 * machine.
 */
#ifndef PRECIS_CODE_H
#define PRECIS_CODE_H

#include <stddef.h>
#include <stdint.h>

#include <precis/export.h>

PRECIS_BEGIN_DECLS

/** What it does. An instruction may do several of these. */
#define PRECIS_CODE_LOADS (1u << 0)       /* reads memory: also pop, ret */
#define PRECIS_CODE_STORES (1u << 1)      /* writes memory: also push, call */
#define PRECIS_CODE_JUMP (1u << 2)        /* goes elsewhere, and does not come back */
#define PRECIS_CODE_CALL (1u << 3)
#define PRECIS_CODE_RETURN (1u << 4)
#define PRECIS_CODE_CONDITIONAL (1u << 5) /* a jump that may not be taken */
#define PRECIS_CODE_TARGET (1u << 6)      /* 'target' is where it jumps, or what it calls */

/** How its text is written. */
enum precis_code_syntax {
	PRECIS_CODE_ATT = 0, /* as objdump and perf do */
	PRECIS_CODE_INTEL = 1
};

#define PRECIS_CODE_BYTES_MOST 15u /* no instruction of x86 is longer */
#define PRECIS_CODE_TEXT 128u

struct precis_instruction {
	uint32_t size;   /* sizeof(struct precis_instruction), set by the caller */
	uint32_t length; /* in bytes */
	uint32_t does;   /* PRECIS_CODE_* */
	uint32_t reserved;
	uint64_t target; /* address; 0 unless 'does' has PRECIS_CODE_TARGET */
	char text[PRECIS_CODE_TEXT];
};

/** In the place of the bits of x86: code of aarch64. */
#define PRECIS_CODE_AARCH64 UINT32_C(0xb70040)

/** Can this build decode instructions of x86? */
PRECIS_API int precis_code_available(void);

/**
 * Decode the instruction at the start of some bytes.
 *
 * @param bytes        code
 * @param count        how many there are; more than PRECIS_CODE_BYTES_MOST are not looked at
 * @param address      of the first one: what targets and operands are relative to
 * @param bits         of the program: 64 or 32, or PRECIS_CODE_AARCH64
 * @param syntax       enum precis_code_syntax; of x86 alone
 * @param instruction  'size' must be set
 * @return its length; 0 if that is no instruction; PRECIS_E_TRUNCATED if it is longer than what is
 *         there; PRECIS_E_ARGUMENT; PRECIS_E_UNSUPPORTED in a build without the machine's decoder. What
 *         capstone does not know of aarch64 has the text ".inst" and its word
 */
PRECIS_API int precis_code_decode(const void *bytes, size_t count, uint64_t address, uint32_t bits,
				  uint32_t syntax, struct precis_instruction *instruction);

PRECIS_END_DECLS

#endif
