/* SPDX-License-Identifier: BSD-3-Clause */
/* Being asked to end: by Ctrl-C, or by whoever runs the command, as a batch system whose time is up. */
#ifndef USAGE_INTERRUPTION_H
#define USAGE_INTERRUPTION_H

#include <signal.h>

/*
 * From here on the first SIGINT or SIGTERM makes that its number, no more 0, so that what was measured until
 * then can be written. The second one of its kind ends the program.
 */
const volatile sig_atomic_t *interruption_await(void);

/* As if that signal had come: of who waits for it in another way */
void interruption_note(int number);

/*
 * The end of the program, when all is written: by that signal if one came, as if nothing had awaited it, so
 * that the shell, timeout(1) or the batch system that runs it knows. Else the code comes back.
 */
int interruption_end(int code);

#endif
