/* SPDX-License-Identifier: BSD-3-Clause */
/* precis plan. */
#ifndef PLAN_COMMAND_H
#define PLAN_COMMAND_H

/* argv[0] is the subcommand's name. Returns an exit code and has printed why it failed. */
int command_plan(int argc, char **argv);

#endif
