/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that kernels walk through (kernels.h). */
#define _DEFAULT_SOURCE /* MADV_NOHUGEPAGE, MAP_ANONYMOUS */
#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernels.h"
#include "statistics/random.h"

/*
 * One cycle through all elements (S. Sattolo, "An algorithm to generate a random cyclic permutation",
 * Information Processing Letters 22, 1986): what is loaded there is 'unit' times the next one.
 */
static void make_cycle(uint8_t *memory, size_t count, uint32_t unit, uint64_t seed)
{
	struct random random = random_of(seed);
	uint32_t value, other;

	for (size_t n = 0; n < count; n++) {
		value = (uint32_t)n * unit;
		memcpy(memory + n * KERNEL_ELEMENT, &value, sizeof(value));
	}
	for (size_t n = count - 1; n > 0; n--) {
		uint8_t *a = memory + n * KERNEL_ELEMENT;
		uint8_t *b = memory + random_below(&random, n) * KERNEL_ELEMENT;

		memcpy(&value, a, sizeof(value));
		memcpy(&other, b, sizeof(other));
		memcpy(a, &other, sizeof(other));
		memcpy(b, &value, sizeof(value));
	}
}

static void fill_memory(const struct kernel *kernel, struct kernel_state *state, uint64_t seed)
{
	const uint64_t address = (uint64_t)(uintptr_t)state->memory;

	switch (kernel->memory) {
	case KERNEL_MEMORY_ADDRESS:
		memcpy(state->memory, &address, sizeof(address));
		break;
	case KERNEL_MEMORY_OFFSETS:
		make_cycle(state->memory, kernel->bytes / KERNEL_ELEMENT, KERNEL_ELEMENT, seed);
		break;
	case KERNEL_MEMORY_NUMBERS:
		make_cycle(state->memory, kernel->bytes / KERNEL_ELEMENT, 1, seed);
		break;
	case KERNEL_MEMORY_WORDS: {
		/* what goes into an eventfd: 1 */
		const uint64_t one = 1;

		memcpy(state->memory + WATCH_STRIDE, &one, sizeof(one));
		break;
	}
	case KERNEL_MEMORY_PAGES:
		break;
	}
}

static size_t bytes_of(const struct kernel *kernel, size_t page, uint64_t inner)
{
	if (kernel->memory == KERNEL_MEMORY_PAGES)
		return (size_t)inner * page;
	return (kernel->bytes + page - 1) / page * page + page;
}

int kernel_prepare(const struct kernel *kernel, struct kernel_state *state, uint64_t inner, uint64_t seed)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int needs_fd = kernel->turn[QUANTITY_READS] != 0;
	void *memory;

	memset(state, 0, sizeof(*state));
	state->outer = 1;
	state->inner = inner;
	state->stride = page;
	state->bytes = bytes_of(kernel, page, inner);
	memory = mmap(NULL, state->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -errno;
	state->memory = memory;
	/* one fault for each page; a kernel without large pages refuses, and needs no telling */
	madvise(memory, state->bytes, MADV_NOHUGEPAGE);
	state->fd = needs_fd ? eventfd(0, EFD_CLOEXEC) : -1;
	if (needs_fd && state->fd < 0) {
		const int error = errno;

		munmap(memory, state->bytes);
		return -error;
	}
	fill_memory(kernel, state, seed);
	return 0;
}

void kernel_free(struct kernel_state *state)
{
	munmap(state->memory, state->bytes);
	if (state->fd >= 0)
		close((int)state->fd);
}

int kernel_refresh(const struct kernel *kernel, struct kernel_state *state)
{
	if (kernel->memory != KERNEL_MEMORY_PAGES)
		return 0;
	return madvise(state->memory, state->bytes, MADV_DONTNEED) ? -errno : 0;
}
