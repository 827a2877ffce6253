/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of PEBS records made by hand: each word tells at which offset it stands. */
#ifndef TESTS_UNIT_PEBS_BYTES_H
#define TESTS_UNIT_PEBS_BYTES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>
#include <precis/pebs.h>

#include "tests/support/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define BIT(n) (UINT64_C(1) << (n))

static inline void put32(uint8_t *at, uint32_t value)
{
	for (unsigned int i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

static inline void put64(uint8_t *at, uint64_t value)
{
	for (unsigned int i = 0; i < 8; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

/* The word that fill() puts at an offset. */
static inline uint64_t word_at(size_t offset)
{
	return UINT64_C(0x8877665544330000) | offset;
}

static inline void fill(uint8_t *bytes, size_t count)
{
	for (size_t offset = 0; offset + 8 <= count; offset += 8)
		put64(bytes + offset, word_at(offset));
}

/* A register or word and the offset that a document gives for it. */
struct place {
	uint32_t name;
	size_t offset;
};

static inline void check_registers(const struct precis_pebs *pebs, const struct place *places,
				   size_t count, size_t from)
{
	for (size_t i = 0; i < count; i++) {
		CU_ASSERT(pebs->gpr_captured >> places[i].name & 1);
		if (pebs->gpr[places[i].name] != word_at(from + places[i].offset))
			printf("# register %u\n", (unsigned int)places[i].name);
		CU_ASSERT_EQUAL(pebs->gpr[places[i].name], word_at(from + places[i].offset));
	}
}

static inline void check_words(const struct precis_pebs *pebs, const struct place *places,
			       size_t count, size_t from)
{
	for (size_t i = 0; i < count; i++) {
		CU_ASSERT(pebs->captured >> places[i].name & 1);
		if (pebs->word[places[i].name] != word_at(from + places[i].offset))
			printf("# word %u\n", (unsigned int)places[i].name);
		CU_ASSERT_EQUAL(pebs->word[places[i].name], word_at(from + places[i].offset));
	}
}

/* The GPR group of adaptive and architectural records: ax, cx, dx, bx, sp, bp, si, di. */
static const struct place group_registers[] = {
	{ PRECIS_PEBS_FLAGS, 0x00 }, { PRECIS_PEBS_IP, 0x08 },	{ PRECIS_PEBS_AX, 0x10 },
	{ PRECIS_PEBS_CX, 0x18 },    { PRECIS_PEBS_DX, 0x20 },	{ PRECIS_PEBS_BX, 0x28 },
	{ PRECIS_PEBS_SP, 0x30 },    { PRECIS_PEBS_BP, 0x38 },	{ PRECIS_PEBS_SI, 0x40 },
	{ PRECIS_PEBS_DI, 0x48 },    { PRECIS_PEBS_R8, 0x50 },	{ PRECIS_PEBS_R9, 0x58 },
	{ PRECIS_PEBS_R10, 0x60 },   { PRECIS_PEBS_R11, 0x68 }, { PRECIS_PEBS_R12, 0x70 },
	{ PRECIS_PEBS_R13, 0x78 },   { PRECIS_PEBS_R14, 0x80 }, { PRECIS_PEBS_R15, 0x88 },
};

#endif
