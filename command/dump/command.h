/* SPDX-License-Identifier: BSD-3-Clause */
/* precis dump. */
#ifndef DUMP_COMMAND_H
#define DUMP_COMMAND_H

/* argv[0] is the subcommand's name. Returns an exit code and has printed why it failed. */
int command_dump(int argc, char **argv);

#endif
