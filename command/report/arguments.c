/* SPDX-License-Identifier: BSD-3-Clause */
/* precis report: its options and its help. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/sharing/answer.h"
#include "analysis/top/places.h"
#include "annotate_options.h"
#include "arguments.h"
#include "by_options.h"
#include "command/mix/arguments.h"
#include "command/usage/complain.h"
#include "command/usage/help.h"
#include "command/usage/option_value.h"

const char report_help[] =
	"Usage: precis report [OPTION...] [FILE...]\n"
	"What the IBS and PEBS samples of recordings (default: perf.data; - is standard input)\n"
	"say, summed up: key figures, then tables of op kinds, data sources, TLBs, and what else\n"
	"the hardware tells; of PEBS those of each event apart; the time of tasks off the CPU\n"
	"(where context switches were recorded) and the top instructions. Each figure tells how\n"
	"many samples it comes from, each share its 95% confidence interval, each table why\n"
	"samples have no value. Several recordings give one report of all their samples.\n"
	"\n"
	"What is printed:\n"
	"      --sections S[,S...] these alone, as findings,summary,top; help lists them. Text has\n"
	"                          without it what fits two screens, json and csv have all\n"
	"      --all               all sections\n"
	"      --format FORMAT     text (default), json, or csv: a line for each figure\n"
	"      --sort ORDER        top instructions by: samples (default), latency (cycles of\n"
	"                          cache misses; PEBS: of loads), tlb (of TLB refills), retire\n"
	"                          (from tag to retirement; PEBS: since the one before)\n"
	"      --top N             list N instructions, and N tasks (default 10)\n"
	"      --colour WHEN       auto (default), always, never\n"
	"      --jobs N            read with N threads (default 1; 0: one for each CPU): the same\n"
	"                          report in less time, if the file is large\n"
	"  -o, --output FILE       write there instead of standard output\n"
	"      --save FILE         instead of a report what was counted, which precis report tells\n"
	"                          later, of several such files together, with the same options\n"
	"                          and without recordings and binaries; such files among FILE are\n"
	"                          saved together\n"
	"  -h, --help              this help\n"
	"\n"
	"Samples told apart, instead of all that:\n"
	"      --by KEY[,KEY...]   a row for each symbol, line, instruction, dso, comm, node (of the\n"
	"                          CPU), memory_node (of the data), page, cache_line, object\n"
	"                          (variable, or what else the data is in), memory (of which kind),\n"
	"                          cgroup, level, caller, stack (of calls, where they were\n"
	"                          recorded), event, time (50 parts of it; time:N: N parts;\n"
	"                          time:20ms: parts of 20 ms), or value of a field of\n"
	"                          precis-fields(7), as pid, tid, cpu, op;\n"
	"                          with several keys those of the next in each of the one before;\n"
	"                          help lists all with what they mean\n"
	"      --columns C[,C...]  of: samples, events (that they stand for), share, cycles,\n"
	"                          cycle_share, n, mean, median, p95, p99, max (of the latency);\n"
	"                          trend (what samples of each of 32 parts of the time weigh); and\n"
	"                          shares of those that tell: a level (L1, DRAM, ...), remote,\n"
	"                          tlb_miss, tlb_walk, or a field that is true or false; help\n"
	"                          lists them\n"
	"      --latency FIELD     what the cycles are (default: dcache_miss_latency of ops,\n"
	"                          fetch_latency of fetches, that of the loads of PEBS)\n"
	"      --sort COLUMN       (default: samples); --top N rows of each key (default 10)\n"
	"\n" SYMBOL_HELP "\n" SELECTION_HELP "\n" RECORDING_HELP "\n"
	"Intel PEBS records that no perf has seen, from a driver or a simulator:\n" PEBS_HELP "\n"
	"Examples:\n"
	"  precis report perf.data | less\n"
	"  precis report --sections findings,load_sources,top\n"
	"  precis report --sort latency --top 30\n"
	"  precis report --filter 'mem_level == DRAM && mem_remote != local' --sort latency\n"
	"  precis report --by symbol,level --columns samples,share,cycle_share,p99\n"
	"  precis report --by node,memory_node --columns share,remote,DRAM\n"
	"  precis report --by symbol --columns share,trend --time 10%-90%\n"
	"  precis report --format json | jq .load_sources.rows\n"
	"  precis report node*/perf.data\n"
	"  precis report --save node7.saved perf.data; precis report node*.saved\n"
	"  precis report --pebs-format 4 --cpu 6,143,8 --event load-latency buffer.ds\n"
	"\n"
	"Exit codes: 0 all was read; 1 something in the file could not be (what could is\n"
	"reported, a line on standard error says where); 2 wrong usage.\n";

#define TOP_DEFAULT 10
#define TOP_MOST 1000000
#define TOP_OF_PROGRAMS 1000 /* precis sharing, for who does not read it on a screen */
#define ACCESS_BYTES_MOST 64

enum {
	OPTION_FORMAT = 0x3000, OPTION_SORT, OPTION_TOP, OPTION_COLOUR, OPTION_JOBS,
	OPTION_BY, OPTION_COLUMNS, OPTION_LATENCY, OPTION_RUNS, OPTION_LEVEL, OPTION_MIX,
	OPTION_SECTIONS, OPTION_ALL, OPTION_SAVE,
	OPTION_DSO, OPTION_TYPE, OPTION_CONTEXT, OPTION_SYNTAX, OPTION_SOURCE_PATH,
	OPTION_SVG, OPTION_ACCESS_BYTES
};

static const char short_options[] = ":ho:e:";
static const struct option long_options[] = {
	{ "sections", required_argument, NULL, OPTION_SECTIONS },
	{ "all", no_argument, NULL, OPTION_ALL },
	{ "save", required_argument, NULL, OPTION_SAVE },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "by", required_argument, NULL, OPTION_BY },
	{ "columns", required_argument, NULL, OPTION_COLUMNS },
	{ "latency", required_argument, NULL, OPTION_LATENCY },
	{ "sort", required_argument, NULL, OPTION_SORT },
	{ "runs", required_argument, NULL, OPTION_RUNS },
	{ "level", required_argument, NULL, OPTION_LEVEL },
	{ "mix", required_argument, NULL, OPTION_MIX },
	{ "dso", required_argument, NULL, OPTION_DSO },
	{ "type", required_argument, NULL, OPTION_TYPE },
	{ "context", required_argument, NULL, OPTION_CONTEXT },
	{ "syntax", required_argument, NULL, OPTION_SYNTAX },
	{ "source-path", required_argument, NULL, OPTION_SOURCE_PATH },
	{ "svg", required_argument, NULL, OPTION_SVG },
	{ "access-bytes", required_argument, NULL, OPTION_ACCESS_BYTES },
	{ "top", required_argument, NULL, OPTION_TOP },
	{ "colour", required_argument, NULL, OPTION_COLOUR },
	{ "jobs", required_argument, NULL, OPTION_JOBS },
	{ "color", required_argument, NULL, OPTION_COLOUR },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	PEBS_LONG_OPTIONS,
	SYMBOL_LONG_OPTIONS,
	SELECTION_LONG_OPTIONS,
	RECORDING_LONG_OPTIONS,
	{ NULL, 0, NULL, 0 },
};

/* The words of an option that has a few; numbered in their order. */
static const char *const formats[] = {
	[REPORT_TEXT] = "text",
	[REPORT_JSON] = "json",
	[REPORT_CSV] = "csv",
	[REPORT_CSV + 1] = NULL,
};
static const char *const orders[] = {
	[TOP_SAMPLES] = "samples", [TOP_LATENCY] = "latency", [TOP_TLB] = "tlb",
	[TOP_RETIRE] = "retire",   [TOP_RETIRE + 1] = NULL,
};
static const char *const syntaxes[] = {
	[PRECIS_CODE_ATT] = "att",
	[PRECIS_CODE_INTEL] = "intel",
	[PRECIS_CODE_INTEL + 1] = NULL,
};
static const char *const colours[] = {
	[COLOUR_AUTO] = "auto",
	[COLOUR_ALWAYS] = "always",
	[COLOUR_NEVER] = "never",
	[COLOUR_NEVER + 1] = NULL,
};

/* The long name of an option that getopt_long() found; NULL: it is none */
static const char *name_of(int found)
{
	const struct option *option = long_options;

	while (option->name && option->val != found)
		option++;
	return option->name;
}

/* Of reports alone */
static int take_save(struct report_arguments *arguments, const char *value, char **argv)
{
	if (arguments->by.runs || arguments->by.annotated.is_asked)
		return complain_option(arguments->command, '?', argv, long_options);
	arguments->save = value;
	return EXIT_OK;
}

/* Commands that are to say more of the same samples need it again. What the filter is may depend on them. */
static void keep(struct report_arguments *arguments, int found, const char *value)
{
	const char *name = name_of(found);

	if (name && found != OPTION_NO_PROGRESS && found != OPTION_FILTER)
		words_add_option(&arguments->chosen, name, value);
}

static int take_other(struct report_arguments *arguments, int found, const char *value,
		      char **argv)
{
	int code;

	if (found == '?' || found == ':')
		return complain_option(arguments->command, found, argv, long_options);
	code = pebs_option(&arguments->pebs, arguments->command, found, value);
	if (code >= 0)
		return code;
	if (arguments->is_pebs) {
		arguments->is_selected |= found == OPTION_FILTER;
		return pebs_take_other(&arguments->pebs, &arguments->selection, arguments->command,
				       found, value, long_options);
	}
	code = symbol_option(&arguments->symbols, arguments->command, found, value);
	if (code >= 0)
		return code;
	code = selection_option(&arguments->selection, arguments->command, found, value);
	if (code < 0)
		return recording_option(&arguments->recording, arguments->command, found, value);
	arguments->is_selected = 1;
	return code;
}

/* Numbers of processes and threads are each recording's own; groups are in a file that precis mix reads. */
static int take_mix(struct report_arguments *arguments, const char *value)
{
	struct mix_arguments mix = { .command = arguments->command };
	const int code = mix_take_by(&mix, "mix", value);

	arguments->mixes.by = mix.by;
	arguments->is_help |= mix.is_help;
	if (code)
		return code;
	if (mix_is_by(&mix, MIX_BY_PROCESS) || mix_is_by(&mix, MIX_BY_THREAD))
		return complain_usage(arguments->command, "--mix: processes and threads are not compared: "
				      "recordings have numbers of their own");
	return mix_is_by(&mix, MIX_BY_GROUP) ?
		       complain_usage(arguments->command, "--mix: groups are not compared") : EXIT_OK;
}

/* Of precis diff alone: report has 'runs' 0 */
static int take_of_diff(struct report_arguments *arguments, int found, const char *value,
			char **argv)
{
	uint32_t level;
	int code;

	if (!arguments->by.runs)
		return complain_option(arguments->command, '?', argv, long_options);
	if (found == OPTION_MIX)
		return take_mix(arguments, value);
	if (found == OPTION_RUNS) {
		code = option_number(arguments->command, "runs", value, TOP_RECORDINGS_MOST,
				   &arguments->by.runs);
		return !code && !arguments->by.runs ?
			       complain_usage(arguments->command, "--runs: expected 1 or more") : code;
	}
	code = option_number(arguments->command, "level", value, 99, &level);
	if (!code && level < 50)
		return complain_usage(arguments->command, "--level: expected 50 to 99, in percent");
	arguments->by.level = level / 100.0;
	return code;
}

/* Of reports that have several sections alone */
static int take_choice(struct report_arguments *arguments, int found, const char *value, char **argv)
{
	if (arguments->by.runs || arguments->by.annotated.is_asked)
		return complain_option(arguments->command, '?', argv, long_options);
	if (found == OPTION_ALL) {
		arguments->choice.is_all = 1;
		return EXIT_OK;
	}
	arguments->is_help = strcmp(value, "help") == 0;
	return arguments->is_help ? choice_help(arguments->command) :
				    choice_take(&arguments->choice, arguments->command, value);
}

/* Of precis annotate alone */
static int take_of_annotate(struct report_arguments *arguments, int found, const char *value,
			    char **argv)
{
	struct by_annotated *annotated = &arguments->by.annotated;

	if (!annotated->is_asked)
		return complain_option(arguments->command, '?', argv, long_options);
	switch (found) {
	case OPTION_DSO:
		annotated->dso = value;
		return EXIT_OK;
	case OPTION_TYPE:
		if (!*value)
			return complain_usage(arguments->command, "--type: expected the name of a type");
		annotated->type = value;
		return EXIT_OK;
	case OPTION_CONTEXT:
		annotated->has_context = 1;
		return option_number(arguments->command, "context", value, TOP_MOST,
				   &annotated->context);
	case OPTION_SYNTAX:
		return option_word(arguments->command, "syntax", syntaxes, value,
				 &annotated->syntax);
	default:
		return sources_take_directory(&arguments->sources, arguments->command, value);
	}
}

/* Of precis sharing alone */
static int take_of_sharing(struct report_arguments *arguments, int found, const char *value,
			   char **argv)
{
	struct sharing_arguments *sharing = &arguments->sharing;

	if (!sharing->is_asked)
		return complain_option(arguments->command, '?', argv, long_options);
	if (found == OPTION_BY)
		return option_word(arguments->command, "by", sharing_by_words, value,
				   &sharing->request.by);
	if (found == OPTION_SVG) {
		sharing->svg = value;
		return EXIT_OK;
	}
	return option_number(arguments->command, "access-bytes", value, ACCESS_BYTES_MOST,
			   &sharing->request.access_bytes);
}

/* Keys of rows, or columns; "help" lists them */
static int take_rows(struct report_arguments *arguments, int are_keys, const char *value)
{
	arguments->is_help = strcmp(value, "help") == 0;
	if (arguments->is_help)
		return (are_keys ? by_help_keys : by_help_columns)(&arguments->by, arguments->command);
	return (are_keys ? by_take_keys : by_take_columns)(&arguments->by, arguments->command, value);
}

/* Whether precis annotate knows it: its rows and columns are always the same. */
static int is_of_rows(int found)
{
	return found == OPTION_BY || found == OPTION_COLUMNS || found == OPTION_SORT;
}

/* Whether precis sharing does not know it: there is no choice of tables or columns. */
static int is_of_reports(int found)
{
	return found == OPTION_COLUMNS || found == OPTION_SORT || found == OPTION_LATENCY ||
	       found == OPTION_SECTIONS || found == OPTION_ALL;
}

static int take_option(struct report_arguments *arguments, int found, const char *value, char **argv)
{
	if (arguments->by.annotated.is_asked && is_of_rows(found))
		return complain_option(arguments->command, '?', argv, long_options);
	if (arguments->sharing.is_asked && is_of_reports(found))
		return complain_option(arguments->command, '?', argv, long_options);
	if (name_of(found))
		asked_add(&arguments->asked, name_of(found), value);
	switch (found) {
	case OPTION_SAVE:
		return take_save(arguments, value, argv);
	case OPTION_FORMAT:
		return option_word(arguments->command, "format", formats, value, &arguments->format);
	case OPTION_SORT: /* of what, the other options say */
		arguments->sort = value;
		return EXIT_OK;
	case OPTION_SVG:
	case OPTION_ACCESS_BYTES:
		return take_of_sharing(arguments, found, value, argv);
	case OPTION_BY:
	case OPTION_COLUMNS:
		if (arguments->sharing.is_asked)
			return take_of_sharing(arguments, found, value, argv);
		return take_rows(arguments, found == OPTION_BY, value);
	case OPTION_RUNS:
	case OPTION_LEVEL:
	case OPTION_MIX:
		return take_of_diff(arguments, found, value, argv);
	case OPTION_SECTIONS:
	case OPTION_ALL:
		return take_choice(arguments, found, value, argv);
	case OPTION_DSO:
	case OPTION_TYPE:
	case OPTION_CONTEXT:
	case OPTION_SYNTAX:
	case OPTION_SOURCE_PATH:
		return take_of_annotate(arguments, found, value, argv);
	case OPTION_LATENCY:
		return by_take_latency(&arguments->by, arguments->command, value);
	case OPTION_TOP:
		arguments->is_top_given = 1;
		return option_number(arguments->command, "top", value, TOP_MOST, &arguments->top);
	case OPTION_JOBS:
		return option_number(arguments->command, "jobs", value, JOBS_MOST, &arguments->jobs);
	case OPTION_COLOUR:
		return option_word(arguments->command, "colour", colours, value, &arguments->colour);
	case 'o':
		arguments->output = value;
		return EXIT_OK;
	case 'h':
		arguments->is_help = 1;
		return print_help(arguments->command, arguments->help);
	default:
		keep(arguments, found, value);
		return take_other(arguments, found, value, argv);
	}
}

/* A file that is there */
struct named_file {
	const char *path;
	struct stat status;
};

static int by_inode(const void *a, const void *b)
{
	const struct stat *left = &((const struct named_file *)a)->status;
	const struct stat *right = &((const struct named_file *)b)->status;

	if (left->st_dev != right->st_dev)
		return left->st_dev < right->st_dev ? -1 : 1;
	return left->st_ino < right->st_ino ? -1 : left->st_ino > right->st_ino;
}

static int complain_if_twice(const struct report_arguments *arguments)
{
	struct named_file *files = calloc(arguments->path_count, sizeof(*files));
	int code = EXIT_OK;
	size_t count = 0;

	for (size_t n = 0; files && n < arguments->path_count; n++) {
		const char *path = arguments->paths[n];
		int failed = strcmp(path, "-") ? stat(path, &files[count].status) :
						 fstat(STDIN_FILENO, &files[count].status);

		files[count].path = path;
		count += !failed;
	}
	if (count)
		qsort(files, count, sizeof(*files), by_inode);
	for (size_t n = 1; n < count && !code; n++) {
		if (by_inode(&files[n - 1], &files[n]) == 0)
			code = complain_usage(arguments->command,
					      "'%s' and '%s' are the same file: its samples would "
					      "count twice", files[n - 1].path, files[n].path);
	}
	free(files);
	return code;
}

/* The first word, unless it is a recording, is what is to be annotated. */
static int take_annotated(struct report_arguments *arguments, int argc, char **argv)
{
	struct by_annotated *annotated = &arguments->by.annotated;

	if (!annotated->is_asked)
		return EXIT_OK;
	annotate_choose_keys(&arguments->by);
	arguments->sources.symfs = arguments->symbols.options.symfs;
	fetching_begin(&arguments->symbols.fetching, arguments->command);
	arguments->sources.fetching = &arguments->symbols.fetching;
	annotated->source = sources_line;
	annotated->source_data = &arguments->sources;
	if (annotated->type || optind == argc || annotate_is_recording(argv[optind]))
		return EXIT_OK;
	return annotate_take_place(annotated, arguments->command, argv[optind++]);
}

/* What getopt_long() left: files, each once, since samples that count twice are no samples */
static int take_paths(struct report_arguments *arguments, int argc, char **argv)
{
	static const char *const one[] = { "perf.data" };

	arguments->paths = optind < argc ? (const char *const *)argv + optind : one;
	arguments->path_count = optind < argc ? (size_t)(argc - optind) : 1;
	if (arguments->path_count > TOP_RECORDINGS_MOST)
		return complain_usage(arguments->command, "expected at most %u files, found %zu",
				      TOP_RECORDINGS_MOST, arguments->path_count);
	if (arguments->by.runs && (arguments->path_count < 2 * (size_t)arguments->by.runs ||
				   arguments->path_count % arguments->by.runs))
		return complain_usage(arguments->command,
				      "expected two recordings or more, those of each side as many as "
				      "--runs says (%u); found %zu", arguments->by.runs,
				      arguments->path_count);
	return complain_if_twice(arguments);
}

static int check_choice(const struct report_arguments *arguments)
{
	const struct choice *choice = &arguments->choice;

	if (choice->is_all && choice->sections)
		return complain_usage(arguments->command, "--all and --sections: expected one of them");
	if (arguments->by.key_count && (choice->is_all || choice->sections))
		return complain_usage(arguments->command, "--%s: with --by there is that table alone",
				      choice->is_all ? "all" : "sections");
	return EXIT_OK;
}

/* Of what was executed the rows and figures are always the same. */
static int check_mix(const struct report_arguments *arguments)
{
	const char *other = arguments->by.key_count ? "by" :
			    arguments->by.column_count ? "columns" :
			    arguments->sort ? "sort" :
			    arguments->by.latency >= 0 ? "latency" : NULL;

	return arguments->mixes.by.count && other ?
		       complain_usage(arguments->command, "--mix and --%s: expected one of them", other) :
		       EXIT_OK;
}

/* What is saved is told later: nothing that is of a page */
static int check_save(const struct report_arguments *arguments)
{
	const struct choice *choice = &arguments->choice;
	const char *other = arguments->output ? "output" :
			    choice->is_all ? "all" : choice->sections ? "sections" :
			    arguments->sharing.svg ? "svg" : NULL;

	return arguments->save && other ?
		       complain_usage(arguments->command, "--save and --%s: expected one of them", other) :
		       EXIT_OK;
}

/* Of a table by keys, one of its columns; else an order of the top instructions */
static int take_sort(struct report_arguments *arguments)
{
	if (arguments->by.key_count || arguments->by.runs)
		return by_take_sort(&arguments->by, arguments->command, arguments->sort);
	if (!arguments->by.annotated.is_asked &&
	    (arguments->by.column_count || arguments->by.latency >= 0))
		return complain_usage(arguments->command, "--%s is for tables of --by",
				      arguments->by.column_count ? "columns" : "latency");
	return arguments->sort ? option_word(arguments->command, "sort", orders, arguments->sort,
					   &arguments->order) : EXIT_OK;
}

int report_arguments_parse(struct report_arguments *arguments, int argc, char **argv)
{
	int found, code = EXIT_OK;

	arguments->command = argv[0];
	arguments->top = arguments->top ? arguments->top : TOP_DEFAULT;
	arguments->jobs = 1;
	arguments->by.latency = -1;
	opterr = 0;
	pebs_options_init(&arguments->pebs);
	arguments->is_pebs = pebs_format_is_given(argc, argv, short_options, long_options);
	while (code == EXIT_OK && !arguments->is_help &&
	       (found = getopt_long(argc, argv, short_options, long_options, NULL)) != -1)
		code = take_option(arguments, found, optarg, argv);
	if (code || arguments->is_help)
		return code;
	if (arguments->sharing.is_asked && arguments->format != REPORT_TEXT && !arguments->is_top_given)
		arguments->top = TOP_OF_PROGRAMS;
	code = take_sort(arguments);
	if (!code)
		code = check_mix(arguments);
	if (!code)
		code = check_choice(arguments);
	if (!code)
		code = check_save(arguments);
	if (!code)
		code = take_annotated(arguments, argc, argv);
	if (!code)
		code = take_paths(arguments, argc, argv);
	return code ? code : pebs_options_check(&arguments->pebs, arguments->command);
}
