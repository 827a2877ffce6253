/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the filter language share: tokens, the program's steps, messages.
 *
 * A program is jumping code. Each step tests one field; it jumps on one outcome
 * and goes on to the next step on the other. All jumps lead forward. Running off
 * the end accepts the sample, a jump to FILTER_REJECT does not.
 */
#ifndef PRECIS_FILTER_INTERNAL_H
#define PRECIS_FILTER_INTERNAL_H

#include <precis/error.h>
#include <precis/filter.h>

/* What a step tests: the low bits of its 'op' */
enum filter_test {
	FILTER_EQUAL = 0,
	FILTER_NOT_EQUAL = 1,
	FILTER_LESS = 2,
	FILTER_LESS_EQUAL = 3,
	FILTER_GREATER = 4,
	FILTER_GREATER_EQUAL = 5,
	FILTER_ANY_BIT = 6, /* also a field alone: any of all bits */
	FILTER_SIGNED_LESS = 7,
	FILTER_SIGNED_LESS_EQUAL = 8,
	FILTER_SIGNED_GREATER = 9,
	FILTER_SIGNED_GREATER_EQUAL = 10,
	FILTER_PRESENT = 11,
	FILTER_MISSING = 12,
	/* Of a name, whose number 'field' is then; 'value' has the text's length, above its offset */
	FILTER_NAME_EQUAL = 13,
	FILTER_NAME_NOT_EQUAL = 14,
	FILTER_NAME_LIKE = 15,
	FILTER_NAME_PRESENT = 16,
	FILTER_NAME_MISSING = 17
};

/* Of a step of a name: what is behind its last '/' is compared */
#define FILTER_FILE_PART 1u

#define FILTER_TEST_MASK 0x7fu
#define FILTER_JUMP_IF_TRUE 0x80u /* without it a step jumps if its test is false */
#define FILTER_REJECT UINT16_MAX

enum filter_token_kind {
	FILTER_TOKEN_END,
	FILTER_TOKEN_WORD, /* [A-Za-z_][A-Za-z0-9_]* that is no operator */
	FILTER_TOKEN_NUMBER, /* [-]digit, then letters, digits, '_' and '.': checked by its reader */
	FILTER_TOKEN_TEXT, /* between quotes; 'text' is without them */
	FILTER_TOKEN_RELATION, /* 'test' says which */
	FILTER_TOKEN_AND,
	FILTER_TOKEN_OR,
	FILTER_TOKEN_NOT,
	FILTER_TOKEN_OPEN,
	FILTER_TOKEN_CLOSE,
	FILTER_TOKEN_OPEN_QUOTE, /* a quote that nothing closes */
	FILTER_TOKEN_UNKNOWN /* a character that starts no token */
};

struct filter_token {
	enum filter_token_kind kind;
	enum filter_test test;
	size_t offset; /* of its first character in the expression */
	const char *text;
	size_t length;
};

struct filter_lexer {
	const char *text;
	size_t offset; /* of the next character to be read */
};

/** Read the next token; at the end FILTER_TOKEN_END again and again. */
void precis_filter_lex(struct filter_lexer *lexer, struct filter_token *token);

/** Is the token this word, without regard to case? */
int precis_filter_token_is(const struct filter_token *token, const char *word);

/** The field of a comparison and what its type allows. */
struct filter_field {
	struct precis_field_info info;
	int ordered; /* < <= > >= and & make sense */
	int has_sign;
	int enumerated; /* its values have names */
};

/** Does all of the text fit the pattern? Of bytes, not characters. */
int precis_filter_text_fits(const char *pattern, size_t length, const char *text);

/** How names of events are looked up. */
struct filter_events {
	precis_filter_event_fn find;
	void *data;
};

/**
 * Find the field that a token names.
 * @return 0, or PRECIS_E_NO_FIELD with the message written
 */
int precis_filter_field_read(const struct filter_token *token, struct filter_field *field,
			     struct precis_filter_error *error);

/**
 * Read the value that the field is compared with.
 * @return 0, or PRECIS_E_SYNTAX with the message written
 */
int precis_filter_value_read(const struct filter_token *token, const struct filter_field *field,
			     const struct filter_events *events, uint64_t *value,
			     struct precis_filter_error *error);

/*
 * Messages, put together piece by piece without stdio. 'error' may be NULL;
 * what does not fit is left out.
 */

/** Start a message about the token. @return 'code' */
int precis_filter_fail(struct precis_filter_error *error, int code,
		       const struct filter_token *token, const char *text);
void precis_filter_message_add(struct precis_filter_error *error, const char *text);
/** Add bytes of the expression in quotes, with '?' for those that cannot be printed. */
void precis_filter_message_quote(struct precis_filter_error *error, const char *text,
				 size_t length);

/**
 * The field whose name or alias comes nearest to a misspelt one.
 * @return its name, or NULL if none is near
 */
const char *precis_filter_suggest(const char *word, size_t length);

#endif
