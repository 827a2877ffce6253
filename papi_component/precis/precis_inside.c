/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_inside.c
 * @see precis_inside.h
 *
 * Runs in signal handlers.
 */
#include "precis_inside.h"

#include <stddef.h>

static __thread struct precis_inside inside;

struct precis_inside precis_inside_begin(const void *whose)
{
	struct precis_inside outer = inside;

	inside = (struct precis_inside){ .whose = whose };
	return outer;
}

void precis_inside_end(const struct precis_inside *outer)
{
	inside = *outer;
}

/* In an order in which a signal may come between any two */
void precis_inside_calls(const struct precis_marked *marked)
{
	__atomic_store_n(&inside.marked.mark, NULL, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	inside.marked.number = marked ? marked->number : 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&inside.marked.mark, marked ? marked->mark : NULL, __ATOMIC_RELAXED);
}

int precis_inside_of(const void *whose)
{
	return inside.whose == whose &&
	       !(inside.marked.mark && precis_mark_is_left(&inside.marked,
							   (uintptr_t)__builtin_frame_address(0)));
}

void precis_inside_left(const void *whose)
{
	if (inside.whose == whose)
		inside.whose = NULL;
}
