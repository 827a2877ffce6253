/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that calibrations sample: the same work each time, with page faults in it. */
#ifndef PLAN_WORKS_H
#define PLAN_WORKS_H

#include <stddef.h>

struct works; /* their memory */

#define WORKS 3u
#define WORK_FAULTS 512u /* page faults of each run of each */

/* NULL if memory is short */
struct works *works_open(void);
void works_close(struct works *works);

/* Run program n, of WORKS: one that computes, one that follows pointers, one that copies */
void works_run(struct works *works, unsigned int n);

/* A tracepoint that a page fault of a program is, and eight bytes that are written beside each */
#define WORK_TRACEPOINT "exceptions:page_fault_user"
const volatile void *works_written(const struct works *works);

/* What program n works on, in bytes */
size_t works_bytes(const struct works *works, unsigned int n);

/* The cache that this is measured against, of each CPU: the L2. 0: not known */
size_t works_cache(void);

#endif
