/* SPDX-License-Identifier: BSD-3-Clause */
/* The first signal is noted, the second one of its kind ends the program, and no call is cut short. */
#include "command/usage/interruption.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/tap.h"

#define NOTED 3 /* the child's exit code */

/* How a child ends that gets so many of these signals: its status */
static int status_of(int number, int times)
{
	const pid_t pid = fork();
	int status = 0;

	if (!pid) {
		const volatile sig_atomic_t *is_interrupted = interruption_await();

		for (int n = 0; n < times; n++) {
			raise(number);
			if (!*is_interrupted)
				_exit(1);
		}
		_exit(*is_interrupted ? NOTED : 0);
	}
	CU_ASSERT_EQUAL_FATAL(waitpid(pid, &status, 0), pid);
	return status;
}

static void test_signals(void)
{
	const int numbers[] = { SIGINT, SIGTERM };

	for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++) {
		int status = status_of(numbers[n], 0);

		CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		status = status_of(numbers[n], 1);
		CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == NOTED);
		status = status_of(numbers[n], 2);
		CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == numbers[n]);
	}
}

/* R, S, ...: whether it sleeps (proc(5), stat) */
static char state_of(pid_t pid)
{
	char path[64], state = '?';
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	if (file)
		fclose(file);
	return state;
}

/* The child sends the signal when this process sleeps: then it waits for the child. */
static void test_calls_go_on(void)
{
	const volatile sig_atomic_t *is_interrupted = interruption_await();
	const pid_t pid = fork();
	int status;

	if (!pid) {
		while (state_of(getppid()) != 'S')
			usleep(1000);
		kill(getppid(), SIGTERM);
		while (state_of(getppid()) != 'S')
			usleep(1000);
		_exit(NOTED);
	}
	CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
	CU_ASSERT_EQUAL(*is_interrupted, SIGTERM);
	CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == NOTED);
}

/* What was printed is there, and then it is the signal that ends it; without one it is the code. */
static void test_end(void)
{
	const int numbers[] = { SIGINT, SIGTERM, 0 };
	char said[8];
	int output[2], status;

	for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++) {
		pid_t pid;

		CU_ASSERT_EQUAL_FATAL(pipe(output), 0);
		pid = fork();
		if (!pid) {
			dup2(output[1], STDOUT_FILENO);
			interruption_await();
			if (numbers[n])
				raise(numbers[n]);
			printf("said");
			status = interruption_end(NOTED);
			fflush(stdout);
			_exit(status);
		}
		close(output[1]);
		CU_ASSERT_EQUAL(read(output[0], said, sizeof(said)), 4);
		close(output[0]);
		CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
		if (numbers[n]) {
			CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == numbers[n]);
		} else {
			CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == NOTED);
		}
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the first is noted, the second ends it", test_signals },
		{ "what was printed is there, and the signal ends it", test_end },
		/* it gets one itself */
		{ "waiting for a child goes on", test_calls_go_on },
	};

	return tap_main("interruption", cases, sizeof(cases) / sizeof(cases[0]));
}
