/* SPDX-License-Identifier: BSD-3-Clause */
/* Where symbols come from: --symfs, --debug-dir, --buildid-dir, --kallsyms and their like. */
#ifndef SYMBOLS_OPTIONS_H
#define SYMBOLS_OPTIONS_H

#include <getopt.h>

#include <precis/precis.h>

#include "command/recording/recording.h"
#include "command/recording/selection.h"
#include "fetch.h"

/* Their rows in a subcommand's table of long options, and their part of its help. */
enum {
	OPTION_SYMFS = 0x4000,
	OPTION_DEBUG_DIR,
	OPTION_BUILDID_DIR,
	OPTION_KALLSYMS,
	OPTION_ANY_BUILD_ID,
	OPTION_NO_DEMANGLE,
	OPTION_NO_SYMBOLS
};
#define SYMBOL_LONG_OPTIONS                                                                        \
	{ "symfs", required_argument, NULL, OPTION_SYMFS },                                        \
		{ "debug-dir", required_argument, NULL, OPTION_DEBUG_DIR },                        \
		{ "buildid-dir", required_argument, NULL, OPTION_BUILDID_DIR },                    \
		{ "kallsyms", required_argument, NULL, OPTION_KALLSYMS },                          \
		{ "any-build-id", no_argument, NULL, OPTION_ANY_BUILD_ID },                        \
		{ "no-demangle", no_argument, NULL, OPTION_NO_DEMANGLE },                          \
	{                                                                                          \
		"no-symbols", no_argument, NULL, OPTION_NO_SYMBOLS                                 \
	}
#define SYMBOL_HELP                                                                                \
	"Symbols:\n"                                                                               \
	"      --symfs DIR         look for binaries under DIR instead of /\n"                     \
	"      --debug-dir DIR     separate debug files are there, not in /usr/lib/debug;\n"       \
	"                          can be given more than once\n"                                  \
	"      --buildid-dir DIR   copies of `perf buildid-cache` are there, not in ~/.debug;\n"   \
	"                          can be given more than once\n"                                  \
	"      --kallsyms FILE     the recorded kernel's symbols\n"                                \
	"      --any-build-id      symbols also of binaries that are not the recorded ones\n"      \
	"      --no-demangle       C++ and Rust names as the linker has them\n"                    \
	"      --no-symbols        addresses alone: do not read binaries\n"

/* Zeroed memory is the default. */
struct symbol_options {
	struct precis_symbols_options options;
	const char **debug_directories, **build_id_caches; /* end with NULL; NULL: not given */
	int is_off; /* --no-symbols */
	int no_demangle;
	struct fetching fetching; /* of a subcommand that fetches */
};

/*
 * Take one of these options as getopt_long() found it.
 * EXIT_OK; an exit code after the error has been printed; -1 if it is none of them.
 */
int symbol_option(struct symbol_options *symbols, const char *command, int option,
		  const char *value);

/* The same of these, of those that select samples, and of those of a recording */
int sample_option(struct symbol_options *symbols, struct selection *selection,
		  struct recording_options *recording, const char *command, int option,
		  const char *value);

/* What precis_symbols_new() is to be called with for a recording; NULL: no symbols are wanted. */
const struct precis_symbols_options *symbol_options_finish(struct symbol_options *symbols,
							   const struct precis_file *file);

void symbol_options_free(struct symbol_options *symbols);

#endif
