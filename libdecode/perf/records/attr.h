/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * struct perf_event_attr of any size, by offset: a file's may be older or newer
 * than every header that this library could be compiled with.
 */
#ifndef PRECIS_PERF_ATTR_H
#define PRECIS_PERF_ATTR_H

#include "bytes.h"

/* PERF_ATTR_SIZE_VER0: the first published one, and what attr.size 0 stands for */
#define ATTR_MIN_BYTES 64u

enum attr_offset {
	ATTR_TYPE = 0, /* u32 */
	ATTR_SIZE = 4, /* u32 */
	ATTR_CONFIG = 8,
	ATTR_SAMPLE_PERIOD = 16,
	ATTR_SAMPLE_TYPE = 24,
	ATTR_READ_FORMAT = 32,
	ATTR_FLAGS = 40,
	ATTR_BP_TYPE = 52, /* u32; the address of a breakpoint is in config1 */
	ATTR_CONFIG1 = 56,
	ATTR_CONFIG2 = 64,
	ATTR_BRANCH_SAMPLE_TYPE = 72,
	ATTR_SAMPLE_REGS_USER = 80,
	ATTR_SAMPLE_REGS_INTR = 96
};

/* Bits of the flag word, in order of declaration */
enum attr_flag {
	ATTR_INHERIT = 1,
	ATTR_EXCLUDE_USER = 4,
	ATTR_EXCLUDE_KERNEL = 5,
	ATTR_EXCLUDE_HV = 6,
	ATTR_FREQ = 10,
	ATTR_PRECISE_IP = 15, /* two bits */
	ATTR_SAMPLE_ID_ALL = 18,
	ATTR_EXCLUDE_HOST = 19,
	ATTR_EXCLUDE_GUEST = 20,
	ATTR_WRITE_BACKWARD = 27,
	ATTR_AUX_OUTPUT = 31
};

/* 0 for a member that this attr is too old to have */
static inline uint64_t attr_u64(const uint8_t *attr, size_t bytes, enum attr_offset offset)
{
	return (size_t)offset + 8 <= bytes ? load_u64(attr + offset) : 0;
}

static inline uint32_t attr_bits(const uint8_t *attr, enum attr_flag first, uint32_t count)
{
	return (uint32_t)bit_field(load_u64(attr + ATTR_FLAGS), first, count);
}

#endif
