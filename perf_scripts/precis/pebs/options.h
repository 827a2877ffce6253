/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said on the command line of a dump of PEBS records: they tell nothing of themselves. */
#ifndef PEBS_OPTIONS_H
#define PEBS_OPTIONS_H

#include <getopt.h>

#include <precis/precis.h>

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

/* What --cpu, --cpuid and --event mean for such a dump; results as above */
int pebs_take_cpu(struct pebs_options *options, const char *command, const char *value);
int pebs_take_cpuid(struct pebs_options *options, const char *command, const char *value);
int pebs_take_event(struct pebs_options *options, const char *command, const char *value);

/* When all are there: EXIT_OK or EXIT_USAGE. Warns of what contradicts itself. */
int pebs_options_check(const struct pebs_options *options, const char *command);

#endif
