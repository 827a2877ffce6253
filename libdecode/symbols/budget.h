/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory with an upper bound: what records can make the process model hold.
 * Symbol tables are not counted; their bound is the size of the file they are from.
 */
#ifndef PRECIS_SYMBOLS_BUDGET_H
#define PRECIS_SYMBOLS_BUDGET_H

#include <stddef.h>
#include <stdlib.h>

#define BUDGET_BYTES ((size_t)42 << 20)
/* What malloc's bookkeeping costs beside each block, about */
#define BUDGET_OVERHEAD 32u

struct budget {
	size_t left;
};

/** Zeroed memory. @return NULL if the budget or the machine has no more */
static inline void *budget_alloc(struct budget *budget, size_t bytes)
{
	void *memory;

	if (budget->left < BUDGET_OVERHEAD || bytes > budget->left - BUDGET_OVERHEAD)
		return NULL;
	memory = calloc(1, bytes);
	if (memory)
		budget->left -= bytes + BUDGET_OVERHEAD;
	return memory;
}

/** @param bytes  as it was allocated */
static inline void budget_free(struct budget *budget, void *memory, size_t bytes)
{
	if (!memory)
		return;
	free(memory);
	budget->left += bytes + BUDGET_OVERHEAD;
}

#endif
