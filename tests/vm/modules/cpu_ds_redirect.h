/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What has to be there, or to be something else, when the kernel's unmodified
 * arch/x86/events/intel/ds.c is compiled into a module (cpu_ds.c): registers
 * that the machine does not have, and functions that are not exported. Macros
 * are defined behind the kernel's own headers, which ds.c will not read again.
 */
#ifndef CPU_DS_REDIRECT_H
#define CPU_DS_REDIRECT_H

#include <linux/bitops.h>
#include <linux/perf_event.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/static_call.h>
#include <linux/types.h>
#include <asm/cpu_entry_area.h>
#include <asm/cpufeature.h>
#include <asm/insn.h>
#include <asm/msr.h>
#include <asm/perf_event.h>
#include <asm/timer.h>
#include <asm/tlbflush.h>

#include "cpu_ds.h"

/* PEBS is there, BTS is not: the CPUID of the machine says nothing of either. */
#undef boot_cpu_has
#define boot_cpu_has(feature) ((feature) != X86_FEATURE_BTS)

/* The model reads PEBS_DATA_CFG and PEBS_ENABLE where ds.c keeps them itself. */
#undef wrmsrl
#define wrmsrl(msr, value) ((void)(value))
#undef rdpmcl
#define rdpmcl(counter, value) ((value) = cpu_ds_counter(counter))

/* Samples keep perf's own time: the model's records are drained as soon as they are written. */
#define using_native_sched_clock() false
#define sched_clock_stable() false
#define native_sched_clock_from_tsc(tsc) (tsc)
#define __sched_clock_offset 0

/* Not exported: found by name. perf_event_overflow() is counted on the way. */
int cpu_ds_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
int cpu_ds_output(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
#define perf_event_overflow cpu_ds_overflow
#define perf_event_output cpu_ds_output
#define perf_callchain(event, regs) cpu_ds_kernel.callchain(event, regs)
#define perf_event_account_interrupt(event) cpu_ds_kernel.account_interrupt(event)
#define perf_log_lost_samples(event, lost) cpu_ds_kernel.log_lost_samples(event, lost)
#define perf_sched_cb_inc(pmu) cpu_ds_kernel.sched_cb_inc(pmu)
#define perf_sched_cb_dec(pmu) cpu_ds_kernel.sched_cb_dec(pmu)

/* Of code that cannot be reached: buffers in the CPU entry area, BTS, PEBS before Haswell. */
#undef DEFINE_PER_CPU_PAGE_ALIGNED /* the module area has no room for it */
#define DEFINE_PER_CPU_PAGE_ALIGNED(type, name) extern type name
#define flush_tlb_kernel_range(start, end) do { (void)(start); (void)(end); } while (0)
#define cea_set_pte(cea, pa, prot) do { } while (0)
#define perf_prepare_sample(header, data, event, regs) do { } while (0)
#define perf_output_begin(handle, data, event, size) (-1)
#define perf_output_sample(handle, header, data, event) do { (void)(header); } while (0)
#define perf_output_end(handle) do { (void)(handle); } while (0)
#define insn_init(insn, kaddr, length, is_64bit) ((void)(is_64bit))
#define insn_get_length(insn) (-1)

#endif
