/* SPDX-License-Identifier: BSD-3-Clause */
/* precis objects: what a side file of objects' lifetimes says. */
#ifndef OBJECTS_COMMAND_H
#define OBJECTS_COMMAND_H

/* argv[0] is the subcommand. Returns an exit code. */
int command_objects(int argc, char **argv);

#endif
