/* SPDX-License-Identifier: BSD-3-Clause */
/* The subcommands of precis(1). */
#ifndef OUTPUT_COMPLAIN_H
#define OUTPUT_COMPLAIN_H

/* Exit codes: everything was done; the input or the system failed; the call was wrong. */
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* A command could not be executed, or was not there: as env(1) and the shell have it */
enum { EXIT_NOT_EXECUTED = 126, EXIT_NOT_FOUND = 127 };

/* "precis dump: MESSAGE" on stderr, in one line. A NULL command: "precis: MESSAGE". */
void complain(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* From here on nothing is said by it: what is read once more was told when it was read first. */
void complain_no_more(int from_here_on);

/* The same, followed by how to get help. Returns EXIT_USAGE. */
int complain_usage(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * What getopt_long() refused: 'found' is its result, '?' or ':' (the option
 * string begins with ':'), of these long options. To be called before the next getopt_long().
 * Returns EXIT_USAGE.
 */
struct option;
int complain_option(const char *command, int found, char **argv, const struct option *options);

/*
 * What getopt_long() left: at most one word, the file. 'path' stays what it is
 * without one. Returns EXIT_OK or EXIT_USAGE.
 */
int complain_unless_one_file(int argc, char **argv, const char **path);

#endif
