/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For a program that has breakpoints, or is given some, to include. There are hypervisors that now and then
 * deliver a debug exception that names no cause: to the kernel it is nobody's, and the thread gets a SIGTRAP,
 * which would end the program (precis-sharing(1)). Such a program goes on.
 */
#ifndef PRECIS_CAUSELESS_TRAPS_H
#define PRECIS_CAUSELESS_TRAPS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <signal.h>

static void causeless_trap(int signal)
{
	(void)signal;
}

__attribute__((constructor)) static void take_causeless_traps(void)
{
	struct sigaction action = { .sa_handler = causeless_trap, .sa_flags = SA_RESTART };

	sigaction(SIGTRAP, &action, 0);
}

#endif
