/* SPDX-License-Identifier: BSD-3-Clause */
/* Words in a column of text. */
#include <string.h>

#include "quote.h"
#include "wrap.h"

static void make_room(struct wrap *wrap, size_t length)
{
	if (wrap->at > wrap->empty) {
		if (wrap->at + 1 + length > WRAP_WIDTH) {
			output_format(wrap->output, "\n%*s", (int)wrap->column, "");
			wrap->at = wrap->empty = wrap->column;
		} else {
			output_bytes(wrap->output, " ", 1);
			wrap->at++;
		}
	}
	wrap->at += length;
}

void wrap_word(struct wrap *wrap, const char *word)
{
	make_room(wrap, strlen(word));
	output_plain(wrap->output, word);
}

void wrap_text(struct wrap *wrap, const char *text)
{
	while (*(text += strspn(text, " "))) {
		size_t length = strcspn(text, " ");

		make_room(wrap, length);
		output_plain_bytes(wrap->output, text, length);
		text += length;
	}
}
