/* SPDX-License-Identifier: BSD-3-Clause */
/* precis sharing. */
#ifndef SHARING_COMMAND_H
#define SHARING_COMMAND_H

/* argv[0] is the subcommand's name. Returns an exit code and has printed why it failed. */
int command_sharing(int argc, char **argv);

#endif
