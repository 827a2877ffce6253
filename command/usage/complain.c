/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said on stderr. */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <precis/escape.h>

#include "complain.h"
#include "nearest.h"

#define LINE_BYTES 2048
#define ESCAPED_MOST 4 /* bytes that come of one: \xNN; characters of several become less */

static const char *space_of(const char *command)
{
	return command ? " " : "";
}

static const char *name_of(const char *command)
{
	return command ? command : "";
}

/* Messages quote paths and strings from files: they are escaped as all that is printed. */
static void print_line(const char *command, const char *format, va_list arguments)
{
	char line[LINE_BYTES], shown[ESCAPED_MOST * LINE_BYTES];
	size_t used, length;

	vsnprintf(line, sizeof(line), format, arguments);
	length = precis_escape(line, strlen(line), 0, shown, sizeof(shown), &used);
	fprintf(stderr, "precis%s%s: %.*s\n", space_of(command), name_of(command), (int)length,
		shown);
}

static int is_silent;

void complain_no_more(int from_here_on)
{
	is_silent = from_here_on;
}

void complain(const char *command, const char *format, ...)
{
	va_list arguments;

	if (is_silent)
		return;
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

static int complain_unknown(const char *command, const char *word, const struct option *options)
{
	struct nearest nearest = nearest_to(word + 2, strcspn(word + 2, "="));
	char hint[NEAREST_ROOM], known[NEAREST_ROOM / 2];

	for (; options->name; options++)
		nearest_offer(&nearest, options->name);
	if (nearest.found) {
		snprintf(known, sizeof(known), "--%s", nearest.found);
		nearest.found = known;
	}
	return complain_usage(command, "unknown or ambiguous option '%s'%s", word,
			      nearest_hint(&nearest, hint));
}

int complain_option(const char *command, int found, char **argv, const struct option *options)
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
		return complain_unknown(command, word, options);
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
