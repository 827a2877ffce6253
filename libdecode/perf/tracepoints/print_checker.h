/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of a print format: what its parts know of each other. */
#ifndef PRECIS_PERF_PRINT_CHECKER_H
#define PRECIS_PERF_PRINT_CHECKER_H

#include <string.h>

#include "print_format.h"

#define DEPTH_MOST 48u
#define OPERATORS_MOST 1024u

enum token_kind {
	TOKEN_END,
	TOKEN_BAD,
	TOKEN_WORD,
	TOKEN_NUMBER,
	TOKEN_STRING,
	TOKEN_CHARACTER,
	TOKEN_OTHER /* operators and punctuation, 'length' characters */
};

struct token {
	enum token_kind kind;
	const char *text; /* of strings without the quotes */
	size_t length;
};

/* What an expression stands in, innermost last */
enum context {
	IN_ARGUMENT, /* one of the format string's arguments */
	IN_PARENTHESES,
	IN_CHOICE, /* between ? and : */
	IN_FLAGS, /* first argument of __print_flags() */
	IN_SYMBOLS, /* first argument of __print_symbolic() */
	IN_VALUE, /* { here, "name" } */
	IN_EXPECT /* first argument of __builtin_expect() */
};

enum conversion {
	CONVERSION_NUMBER,
	CONVERSION_STRING,
	CONVERSION_POINTER,
	CONVERSION_BYTES, /* %ph */
	CONVERSION_ADDRESS, /* %pIS */
	CONVERSION_LIMIT /* the "*" of a string */
};

struct checker {
	const char *at, *end;
	struct token token; /* the one that is looked at */
	const struct precis_tracepoint *tracepoint;
	struct print_format *format;
	uint8_t conversions[CONVERSIONS_MOST];
	uint32_t argument; /* the one that is looked at */
	uint32_t operators, depth;
	int begins; /* 1: the operand is the first of its expression */
	uint8_t stack[DEPTH_MOST]; /* enum context */
	const char *refused;
};

/* @return 0, for the caller to return */
static inline int refuse(struct checker *checker, const char *why)
{
	if (!checker->refused)
		checker->refused = why;
	return 0;
}

/* strchr() finds the NUL as well */
static inline int is_one_of(char c, const char *characters)
{
	return c && strchr(characters, c);
}

static inline int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Is the token these characters, and no string? */
static inline int is(const struct checker *checker, const char *text)
{
	const struct token *token = &checker->token;

	return (token->kind == TOKEN_OTHER || token->kind == TOKEN_WORD) &&
	       strlen(text) == token->length && !memcmp(token->text, text, token->length);
}

/* What begins now stands in this. @return as refuse(), or 1 */
static inline int push(struct checker *checker, enum context context)
{
	if (checker->depth == DEPTH_MOST)
		return refuse(checker, "it is nested very deeply");
	checker->stack[checker->depth++] = (uint8_t)context;
	checker->begins = 1;
	return 1;
}

static inline enum context top(const struct checker *checker)
{
	return (enum context)checker->stack[checker->depth - 1];
}

/* In the value of { value, "name" }, within parentheses too: a constant */
static inline int in_value(const struct checker *checker)
{
	uint32_t depth = checker->depth;

	while (depth && checker->stack[depth - 1] == IN_PARENTHESES)
		depth--;
	return depth && checker->stack[depth - 1] == IN_VALUE;
}

/*
 * Functions that take something go to the token behind it and return 1; or they refuse it
 * and return 0, or NULL.
 */

/* print_tokens.c: the next token, a certain one, strings side by side, a number */
void print_next(struct checker *checker);
int print_expect(struct checker *checker, const char *text);
int print_expect_strings(struct checker *checker);
int print_take_literal(struct checker *checker, uint64_t *number);

/* @return 1 if the token is a number that fits */
int print_number_of(const struct token *token, uint64_t *number);

/* print_conversions.c: the format string; its conversions are known then */
int print_check_conversions(struct checker *checker);

/* print_fields.c: behind "REC": ->field */
const struct precis_tracepoint_field *print_take_member(struct checker *checker);

/* REC->field, REC->field[number] */
int print_take_record_member(struct checker *checker);

/* Behind the function's name: (field), an array that lies elsewhere */
const struct precis_tracepoint_field *print_take_elsewhere(struct checker *checker);

/* Behind the name of __get_dynamic_array_len() */
const struct precis_tracepoint_field *print_take_length(struct checker *checker);

/* __print_array() and __print_hex(), from behind their names */
int print_take_printed_array(struct checker *checker, int has_element_bytes);

int print_is_dynamic_array(const struct checker *checker);
int print_is_array_length(const struct checker *checker);

/* print_operands.c: @return 1 after an operand, 2 if one is still to follow, 0 if it is refused */
int print_take_operand(struct checker *checker);

/* print_arguments.c: one argument, up to the comma or the end behind it */
int print_check_argument(struct checker *checker);

#endif
