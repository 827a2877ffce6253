/* SPDX-License-Identifier: BSD-3-Clause */
/* See asked.h. */
#include "asked.h"

#include <string.h>

#include "analysis/model/absences.h"

/* The whole name, or all before its arguments */
static int is_name(const char *name, const char *asked, size_t length)
{
	return strncmp(name, asked, length) == 0 && (!name[length] || name[length] == '(');
}

/* By its path or its name in whatever directory; 'file' NULL: it may be */
static int is_file(const char *file, const char *asked)
{
	return !file || strcmp(file, asked) == 0 || strcmp(model_file_of(file), asked) == 0;
}

int asked_is_function(const struct by_annotated *asked, const char *name, const char *file)
{
	const char *at;

	if (asked->dso && !is_file(file, asked->dso))
		return 0;
	if (!asked->symbol || is_name(name, asked->symbol, strlen(asked->symbol)))
		return 1;
	at = strrchr(asked->symbol, '@');
	return at && is_name(name, asked->symbol, (size_t)(at - asked->symbol)) &&
	       is_file(file, at + 1);
}

const char *asked_bare_type(const char *name)
{
	static const char *const kinds[] = { "struct ", "union ", "class ", "enum " };

	for (size_t n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++) {
		if (strncmp(name, kinds[n], strlen(kinds[n])) == 0)
			return name + strlen(kinds[n]);
	}
	return name;
}

int asked_is_type(const struct by_annotated *asked, const char *name)
{
	return strcmp(name, asked->type) == 0 || strcmp(asked_bare_type(name), asked->type) == 0;
}

int asked_is_in_file(const struct by_annotated *asked, const char *file)
{
	return !asked->dso || is_file(file, asked->dso);
}

int asked_is_line(const struct by_annotated *asked, const char *file, uint32_t number)
{
	const size_t length = strlen(file), wanted = strlen(asked->file);
	const char *end;

	if (number != asked->line || wanted > length)
		return 0;
	end = file + length - wanted;
	return strcmp(end, asked->file) == 0 &&
	       (end == file || end[-1] == '/' || asked->file[0] == '/');
}
