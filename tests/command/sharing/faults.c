/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that store to fresh pages, thread n to n * PAGES of them: one behind the other, each while the next
 * one waits; and a child that does so, too. Prints threads and pages as JSON.
 *
 * faults THREADS PAGES [wait]    wait: until a line comes, before any thread stores
 */
#define _GNU_SOURCE /* syscall() */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS_MOST 64
#define PAGE 4096u

static pthread_barrier_t barrier;
static unsigned int pages_each;
static unsigned int tids[THREADS_MOST];

static void touch(unsigned int pages)
{
	volatile char *memory = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* else the kernel gives many pages at once */
	madvise((void *)memory, (size_t)pages * PAGE, MADV_NOHUGEPAGE);
	for (unsigned int n = 0; n < pages; n++)
		memory[n * PAGE] = 1;
}

static void *run(void *data)
{
	const unsigned int thread = *(const unsigned int *)data;

	tids[thread] = (unsigned int)syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	touch((thread + 1) * pages_each);
	return NULL;
}

int main(int argc, char **argv)
{
	const unsigned int threads = argc > 2 ? (unsigned int)atoi(argv[1]) : 0;
	static unsigned int numbers[THREADS_MOST];
	pthread_t started[THREADS_MOST];
	pid_t child;

	if (!threads || threads > THREADS_MOST)
		return 2;
	pages_each = (unsigned int)atoi(argv[2]);
	pthread_barrier_init(&barrier, NULL, threads + 1);
	for (unsigned int n = 0; n < threads; n++) {
		numbers[n] = n;
		if (pthread_create(&started[n], NULL, run, &numbers[n]))
			return 1;
	}
	pthread_barrier_wait(&barrier);
	printf("{\"tids\": [");
	for (unsigned int n = 0; n < threads; n++)
		printf("%s%u", n ? ", " : "", tids[n]);
	printf("], \"pages\": %u}\n", pages_each);
	fflush(stdout);
	if (argc > 3)
		(void)!getchar();
	pthread_barrier_wait(&barrier);
	for (unsigned int n = 0; n < threads; n++)
		pthread_join(started[n], NULL);
	child = fork();
	if (!child) {
		touch(7 * pages_each);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return 0;
}
