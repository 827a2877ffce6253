/* SPDX-License-Identifier: BSD-3-Clause */
/* precis report: what the samples of a recording say, summed up. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "perf_scripts/precis/document/print.h"
#include "perf_scripts/precis/output/complain.h"
#include "perf_scripts/precis/output/help.h"
#include "perf_scripts/precis/recording/closing.h"
#include "perf_scripts/precis/recording/losses.h"
#include "perf_scripts/precis/recording/recording.h"
#include "perf_scripts/precis/recording/selection.h"
#include "perf_scripts/precis/recording/traces.h"
#include "perf_scripts/precis/symbols/options.h"
#include "sections.h"

static const char help[] =
	"Usage: precis report [OPTION...] [FILE]\n"
	"What the IBS and PEBS samples of a recording (default: perf.data; - is standard input)\n"
	"say, summed up: key figures, then tables of op kinds, data sources, TLBs, and what else\n"
	"the hardware tells; of PEBS those of each event apart; the time of tasks off the CPU\n"
	"(where context switches were recorded) and the top instructions. Each figure tells how\n"
	"many samples it comes from, each share its 95% confidence interval (Wilson), each table\n"
	"why samples have no value.\n"
	"\n"
	"What is printed:\n"
	"      --format FORMAT     text (default), json, or csv: a line for each figure\n"
	"      --sort ORDER        top instructions by: samples (default), latency (cycles of\n"
	"                          cache misses; PEBS: of loads), tlb (of TLB refills), retire\n"
	"                          (from tag to retirement; PEBS: since the one before)\n"
	"      --top N             list N instructions, and N tasks (default 10)\n"
	"      --colour WHEN       auto (default), always, never\n"
	"  -o, --output FILE       write there instead of standard output\n"
	"  -h, --help              this help\n"
	"\n" SYMBOL_HELP "\n" SELECTION_HELP "\n" RECORDING_HELP "\n"
	"Examples:\n"
	"  precis report perf.data | less\n"
	"  precis report --sort latency --top 30\n"
	"  precis report --filter 'mem_level == DRAM && mem_remote != local' --sort latency\n"
	"  precis report --format json | jq .load_sources.rows\n"
	"\n"
	"Exit codes: 0 all was read; 1 something in the file could not be (what could is\n"
	"reported, a line on standard error says where); 2 wrong usage.\n";

#define TOP_DEFAULT 10
#define TOP_MOST 1000000

enum { OPTION_FORMAT = 0x3000, OPTION_SORT, OPTION_TOP, OPTION_COLOUR };

static const struct option long_options[] = {
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "sort", required_argument, NULL, OPTION_SORT },
	{ "top", required_argument, NULL, OPTION_TOP },
	{ "colour", required_argument, NULL, OPTION_COLOUR },
	{ "color", required_argument, NULL, OPTION_COLOUR },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	SYMBOL_LONG_OPTIONS,
	SELECTION_LONG_OPTIONS,
	RECORDING_LONG_OPTIONS,
	{ NULL, 0, NULL, 0 },
};

/* The words of an option that has a few; numbered in their order. */
static const char *const formats[] = { "text", "json", "csv", NULL };
static const char *const orders[] = {
	[TOP_SAMPLES] = "samples", [TOP_LATENCY] = "latency", [TOP_TLB] = "tlb",
	[TOP_RETIRE] = "retire",   [TOP_RETIRE + 1] = NULL,
};
enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
static const char *const colours[] = {
	[COLOUR_AUTO] = "auto",
	[COLOUR_ALWAYS] = "always",
	[COLOUR_NEVER] = "never",
	[COLOUR_NEVER + 1] = NULL,
};

static void (*const printers[])(struct output *, const struct document *) = {
	report_print_text,
	report_print_json,
	report_print_csv,
};

struct arguments {
	const char *command;
	const char *path;
	const char *output;
	struct symbol_options symbols;
	unsigned int format, order, colour;
	int is_help;
	struct report_options options;
	struct selection selection;
	struct recording_options recording;
};

static int take_word(const char *command, const char *option, const char *const *words,
		     const char *value, unsigned int *number)
{
	char known[128] = "";

	for (unsigned int i = 0; words[i]; i++) {
		if (strcmp(words[i], value) == 0) {
			*number = i;
			return EXIT_OK;
		}
		strncat(known, i ? ", " : "", sizeof(known) - strlen(known) - 1);
		strncat(known, words[i], sizeof(known) - strlen(known) - 1);
	}
	return complain_usage(command, "--%s: expected one of %s, found '%s'", option, known,
			      value);
}

static int take_top(struct arguments *arguments, const char *value)
{
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(value, &end, 10);
	if (errno || *end || *value < '0' || *value > '9' || number > TOP_MOST)
		return complain_usage(arguments->command,
				      "--top: expected a number up to %u, found '%s'", TOP_MOST,
				      value);
	arguments->options.top = (uint32_t)number;
	return EXIT_OK;
}

static int take_other(struct arguments *arguments, int found, const char *value, char **argv)
{
	int code;

	if (found == '?' || found == ':')
		return complain_option(arguments->command, found, argv);
	code = symbol_option(&arguments->symbols, arguments->command, found, value);
	arguments->options.no_demangle = arguments->symbols.no_demangle;
	if (code >= 0)
		return code;
	code = selection_option(&arguments->selection, arguments->command, found, value);
	if (code < 0)
		return recording_option(&arguments->recording, arguments->command, found, value);
	arguments->options.is_selected = 1;
	return code;
}

static int take_option(struct arguments *arguments, int found, const char *value, char **argv)
{
	switch (found) {
	case OPTION_FORMAT:
		return take_word(arguments->command, "format", formats, value, &arguments->format);
	case OPTION_SORT:
		return take_word(arguments->command, "sort", orders, value, &arguments->order);
	case OPTION_TOP:
		return take_top(arguments, value);
	case OPTION_COLOUR:
		return take_word(arguments->command, "colour", colours, value, &arguments->colour);
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

static int parse_arguments(struct arguments *arguments, int argc, char **argv)
{
	int found, code = EXIT_OK;

	arguments->command = argv[0];
	arguments->path = "perf.data";
	arguments->options.top = TOP_DEFAULT;
	opterr = 0;
	while (code == EXIT_OK && !arguments->is_help &&
	       (found = getopt_long(argc, argv, ":ho:e:", long_options, NULL)) != -1)
		code = take_option(arguments, found, optarg, argv);
	if (code || arguments->is_help)
		return code;
	return complain_unless_one_file(argc, argv, &arguments->path);
}

static int out_of_memory(const struct arguments *arguments)
{
	complain(arguments->command, "out of memory");
	return EXIT_FAILED;
}

/* Those of the AUX area behind the record that came last. */
static void read_traced(struct collection *collection, const uint64_t wanted[PRECIS_FIELD_WORDS],
			const struct selection *selection, struct recording *recording,
			struct precis_sample *sample)
{
	uint64_t traced[PRECIS_FIELD_WORDS], index;

	memcpy(traced, wanted, sizeof(traced));
	collection_want_traced(collection, traced);
	while (!collection->top.starts_over &&
	       recording_next_traced(recording, traced, NULL, sample, NULL)) {
		const struct precis_event *event = precis_get_event(sample, &index) ?
			precis_file_event(recording->file, (uint32_t)index) : NULL;

		if (!selection_has_traced(selection, event, sample))
			continue;
		top_sample(&collection->top, sample);
		collect_traced(collection, sample);
	}
}

/* Up to the end, or to where the top table has to start over. */
static void read_samples(struct collection *collection, const uint64_t wanted[PRECIS_FIELD_WORDS],
			 const struct selection *selection, struct recording *recording,
			 struct faults *faults)
{
	struct precis_sample sample;
	struct precis_record record;
	int code;

	precis_sample_init(&sample);
	while (!collection->top.starts_over && recording_next(recording, &record)) {
		/* the events of a pipe come while it is read */
		if (record.type == PRECIS_RECORD_HEADER_ATTR)
			collection->has_switches = offcpu_is_recorded(recording->file);
		if (collection->has_switches)
			offcpu_records_add(&collection->switches, recording->file, &record);
		if (record.type != PRECIS_RECORD_SAMPLE) {
			top_record(&collection->top, recording->file, &record);
			read_traced(collection, wanted, selection, recording, &sample);
			continue;
		}
		if (selection->event_wanted &&
		    !selection_has_event(selection, precis_file_event_of(recording->file, &record)))
			continue;
		code = precis_file_sample(recording->file, &record, wanted, NULL, &sample);
		faults_note(faults, recording->file, &record, &sample, code);
		if (!code && (!selection->checks_fields || selection_has(selection, &sample))) {
			top_sample(&collection->top, &sample);
			collect_sample(collection, &record, &sample);
		}
	}
	read_traced(collection, wanted, selection, recording, &sample);
}

/* Forget all samples and go back to the file's start; the top table knows the processes then. */
static int start_over(struct collection *collection, uint64_t wanted[PRECIS_FIELD_WORDS],
		      struct precis_file *file)
{
	struct top top = collection->top;
	int failed = top_read_tasks(&top, file);

	memset(&collection->top, 0, sizeof(collection->top));
	collection_free(collection);
	failed |= collection_init(collection, file, wanted);
	collection->top = top;
	return failed;
}

/* EXIT_OK, or EXIT_FAILED if not everything could be read. */
static int collect(struct collection *collection, uint64_t wanted[PRECIS_FIELD_WORDS],
		   const struct selection *selection, struct recording *recording)
{
	struct faults faults = { 0 };
	int code;

	read_samples(collection, wanted, selection, recording, &faults);
	if (collection->top.starts_over) {
		faults = (struct faults){ 0 };
		recording_rewound(recording);
		if (start_over(collection, wanted, recording->file) < 0) {
			collection->failed = 1;
			return EXIT_FAILED;
		}
		read_samples(collection, wanted, selection, recording, &faults);
	}
	collection_finish(collection);
	code = faults_print(&faults, recording);
	if (traces_print(recording))
		code = EXIT_FAILED;
	return recording->broken ? EXIT_FAILED : code;
}

static void make_document(struct document *document, struct collection *collection,
			  const struct recording *recording, const struct report_options *options)
{
	section_recording(document, collection, recording, options);
	section_summary(document, collection);
	section_losses(document, recording);
	section_ops(document, collection);
	section_data_sources(document, collection);
	section_dtlb(document, collection);
	section_miss_buffers(document, collection);
	section_pipeline(document, collection);
	section_branches(document, collection);
	section_fetch(document, collection);
	section_pebs(document, collection);
	section_offcpu(document, collection, options);
	section_top(document, collection, options);
}

static int print_document(const struct arguments *arguments, const struct document *document)
{
	struct output output;

	if (output_open(&output, arguments->output, arguments->command))
		return EXIT_FAILED;
	if (arguments->colour != COLOUR_AUTO)
		output.colour = arguments->colour == COLOUR_ALWAYS;
	printers[arguments->format](&output, document);
	return output_close(&output, arguments->command) ? EXIT_FAILED : EXIT_OK;
}

/* Everything between opening the recording and closing it. */
static int report_collected(struct arguments *arguments, struct collection *collection,
			    struct recording *recording)
{
	uint64_t wanted[PRECIS_FIELD_WORDS];
	struct document document = { 0 };
	int code, print_code;

	memcpy(wanted, arguments->selection.fields, sizeof(wanted));
	if (collection_init(collection, recording->file, wanted) < 0 ||
	    top_init(&collection->top, (enum top_order)arguments->order,
		     symbol_options_finish(&arguments->symbols, recording->file),
		     recording->file) < 0)
		return out_of_memory(arguments);
	if (arguments->recording.order == PRECIS_ORDER_TIME)
		top_is_sorted(&collection->top);
	code = collect(collection, wanted, &arguments->selection, recording);
	if (!collection->failed)
		make_document(&document, collection, recording, &arguments->options);
	if (document.failed || collection->failed)
		code = out_of_memory(arguments);
	else if ((print_code = print_document(arguments, &document)))
		code = print_code;
	document_free(&document);
	return code;
}

/*
 * Context switches of several CPUs make sense in the order of their times alone, and what can be
 * read but once has to be in order where otherwise a second pass is needed.
 */
static int needs_order(const char *path)
{
	struct precis_file *file;
	int needs;

	if (recording_is_stream(path))
		return 1;
	if (strcmp(path, "-") == 0 ? precis_file_open_fd(STDIN_FILENO, NULL, &file, NULL)
				   : precis_file_open(path, NULL, &file, NULL))
		return 0;
	needs = offcpu_is_recorded(file);
	precis_file_close(file);
	return needs;
}

static int report(struct arguments *arguments)
{
	struct collection *collection;
	struct recording recording;
	int code;

	if (needs_order(arguments->path))
		arguments->recording.order = PRECIS_ORDER_TIME;
	code = recording_open(&recording, arguments->command, arguments->path,
			      &arguments->recording);
	if (code)
		return code;
	code = selection_open(&arguments->selection, arguments->command, arguments->path,
			      recording.file);
	if (!code && recording_is_output(&recording, arguments->output))
		code = EXIT_FAILED;
	collection = code ? NULL : calloc(1, sizeof(*collection));
	if (collection) {
		code = report_collected(arguments, collection, &recording);
		collection_free(collection);
	} else if (!code) {
		code = out_of_memory(arguments);
	}
	free(collection);
	recording_close(&recording);
	return code;
}

int command_report(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	int code = parse_arguments(&arguments, argc, argv);

	if (!code && !arguments.is_help)
		code = report(&arguments);
	selection_free(&arguments.selection);
	symbol_options_free(&arguments.symbols);
	return code;
}
