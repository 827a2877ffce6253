/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workload ROUNDS: something for perf record to see, in two processes of two threads each: writes
 * to WATCHED_ADDRESS (a data breakpoint can be set there before the program runs), page faults,
 * sleeps. ROUNDS 0: until its parent ends.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "causeless_traps.h"

#define WATCHED_ADDRESS 0x20000000ul
#define PAGE 4096u
#define FAULTS 16u
#define SPINS 20000

static unsigned long rounds;

static void fault(void)
{
	volatile char *pages = mmap(NULL, FAULTS * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return;
	for (unsigned int i = 0; i < FAULTS; i++)
		pages[i * PAGE] = 1;
	munmap((void *)(uintptr_t)pages, FAULTS * PAGE);
}

static void *work(void *unused)
{
	volatile uint64_t *watched = (volatile uint64_t *)WATCHED_ADDRESS;

	for (unsigned long i = 0; !rounds || i < rounds; i++) {
		*watched = i;
		for (volatile uint64_t n = 0; n < SPINS; n++)
			;
		if (i % 16 == 0)
			fault();
		if (i % 64 == 0)
			usleep(1);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t other;
	pid_t child;
	int status = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: workload ROUNDS\n");
		return 2;
	}
	rounds = strtoul(argv[1], NULL, 10);
	if (!rounds)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (mmap((void *)WATCHED_ADDRESS, PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED) {
		perror("workload");
		return 1;
	}
	child = fork();
	if (!child && !rounds)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pthread_create(&other, NULL, work, NULL))
		return 1;
	work(NULL);
	pthread_join(other, NULL);
	if (child > 0)
		waitpid(child, &status, 0);
	return child < 0 || status;
}
