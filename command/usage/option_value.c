/* SPDX-License-Identifier: BSD-3-Clause */
/* See option_value.h. */
#define _GNU_SOURCE /* sched_getaffinity() */
#include "option_value.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "nearest.h"

int option_word(const char *command, const char *option, const char *const *words,
		     const char *value, unsigned int *number)
{
	struct nearest nearest = nearest_to(value, strlen(value));
	char known[128] = "", hint[NEAREST_ROOM];

	for (unsigned int i = 0; words[i]; i++) {
		nearest_offer(&nearest, words[i]);
		if (strcmp(words[i], value) == 0) {
			*number = i;
			return EXIT_OK;
		}
		strncat(known, i ? ", " : "", sizeof(known) - strlen(known) - 1);
		strncat(known, words[i], sizeof(known) - strlen(known) - 1);
	}
	return complain_usage(command, "--%s: expected one of %s, found '%s'%s", option, known,
			      value, nearest_hint(&nearest, hint));
}

int option_number(const char *command, const char *option, const char *value,
		       unsigned int most, uint32_t *number)
{
	unsigned long found;
	char *end;

	errno = 0;
	found = strtoul(value, &end, 10);
	if (errno || *end || *value < '0' || *value > '9' || found > most)
		return complain_usage(command, "--%s: expected a number up to %u, found '%s'",
				      option, most, value);
	*number = (uint32_t)found;
	return EXIT_OK;
}

uint32_t option_threads(uint32_t jobs)
{
	cpu_set_t set;

	if (jobs)
		return jobs;
	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (uint32_t)CPU_COUNT(&set);
}
