/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory with an upper bound: what records can make the process model hold. Beside it commands have what
 * waits to be sorted and what they count, and 64 MiB are for all of it.
 * Symbol tables are not counted; their bound is the size of the file they are from.
 */
#ifndef PRECIS_SYMBOLS_BUDGET_H
#define PRECIS_SYMBOLS_BUDGET_H

#include <stddef.h>
#include <stdlib.h>

#define BUDGET_BYTES ((size_t)32 << 20) /* if not less is asked for */
/* What malloc's bookkeeping costs beside each block, about; the node by which tsearch(3) finds it, exactly */
#define BUDGET_OVERHEAD 20u
#define BUDGET_NODE 32u

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

/** The same, of what tsearch(3) is to find */
static inline void *budget_alloc_found(struct budget *budget, size_t bytes)
{
	void *memory;

	if (budget->left < BUDGET_NODE)
		return NULL;
	budget->left -= BUDGET_NODE;
	memory = budget_alloc(budget, bytes);
	if (!memory)
		budget->left += BUDGET_NODE;
	return memory;
}

static inline void budget_free_found(struct budget *budget, void *memory, size_t bytes)
{
	if (memory)
		budget->left += BUDGET_NODE;
	budget_free(budget, memory, bytes);
}

#endif
