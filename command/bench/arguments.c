/* SPDX-License-Identifier: BSD-3-Clause */
/* See arguments.h. */
#include "arguments.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/usage/complain.h"
#include "command/usage/help.h"
#include "command/usage/nearest.h"

/* Longer ones have no sample in hours; the kernel takes 63 bits */
#define PERIOD_LONGEST UINT64_C(1000000000000)

static const char help[] =
	"Usage: precis bench [OPTION...]\n"
	"Can samples of this machine be trusted? Runs loops of which it is known what they do, samples\n"
	"them by every event that can be had here, and says of each how many samples are missing or too\n"
	"many, at which instructions, in which mode, and how sure that is. What cannot be measured has a\n"
	"reason.\n"
	"\n"
	"      --list              events, kernels and metrics, and which events can be had here\n"
	"      --quick             five runs of a second at most (default)\n"
	"      --full              twenty runs of ten seconds at most; those of the paper as long as there\n"
	"      --dry-run           what is there, and how long it would take\n"
	"\n"
	"What is measured:\n"
	"      --events E[,E...]   these events (default: all that can be had)\n"
	"      --kernels K[,K...]  these kernels (default: those that are listed with each event)\n"
	"      --metrics M[,M...]  these metrics (default: all)\n"
	"      --periods P[,P...]  with these periods, 16 at most; own: the event's own (default), around:\n"
	"                          that and others near it, which tells resonance from bias\n"
	"      --samples N         so many in each run at most (default: 5000, or 50000 with --full)\n"
	"      --runs N            runs of each, 2 to 1000\n"
	"      --threads N[,N...]  in N threads at the same time, 1 to 64 (default 1); with each number of\n"
	"                          a list, 16 at most\n"
	"      --cpu N             bind threads to this CPU and those behind it (default: to none)\n"
	"      --seed N            of the order of runs and of what is random in kernels (default 1)\n"
	"\n"
	"What was measured before (files that --format json wrote; '-': standard input):\n"
	"      --read FILE         measure nothing: results of the runs that are in FILE\n"
	"      --compare FILE      is this, or what is read, better or worse than what is in FILE?\n"
	"\n"
	"What is printed:\n"
	"      --check             exit with 1 where a metric is certainly worse than its bound, or with\n"
	"                          --compare than it was\n"
	"      --bound METRIC=N    that bound instead of the one that is listed; may be repeated\n"
	"      --no-published      without the figures of the paper beside those of the same formulas\n"
	"      --format FORMAT     text (default), json, or csv: these have all raw counts\n"
	"      --plots DIRECTORY   SVG files there: shares, errors and overhead by period and threads,\n"
	"                          latency ladders, deviations\n"
	"  -o, --output FILE       write there instead of standard output\n"
	"  -h, --help              this help\n"
	"\n"
	"Examples:\n"
	"  precis bench --list\n"
	"  precis bench --events page_faults,enter_read\n"
	"  precis bench --full --format json -o results.json\n"
	"  precis bench --events page_faults,minor_faults --compare before.json\n"
	"  precis bench --check --metrics error,wrong_rate,lost > /dev/null || echo 'do not trust it'\n"
	"\n"
	"Exit codes: 0 measured; 1 something failed, or with --check is worse than its bound, or than it\n"
	"was; 2 wrong usage; 77 nothing can be measured here. Interrupted, it ends by that signal when\n"
	"what was measured is printed.\n";

enum {
	OPTION_LIST = 0x3000, OPTION_QUICK, OPTION_FULL, OPTION_DRY_RUN, OPTION_EVENTS, OPTION_KERNELS,
	OPTION_METRICS, OPTION_PERIODS, OPTION_SAMPLES, OPTION_RUNS, OPTION_THREADS, OPTION_CPU, OPTION_SEED,
	OPTION_CHECK, OPTION_BOUND, OPTION_FORMAT, OPTION_READ, OPTION_COMPARE, OPTION_NO_PUBLISHED,
	OPTION_PLOTS,
	OPTION_SYSROOT /* not in the help: for tests, a directory that stands for the machine */
};

static const struct option long_options[] = {
	{ "list", no_argument, NULL, OPTION_LIST },
	{ "quick", no_argument, NULL, OPTION_QUICK },
	{ "full", no_argument, NULL, OPTION_FULL },
	{ "dry-run", no_argument, NULL, OPTION_DRY_RUN },
	{ "events", required_argument, NULL, OPTION_EVENTS },
	{ "kernels", required_argument, NULL, OPTION_KERNELS },
	{ "metrics", required_argument, NULL, OPTION_METRICS },
	{ "periods", required_argument, NULL, OPTION_PERIODS },
	{ "samples", required_argument, NULL, OPTION_SAMPLES },
	{ "runs", required_argument, NULL, OPTION_RUNS },
	{ "threads", required_argument, NULL, OPTION_THREADS },
	{ "cpu", required_argument, NULL, OPTION_CPU },
	{ "seed", required_argument, NULL, OPTION_SEED },
	{ "check", no_argument, NULL, OPTION_CHECK },
	{ "bound", required_argument, NULL, OPTION_BOUND },
	{ "no-published", no_argument, NULL, OPTION_NO_PUBLISHED },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "read", required_argument, NULL, OPTION_READ },
	{ "compare", required_argument, NULL, OPTION_COMPARE },
	{ "plots", required_argument, NULL, OPTION_PLOTS },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ "sysroot", required_argument, NULL, OPTION_SYSROOT },
	{ NULL, 0, NULL, 0 },
};

static const char *event_name(size_t n)
{
	return event_at(n) ? event_at(n)->name : NULL;
}

static const char *kernel_name(size_t n)
{
	return kernel_at(n) ? kernel_at(n)->name : NULL;
}

static const char *metric_name(size_t n)
{
	return n < METRIC_COUNT ? metric_info((enum metric)n)->name : NULL;
}

/* The bits of the names in a list */
static int take_names(const struct bench_arguments *arguments, const char *option, const char *list,
		      const char *(*name_of)(size_t n), uint64_t *names)
{
	for (const char *at = list;; at++) {
		const size_t length = strcspn(at, ",");
		struct nearest nearest = nearest_to(at, length);
		char hint[NEAREST_ROOM];
		const char *name;
		size_t n = 0;

		for (; (name = name_of(n)); n++) {
			if (strncmp(name, at, length) == 0 && !name[length])
				break;
			nearest_offer(&nearest, name);
		}
		if (!name)
			return complain_usage(arguments->command, "--%s: there is none of the name '%.*s'%s",
					      option, (int)length, at, nearest_hint(&nearest, hint));
		*names |= UINT64_C(1) << n;
		at += length;
		if (!*at)
			return EXIT_OK;
	}
}

static int take_number(const struct bench_arguments *arguments, const char *option, const char *text,
		       uint64_t least, uint64_t most, uint64_t *number)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end || text[0] < '0' || text[0] > '9' || value < least || value > most)
		return complain_usage(arguments->command, "--%s: expected a number from %llu to %llu, found "
				      "'%s'", option, (unsigned long long)least, (unsigned long long)most,
				      text);
	*number = value;
	return EXIT_OK;
}

static int take_period(struct bench_arguments *arguments, const char *text)
{
	struct chosen_period *period = &arguments->periods[arguments->period_count];
	int code = EXIT_OK;

	if (arguments->period_count == PERIODS_MOST)
		return complain_usage(arguments->command, "--periods: more than %u", PERIODS_MOST);
	if (strcmp(text, "own") == 0)
		period->kind = PERIOD_OWN;
	else if (strcmp(text, "around") == 0)
		period->kind = PERIOD_NEXT;
	else
		code = take_number(arguments, "periods", text, 1, PERIOD_LONGEST, &period->period);
	arguments->period_count += code == EXIT_OK;
	return code;
}

static int take_periods(struct bench_arguments *arguments, const char *list)
{
	int code = EXIT_OK;

	for (const char *at = list; at && code == EXIT_OK;
	     at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		char text[32];

		if (snprintf(text, sizeof(text), "%.*s", (int)strcspn(at, ","), at) >= (int)sizeof(text))
			return complain_usage(arguments->command, "--periods: no such period: %s", at);
		code = take_period(arguments, text);
	}
	return code;
}

static int take_threads(struct bench_arguments *arguments, const char *list)
{
	int code = EXIT_OK;

	for (const char *at = list; at && code == EXIT_OK;
	     at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		uint64_t number;
		char text[32];

		/* what does not fit is no number of threads, and is said to be none */
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(at, ","), at);
		code = take_number(arguments, "threads", text, 1, THREADS_MOST, &number);
		if (code == EXIT_OK && threads_add(&arguments->threads, (uint32_t)number))
			code = complain_usage(arguments->command, "--threads: more than %u numbers",
					      THREAD_COUNTS_MOST);
	}
	return code;
}

static int take_bound(struct bench_arguments *arguments, const char *text)
{
	const size_t length = strcspn(text, "=");
	const enum metric metric = metric_named(text, length);
	double bound;
	char *end;

	if (metric == METRIC_COUNT || metric_info(metric)->side == METRIC_NONE)
		return complain_usage(arguments->command, "--bound: '%.*s' is no metric that has a bound",
				      (int)length, text);
	bound = text[length] ? strtod(text + length + 1, &end) : NAN;
	if (!isfinite(bound) || *end || end == text + length + 1)
		return complain_usage(arguments->command, "--bound: expected METRIC=NUMBER, found '%s'",
				      text);
	arguments->bounds[metric] = bound;
	return EXIT_OK;
}

static int take_count(struct bench_arguments *arguments, int found, const char *value)
{
	uint64_t number = 0;
	int code;

	arguments->says_how = 1;
	switch (found) {
	case OPTION_RUNS:
		code = take_number(arguments, "runs", value, 2, RUNS_MOST, &number);
		arguments->runs = (uint32_t)number;
		return code;
	case OPTION_THREADS:
		return take_threads(arguments, value);
	case OPTION_CPU:
		code = take_number(arguments, "cpu", value, 0, 1023, &number);
		arguments->cpu = (int)number;
		return code;
	case OPTION_SAMPLES:
		return take_number(arguments, "samples", value, 1, UINT64_C(1) << 32, &arguments->samples);
	default:
		return take_number(arguments, "seed", value, 0, INT64_MAX, &arguments->seed);
	}
}

static int take_option(struct bench_arguments *arguments, int found, const char *value, char **argv)
{
	switch (found) {
	case OPTION_LIST:
		arguments->is_list = 1;
		return EXIT_OK;
	case OPTION_QUICK:
	case OPTION_FULL:
		arguments->is_full = found == OPTION_FULL;
		arguments->says_how = 1;
		return EXIT_OK;
	case OPTION_DRY_RUN:
		arguments->is_dry_run = 1;
		return EXIT_OK;
	case OPTION_NO_PUBLISHED:
		arguments->is_alone = 1;
		return EXIT_OK;
	case OPTION_CHECK:
		arguments->is_check = 1;
		return EXIT_OK;
	case OPTION_BOUND:
		return take_bound(arguments, value);
	case OPTION_EVENTS:
		return take_names(arguments, "events", value, event_name, &arguments->events);
	case OPTION_KERNELS:
		return take_names(arguments, "kernels", value, kernel_name, &arguments->kernels);
	case OPTION_METRICS:
		return take_names(arguments, "metrics", value, metric_name, &arguments->metrics);
	case OPTION_PERIODS:
		arguments->says_how = 1;
		return take_periods(arguments, value);
	case OPTION_FORMAT:
		return page_format_take(arguments->command, value, &arguments->format);
	case OPTION_READ:
		arguments->read = value;
		return EXIT_OK;
	case OPTION_COMPARE:
		arguments->compare = value;
		return EXIT_OK;
	case OPTION_PLOTS:
		arguments->plots = value;
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
		return take_count(arguments, found, value);
	}
}

/* What was measured before leaves nothing to be said about how to measure. */
static int check_files(const struct bench_arguments *arguments)
{
	if (arguments->read && (arguments->says_how || arguments->is_list || arguments->is_dry_run))
		return complain_usage(arguments->command, "--read measures nothing: it goes with --events, "
				      "--kernels, --metrics, --compare and what is printed");
	if (arguments->compare && (arguments->is_list || arguments->is_dry_run))
		return complain_usage(arguments->command, "--compare: nothing is measured that could be "
				      "compared");
	if (arguments->read && arguments->compare && strcmp(arguments->read, "-") == 0 &&
	    strcmp(arguments->compare, "-") == 0)
		return complain_usage(arguments->command, "--read and --compare: one of them is standard "
				      "input, not both");
	return EXIT_OK;
}

int bench_arguments_parse(struct bench_arguments *arguments, int argc, char **argv)
{
	int found, code = EXIT_OK;

	*arguments = (struct bench_arguments){
		.command = argv[0], .sysroot = "", .cpu = -1, .seed = 1,
	};
	for (enum metric metric = 0; metric < METRIC_COUNT; metric++)
		arguments->bounds[metric] = metric_info(metric)->bound;
	opterr = 0;
	while (code == EXIT_OK && !arguments->is_help &&
	       (found = getopt_long(argc, argv, ":ho:", long_options, NULL)) != -1)
		code = take_option(arguments, found, optarg, argv);
	if (code || arguments->is_help)
		return code;
	if (optind < argc)
		return complain_usage(arguments->command, "unexpected argument '%s'", argv[optind]);
	if (!arguments->threads.count)
		arguments->threads = (struct thread_numbers){ { 1 }, 1 };
	if (!arguments->runs)
		arguments->runs = arguments->is_full ? 20 : 5;
	return check_files(arguments);
}
