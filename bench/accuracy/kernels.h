/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels with known truth: loops in assembly of which it is known how many instructions, loads, branches,
 * page faults and so on a run has, and at which instruction.
 */
#ifndef ACCURACY_KERNELS_H
#define ACCURACY_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "classes.h"

enum quantity {
#define QUANTITY(id, name, classes, meaning) QUANTITY_##id,
#include "quantities.def"
#undef QUANTITY
	QUANTITY_COUNT
};

const char *quantity_name(enum quantity quantity);

/* An instruction, as kernels_x86_64.S notes it */
struct kernel_site {
	uint32_t offset; /* from the kernel's first byte */
	uint32_t length; /* in bytes */
	uint32_t class;  /* CLASS_* */
	uint32_t part;   /* PART_* */
};

/* What a kernel is given. The assembly knows where each member lies. */
struct kernel_state {
	uint64_t outer, inner; /* outer turns, 1 where pages are fresh, and turns in each, 1 or more */
	uint8_t *memory;
	uint64_t stride;       /* a page */
	int64_t fd;            /* of an eventfd, where the kernel makes system calls */
	size_t bytes;          /* of memory that is mapped */
};

enum kernel_memory {
	KERNEL_MEMORY_WORDS,   /* the watched words */
	KERNEL_MEMORY_ADDRESS, /* a word that holds its own address */
	KERNEL_MEMORY_OFFSETS, /* a random cycle: where the next element is, in bytes from the first */
	KERNEL_MEMORY_NUMBERS, /* the same, which element it is */
	KERNEL_MEMORY_PAGES    /* fresh pages, one for each turn */
};

/* Bytes of an element of a random cycle: two lines of most caches, so that none shares one */
#define KERNEL_ELEMENT 128u

typedef void kernel_code(struct kernel_state *state);

struct kernel {
	const char *name, *summary;
	kernel_code *code;
	const struct kernel_site *sites, *sites_end;
	enum kernel_memory memory;
	size_t bytes;
	uint64_t inner, paper_outer; /* turns in an outer turn; outer turns in the paper's runs, or 0 */
	int64_t turn[QUANTITY_COUNT]; /* what one turn does, by hand */
};

/* Kernel n; NULL past the last one. */
const struct kernel *kernel_at(size_t n);
const struct kernel *kernel_named(const char *name);

/* Why there is no kernel on this machine; NULL: there are. */
const char *kernels_why_not(void);

static inline size_t kernel_site_count(const struct kernel *kernel)
{
	return (size_t)(kernel->sites_end - kernel->sites);
}

/* Bytes from the first to behind the last instruction */
size_t kernel_bytes(const struct kernel *kernel);

/* The number of the site whose first byte is there, or SIZE_MAX */
size_t kernel_site_at(const struct kernel *kernel, uint64_t address);

/* How often a site does that in so many turns, and how often all of them do */
int64_t kernel_site_truth(const struct kernel *kernel, size_t site, enum quantity quantity,
			  uint64_t outer, uint64_t inner);
int64_t kernel_truth(const struct kernel *kernel, enum quantity quantity, uint64_t outer, uint64_t inner);

/*
 * Is it known how often the kernel does that? Of OPS not, where some instruction of a turn is several; of
 * FETCHES only where each line of code is one that a jump leads into. CPU_TIME is measured, not known.
 */
int kernel_knows(const struct kernel *kernel, enum quantity quantity);

/*
 * Memory and descriptors for a run of 'inner' turns at most. 'seed' decides about the order of a cycle.
 * 0, or a negative errno; then there is nothing to free.
 */
int kernel_prepare(const struct kernel *kernel, struct kernel_state *state, uint64_t inner, uint64_t seed);
void kernel_free(struct kernel_state *state);

/* What has to be done before each run, outside of what is measured. 0, or a negative errno */
int kernel_refresh(const struct kernel *kernel, struct kernel_state *state);

/* The address of watched word n */
static inline uint64_t kernel_word(const struct kernel_state *state, size_t n)
{
	return (uint64_t)(uintptr_t)state->memory + n * WATCH_STRIDE;
}

#endif
