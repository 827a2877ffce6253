/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In front of what ends this program without its destructors: exec and _exit, which lose what is not written.
 * After an exec that fails recording goes on.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <stdarg.h>
#include <unistd.h>

#include "life.h"
#include "real.h"

#define EXPORTED __attribute__((visibility("default")))

static void before_exec(void)
{
	if (!real.execve)
		real_find();
	life_end(OBJECTS_END_EXEC);
}

EXPORTED int execve(const char *path, char *const arguments[], char *const environment[])
{
	before_exec();
	return real.execve(path, arguments, environment);
}

EXPORTED int execv(const char *path, char *const arguments[])
{
	before_exec();
	return real.execve(path, arguments, environ);
}

EXPORTED int execvpe(const char *file, char *const arguments[], char *const environment[])
{
	before_exec();
	return real.execvpe(file, arguments, environment);
}

EXPORTED int execvp(const char *file, char *const arguments[])
{
	before_exec();
	return real.execvpe(file, arguments, environ);
}

EXPORTED int fexecve(int fd, char *const arguments[], char *const environment[])
{
	before_exec();
	return real.fexecve(fd, arguments, environment);
}

EXPORTED int execveat(int fd, const char *path, char *const arguments[], char *const environment[], int flags)
{
	before_exec();
	return real.execveat(fd, path, arguments, environment, flags);
}

/* Arguments behind the first, up to and with the NULL */
static size_t count_arguments(va_list *from)
{
	size_t count = 1;

	while (va_arg(*from, char *))
		count++;
	return count;
}

/* 'argv' becomes all arguments; 'rest' is behind them then. */
#define COLLECT(argv, first, rest)                                                                 \
	do {                                                                                       \
		va_list counted;                                                                   \
		size_t count;                                                                      \
		va_start(counted, first);                                                          \
		count = count_arguments(&counted);                                                 \
		va_end(counted);                                                                   \
		(argv) = alloca((count + 1) * sizeof(char *));                                     \
		(argv)[0] = (char *)(uintptr_t)(first);                                            \
		va_start(rest, first);                                                             \
		for (size_t n = 1; n <= count; n++)                                                \
			(argv)[n] = va_arg(rest, char *);                                          \
	} while (0)

EXPORTED int execl(const char *path, const char *first, ...)
{
	va_list rest;
	char **argv;

	COLLECT(argv, first, rest);
	va_end(rest);
	return execv(path, argv);
}

EXPORTED int execlp(const char *file, const char *first, ...)
{
	va_list rest;
	char **argv;

	COLLECT(argv, first, rest);
	va_end(rest);
	return execvp(file, argv);
}

EXPORTED int execle(const char *path, const char *first, ...)
{
	char **argv, **environment;
	va_list rest;

	COLLECT(argv, first, rest);
	environment = va_arg(rest, char **);
	va_end(rest);
	return execve(path, argv, environment);
}

static _Noreturn void leave(int code)
{
	if (!real._exit)
		real_find();
	life_end(OBJECTS_END_IMMEDIATE);
	real._exit(code);
	__builtin_unreachable();
}

EXPORTED _Noreturn void _exit(int code)
{
	leave(code);
}

EXPORTED _Noreturn void _Exit(int code)
{
	leave(code);
}
