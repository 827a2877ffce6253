/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does one sample follow from the ones before? An interval that takes samples for independent draws is
 * right only if it does not.
 *
 * A fixed period that is in step with a loop takes samples that step through the loop, or stay at one
 * place of it. What the samples of one task say of that, one after the other:
 *
 * - Locked: their addresses repeat the same few, or many, over and over. Which part of the loop these
 *   are is not known: nothing of the rest is ever sampled.
 * - Stepping: each is a little behind the one before. Of three addresses that differ, taken the same
 *   distance apart, the one in the middle is between the others in one of three cases, however often
 *   each occurs and whatever phases a program has, if these are longer than some samples; here it is
 *   more often so (the turning points of I. J. Bienayme, 1874). Where samples step, how far figures are
 *   uncertain is measured by batch means: what shares of one batch of samples differ by from those of
 *   the next, by what they would if samples were independent.
 *
 * Slow changes alone say nothing: a program with phases has them, too, and sampling these with a fixed
 * period is no worse than drawing samples independently.
 */
#ifndef STATISTICS_SERIAL_H
#define STATISTICS_SERIAL_H

#include <stddef.h>
#include <math.h>
#include <stdint.h>

#include "bit_counts.h"

/* Bits of a sample's address, and what else is so of it or not: the caller's 16 bits */
#define SERIAL_INDICATORS BIT_COUNTS_BITS
#define SERIAL_LAGS 9u
#define SERIAL_STREAMS 16u
#define SERIAL_BATCHES 64u

/* Addresses of one task, in the order of its samples */
struct serial_stream {
	uint64_t task;
	uint64_t *address;
	uint32_t count, room; /* 'count' 0: of no task */
};

/* Consecutive samples of one part, by batches */
struct serial_piece {
	uint32_t size, count; /* samples of a batch; batches that are complete */
	uint32_t ones[SERIAL_BATCHES][SERIAL_INDICATORS];
};

/* Zeroed memory is empty. */
struct serial {
	struct serial_stream streams[SERIAL_STREAMS];
	struct serial_piece **pieces; /* the last one is being filled if 'is_open' */
	uint32_t piece_count, is_open;
	struct bit_counts counts; /* ones of some samples */
	uint32_t in_counts, in_batch; /* so many samples are in these, and in the open batch */
	uint32_t ones[SERIAL_INDICATORS]; /* of the open batch */
	uint32_t segments; /* of this part: of many only some are looked at */
	uint64_t samples;
	uint64_t judged, locked; /* samples that were looked at, and of these those that repeat */
	uint64_t repeat; /* after so many samples, at most */
	/* By distance: three addresses that differ, and those whose middle one is not between the others */
	uint64_t triples[SERIAL_LAGS], turns[SERIAL_LAGS];
};

enum serial_verdict {
	SERIAL_NONE,    /* nothing speaks against independent samples */
	SERIAL_WIDENED, /* the variance of shares is 'effect' times that of independent samples */
	SERIAL_FEW,     /* it is so much that next to nothing is known */
	SERIAL_LOCKED   /* which part of a loop is sampled is not known */
};

struct serial_effect {
	enum serial_verdict verdict;
	double effect;     /* 1 or more */
	uint64_t samples;
	double locked;     /* share of samples that repeat */
	uint64_t repeat;   /* after at most so many */
};

/* Of struct confidence */
static inline double serial_dependence(const struct serial_effect *told)
{
	return told->verdict >= SERIAL_FEW ? NAN : told->effect;
}

/* Fewer samples than so many that are independent tell next to nothing of how far they are so. */
#define SERIAL_FEWEST 100

void serial_free(struct serial *serial);

/* Samples, each behind the others of its task: their addresses and indicators. 0, or -1 if memory is short */
int serial_add(struct serial *serial, const uint64_t *tasks, const uint64_t *addresses,
	       const uint16_t *indicators, uint32_t count);

/* A part is at its end: what comes does not follow from what was. */
void serial_part(struct serial *serial);

/* Those of the parts behind; each has ended. What is the other's goes over. 0, or -1 likewise */
int serial_merge(struct serial *serial, struct serial *other);

/*
 * The period may be a multiple of a loop, or have a divisor in common with it: it is fixed, nothing is
 * random, and it is no prime. Where it may not, all of a loop is sampled, and if samples are of one
 * place the loop is that.
 */
#define SERIAL_MAY_LOCK 1u
/* Whatever a program does is sampled, of which hardly ever is anything one instruction for long */
#define SERIAL_OF_ALL 2u

/* What comes of it, once all parts have ended, of an event that is so */
struct serial_effect serial_tell(const struct serial *serial, uint32_t event);

/* Of samples of several recordings together */
struct serial_effect serial_together(const struct serial_effect *effects, size_t count);

#endif
