/* SPDX-License-Identifier: BSD-3-Clause */
/* Periods to measure an event with, and how one goes with a kernel's loop. */
#ifndef ACCURACY_PERIODS_H
#define ACCURACY_PERIODS_H

#include "metrics.h"

/* Of one event, at most */
#define PERIODS_MOST 16u

/* Why a period is chosen */
enum period_kind {
	PERIOD_GIVEN,
	PERIOD_OWN,   /* the event's */
	PERIOD_NEXT,  /* its own and 1; of IBS the next even multiple of 16 */
	PERIOD_PRIME, /* the first prime behind these; of IBS there is none */
	PERIOD_POWER, /* the power of 2 that is nearest */
	PERIOD_KINDS
};

struct chosen_period {
	uint64_t period;
	enum period_kind kind;
};

/* Add it, if there is none with as many events. There is room. */
void period_choose(struct chosen_period *chosen, uint32_t *count, struct chosen_period period);

/* "own", "next", ...: of IBS, whose periods are multiples of 16, they are called after these */
const char *period_kind_name(enum period_kind kind, const struct bench_event *event);

/*
 * The event's own period, one that differs little, a prime and a power of 2: what resonates with a loop
 * does so with some of these and not with others. How many; each once
 */
uint32_t periods_around(const struct bench_event *event, struct chosen_period chosen[PERIOD_KINDS]);

/* NULL, or why the event cannot be sampled with that period */
const char *period_refused(const struct bench_event *event, uint64_t period);

/*
 * Whatever counts: with a fixed period the samples of a loop are at every 'divisor'th of its positions, where
 * 'divisor' is the greatest one that period, events of a turn and events of an outer turn have in common.
 */
struct period_step {
	uint64_t turn, outer; /* events of a turn, and of an outer turn */
	uint64_t divisor;     /* 0: how many events a turn has is not known */
};

/* Of a subset the events are all that the counter counts. */
struct period_step series_step(const struct series *series);

/*
 * How likely chance alone makes shares of instructions so different between periods; NAN: there is one
 * alone
 */
double series_homogeneity(const struct series *series);

#endif
