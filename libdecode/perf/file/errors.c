/* SPDX-License-Identifier: BSD-3-Clause */
/* What went wrong, in the words of whoever noticed. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "private.h"

#define WARNING_BYTES 256
#define WARNINGS_MOST 256u

int precis_file_fail(struct precis_file *file, int code, uint64_t offset, const char *format, ...)
{
	struct precis_file_error *error = &file->error;
	va_list arguments;
	int used = 0;

	error->code = code;
	error->sys_errno = 0;
	error->has_offset = offset != NO_OFFSET;
	error->offset = error->has_offset ? offset : 0;
	if (file->failing_data_file)
		used = snprintf(error->expected, sizeof(error->expected),
				"in data.%u: ", file->failing_data_file - 1);
	va_start(arguments, format);
	vsnprintf(error->expected + used, sizeof(error->expected) - (size_t)used, format,
		  arguments);
	va_end(arguments);
	return code;
}

int precis_file_fail_system(struct precis_file *file, int code)
{
	struct precis_file_error *error = &file->error;

	error->code = code;
	error->sys_errno = code == PRECIS_E_IO ? file->sys_errno : 0;
	error->has_offset = 0;
	error->offset = 0;
	error->expected[0] = '\0';
	return code;
}

int precis_file_warn(struct precis_file *file, const char *format, ...)
{
	char **warnings, *text;
	va_list arguments;

	if (file->warning_count == WARNINGS_MOST)
		return 0;
	warnings = realloc(file->warnings, (file->warning_count + 1) * sizeof(*warnings));
	if (!warnings)
		return PRECIS_E_NO_MEMORY;
	file->warnings = warnings;
	text = malloc(WARNING_BYTES);
	if (!text)
		return PRECIS_E_NO_MEMORY;
	va_start(arguments, format);
	vsnprintf(text, WARNING_BYTES, format, arguments);
	va_end(arguments);
	warnings[file->warning_count++] = text;
	return 0;
}
