/* SPDX-License-Identifier: BSD-3-Clause */
/* precis errata, precis fields. */
#ifndef LISTING_COMMAND_H
#define LISTING_COMMAND_H

/* argv[0] is the subcommand's name. Each returns an exit code and has printed why it failed. */
int command_errata(int argc, char **argv);
int command_fields(int argc, char **argv);

#endif
