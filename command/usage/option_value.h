/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands behind an option: one of a few words, or a number. */
#ifndef USAGE_OPTION_VALUE_H
#define USAGE_OPTION_VALUE_H

#include <stdint.h>

/*
 * Each: EXIT_OK, or EXIT_USAGE after it has been said as 'command' what --OPTION expects.
 *
 * @param words   end with NULL
 * @param number  set to the place of the word among them
 */
int option_word(const char *command, const char *option, const char *const *words, const char *value,
		unsigned int *number);
/* @param most  the largest that is allowed */
int option_number(const char *command, const char *option, const char *value, unsigned int most,
		  uint32_t *number);

/* Of --jobs. How many threads that is: 0 is one for each CPU that the process may use */
#define JOBS_MOST 256u
uint32_t option_threads(uint32_t jobs);

#endif
