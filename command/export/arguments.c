/* SPDX-License-Identifier: BSD-3-Clause */
/* precis export: its options and its help. */
#include <getopt.h>

#include "arguments.h"
#include "command/usage/complain.h"
#include "command/usage/help.h"

static const char help[] =
	"Usage: precis export --format FORMAT [OPTION...] [FILE]\n"
	"The samples of a recording (default: perf.data; - is standard input) in a format that\n"
	"other programs open.\n"
	"\n"
	"Formats:\n"
	"      --format FORMAT     folded: a line for each call stack with its weight, for flame\n"
	"                          graphs (flamegraph.pl, speedscope);\n"
	"                          firefox: a profile for profiler.firefox.com;\n"
	"                          chrome: trace events for ui.perfetto.dev, chrome://tracing;\n"
	"                          arrow: a file of Apache Arrow's (Feather), as DuckDB, Polars,\n"
	"                          pandas read it; arrow-stream: the same for pipes;\n"
	"                          sqlite: a database with samples, fields and events (with -o)\n"
	"  -o, --output FILE       write there instead of standard output\n"
	"      --force             sqlite: replace FILE if it is there\n"
	"      --weight WEIGHT     folded, firefox: what a stack weighs: events (default), those\n"
	"                          that its samples stand for; samples, their number; or a FIELD,\n"
	"                          such as dcache_miss_latency, times the events\n"
	"  -F, --fields LIST       arrow, sqlite: these fields and parts as of precis dump, which\n"
	"                          are numbers or text (default: all fields); chrome: any of\n"
	"                          these (default: those of precis dump)\n"
	"      --reasons           arrow, sqlite: why a field is absent, in a column FIELD_reason;\n"
	"                          chrome: in an argument\n"
	"      --sorted            arrow, sqlite: in the order of time, not of the file. Call\n"
	"                          stacks and names from other records imply it\n"
	"  -h, --help              this help\n"
	"\n" SELECTION_HELP "\n" SYMBOL_HELP "\n" RECORDING_HELP "\n"
	"Examples:\n"
	"  precis export --format folded perf.data | flamegraph.pl > flames.svg\n"
	"  precis export --format folded --weight dcache_miss_latency -o cycles.folded\n"
	"  precis export --format firefox -o profile.json perf.data\n"
	"  precis export --format arrow -F all,comm,symbol -o samples.arrow perf.data\n"
	"  precis export --format sqlite -o samples.db perf.data\n"
	"  perf record -o - ... | precis export --format arrow-stream - | ./consumer\n"
	"\n"
	"Exit codes: 0 all was exported; 1 something could not be read or written (what could is\n"
	"in the output, which is whole up to there); 2 wrong usage.\n";

enum { OPTION_FORMAT = 0x3000, OPTION_WEIGHT, OPTION_REASONS, OPTION_FORCE };

static const char short_options[] = ":hF:o:e:";
static const struct option long_options[] = {
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "weight", required_argument, NULL, OPTION_WEIGHT },
	{ "fields", required_argument, NULL, 'F' },
	{ "reasons", no_argument, NULL, OPTION_REASONS },
	{ "force", no_argument, NULL, OPTION_FORCE },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	SELECTION_LONG_OPTIONS,
	SYMBOL_LONG_OPTIONS,
	RECORDING_LONG_OPTIONS,
	SORTED_LONG_OPTION,
	{ NULL, 0, NULL, 0 },
};

static int take_other(struct export_arguments *arguments, int found, const char *value, char **argv)
{
	if (found == '?' || found == ':')
		return complain_option(arguments->command, found, argv, long_options);
	return sample_option(&arguments->symbols, &arguments->selection, &arguments->recording,
			     arguments->command, found, value);
}

static int take_option(struct export_arguments *arguments, int found, const char *value,
		       char **argv)
{
	switch (found) {
	case OPTION_FORMAT:
		arguments->format = value;
		return EXIT_OK;
	case OPTION_WEIGHT:
		arguments->weight = value;
		return EXIT_OK;
	case OPTION_REASONS:
		arguments->reasons = 1;
		return EXIT_OK;
	case OPTION_FORCE:
		arguments->force = 1;
		return EXIT_OK;
	case 'F':
		arguments->fields = value;
		return EXIT_OK;
	case 'o':
		arguments->output = value;
		return EXIT_OK;
	case 'h':
		arguments->is_help = 1;
		return print_help(arguments->command, help);
	default:
		return take_other(arguments, found, value, argv);
	}
}

int export_arguments_parse(struct export_arguments *arguments, int argc, char **argv)
{
	int found, code = EXIT_OK;

	arguments->command = argv[0];
	arguments->path = "perf.data";
	opterr = 0;
	while (code == EXIT_OK && !arguments->is_help &&
	       (found = getopt_long(argc, argv, short_options, long_options, NULL)) != -1)
		code = take_option(arguments, found, optarg, argv);
	if (code || arguments->is_help)
		return code;
	return complain_unless_one_file(argc, argv, &arguments->path);
}
