/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said on the command line of a dump of PEBS records: they tell nothing of themselves. */
#ifndef PEBS_OPTIONS_H
#define PEBS_OPTIONS_H

#include <getopt.h>

#include <precis/precis.h>

#include "command/recording/selection.h"

/* Their rows in a subcommand's table of long options, and their part of its help. */
enum { OPTION_PEBS_FORMAT = 0x5000, OPTION_CORE_TYPE, OPTION_DS_AREA, OPTION_DS_BASE };
#define PEBS_LONG_OPTIONS                                                                          \
	{ "pebs-format", required_argument, NULL, OPTION_PEBS_FORMAT },                            \
	{ "core-type", required_argument, NULL, OPTION_CORE_TYPE },                                \
	{ "ds-area", required_argument, NULL, OPTION_DS_AREA },                                    \
	{ "ds-base", required_argument, NULL, OPTION_DS_BASE }
#define PEBS_HELP                                                                                  \
	"FILE is a dump of a PEBS buffer, record after record from its first byte:\n"              \
	"      --pebs-format FORMAT  of its records: 0 to 6 (bits 11:8 of the CPU's\n"             \
	"                          IA32_PERF_CAPABILITIES), arch, netburst32, netburst64\n"        \
	"      --cpu F,M,S         then the Intel CPU that wrote it: family, model, stepping;\n"   \
	"                          or --cpuid GenuineIntel,F,M,S\n"                                \
	"      --core-type TYPE    which of a hybrid CPU's cores: p, e, lp-e\n"                    \
	"      --event EVENT       then the event that the records are of: load-latency,\n"        \
	"                          store-latency, precise-store; load, store, load-or-store\n"     \
	"                          (an event that records addresses); other; or its unit mask\n"   \
	"                          and event select: 0x1cd\n"                                      \
	"      --ds-area FILE2     a dump of the DS management area, which says how far the\n"     \
	"                          buffer is filled\n"                                             \
	"      --ds-base ADDRESS   linear address of FILE's first byte, if that is not the\n"      \
	"                          buffer's base\n"

struct pebs_options {
	uint32_t format; /* enum precis_pebs_format */
	int has_format;
	struct precis_pebs_machine machine;
	const char *area; /* NULL: the whole file is records */
	uint64_t base;
	int has_base;
};

/* Begin: nothing is known. */
void pebs_options_init(struct pebs_options *options);

/*
 * Take one of the options above as getopt_long() found it.
 * EXIT_OK; EXIT_USAGE after the error has been printed; -1 if it is none of them.
 */
int pebs_option(struct pebs_options *options, const char *command, int option, const char *value);

/*
 * The same for what other options mean of such a dump: --cpu, --cpuid, --event, --filter and
 * --perf-capabilities. Any other is refused: its records have no task, no time, no mappings.
 * @param long_options  the subcommand's, for the option's name
 */
int pebs_take_other(struct pebs_options *options, struct selection *selection, const char *command,
		    int option, const char *value, const struct option *long_options);

/*
 * Is --pebs-format given? What other options mean depends on it, wherever it stands.
 * getopt_long() can begin after it.
 */
int pebs_format_is_given(int argc, char **argv, const char *short_options,
			 const struct option *long_options);

/*
 * When all are there: EXIT_OK or EXIT_USAGE. Warns of what contradicts itself. Without a format
 * none of the others may be there.
 */
int pebs_options_check(const struct pebs_options *options, const char *command);

/* The event as it was given, and what it is: "0x1cd (load-latency)"; "not told" */
#define PEBS_EVENT_TEXT 64
void pebs_event_text(const struct pebs_options *options, char text[PEBS_EVENT_TEXT]);

#endif
