/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_inside.h
 * @brief In whose callbacks the calling thread is.
 */
#ifndef PRECIS_INSIDE_H
#define PRECIS_INSIDE_H

#include "precis_left.h"

/** What the thread was in before */
struct precis_inside {
	const void *whose; /**< NULL: nothing */
	struct precis_marked marked; /**< the function that called it */
};

/** From now on in callbacks of 'whose'. @return what precis_inside_end() wants to have back */
struct precis_inside precis_inside_begin(const void *whose);
/** It is where it was before. */
void precis_inside_end(const struct precis_inside *outer);
/** The function that is about to call one, by its mark; NULL: the call has returned */
void precis_inside_calls(const struct precis_marked *marked);

/** Is it in one? One that longjmp(3) left does not count, as far as the stack tells. */
int precis_inside_of(const void *whose);
/** It has been left: whoever asks from deeper in the stack need not guess any more. */
void precis_inside_left(const void *whose);

#endif
