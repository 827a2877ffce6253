/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns that names are compared with, as those of tracepoints' filters. */
#include "filter_internal.h"

/*
 * "[a-z]" from '[' on: does it have the byte? 'at' gets what is behind ']'. -1: nothing closes it. A ']'
 * that comes first is one of its bytes.
 */
static int class_has(const char *pattern, size_t length, size_t *at, unsigned char byte)
{
	size_t n = *at + 1, first;
	int is_negated = n < length && (pattern[n] == '!' || pattern[n] == '^');
	int has = 0;

	n += (size_t)is_negated;
	for (first = n; n < length && (pattern[n] != ']' || n == first); n++) {
		unsigned char low = (unsigned char)pattern[n], high = low;

		if (n + 2 < length && pattern[n + 1] == '-' && pattern[n + 2] != ']') {
			n += 2;
			high = (unsigned char)pattern[n];
		}
		has |= low <= byte && byte <= high;
	}
	if (n >= length)
		return -1;
	*at = n + 1;
	return has != is_negated;
}

/* Does the byte fit what stands at 'at', which is no '*'? That gets what is behind it. */
static int byte_fits(const char *pattern, size_t length, size_t *at, char byte)
{
	int has;

	switch (pattern[*at]) {
	case '?':
		++*at;
		return 1;
	case '[':
		has = class_has(pattern, length, at, (unsigned char)byte);
		if (has >= 0)
			return has;
		break;
	case '\\':
		*at += *at + 1 < length;
		break;
	default:
		break;
	}
	return pattern[(*at)++] == byte;
}

int precis_filter_text_fits(const char *pattern, size_t length, const char *text)
{
	const char *retry = NULL; /* what the last '*' has not taken yet */
	size_t behind = 0;	  /* it */
	size_t at = 0;

	for (;;) {
		if (at < length && pattern[at] == '*') {
			behind = ++at;
			retry = text;
			continue;
		}
		if (*text == '\0' && at == length)
			return 1;
		if (*text && at < length && byte_fits(pattern, length, &at, *text)) {
			text++;
			continue;
		}
		/* The last '*' takes one more: what an earlier one takes makes no difference then */
		if (!retry || !*retry)
			return 0;
		text = ++retry;
		at = behind;
	}
}
