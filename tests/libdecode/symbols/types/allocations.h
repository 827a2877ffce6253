/* SPDX-License-Identifier: BSD-3-Clause */
/* A program says which type the next block has; record_allocations.c prints it. */
#ifndef TESTS_TYPES_ALLOCATIONS_H
#define TESTS_TYPES_ALLOCATIONS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Types of the next blocks, apart by '|', the last for all others; NULL: they are not told of */
extern const char *volatile allocation_types;

/* What is done with blocks, which no compiler can see */
extern void *volatile allocation_sink;

/* Once, before anything is told of */
void begin_allocations(void);

#ifdef __cplusplus
}
#endif

#define KEEP(pointer) (allocation_sink = (void *)(pointer))

#endif
