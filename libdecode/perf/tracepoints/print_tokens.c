/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A print format's tokens. What kernels do not write is refused: __read_token() of
 * libtraceevent ends a string that has "\\" elsewhere than C does.
 */
#include <string.h>

#include "print_checker.h"

#define STRING_MOST 4000u

static int is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/* Behind the opening quote; takes the closing one */
static enum token_kind read_string(struct checker *checker)
{
	const char *start = checker->at;

	for (; checker->at < checker->end; checker->at++) {
		char c = *checker->at;

		if (c == '"') {
			checker->token.text = start;
			checker->token.length = (size_t)(checker->at++ - start);
			return checker->token.length <= STRING_MOST ? TOKEN_STRING : TOKEN_BAD;
		}
		if ((c < ' ' || c > '~') && c != '\n')
			return TOKEN_BAD;
		if (c != '\\')
			continue;
		checker->at++;
		if (checker->at == checker->end || !is_one_of(*checker->at, "nt\""))
			return TOKEN_BAD;
	}
	return TOKEN_BAD;
}

static enum token_kind read_other(struct checker *checker)
{
	static const char *const doubles[] = {
		"->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"
	};
	char c = *checker->token.text;

	if (!is_one_of(c, "()[]{},?:!~+-*/%&|^<>="))
		return TOKEN_BAD;
	for (size_t i = 0; i < sizeof(doubles) / sizeof(doubles[0]); i++) {
		if (checker->end - checker->at >= 1 && c == doubles[i][0] &&
		    *checker->at == doubles[i][1]) {
			checker->at++;
			checker->token.length = 2;
			return TOKEN_OTHER;
		}
	}
	/* what libtraceevent takes for one token: ++ -- += |= ... */
	if (checker->at < checker->end && is_one_of(c, "+-|&<>!=") &&
	    (*checker->at == '=' || (is_one_of(c, "+-") && *checker->at == c)))
		return TOKEN_BAD;
	return c == '=' ? TOKEN_BAD : TOKEN_OTHER;
}

static enum token_kind read_token(struct checker *checker)
{
	char c = *checker->at++;

	if (c == '"')
		return read_string(checker);
	if (c == '\'') {
		checker->at += 2;
		if (checker->end - checker->at < 0 || checker->at[-1] != '\'' ||
		    checker->at[-2] < ' ' || checker->at[-2] > '~' ||
		    is_one_of(checker->at[-2], "\\'"))
			return TOKEN_BAD;
		return TOKEN_CHARACTER;
	}
	if (!is_word(c))
		return read_other(checker);
	while (checker->at < checker->end && is_word(*checker->at))
		checker->at++;
	checker->token.length = (size_t)(checker->at - checker->token.text);
	return is_digit(c) ? TOKEN_NUMBER : TOKEN_WORD;
}

void print_next(struct checker *checker)
{
	while (checker->at < checker->end && (*checker->at == ' ' || *checker->at == '\t'))
		checker->at++;
	checker->token.text = checker->at;
	checker->token.length = 1;
	checker->format->tokens++;
	/* A string is joined with the one that follows it. */
	checker->token.kind = checker->at == checker->end ? TOKEN_END : read_token(checker);
	if (checker->token.kind == TOKEN_BAD)
		refuse(checker, "it has characters or strings that kernels do not write");
}

int print_expect(struct checker *checker, const char *text)
{
	if (!is(checker, text))
		return refuse(checker, "its syntax is not understood");
	print_next(checker);
	return 1;
}

/* One string, or several that stand side by side */
int print_expect_strings(struct checker *checker)
{
	size_t length = 0;

	if (checker->token.kind != TOKEN_STRING)
		return refuse(checker, "its syntax is not understood");
	while (checker->token.kind == TOKEN_STRING) {
		length += checker->token.length;
		if (length > STRING_MOST)
			return refuse(checker, "it has a very long string");
		print_next(checker);
	}
	return 1;
}

int print_number_of(const struct token *token, uint64_t *number)
{
	uint32_t base = 10;
	size_t i = 0;

	*number = 0;
	if (token->kind != TOKEN_NUMBER)
		return 0;
	if (token->length > 2 && token->text[0] == '0' && (token->text[1] | 32) == 'x') {
		base = 16;
		i = 2;
	} else if (token->text[0] == '0') {
		base = 8;
	}
	for (; i < token->length; i++) {
		char c = token->text[i] | 32;
		uint32_t digit = is_digit(c) ? (uint32_t)(c - '0')
				 : c >= 'a'  ? (uint32_t)(c - 'a') + 10
					     : 99;

		if (digit >= base)
			break;
		if (*number > (UINT64_MAX - digit) / base)
			return 0;
		*number = *number * base + digit;
	}
	for (; i < token->length; i++) {
		if (!is_one_of(token->text[i], "uUlL"))
			return 0;
	}
	return 1;
}

int print_take_literal(struct checker *checker, uint64_t *number)
{
	if (!print_number_of(&checker->token, number))
		return refuse(checker, "its syntax is not understood");
	print_next(checker);
	return 1;
}
