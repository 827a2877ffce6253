/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that is observed: a command that is begun, or a process that runs. */
#ifndef SHARING_PROGRAM_H
#define SHARING_PROGRAM_H

#include <sys/types.h>

struct program {
	pid_t pid;
	int is_command; /* a child of this process */
	int gate;       /* at which the child waits; -1: it does not */
	int has_ended;
	int end; /* of a command, as waitpid(2) has it */
};

/*
 * Begin a command, which waits before exec(2), so that its events can be opened.
 *
 * @param variable  of its environment, which it keeps or not, as it is told when it is released
 * @return EXIT_OK, or an exit code after the error was printed
 */
int program_begin(struct program *program, char **command, const char *variable,
		  const char *command_name);
void program_release(struct program *program, int keeps);

/* A process that runs, by its number or that of one of its threads. 0, or -ESRCH: there is none */
int program_attach(struct program *program, pid_t pid);

/* Has it ended? */
void program_look(struct program *program);

/* Does a debugger have it? */
int program_is_traced(const struct program *program);

/* A command that waits is not executed; one that runs goes on to its end. */
void program_await(struct program *program);

#endif
