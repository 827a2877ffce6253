/* SPDX-License-Identifier: BSD-3-Clause */
/* precis report: what is said on its command line. */
#ifndef REPORT_ARGUMENTS_H
#define REPORT_ARGUMENTS_H

#include "analysis/by/request.h"
#include "analysis/mix/pivot.h"
#include "analysis/sharing/request.h"
#include "asked.h"
#include "choice.h"
#include "command/pebs/options.h"
#include "command/recording/recording.h"
#include "command/recording/selection.h"
#include "command/source/source.h"
#include "command/symbols/options.h"
#include "command/usage/words.h"

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_CSV };
enum report_colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct analysis_run;
struct report_arguments;

/* Of precis sharing alone. Zeroed memory: another command */
struct sharing_arguments {
	int is_asked;
	struct sharing_request request;
	const char *svg; /* where the matrix is to be drawn; NULL: nowhere */
	/* Draws it. An exit code, after the error has been printed */
	int (*draw)(const struct report_arguments *arguments, const struct analysis_run *run);
};

/* Of precis diff alone: what was executed, in place of samples. Zeroed memory: another command */
struct mixes_arguments {
	struct mix_pivot_of by; /* 'count' 0: not asked for */
	/* Of the recordings that are named. An exit code, after the error has been printed */
	int (*compare)(struct report_arguments *arguments);
};

struct report_arguments {
	const char *command;
	const char *const *paths;
	size_t path_count;
	const char *output;
	const char *save; /* where what was counted goes, instead of a report; NULL: there is a report */
	struct asked asked; /* options that what is counted depends on */
	uint32_t unit; /* of which samples of ibs_op are selected, from 1 (units.h); 0: any */
	struct symbol_options symbols;
	unsigned int format, order, colour; /* enum report_format, top_order, report_colour */
	const char *help; /* what --help prints */
	struct sources sources;
	const char *sort; /* as it was given; NULL: it was not */
	struct by_request by; /* without keys: everything is reported */
	struct sharing_arguments sharing;
	struct mixes_arguments mixes;
	int is_help;
	uint32_t jobs; /* threads */
	struct choice choice; /* of what is printed */
	uint32_t top; /* rows of tables that list the most frequent */
	int is_top_given;
	struct words chosen; /* options that chose the samples, but for a filter, and how they are read */
	int is_selected; /* some samples are left out */
	struct selection selection;
	struct recording_options recording;
	int is_pebs; /* the file is a dump of a PEBS buffer */
	struct pebs_options pebs;
};

extern const char report_help[];

/* EXIT_OK, also after help was printed, or an exit code after the error was. */
int report_arguments_parse(struct report_arguments *arguments, int argc, char **argv);

#endif
