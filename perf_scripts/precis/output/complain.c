/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said on stderr. */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "complain.h"

#define LINE_BYTES 2048

static const char *space_of(const char *command)
{
	return command ? " " : "";
}

static const char *name_of(const char *command)
{
	return command ? command : "";
}

/* Messages quote paths and strings from files: no byte of them may reach the terminal's ear. */
static void print_line(const char *command, const char *format, va_list arguments)
{
	char line[LINE_BYTES];

	vsnprintf(line, sizeof(line), format, arguments);
	for (char *at = line; *at; at++) {
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = '?';
	}
	fprintf(stderr, "precis%s%s: %s\n", space_of(command), name_of(command), line);
}

void complain(const char *command, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_line(command, format, arguments);
	va_end(arguments);
}

int complain_usage(const char *command, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_line(command, format, arguments);
	va_end(arguments);
	fprintf(stderr, "Try 'precis%s%s --help'.\n", space_of(command), name_of(command));
	return EXIT_USAGE;
}

int complain_option(const char *command, int found, char **argv)
{
	const char *word = argv[optind - 1];

	if (found == ':') {
		if (strncmp(word, "--", 2))
			return complain_usage(command, "option '-%c' needs a value", optopt);
		return complain_usage(command, "option '%s' needs a value", word);
	}
	/* getopt_long(): optopt is a short option's letter, a long one's value, or 0 */
	if (strncmp(word, "--", 2) == 0) {
		if (optopt)
			return complain_usage(command, "option '%s' takes no value", word);
		return complain_usage(command, "unknown or ambiguous option '%s'", word);
	}
	return complain_usage(command, "unknown option '-%c'", optopt);
}

int complain_unless_one_file(int argc, char **argv, const char **path)
{
	if (optind < argc)
		*path = argv[optind++];
	if (optind < argc)
		return complain_usage(argv[0], "expected one file, found also '%s'", argv[optind]);
	return EXIT_OK;
}
