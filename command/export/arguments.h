/* SPDX-License-Identifier: BSD-3-Clause */
/* precis export: what its command line says. */
#ifndef EXPORT_ARGUMENTS_H
#define EXPORT_ARGUMENTS_H

#include "command/recording/recording.h"
#include "command/recording/selection.h"
#include "command/symbols/options.h"

/* Zeroed memory is what export_arguments_parse() wants. */
struct export_arguments {
	const char *command;
	const char *path;
	const char *output;
	const char *format; /* NULL: not given, and neither are the next two */
	const char *fields;
	const char *weight;
	int reasons, force, is_help;
	struct selection selection;
	struct symbol_options symbols;
	struct recording_options recording;
};

/* EXIT_OK (also for --help, which it prints), or an exit code after the error has been printed. */
int export_arguments_parse(struct export_arguments *arguments, int argc, char **argv);

#endif
