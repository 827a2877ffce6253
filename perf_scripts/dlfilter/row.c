/* SPDX-License-Identifier: BSD-3-Clause */
/* See row.h. */
#define _GNU_SOURCE
#include "row.h"

#include <inttypes.h>
#include <string.h>

#include <precis/escape.h>

#define SECOND UINT64_C(1000000000)

static void put_text(const char *text, FILE *to)
{
	fwrite_unlocked(text, 1, strlen(text), to);
}

static void put_escaped(const char *text, size_t count, uint32_t flags, FILE *to)
{
	char escaped[256];

	while (count) {
		size_t used, length =
			precis_escape(text, count, flags, escaped, sizeof(escaped), &used);

		fwrite_unlocked(escaped, 1, length, to);
		text += used;
		count -= used;
		flags = 0;
	}
}

/* RFC 4180: quoted where it must be */
static void put_csv(const char *text, FILE *to)
{
	int is_quoted = text[strcspn(text, ",\"")] != '\0';
	uint32_t flags = PRECIS_ESCAPE_CELL;

	if (is_quoted)
		putc_unlocked('"', to);
	for (;;) {
		size_t length = strcspn(text, "\"");

		put_escaped(text, length, flags, to);
		text += length;
		if (!*text)
			break;
		put_text("\"\"", to);
		text++;
		flags = 0;
	}
	if (is_quoted)
		putc_unlocked('"', to);
}

void row_header(const struct arguments *arguments, FILE *to)
{
	const struct field_list *list = &arguments->print[PRECIS_EVENT_OTHER];

	for (uint32_t i = 0; i < list->count; i++) {
		if (i)
			putc_unlocked(',', to);
		put_text(list->printed[i].name, to);
	}
	putc_unlocked('\n', to);
}

static void put_value(const struct arguments *arguments, const struct precis_sample *sample,
		      const struct printed *printed, const char *event, FILE *to)
{
	uint64_t value = sample->value[printed->field];
	char text[PRECIS_VALUE_TEXT];

	if (printed->type == PRECIS_TYPE_EVENT && arguments->csv)
		put_csv(event, to);
	else if (printed->type == PRECIS_TYPE_EVENT)
		put_escaped(event, strlen(event), 0, to);
	else if (printed->unit == PRECIS_UNIT_NANOSECONDS && !arguments->csv)
		fprintf(to, "%" PRIu64 ".%09" PRIu64, value / SECOND, value % SECOND);
	else
		fwrite_unlocked(text, 1, precis_value_format(printed->type, value, text), to);
}

static void put_reason(const struct arguments *arguments, const struct precis_sample *sample,
		       uint32_t field, FILE *to)
{
	put_text(precis_reason_name(precis_why(sample, field)), to);
	if (arguments->csv)
		return;
	putc_unlocked('(', to);
	put_text(precis_why_detail(sample, field), to);
	putc_unlocked(')', to);
}

/* As `precis dump` prints them: CSV has empty cells, text leaves absent fields out. */
void row_write(const struct arguments *arguments, const struct precis_sample *sample,
	       const char *event, FILE *to)
{
	const struct field_list *list = &arguments->print[sample->event_kind];
	int any = 0;

	if (!list->count)
		return;
	for (uint32_t i = 0; i < list->count; i++) {
		const struct printed *printed = &list->printed[i];
		int present = precis_fields_have(sample->present, printed->field);

		if (arguments->csv) {
			if (i)
				putc_unlocked(',', to);
		} else if (present || arguments->reasons) {
			if (any++)
				putc_unlocked(' ', to);
			fwrite_unlocked(printed->name, 1, printed->name_length, to);
			putc_unlocked('=', to);
		}
		if (present)
			put_value(arguments, sample, printed, event, to);
		else if (arguments->reasons)
			put_reason(arguments, sample, printed->field, to);
	}
	if (arguments->lines)
		putc_unlocked('\n', to);
	else if (any)
		putc_unlocked(' ', to);
}
