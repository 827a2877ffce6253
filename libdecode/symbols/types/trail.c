/* SPDX-License-Identifier: BSD-3-Clause */
/* What leads to a member, as text: names with dots, elements as the language writes them. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "paths.h"
#include "units.h"

struct mark precis_trail_mark(const struct trail *trail)
{
	return (struct mark){ trail->text_length, trail->pattern_length, trail->indexes };
}

void precis_trail_back(struct trail *trail, struct mark mark)
{
	trail->text_length = mark.text_length;
	trail->pattern_length = mark.pattern_length;
	trail->indexes = mark.indexes;
	trail->text[mark.text_length] = '\0';
	trail->pattern[mark.pattern_length] = '\0';
}

/* @return 0 if it does not fit */
__attribute__((format(printf, 3, 4))) static int append(char *text, size_t *length, const char *format, ...)
{
	va_list arguments;
	int bytes;

	va_start(arguments, format);
	bytes = vsnprintf(text + *length, PATH_TEXT - *length, format, arguments);
	va_end(arguments);
	if (bytes < 0 || (size_t)bytes >= PATH_TEXT - *length) {
		text[*length] = '\0';
		return 0;
	}
	*length += (size_t)bytes;
	return 1;
}

static int append_both(struct trail *trail, const char *text)
{
	return append(trail->text, &trail->text_length, "%s", text) &&
	       append(trail->pattern, &trail->pattern_length, "%s", text);
}

/* "." between two names; none at the start, and behind "base::" */
static int is_dotted(const struct trail *trail)
{
	return trail->text_length && trail->text[trail->text_length - 1] != ':';
}

int precis_trail_name(struct trail *trail, const char *name, int is_base)
{
	if (!name)
		return 1;
	return (!is_dotted(trail) || append_both(trail, ".")) && append_both(trail, name) &&
	       (!is_base || append_both(trail, "::"));
}

static int append_number(struct trail *trail, int64_t number, int64_t last)
{
	if (trail->indexes == PATH_INDEXES)
		return 0;
	trail->index[trail->indexes++] = number;
	if (!append(trail->text, &trail->text_length, "%" PRId64, number))
		return 0;
	return last == number || append(trail->text, &trail->text_length, "..%" PRId64, last);
}

int precis_trail_element(struct trail *trail, const struct array *array,
			 const uint64_t place[ARRAY_DIMENSIONS], uint64_t last)
{
	const uint32_t fastest = precis_array_order(array, array->dimensions - 1);
	const int in_one = array->by_columns;

	if (in_one && !append_both(trail, "("))
		return 0;
	for (uint32_t n = 0; n < array->dimensions; n++) {
		const int64_t lower = array->dimension[n].lower;
		const int64_t number = (int64_t)((uint64_t)lower + place[n]);
		const int64_t end = n == fastest ? (int64_t)((uint64_t)lower + last) : number;

		if (!append_both(trail, !in_one ? "[" : n ? "," : "") || !append_number(trail, number, end) ||
		    !append_both(trail, in_one ? "" : "]"))
			return 0;
	}
	return !in_one || append_both(trail, ")");
}
