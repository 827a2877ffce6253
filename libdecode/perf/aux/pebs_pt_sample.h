/* SPDX-License-Identifier: BSD-3-Clause */
/* A PEBS record of a trace, and what the recording says of it, to a sample and its groups. */
#ifndef PRECIS_PERF_PEBS_PT_SAMPLE_H
#define PRECIS_PERF_PEBS_PT_SAMPLE_H

#include <precis/pebs_pt.h>
#include <precis/pebs_sample.h>

#include "libdecode/perf/events/events.h"

#define TRACED_REGISTERS 64u /* bits of attr.sample_regs_intr */

/* A record with all that is known of it, and room for its groups as the kernel would write them. */
struct traced_record {
	struct precis_pebs record;
	struct precis_pebs_groups groups;
	struct precis_pebs_pt_about about;
	uint32_t known;    /* PRECIS_SAMPLE_TIME, _CPU, _TID: which of these are */
	uint32_t has_pid;
	uint64_t time;     /* ns */
	uint32_t cpu, pid, tid;
	uint64_t regs_intr; /* the registers of 'registers' */
	uint8_t registers[TRACED_REGISTERS * 8];
	uint8_t branches[PRECIS_PEBS_PT_BRANCHES * 24];
};

/*
 * @param event   NULL: not known
 * @param wanted  two words; NULL for all
 * @param perf    NULL if not wanted; its views are of 'traced'
 * @return 0 or PRECIS_E_ARGUMENT
 */
int precis_traced_sample(struct traced_record *traced, const struct file_event *event,
			 struct precis_pebs_context *context, const uint64_t *wanted,
			 struct precis_perf_sample *perf, struct precis_sample *sample);

#endif
