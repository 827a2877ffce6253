/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_left.h
 * @brief Has longjmp(3), or the thread's end, left a function that calls the program's? Nobody is told: a
 * mark on its stack is looked for.
 */
#ifndef PRECIS_LEFT_H
#define PRECIS_LEFT_H

#include <stdint.h>

/** On the stack of the function that may be left */
struct precis_mark {
	volatile uint64_t words[4]; /**< what nothing else on a stack looks like */
};

/** Where somebody else keeps what he knows of it */
struct precis_marked {
	const struct precis_mark *mark; /**< NULL: none */
	uint64_t number; /**< no other mark's */
};

/** Mark the calling function. @return what to know it by */
struct precis_marked precis_mark_begin(struct precis_mark *mark);
/** It returns as functions do. */
void precis_mark_end(struct precis_mark *mark);

/**
 * For the marked function's thread alone. 'here': where its stack ends, of a signal's handler that of
 * the interrupted function.
 */
int precis_mark_is_left(const struct precis_marked *marked, uintptr_t here);

/** Where the stack of what a signal has interrupted ends; 'otherwise' where that cannot be known */
uintptr_t precis_interrupted_stack(const void *context, uintptr_t otherwise);

#endif
