/* SPDX-License-Identifier: BSD-3-Clause */
/* See worker.h. */
#define _GNU_SOURCE
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/hostile/worker.h"

#define MOST_FAILURES 5u
#define FAILED_INPUT 3
/*
 * The last resort against an endless loop: far more of a CPU than any input takes. On one that is slower
 * than those of today, as an emulated one, it is as many times what some arithmetic takes.
 */
#define CPU_SECONDS_PER_INPUT 60u
#define CPU_TIMES_ARITHMETIC 12000u
#define ARITHMETIC_STEPS 4000000u
/* And against waiting without end, beside whatever else runs, 20 times that */
#define TIMES_OF_CPU 20u

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef HAS_ADDRESS_SANITIZER
/* Freed bytes kept to find their later use do not count; a single claim of too much is an error. */
extern const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=16:max_allocation_size_mb=256:malloc_context_size=8";
}
#endif

int worker_is_sanitized(void)
{
#ifdef HAS_ADDRESS_SANITIZER
	return 1;
#else
	return 0;
#endif
}

/* Large tables that are hardly used are not cleared for each input. */
#define MAPPED_BYTES (1 << 20)
/* What an input gave back is not fetched from the kernel again for the next one, page by page. */
#define KEPT_BYTES (4 << 20)

struct shared {
	volatile uint64_t number;
	volatile uint64_t tally[4];
};

static void limit_memory(void)
{
#ifndef HAS_ADDRESS_SANITIZER /* it reserves terabytes, and checks what is resident itself */
	struct rlimit limit = { WORKER_MEMORY, WORKER_MEMORY };

	setrlimit(RLIMIT_AS, &limit);
#endif
}

static double cpu_seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Seconds of a CPU that an input may take */
static unsigned int time_of_input(void)
{
	static unsigned int seconds;
	const double began = cpu_seconds();
	volatile uint64_t sum = 1;

	if (seconds)
		return seconds;
	for (uint32_t n = 0; n < ARITHMETIC_STEPS; n++)
		sum = sum * 31 + n;
	seconds = (unsigned int)(CPU_TIMES_ARITHMETIC * (cpu_seconds() - began));
	if (seconds < CPU_SECONDS_PER_INPUT)
		seconds = CPU_SECONDS_PER_INPUT;
	return seconds;
}

static void limit_time(void)
{
	const struct itimerval cpu = { .it_value = { .tv_sec = time_of_input() } };

	setitimer(ITIMER_PROF, &cpu, NULL);
	alarm(TIMES_OF_CPU * time_of_input());
}

static void work(worker_job *job, void *data, uint64_t first, uint64_t last, struct shared *shared)
{
	struct rlimit no_core = { 0, 0 };

	setrlimit(RLIMIT_CORE, &no_core);
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
	mallopt(M_TRIM_THRESHOLD, 2 * KEPT_BYTES);
	mallopt(M_TOP_PAD, KEPT_BYTES);
#endif
	limit_memory();
	for (uint64_t number = first; number < last; number++) {
		uint64_t tally[4] = { 0 };

		shared->number = number;
		limit_time();
		if (job(data, number, tally))
			_exit(FAILED_INPUT);
		for (int i = 0; i < 4; i++)
			shared->tally[i] += tally[i];
	}
	exit(0); /* not _exit(): leaks are looked for */
}

static void describe(int status, char reason[80])
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
		snprintf(reason, 80, "no end after %u s of a CPU", time_of_input());
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		snprintf(reason, 80, "no end after %u s", TIMES_OF_CPU * time_of_input());
	else if (WIFSIGNALED(status))
		snprintf(reason, 80, "%s", strsignal(WTERMSIG(status)));
	else
		snprintf(reason, 80, "exit code %d", WEXITSTATUS(status));
}

void worker_run(worker_job *job, void *data, uint64_t first, uint64_t last,
		struct worker_result *result)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		abort();
	memset(result, 0, sizeof(*result));
	while (first < last && result->failures < MOST_FAILURES) {
		struct rusage usage;
		pid_t child;
		int status;

		fflush(stdout);
		time_of_input(); /* once, for all children */
		child = fork();
		if (child < 0)
			abort();
		if (!child)
			work(job, data, first, last, shared);
		if (wait4(child, &status, 0, &usage) != child)
			abort();
		if ((uint64_t)usage.ru_maxrss * 1024 > result->peak)
			result->peak = (uint64_t)usage.ru_maxrss * 1024;
		if (WIFEXITED(status) && !WEXITSTATUS(status))
			break;
		if (!result->failures++) {
			result->first_failure = shared->number;
			describe(status, result->reason);
		}
		first = shared->number + 1;
	}
	for (int i = 0; i < 4; i++)
		result->tally[i] = shared->tally[i];
	munmap(shared, sizeof(*shared));
}
