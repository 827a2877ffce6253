/* SPDX-License-Identifier: BSD-3-Clause */
/* Words in a column of text that continues under its own start. */
#ifndef WRAP_H
#define WRAP_H

#include "output.h"

#define WRAP_WIDTH 98

struct wrap {
	struct output *output;
	size_t column; /* where the text starts: what is left of it has been written */
	size_t at;
};

static inline struct wrap wrap_begin(struct output *output, size_t column)
{
	return (struct wrap){ output, column, column };
}

/* One word, never broken, control characters made visible. */
void wrap_word(struct wrap *wrap, const char *word);

/* The words of a text, as it has spaces. */
void wrap_text(struct wrap *wrap, const char *text);

#endif
