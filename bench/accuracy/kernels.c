/* SPDX-License-Identifier: BSD-3-Clause */
/* See kernels.h. What a kernel does follows from what its instructions are noted to do. */
#include "kernels.h"

#include <string.h>

#ifdef __x86_64__

#define KERNEL(name, memory, bytes, inner, paper_outer, summary, ...)                              \
	extern kernel_code kernel_##name __attribute__((visibility("hidden")));                    \
	extern const struct kernel_site kernel_sites_##name[] __attribute__((visibility("hidden"))); \
	extern const struct kernel_site kernel_sites_end_##name[]                                  \
		__attribute__((visibility("hidden")));
#include "kernels.def"
#undef KERNEL

/* The names of rows are those of the quantities. */
enum {
#define QUANTITY(id, name, classes, meaning) id = QUANTITY_##id,
#include "quantities.def"
#undef QUANTITY
};

static const struct kernel kernels[] = {
#define KERNEL(name, memory, bytes, inner, paper_outer, summary, ...)                              \
	{ #name, summary, kernel_##name, kernel_sites_##name, kernel_sites_end_##name,             \
	  KERNEL_MEMORY_##memory, bytes, inner, paper_outer, { __VA_ARGS__ } },
#include "kernels.def"
#undef KERNEL
};

const struct kernel *kernel_at(size_t n)
{
	return n < sizeof(kernels) / sizeof(kernels[0]) ? &kernels[n] : NULL;
}

const char *kernels_why_not(void)
{
	return NULL;
}

#else

const struct kernel *kernel_at(size_t n)
{
	(void)n;
	return NULL;
}

const char *kernels_why_not(void)
{
	return "the kernels are in the assembly of x86-64: another architecture has none yet";
}

#endif

static const struct {
	const char *name;
	uint32_t classes;
} quantities[QUANTITY_COUNT] = {
#define QUANTITY(id, name, classes, meaning) [QUANTITY_##id] = { name, classes },
#include "quantities.def"
#undef QUANTITY
};

const char *quantity_name(enum quantity quantity)
{
	return quantities[quantity].name;
}

const struct kernel *kernel_named(const char *name)
{
	const struct kernel *kernel;

	for (size_t n = 0; (kernel = kernel_at(n)); n++) {
		if (strcmp(kernel->name, name) == 0)
			return kernel;
	}
	return NULL;
}

size_t kernel_bytes(const struct kernel *kernel)
{
	const struct kernel_site *last = kernel->sites_end - 1;

	return last->offset + last->length;
}

size_t kernel_site_at(const struct kernel *kernel, uint64_t address)
{
	const uint64_t first = (uint64_t)(uintptr_t)kernel->code;
	size_t low = 0, high = kernel_site_count(kernel);

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (first + kernel->sites[middle].offset < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < kernel_site_count(kernel) && first + kernel->sites[low].offset == address ? low :
												 SIZE_MAX;
}

/* How often it is executed, and how often a loop ends there */
static uint64_t executions(const struct kernel_site *site, uint64_t outer, uint64_t inner)
{
	return site->part == PART_TURN ? outer * inner : site->part == PART_OUTER ? outer : 1;
}

static uint64_t endings(const struct kernel_site *site, uint64_t outer)
{
	return site->part == PART_TURN ? outer : 1;
}

int64_t kernel_site_truth(const struct kernel *kernel, size_t site, enum quantity quantity,
			  uint64_t outer, uint64_t inner)
{
	const struct kernel_site *at = &kernel->sites[site];
	const uint32_t classes = quantities[quantity].classes;
	const int64_t times = (int64_t)executions(at, outer, inner);

	if (quantity == QUANTITY_TAKEN && at->class & CLASS_LOOP)
		return times - (int64_t)endings(at, outer);
	return classes == CLASS_PLAIN || at->class & classes ? times : 0;
}

int64_t kernel_truth(const struct kernel *kernel, enum quantity quantity, uint64_t outer, uint64_t inner)
{
	int64_t sum = 0;

	for (size_t site = 0; site < kernel_site_count(kernel); site++)
		sum += kernel_site_truth(kernel, site, quantity, outer, inner);
	return sum;
}

int kernel_knows(const struct kernel *kernel, enum quantity quantity)
{
	const int is_known_of_some = quantity == QUANTITY_OPS || quantity == QUANTITY_FETCHES;

	return quantity != QUANTITY_CPU_TIME && quantity != QUANTITY_UNKNOWN &&
	       (!is_known_of_some || kernel->turn[quantity] > 0);
}
