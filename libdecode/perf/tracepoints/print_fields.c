/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a print format takes from RAW: fields and arrays.
 *
 * - Fields exist: process_entry() of libtraceevent follows the pointer to one that
 *   does not.
 * - Index: only a number, of an array: eval_num_arg() reads where it points. And only
 *   where an expression begins: behind an operator process_op() knows no "[" and fails,
 *   which it does not survive in all places.
 * - Lengths of relative arrays: dynamic_offset_field() adds to an offset that
 *   nobody asked for.
 */
#include <string.h>

#include "print_checker.h"

static const struct precis_tracepoint_field *find_field(struct checker *checker)
{
	const struct precis_tracepoint *tracepoint = checker->tracepoint;
	const struct token *token = &checker->token;

	for (uint32_t i = 0; token->kind == TOKEN_WORD && i < tracepoint->field_count; i++) {
		const struct precis_tracepoint_field *field = &tracepoint->fields[i];

		if (!strncmp(field->name, token->text, token->length) &&
		    !field->name[token->length]) {
			print_next(checker);
			if (!field->bytes)
				refuse(checker, "it has a field without a size");
			return field;
		}
	}
	refuse(checker, "it has a field that the tracepoint does not have");
	return NULL;
}

/* Behind "REC" */
const struct precis_tracepoint_field *print_take_member(struct checker *checker)
{
	return print_expect(checker, "->") ? find_field(checker) : NULL;
}

/* Behind the function's name: (field), an array that lies elsewhere */
const struct precis_tracepoint_field *print_take_elsewhere(struct checker *checker)
{
	const struct precis_tracepoint_field *field;

	if (!print_expect(checker, "("))
		return NULL;
	field = find_field(checker);
	if (!field || !print_expect(checker, ")"))
		return NULL;
	if (field->place == PRECIS_PLACE_HERE || field->is_common)
		refuse(checker, "it looks for an array where there is none");
	return field;
}

int print_is_dynamic_array(const struct checker *checker)
{
	return is(checker, "__get_dynamic_array") || is(checker, "__get_rel_dynamic_array");
}

int print_is_array_length(const struct checker *checker)
{
	return is(checker, "__get_dynamic_array_len") || is(checker, "__get_rel_dynamic_array_len");
}

/* Behind the name of __get_dynamic_array_len() */
const struct precis_tracepoint_field *print_take_length(struct checker *checker)
{
	const struct precis_tracepoint_field *field = print_take_elsewhere(checker);

	if (field && field->place == PRECIS_PLACE_REL_LOC)
		refuse(checker, "it asks for the length of a relative array");
	return field;
}

static int take_array(struct checker *checker, struct array_use *use)
{
	if (print_is_dynamic_array(checker)) {
		print_next(checker);
		use->array = print_take_elsewhere(checker);
	} else if (is(checker, "REC")) {
		print_next(checker);
		use->array = print_take_member(checker);
		if (use->array && use->array->place != PRECIS_PLACE_HERE)
			refuse(checker, "it looks for an array where there is none");
	} else {
		refuse(checker, "its syntax is not understood");
	}
	return !checker->refused;
}

static int take_count(struct checker *checker, struct array_use *use)
{
	use->number = 1;
	if (checker->token.kind == TOKEN_NUMBER) {
		use->count = COUNT_NUMBER;
		return print_take_literal(checker, &use->number);
	}
	if (is(checker, "REC")) {
		use->count = COUNT_FIELD;
		print_next(checker);
		use->count_field = print_take_member(checker);
		if (use->count_field && use->count_field->is_array)
			refuse(checker, "it takes an array for a number");
		return !checker->refused;
	}
	if (!print_is_array_length(checker))
		return refuse(checker, "the size of an array is not understood");
	use->count = COUNT_LENGTH;
	print_next(checker);
	use->count_field = print_take_length(checker);
	if (checker->refused || !is(checker, "/"))
		return !checker->refused;
	print_next(checker);
	if (!print_take_literal(checker, &use->number))
		return 0;
	return use->number ? 1 : refuse(checker, "it divides by 0");
}

/* __print_array() and __print_hex(), from behind their names */
int print_take_printed_array(struct checker *checker, int has_element_bytes)
{
	struct array_use *use = &checker->format->arrays[checker->format->array_count];
	uint64_t element_bytes = 1;

	if (checker->format->array_count == ARRAYS_MOST)
		return refuse(checker, "it prints very many arrays");
	if (!print_expect(checker, "(") || !take_array(checker, use) ||
	    !print_expect(checker, ",") || !take_count(checker, use))
		return 0;
	if (has_element_bytes &&
	    (!print_expect(checker, ",") || !print_take_literal(checker, &element_bytes)))
		return 0;
	if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4 && element_bytes != 8)
		return refuse(checker, "it prints an array of strange elements");
	use->element_bytes = (uint32_t)element_bytes;
	checker->format->array_count++;
	return print_expect(checker, ")");
}

/* REC->field, REC->field[number] */
int print_take_record_member(struct checker *checker)
{
	const struct precis_tracepoint_field *field;
	uint64_t index, length = 0;

	print_next(checker);
	field = print_take_member(checker);
	if (!field)
		return 0;
	if (!is(checker, "["))
		return 1;
	if (!checker->begins)
		return refuse(checker, "it has an index where libtraceevent takes none");
	print_next(checker);
	if (!print_take_literal(checker, &index))
		return 0;
	for (const char *at = strchr(field->type, '['); at && *at && *at != ']'; at++) {
		if (is_digit(*at))
			length = length > 65535 ? length : length * 10 + (uint64_t)(*at - '0');
		else if (*at != '[')
			length = 65536; /* not a plain number */
	}
	if (field->place != PRECIS_PLACE_HERE || index >= length || length > field->bytes)
		return refuse(checker, "an index is not one of its array's");
	return print_expect(checker, "]");
}
