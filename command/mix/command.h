/* SPDX-License-Identifier: BSD-3-Clause */
/* precis mix. */
#ifndef MIX_COMMAND_H
#define MIX_COMMAND_H

int command_mix(int argc, char **argv);

#endif
