/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of which test_objects.py knows who asks for how many blocks, and which of them are left. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define NOINLINE __attribute__((noinline))

static void *kept[1000];
static volatile size_t too_many = SIZE_MAX / 4;

NOINLINE void *tens(void)
{
	void *volatile block = malloc(1000);

	return block;
}

NOINLINE void *grown(void *old, size_t size)
{
	void *volatile block = realloc(old, size);

	return block;
}

/* Ten blocks of 1000 bytes, of which six are left */
NOINLINE void first_caller(void)
{
	for (int n = 0; n < 10; n++)
		kept[n] = tens();
	for (int n = 0; n < 4; n++)
		free(kept[n]);
	kept[999] = NULL; /* no jump in place of a call */
}

/* One of 1000 bytes by the same function, which is another stack */
NOINLINE void second_caller(void)
{
	kept[10] = tens();
	kept[999] = NULL;
}

/* Three blocks in turn, of 100, 200 and 50000 bytes; one more cannot be had, so that the last one is left */
NOINLINE void growing(void)
{
	void *block = grown(grown(grown(NULL, 100), 200), 50000);

	if (grown(block, too_many))
		abort();
	kept[11] = block;
	munmap((void *)4096, 1); /* fails as well: it is another's business */
}

int main(void)
{
	first_caller();
	second_caller();
	growing();
	return 0;
}
