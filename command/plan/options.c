/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "options.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/usage/complain.h"
#include "command/usage/help.h"
#include "command/usage/nearest.h"

static const char help[] =
	"Usage: precis plan [OPTION...] -- COMMAND [ARGUMENT...]\n"
	"       precis plan [OPTION...] -p PID\n"
	"       precis plan [OPTION...] --rate R\n"
	"       precis plan --calibrate [--calibration FILE]\n"
	"       precis plan --check perf.data [OPTION...]\n"
	"How to sample for what it may cost: period, ring and watermark for a budget of time\n"
	"and for a share of samples that is to be known so well, what comes of it, and the\n"
	"perf record line. How many events there are is counted while a command or a process\n"
	"runs. With --calibrate: measure what samples cost on this machine. With --check: what\n"
	"was predicted for a recording, beside what came.\n"
	"\n"
	"What is sampled:\n"
	"      --event EVENT       ibs_op, ibs_fetch, mem-loads, mem-stores, cpu-clock, page-faults,\n"
	"                          a tracepoint (sched:sched_switch), a data breakpoint as perf\n"
	"                          record takes it (mem:0x601040/8:w), or tracepoint or breakpoint\n"
	"                          for any of them (default: what this machine's CPU has)\n"
	"      -- COMMAND          run it and count its events; page faults, tracepoints and\n"
	"                          breakpoints, which counting slows: once more without. Without -o\n"
	"                          what it prints goes to standard error\n"
	"      --runs N            so often (default 1): intervals then have how runs differ\n"
	"  -p, --pid PID           count those of a process that runs\n"
	"      --seconds S         for so long (default 10)\n"
	"      --rate R            in place of counting: events a second on each CPU (1.9e9, 1.9G);\n"
	"                          of cpu-clock 1e9, ns\n"
	"      --peak R            the highest rate, for the ring and throttling (default: as\n"
	"                          counted, else --rate)\n"
	"      --threads N         CPUs that the program keeps busy (default: as counted, else 1)\n"
	"      --duration SECONDS  how long it runs (default: as a command took, else 10)\n"
	"      --fields F[,F...]   beside the usual: addr, data_src, weight, phys_addr, page_size,\n"
	"                          callchain, registers, branches, stack, cgroup\n"
	"      --working-set BYTES what it works on, and\n"
	"      --cache BYTES       its share of the cache: for what the ring displaces there\n"
	"What is wanted:\n"
	"      --budget SHARE      of the time (1%; the default without --share and --samples)\n"
	"      --share SHARE       of samples that is to be known (1%) ...\n"
	"      --error SHARE       ... to within this part of it, in 95 of 100 (default 10%)\n"
	"      --samples N         so many samples\n"
	"      --period N          what that period costs and gives, in place of advice\n"
	"      --signal            a signal handler for each sample, as PAPI_overflow has it\n"
	"      --reader-delay MS   the longest that the ring is not read (default: as calibrated,\n"
	"                          else 100)\n"
	"What samples cost:\n"
	"      --calibrate         measure it, and write it to the calibration file: some 10 s of\n"
	"                          CPU time for each event\n"
	"      --blocks N          measurements of everything (default 20, 8 or more)\n"
	"      --spin NS           its signal handler takes so long on purpose: is that found?\n"
	"      --calibration FILE  default: precis/calibration in XDG_CONFIG_HOME or ~/.config\n"
	"      --published         as published, even if there is a calibration\n"
	"      --check FILE        prediction and outcome of that recording\n"
	"What is printed:\n"
	"      --format FORMAT     text (default), json or csv\n"
	"  -o, --output FILE       write there instead of standard output\n"
	"  -h, --help              this help\n"
	"\n"
	"Examples:\n"
	"  precis plan --calibrate\n"
	"  precis plan --share 1% -- ./program input\n"
	"  precis plan --event page-faults --budget 2% -p 4711 --seconds 30\n"
	"  precis plan --event ibs_op --rate 1.9e9 --budget 1% --share 1% --error 10%\n"
	"  precis plan --event cpu-clock --period 1000003 --threads 16 --duration 60\n"
	"  precis plan --check perf.data\n"
	"\n"
	"Exit codes: 0 all that is wanted goes together, or was measured; 1 it does not, or\n"
	"something failed; 2 wrong usage; 126 the command cannot be executed; 127 it is not there.\n"
	"Interrupted, it ends by that signal when what was measured is printed.\n";

enum {
	OPTION_EVENT = 0x3000, OPTION_RATE, OPTION_PEAK, OPTION_THREADS, OPTION_DURATION,
	OPTION_FIELDS, OPTION_WORKING_SET, OPTION_CACHE, OPTION_BUDGET, OPTION_SHARE,
	OPTION_ERROR, OPTION_SAMPLES, OPTION_PERIOD, OPTION_SIGNAL, OPTION_DELAY,
	OPTION_CALIBRATE, OPTION_BLOCKS, OPTION_CALIBRATION, OPTION_PUBLISHED, OPTION_CHECK,
	OPTION_SPIN, OPTION_FORMAT, OPTION_RUNS, OPTION_SECONDS,
};

static const struct option long_options[] = {
	{ "event", required_argument, NULL, OPTION_EVENT },
	{ "rate", required_argument, NULL, OPTION_RATE },
	{ "pid", required_argument, NULL, 'p' },
	{ "seconds", required_argument, NULL, OPTION_SECONDS },
	{ "runs", required_argument, NULL, OPTION_RUNS },
	{ "peak", required_argument, NULL, OPTION_PEAK },
	{ "threads", required_argument, NULL, OPTION_THREADS },
	{ "duration", required_argument, NULL, OPTION_DURATION },
	{ "fields", required_argument, NULL, OPTION_FIELDS },
	{ "working-set", required_argument, NULL, OPTION_WORKING_SET },
	{ "cache", required_argument, NULL, OPTION_CACHE },
	{ "budget", required_argument, NULL, OPTION_BUDGET },
	{ "share", required_argument, NULL, OPTION_SHARE },
	{ "error", required_argument, NULL, OPTION_ERROR },
	{ "samples", required_argument, NULL, OPTION_SAMPLES },
	{ "period", required_argument, NULL, OPTION_PERIOD },
	{ "signal", no_argument, NULL, OPTION_SIGNAL },
	{ "reader-delay", required_argument, NULL, OPTION_DELAY },
	{ "calibrate", no_argument, NULL, OPTION_CALIBRATE },
	{ "blocks", required_argument, NULL, OPTION_BLOCKS },
	{ "calibration", required_argument, NULL, OPTION_CALIBRATION },
	{ "published", no_argument, NULL, OPTION_PUBLISHED },
	{ "check", required_argument, NULL, OPTION_CHECK },
	{ "spin", required_argument, NULL, OPTION_SPIN },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* A number with k, M, G (of 1000) or % behind it. 0, or -1 */
static int parse_number(const char *text, double *number)
{
	static const struct {
		const char *suffix;
		double times;
	} suffixes[] = { { "", 1 },    { "k", 1e3 }, { "K", 1e3 }, { "M", 1e6 },
			 { "G", 1e9 }, { "%", 0.01 } };
	char *end;

	*number = strtod(text, &end);
	if (end == text || !isfinite(*number) || *number < 0)
		return -1;
	for (size_t n = 0; n < sizeof(suffixes) / sizeof(suffixes[0]); n++) {
		if (strcmp(end, suffixes[n].suffix) == 0) {
			*number *= suffixes[n].times;
			return 0;
		}
	}
	return -1;
}

/* Options that are a number, and between what; 0 is none */
static const struct number_option {
	int option;
	const char *name, *expected;
	double least, most;
	size_t at; /* in struct plan_options */
	double times;
} number_options[] = {
#define AT(member) offsetof(struct plan_options, member)
	{ OPTION_RATE, "rate", "events a second, as 1.9e9", 1e-6, 1e15, AT(rate), 1 },
	{ OPTION_PEAK, "peak", "events a second, as 3e9", 1e-6, 1e15, AT(peak), 1 },
	{ OPTION_SECONDS, "seconds", "seconds, to a day", 1e-3, 86400, AT(count_seconds), 1 },
	{ OPTION_DURATION, "duration", "seconds", 1e-3, 1e9, AT(duration), 1 },
	{ OPTION_BUDGET, "budget", "a share of the time, as 1%", 1e-9, 100, AT(budget), 1 },
	{ OPTION_SHARE, "share", "a share below 100%, as 1%", 1e-9, 0.999999999, AT(share), 1 },
	{ OPTION_ERROR, "error", "a part of the share below 100%, as 10%", 1e-6, 0.999999, AT(error), 1 },
	{ OPTION_SAMPLES, "samples", "a number of samples", 1, 1e15, AT(samples), 1 },
	{ OPTION_DELAY, "reader-delay", "milliseconds", 1e-6, 1e7, AT(delay_ns), 1e6 },
	{ OPTION_WORKING_SET, "working-set", "bytes", 1, 1e15, AT(working_set), 1 },
	{ OPTION_SPIN, "spin", "ns", 1, 1e7, AT(spin_ns), 1 },
	{ OPTION_CACHE, "cache", "bytes", 1, 1e15, AT(cache), 1 },
#undef AT
};

/* EXIT_OK, EXIT_USAGE; -1 if it is none of them */
static int take_number(struct plan_options *options, int found, const char *value)
{
	for (size_t n = 0; n < sizeof(number_options) / sizeof(number_options[0]); n++) {
		const struct number_option *option = &number_options[n];
		double number;

		if (option->option != found)
			continue;
		if (parse_number(value, &number) || number < option->least || number > option->most)
			return complain_usage(options->command, "--%s: expected %s, found '%s'",
					      option->name, option->expected, value);
		number *= option->times;
		memcpy((char *)options + option->at, &number, sizeof(number));
		return EXIT_OK;
	}
	return -1;
}

/* A whole number of at least 1. EXIT_OK, EXIT_USAGE */
static int take_whole(struct plan_options *options, const char *name, const char *value,
		      uint64_t most, uint64_t *whole)
{
	double number;

	if (parse_number(value, &number) || number < 1 || number > (double)most ||
	    number != floor(number))
		return complain_usage(options->command, "--%s: expected a number from 1 on, found '%s'",
				      name, value);
	*whole = (uint64_t)number;
	return EXIT_OK;
}

static const struct {
	const char *name;
	uint64_t parts;
} fields[] = {
	{ "addr", PRECIS_SAMPLE_ADDR },
	{ "data_src", PRECIS_SAMPLE_DATA_SRC },
	{ "weight", PRECIS_SAMPLE_WEIGHT_STRUCT },
	{ "phys_addr", PRECIS_SAMPLE_PHYS_ADDR },
	{ "page_size", PRECIS_SAMPLE_DATA_PAGE_SIZE | PRECIS_SAMPLE_CODE_PAGE_SIZE },
	{ "callchain", PRECIS_SAMPLE_CALLCHAIN },
	{ "registers", PRECIS_SAMPLE_REGS_INTR },
	{ "branches", PRECIS_SAMPLE_BRANCH_STACK },
	{ "stack", PRECIS_SAMPLE_STACK_USER | PRECIS_SAMPLE_REGS_USER },
	{ "cgroup", PRECIS_SAMPLE_CGROUP },
};

static int take_field(struct plan_options *options, const char *word, size_t length)
{
	struct nearest nearest = nearest_to(word, length);
	char hint[NEAREST_ROOM];

	for (size_t n = 0; n < sizeof(fields) / sizeof(fields[0]); n++) {
		if (strlen(fields[n].name) == length && memcmp(fields[n].name, word, length) == 0) {
			options->parts |= fields[n].parts;
			return EXIT_OK;
		}
		nearest_offer(&nearest, fields[n].name);
	}
	return complain_usage(options->command, "--fields: unknown field '%.*s'%s", (int)length, word,
			      nearest_hint(&nearest, hint));
}

static int take_fields(struct plan_options *options, const char *list)
{
	int code = EXIT_OK;

	while (!code) {
		const size_t length = strcspn(list, ",");

		code = take_field(options, list, length);
		if (list[length] != ',')
			break;
		list += length + 1;
	}
	return code;
}

static int take_event(struct plan_options *options, const char *name)
{
	struct nearest nearest = nearest_to(name, strlen(name));
	const struct plan_event *event;
	char hint[NEAREST_ROOM];

	options->event = name;
	if (plan_event_find(name))
		return EXIT_OK;
	for (uint32_t n = 0; (event = plan_event_at(n)); n++)
		nearest_offer(&nearest, event->name);
	return complain_usage(options->command, "--event: unknown event '%s'%s", name,
			      nearest_hint(&nearest, hint));
}

static int take_task(struct plan_options *options, enum plan_task task)
{
	if (options->task != PLAN_ADVISE && options->task != task)
		return complain_usage(options->command, "--calibrate and --check exclude each other");
	options->task = task;
	return EXIT_OK;
}

static int take_option(struct plan_options *options, int found, const char *value, char **argv)
{
	uint64_t whole = 0;
	int code = take_number(options, found, value);

	if (code >= 0)
		return code;
	switch (found) {
	case OPTION_EVENT:
		return take_event(options, value);
	case OPTION_FIELDS:
		return take_fields(options, value);
	case OPTION_PERIOD:
		return take_whole(options, "period", value, UINT64_C(1) << 40, &options->period);
	case OPTION_THREADS:
		code = take_whole(options, "threads", value, 1 << 20, &whole);
		options->threads = (uint32_t)whole;
		return code;
	case OPTION_RUNS:
		code = take_whole(options, "runs", value, 1000, &whole);
		options->runs = (uint32_t)whole;
		return code;
	case 'p':
		code = take_whole(options, "pid", value, INT32_MAX, &whole);
		options->pid = (pid_t)whole;
		return code;
	case OPTION_BLOCKS:
		code = take_whole(options, "blocks", value, 1000, &whole);
		options->blocks = (uint32_t)whole;
		return code ? code : whole < 8 ? complain_usage(options->command,
								"--blocks: 8 or more") : EXIT_OK;
	case OPTION_SIGNAL:
		options->is_signalled = 1;
		return EXIT_OK;
	case OPTION_PUBLISHED:
		options->is_published = 1;
		return EXIT_OK;
	case OPTION_CALIBRATION:
		options->calibration = value;
		return EXIT_OK;
	case OPTION_CALIBRATE:
		return take_task(options, PLAN_CALIBRATE);
	case OPTION_CHECK:
		options->recording = value;
		return take_task(options, PLAN_CHECK);
	case OPTION_FORMAT:
		return page_format_take(options->command, value, &options->format);
	case 'o':
		options->output = value;
		return EXIT_OK;
	case 'h':
		options->is_help = 1;
		return print_help(options->command, help);
	default:
		return complain_option(options->command, found, argv, long_options);
	}
}

/* What is said of counting goes together. EXIT_OK, EXIT_USAGE */
static int check_counting(const struct plan_options *options)
{
	const int is_counted = options->program || options->pid;

	if (is_counted && options->task != PLAN_ADVISE)
		return complain_usage(options->command, "--calibrate and --check count no program");
	if (options->program && options->pid)
		return complain_usage(options->command, "either a command or --pid");
	if (is_counted && options->rate > 0)
		return complain_usage(options->command, "--rate: that is counted");
	if (options->runs && !options->program)
		return complain_usage(options->command, "--runs: of which command?");
	if (options->count_seconds > 0 && !options->pid)
		return complain_usage(options->command, "--seconds: of which process? --pid says it");
	if (is_counted && options->event && (strcmp(options->event, "tracepoint") == 0 ||
					     strcmp(options->event, "breakpoint") == 0))
		return complain_usage(options->command, "--event: which %s is to be counted?",
				      options->event);
	return EXIT_OK;
}

int plan_options_parse(struct plan_options *options, int argc, char **argv)
{
	int found, code = EXIT_OK;

	memset(options, 0, sizeof(*options));
	options->command = argv[0];
	options->blocks = 20;
	options->frames = 16;
	options->registers = 17;
	options->branches = 32;
	options->stack_bytes = 8192;
	opterr = 0;
	while (code == EXIT_OK && !options->is_help &&
	       (found = getopt_long(argc, argv, "+:ho:p:", long_options, NULL)) != -1)
		code = take_option(options, found, optarg, argv);
	if (code || options->is_help)
		return code;
	if (optind < argc && (optind < 2 || strcmp(argv[optind - 1], "--") != 0))
		return complain_usage(options->command, "unexpected argument '%s': a command stands behind "
				      "'--'", argv[optind]);
	if (optind < argc)
		options->program = argv + optind;
	code = check_counting(options);
	if (code)
		return code;
	if (options->error > 0 && options->share <= 0)
		return complain_usage(options->command, "--error: of which share? --share says it");
	if (options->peak > 0 && options->peak < options->rate)
		return complain_usage(options->command, "--peak: is below --rate");
	if (options->share > 0 && options->error <= 0)
		options->error = 0.1;
	return EXIT_OK;
}
