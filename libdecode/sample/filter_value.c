/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields and values in a filter: what stands on either side of a relation. */
#include <string.h>

#include "filter_internal.h"

int precis_filter_field_read(const struct filter_token *token, struct filter_field *field,
			     struct precis_filter_error *error)
{
	const char *near;
	int found = precis_field_find(token->text, token->length);

	memset(field, 0, sizeof(*field));
	field->info.size = sizeof(field->info);
	if (found < 0 || precis_field_info((uint32_t)found, &field->info) < 0) {
		precis_filter_fail(error, PRECIS_E_NO_FIELD, token, "no field ");
		precis_filter_message_quote(error, token->text, token->length);
		near = precis_filter_suggest(token->text, token->length);
		if (near) {
			precis_filter_message_add(error, "; did you mean ");
			precis_filter_message_add(error, near);
			precis_filter_message_add(error, "?");
		}
		return PRECIS_E_NO_FIELD;
	}
	switch (field->info.type) {
	case PRECIS_TYPE_INT:
		field->has_sign = 1;
		field->ordered = 1;
		break;
	case PRECIS_TYPE_UINT:
	case PRECIS_TYPE_ADDRESS:
	case PRECIS_TYPE_HEX:
		field->ordered = 1;
		break;
	case PRECIS_TYPE_BOOL:
	case PRECIS_TYPE_EVENT:
		break;
	default:
		field->enumerated = 1;
		break;
	}
	return 0;
}

static const struct {
	char text[3];
	uint8_t is_time; /* only for fields in nanoseconds */
	uint32_t factor;
} suffixes[] = {
	{ "", 0, 1 },
	{ "k", 0, UINT32_C(1) << 10 },
	{ "M", 0, UINT32_C(1) << 20 },
	{ "G", 0, UINT32_C(1) << 30 },
	{ "ns", 1, 1 },
	{ "us", 1, 1000 },
	{ "ms", 1, 1000000 },
	{ "s", 1, 1000000000 },
};

/* @return the factor, 0 if there is no such suffix for that field */
static uint32_t read_suffix(const char *text, size_t length, const struct filter_field *field)
{
	size_t i;

	for (i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (strlen(suffixes[i].text) != length ||
		    memcmp(suffixes[i].text, text, length) != 0)
			continue;
		if (suffixes[i].is_time && field->info.unit != PRECIS_UNIT_NANOSECONDS)
			return 0;
		return suffixes[i].factor;
	}
	return 0;
}

static unsigned int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned int)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned int)(c - 'A') + 10;
	return UINT32_MAX;
}

static int too_large(const struct filter_token *token, struct precis_filter_error *error)
{
	precis_filter_fail(error, PRECIS_E_SYNTAX, token, "");
	precis_filter_message_quote(error, token->text, token->length);
	precis_filter_message_add(error, " does not fit into 64 bits");
	return PRECIS_E_SYNTAX;
}

static int no_number(const struct filter_token *token, const struct filter_field *field,
		     struct precis_filter_error *error)
{
	precis_filter_fail(error, PRECIS_E_SYNTAX, token, "");
	precis_filter_message_quote(error, token->text, token->length);
	precis_filter_message_add(error, " is no number (decimal or 0x..., then k, M, G");
	if (field->info.unit == PRECIS_UNIT_NANOSECONDS)
		precis_filter_message_add(error, " or ns, us, ms, s");
	precis_filter_message_add(error, ")");
	return PRECIS_E_SYNTAX;
}

static int read_number(const struct filter_token *token, const struct filter_field *field,
		       uint64_t *value, struct precis_filter_error *error)
{
	const char *at = token->text;
	const char *end = at + token->length;
	int negative = *at == '-';
	uint64_t magnitude = 0;
	unsigned int base = 10;
	const char *digits;
	uint32_t factor;

	at += negative;
	if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
		base = 16;
		at += 2;
	}
	for (digits = at; at < end && digit_value(*at) < base; at++) {
		if (__builtin_mul_overflow(magnitude, (uint64_t)base, &magnitude) ||
		    __builtin_add_overflow(magnitude, (uint64_t)digit_value(*at), &magnitude))
			return too_large(token, error);
	}
	factor = read_suffix(at, (size_t)(end - at), field);
	if (at == digits || factor == 0)
		return no_number(token, field, error);
	if (__builtin_mul_overflow(magnitude, (uint64_t)factor, &magnitude))
		return too_large(token, error);
	if (field->has_sign && magnitude > (uint64_t)INT64_MAX + (negative ? 1 : 0))
		return too_large(token, error);
	if (negative && !field->has_sign) {
		precis_filter_fail(error, PRECIS_E_SYNTAX, token, field->info.name);
		precis_filter_message_add(error, " is never negative");
		return PRECIS_E_SYNTAX;
	}
	*value = negative ? 0 - magnitude : magnitude;
	return 0;
}

static int read_event(const struct filter_token *token, const struct filter_events *events,
		      uint64_t *value, struct precis_filter_error *error)
{
	int index;

	if (!events->find)
		return precis_filter_fail(
			error, PRECIS_E_SYNTAX, token,
			"events have no names here; compare with the event's number");
	index = events->find(token->text, token->length, events->data);
	if (index < 0) {
		precis_filter_fail(error, PRECIS_E_SYNTAX, token, "the recording has no event ");
		precis_filter_message_quote(error, token->text, token->length);
		return PRECIS_E_SYNTAX;
	}
	*value = (uint64_t)index;
	return 0;
}

/* Values of enumerations are small numbers: the list ends well before this */
#define ENUMERATION_END 64

static int read_name(const struct filter_token *token, const struct filter_field *field,
		     uint64_t *value, struct precis_filter_error *error)
{
	uint64_t listed;

	if (precis_type_value_find(field->info.type, token->text, token->length, value) == 0)
		return 0;
	precis_filter_fail(error, PRECIS_E_SYNTAX, token, field->info.name);
	precis_filter_message_add(error, " is never ");
	precis_filter_message_quote(error, token->text, token->length);
	precis_filter_message_add(error, "; it is");
	for (listed = 0; listed < ENUMERATION_END; listed++) {
		const char *name = precis_type_value_name(field->info.type, listed);

		if (name) {
			precis_filter_message_add(error, " ");
			precis_filter_message_add(error, name);
		}
	}
	return PRECIS_E_SYNTAX;
}

static int read_bool(const struct filter_token *token, const struct filter_field *field,
		     uint64_t *value, struct precis_filter_error *error)
{
	if (precis_filter_token_is(token, "true") || precis_filter_token_is(token, "1")) {
		*value = 1;
	} else if (precis_filter_token_is(token, "false") || precis_filter_token_is(token, "0")) {
		*value = 0;
	} else {
		precis_filter_fail(error, PRECIS_E_SYNTAX, token, field->info.name);
		precis_filter_message_add(error, " is true or false");
		return PRECIS_E_SYNTAX;
	}
	return 0;
}

int precis_filter_value_read(const struct filter_token *token, const struct filter_field *field,
			     const struct filter_events *events, uint64_t *value,
			     struct precis_filter_error *error)
{
	int is_name = token->kind == FILTER_TOKEN_WORD || token->kind == FILTER_TOKEN_TEXT;

	if (!is_name && token->kind != FILTER_TOKEN_NUMBER)
		return precis_filter_fail(error, PRECIS_E_SYNTAX, token,
					  token->kind == FILTER_TOKEN_OPEN_QUOTE
						  ? "this quote is never closed"
						  : "a value is expected here");
	if (field->info.type == PRECIS_TYPE_BOOL)
		return read_bool(token, field, value, error);
	if (!is_name)
		return read_number(token, field, value, error);
	if (field->info.type == PRECIS_TYPE_EVENT)
		return read_event(token, events, value, error);
	if (field->enumerated)
		return read_name(token, field, value, error);
	return no_number(token, field, error);
}
