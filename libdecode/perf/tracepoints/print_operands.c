/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands in a print format's arguments: numbers, strings, members, calls, casts.
 *
 * __builtin_expect(!!(...), 0): process_builtin_expect() of libtraceevent fails on
 * other operators.
 */
#include "print_checker.h"

/* An array as such: only where the conversion reads no further than its length */
static int take_whole_array(struct checker *checker)
{
	uint32_t argument = checker->argument;

	print_next(checker);
	if (!print_take_elsewhere(checker))
		return 0;
	if (checker->depth == 1 && (is(checker, ",") || checker->token.kind == TOKEN_END) &&
	    argument < checker->format->conversions &&
	    (checker->conversions[argument] == CONVERSION_BYTES ||
	     checker->conversions[argument] == CONVERSION_ADDRESS))
		return 1;
	return refuse(checker, "it prints an array's place in memory");
}

/* Is the word a function? Another one is an enumerator that the kernel did not resolve. */
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

		print_next(checker);
		return print_expect(checker, "(") && push(checker, context) ? 2 : 0;
	}
	if (is(checker, "__builtin_expect")) {
		print_next(checker);
		return print_expect(checker, "(") && is(checker, "!") && push(checker, IN_EXPECT)
			       ? 2
			       : refuse(checker, "its syntax is not understood");
	}
	if (is(checker, "__print_array")) {
		print_next(checker);
		return print_take_printed_array(checker, 1);
	}
	if (is(checker, "__print_hex") || is(checker, "__print_hex_str")) {
		print_next(checker);
		return print_take_printed_array(checker, 0);
	}
	if (print_is_array_length(checker)) {
		print_next(checker);
		return print_take_length(checker) != NULL;
	}
	if (print_is_dynamic_array(checker) || is(checker, "__get_sockaddr") ||
	    is(checker, "__get_sockaddr_rel"))
		return take_whole_array(checker);
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		if (is(checker, strings[i])) {
			print_next(checker);
			return print_take_elsewhere(checker) != NULL;
		}
	}
	return refuse(checker, "it calls a function that is not known");
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
		print_next(checker);
	}
	if (words && is(checker, "*"))
		print_next(checker);
	if (words && words < 6 && is(checker, ")")) {
		print_next(checker);
		return checker->token.kind == TOKEN_WORD || checker->token.kind == TOKEN_NUMBER ||
				       checker->token.kind == TOKEN_CHARACTER || is(checker, "(")
			       ? 2
			       : 1;
	}
	*checker = before;
	return 0;
}

/* @return 1 after an operand, 2 if one is still to follow, 0 if it is refused */
int print_take_operand(struct checker *checker)
{
	uint64_t number;
	int cast;

	if (is(checker, "(")) {
		print_next(checker);
		cast = take_cast(checker);
		return cast ? cast : push(checker, IN_PARENTHESES) ? 2 : 0;
	}
	if ((is(checker, "!") && !in_value(checker)) || is(checker, "~") || is(checker, "-") ||
	    is(checker, "+")) {
		if (++checker->operators > OPERATORS_MOST)
			return refuse(checker, "it has very many operators");
		checker->begins = 0;
		print_next(checker);
		return 2;
	}
	switch (checker->token.kind) {
	case TOKEN_NUMBER:
		return print_take_literal(checker, &number);
	case TOKEN_CHARACTER:
		print_next(checker);
		return 1;
	case TOKEN_STRING:
		return in_value(checker) ? refuse(checker, "its syntax is not understood")
					 : print_expect_strings(checker);
	case TOKEN_WORD:
		break;
	default:
		return refuse(checker, "its syntax is not understood");
	}
	if (in_value(checker) && (is(checker, "REC") || is_call(checker)))
		return refuse(checker, "its syntax is not understood");
	if (is(checker, "REC"))
		return print_take_record_member(checker);
	if (is_call(checker))
		return take_call(checker);
	print_next(checker);
	return 1;
}
