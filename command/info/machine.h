/* SPDX-License-Identifier: BSD-3-Clause */
/* precis info without a file: what this machine can sample precisely. */
#ifndef MACHINE_H
#define MACHINE_H

#include <precis/precis.h>

#include "document/facts.h"

#define MACHINE_TEXT 256

/* A PMU in sysfs. */
struct machine_pmu {
	int present;
	char formats[MACHINE_TEXT]; /* file names in format/, separated by spaces */
	char caps[MACHINE_TEXT];    /* likewise in caps/ */
};

/* The PMU of one kind of core: "cpu", or of a hybrid CPU "cpu_core", "cpu_atom", "cpu_lowpower" */
#define MACHINE_CORE_PMUS 4
struct machine_core_pmu {
	const char *name; /* NULL: there are no more */
	uint32_t core_type;   /* enum precis_core_type */
	int max_precise, branches; /* of caps/; -1: not known */
	char pmu_name[32];    /* likewise; "": not known */
	int cpu;              /* one that has such a core */
	int has_capabilities;
	uint64_t capabilities; /* IA32_PERF_CAPABILITIES */
	char why_no_capabilities[MACHINE_TEXT];
	int has_mem_loads, has_mem_stores, has_mem_loads_aux; /* in events/ */
};

/* What /proc, /sys and CPUID say. Nothing is concluded from it yet. */
struct machine {
	const char *root;	     /* in front of /proc and /sys; "" */
	struct precis_cpu cpu;	     /* vendor UNKNOWN: /proc/cpuinfo does not say */
	char vendor[32];	     /* "AuthenticAMD" */
	char model_name[MACHINE_TEXT];
	int has_ibs_flag, has_hypervisor_flag, has_pdcm_flag;
	uint32_t ibs_caps; /* CPUID Fn8000_001B EAX; 0: not known */
	char release[MACHINE_TEXT]; /* "" if not known */
	unsigned int release_major, release_minor;
	int has_paranoid, paranoid;
	int is_privileged; /* CAP_PERFMON or CAP_SYS_ADMIN is effective */
	struct machine_pmu ibs_op, ibs_fetch;
	struct machine_core_pmu core_pmus[MACHINE_CORE_PMUS];
};

/* @param root  "" for this machine; else a directory that has proc/ and sys/ */
void machine_read(struct machine *machine, const char *root);

/* The first line of a file below the root, without its end. 1 if there is one */
int machine_read_line(const struct machine *machine, const char *path, char *text, size_t room);
int machine_read_number(const struct machine *machine, const char *path, int *number);

/* Is there PEBS on some kind of core? */
int machine_has_pebs(const struct machine *machine);

/* What may be sampled, all things taken together. */
struct machine_scope {
	int ibs_op, ibs_fetch, pebs; /* 1: something can be sampled */
	int pebs_memory; /* 1: accesses to memory, with address, source and latency */
	int ibs_system_wide, ibs_per_task, ibs_needs_filter; /* for IBS: how */
};
void machine_scope(const struct machine *machine, struct machine_scope *scope);

enum machine_verdict {
	MACHINE_SKIP,	 /* does not concern this machine */
	MACHINE_YES,
	MACHINE_LIMITED, /* yes, with what the finding says */
	MACHINE_NO,
	MACHINE_UNKNOWN
};

/* Does the machine meet a condition? What was found is written into 'finding'. */
typedef enum machine_verdict machine_test(const struct machine *machine, char *finding,
					  size_t room);

/* One thing that precise sampling depends on. */
struct machine_check {
	const char *name;
	machine_test *test;
	const char *advice; /* what to do about a verdict other than YES */
};

/* Check n; NULL past the last. */
const struct machine_check *machine_check(uint32_t n);
const char *machine_verdict_name(enum machine_verdict verdict);

void machine_describe(const struct machine *machine, struct document *document);

#endif
