/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure FILE CPUS COMMAND [ARGUMENT...]: run a command on these CPUs ("1", "0,1") with its output
 * thrown away, and write "SECONDS KIB CPU" (wall time, peak RSS, time on the CPU) into FILE.
 *
 * A program of its own because a process inherits the peak RSS of the one that
 * started it: a large driver would hide what a small command needs.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

static void become(const char *list, char **command)
{
	int null = open("/dev/null", O_RDWR);
	cpu_set_t cpus;
	char *end;

	CPU_ZERO(&cpus);
	do {
		CPU_SET((int)strtol(list, &end, 10), &cpus);
		list = end + 1;
	} while (*end == ',');
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 ||
	    sched_setaffinity(0, sizeof(cpus), &cpus))
		perror("measure");
	else {
		execvp(command[0], command);
		perror(command[0]);
	}
	_exit(127);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start;
	int status;
	FILE *file;
	pid_t pid;

	if (argc < 4) {
		fprintf(stderr, "usage: measure FILE CPUS COMMAND [ARGUMENT...]\n");
		return 2;
	}
	file = fopen(argv[1], "w");
	if (!file) {
		perror(argv[1]);
		return 1;
	}
	start = now();
	pid = fork();
	if (!pid)
		become(argv[2], argv + 3);
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0) {
		perror("measure");
		return 1;
	}
	fprintf(file, "%.6f %ld %.6f\n", now() - start, usage.ru_maxrss,
		seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime));
	if (fclose(file)) {
		perror(argv[1]);
		return 1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
