/* SPDX-License-Identifier: BSD-3-Clause */
/* precis dump: its options and its help. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>

#include "arguments.h"
#include "command/usage/complain.h"
#include "command/usage/help.h"

static const char help[] =
	"Usage: precis dump [OPTION...] [FILE]\n"
	"The samples of a recording (default: perf.data; - is standard input), in the order of\n"
	"the file. A field that a sample does not have is left out, never printed as 0.\n"
	"\n"
	"What is printed:\n"
	"      --format FORMAT     text (default): name=value, times in seconds;\n"
	"                          csv: a header line, then a cell for each field;\n"
	"                          json: an object a line, addresses as \"0x...\" strings.\n"
	"                          In csv and json times are in nanoseconds\n"
	"  -F, --fields LIST       these fields and parts, separated by commas, by their names\n"
	"                          or the manuals' (see `precis fields`); 'all' fields; all\n"
	"                          'parts'; 'default' (in text also the trace of tracepoints)\n"
	"      --reasons           say why a field is absent: text NAME=REASON(detail), csv\n"
	"                          the reason in the cell, json an object \"reasons\"\n"
	"      --registers         the registers literally, with every bit field that the CPU\n"
	"                          defines; -F then selects what precedes them\n"
	"      --perf-names        with --registers: fields named and composed as\n"
	"                          `perf report -D` prints them\n"
	"      --sorted            in the order of time, not of the file; parts that are made\n"
	"                          from other records (symbol, cgroup_path, ...) imply it\n"
	"      --records[=TYPES]   every record, or those of TYPES (COMM,MMAP2,SAMPLE,...): where\n"
	"                          it stands, who wrote it and when, all its members; text or\n"
	"                          json. Samples with their fields as -F says\n"
	"  -n, --max N             stop after N samples (with --records: lines)\n"
	"  -o, --output FILE       write there instead of standard output\n"
	"  -h, --help              this help\n"
	"\n" SELECTION_HELP "\n" SYMBOL_HELP "\n" RECORDING_HELP
	"\n"
	"Intel PEBS records that no perf has seen, from a driver or a simulator:\n" PEBS_HELP
	"\n"
	"Examples:\n"
	"  precis dump perf.data | head\n"
	"  precis dump --format csv -F all -o samples.csv perf.data\n"
	"  precis dump -F time,ip,addr,dcache_miss_latency \\\n"
	"      --filter 'dcache_miss_latency > 500 && mem_level == DRAM'\n"
	"  precis dump --registers -n 1 --time 3.85,\n"
	"  precis dump --reasons -F mem_level,tlb_refill_latency --cpu 0-3\n"
	"  precis dump -F time,comm,dso,symbol,srcline,callchain_symbols\n"
	"  precis dump --records=COMM,FORK,MMAP2 --sorted\n"
	"  perf record -o - ... | precis dump -\n"
	"  precis dump --pebs-format 4 --cpu 6,143,8 --event load-latency buffer.ds\n"
	"\n"
	"Exit codes: 0 all was read; 1 something in the file could not be (what could is\n"
	"printed, a line on standard error says where); 2 wrong usage.\n";

enum {
	OPTION_FORMAT = 0x3000,
	OPTION_REASONS,
	OPTION_REGISTERS,
	OPTION_PERF_NAMES,
	OPTION_RECORDS
};

static const char short_options[] = ":hF:n:o:e:";
static const struct option long_options[] = {
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "fields", required_argument, NULL, 'F' },
	{ "reasons", no_argument, NULL, OPTION_REASONS },
	{ "registers", no_argument, NULL, OPTION_REGISTERS },
	{ "perf-names", no_argument, NULL, OPTION_PERF_NAMES },
	{ "records", optional_argument, NULL, OPTION_RECORDS },
	{ "max", required_argument, NULL, 'n' },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	PEBS_LONG_OPTIONS,
	SELECTION_LONG_OPTIONS,
	SYMBOL_LONG_OPTIONS,
	RECORDING_LONG_OPTIONS,
	SORTED_LONG_OPTION,
	{ NULL, 0, NULL, 0 },
};

static int take_max(struct arguments *arguments, const char *value)
{
	char *end;

	errno = 0;
	arguments->max = strtoull(value, &end, 10);
	if (errno || *end || *value < '0' || *value > '9')
		return complain_usage(arguments->command, "--max: expected a number, found '%s'",
				      value);
	return EXIT_OK;
}

static int take_other(struct arguments *arguments, int found, const char *value, char **argv)
{
	int code;

	if (found == '?' || found == ':')
		return complain_option(arguments->command, found, argv, long_options);
	code = pebs_option(&arguments->pebs, arguments->command, found, value);
	if (code >= 0)
		return code;
	if (arguments->is_pebs)
		return pebs_take_other(&arguments->pebs, &arguments->selection, arguments->command,
				       found, value, long_options);
	return sample_option(&arguments->symbols, &arguments->selection, &arguments->recording,
			     arguments->command, found, value);
}

static int take_option(struct arguments *arguments, int found, const char *value, char **argv)
{
	switch (found) {
	case OPTION_FORMAT:
		arguments->format = value;
		return EXIT_OK;
	case 'F':
		arguments->fields = value;
		return EXIT_OK;
	case OPTION_REASONS:
		arguments->reasons = 1;
		return EXIT_OK;
	case OPTION_REGISTERS:
		arguments->registers = 1;
		return EXIT_OK;
	case OPTION_PERF_NAMES:
		arguments->perf_names = 1;
		return EXIT_OK;
	case OPTION_RECORDS:
		arguments->records = 1;
		arguments->types = value;
		return EXIT_OK;
	case 'n':
		return take_max(arguments, value);
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

static int check_pebs_arguments(const struct arguments *arguments)
{
	if (arguments->is_pebs && (arguments->records || arguments->perf_names))
		return complain_usage(arguments->command,
				      "--%s and --pebs-format exclude each other",
				      arguments->records ? "records" : "perf-names");
	return pebs_options_check(&arguments->pebs, arguments->command);
}

int arguments_parse(struct arguments *arguments, int argc, char **argv)
{
	int found, code = EXIT_OK;

	arguments->command = argv[0];
	arguments->path = "perf.data";
	arguments->format = "text";
	arguments->max = UINT64_MAX;
	opterr = 0;
	pebs_options_init(&arguments->pebs);
	arguments->is_pebs = pebs_format_is_given(argc, argv, short_options, long_options);
	while (code == EXIT_OK && !arguments->is_help &&
	       (found = getopt_long(argc, argv, short_options, long_options, NULL)) != -1)
		code = take_option(arguments, found, optarg, argv);
	if (code || arguments->is_help)
		return code;
	code = complain_unless_one_file(argc, argv, &arguments->path);
	if (code)
		return code;
	if (arguments->perf_names && !arguments->registers)
		return complain_usage(argv[0], "--perf-names needs --registers");
	if (arguments->records && arguments->registers)
		return complain_usage(argv[0], "--records and --registers exclude each other");
	return check_pebs_arguments(arguments);
}
