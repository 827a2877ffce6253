/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel executed one instruction at a time (truth.h). */
#define _GNU_SOURCE
#include "truth.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__

/* How often a site was executed, and how often something else than the next byte came behind it */
struct tally_of_site {
	uint64_t executed, taken;
};

/* Steps until the child is in the kernel: what raise() returns through, with room */
#define STEPS_BEFORE 100000u

static void child(const struct kernel *kernel, struct kernel_state *state)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(1);
	raise(SIGSTOP);
	kernel->code(state);
	_exit(0);
}

/* 0: the child stands behind one instruction more; -1: it has ended, or errno says what fails */
static int step(pid_t pid, uint64_t *at)
{
	int status;
	long value;

	if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) || waitpid(pid, &status, 0) != pid)
		return -1;
	if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) {
		errno = ECHILD;
		return -1;
	}
	errno = 0;
	value = ptrace(PTRACE_PEEKUSER, pid, (void *)offsetof(struct user_regs_struct, rip), NULL);
	*at = (uint64_t)value;
	return errno ? -1 : 0;
}

/* From where the kernel begins to where it is left. 0, or a negative errno */
static int step_through(const struct kernel *kernel, pid_t pid, struct tally_of_site *tallies)
{
	const uint64_t first = (uint64_t)(uintptr_t)kernel->code;
	uint64_t at = 0, steps = 0;
	size_t site = SIZE_MAX;

	while (at != first) {
		if (++steps > STEPS_BEFORE || step(pid, &at))
			return steps > STEPS_BEFORE ? -ETIME : -errno;
	}
	while (at - first < kernel_bytes(kernel)) {
		site = kernel_site_at(kernel, at);
		if (site == SIZE_MAX)
			return -EILSEQ;
		tallies[site].executed++;
		if (step(pid, &at))
			return -errno;
		if (at != first + kernel->sites[site].offset + kernel->sites[site].length)
			tallies[site].taken++;
	}
	return 0;
}

static struct truth judge(const struct kernel *kernel, const struct tally_of_site *tallies, uint64_t outer,
			  uint64_t inner)
{
	struct truth truth = { .verdict = TRUTH_AGREES };

	for (size_t n = 0; n < kernel_site_count(kernel); n++) {
		const uint64_t executed = (uint64_t)kernel_site_truth(kernel, n, QUANTITY_INSTRUCTIONS,
								      outer, inner);
		const uint64_t taken =
			(uint64_t)kernel_site_truth(kernel, n, QUANTITY_TAKEN, outer, inner);

		if (tallies[n].executed == executed && tallies[n].taken == taken)
			continue;
		truth.verdict = TRUTH_DISAGREES;
		snprintf(truth.why, sizeof(truth.why),
			 "%s+0x%" PRIx32 ": executed %" PRIu64 " times, taken %" PRIu64
			 "; expected %" PRIu64 " and %" PRIu64,
			 kernel->name, kernel->sites[n].offset, tallies[n].executed, tallies[n].taken,
			 executed, taken);
		break;
	}
	return truth;
}

static struct truth cannot(const char *what, int error)
{
	struct truth truth = { .verdict = TRUTH_UNKNOWN };

	if (error == -EILSEQ) {
		truth.verdict = TRUTH_DISAGREES;
		snprintf(truth.why, sizeof(truth.why), "an instruction was executed that is not noted");
	} else {
		snprintf(truth.why, sizeof(truth.why), "%s: %s", what, strerror(-error));
	}
	return truth;
}

static struct truth follow(const struct kernel *kernel, pid_t pid, uint64_t outer, uint64_t inner)
{
	struct tally_of_site *tallies = calloc(kernel_site_count(kernel), sizeof(*tallies));
	int status, error = tallies ? 0 : -ENOMEM;
	struct truth truth;

	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) {
		free(tallies);
		return cannot("no process may be stepped through", -EPERM);
	}
	if (!error)
		error = step_through(kernel, pid, tallies);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	truth = error ? cannot("stepping", error) : judge(kernel, tallies, outer, inner);
	free(tallies);
	return truth;
}

struct truth truth_by_steps(const struct kernel *kernel, uint64_t outer, uint64_t inner)
{
	struct kernel_state state;
	struct truth truth;
	int error = kernel_prepare(kernel, &state, inner, 1);
	pid_t pid;

	if (error)
		return cannot("memory", error);
	state.outer = outer;
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		child(kernel, &state);
	truth = pid < 0 ? cannot("fork", -errno) : follow(kernel, pid, outer, inner);
	kernel_free(&state);
	return truth;
}

#else

struct truth truth_by_steps(const struct kernel *kernel, uint64_t outer, uint64_t inner)
{
	struct truth truth = { .verdict = TRUTH_UNKNOWN };

	(void)kernel;
	(void)outer;
	(void)inner;
	snprintf(truth.why, sizeof(truth.why), "%s", kernels_why_not());
	return truth;
}

#endif
