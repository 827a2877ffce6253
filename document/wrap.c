/* SPDX-License-Identifier: BSD-3-Clause */
/* Words in a column of text. */
#include <string.h>

#include "quote.h"
#include "wrap.h"

/* For a word behind that many blanks, of which none begins a line */
static void make_room(struct wrap *wrap, size_t blanks, size_t width)
{
	if (wrap->at > wrap->empty) {
		if (wrap->at + blanks + width > wrap->output->width) {
			output_format(wrap->output, "\n%*s", (int)wrap->column, "");
			wrap->at = wrap->empty = wrap->column;
		} else {
			output_format(wrap->output, "%*s", (int)blanks, "");
			wrap->at += blanks;
		}
	}
	wrap->at += width;
}

void wrap_word(struct wrap *wrap, const char *word)
{
	make_room(wrap, 1, plain_width(word));
	output_plain(wrap->output, word);
}

void wrap_text(struct wrap *wrap, const char *text)
{
	size_t blanks = 1;

	for (; *(text += strspn(text, " ")); blanks = strspn(text, " ")) {
		size_t length = strcspn(text, " ");

		make_room(wrap, blanks, plain_width_bytes(text, length));
		output_plain_bytes(wrap->output, text, length);
		text += length;
	}
}
