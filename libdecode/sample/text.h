/* SPDX-License-Identifier: BSD-3-Clause */
/* Text into a buffer that may be too small: counts on, writes what fits. */
#ifndef PRECIS_SAMPLE_TEXT_H
#define PRECIS_SAMPLE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
	char *at;
	size_t room, length;
};

static inline void text_add(struct text *text, const char *string)
{
	for (; *string; string++, text->length++) {
		if (text->length + 1 < text->room)
			text->at[text->length] = *string;
	}
	if (text->room)
		text->at[text->length < text->room ? text->length : text->room - 1] = '\0';
}

/* Between two parts of a list. */
static inline void text_separate(struct text *text)
{
	if (text->length)
		text_add(text, "; ");
}

static inline void text_add_number(struct text *text, unsigned int number)
{
	char digits[12];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	text_add(text, digits + at);
}

/* "[47:32]", "[7]"; nothing for a whole word of 64 bits */
static inline void text_add_bits(struct text *text, unsigned int low, unsigned int width)
{
	if (width == 64)
		return;
	text_add(text, "[");
	if (width > 1) {
		text_add_number(text, low + width - 1);
		text_add(text, ":");
	}
	text_add_number(text, low);
	text_add(text, "]");
}

#endif
