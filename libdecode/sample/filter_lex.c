/* SPDX-License-Identifier: BSD-3-Clause */
/* The filter language's tokens. ASCII only and without the locale. */
#include <string.h>

#include "filter_internal.h"
#include "words.h"

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int is_word_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_word(char c)
{
	return is_word_start(c) || is_digit(c);
}

int precis_filter_token_is(const struct filter_token *token, const char *word)
{
	return token->kind != FILTER_TOKEN_TEXT && strlen(word) == token->length &&
	       precis_words_equal(token->text, word, token->length);
}

/* Two characters before their first one: the first row that fits wins */
static const struct {
	char text[3];
	uint8_t length;
	enum filter_token_kind kind;
	enum filter_test test;
} signs[] = {
	{ "&&", 2, FILTER_TOKEN_AND, FILTER_EQUAL },
	{ "||", 2, FILTER_TOKEN_OR, FILTER_EQUAL },
	{ "==", 2, FILTER_TOKEN_RELATION, FILTER_EQUAL },
	{ "!=", 2, FILTER_TOKEN_RELATION, FILTER_NOT_EQUAL },
	{ "<=", 2, FILTER_TOKEN_RELATION, FILTER_LESS_EQUAL },
	{ ">=", 2, FILTER_TOKEN_RELATION, FILTER_GREATER_EQUAL },
	{ "=", 1, FILTER_TOKEN_RELATION, FILTER_EQUAL },
	{ "<", 1, FILTER_TOKEN_RELATION, FILTER_LESS },
	{ ">", 1, FILTER_TOKEN_RELATION, FILTER_GREATER },
	{ "&", 1, FILTER_TOKEN_RELATION, FILTER_ANY_BIT },
	{ "~", 1, FILTER_TOKEN_RELATION, FILTER_NAME_LIKE },
	{ "!", 1, FILTER_TOKEN_NOT, FILTER_EQUAL },
	{ "(", 1, FILTER_TOKEN_OPEN, FILTER_EQUAL },
	{ ")", 1, FILTER_TOKEN_CLOSE, FILTER_EQUAL },
};

static void lex_sign(struct filter_token *token)
{
	size_t i;

	token->kind = FILTER_TOKEN_UNKNOWN;
	token->length = 1;
	for (i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (strncmp(token->text, signs[i].text, signs[i].length) == 0) {
			token->kind = signs[i].kind;
			token->test = signs[i].test;
			token->length = signs[i].length;
			return;
		}
	}
}

static void lex_word(struct filter_token *token)
{
	while (is_word(token->text[token->length]))
		token->length++;
	token->kind = FILTER_TOKEN_WORD;
	if (precis_filter_token_is(token, "and"))
		token->kind = FILTER_TOKEN_AND;
	else if (precis_filter_token_is(token, "or"))
		token->kind = FILTER_TOKEN_OR;
	else if (precis_filter_token_is(token, "not"))
		token->kind = FILTER_TOKEN_NOT;
}

static void lex_number(struct filter_token *token)
{
	token->kind = FILTER_TOKEN_NUMBER;
	token->length = 1;
	while (is_word(token->text[token->length]) || token->text[token->length] == '.')
		token->length++;
}

/* Leaves the token's text without its quotes, and 'next' behind the closing one */
static void lex_text(struct filter_token *token, const char **next)
{
	const char *close = strchr(token->text + 1, token->text[0]);

	if (!close) {
		token->kind = FILTER_TOKEN_OPEN_QUOTE;
		token->length = strlen(token->text);
		*next = token->text + token->length;
		return;
	}
	token->kind = FILTER_TOKEN_TEXT;
	token->text++;
	token->length = (size_t)(close - token->text);
	*next = close + 1;
}

void precis_filter_lex(struct filter_lexer *lexer, struct filter_token *token)
{
	const char *at = lexer->text + lexer->offset;
	const char *next = NULL;

	while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
		at++;
	token->text = at;
	token->length = 0;
	token->offset = (size_t)(at - lexer->text);
	token->test = FILTER_EQUAL;
	if (*at == '\0')
		token->kind = FILTER_TOKEN_END;
	else if (is_word_start(*at))
		lex_word(token);
	else if (is_digit(*at) || (*at == '-' && is_digit(at[1])))
		lex_number(token);
	else if (*at == '"' || *at == '\'')
		lex_text(token, &next);
	else
		lex_sign(token);
	if (!next)
		next = at + token->length;
	lexer->offset = (size_t)(next - lexer->text);
}
