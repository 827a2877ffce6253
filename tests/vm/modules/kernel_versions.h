/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What differs between the kernels that the modules are built for (6.1, 6.12, 7.3; the table
 * in kernels.tsv), with the version that changed it. What needs no condition is where it is
 * used: ibs_host_redirect.h redirects the old and the new name of a function, and ibs_host.c
 * defines perf_callchain(), which from 6.3 on is called by inline functions of
 * linux/perf_event.h (perf_sample_save_callchain) and no longer by the driver.
 */
#ifndef KERNEL_VERSIONS_H
#define KERNEL_VERSIONS_H

#include <linux/hrtimer.h>
#include <linux/version.h>

/* 6.16: cpuid_eax() moved out of asm/processor.h, rdmsrq() came in place of rdmsrl() */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#include <asm/cpuid/api.h>
#include <asm/msr.h>
#endif

/* 6.13: hrtimer_setup(), with the function; 6.15: hrtimer_init() is gone */
static inline void version_hrtimer_setup(struct hrtimer *timer,
					 enum hrtimer_restart (*function)(struct hrtimer *),
					 clockid_t clock, enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

/* 6.15: perf_exclude_event() is no longer static: the driver filters by software (swfilt) */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
#define VERSION_EXCLUDE_EVENT "perf_exclude_event"
#else
#define VERSION_EXCLUDE_EVENT NULL
#endif

#endif
