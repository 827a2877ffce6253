/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One instruction after the other: its length, its form, its target.
 *
 * Of x86 one of two files implements it: instruction.c with Zydis, no_instruction.c without; of aarch64
 * those of aarch64.h. Zydis 4.0 does not know APX, AVX10, AVX-IFMA, AVX-NE-CONVERT, AVX-VNNI-INT, AMX-FP16,
 * CMPCCXADD, SHA512, FRED and PREFETCHIT: such an instruction is an unknown one, which is a class of its own.
 */
#ifndef LIBDECODE_CODE_INSTRUCTION_H
#define LIBDECODE_CODE_INSTRUCTION_H

#include <stddef.h>
#include <stdint.h>

#include "form.h"

/**
 * Decode the instruction at the start of some bytes.
 *
 * @param bytes    may be read up to 'count'; more than 15 are not looked at
 * @param address  of the first one
 * @param bits     64 or 32 of x86, or PRECIS_CODE_AARCH64
 * @return its length; 0 if that is no known instruction; PRECIS_E_TRUNCATED if it is longer than what is
 *         there; PRECIS_E_ARGUMENT; PRECIS_E_UNSUPPORTED without the machine's decoder. The form
 *         is then the unknown one
 */
int code_instruction_decode(const void *bytes, size_t count, uint64_t address, uint32_t bits,
			    struct code_instruction *instruction);

/** Names of Zydis, or of aarch64.h; NULL if there is none of that number. 0 has one nowhere. */
const char *code_mnemonic_name(uint32_t mnemonic);
const char *code_category_name(uint32_t category);
const char *code_isa_set_name(uint32_t isa_set);
const char *code_isa_extension_name(uint32_t isa_extension);

/** How many mnemonics there are: numbers are less. 0 without Zydis */
uint32_t code_mnemonics(void);

/** The number of a mnemonic, in letters of either case; 0 if there is none of that name. Of x86 first */
uint32_t code_mnemonic_find(const char *name, size_t length);

/** The next one of that name, above a number: machines have many in common */
uint32_t code_mnemonic_find_above(const char *name, size_t length, uint32_t number);

#endif
