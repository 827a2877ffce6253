/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_command.h. */
#include "live_command.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "command/recording/recording.h"
#include "command/recording/selection.h"
#include "command/symbols/options.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "command/usage/help.h"
#include "command/usage/option_value.h"
#include "command/usage/page_format.h"
#include "heat.h"
#include "live_page.h"

#define TOP_DEFAULT 10
#define TOP_OF_PROGRAMS 1000
#define SECONDS_MOST 1e6
#define WINDOW_MOST 1000.0

/* Words of enum live_method and enum access_origin, in their order */
static const char *const methods[] = { "experiments", "comdetective", NULL };
static const char *const origins[] = { "auto", "pmu", "program", NULL };

struct live_options {
	struct live_request request;
	const char *output, *svg;
	enum page_format format;
	int colour; /* -1: of a terminal */
	uint32_t top;
	unsigned int by; /* enum sharing_by */
	int is_help;
};

enum {
	LIVE_ACCESSES = 0x100,
	LIVE_BY,
	LIVE_METHOD,
	LIVE_SOURCE,
	LIVE_PERIOD,
	LIVE_OVERHEAD,
	LIVE_SECONDS,
	LIVE_WINDOW,
	LIVE_SEED,
	LIVE_TOP,
	LIVE_FORMAT,
	LIVE_SVG,
	LIVE_COLOUR,
	LIVE_OF_RECORDINGS /* those that --help has beside it, and that are of no use here */
};

static const char short_options[] = "+:hp:o:e:";
static const struct option long_options[] = {
	{ "attach", required_argument, NULL, 'p' },
	{ "by", required_argument, NULL, LIVE_BY },
	{ "accesses", required_argument, NULL, LIVE_ACCESSES },
	{ "method", required_argument, NULL, LIVE_METHOD },
	{ "source", required_argument, NULL, LIVE_SOURCE },
	{ "period", required_argument, NULL, LIVE_PERIOD },
	{ "max-overhead", required_argument, NULL, LIVE_OVERHEAD },
	{ "seconds", required_argument, NULL, LIVE_SECONDS },
	{ "window", required_argument, NULL, LIVE_WINDOW },
	{ "seed", required_argument, NULL, LIVE_SEED },
	{ "top", required_argument, NULL, LIVE_TOP },
	{ "format", required_argument, NULL, LIVE_FORMAT },
	{ "svg", required_argument, NULL, LIVE_SVG },
	{ "colour", required_argument, NULL, LIVE_COLOUR },
	{ "color", required_argument, NULL, LIVE_COLOUR },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ "access-bytes", required_argument, NULL, LIVE_OF_RECORDINGS },
	{ "save", required_argument, NULL, LIVE_OF_RECORDINGS },
	{ "jobs", required_argument, NULL, LIVE_OF_RECORDINGS },
	SYMBOL_LONG_OPTIONS,
	SELECTION_LONG_OPTIONS,
	RECORDING_LONG_OPTIONS,
	{ NULL, 0, NULL, 0 },
};

int live_is_meant(int argc, char **argv)
{
	for (int n = 1; n < argc; n++) {
		if (strcmp(argv[n], "--") == 0 || strncmp(argv[n], "-p", 2) == 0 ||
		    strncmp(argv[n], "--attach", strlen("--attach")) == 0)
			return 1;
	}
	return 0;
}

/* --- options --- */

/* EXIT_OK, or EXIT_USAGE after the error was printed */
static int take_number(const struct live_options *options, const char *name, const char *value,
		       double least, double most, double *number)
{
	char *end;

	errno = 0;
	*number = strtod(value, &end);
	if (errno || end == value || *end || !(*number >= least && *number <= most))
		return complain_usage(options->request.command_name,
				      "--%s: expected a number from %g to %g, found '%s'", name,
				      least, most, value);
	return EXIT_OK;
}

static int take_colour(struct live_options *options, const char *value)
{
	static const char *const words[] = { "auto", "always", "never", NULL };
	static const int colours[] = { -1, 1, 0 };
	unsigned int number = 0;
	const int code = option_word(options->request.command_name, "colour", words, value, &number);

	options->colour = colours[number];
	return code;
}

static int take_by(struct live_options *options, const char *value)
{
	const int code = option_word(options->request.command_name, "by", sharing_by_words, value,
				     &options->by);

	if (!code && options->by == SHARING_BY_PROCESS)
		return complain_usage(
			options->request.command_name,
			"--by process: of a program that runs one process is watched");
	return code;
}

/* Where accesses come from, and what is made of them */
static int take_source(struct live_options *options, int found, const char *value)
{
	struct live_request *request = &options->request;
	unsigned int word = 0;
	double number = 0;
	int code;

	switch (found) {
	case LIVE_ACCESSES:
		request->source.accesses = value;
		return EXIT_OK;
	case LIVE_METHOD:
		code = option_word(request->command_name, "method", methods, value, &word);
		request->method = (enum live_method)word;
		request->source.loads = request->method == LIVE_COMDETECTIVE;
		return code;
	case LIVE_SOURCE:
		code = option_word(request->command_name, "source", origins, value, &word);
		request->source.origin = (enum access_origin)word;
		return code;
	default:
		code = take_number(options, "period", value, PMU_PERIOD_LEAST, PMU_PERIOD_MOST,
				   &number);
		request->source.period = (uint64_t)number;
		return code;
	}
}

/* What is no option, or one that is for recordings. 'number': among the long ones; negative: a short one */
static int refuse(const struct live_options *options, int found, int number, char **argv)
{
	const char *command = options->request.command_name;

	if (found == '?' || found == ':')
		return complain_option(command, found, argv, long_options);
	return complain_usage(command, "--%s is for recordings, and not for a program that runs",
			      number < 0 ? "event" : long_options[number].name);
}

static int take_option(struct live_options *options, int found, int number_of_long, char **argv)
{
	struct live_request *request = &options->request;
	const char *value = optarg;
	double number = 0;
	int code = EXIT_OK;

	switch (found) {
	case 'p':
		code = take_number(options, "attach", value, 1, 1 << 30, &number);
		request->pid = (pid_t)number;
		return code;
	case LIVE_ACCESSES:
	case LIVE_METHOD:
	case LIVE_SOURCE:
	case LIVE_PERIOD:
		return take_source(options, found, value);
	case LIVE_OVERHEAD:
		code = take_number(options, "max-overhead", value, 0.001, 1000, &number);
		request->settings.most_overhead = number / 100;
		return code;
	case LIVE_SECONDS:
		return take_number(options, "seconds", value, 0.001, SECONDS_MOST,
				   &request->settings.seconds);
	case LIVE_WINDOW:
		code = take_number(options, "window", value, 0.01, WINDOW_MOST, &number);
		request->settings.window_ns = (uint64_t)(number * 1e6);
		return code;
	case LIVE_SEED:
		code = take_number(options, "seed", value, 0, 9e15, &number);
		request->settings.seed = (uint64_t)number;
		return code;
	case LIVE_TOP:
		code = take_number(options, "top", value, 0, 1000000, &number);
		options->top = (uint32_t)number;
		return code;
	case LIVE_FORMAT:
		return page_format_take(request->command_name, value, &options->format);
	case LIVE_BY:
		return take_by(options, value);
	case LIVE_COLOUR:
		return take_colour(options, value);
	case LIVE_SVG:
		options->svg = value;
		return EXIT_OK;
	case 'o':
		options->output = value;
		return EXIT_OK;
	case 'h':
		options->is_help = 1;
		return EXIT_OK;
	default:
		return refuse(options, found, number_of_long, argv);
	}
}

static int parse(struct live_options *options, int argc, char **argv)
{
	struct live_request *request = &options->request;
	int found, number = -1, code = EXIT_OK;

	opterr = 0;
	for (; !code && !options->is_help &&
	       (found = getopt_long(argc, argv, short_options, long_options, &number)) != -1;
	     number = -1)
		code = take_option(options, found, number, argv);
	if (code || options->is_help)
		return code;
	if (optind < argc && strcmp(argv[optind - 1], "--") != 0)
		return complain_usage(
			request->command_name,
			"'%s': neither is a recording read while a program runs, nor is "
			"a command in front of --",
			argv[optind]);
	request->command = optind < argc ? argv + optind : NULL;
	if (!request->command == !request->pid)
		return complain_usage(request->command_name,
				      "expected either a command behind -- or a process (-p)");
	if (request->command && request->source.accesses)
		return complain_usage(request->command_name, "--accesses is for a process (-p)");
	if (request->source.accesses && request->source.origin == ORIGIN_PMU)
		return complain_usage(request->command_name,
				      "--accesses is what a program hands over: not --source pmu");
	if (request->pid && !request->source.accesses && request->source.origin == ORIGIN_PROGRAM)
		return complain_usage(request->command_name,
				      "-p: expected the ring of accesses that the process hands over "
				      "(--accesses FILE)");
	if (request->source.period &&
	    (request->source.accesses || request->source.origin == ORIGIN_PROGRAM))
		return complain_usage(request->command_name, "--period is of the PMU's samples");
	if (options->top == UINT32_MAX)
		options->top = options->format == PAGE_TEXT ? TOP_DEFAULT : TOP_OF_PROGRAMS;
	return EXIT_OK;
}

/* --- what is printed --- */

static int draw(const struct live_options *options, const struct live_page *page,
		const struct live_result *result)
{
	const int is_published = options->request.method == LIVE_COMDETECTIVE;
	char source[96];
	const struct heat_words words = { live_page_title(&options->request), source };

	snprintf(source, sizeof(source), "%" PRIu64 " %s, %" PRIu64 " traps, %.3g seconds",
		 is_published ? result->found : result->experiments,
		 is_published ? "accesses that count" : "experiments", result->hits,
		 result->seconds);
	return sharing_draw_answer(&page->answer, &words, options->svg,
				   options->request.command_name);
}

static int print(const struct live_options *options, const struct live_page *page,
		 const struct live_observed *observed)
{
	const char *command = options->request.command_name;
	struct document document = { .tables = NULL };
	int code;

	live_page_tables(&document, page, &options->request, observed);
	document_settle(&document);
	code = page_print_coloured(command, &document, options->output, options->format, "lines",
				   options->colour);
	if (!code && options->svg)
		code = draw(options, page, &observed->result);
	return code;
}

/* No access, so no answer: what can be done */
static void complain_of_nothing(const struct live_options *options,
				const struct live_observed *observed)
{
	const char *name = options->request.command_name;

	if (observed->source.origin == ORIGIN_PMU)
		complain(
			name,
			"the PMU sampled no access (%s): the %s is too short, or --period too long",
			observed->source.pmu_event, options->request.command ? "command" : "time");
	else if (*observed->source.why_no_pmu)
		complain(
			name,
			"no accesses: the PMU samples none here (%s), and the program handed none "
			"over: precis-sharing(1), PRECIS_ACCESSES, or precis sharing FILE of a recording "
			"made elsewhere",
			observed->source.why_no_pmu);
	else
		complain(name, "no accesses: the program handed none over: precis-sharing(1), "
			 "PRECIS_ACCESSES");
}

/* Its children's threads share lines with each other, and nobody sees it. */
static void complain_of_others(const struct live_request *request)
{
	if (request->command)
		complain(
			request->command_name,
			"all accesses were handed over by other processes than the command's own, which "
			"alone is watched: name the program itself, and not a script that runs it, or use "
			"-p PID");
	else
		complain(
			request->command_name,
			"all accesses were handed over by other processes than %d, which alone is watched",
			(int)request->pid);
}

/* Of no thread anything is known */
static void complain_of_unwatched(const char *name, const struct live_result *result)
{
	complain(name, "no thread could be watched: its debug registers cannot be had: %s",
		 live_refusal_text(result->refused_error));
}

/* Who asked for the end knows of it. */
static void complain_of_signal(const char *name, int signal)
{
	if (signal == SIGTRAP)
		complain(
			name,
			"the command was ended by SIGTRAP: its own, or a debug exception for which the "
			"hypervisor named no cause (precis-sharing(1)); what was found until then is "
			"printed");
	else if (signal != SIGINT && signal != SIGTERM)
		complain(name, "the command was ended by signal %d (%s)", signal,
			 strsignal(signal));
}

/* Of a command as the shell has it */
static int code_of(const struct live_options *options, const struct live_observed *observed)
{
	const struct live_result *result = &observed->result;
	/* threads beyond those that are watched, and those that just end, are not refused */
	const int is_blind = result->unwatched && result->refused_error && !result->experiments &&
			     !result->found;
	const int are_others = result->accesses && result->foreign == result->accesses;
	const int end = options->request.command ? observed->end : 0;

	if (is_blind)
		complain_of_unwatched(options->request.command_name, result);
	if (WIFSIGNALED(end))
		complain_of_signal(options->request.command_name, WTERMSIG(end));
	if (!result->accesses && !end)
		complain_of_nothing(options, observed);
	if (are_others)
		complain_of_others(&options->request);
	if ((!result->accesses || are_others || is_blind) && !end)
		return EXIT_FAILED;
	if (WIFSIGNALED(end))
		return 128 + WTERMSIG(end);
	return WEXITSTATUS(end);
}

int live_command(int argc, char **argv, const char *help)
{
	struct live_options options = {
		.request = { .settings = { .most_overhead = 0.05, .window_ns = 10000000 },
			     .command_name = argv[0] },
		.colour = -1,
		.top = UINT32_MAX,
	};
	struct live_observed observed;
	struct live_page page;
	int code = parse(&options, argc, argv);

	if (options.is_help)
		return print_help(argv[0], help);
	if (!code && ((options.output && destination_check(options.output, argv[0])) ||
		      (options.svg && destination_check(options.svg, argv[0]))))
		code = EXIT_FAILED;
	if (code)
		return code;
	code = live_run(&options.request, &observed);
	if (!code) {
		if (live_page_init(&page, &observed, options.top, options.by) < 0) {
			complain(argv[0], "out of memory");
			code = EXIT_FAILED;
		} else {
			code = print(&options, &page, &observed);
		}
		live_page_free(&page);
		code = code ? code : code_of(&options, &observed);
	}
	live_observed_free(&observed);
	return code;
}
