/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions of aarch64, by capstone: the same as instruction.h has of x86, by numbers above those of
 * Zydis. What capstone 4.0 does not know (pointer authentication, SVE, LSE and later) has its length and its
 * branch, and is an instruction of an unknown form.
 */
#ifndef LIBDECODE_CODE_AARCH64_H
#define LIBDECODE_CODE_AARCH64_H

#include <stddef.h>
#include <stdint.h>

#include "form.h"

/* Mnemonics, categories, sets and extensions of aarch64 are numbers from there on. */
#define AARCH64_FIRST 0x2000u

/** As code_instruction_decode(). PRECIS_E_UNSUPPORTED without capstone */
int aarch64_decode(const uint8_t *bytes, size_t count, uint64_t address,
		   struct code_instruction *instruction);

/** Of a number less AARCH64_FIRST; NULL: there is none */
const char *aarch64_mnemonic_name(uint32_t mnemonic);
const char *aarch64_category_name(uint32_t category);
const char *aarch64_extension_name(uint32_t extension);

/** How many mnemonics there are; 0 without capstone */
uint32_t aarch64_mnemonics(void);

#endif
