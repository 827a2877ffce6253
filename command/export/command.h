/* SPDX-License-Identifier: BSD-3-Clause */
/* precis export. */
#ifndef EXPORT_COMMAND_H
#define EXPORT_COMMAND_H

/* argv[0] is the subcommand's name. Returns an exit code and has printed why it failed. */
int command_export(int argc, char **argv);

#endif
