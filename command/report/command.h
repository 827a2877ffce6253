/* SPDX-License-Identifier: BSD-3-Clause */
/* precis report. */
#ifndef REPORT_COMMAND_H
#define REPORT_COMMAND_H

/* argv[0] is the subcommand's name. Returns an exit code and has printed why it failed. */
int command_report(int argc, char **argv);

/* The same with 'help', and what else is not 0 in 'arguments' beforehand */
struct report_arguments;
int report_with(struct report_arguments *arguments, int argc, char **argv);

#endif
