/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_left.c
 * @see precis_left.h
 *
 * Runs in signal handlers.
 */
#include "precis_left.h"

#include <signal.h>
#include <stddef.h>
#include <ucontext.h>

/*
 * Each thread counts its marks by itself, from a number that no other begins with: one counter for all
 * would go from CPU to CPU at each sample. Stacks of threads that have ended are used again, with
 * what is left on them.
 */
#define MARKS_OF_A_THREAD (UINT64_C(1) << 40)
static uint64_t last_thread;
static __thread uint64_t last_number;

/* A handler that comes between may give the same number: not at the same place of the stack. */
static uint64_t next_number(const struct precis_mark *mark)
{
	if (!last_number)
		last_number =
			__atomic_add_fetch(&last_thread, 1, __ATOMIC_RELAXED) * MARKS_OF_A_THREAD;
	/* odd: what looks like it on a stack is no address and no small number */
	return (++last_number * 0x9e3779b97f4a7c15u) ^ (uintptr_t)mark;
}

struct precis_marked precis_mark_begin(struct precis_mark *mark)
{
	uint64_t number = next_number(mark);

	for (unsigned int n = 0; n < 4; n++)
		mark->words[n] = number ^ n;
	return (struct precis_marked){ .mark = mark, .number = number };
}

void precis_mark_end(struct precis_mark *mark)
{
	for (unsigned int n = 0; n < 4; n++)
		mark->words[n] = 0;
}

static int is_on(const stack_t *stack, uintptr_t at)
{
	return !(stack->ss_flags & SS_DISABLE) && at - (uintptr_t)stack->ss_sp < stack->ss_size;
}

/* What lies there may be another function's by now, which a sanitizer would mind. */
__attribute__((no_sanitize("address", "thread"))) static int is_gone(const struct precis_marked *marked)
{
	for (unsigned int n = 0; n < 4; n++) {
		if (marked->mark->words[n] != (marked->number ^ n))
			return 1;
	}
	return 0;
}

/*
 * Stacks grow downward: whatever the marked function calls stands below it. A signal's own stack is
 * not left for another otherwise.
 */
int precis_mark_is_left(const struct precis_marked *marked, uintptr_t here)
{
	uintptr_t at = (uintptr_t)marked->mark;
	stack_t alternate = { .ss_flags = SS_DISABLE };
	int was_on;

	sigaltstack(NULL, &alternate);
	was_on = is_on(&alternate, at);
	if (was_on != is_on(&alternate, here))
		return was_on;
	return here > at || is_gone(marked);
}

uintptr_t precis_interrupted_stack(const void *context, uintptr_t otherwise)
{
	const ucontext_t *interrupted = context;

	(void)interrupted;
	(void)otherwise;
#if defined(__x86_64__)
	return (uintptr_t)interrupted->uc_mcontext.gregs[REG_RSP];
#elif defined(__i386__)
	return (uintptr_t)interrupted->uc_mcontext.gregs[REG_ESP];
#elif defined(__aarch64__)
	return (uintptr_t)interrupted->uc_mcontext.sp;
#else
	return otherwise;
#endif
}
