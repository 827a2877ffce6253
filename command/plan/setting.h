/* SPDX-License-Identifier: BSD-3-Clause */
/* What plans need to know of this machine: its limits, and what calibrations are known by. */
#ifndef PLAN_SETTING_H
#define PLAN_SETTING_H

#include <stdint.h>

#include <precis/cpu.h>

struct plan_setting {
	char cpu[64];      /* as perf writes it; "unknown" */
	char kernel[64];   /* its release; "unknown" */
	char governor[32]; /* of CPU 0; "none" */
	int is_amd, is_intel;
	struct precis_cpu model;
	uint32_t cpus;       /* that are online */
	uint64_t page_bytes;
	double sample_rate_most; /* kernel.perf_event_max_sample_rate; 0: not known */
	uint64_t mlock_bytes;    /* that rings of one CPU may have for everybody; 0: no limit here */
};

void plan_setting_read(struct plan_setting *setting);

#endif
