/* SPDX-License-Identifier: BSD-3-Clause */
/* See page_format.h. */
#include "page_format.h"

#include <string.h>

#include "complain.h"
#include "destination.h"
#include "statistics/table.h"

static const struct {
	const char *name;
	void (*print)(struct output *output, const struct document *document);
} formats[] = {
	[PAGE_TEXT] = { "text", document_print_text },
	[PAGE_JSON] = { "json", document_print_json },
	[PAGE_CSV] = { "csv", document_print_csv },
};

int page_format_take(const char *command, const char *name, enum page_format *format)
{
	for (size_t n = 0; n < sizeof(formats) / sizeof(formats[0]); n++) {
		if (strcmp(name, formats[n].name) == 0) {
			*format = (enum page_format)n;
			return EXIT_OK;
		}
	}
	return complain_usage(command, "--format: expected text, json or csv, found '%s'", name);
}

int page_print_coloured(const char *command, struct document *document, const char *path,
			enum page_format format, const char *many, int colour)
{
	struct output output;
	int code = EXIT_OK;

	if (document->failed) {
		complain(command, "out of memory");
		code = EXIT_FAILED;
	} else if (destination_open_whole(&output, path, command)) {
		code = EXIT_FAILED;
	} else {
		if (colour >= 0)
			output.colour = colour;
		formats[format].print(&output, document);
		if (destination_close(&output, command))
			code = EXIT_FAILED;
	}
	if (document->is_cut && !code) {
		complain(command, "there are more than %u %s: JSON and CSV leave out the rest",
			 DOCUMENT_MEMBERS_MOST, many);
		code = EXIT_FAILED;
	}
	document_free(document);
	return code;
}

int page_print(const char *command, struct document *document, const char *path,
	       enum page_format format, const char *many)
{
	return page_print_coloured(command, document, path, format, many, -1);
}
