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
#include <unistd.h>

#include "tests/hostile/worker.h"

#define MOST_FAILURES 5u
#define FAILED_INPUT 3
/* The last resort against an endless loop: far more of a CPU than any input takes … */
#define CPU_SECONDS_PER_INPUT 60u
/* … and against waiting without end, beside whatever else runs. */
#define SECONDS_PER_INPUT 1200u

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

static void limit_time(void)
{
	const struct itimerval cpu = { .it_value = { .tv_sec = CPU_SECONDS_PER_INPUT } };

	setitimer(ITIMER_PROF, &cpu, NULL);
	alarm(SECONDS_PER_INPUT);
}

static void work(worker_job *job, void *data, uint64_t first, uint64_t last, struct shared *shared)
{
	struct rlimit no_core = { 0, 0 };

	setrlimit(RLIMIT_CORE, &no_core);
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
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
		snprintf(reason, 80, "no end after %u s of a CPU", CPU_SECONDS_PER_INPUT);
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		snprintf(reason, 80, "no end after %u s", SECONDS_PER_INPUT);
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
