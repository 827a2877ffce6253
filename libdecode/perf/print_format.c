/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks, with the place in libtraceevent 1.7 (src/event-parse.c) that each
 * is for where that is not plain from what is checked:
 *
 * - Strings: __read_token() ends a string that has "\\" elsewhere than C does.
 * - Divisors are numbers other than 0, and no * / % follows them: process_op()
 *   makes a / (b % c) of a / b % c, and eval_num_arg() divides by what comes.
 * - Fields exist: process_entry() follows the pointer to one that does not.
 * - Index: only a number, of an array: eval_num_arg() reads where it points. And only
 *   where an expression begins: behind an operator process_op() knows no "[" and fails,
 *   which it does not survive in all places.
 * - Lengths of relative arrays: dynamic_offset_field() adds to an offset that
 *   nobody asked for.
 * - __builtin_expect(!!(...), 0): process_builtin_expect() fails on other operators.
 * - "*" only for %*ph, where the data's size limits it too, and for strings, where
 *   it is looked at in each RAW: elsewhere it is as much memory as RAW says, and
 *   print_str_to_seq() has no argument for a negative one.
 * - Widths of two digits, for the same reason.
 * - Depth and number of operators: process_op() and eval_num_arg() recurse.
 */
#include <string.h>

#include "bytes.h"
#include "print_format.h"

#define TEXT_MOST 32768u /* the kernel's longest has 4840 */
#define STRING_MOST 4000u
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
static int refuse(struct checker *checker, const char *why)
{
	if (!checker->refused)
		checker->refused = why;
	return 0;
}

/* strchr() finds the NUL as well */
static int is_one_of(char c, const char *characters)
{
	return c && strchr(characters, c);
}

/* --- tokens ------------------------------------------------------------------ */

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

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

static void next(struct checker *checker)
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

static int is(const struct checker *checker, const char *text)
{
	const struct token *token = &checker->token;

	return (token->kind == TOKEN_OTHER || token->kind == TOKEN_WORD) &&
	       strlen(text) == token->length && !memcmp(token->text, text, token->length);
}

static int expect(struct checker *checker, const char *text)
{
	if (!is(checker, text))
		return refuse(checker, "its syntax is not understood");
	next(checker);
	return 1;
}

/* One string, or several that stand side by side */
static int expect_strings(struct checker *checker)
{
	size_t length = 0;

	if (checker->token.kind != TOKEN_STRING)
		return refuse(checker, "its syntax is not understood");
	while (checker->token.kind == TOKEN_STRING) {
		length += checker->token.length;
		if (length > STRING_MOST)
			return refuse(checker, "it has a very long string");
		next(checker);
	}
	return 1;
}

static int number_of(const struct token *token, uint64_t *number)
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

/* --- the format string --------------------------------------------------------- */

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
static int check_format_string(struct checker *checker)
{
	while (checker->token.kind == TOKEN_STRING) {
		if (!check_conversions(checker, checker->token.text,
				       checker->token.text + checker->token.length))
			return 0;
		next(checker);
	}
	return !checker->refused;
}

/* --- arguments ------------------------------------------------------------------ */

static const struct precis_tracepoint_field *find_field(struct checker *checker)
{
	const struct precis_tracepoint *tracepoint = checker->tracepoint;
	const struct token *token = &checker->token;

	for (uint32_t i = 0; token->kind == TOKEN_WORD && i < tracepoint->field_count; i++) {
		const struct precis_tracepoint_field *field = &tracepoint->fields[i];

		if (!strncmp(field->name, token->text, token->length) &&
		    !field->name[token->length]) {
			next(checker);
			if (!field->bytes)
				refuse(checker, "it has a field without a size");
			return field;
		}
	}
	refuse(checker, "it has a field that the tracepoint does not have");
	return NULL;
}

/* Behind "REC" */
static const struct precis_tracepoint_field *take_member(struct checker *checker)
{
	return expect(checker, "->") ? find_field(checker) : NULL;
}

/* Behind the function's name: (field), an array that lies elsewhere */
static const struct precis_tracepoint_field *take_elsewhere(struct checker *checker)
{
	const struct precis_tracepoint_field *field;

	if (!expect(checker, "("))
		return NULL;
	field = find_field(checker);
	if (!field || !expect(checker, ")"))
		return NULL;
	if (field->place == PRECIS_PLACE_HERE || field->is_common)
		refuse(checker, "it looks for an array where there is none");
	return field;
}

static int is_dynamic_array(const struct checker *checker)
{
	return is(checker, "__get_dynamic_array") || is(checker, "__get_rel_dynamic_array");
}

static int is_array_length(const struct checker *checker)
{
	return is(checker, "__get_dynamic_array_len") || is(checker, "__get_rel_dynamic_array_len");
}

/* Behind the name of __get_dynamic_array_len() */
static const struct precis_tracepoint_field *take_length(struct checker *checker)
{
	const struct precis_tracepoint_field *field = take_elsewhere(checker);

	if (field && field->place == PRECIS_PLACE_REL_LOC)
		refuse(checker, "it asks for the length of a relative array");
	return field;
}

static int take_array(struct checker *checker, struct array_use *use)
{
	if (is_dynamic_array(checker)) {
		next(checker);
		use->array = take_elsewhere(checker);
	} else if (is(checker, "REC")) {
		next(checker);
		use->array = take_member(checker);
		if (use->array && use->array->place != PRECIS_PLACE_HERE)
			refuse(checker, "it looks for an array where there is none");
	} else {
		refuse(checker, "its syntax is not understood");
	}
	return !checker->refused;
}

static int take_literal(struct checker *checker, uint64_t *number)
{
	if (!number_of(&checker->token, number))
		return refuse(checker, "its syntax is not understood");
	next(checker);
	return 1;
}

static int take_count(struct checker *checker, struct array_use *use)
{
	use->number = 1;
	if (checker->token.kind == TOKEN_NUMBER) {
		use->count = COUNT_NUMBER;
		return take_literal(checker, &use->number);
	}
	if (is(checker, "REC")) {
		use->count = COUNT_FIELD;
		next(checker);
		use->count_field = take_member(checker);
		if (use->count_field && use->count_field->is_array)
			refuse(checker, "it takes an array for a number");
		return !checker->refused;
	}
	if (!is_array_length(checker))
		return refuse(checker, "the size of an array is not understood");
	use->count = COUNT_LENGTH;
	next(checker);
	use->count_field = take_length(checker);
	if (checker->refused || !is(checker, "/"))
		return !checker->refused;
	next(checker);
	if (!take_literal(checker, &use->number))
		return 0;
	return use->number ? 1 : refuse(checker, "it divides by 0");
}

/* __print_array() and __print_hex(), from behind their names */
static int take_print_array(struct checker *checker, int has_element_bytes)
{
	struct array_use *use = &checker->format->arrays[checker->format->array_count];
	uint64_t element_bytes = 1;

	if (checker->format->array_count == ARRAYS_MOST)
		return refuse(checker, "it prints very many arrays");
	if (!expect(checker, "(") || !take_array(checker, use) || !expect(checker, ",") ||
	    !take_count(checker, use))
		return 0;
	if (has_element_bytes && (!expect(checker, ",") || !take_literal(checker, &element_bytes)))
		return 0;
	if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4 && element_bytes != 8)
		return refuse(checker, "it prints an array of strange elements");
	use->element_bytes = (uint32_t)element_bytes;
	checker->format->array_count++;
	return expect(checker, ")");
}

static int push(struct checker *checker, enum context context)
{
	if (checker->depth == DEPTH_MOST)
		return refuse(checker, "it is nested very deeply");
	checker->stack[checker->depth++] = (uint8_t)context;
	checker->begins = 1;
	return 1;
}

static enum context top(const struct checker *checker)
{
	return (enum context)checker->stack[checker->depth - 1];
}

/* An array as such: only where the conversion reads no further than its length */
static int take_whole_array(struct checker *checker)
{
	uint32_t argument = checker->argument;

	next(checker);
	if (!take_elsewhere(checker))
		return 0;
	if (checker->depth == 1 && (is(checker, ",") || checker->token.kind == TOKEN_END) &&
	    argument < checker->format->conversions &&
	    (checker->conversions[argument] == CONVERSION_BYTES ||
	     checker->conversions[argument] == CONVERSION_ADDRESS))
		return 1;
	return refuse(checker, "it prints an array's place in memory");
}

/* A word that is no function: an enumerator that the kernel did not resolve */
static int is_call(const struct checker *checker)
{
	const char *at = checker->at;

	while (at < checker->end && *at == ' ')
		at++;
	return at < checker->end && *at == '(';
}

/* Call of a function. @return 1 if that is an operand, 2 if one is to follow, 0 if it is refused */
static int take_call(struct checker *checker)
{
	static const char *const strings[] = { "__get_str", "__get_rel_str", "__get_bitmask",
					       "__get_rel_bitmask" };

	if (is(checker, "__print_flags") || is(checker, "__print_symbolic")) {
		enum context context = is(checker, "__print_flags") ? IN_FLAGS : IN_SYMBOLS;

		next(checker);
		return expect(checker, "(") && push(checker, context) ? 2 : 0;
	}
	if (is(checker, "__builtin_expect")) {
		next(checker);
		return expect(checker, "(") && is(checker, "!") && push(checker, IN_EXPECT)
			       ? 2
			       : refuse(checker, "its syntax is not understood");
	}
	if (is(checker, "__print_array")) {
		next(checker);
		return take_print_array(checker, 1);
	}
	if (is(checker, "__print_hex") || is(checker, "__print_hex_str")) {
		next(checker);
		return take_print_array(checker, 0);
	}
	if (is_array_length(checker)) {
		next(checker);
		return take_length(checker) != NULL;
	}
	if (is_dynamic_array(checker) || is(checker, "__get_sockaddr") ||
	    is(checker, "__get_sockaddr_rel"))
		return take_whole_array(checker);
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		if (is(checker, strings[i])) {
			next(checker);
			return take_elsewhere(checker) != NULL;
		}
	}
	return refuse(checker, "it calls a function that is not known");
}

/* REC->field, REC->field[number] */
static int take_record_member(struct checker *checker)
{
	const struct precis_tracepoint_field *field;
	uint64_t index, length = 0;

	next(checker);
	field = take_member(checker);
	if (!field)
		return 0;
	if (!is(checker, "["))
		return 1;
	if (!checker->begins)
		return refuse(checker, "it has an index where libtraceevent takes none");
	next(checker);
	if (!take_literal(checker, &index))
		return 0;
	for (const char *at = strchr(field->type, '['); at && *at && *at != ']'; at++) {
		if (is_digit(*at))
			length = length > 65535 ? length : length * 10 + (uint64_t)(*at - '0');
		else if (*at != '[')
			length = 65536; /* not a plain number */
	}
	if (field->place != PRECIS_PLACE_HERE || index >= length || length > field->bytes)
		return refuse(checker, "an index is not one of its array's");
	return expect(checker, "]");
}

/*
 * Behind an opening parenthesis: words, perhaps a star, and the closing one. @return 2 if
 * an operand begins behind them: they are a type; 1 if none does: libtraceevent takes
 * (unsigned long)-1 for a difference; 0, with nothing taken, if that is not what is there
 */
static int take_cast(struct checker *checker)
{
	struct checker before = *checker;
	size_t words = 0;

	while (checker->token.kind == TOKEN_WORD && !is_call(checker) && !is(checker, "REC")) {
		words++;
		next(checker);
	}
	if (words && is(checker, "*"))
		next(checker);
	if (words && words < 6 && is(checker, ")")) {
		next(checker);
		return checker->token.kind == TOKEN_WORD || checker->token.kind == TOKEN_NUMBER ||
				       checker->token.kind == TOKEN_CHARACTER || is(checker, "(")
			       ? 2
			       : 1;
	}
	*checker = before;
	return 0;
}

/* In the value of { value, "name" }, within parentheses too: a constant */
static int in_value(const struct checker *checker)
{
	uint32_t depth = checker->depth;

	while (depth && checker->stack[depth - 1] == IN_PARENTHESES)
		depth--;
	return depth && checker->stack[depth - 1] == IN_VALUE;
}

/* @return 1 after an operand, 2 if one is still to follow, 0 if it is refused */
static int take_operand(struct checker *checker)
{
	uint64_t number;
	int cast;

	if (is(checker, "(")) {
		next(checker);
		cast = take_cast(checker);
		return cast ? cast : push(checker, IN_PARENTHESES) ? 2 : 0;
	}
	if ((is(checker, "!") && !in_value(checker)) || is(checker, "~") || is(checker, "-") ||
	    is(checker, "+")) {
		if (++checker->operators > OPERATORS_MOST)
			return refuse(checker, "it has very many operators");
		checker->begins = 0;
		next(checker);
		return 2;
	}
	switch (checker->token.kind) {
	case TOKEN_NUMBER:
		return take_literal(checker, &number);
	case TOKEN_CHARACTER:
		next(checker);
		return 1;
	case TOKEN_STRING:
		return in_value(checker) ? refuse(checker, "its syntax is not understood")
					 : expect_strings(checker);
	case TOKEN_WORD:
		break;
	default:
		return refuse(checker, "its syntax is not understood");
	}
	if (in_value(checker) && (is(checker, "REC") || is_call(checker)))
		return refuse(checker, "its syntax is not understood");
	if (is(checker, "REC"))
		return take_record_member(checker);
	if (is_call(checker))
		return take_call(checker);
	next(checker);
	return 1;
}

static int is_factor(const struct checker *checker)
{
	return is(checker, "*") || is(checker, "/") || is(checker, "%");
}

/* An operator with two sides. @return as take_operand() */
static int take_operator(struct checker *checker)
{
	static const char *const operators[] = { "+",  "-",  "*",  "&",  "|",  "^",  "<",  ">",
						 "<<", ">>", "<=", ">=", "==", "!=", "&&", "||" };
	uint64_t divisor;

	checker->begins = 0;
	if (++checker->operators > OPERATORS_MOST)
		return refuse(checker, "it has very many operators");
	if (in_value(checker) && (is_factor(checker) || is(checker, "^")))
		return refuse(checker, "its syntax is not understood");
	if (is(checker, "/") || is(checker, "%")) {
		next(checker);
		if (!number_of(&checker->token, &divisor) || !divisor)
			return refuse(checker, "it divides by what is not a plain number");
		next(checker);
		return is_factor(checker) ? refuse(checker, "it divides by a product") : 1;
	}
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (is(checker, operators[i])) {
			next(checker);
			return 2;
		}
	}
	return refuse(checker, "its syntax is not understood");
}

/* The name of a value. Where there is none kernels write 0 or ((void *)0). */
static int take_name_of_value(struct checker *checker)
{
	static const char *const null[] = { "(", "(", "void", "*", ")" };
	uint64_t zero;

	if (checker->token.kind == TOKEN_STRING)
		return expect_strings(checker);
	if (!is(checker, "("))
		return take_literal(checker, &zero);
	for (size_t i = 0; i < sizeof(null) / sizeof(null[0]); i++) {
		if (!expect(checker, null[i]))
			return 0;
	}
	return take_literal(checker, &zero) && expect(checker, ")");
}

/* Behind a value: , "name" } and perhaps another { value. @return as take_operand() */
static int take_name(struct checker *checker)
{
	if (!expect(checker, ",") || !take_name_of_value(checker) || !expect(checker, "}"))
		return 0;
	if (is(checker, ",")) {
		next(checker);
		return expect(checker, "{") ? 2 : 0;
	}
	checker->depth--;
	return expect(checker, ")");
}

/* What follows an operand and is no operator. @return as take_operand(); -1 if it is none of it */
static int take_end(struct checker *checker)
{
	enum context context = top(checker);

	if (context == IN_VALUE && is(checker, ","))
		return take_name(checker);
	if (context == IN_PARENTHESES && is(checker, ")")) {
		checker->depth--;
		next(checker);
		return 1;
	}
	if (context == IN_CHOICE && is(checker, ":")) {
		checker->depth--;
		checker->begins = 0;
		next(checker);
		return 2;
	}
	if (is(checker, "?") && !in_value(checker)) {
		next(checker);
		return ++checker->operators <= OPERATORS_MOST && push(checker, IN_CHOICE) ? 2 : 0;
	}
	if (context == IN_EXPECT && is(checker, ",")) {
		uint64_t number;

		checker->depth--;
		next(checker);
		return take_literal(checker, &number) && expect(checker, ")");
	}
	if ((context == IN_FLAGS || context == IN_SYMBOLS) && is(checker, ",")) {
		next(checker);
		if (context == IN_FLAGS && (!expect_strings(checker) || !expect(checker, ",")))
			return 0;
		checker->stack[checker->depth - 1] = IN_VALUE;
		return expect(checker, "{") ? 2 : 0;
	}
	return -1;
}

/* How many characters of a string: REC->field, to be looked at in each RAW */
static int check_limit(struct checker *checker)
{
	struct print_format *format = checker->format;
	const struct precis_tracepoint_field *field;

	if (!is(checker, "REC"))
		return refuse(checker, "it has a conversion that is not known, or not bounded");
	next(checker);
	field = take_member(checker);
	if (!field)
		return 0;
	if (field->is_array || field->place != PRECIS_PLACE_HERE ||
	    format->limit_count == LIMITS_MOST ||
	    (!is(checker, ",") && checker->token.kind != TOKEN_END))
		return refuse(checker, "it has a conversion that is not known, or not bounded");
	format->limits[format->limit_count++] = field;
	return 1;
}

static int check_argument(struct checker *checker)
{
	int state = 2;

	if (checker->argument < checker->format->conversions &&
	    checker->conversions[checker->argument] == CONVERSION_LIMIT)
		return check_limit(checker);
	checker->depth = 0;
	push(checker, IN_ARGUMENT);
	while (state && !checker->refused) {
		if (state == 2) {
			state = take_operand(checker);
			continue;
		}
		if (checker->depth == 1 && (is(checker, ",") || checker->token.kind == TOKEN_END))
			return 1;
		state = take_end(checker);
		if (state < 0)
			state = take_operator(checker);
	}
	return refuse(checker, "it has very many operators");
}

const char *precis_print_format_check(const struct precis_tracepoint *tracepoint,
				      const struct tracing_text *print, struct print_format *format)
{
	struct checker checker = {
		.at = print->text,
		.end = print->text + print->bytes,
		.tracepoint = tracepoint,
		.format = format,
	};

	memset(format, 0, sizeof(*format));
	if (!print->bytes)
		return "there is none";
	if (print->bytes > TEXT_MOST)
		return "it is very long";
	next(&checker);
	if (checker.token.kind != TOKEN_STRING)
		return "its syntax is not understood";
	if (!check_format_string(&checker))
		return checker.refused;
	while (is(&checker, ",") && !checker.refused) {
		next(&checker);
		if (!check_argument(&checker))
			return checker.refused;
		checker.argument++;
	}
	if (!checker.refused && checker.token.kind != TOKEN_END)
		return "its syntax is not understood";
	if (!checker.refused && checker.argument < format->conversions)
		return "it has fewer arguments than conversions";
	return checker.refused;
}
