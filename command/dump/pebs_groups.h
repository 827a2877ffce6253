/* SPDX-License-Identifier: BSD-3-Clause */
/* The large groups of PEBS records, printed: branches, vector registers, counters, metrics. */
#ifndef DUMP_PEBS_GROUPS_H
#define DUMP_PEBS_GROUPS_H

#include <precis/precis.h>

#include "document/value_sink.h"

/* Of the record that is being printed, whose bytes must still be there */
struct pebs_groups {
	struct precis_pebs_groups groups;
	uint32_t core; /* enum precis_intel_core: that wrote it */
	int reasons;   /* 1: say why a member is absent */
};

/* "vectors", "lbr", …: what there can be, from 0 on; NULL past the last */
const char *pebs_groups_name(uint32_t n);

/* Has the record it? 'groups' is NULL for records out of Intel PT, whose bytes do not stay: their
 * branches and registers are groups of the sample (-F branch_stack,interrupt_registers). */
int pebs_groups_have(const struct pebs_groups *groups, const struct precis_pebs *pebs, uint32_t n);

/* Print it. In text a line for each item, "  NAME VALUE"; else a value as of value_sink.h. */
void pebs_groups_put(const struct pebs_groups *groups, const struct precis_pebs *pebs, uint32_t n,
		     struct output *output, enum value_form form);

#endif
