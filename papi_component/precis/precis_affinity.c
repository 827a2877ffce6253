/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_affinity.c
 * @see precis_affinity.h
 */
#include "precis_affinity.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CPUS_MOST 8192u
#define WORD_BITS (8 * sizeof(unsigned long))
#define WORDS (CPUS_MOST / WORD_BITS)

/* Words that only gain bits, so that no lock is needed, which a child of fork(2) might find taken */
static unsigned long noted[WORDS];

/* 0: the calling thread's */
static void add(pid_t tid, unsigned long *all)
{
	unsigned long its[WORDS];
	long bytes = syscall(SYS_sched_getaffinity, tid, sizeof(its), its);

	for (long n = 0; n < bytes / (long)sizeof(its[0]); n++)
		all[n] |= its[n];
}

void precis_affinity_note(void)
{
	unsigned long its[WORDS] = { 0 };

	add(0, its);
	for (unsigned int n = 0; n < WORDS; n++)
		__atomic_fetch_or(&noted[n], its[n], __ATOMIC_RELAXED);
}

void precis_affinity_widen(void)
{
	DIR *threads = opendir("/proc/self/task");
	unsigned long all[WORDS] = { 0 };
	struct dirent *entry;

	while (threads && (entry = readdir(threads))) {
		if (entry->d_name[0] != '.')
			add((pid_t)atoi(entry->d_name), all);
	}
	if (threads)
		closedir(threads);
	for (unsigned int n = 0; n < WORDS; n++)
		all[n] |= __atomic_load_n(&noted[n], __ATOMIC_RELAXED);
	syscall(SYS_sched_setaffinity, 0, sizeof(all), all);
}
