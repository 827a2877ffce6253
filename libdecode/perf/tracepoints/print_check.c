/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks stand in print_*.c, with the place in libtraceevent 1.7 (src/event-parse.c)
 * that each is for where that is not plain from what is checked.
 */
#include "print_check.h"

#include <string.h>

#include "print_checker.h"

#define TEXT_MOST 32768u /* the kernel's longest has 4840 */

const char *precis_print_format_check(const struct precis_tracepoint *tracepoint,
				      const struct tracing_text *print, struct print_format *format)
{
	struct checker checker = {
		.at = print->text,
		.end = print->text + print->bytes,
		.tracepoint = tracepoint,
		.format = format,
	};

	memset(format, 0, sizeof(*format));
	if (!print->bytes)
		return "there is none";
	if (print->bytes > TEXT_MOST)
		return "it is very long";
	print_next(&checker);
	if (checker.token.kind != TOKEN_STRING)
		return "its syntax is not understood";
	if (!print_check_conversions(&checker))
		return checker.refused;
	while (is(&checker, ",") && !checker.refused) {
		print_next(&checker);
		if (!print_check_argument(&checker))
			return checker.refused;
		checker.argument++;
	}
	if (!checker.refused && checker.token.kind != TOKEN_END)
		return "its syntax is not understood";
	if (!checker.refused && checker.argument < format->conversions)
		return "it has fewer arguments than conversions";
	return checker.refused;
}
