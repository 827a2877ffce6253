/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writers COUNT...: a thread for each, named writer-COUNT, which prints its number and, once the
 * process gets SIGUSR1, writes COUNT times to WATCHED_ADDRESS and ends. So how many samples a data
 * breakpoint there takes in which thread is known, however many of them arrive.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "causeless_traps.h"

#define WATCHED_ADDRESS 0x20000000ul
#define PAGE 4096u
#define WRITERS 8

static pthread_barrier_t all_told, may_begin;

static void *write_often(void *argument)
{
	volatile uint64_t *watched = (volatile uint64_t *)WATCHED_ADDRESS;
	unsigned long count = strtoul(argument, NULL, 10);
	char name[16];

	snprintf(name, sizeof(name), "writer-%lu", count);
	pthread_setname_np(pthread_self(), name);
	printf("%ld\n", syscall(SYS_gettid));
	pthread_barrier_wait(&all_told);
	pthread_barrier_wait(&may_begin);
	for (unsigned long n = 0; n < count; n++)
		*watched = n;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[WRITERS];
	sigset_t begin;
	int got;

	if (argc < 2 || argc > 1 + WRITERS) {
		fprintf(stderr, "usage: writers COUNT...\n");
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&begin);
	sigaddset(&begin, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &begin, NULL);
	if (mmap((void *)WATCHED_ADDRESS, PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED) {
		perror("writers");
		return 1;
	}
	pthread_barrier_init(&all_told, NULL, (unsigned int)argc);
	pthread_barrier_init(&may_begin, NULL, (unsigned int)argc);
	for (int n = 1; n < argc; n++) {
		if (pthread_create(&thread[n - 1], NULL, write_often, argv[n]))
			return 1;
	}
	pthread_barrier_wait(&all_told);
	printf("all\n");
	fflush(stdout);
	sigwait(&begin, &got);
	pthread_barrier_wait(&may_begin);
	for (int n = 1; n < argc; n++)
		pthread_join(thread[n - 1], NULL);
	return 0;
}
