/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process has, to be compared with what it had: descriptors, rings, threads, memory, signals. */
#ifndef PRECIS_PROCESS_H
#define PRECIS_PROCESS_H

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "precis_test.h"

#define PROCESS_SIGNALS 65

struct process {
	int descriptors, rings, threads;
	size_t allocated, resident; /* bytes: by malloc(3); of pages */
	struct sigaction actions[PROCESS_SIGNALS];
	sigset_t mask; /* of the calling thread */
};

static inline int process_entries(const char *path)
{
	DIR *directory = opendir(path);
	int entries = 0;

	while (directory && readdir(directory))
		entries++;
	if (directory)
		closedir(directory);
	return entries;
}

static inline int process_threads(void)
{
	return process_entries("/proc/self/task") - 2; /* "." and ".." */
}

static inline int process_rings(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	int rings = 0;

	while (maps && fgets(line, sizeof(line), maps))
		rings += strstr(line, "[perf_event]") != NULL;
	if (maps)
		fclose(maps);
	return rings;
}

static inline size_t process_resident(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long all = 0, resident = 0;

	if (file && fscanf(file, "%lu %lu", &all, &resident) != 2)
		resident = 0;
	if (file)
		fclose(file);
	return (size_t)resident * (size_t)sysconf(_SC_PAGESIZE);
}

static inline void process_look(struct process *process)
{
	memset(process, 0, sizeof(*process));
	process->descriptors = process_entries("/proc/self/fd");
	process->rings = process_rings();
	process->threads = process_threads();
	process->allocated = mallinfo2().uordblks;
	process->resident = process_resident();
	for (int number = 1; number < PROCESS_SIGNALS; number++) {
		if (sigaction(number, NULL, &process->actions[number]))
			process->actions[number].sa_handler = SIG_ERR; /* the C library's own */
	}
	pthread_sigmask(SIG_BLOCK, NULL, &process->mask);
}

/* @return how many signals have another handler, or are blocked or not as they were */
static inline int process_signals_differ(const struct process *before, const struct process *now)
{
	int differ = 0;

	for (int number = 1; number < PROCESS_SIGNALS; number++) {
		const struct sigaction *is = &now->actions[number], *was = &before->actions[number];

		/* of one that nobody handles flags mean nothing */
		differ += is->sa_handler != was->sa_handler ||
			  (is->sa_handler != SIG_DFL && is->sa_flags != was->sa_flags) ||
			  sigismember(&before->mask, number) != sigismember(&now->mask, number);
	}
	return differ;
}

#endif
