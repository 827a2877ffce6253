/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * greedy ROUNDS STEPS: ROUNDS times a loop of STEPS turns during which nobody else gets the CPU
 * (SCHED_FIFO), each followed by a pause. Who reads its samples can do so in the pauses alone: with
 * a small buffer samples are lost, and nothing but samples.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "traced.h"

#define PAUSE_US 100000

__attribute__((noinline)) uint64_t turns(uint64_t steps)
{
	volatile uint64_t sum = 0;

	while (steps-- > 0)
		sum += steps;
	return sum;
}

static int alone(int yes)
{
	const struct sched_param parameter = { .sched_priority = yes ? 50 : 0 };

	return sched_setscheduler(0, yes ? SCHED_FIFO : SCHED_OTHER, &parameter);
}

int main(int argc, char **argv)
{
	uint64_t rounds, steps;

	if (argc < 3)
		return 2;
	rounds = strtoull(argv[1], NULL, 0);
	steps = strtoull(argv[2], NULL, 0);
	traced_open();
	while (rounds-- > 0) {
		if (alone(1))
			return 1;
		traced_begin();
		turns(steps);
		traced_end();
		if (alone(0))
			return 1;
		usleep(PAUSE_US);
	}
	/* The kernel tells a loss before the next sample: one after the last round */
	traced_begin();
	turns(steps / 16);
	traced_end();
	puts("greedy done");
	return 0;
}
