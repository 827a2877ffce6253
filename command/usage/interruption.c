/* SPDX-License-Identifier: BSD-3-Clause */
/* See interruption.h. */
#include "interruption.h"

#include <stddef.h>
#include <stdio.h>

static volatile sig_atomic_t interrupted; /* the signal's number; 0: none */

void interruption_note(int number)
{
	interrupted = number;
}

const volatile sig_atomic_t *interruption_await(void)
{
	/* calls go on that a signal would end, as waiting for a child: who measures looks at the flag */
	struct sigaction action = { .sa_handler = interruption_note,
				    .sa_flags = (int)(SA_RESETHAND | SA_RESTART) };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	return &interrupted;
}

int interruption_end(int code)
{
	const int number = interrupted;

	if (!number)
		return code;
	fflush(NULL);
	signal(number, SIG_DFL);
	raise(number);
	return 128 + number; /* it is blocked here */
}
