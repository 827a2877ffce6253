// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* See sampling_faults.h. */
#include <linux/delay.h>
#include <linux/hardirq.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "sampling_faults.h"
#include "stepper.h"

#define UNSCHEDULED_MS 40

struct sampling_faults sampling_faults;

SAMPLING_FAULT(tag_bias, sampling_faults.of_samples.tag_bias,
	       "are of what is behind the next taken branch: of 1000, as others that say nothing else");
SAMPLING_FAULT(shadow, sampling_faults.of_samples.shadow, "are of what comes next after a long latency");
SAMPLING_FAULT(bank, sampling_faults.of_samples.bank, "are of what comes next in an even line of code");
SAMPLING_FAULT(skid, sampling_faults.of_samples.skid, "name the op that is executed fault_skid_by ops later");
SAMPLING_FAULT(skid_by, sampling_faults.of_samples.skid_by, "ops (default: 0, which is no skid)");
SAMPLING_FAULT(off_by_one, sampling_faults.of_samples.off_by_one, "name an address one too high");
SAMPLING_FAULT(wrong_mode, sampling_faults.of_samples.wrong_mode,
	       "of user code are said to be the kernel's");
SAMPLING_FAULT(user_mode, sampling_faults.of_samples.user_mode,
	       "of kernel code are said to be user code's");
SAMPLING_FAULT(silent, sampling_faults.of_samples.silent, "are forgotten before the interrupt");
SAMPLING_FAULT(lost, sampling_faults.lost,
	       "are not delivered, and perf is told so (PERF_RECORD_LOST_SAMPLES)");
SAMPLING_FAULT(unscheduled, sampling_faults.unscheduled,
	       "each so many-th time an event is to be on, its counter is in use");
SAMPLING_FAULT(extra, sampling_faults.extra, "events that are counted at each interrupt, and are none");

static bool trace_events;
module_param(trace_events, bool, 0444);
MODULE_PARM_DESC(trace_events, "threads are traced while a sampled event of theirs is on, unasked");

bool sampling_faults_take_counter(u32 *adds)
{
	if (!sampling_faults.unscheduled || ++*adds % sampling_faults.unscheduled)
		return false;
	mdelay(UNSCHEDULED_MS);
	return true;
}

/* Not from an NMI, which comes from what is traced and ends with the event as it was, or throttled. */
void sampling_faults_trace(bool on)
{
	if (!trace_events || in_nmi() || !current->mm ||
	    on == !!(task_pt_regs(current)->flags & X86_EFLAGS_TF))
		return;
	stepper_trace(on);
}
