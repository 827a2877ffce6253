/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of a command line for a shell to read again. */
#ifndef USAGE_WORDS_H
#define USAGE_WORDS_H

/* Zeroed memory has none. */
struct words {
	char *text; /* NULL: none so far, or memory was short */
	int failed;
};

/* One more, in quotes if need be, with a blank before it */
void words_add(struct words *words, const char *word);
/* "--NAME=VALUE"; without a value "--NAME" */
void words_add_option(struct words *words, const char *name, const char *value);
/* Those of the other behind its own */
void words_append(struct words *words, const struct words *more);
void words_free(struct words *words);

#endif
