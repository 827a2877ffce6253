/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a subcommand's results go (-o), and what is said where they cannot go there. */
#ifndef USAGE_DESTINATION_H
#define USAGE_DESTINATION_H

#include "document/output.h"

/* As output_open(), after it has been said on stderr, as 'command', why not. */
int destination_open(struct output *output, const char *path, const char *command);

/* As output_open_whole(), likewise. */
int destination_open_whole(struct output *output, const char *path, const char *command);

/* As output_check(), likewise. */
int destination_check(const char *path, const char *command);

/* As output_close(), likewise. */
int destination_close(struct output *output, const char *command);

#endif
