/* SPDX-License-Identifier: BSD-3-Clause */
/* precis mix: what it is asked for. */
#ifndef MIX_ARGUMENTS_H
#define MIX_ARGUMENTS_H

#include "analysis/mix/pivot.h"
#include "command/recording/selection.h"
#include "command/symbols/options.h"
#include "command/usage/page_format.h"
#include "command/usage/words.h"

enum mix_format {
	MIX_FORMAT_TEXT,
	MIX_FORMAT_JSON,
	MIX_FORMAT_CSV,
	/* Behind these: no page, but what other programs read */
	MIX_FORMAT_SDE,
	MIX_FORMAT_AUTOFDO,
	MIX_FORMAT_BOLT
};

struct mix_arguments {
	const char *command;
	const char *const *paths; /* 'path_count' of them */
	int path_count;
	const char *output;
	enum mix_format format;
	unsigned int colour; /* of colours[] in arguments.c: auto, always, never */
	struct mix_pivot_of by; /* 'count' 0: not asked for */
	struct code_groups groups;
	enum mix_method method;
	int is_compared, is_help;
	int has_intervals; /* text has all of them */
	int has_method, has_cutoff, has_syntax; /* it was said which */
	uint32_t top;    /* rows; 0: all */
	uint32_t blocks; /* that are listed */
	uint32_t cutoff; /* of the rule, in instructions */
	uint32_t jobs;   /* threads; 0: as many as CPUs */
	uint32_t places; /* of code that are looked at; 0: all */
	unsigned int syntax; /* enum precis_code_syntax */
	struct recording_options recording;
	struct selection selection;
	struct symbol_options symbols;
	struct words chosen; /* options that chose the samples, and where symbols come from */
};

/* EXIT_OK, or an exit code after it has been said why. To be freed in any case */
int mix_arguments_take(struct mix_arguments *arguments, int argc, char **argv);
void mix_arguments_free(struct mix_arguments *arguments);

/*
 * Dimensions out of an option's words; "help" lists them, and is_help is set. EXIT_OK, or an exit code after
 * it has been said why
 */
int mix_take_by(struct mix_arguments *arguments, const char *option, const char *value);

/* Are executions told apart by that? */
int mix_is_by(const struct mix_arguments *arguments, enum mix_dimension dimension);

/* "ebs", "lbr", "rule", "joint" */
const char *mix_method_name(enum mix_method method);

#endif
