/* SPDX-License-Identifier: BSD-3-Clause */
/* See interruption.h. */
#include "interruption.h"

#include <stddef.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

const volatile sig_atomic_t *interruption_await(void)
{
	/* calls go on that a signal would end, as waiting for a child: who measures looks at the flag */
	struct sigaction action = { .sa_handler = interrupt, .sa_flags = (int)(SA_RESETHAND | SA_RESTART) };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	return &interrupted;
}
