/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The sampling units of each CPU, below the kernel's driver: soft registers, counters of the
 * model, and what was done with each sample.
 *
 * ibs_host.c has the registers and hands samples to the driver; which op is tagged is
 * decided by one of two clocks: stepper.c (every instruction counts) or timer.c.
 */
#ifndef IBS_HOST_H
#define IBS_HOST_H

#include <linux/hrtimer.h>
#include <linux/ptrace.h>

#include "model.h"

enum { UNIT_OP, UNIT_FETCH, UNIT_COUNT };

/*
 * What became of the tagged ops or fetches of one unit of one CPU:
 * tagged = filtered + delivered + discarded + unhandled.
 */
struct unit_counts {
	u64 tagged;    /* the counter reached MaxCnt */
	u64 filtered;  /* the hardware's own filters dropped it */
	u64 delivered; /* the driver made a sample of it; checksum.count is the same */
	u64 discarded; /* the driver took it, and made none: stopped, period not over */
	u64 unhandled; /* the driver did not know the interrupt */
	u64 throttled; /* of delivered: after which perf stopped the event */
	u64 forgotten; /* of filtered, by a fault */
	u64 lost;      /* of discarded, by a fault: perf was told that they are lost */
	struct vm_checksum checksum; /* over the registers of what was delivered */
};

struct unit {
	struct vm_engine engine;
	struct unit_counts counts;
	struct vm_fault_state fault;
	u32 adds;      /* times that an event was to be on, since the seed was set */
	u64 payload[VM_OP_REGISTER_COUNT]; /* of the sample that waits */
	unsigned int registers;
	bool waiting;  /* tagged, and the driver has not enabled the unit again */
	bool reported; /* tagged, and the interrupt for it is not over */
	bool sampled;  /* the driver made a sample of it */
	/* clock=timer */
	struct hrtimer timer;
	bool firing;   /* the timer's function runs: it starts the timer again itself */
};

#define MSR_FIRST 0xc0011030 /* IbsFetchCtl */
#define MSR_LAST  0xc001103f /* IbsFetchCtl2 */

struct ibs_cpu {
	u64 msr[MSR_LAST - MSR_FIRST + 1];
	struct unit unit[UNIT_COUNT];
	struct pt_regs *interrupted; /* what the interrupt that is under way interrupted */
	int handled; /* what the handler said of it */
};

/* This CPU's. With preemption off */
struct ibs_cpu *ibs_cpu(void);

/*
 * The op, or the fetch that it began, is the one to be sampled: puts it into the registers,
 * unless a filter drops it: then the unit counts on.
 *
 * @return there is something to be told to the driver (ibs_interrupt)
 */
bool ibs_tag(struct ibs_cpu *cpu, unsigned int unit, const struct vm_operation *operation,
	     const struct vm_outcome *outcome);

/* Has the driver's handler run, with 'regs' as what was interrupted. With interrupts off */
void ibs_interrupt(struct ibs_cpu *cpu, struct pt_regs *regs);

/* ---- timer.c --------------------------------------------------------------------------- */

/*
 * The other clock: a timer for each unit interrupts whatever runs, the kernel included, after
 * MaxCnt * ns_per_count; the instruction that it interrupts is the one that is sampled. Only
 * these feed the model, which therefore sees sparse addresses and no order of instructions.
 */
void timer_start(struct ibs_cpu *cpu, unsigned int ns_per_count);
void timer_stop(struct ibs_cpu *cpu);
/* The unit was written to: it runs or it does not. Also from NMIs */
void timer_written(struct unit *unit);

#endif
