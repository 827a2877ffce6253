/* SPDX-License-Identifier: BSD-3-Clause */
/* precis info: what a recording is, or what this machine can sample. */
#include <getopt.h>
#include <string.h>

#include "command.h"
#include "compare.h"
#include "events.h"
#include "info.h"
#include "machine.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "command/usage/help.h"
#include "command/usage/page_format.h"
#include "command/recording/traces.h"

static const char help[] =
	"Usage: precis info [OPTION...] [FILE]\n"
	"       precis info --compare [--format FORMAT]\n"
	"       precis info --events [--pmu PMU] [--format FORMAT]\n"
	"With FILE: what the recording is: machine, events, counts, what was lost, what of\n"
	"each event can be decoded and what not, and why. Without FILE: what this machine\n"
	"can sample precisely and, if it cannot, why and what to do; that it cannot is an\n"
	"answer, not a failure. With --compare: what samples of each generation of AMD's and\n"
	"Intel's CPUs have of a memory access, stage by stage. With --events: which events of\n"
	"this machine can be precise, and at which level, and the levels of all cores.\n"
	"\n"
	"      --compare           generations of CPUs instead of a recording or this machine\n"
	"      --events            precise events, from sysfs and libpfm4, and levels of cores\n"
	"      --pmu PMU           with --events: those of a PMU of libpfm4, as skl, whatever\n"
	"                          this machine is\n"
	"      --format FORMAT     text (default), json or csv\n"
	"  -o, --output FILE       write there instead of standard output\n"
	"  -h, --help              this help\n"
	"\n" RECORDING_HELP
	"\n"
	"Examples:\n"
	"  precis info\n"
	"  precis info perf.data\n"
	"  precis info --compare --format csv | grep 'Zen 4'\n"
	"  precis info --events --pmu icl\n"
	"  precis info --format json perf.data | jq '.events[] | {name, samples}'\n"
	"  precis info --format csv perf.data | grep ^caches\n"
	"\n"
	"Exit codes: 0 all was read; 1 something in the file could not be (what could is\n"
	"printed, a line on standard error says where); 2 wrong usage.\n";

/* Not in the help: for tests, a directory that stands for the machine, with proc/ and sys/. */
enum { OPTION_FORMAT = 0x3000, OPTION_COMPARE, OPTION_EVENTS, OPTION_PMU, OPTION_SYSROOT };

static const struct option long_options[] = {
	{ "compare", no_argument, NULL, OPTION_COMPARE },
	{ "events", no_argument, NULL, OPTION_EVENTS },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ "pmu", required_argument, NULL, OPTION_PMU },
	{ "sysroot", required_argument, NULL, OPTION_SYSROOT },
	RECORDING_LONG_OPTIONS,
	{ NULL, 0, NULL, 0 },
};

static void (*const print_comparison[])(struct output *output, const struct matrix *matrix) = {
	[PAGE_TEXT] = matrix_print_text,
	[PAGE_JSON] = matrix_print_json,
	[PAGE_CSV] = matrix_print_csv,
};

struct arguments {
	const char *command;
	const char *path; /* NULL: this machine */
	const char *output;
	const char *sysroot;
	enum page_format format;
	const char *pmu; /* NULL: this machine's */
	int is_help, is_compare, is_events;
	struct recording_options recording;
};

static int take_option(struct arguments *arguments, int found, const char *value, char **argv)
{
	switch (found) {
	case OPTION_FORMAT:
		return page_format_take(arguments->command, value, &arguments->format);
	case OPTION_COMPARE:
		arguments->is_compare = 1;
		return EXIT_OK;
	case OPTION_EVENTS:
		arguments->is_events = 1;
		return EXIT_OK;
	case OPTION_PMU:
		arguments->pmu = value;
		return EXIT_OK;
	case OPTION_SYSROOT:
		arguments->sysroot = value;
		return EXIT_OK;
	case 'o':
		arguments->output = value;
		return EXIT_OK;
	case 'h':
		arguments->is_help = 1;
		return print_help(arguments->command, help);
	case '?':
	case ':':
		return complain_option(arguments->command, found, argv, long_options);
	default:
		return recording_option(&arguments->recording, arguments->command, found, value);
	}
}

/* What is asked for is one thing. */
static int check_modes(const struct arguments *arguments)
{
	if (arguments->is_compare && arguments->path)
		return complain_usage(arguments->command, "--compare: takes no file");
	if (arguments->is_events && arguments->path)
		return complain_usage(arguments->command, "--events: takes no file");
	if (arguments->is_events && arguments->is_compare)
		return complain_usage(arguments->command, "--events and --compare: one of them");
	if (arguments->pmu && !arguments->is_events)
		return complain_usage(arguments->command, "--pmu: only with --events");
	return EXIT_OK;
}

static int parse_arguments(struct arguments *arguments, int argc, char **argv)
{
	int found, code = EXIT_OK;

	arguments->command = argv[0];
	arguments->sysroot = "";
	opterr = 0;
	while (code == EXIT_OK && !arguments->is_help &&
	       (found = getopt_long(argc, argv, ":ho:", long_options, NULL)) != -1)
		code = take_option(arguments, found, optarg, argv);
	if (code || arguments->is_help)
		return code;
	code = complain_unless_one_file(argc, argv, &arguments->path);
	return code ? code : check_modes(arguments);
}

static int show_comparison(const struct arguments *arguments)
{
	struct matrix matrix;
	struct output output;

	if (destination_open(&output, arguments->output, arguments->command))
		return EXIT_FAILED;
	compare_gather(&matrix);
	print_comparison[arguments->format](&output, &matrix);
	return destination_close(&output, arguments->command) ? EXIT_FAILED : EXIT_OK;
}

static int print(const struct arguments *arguments, struct document *document)
{
	return page_print(arguments->command, document, arguments->output, arguments->format,
			  "CPUs, caches, names and the like");
}

static int show_machine(const struct arguments *arguments)
{
	struct document document = { 0 };
	struct machine machine;

	machine_read(&machine, arguments->sysroot);
	machine_describe(&machine, &document);
	return print(arguments, &document);
}

static int show_events(const struct arguments *arguments)
{
	struct document document = { 0 };
	struct machine machine;
	const char *why;

	machine_read(&machine, arguments->sysroot);
	if (events_describe(&machine, arguments->pmu, &document, &why))
		return print(arguments, &document);
	document_free(&document);
	complain(arguments->command, "--pmu %s: %s", arguments->pmu, why);
	return EXIT_FAILED;
}

static int show_opened(const struct arguments *arguments, struct recording *recording)
{
	struct document document = { 0 };
	struct info info;
	int code;

	if (recording_is_output(recording, arguments->output) ||
	    info_gather(&info, recording, &arguments->recording))
		return EXIT_FAILED;
	info_describe(&info, &document);
	code = print(arguments, &document);
	faults_take(&info.faults, recording->input);
	if (faults_print(&info.faults, recording) || recording->broken)
		code = EXIT_FAILED;
	if (traces_print(recording))
		code = EXIT_FAILED;
	info_free(&info);
	return code;
}

static int show_recording(const struct arguments *arguments)
{
	struct recording recording;
	int code = recording_open(&recording, arguments->command, arguments->path,
					&arguments->recording);

	if (code)
		return code;
	code = show_opened(arguments, &recording);
	recording_close(&recording);
	return code;
}

int command_info(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	int code = parse_arguments(&arguments, argc, argv);

	if (code || arguments.is_help)
		return code;
	if (arguments.is_compare)
		return show_comparison(&arguments);
	if (arguments.is_events)
		return show_events(&arguments);
	return arguments.path ? show_recording(&arguments) : show_machine(&arguments);
}
