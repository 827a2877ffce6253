/* SPDX-License-Identifier: BSD-3-Clause */
/* precis annotate. */
#ifndef ANNOTATE_COMMAND_H
#define ANNOTATE_COMMAND_H

/* argv[0] is the subcommand's name. Returns an exit code and has printed why it failed. */
int command_annotate(int argc, char **argv);

#endif
