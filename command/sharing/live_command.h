/* SPDX-License-Identifier: BSD-3-Clause */
/* precis sharing of a program that runs: its command line, and what is printed. */
#ifndef SHARING_LIVE_COMMAND_H
#define SHARING_LIVE_COMMAND_H

/* Is it a command or a process that is meant, and not recordings? */
int live_is_meant(int argc, char **argv);

/* As command_sharing() */
int live_command(int argc, char **argv, const char *help);

#endif
