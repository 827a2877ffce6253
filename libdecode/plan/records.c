/* SPDX-License-Identifier: BSD-3-Clause */
/* How long records of samples are, and how many of Intel's come in one interrupt. */
#include <precis/plan.h>
#include <precis/record.h>

#include "setup.h"

/* perf_event_open(2): each of these is a word of its own */
#define WORDS                                                                                      \
	(PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_ADDR |          \
	 PRECIS_SAMPLE_READ | PRECIS_SAMPLE_ID | PRECIS_SAMPLE_CPU | PRECIS_SAMPLE_PERIOD |        \
	 PRECIS_SAMPLE_STREAM_ID | PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_DATA_SRC |                 \
	 PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_TRANSACTION | PRECIS_SAMPLE_PHYS_ADDR |          \
	 PRECIS_SAMPLE_CGROUP | PRECIS_SAMPLE_DATA_PAGE_SIZE | PRECIS_SAMPLE_CODE_PAGE_SIZE |      \
	 PRECIS_SAMPLE_WEIGHT_STRUCT)

/* LARGE_PEBS_FLAGS of arch/x86/events/perf_event.h, Linux 7.3, and TIME, from PEBS format 3 on */
#define GATHERED                                                                                   \
	(PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_ADDR |          \
	 PRECIS_SAMPLE_ID | PRECIS_SAMPLE_CPU | PRECIS_SAMPLE_STREAM_ID | PRECIS_SAMPLE_DATA_SRC | \
	 PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_TRANSACTION | PRECIS_SAMPLE_PHYS_ADDR |          \
	 PRECIS_SAMPLE_REGS_INTR | PRECIS_SAMPLE_REGS_USER | PRECIS_SAMPLE_PERIOD |                \
	 PRECIS_SAMPLE_CODE_PAGE_SIZE | PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT)

#define RECORD_MOST 65528u /* the size in its header has 16 bits */

#define COUNTERS 8u        /* so many records' room is left for counters that overflow at once */

static uint64_t words_of(uint64_t sample_type)
{
	uint64_t words = 0;

	for (uint64_t left = sample_type & WORDS; left; left &= left - 1)
		words++;
	return words;
}

static uint64_t padded(uint64_t bytes)
{
	return (bytes + 7) / 8 * 8;
}

uint32_t precis_plan_record_bytes(uint64_t sample_type, uint32_t raw_bytes, uint32_t frames,
				  uint32_t registers, uint32_t branches, uint32_t stack_bytes)
{
	uint64_t bytes = 8 + 8 * words_of(sample_type);

	if (sample_type & PRECIS_SAMPLE_CALLCHAIN)
		bytes += 8 + 8 * (uint64_t)frames;
	if (sample_type & PRECIS_SAMPLE_RAW)
		bytes += padded(4 + (uint64_t)raw_bytes);
	if (sample_type & PRECIS_SAMPLE_BRANCH_STACK)
		bytes += 8 + 24 * (uint64_t)branches;
	if (sample_type & PRECIS_SAMPLE_REGS_USER)
		bytes += 8 + 8 * (uint64_t)registers;
	if (sample_type & PRECIS_SAMPLE_REGS_INTR)
		bytes += 8 + 8 * (uint64_t)registers;
	if (sample_type & PRECIS_SAMPLE_STACK_USER)
		bytes += 16 + padded(stack_bytes);
	if (sample_type & PRECIS_SAMPLE_AUX)
		bytes += 8;
	return bytes > RECORD_MOST ? RECORD_MOST : (uint32_t)bytes;
}

uint32_t precis_plan_large_pebs(uint32_t pebs_bytes)
{
	const uint32_t room = pebs_bytes ? DEBUG_STORE / pebs_bytes : 0;

	return room > COUNTERS ? room - COUNTERS : 1;
}

uint64_t precis_plan_ends_large_pebs(uint64_t sample_type)
{
	return sample_type & ~(uint64_t)GATHERED;
}
