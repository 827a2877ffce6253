// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The clock that samples kernel code, where no instruction is counted. */
#include <linux/sched.h>
#include <asm/irq_regs.h>

#include "ibs_host.h"
#include "instruction.h"
#include "kernel_versions.h"
#include "modeled_core.h"

static unsigned int ns_per_count_used;

static ktime_t interval(const struct unit *unit)
{
	return ns_to_ktime(unit->engine.period * ns_per_count_used);
}

/* What the timer interrupted is the op, or the fetch, that is sampled. */
static bool sample(struct ibs_cpu *cpu, unsigned int number, struct pt_regs *regs)
{
	struct instruction instruction;
	struct vm_outcome outcome;

	instruction_decode(regs, &instruction);
	instruction_translate(&instruction.operation);
	modeled_core_ran(&instruction.operation, &outcome);
	/* The block had been fetched before: no fetch to sample */
	if (number == UNIT_FETCH && !outcome.fetched)
		return false;
	cpu->unit[number].engine.running = false;
	return ibs_tag(cpu, number, &instruction.operation, &outcome);
}

static enum hrtimer_restart fire(struct hrtimer *timer)
{
	struct unit *unit = container_of(timer, struct unit, timer);
	struct ibs_cpu *cpu = ibs_cpu();
	unsigned int number = unit - cpu->unit;
	struct pt_regs *regs = get_irq_regs();

	unit->firing = true;
	/* A core that waits for interrupts dispatches nothing. */
	if (unit->engine.running && regs && !is_idle_task(current) &&
	    sample(cpu, number, regs))
		ibs_interrupt(cpu, regs);
	unit->firing = false;
	if (!unit->engine.running)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, interval(unit));
	return HRTIMER_RESTART;
}

void timer_written(struct unit *unit)
{
	/* From the NMI that fire() sends: the timer is not to be touched, and is seen to there */
	if (unit->firing)
		return;
	if (unit->engine.running)
		hrtimer_start(&unit->timer, interval(unit),
			      HRTIMER_MODE_REL_PINNED_HARD);
	else
		hrtimer_try_to_cancel(&unit->timer);
}

void timer_start(struct ibs_cpu *cpu, unsigned int ns_per_count)
{
	unsigned int i;

	ns_per_count_used = ns_per_count;
	for (i = 0; i < UNIT_COUNT; i++)
		version_hrtimer_setup(&cpu->unit[i].timer, fire, CLOCK_MONOTONIC,
				      HRTIMER_MODE_REL_PINNED_HARD);
}

void timer_stop(struct ibs_cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < UNIT_COUNT; i++)
		hrtimer_cancel(&cpu->unit[i].timer);
}
