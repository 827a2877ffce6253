/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From an expression to jumping code.
 *
 * Operators wait on a stack of fixed depth until their right side is known
 * (Dijkstra's shunting yard), so that nothing recurses. An operand is a run of
 * steps. Its last step is undecided: whether it jumps when it is true or when it
 * is false follows from the operator behind it. Earlier steps that leave the
 * operand are chained through their 'jump' until their target is known.
 */
#include <string.h>

#include "abi.h"
#include "filter_internal.h"

ABI_FIXED(struct precis_filter, 2304);

#define NO_STEP UINT16_MAX

struct operand {
	uint16_t last; /* the undecided step */
	uint8_t negated; /* the operand is true when the last step's test is false */
	uint16_t if_true; /* chain of the jumps that leave it because it is true */
	uint16_t if_false; /* likewise, false */
};

struct compiler {
	struct filter_lexer lexer;
	struct filter_token token;
	struct filter_events events;
	const struct precis_filter_names *names; /* NULL: none */
	struct precis_filter *filter;
	struct precis_filter_error *error;
	uint32_t operators, operands;
	struct filter_token operator[PRECIS_FILTER_DEPTH];
	struct operand operand[PRECIS_FILTER_DEPTH + 1];
};

static void next(struct compiler *compiler)
{
	precis_filter_lex(&compiler->lexer, &compiler->token);
}

static int fail(struct compiler *compiler, int code, const char *text)
{
	return precis_filter_fail(compiler->error, code, &compiler->token, text);
}

static int unexpected(struct compiler *compiler, const char *expected)
{
	const struct filter_token *token = &compiler->token;

	if (token->kind == FILTER_TOKEN_OPEN_QUOTE)
		return fail(compiler, PRECIS_E_SYNTAX, "this quote is never closed");
	fail(compiler, PRECIS_E_SYNTAX, expected);
	precis_filter_message_add(compiler->error, token->kind == FILTER_TOKEN_END
							   ? " is expected at the end"
							   : " is expected, not ");
	if (token->kind != FILTER_TOKEN_END)
		precis_filter_message_quote(compiler->error, token->text, token->length);
	return PRECIS_E_SYNTAX;
}

static void chain_to(struct precis_filter *filter, uint16_t chain, uint16_t target)
{
	while (chain != NO_STEP) {
		uint16_t following = filter->step[chain].jump;

		filter->step[chain].jump = target;
		chain = following;
	}
}

static uint16_t chain_join(struct precis_filter *filter, uint16_t first, uint16_t second)
{
	uint16_t at = first;

	if (first == NO_STEP)
		return second;
	while (filter->step[at].jump != NO_STEP)
		at = filter->step[at].jump;
	filter->step[at].jump = second;
	return first;
}

/*
 * Let an operand go on to the step behind it where its value is 'goes_on', and
 * leave by a jump where it is the other.
 */
static void decide(struct precis_filter *filter, struct operand *operand, int goes_on)
{
	uint16_t *goes = goes_on ? &operand->if_true : &operand->if_false;
	uint16_t *leaves = goes_on ? &operand->if_false : &operand->if_true;

	if (goes_on == operand->negated)
		filter->step[operand->last].op |= FILTER_JUMP_IF_TRUE;
	filter->step[operand->last].jump = *leaves;
	*leaves = operand->last;
	chain_to(filter, *goes, (uint16_t)filter->count);
	*goes = NO_STEP;
}

/* 'what': a field, or the number of a name */
static int add_test(struct compiler *compiler, enum filter_test test, uint32_t what, uint64_t value)
{
	struct precis_filter *filter = compiler->filter;
	struct operand *operand = &compiler->operand[compiler->operands];
	uint32_t at = filter->count;

	if (at == PRECIS_FILTER_STEPS)
		return fail(compiler, PRECIS_E_NO_SPACE, "too many comparisons");
	filter->step[at].op = (uint8_t)test;
	filter->step[at].field = (uint8_t)what;
	filter->step[at].jump = NO_STEP;
	filter->step[at].value = value;
	filter->count++;
	operand->last = (uint16_t)at;
	operand->negated = 0;
	operand->if_true = NO_STEP;
	operand->if_false = NO_STEP;
	compiler->operands++;
	return 0;
}

static int add_step(struct compiler *compiler, enum filter_test test, uint32_t field,
		    uint64_t value)
{
	int error = add_test(compiler, test, field, value);

	if (!error)
		precis_fields_add(compiler->filter->fields, field);
	return error;
}

/* --- names --- */

/* The number of the name that the token is; -1: none */
static int name_of(const struct compiler *compiler)
{
	uint32_t n;

	for (n = 0; compiler->names && n < compiler->names->count; n++) {
		if (precis_filter_token_is(&compiler->token, compiler->names->names[n]))
			return (int)n;
	}
	return -1;
}

/* Is that name a field, too, then what stands behind it tells which is meant. */
static int is_name_meant(const struct compiler *compiler)
{
	struct filter_lexer ahead = compiler->lexer;
	struct filter_token token;

	if (precis_field_find(compiler->token.text, compiler->token.length) < 0)
		return 1;
	precis_filter_lex(&ahead, &token);
	if (token.kind != FILTER_TOKEN_RELATION || token.test == FILTER_NAME_LIKE)
		return token.kind == FILTER_TOKEN_RELATION;
	precis_filter_lex(&ahead, &token);
	return token.kind == FILTER_TOKEN_TEXT;
}

static int add_name_step(struct compiler *compiler, enum filter_test test, uint32_t name)
{
	const struct filter_token *text = &compiler->token;
	struct precis_filter *filter = compiler->filter;
	uint32_t at = filter->count;
	int error, is_path = compiler->names->paths >> name & 1;
	unsigned int word;

	/* offsets have 32 bits; nobody types as much */
	if (text->length > UINT32_MAX || text->offset + 1 > UINT32_MAX - text->length)
		return fail(compiler, PRECIS_E_NO_SPACE, "too long");
	error = add_test(compiler, test, name,
			 (uint64_t)text->length << 32 | (uint32_t)(text->text - compiler->lexer.text));
	if (error)
		return error;
	if (is_path && !memchr(text->text, '/', text->length))
		filter->step[at].flags = FILTER_FILE_PART;
	filter->names |= UINT64_C(1) << name;
	for (word = 0; word < PRECIS_FIELD_WORDS; word++)
		filter->fields[word] |= compiler->names->fields[word];
	return 0;
}

static int no_text(struct compiler *compiler, uint32_t name)
{
	fail(compiler, PRECIS_E_SYNTAX, compiler->names->names[name]);
	precis_filter_message_add(compiler->error, " is a text: only ==, != and ~ apply");
	return PRECIS_E_SYNTAX;
}

/* name relation text, from the name on */
static int compile_name(struct compiler *compiler, uint32_t name)
{
	enum filter_test test;
	int error;

	next(compiler);
	if (compiler->token.kind != FILTER_TOKEN_RELATION)
		return no_text(compiler, name);
	switch (compiler->token.test) {
	case FILTER_EQUAL:
		test = FILTER_NAME_EQUAL;
		break;
	case FILTER_NOT_EQUAL:
		test = FILTER_NAME_NOT_EQUAL;
		break;
	case FILTER_NAME_LIKE:
		test = FILTER_NAME_LIKE;
		break;
	default:
		return no_text(compiler, name);
	}
	next(compiler);
	if (compiler->token.kind != FILTER_TOKEN_TEXT && compiler->token.kind != FILTER_TOKEN_WORD &&
	    compiler->token.kind != FILTER_TOKEN_NUMBER)
		return unexpected(compiler, "a text");
	error = add_name_step(compiler, test, name);
	if (!error)
		next(compiler);
	return error;
}

/* --- fields --- */

/* What present() and missing() are asked of: a field, or a name that is none */
static int compile_present(struct compiler *compiler, enum filter_test test)
{
	struct filter_field field;
	int error, name = name_of(compiler);

	if (name >= 0 && precis_field_find(compiler->token.text, compiler->token.length) < 0)
		return add_name_step(compiler,
				     test == FILTER_PRESENT ? FILTER_NAME_PRESENT :
							      FILTER_NAME_MISSING,
				     (uint32_t)name);
	error = precis_filter_field_read(&compiler->token, &field, compiler->error);
	return error ? error : add_step(compiler, test, field.info.field, 0);
}

/* ("present" | "missing") "(" field ")", from the word on */
static int compile_presence(struct compiler *compiler, enum filter_test test)
{
	int error;

	next(compiler);
	if (compiler->token.kind != FILTER_TOKEN_OPEN)
		return unexpected(compiler, "'('");
	next(compiler);
	if (compiler->token.kind != FILTER_TOKEN_WORD)
		return unexpected(compiler, "a field's name");
	error = compile_present(compiler, test);
	if (error)
		return error;
	next(compiler);
	if (compiler->token.kind != FILTER_TOKEN_CLOSE)
		return unexpected(compiler, "')'");
	next(compiler);
	return 0;
}

/* The test of signed numbers for each of unsigned ones */
static enum filter_test signed_test(enum filter_test test)
{
	switch (test) {
	case FILTER_LESS:
		return FILTER_SIGNED_LESS;
	case FILTER_LESS_EQUAL:
		return FILTER_SIGNED_LESS_EQUAL;
	case FILTER_GREATER:
		return FILTER_SIGNED_GREATER;
	case FILTER_GREATER_EQUAL:
		return FILTER_SIGNED_GREATER_EQUAL;
	default:
		return test;
	}
}

/* field [ relation value ], from the field on */
static int compile_comparison(struct compiler *compiler)
{
	struct filter_field field;
	enum filter_test test;
	uint64_t value;
	int error;

	error = precis_filter_field_read(&compiler->token, &field, compiler->error);
	if (error)
		return error;
	next(compiler);
	if (compiler->token.kind != FILTER_TOKEN_RELATION)
		return add_step(compiler, FILTER_ANY_BIT, field.info.field, UINT64_MAX);
	test = compiler->token.test;
	if (test == FILTER_NAME_LIKE) {
		fail(compiler, PRECIS_E_SYNTAX, field.info.name);
		precis_filter_message_add(compiler->error, " is no text: ~ does not apply");
		return PRECIS_E_SYNTAX;
	}
	if (!field.ordered && test != FILTER_EQUAL && test != FILTER_NOT_EQUAL) {
		fail(compiler, PRECIS_E_SYNTAX, field.info.name);
		precis_filter_message_add(compiler->error,
					  " is a name, not an amount: only == and != apply");
		return PRECIS_E_SYNTAX;
	}
	next(compiler);
	error = precis_filter_value_read(&compiler->token, &field, &compiler->events, &value,
					 compiler->error);
	if (error)
		return error;
	error = add_step(compiler, field.has_sign ? signed_test(test) : test, field.info.field,
			 value);
	if (error)
		return error;
	next(compiler);
	return 0;
}

static int push_operator(struct compiler *compiler)
{
	if (compiler->operators == PRECIS_FILTER_DEPTH)
		return fail(compiler, PRECIS_E_NO_SPACE, "nested too deeply");
	compiler->operator[compiler->operators++] = compiler->token;
	next(compiler);
	return 0;
}

/* How strongly an operator binds; '(' holds everything inside it */
static int strength(enum filter_token_kind kind)
{
	switch (kind) {
	case FILTER_TOKEN_NOT:
		return 3;
	case FILTER_TOKEN_AND:
		return 2;
	case FILTER_TOKEN_OR:
		return 1;
	default:
		return 0;
	}
}

/* Apply the operator on top of the stack to the operands on top of theirs */
static void apply(struct compiler *compiler)
{
	enum filter_token_kind kind = compiler->operator[--compiler->operators].kind;
	struct operand *right = &compiler->operand[compiler->operands - 1];
	struct operand *left = right - 1;
	uint16_t chain;

	if (kind == FILTER_TOKEN_NOT) {
		chain = right->if_true;
		right->if_true = right->if_false;
		right->if_false = chain;
		right->negated ^= 1;
		return;
	}
	/* One of the left side's chains is empty: decide() led it here when the operator came */
	left->if_true = chain_join(compiler->filter, left->if_true, right->if_true);
	left->if_false = chain_join(compiler->filter, left->if_false, right->if_false);
	left->last = right->last;
	left->negated = right->negated;
	compiler->operands--;
}

/* Apply what binds at least that strongly */
static void apply_from(struct compiler *compiler, int least)
{
	while (compiler->operators > 0 &&
	       strength(compiler->operator[compiler->operators - 1].kind) >= least)
		apply(compiler);
}

/* Everything up to and with the next comparison */
static int compile_operand(struct compiler *compiler)
{
	int error, name;

	while (compiler->token.kind == FILTER_TOKEN_NOT ||
	       compiler->token.kind == FILTER_TOKEN_OPEN) {
		error = push_operator(compiler);
		if (error)
			return error;
	}
	if (compiler->token.kind != FILTER_TOKEN_WORD)
		return unexpected(compiler, "a field's name, 'not' or '('");
	if (precis_filter_token_is(&compiler->token, "present"))
		return compile_presence(compiler, FILTER_PRESENT);
	if (precis_filter_token_is(&compiler->token, "missing"))
		return compile_presence(compiler, FILTER_MISSING);
	name = name_of(compiler);
	if (name >= 0 && is_name_meant(compiler))
		return compile_name(compiler, (uint32_t)name);
	return compile_comparison(compiler);
}

/* Closing brackets behind an operand */
static int compile_closing(struct compiler *compiler)
{
	while (compiler->token.kind == FILTER_TOKEN_CLOSE) {
		apply_from(compiler, 1);
		if (compiler->operators == 0)
			return fail(compiler, PRECIS_E_SYNTAX, "there is no '(' that this closes");
		compiler->operators--;
		next(compiler);
	}
	return 0;
}

static int compile_expression(struct compiler *compiler)
{
	enum filter_token_kind kind;
	int error;

	next(compiler);
	for (;;) {
		error = compile_operand(compiler);
		if (!error)
			error = compile_closing(compiler);
		if (error)
			return error;
		kind = compiler->token.kind;
		if (kind != FILTER_TOKEN_AND && kind != FILTER_TOKEN_OR)
			break;
		apply_from(compiler, strength(kind));
		decide(compiler->filter, &compiler->operand[compiler->operands - 1],
		       kind == FILTER_TOKEN_AND);
		error = push_operator(compiler);
		if (error)
			return error;
	}
	if (kind != FILTER_TOKEN_END)
		return unexpected(compiler, "'and', 'or' or the end");
	apply_from(compiler, 1);
	if (compiler->operators > 0) {
		compiler->token = compiler->operator[compiler->operators - 1];
		return fail(compiler, PRECIS_E_SYNTAX, "this '(' is never closed");
	}
	decide(compiler->filter, &compiler->operand[0], 1);
	chain_to(compiler->filter, compiler->operand[0].if_false, FILTER_REJECT);
	return 0;
}

int precis_filter_compile(const char *text, precis_filter_event_fn events, void *data,
			  struct precis_filter *filter, struct precis_filter_error *error)
{
	return precis_filter_compile_names(text, events, data, NULL, filter, error);
}

int precis_filter_compile_names(const char *text, precis_filter_event_fn events, void *data,
				const struct precis_filter_names *names,
				struct precis_filter *filter, struct precis_filter_error *error)
{
	struct compiler compiler;
	int code;

	ABI_MAY_OUT(struct precis_filter_error, error,
		    precis_filter_compile_names(text, events, data, names, filter, &abi));
	ABI_MAY_IN(struct precis_filter_names, names,
		   precis_filter_compile_names(text, events, data, &abi, filter, error));
	if (!text || !filter ||
	    (names && (names->count > PRECIS_FILTER_NAMES || !names->names || !names->find)))
		return PRECIS_E_ARGUMENT;
	memset(&compiler, 0, sizeof(compiler));
	memset(filter, 0, sizeof(*filter));
	compiler.lexer.text = text;
	compiler.events.find = events;
	compiler.events.data = data;
	compiler.names = names;
	compiler.filter = filter;
	compiler.error = error;
	code = compile_expression(&compiler);
	if (code)
		return code;
	if (filter->names) {
		filter->text = text;
		filter->find = names->find;
		filter->data = names->data;
	}
	filter->size = sizeof(*filter); /* without it precis_filter_match() refuses */
	return 0;
}
