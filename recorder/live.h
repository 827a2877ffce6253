/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blocks of the heap that are there now, by address, for who asks within the program: in a signal
 * handler, too, at any moment. Only with the option live=yes.
 *
 * A tree whose nodes are never given back, so that whoever reads it needs no lock, and waits for nobody. A
 * block has the place of its start: nobody else writes there as long as it lives. Of what it looks at a
 * reader asks again, and says so if it has changed meanwhile.
 */
#ifndef PRECIS_RECORDER_LIVE_H
#define PRECIS_RECORDER_LIVE_H

#include <stdint.h>

extern int live_is_kept;

/* @return 0, -1: no memory */
int live_begin(void);

/* In a forked child: what other threads were about to do when it was forked is done. */
void live_mend(void);

/* Behind the function that made it. @param site  to which the call that asked for it returns */
void live_add(uint64_t start, uint64_t size, uint64_t site);

/* Before the function that gives it back. */
void live_remove(uint64_t start);

/* Of a block that begins there. @return 1; 0: there is none */
int live_at(uint64_t start, uint64_t *size, uint64_t *site);

#endif
