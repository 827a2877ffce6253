/* SPDX-License-Identifier: BSD-3-Clause */
/* Words in a column of text that continues under its own start, to the output's width. */
#ifndef WRAP_H
#define WRAP_H

#include "output.h"

struct wrap {
	struct output *output;
	size_t column; /* where lines start; what is left of the first one's has been written */
	size_t at;
	size_t empty; /* 'at' of the line while it has no word */
};

static inline struct wrap wrap_begin(struct output *output, size_t column)
{
	return (struct wrap){ output, column, column, column };
}

/* A first line that starts further left, and the others hanging under 'column' */
static inline struct wrap wrap_begin_hanging(struct output *output, size_t at, size_t column)
{
	return (struct wrap){ output, column, at, at };
}

/* One word, never broken, control characters made visible. */
void wrap_word(struct wrap *wrap, const char *word);

/* The words of a text, as it has spaces. */
void wrap_text(struct wrap *wrap, const char *text);

#endif
