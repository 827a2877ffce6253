/* SPDX-License-Identifier: BSD-3-Clause */
/* What perf c2c would count of a sample. */
#ifndef ANALYSIS_SHARING_C2C_H
#define ANALYSIS_SHARING_C2C_H

#include <stdint.h>

enum sharing_c2c {
#define SHARING_C2C(id, name, sum) SHARING_C2C_##id,
#include "c2c.def"
#undef SHARING_C2C
	SHARING_C2C_COUNTS,
	SHARING_C2C_NO_SUM = SHARING_C2C_COUNTS
};

/* Counted up by what a word of perf's data source says */
void sharing_c2c_count(uint32_t counts[SHARING_C2C_COUNTS], uint64_t word);

#endif
