/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that knows when it does what, by its own reading of CLOCK_MONOTONIC: test_recording.py compares
 * that with a side file and with a recording of page faults. Each of its blocks is touched on one fresh page.
 *
 * Lines "block ADDRESS SIZE BEFORE_ALLOC AFTER_ALLOC BEFORE_FREE AFTER_FREE", ns.
 */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BLOCKS 200
#define SIZE(n) (((size_t)1 << 20) + 64 * (size_t)(n) + 37) /* from mmap(2): its pages are fresh */

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static struct {
	char *block;
	uint64_t times[4];
} done[BLOCKS];

int main(void)
{
	const struct timespec pause = { 0, 2000000 };

	mallopt(M_MMAP_THRESHOLD, 1 << 20); /* and it stays there */
	for (int n = 0; n < BLOCKS; n++) {
		done[n].times[0] = now();
		done[n].block = malloc(SIZE(n));
		done[n].times[1] = now();
		if (!done[n].block)
			return 1;
		((volatile char *)done[n].block)[SIZE(n) / 2] = 1;
		done[n].times[2] = now();
		free(done[n].block);
		done[n].times[3] = now();
		nanosleep(&pause, NULL);
	}
	for (int n = 0; n < BLOCKS; n++)
		printf("block %" PRIxPTR " %zu %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       (uintptr_t)done[n].block, SIZE(n), done[n].times[0], done[n].times[1],
		       done[n].times[2], done[n].times[3]);
	return 0;
}
