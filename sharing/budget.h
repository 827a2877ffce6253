/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What watching a program has cost it so far, and whether one more experiment is within what it may.
 *
 * A thread with registers costs at three times: when these are armed, when it hits one, and at each of its
 * context switches, at which the kernel takes its perf events off the CPU and puts them there again. That
 * is dear while they are armed, since debug registers are written, and not free while they are off.
 *
 * Nothing here asks the kernel for anything.
 */
#ifndef SHARING_BUDGET_H
#define SHARING_BUDGET_H

#include <stdint.h>

struct budget {
	double most; /* as a share of the time */
	uint64_t begun; /* ns, by the clock of 'now' */
	/* what one costs, in ns; of a switch: beyond what it costs a thread without registers */
	uint64_t hit_ns, off_ns, armed_ns;
	uint64_t arming_ns; /* in which threads were armed and disarmed */
	uint64_t hits;
	uint64_t off, armed; /* switches of threads whose registers were off, or armed */
	uint64_t experiments;
	uint64_t first_ns; /* what the first one is taken to cost */
};

/* Of context switches alone */
uint64_t budget_switches_ns(const struct budget *budget);

/* All that experiments cost */
uint64_t budget_watching_ns(const struct budget *budget);

/*
 * One more experiment, if it costs what the others did in the mean.
 *
 * @param other_ns  what else the program was kept for: samples
 */
int budget_affords(const struct budget *budget, uint64_t now, uint64_t other_ns);

/* With so many switches in so many ns, registers that are off take more than half of what all may. */
int budget_wants_closed(const struct budget *budget, uint64_t switches, uint64_t ns);

#endif
