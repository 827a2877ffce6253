/* SPDX-License-Identifier: BSD-3-Clause */
/* How many interrupts of the PMUs there were: the lines of /proc/interrupts that are theirs. */
#include "interrupts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of a line, one for each CPU, up to the words behind them. 1 if there is one */
static int sum_of(const char *text, uint64_t *sum)
{
	int any = 0;

	*sum = 0;
	for (;;) {
		char *end;
		unsigned long long value;

		text += strspn(text, " \t");
		if (*text < '0' || *text > '9')
			return any;
		value = strtoull(text, &end, 10);
		*sum += value;
		text = end;
		any = 1;
	}
}

int measure_interrupts(const char *root, uint64_t *count)
{
	char path[PATH_MAX], *line = NULL;
	size_t room = 0;
	int found = 0;
	FILE *file;

	if (snprintf(path, sizeof(path), "%s/proc/interrupts", root) >= (int)sizeof(path))
		return 0;
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (!found && getline(&line, &room, file) > 0) {
		const char *at = line + strspn(line, " ");

		found = strncmp(at, "PMI:", 4) == 0 && sum_of(at + 4, count);
	}
	free(line);
	fclose(file);
	return found;
}
