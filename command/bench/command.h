/* SPDX-License-Identifier: BSD-3-Clause */
/* precis bench. */
#ifndef BENCH_COMMAND_H
#define BENCH_COMMAND_H

/* argv[0] is the subcommand's name. Returns an exit code and has printed why it failed. */
int command_bench(int argc, char **argv);

#endif
