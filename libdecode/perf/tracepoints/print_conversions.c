/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conversions of a print format's first string.
 *
 * - "*" only for %*ph, where the data's size limits it too, and for strings, where
 *   it is looked at in each RAW: elsewhere it is as much memory as RAW says, and
 *   print_str_to_seq() of libtraceevent has no argument for a negative one.
 * - Widths of two digits, for the same reason.
 */
#include "print_checker.h"

static int add_conversion(struct checker *checker, enum conversion conversion)
{
	if (checker->format->conversions == CONVERSIONS_MOST)
		return refuse(checker, "it has very many conversions");
	checker->conversions[checker->format->conversions++] = (uint8_t)conversion;
	return 1;
}

static enum conversion pointer_kind(const char *at, const char *end)
{
	if (at < end && *at == 'h')
		return CONVERSION_BYTES;
	if (end - at >= 2 && (*at | 32) == 'i' && at[1] == 'S')
		return CONVERSION_ADDRESS;
	return CONVERSION_POINTER;
}

/* A width or a precision: up to two digits, or a star */
static const char *skip_limit(const char *at, const char *end, uint32_t *stars)
{
	const char *start = at;

	if (at < end && *at == '*') {
		*stars += 1;
		return at + 1;
	}
	while (at < end && at < start + 2 && is_digit(*at))
		at++;
	return at;
}

static const char *skip(const char *at, const char *end, const char *characters, uint32_t most)
{
	for (const char *start = at; at < end && at < start + most && is_one_of(*at, characters);)
		at++;
	return at;
}

/* A star stands directly before the letter: of a string, or of bytes. */
static int may_have_star(const char *at, const char *end)
{
	return at[-1] == '*' &&
	       (*at == 's' || (*at == 'p' && pointer_kind(at + 1, end) == CONVERSION_BYTES));
}

/* From behind the percent sign to the letter. @return where that is, NULL if it is refused */
static const char *check_spec(struct checker *checker, const char *at, const char *end)
{
	uint32_t stars = 0;

	at = skip(at, end, "#+-0", 3);
	at = skip_limit(at, end, &stars);
	if (at < end && *at == '.')
		at = skip_limit(at + 1, end, &stars);
	if (at < end && *at == 'h')
		at = skip(at, end, "h", 2);
	else if (at < end && *at == 'l')
		at = skip(at, end, "l", 2);
	else
		at = skip(at, end, "LzZ", 1);
	if (at < end && is_one_of(*at, "cduixXops") &&
	    (!stars || (stars == 1 && may_have_star(at, end))))
		return at;
	refuse(checker, "it has a conversion that is not known, or not bounded");
	return NULL;
}

static int check_conversions(struct checker *checker, const char *at, const char *end)
{
	for (; at < end; at++) {
		if (*at != '%')
			continue;
		if (at + 1 < end && at[1] == '%') {
			at++;
			continue;
		}
		at = check_spec(checker, at + 1, end);
		if (!at)
			return 0;
		if (*at == 'p') {
			/* its width is an argument of its own */
			if (at[-1] == '*' && !add_conversion(checker, CONVERSION_NUMBER))
				return 0;
			if (!add_conversion(checker, pointer_kind(at + 1, end)))
				return 0;
		} else if (*at == 's') {
			if (at[-1] == '*' && !add_conversion(checker, CONVERSION_LIMIT))
				return 0;
			if (!add_conversion(checker, CONVERSION_STRING))
				return 0;
		} else if (!add_conversion(checker, CONVERSION_NUMBER)) {
			return 0;
		}
	}
	return 1;
}

/* Conversions do not reach over the seam of two strings: kernels write one. */
int print_check_conversions(struct checker *checker)
{
	while (checker->token.kind == TOKEN_STRING) {
		if (!check_conversions(checker, checker->token.text,
				       checker->token.text + checker->token.length))
			return 0;
		print_next(checker);
	}
	return !checker->refused;
}
