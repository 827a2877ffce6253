/* SPDX-License-Identifier: BSD-3-Clause */
/* A payload's registers by number, as the tables name them. */
#ifndef PRECIS_IBS_REGISTERS_H
#define PRECIS_IBS_REGISTERS_H

#include <string.h>

#include <precis/ibs.h>

extern const uint8_t precis_op_register_offset[PRECIS_IBS_REGISTER_COUNT];
extern const uint8_t precis_fetch_register_offset[PRECIS_IBS_REGISTER_COUNT];

static inline uint64_t op_register(const struct precis_ibs_op *op, uint32_t reg)
{
	uint64_t value;

	memcpy(&value, (const char *)op + precis_op_register_offset[reg], sizeof(value));
	return value;
}

static inline uint64_t fetch_register(const struct precis_ibs_fetch *fetch, uint32_t reg)
{
	uint64_t value;

	memcpy(&value, (const char *)fetch + precis_fetch_register_offset[reg], sizeof(value));
	return value;
}

#endif
