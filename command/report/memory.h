/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a report's tables are in memory, and how much there is of it. */
#ifndef COMMAND_REPORT_MEMORY_H
#define COMMAND_REPORT_MEMORY_H

#include <stdint.h>

/*
 * What is allocated from here on comes out of one piece of address space, for which the kernel is asked for
 * large pages; what is freed stays there for what follows. Elsewhere than with the GNU C library, or where
 * the kernel gives none, all is as it was. To be called while there is one thread, and once analyses have
 * begun: of the tables that they begin with most is never touched, and large pages would be zeroed for it.
 * Another time changes nothing.
 */
void memory_in_one_piece(void);

/* Bytes that the process has now, code and files that are mapped included. 0: not known */
uint64_t memory_resident(void);

/* What was freed is the system's again. */
void memory_give_back(void);

#endif
