/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls ROUNDS: so often a byte goes into a pipe and out of it again, and a file is asked for by its name:
 * calls in which the kernel lets itself be interrupted, and so sampled by a clock. Between them it waits,
 * each time for another while: where time is a count of instructions a clock would meet the same places
 * again and again.
 *
 * Exit status: 0 all rounds are done; 1 not so.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **arguments)
{
	const long rounds = count == 2 ? atol(arguments[1]) : 0;
	struct stat found;
	int ends[2];
	char byte = 0;
	unsigned int chance = 1;

	if (rounds < 1 || pipe(ends))
		return 1;
	for (long n = 0; n < rounds; n++) {
		if (write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1 ||
		    stat("/", &found)) {
			perror("calls");
			return 1;
		}
		chance = chance * 1103515245u + 12345u;
		for (volatile unsigned int turns = chance >> 22; turns; turns--)
			;
	}
	return 0;
}
