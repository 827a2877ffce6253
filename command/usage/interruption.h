/* SPDX-License-Identifier: BSD-3-Clause */
/* Being asked to end: by Ctrl-C, or by whoever runs the command, as a batch system whose time is up. */
#ifndef USAGE_INTERRUPTION_H
#define USAGE_INTERRUPTION_H

#include <signal.h>

/*
 * From here on the first SIGINT or SIGTERM makes that not 0, so that what was measured until then can be
 * written. The second one of its kind ends the program.
 */
const volatile sig_atomic_t *interruption_await(void);

#endif
