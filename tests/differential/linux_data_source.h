/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel's decoding of data sources needs around it to compile outside of a kernel.
 * test_data_source_kernel.py puts it in front of the functions of a kernel's source package.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint8_t u8;

#define __init
#define WARN_ON_ONCE(condition) ((void)(condition))

#define PERF_PEBS_DATA_SOURCE_MAX 0x100
#define PERF_PEBS_DATA_SOURCE_MASK (PERF_PEBS_DATA_SOURCE_MAX - 1)
#define PERF_PEBS_DATA_SOURCE_GRT_MAX 0x10
#define PERF_PEBS_DATA_SOURCE_GRT_MASK (PERF_PEBS_DATA_SOURCE_GRT_MAX - 1)

/* The numbers differ between kernels, and do not matter. */
enum {
	PERF_X86_EVENT_PEBS_LDLAT = 1,
	PERF_X86_EVENT_PEBS_ST = 2,
	PERF_X86_EVENT_PEBS_ST_HSW = 4,
	PERF_X86_EVENT_PEBS_LD_HSW = 8,
	PERF_X86_EVENT_PEBS_NA_HSW = 16,
	PERF_X86_EVENT_PEBS_STLAT = 32,
	PERF_X86_EVENT_PEBS_LAT_HYBRID = 64
};

enum { hybrid_big, hybrid_small, hybrid_tiny };
enum { X86_HYBRID_PMU_CORE_IDX, X86_HYBRID_PMU_ATOM_IDX, X86_HYBRID_PMU_TINY_IDX, HYBRID_PMUS };

struct x86_hybrid_pmu {
	int pmu_type, cpu_type;
	u64 pebs_data_source[PERF_PEBS_DATA_SOURCE_MAX];
};

struct perf_event {
	struct {
		int flags;
	} hw;
	struct x86_hybrid_pmu *pmu;
};

static struct {
	struct x86_hybrid_pmu hybrid_pmu[HYBRID_PMUS];
	bool hybrid, pebs_no_tlb, pebs_block;
	u64 (*pebs_latency_data)(struct perf_event *event, u64 status);
} x86_pmu;

#define is_hybrid() (x86_pmu.hybrid)
#define hybrid_pmu(the_pmu) (the_pmu)
#define hybrid_var(the_pmu, var) (is_hybrid() ? (the_pmu)->var : (var))
