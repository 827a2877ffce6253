/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tests that act as profilers share: what is sampled, and what an interrupted context
 * says.
 */
#ifndef PRECIS_TOOLS_H
#define PRECIS_TOOLS_H

#include <ucontext.h>

#include "precis_test.h"

/*
 * All stores that are sampled are made in a section of their own: its bounds tell their addresses.
 */
extern const char __start_precis_stores[], __stop_precis_stores[];

__attribute__((noinline, used, section("precis_stores"))) static void
tools_store(volatile long *cell, uint64_t times)
{
	for (uint64_t n = 0; n < times; n++)
		*cell = (long)n;
}

/* A sample's address is that of the instruction behind the store. */
static inline int tools_is_store(const void *address)
{
	return (const char *)address > __start_precis_stores &&
	       (const char *)address <= __stop_precis_stores;
}

/* Where the interrupted thread was; 0: not known on this machine */
static inline uintptr_t tools_context_ip(const void *context)
{
	const ucontext_t *interrupted = context;

#if defined(__x86_64__)
	return (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (uintptr_t)interrupted->uc_mcontext.pc;
#else
	(void)interrupted;
	return 0;
#endif
}

static inline uintptr_t tools_context_sp(const void *context)
{
	const ucontext_t *interrupted = context;

#if defined(__x86_64__)
	return (uintptr_t)interrupted->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
	return (uintptr_t)interrupted->uc_mcontext.sp;
#else
	(void)interrupted;
	return 0;
#endif
}

/*
 * Can a profiler unwind from there? The interrupted frame lies below the one
 * that called, whose __builtin_frame_address(0) is 'stack', and not far from it.
 */
static inline int tools_can_unwind(const void *context, const void *stack)
{
	uintptr_t sp = context ? tools_context_sp(context) : 0;

	return sp && tools_context_ip(context) >> 12 && sp <= (uintptr_t)stack &&
	       sp > (uintptr_t)stack - (1u << 20);
}

#endif
