/* SPDX-License-Identifier: BSD-3-Clause */
/* precis dump: what its command line says. */
#ifndef DUMP_ARGUMENTS_H
#define DUMP_ARGUMENTS_H

#include "command/pebs/options.h"
#include "command/recording/recording.h"
#include "command/recording/selection.h"
#include "command/symbols/options.h"

/* Zeroed memory is what arguments_parse() wants. */
struct arguments {
	const char *command;
	const char *path;
	const char *output;
	const char *format;
	const char *fields;
	const char *types; /* of --records; NULL: all */
	int reasons, registers, perf_names, records, is_help;
	uint64_t max;
	struct selection selection;
	struct symbol_options symbols;
	struct recording_options recording;
	struct pebs_options pebs;
	int is_pebs; /* --pebs-format is somewhere among the options: some mean something else */
};

/* EXIT_OK (also for --help, which it prints), or an exit code after the error has been printed. */
int arguments_parse(struct arguments *arguments, int argc, char **argv);

#endif
