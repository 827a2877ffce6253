/* SPDX-License-Identifier: BSD-3-Clause */
/* precis diff. */
#ifndef DIFF_COMMAND_H
#define DIFF_COMMAND_H

/* argv[0] is the subcommand's name. Returns an exit code and has printed why it failed. */
int command_diff(int argc, char **argv);

#endif
