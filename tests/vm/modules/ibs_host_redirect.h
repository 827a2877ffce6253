/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * Includes the kernel's driver, arch/x86/events/amd/ibs.c (IBS_SOURCE), unmodified, with
 * everything redirected that would touch the machine:
 *
 *   rdmsrl, wrmsrl (rdmsrq, wrmsrq)    soft registers of ibs_host.c
 *   cpuid_eax, boot_cpu_has            the machine's capabilities
 *   setup_APIC_eilvt                   there is no extended interrupt: it always succeeds
 *   register_nmi_handler               remembered; called by ibs_host.c, from a real NMI
 *   cpuhp_setup_state, register_syscore_ops (register_syscore)   no hotplug, no suspend
 *   perf_event_overflow, perf_sample_event_took, perf_event_account_interrupt,
 *   perf_exclude_event                 not exported: looked up; and perf_callchain, which
 *                                      ibs_host.c defines
 *   get_ibs_caps, forward_event_to_ibs   the kernel has them already
 *   device_initcall                    ibs_host.c calls amd_ibs_init()
 *
 * All headers that the driver includes are included before, so that they are not redirected.
 */
#include <linux/cpuhotplug.h>
#include <linux/export.h>
#include <linux/hardirq.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/pci.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/sched/clock.h>
#include <linux/syscore_ops.h>
#include <asm/apic.h>
#include <asm/cpu.h>
#include <asm/fpu/xstate.h>
#include <asm/intel_ds.h>
#include <asm/nmi.h>
#include <asm/processor.h>

#include "kernel_versions.h"

#undef rdmsrl
#define rdmsrl(msr, value) ((value) = soft_rdmsr(msr))
#undef wrmsrl
#define wrmsrl(msr, value) soft_wrmsr(msr, value)
#undef rdmsrq
#define rdmsrq(msr, value) ((value) = soft_rdmsr(msr))
#undef wrmsrq
#define wrmsrq(msr, value) soft_wrmsr(msr, value)
#define cpuid_eax(leaf) soft_cpuid_eax(leaf)
#undef boot_cpu_has
#define boot_cpu_has(feature) true
#define setup_APIC_eilvt(offset, vector, type, mask) soft_eilvt()
#undef register_nmi_handler
#define register_nmi_handler(type, function, flags, name) \
	({                                                \
		driver.handler = (function);              \
		0;                                        \
	})
#undef cpuhp_setup_state
#define cpuhp_setup_state(state, name, up, down) ((void)(up), (void)(down))
#define register_syscore_ops(operations) ((void)(operations))
#define register_syscore(syscore) ((void)(syscore))
#define perf_event_overflow(event, data, regs) soft_overflow(event, data, regs)
#define perf_sample_event_took(ns) driver.took(ns)
#define perf_event_account_interrupt(event) driver.account_interrupt(event)
#define perf_exclude_event(event, regs) driver.exclude(event, regs)
#define get_ibs_caps hosted_get_ibs_caps
#define forward_event_to_ibs hosted_forward_event_to_ibs
#undef device_initcall
#define device_initcall(function)

u32 hosted_get_ibs_caps(void);
int hosted_forward_event_to_ibs(struct perf_event *event);

#include IBS_SOURCE

#undef rdmsrl
#undef wrmsrl
#undef rdmsrq
#undef wrmsrq
#undef register_nmi_handler
