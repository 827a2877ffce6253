/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A print format's arguments: expressions, and what stands around their operands.
 *
 * - Divisors are numbers other than 0, and no * / % follows them: process_op() of
 *   libtraceevent makes a / (b % c) of a / b % c, and eval_num_arg() divides by what comes.
 * - Depth and number of operators: both of them recurse.
 */
#include "print_checker.h"

static int is_factor(const struct checker *checker)
{
	return is(checker, "*") || is(checker, "/") || is(checker, "%");
}

/* An operator with two sides. @return as print_take_operand() */
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
		print_next(checker);
		if (!print_number_of(&checker->token, &divisor) || !divisor)
			return refuse(checker, "it divides by what is not a plain number");
		print_next(checker);
		return is_factor(checker) ? refuse(checker, "it divides by a product") : 1;
	}
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (is(checker, operators[i])) {
			print_next(checker);
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
		return print_expect_strings(checker);
	if (!is(checker, "("))
		return print_take_literal(checker, &zero);
	for (size_t i = 0; i < sizeof(null) / sizeof(null[0]); i++) {
		if (!print_expect(checker, null[i]))
			return 0;
	}
	return print_take_literal(checker, &zero) && print_expect(checker, ")");
}

/* Behind a value: , "name" } and perhaps another { value. @return as print_take_operand() */
static int take_name(struct checker *checker)
{
	if (!print_expect(checker, ",") || !take_name_of_value(checker) ||
	    !print_expect(checker, "}"))
		return 0;
	if (is(checker, ",")) {
		print_next(checker);
		return print_expect(checker, "{") ? 2 : 0;
	}
	checker->depth--;
	return print_expect(checker, ")");
}

/*
 * What follows an operand and is no operator. @return as print_take_operand();
 * -1 if it is none of it
 */
static int take_end(struct checker *checker)
{
	enum context context = top(checker);

	if (context == IN_VALUE && is(checker, ","))
		return take_name(checker);
	if (context == IN_PARENTHESES && is(checker, ")")) {
		checker->depth--;
		print_next(checker);
		return 1;
	}
	if (context == IN_CHOICE && is(checker, ":")) {
		checker->depth--;
		checker->begins = 0;
		print_next(checker);
		return 2;
	}
	if (is(checker, "?") && !in_value(checker)) {
		print_next(checker);
		return ++checker->operators <= OPERATORS_MOST && push(checker, IN_CHOICE) ? 2 : 0;
	}
	if (context == IN_EXPECT && is(checker, ",")) {
		uint64_t number;

		checker->depth--;
		print_next(checker);
		return print_take_literal(checker, &number) && print_expect(checker, ")");
	}
	if ((context == IN_FLAGS || context == IN_SYMBOLS) && is(checker, ",")) {
		print_next(checker);
		if (context == IN_FLAGS &&
		    (!print_expect_strings(checker) || !print_expect(checker, ",")))
			return 0;
		checker->stack[checker->depth - 1] = IN_VALUE;
		return print_expect(checker, "{") ? 2 : 0;
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
	print_next(checker);
	field = print_take_member(checker);
	if (!field)
		return 0;
	if (field->is_array || field->place != PRECIS_PLACE_HERE ||
	    format->limit_count == LIMITS_MOST ||
	    (!is(checker, ",") && checker->token.kind != TOKEN_END))
		return refuse(checker, "it has a conversion that is not known, or not bounded");
	format->limits[format->limit_count++] = field;
	return 1;
}

int print_check_argument(struct checker *checker)
{
	int state = 2;

	if (checker->argument < checker->format->conversions &&
	    checker->conversions[checker->argument] == CONVERSION_LIMIT)
		return check_limit(checker);
	checker->depth = 0;
	push(checker, IN_ARGUMENT);
	while (state && !checker->refused) {
		if (state == 2) {
			state = print_take_operand(checker);
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
