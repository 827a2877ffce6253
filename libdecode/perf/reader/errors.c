/* SPDX-License-Identifier: BSD-3-Clause */
/* What went wrong, in the words of whoever noticed. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "errors.h"

#define WARNING_BYTES 256
#define WARNINGS_MOST 256u

int file_fail(struct file_errors *errors, int code, uint64_t offset, const char *format, ...)
{
	struct precis_file_error *error = &errors->last;
	va_list arguments;
	int used = 0;

	error->code = code;
	error->sys_errno = 0;
	error->has_offset = offset != NO_OFFSET;
	error->offset = error->has_offset ? offset : 0;
	if (errors->data_file)
		used = snprintf(error->expected, sizeof(error->expected),
				"in data.%u: ", errors->data_file - 1);
	va_start(arguments, format);
	vsnprintf(error->expected + used, sizeof(error->expected) - (size_t)used, format,
		  arguments);
	va_end(arguments);
	return code;
}

int file_fail_system(struct file_errors *errors, int code)
{
	struct precis_file_error *error = &errors->last;

	error->code = code;
	error->sys_errno = code == PRECIS_E_IO ? errors->sys_errno : 0;
	error->has_offset = 0;
	error->offset = 0;
	error->expected[0] = '\0';
	return code;
}

int file_warn(struct file_errors *errors, const char *format, ...)
{
	char **warnings, *text;
	va_list arguments;

	if (errors->warning_count == WARNINGS_MOST)
		return 0;
	warnings = realloc(errors->warnings, (errors->warning_count + 1) * sizeof(*warnings));
	if (!warnings)
		return PRECIS_E_NO_MEMORY;
	errors->warnings = warnings;
	text = malloc(WARNING_BYTES);
	if (!text)
		return PRECIS_E_NO_MEMORY;
	va_start(arguments, format);
	vsnprintf(text, WARNING_BYTES, format, arguments);
	va_end(arguments);
	warnings[errors->warning_count++] = text;
	return 0;
}

void file_errors_free(struct file_errors *errors)
{
	for (uint32_t n = 0; n < errors->warning_count; n++)
		free(errors->warnings[n]);
	free(errors->warnings);
}
