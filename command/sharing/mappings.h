/* SPDX-License-Identifier: BSD-3-Clause */
/* What is mapped in a process that runs, for the names of its memory. */
#ifndef SHARING_MAPPINGS_H
#define SHARING_MAPPINGS_H

#include <sys/types.h>

#include <precis/symbols.h>

/* /proc/PID/maps as it is now; to be freed. NULL: the process has gone, or memory is short */
char *mappings_read(pid_t pid);

/* The symbols learn of these. What is not understood is left out. 0, or -1 if memory is short */
int mappings_tell(struct precis_symbols *symbols, pid_t pid, const char *maps);

#endif
