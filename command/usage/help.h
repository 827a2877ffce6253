/* SPDX-License-Identifier: BSD-3-Clause */
/* --help of a subcommand. */
#ifndef HELP_H
#define HELP_H

/* The text on stdout. Returns an exit code; has printed why it failed. */
int print_help(const char *command, const char *text);

#endif
