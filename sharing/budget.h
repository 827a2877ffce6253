/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What watching a program has cost it so far, and whether one more experiment is within what it may.
 *
 * A thread with registers costs at three times: when these are armed, when it hits one, and at each of its
 * context switches, at which the kernel takes its perf events off the CPU and puts them there again. That
 * is dear while they are armed, since debug registers are written, and not free while they are off. Once a
 * thread has had some, the kernel looks for them at each switch for as long as it lives.
 *
 * Nothing here asks the kernel for anything.
 */
#ifndef SHARING_BUDGET_H
#define SHARING_BUDGET_H

#include <stdint.h>

/* Between two looks at what there is to do, at the least and at the most */
#define BUDGET_LEAST_PAUSE_NS 1000000u
#define BUDGET_LONGEST_PAUSE_NS 10000000u

struct budget {
	double most; /* as a share of the time */
	uint64_t begun; /* ns, by the clock of 'now' */
	/* what one costs, in ns; of a switch: beyond what it costs a thread that never had registers */
	uint64_t hit_ns, closed_ns, off_ns, armed_ns;
	uint64_t arming_ns; /* in which threads were armed and disarmed */
	uint64_t hits;
	/* switches of threads whose registers were closed, off, or armed */
	uint64_t closed, off, armed;
	/* of those that have had none so far, in so many ns; 0: it is not known yet */
	uint64_t bare, bare_ns;
	uint64_t experiments;
	uint64_t dearest_ns; /* of these */
	uint64_t first_ns; /* what the first one is taken to cost */
};

/* Of context switches alone */
uint64_t budget_switches_ns(const struct budget *budget);

/* All that experiments cost */
uint64_t budget_watching_ns(const struct budget *budget);

/* What switches of threads that have had no registers would cost with them, as a share of the time */
double budget_spared_share(const struct budget *budget);

/* What they cost by themselves, without what registers cost between them */
uint64_t budget_experiments_ns(const struct budget *budget);

/* One was made, before which they had cost so much. */
void budget_made_one(struct budget *budget, uint64_t before);

/*
 * One more experiment, if it costs what lies in the middle of the mean and the dearest of the others: costs
 * are far from even, and what has been spent cannot be had back. None is made where threads that have had no
 * registers so far are switched so often that from the first one on this would take more than half of what
 * all may, or where it is not known yet how often they are.
 *
 * @param other_ns  what else the program was kept for: samples
 */
int budget_affords(const struct budget *budget, uint64_t now, uint64_t other_ns);

/* With so many switches in so many ns, registers that are off take more than half of what all may. */
int budget_wants_closed(const struct budget *budget, uint64_t switches, uint64_t ns);

/*
 * For how long there is nothing to do, as there is nothing new. Who waits is woken on a CPU that the program
 * may want, so that it is more from time to time, and less again when there was something.
 *
 * @param last  what it was last; 0: there was something
 */
uint64_t budget_pause_ns(uint64_t last);

#endif
