/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between perf script and a --dlfilter library, as layouts: what
 * perf 5.14 and later pass on a 64-bit machine (perf-dlfilter(1)).
 *
 * perf finds the functions and the table by their names, and fills the table
 * after loading. Samples have grown: a member may be read only if it lies
 * within the sample's 'size'. Entries of the table that the running perf does
 * not have are NULL. Nothing that perf points to outlives the call.
 */
#ifndef PERF_DLFILTER_ABI_H
#define PERF_DLFILTER_ABI_H

#include <stddef.h>
#include <stdint.h>

struct dlfilter_sample {
	uint32_t size;
	uint16_t ins_lat;     /* var2_w of PERF_SAMPLE_WEIGHT_STRUCT */
	uint16_t p_stage_cyc; /* var3_w, from perf 6.3 on */
	uint64_t ip;
	int32_t pid, tid;
	uint64_t time;
	uint64_t addr;
	uint64_t id, stream_id;
	uint64_t period;
	uint64_t weight;
	uint64_t transaction;
	uint64_t insn_cnt, cyc_cnt;
	int32_t cpu;
	uint32_t flags;
	uint64_t data_src;
	uint64_t phys_addr;
	uint64_t data_page_size, code_page_size;
	uint64_t cgroup;
	uint8_t cpumode;
	uint8_t addr_correlates_sym;
	uint16_t misc;        /* of the record's header */
	uint32_t raw_size;    /* of PERF_SAMPLE_RAW, without its own size word */
	const void *raw_data; /* 4 bytes off an address that is a multiple of 8 */
	uint64_t brstack_nr;
	const void *brstack;
	uint64_t raw_callchain_nr;
	const void *raw_callchain;
	const char *event;    /* its name; perf 5.14's sample ends here */
	int32_t machine_pid, vcpu;
};

/* Can the member be read? */
#define DLFILTER_SAMPLE_HAS(sample, member)                                                        \
	((sample)->size >= offsetof(struct dlfilter_sample, member) +                              \
				   sizeof(((struct dlfilter_sample *)0)->member))

struct dlfilter_fns {
	const void *(*resolve_ip)(void *ctx);
	const void *(*resolve_addr)(void *ctx);
	char **(*args)(void *ctx, int *count); /* the --dlarg texts; the one to be used in start() */
	int32_t (*resolve_address)(void *ctx, uint64_t address, void *location);
	const uint8_t *(*insn)(void *ctx, uint32_t *bytes);
	const char *(*srcline)(void *ctx, uint32_t *line);
	const void *(*attr)(void *ctx); /* the event's perf_event_attr */
	int32_t (*object_code)(void *ctx, uint64_t ip, void *buffer, uint32_t bytes);
	void (*al_cleanup)(void *ctx, void *location); /* from perf 6.6 on */
	void *later[119];
};

#define DLFILTER_API __attribute__((visibility("default")))

/* Callbacks return 0 to go on with the sample, 1 to drop it, less than 0 to stop perf. */
extern DLFILTER_API struct dlfilter_fns perf_dlfilter_fns;
DLFILTER_API int start(void **data, void *ctx);
DLFILTER_API int stop(void *data, void *ctx);
DLFILTER_API int filter_event(void *data, const struct dlfilter_sample *sample, void *ctx);
/* Called before perf resolves symbols and applies its own filters */
DLFILTER_API int filter_event_early(void *data, const struct dlfilter_sample *sample, void *ctx);
DLFILTER_API const char *filter_description(const char **long_description);

#if UINTPTR_MAX == UINT64_MAX
#define DLFILTER_AT(offset_, member)                                                               \
	_Static_assert(offsetof(struct dlfilter_sample, member) == (offset_), #member)
DLFILTER_AT(0x04, ins_lat);
DLFILTER_AT(0x08, ip);
DLFILTER_AT(0x10, pid);
DLFILTER_AT(0x18, time);
DLFILTER_AT(0x20, addr);
DLFILTER_AT(0x28, id);
DLFILTER_AT(0x38, period);
DLFILTER_AT(0x40, weight);
DLFILTER_AT(0x48, transaction);
DLFILTER_AT(0x60, cpu);
DLFILTER_AT(0x64, flags);
DLFILTER_AT(0x68, data_src);
DLFILTER_AT(0x70, phys_addr);
DLFILTER_AT(0x78, data_page_size);
DLFILTER_AT(0x88, cgroup);
DLFILTER_AT(0x90, cpumode);
DLFILTER_AT(0x92, misc);
DLFILTER_AT(0x94, raw_size);
DLFILTER_AT(0x98, raw_data);
DLFILTER_AT(0xa0, brstack_nr);
DLFILTER_AT(0xc0, event);
DLFILTER_AT(0xc8, machine_pid);
#undef DLFILTER_AT
_Static_assert(sizeof(struct dlfilter_sample) == 0xd0, "sample of perf 6.12");
_Static_assert(sizeof(struct dlfilter_fns) == 1024, "table of 128 functions");
#endif

#endif
