/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * online_cpus: has the kernel, which was booted with maxcpus=1, start all other CPUs.
 *
 * qemu runs CPUs in turn, in one thread. Where it counts instructions (before its version 8.1) the
 * first CPU has all time until the next timer, unless it halts or executes PAUSE; the kernel does neither
 * while it waits for a CPU that it has started, but lets other threads run: this program's second
 * process, which does.
 *
 * Exit status: 0 all are there; 1 one is not.
 */
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int start(const char *path)
{
	int file = open(path, O_RDWR | O_CLOEXEC), failed;
	char state;

	if (file < 0) {
		perror(path);
		return 1;
	}
	failed = pread(file, &state, 1, 0) != 1 || (state != '1' && write(file, "1", 1) != 1);
	if (failed)
		perror(path);
	close(file);
	return failed;
}

int main(void)
{
	glob_t cpus;
	pid_t pausing;
	int failed = 0;

	if (glob("/sys/devices/system/cpu/cpu[1-9]*/online", 0, NULL, &cpus)) {
		fputs("online_cpus: no second CPU\n", stderr);
		return 1;
	}
	pausing = fork();
	if (pausing < 0)
		return 1;
	while (pausing == 0)
		__asm__ volatile("pause");
	for (size_t n = 0; n < cpus.gl_pathc; n++)
		failed |= start(cpus.gl_pathv[n]);
	kill(pausing, SIGKILL);
	waitpid(pausing, NULL, 0);
	globfree(&cpus);
	return failed;
}
