/* SPDX-License-Identifier: BSD-3-Clause */
/* See program.h. */
#define _GNU_SOURCE /* pipe2() */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/usage/complain.h"

enum { GATE_KEEPS = 'k', GATE_DROPS = 'd' };

/* In the child: what it is told at the gate decides. Nothing: whoever began it has given up. */
static void go_through(int gate, const char *variable)
{
	char word = 0;
	ssize_t got;

	do {
		got = read(gate, &word, 1);
	} while (got < 0 && errno == EINTR);
	if (got != 1)
		_exit(EXIT_FAILED);
	if (word == GATE_DROPS)
		unsetenv(variable);
}

int program_begin(struct program *program, char **command, const char *variable,
		  const char *command_name)
{
	int gate[2];

	*program = (struct program){ .is_command = 1, .gate = -1 };
	if (pipe2(gate, O_CLOEXEC)) {
		complain(command_name, "pipe: %s", strerror(errno));
		return EXIT_FAILED;
	}
	program->pid = fork();
	if (program->pid < 0) {
		complain(command_name, "fork: %s", strerror(errno));
		close(gate[0]);
		close(gate[1]);
		return EXIT_FAILED;
	}
	if (!program->pid) {
		close(gate[1]);
		go_through(gate[0], variable);
		execvp(command[0], command);
		complain(command_name, "%s: %s", command[0], strerror(errno));
		_exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTED);
	}
	close(gate[0]);
	program->gate = gate[1];
	return EXIT_OK;
}

void program_release(struct program *program, int keeps)
{
	const char word = keeps ? GATE_KEEPS : GATE_DROPS;

	while (write(program->gate, &word, 1) < 0 && errno == EINTR)
		;
	close(program->gate);
	program->gate = -1;
}

void program_look(struct program *program)
{
	if (program->has_ended)
		return;
	if (!program->is_command)
		program->has_ended = kill(program->pid, 0) && errno == ESRCH;
	else
		program->has_ended =
			waitpid(program->pid, &program->end, WNOHANG) == program->pid;
}

/* A number of its status, as the kernel names it; 0: it has none, or there is no such process */
static int status_of(pid_t pid, const char *name)
{
	const size_t length = strlen(name);
	char path[64], line[256];
	int number = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, name, length) == 0 && line[length] == ':')
			number = atoi(line + length + 1);
	}
	if (file)
		fclose(file);
	return number;
}

int program_attach(struct program *program, pid_t pid)
{
	const int leader = status_of(pid, "Tgid");

	*program = (struct program){ .pid = leader ? leader : pid, .gate = -1 };
	return leader || !kill(pid, 0) || errno != ESRCH ? 0 : -ESRCH;
}

int program_is_traced(const struct program *program)
{
	return status_of(program->pid, "TracerPid") != 0;
}

void program_await(struct program *program)
{
	if (program->gate >= 0)
		close(program->gate);
	program->gate = -1;
	if (program->is_command && program->pid > 0 && !program->has_ended)
		waitpid(program->pid, &program->end, 0);
	program->has_ended = 1;
}
