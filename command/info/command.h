/* SPDX-License-Identifier: BSD-3-Clause */
/* precis info. */
#ifndef INFO_COMMAND_H
#define INFO_COMMAND_H

/* argv[0] is the subcommand's name. Returns an exit code and has printed why it failed. */
int command_info(int argc, char **argv);

#endif
