/* SPDX-License-Identifier: BSD-3-Clause */
/* precis objects: blocks of memory by the call stacks that asked for them, from a recorder's side file. */
#include "command.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "frames.h"
#include "page.h"
#include "totals.h"
#include "command/recording/recording.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "command/usage/help.h"
#include "command/usage/option_value.h"

#define TOP 20u
#define TOP_MOST 1000000u
#define FRAMES 4u

static const char help[] =
	"Usage: precis objects [OPTION...] FILE\n"
	"A program's blocks of memory, from a side file precis-PID.objects of precis-objects(7): how\n"
	"many and how large, by the call stacks that asked for them, and what of them is left at the end.\n"
	"\n"
	"      --events          each event instead, in the order of their times\n"
	"      --top N           stacks that are listed (default 20)\n"
	"      --frames N        callers of a stack that are shown (default 4; 0: all)\n"
	"      --format FORMAT   text (default), csv or json; of events JSON has a line each\n"
	"  -o, --output FILE     write there instead of standard output\n"
	"  -h, --help            this help\n"
	"\n"
	SYMBOL_HELP
	"\n"
	"Examples:\n"
	"  precis-record --objects -- ./program\n"
	"  precis objects precis-4711.objects\n"
	"  precis objects --events --format csv precis-4711.objects\n";

enum { OPTION_EVENTS = 0x3000, OPTION_TOP, OPTION_FRAMES, OPTION_FORMAT };

static const struct option long_options[] = {
	{ "events", no_argument, NULL, OPTION_EVENTS },
	{ "top", required_argument, NULL, OPTION_TOP },
	{ "frames", required_argument, NULL, OPTION_FRAMES },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	SYMBOL_LONG_OPTIONS,
	{ NULL, 0, NULL, 0 },
};

struct arguments {
	const char *command, *path, *output;
	enum page_format format;
	uint32_t top, frames;
	int is_events, is_help;
	struct symbol_options symbols;
};

static int take_option(struct arguments *arguments, int found, char **argv)
{
	int code;

	switch (found) {
	case OPTION_EVENTS: arguments->is_events = 1; return EXIT_OK;
	case OPTION_TOP: return option_number(argv[0], "top", optarg, TOP_MOST, &arguments->top);
	case OPTION_FRAMES: return option_number(argv[0], "frames", optarg, TOP_MOST, &arguments->frames);
	case OPTION_FORMAT: return page_format_take(argv[0], optarg, &arguments->format);
	case 'o': arguments->output = optarg; return EXIT_OK;
	case 'h': arguments->is_help = 1; return print_help(argv[0], help);
	default:
		code = symbol_option(&arguments->symbols, argv[0], found, optarg);
		return code < 0 ? complain_option(argv[0], found, argv, long_options) : code;
	}
}

static int take_arguments(struct arguments *arguments, int argc, char **argv)
{
	int found, code = EXIT_OK;

	*arguments = (struct arguments){ .command = argv[0], .top = TOP, .frames = FRAMES };
	opterr = 0;
	while (!code && !arguments->is_help &&
	       (found = getopt_long(argc, argv, ":ho:", long_options, NULL)) != -1)
		code = take_option(arguments, found, argv);
	if (code || arguments->is_help)
		return code;
	code = complain_unless_one_file(argc, argv, &arguments->path);
	return code || arguments->path ? code : complain_usage(argv[0], "expected a side file");
}

static void complain_error(const struct arguments *arguments, const struct precis_file_error *error)
{
	struct recording named;

	recording_name(&named, arguments->command, arguments->path);
	recording_complain(&named, error);
}

/* What is known at the end, so that stacks before it have names, too. @return 0, -1 */
static int learn_frames(struct precis_object_file *file, struct frames *frames)
{
	struct precis_object_event event = { .size = sizeof(event) };
	int error = 0, found;

	while (!error && (found = precis_object_file_next(file, &event)) > 0)
		error = frames_learn(frames, &event);
	precis_object_file_rewind(file);
	return error;
}

/* What is read before it is taken, so that memory has time to bring what it is about */
#define EVENTS_AHEAD 16u

struct reading {
	struct precis_object_file *file;
	struct frames *frames;
	struct totals *totals;
	const struct event_list *list; /* NULL: totals are wanted */
};

/* An event to whom it concerns. @return 0, -1 */
static int take_event(const struct reading *reading, const struct precis_object_event *event)
{
	if (reading->list) {
		events_put(reading->list, event);
		return 0;
	}
	/* names are asked for when all are known */
	return frames_learn(reading->frames, event) < 0
		       ? -1
		       : totals_take(reading->totals, reading->file, event);
}

/* EXIT_OK, or EXIT_FAILED after it has been said why */
static int read_events(const struct arguments *arguments, const struct reading *reading)
{
	struct precis_object_event ahead[EVENTS_AHEAD];
	uint64_t read = 0, taken = 0;
	int found = 1, error = 0;

	while (!error && (found > 0 || taken < read)) {
		struct precis_object_event *event = &ahead[read % EVENTS_AHEAD];

		if (found <= 0 || read - taken == EVENTS_AHEAD) {
			error = take_event(reading, &ahead[taken++ % EVENTS_AHEAD]);
			continue;
		}
		*event = (struct precis_object_event){ .size = sizeof(*event) };
		found = precis_object_file_next(reading->file, event);
		if (found <= 0)
			continue;
		read++;
		if (reading->totals)
			__builtin_prefetch(totals_place(reading->totals, event->address), 1);
	}
	if (error)
		complain(arguments->command, "out of memory, or more than %u blocks live at one time",
			 TOTALS_LIVE_MOST);
	else if (found < 0)
		complain_error(arguments, precis_object_file_last_error(reading->file));
	return error || found < 0 ? EXIT_FAILED : EXIT_OK;
}

static int list_events(const struct arguments *arguments, struct precis_object_file *file,
		       struct frames *frames)
{
	struct output output;
	const struct event_list list = { file, frames, &output, arguments->format, arguments->frames };
	int code;

	if (destination_open(&output, arguments->output, arguments->command))
		return EXIT_FAILED;
	events_begin(&list);
	code = read_events(arguments, &(struct reading){ .file = file, .list = &list });
	return destination_close(&output, arguments->command) ? EXIT_FAILED : code;
}

/* Where recording cost too much it is more than was asked for. */
static uint64_t longest_interval(const struct precis_object_file *file)
{
	struct precis_object_thread thread = { .size = sizeof(thread) };
	uint64_t longest = 0;

	for (uint32_t n = 0; !precis_object_file_thread(file, n, &thread); n++) {
		longest = thread.most_interval > longest ? thread.most_interval : longest;
		longest = thread.large_interval > longest ? thread.large_interval : longest;
	}
	return longest;
}

static uint64_t size_least(const struct precis_object_file *file)
{
	struct precis_object_file_info info = { .size = sizeof(info) };

	precis_object_file_info(file, &info);
	return info.flags & PRECIS_OBJECT_SMALL_DROPPED ? info.threshold : 0;
}

static int print_totals(const struct arguments *arguments, struct precis_object_file *file,
			struct frames *frames)
{
	struct totals totals = { 0 };
	const struct page page = {
		file,           &totals,          frames, longest_interval(file), size_least(file),
		arguments->top, arguments->frames
	};
	struct document document = { 0 };
	int code = read_events(
		    arguments,
		    &(struct reading){ .file = file, .frames = frames, .totals = &totals }),
	    printed = EXIT_OK;

	totals_finish(&totals);
	page_build(&page, &document);
	printed = page_print(arguments->command, &document, arguments->output, arguments->format, "stacks");
	totals_free(&totals);
	return code ? code : printed;
}

/* What could not be read is said behind what could. */
static int complain_warnings(const struct arguments *arguments, const struct precis_object_file *file)
{
	const char *warning;
	uint32_t n = 0;

	for (; (warning = precis_object_file_warning(file, n)); n++)
		complain(arguments->command, "%s: %s", arguments->path, warning);
	return n ? EXIT_FAILED : EXIT_OK;
}

static int run(struct arguments *arguments)
{
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_object_file *file;
	struct frames frames = { 0 };
	int code = strcmp(arguments->path, "-")
			   ? precis_object_file_open(arguments->path, NULL, &file, &error)
			   : precis_object_file_open_fd(0, NULL, &file, &error);
	int warned;

	if (code) {
		complain_error(arguments, &error);
		return EXIT_FAILED;
	}
	if (frames_open(&frames, file, &arguments->symbols) ||
	    (arguments->is_events && learn_frames(file, &frames))) {
		complain(arguments->command, "out of memory");
		code = EXIT_FAILED;
	} else {
		code = (arguments->is_events ? list_events : print_totals)(arguments, file, &frames);
	}
	warned = complain_warnings(arguments, file);
	frames_close(&frames);
	precis_object_file_close(file);
	return code ? code : warned;
}

int command_objects(int argc, char **argv)
{
	struct arguments arguments;
	int code = take_arguments(&arguments, argc, argv);

	if (!code && !arguments.is_help)
		code = run(&arguments);
	symbol_options_free(&arguments.symbols);
	return code;
}
