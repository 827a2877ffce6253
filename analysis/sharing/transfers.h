/* SPDX-License-Identifier: BSD-3-Clause */
/* What a sample says of where its line came from, and what its CPU never says. */
#ifndef ANALYSIS_SHARING_TRANSFERS_H
#define ANALYSIS_SHARING_TRANSFERS_H

#include <precis/precis.h>

/* Of a load: did its line come from another cache? -1: that is not told */
int sharing_is_transfer(const struct precis_sample *load);

/* What a CPU's core does not tell of transfers: its name, and the words behind that */
struct sharing_remark {
	const char *core, *text;
	int is_blind; /* anything */
};

/* 0: nothing is known to lack */
int sharing_remark(const struct precis_cpu *cpu, struct sharing_remark *remark);

#endif
