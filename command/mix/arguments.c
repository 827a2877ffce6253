/* SPDX-License-Identifier: BSD-3-Clause */
/* See arguments.h. */
#include "arguments.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mix/rare.h"
#include "command/usage/complain.h"
#include "command/usage/help.h"
#include "command/usage/nearest.h"
#include "command/usage/option_value.h"
#include "document/output.h"

#define TOP 20u
#define MOST 1000000u
#define GROUPS_BYTES_MOST (1u << 20)

static const char help[] =
	"Usage: precis mix [OPTION...] [FILE...]\n"
	"Which instructions were executed how often, from samples of instructions (IBS ops by\n"
	"micro-ops, INST_RETIRED.PREC_DIST) and branch stacks (LBR, BRS) of recordings (default:\n"
	"perf.data; - is standard input): mnemonics, extensions of the ISA, floating-point\n"
	"operations and bytes, with 95% intervals, and what of it is not known and why.\n"
	"\n"
	"What is printed:\n"
	"      --by DIM[,DIM[,DIM]]  a row for each of these together, as function,packed; help\n"
	"                          lists the dimensions\n"
	"      --groups FILE       of the dimension group: lines 'NAME: MNEMONIC MNEMONIC ...'\n"
	"      --method METHOD     joint (default): one estimate from all that was seen; ebs:\n"
	"                          instruction samples alone; lbr: branch stacks alone; rule: lbr\n"
	"                          for short blocks, ebs for long ones\n"
	"      --cutoff N          of the rule: blocks up to N instructions are short (default 18);\n"
	"                          with --method rule or --compare\n"
	"      --compare           the four methods side by side\n"
	"      --intervals         in text, too: intervals of executions, FLOPs, bytes and FLOP/byte\n"
	"      --blocks N          N blocks with the most instructions executed, with their code\n"
	"      --syntax SYNTAX     of that code: att (default) or intel\n"
	"      --places N          of code with more than N addresses that were seen (default\n"
	"                          262144; 0: no limit) leave out what was seen least; memory and\n"
	"                          time grow with them\n"
	"      --top N             rows of a table (default 20; 0: all)\n"
	"      --format FORMAT     text (default), json, csv; sde: a line for each name that\n"
	"                          Intel's SDE has in a mix, with its count; autofdo-text: a\n"
	"                          profile for clang -fprofile-sample-use; bolt: one for\n"
	"                          perf2bolt -pa\n"
	"      --colour WHEN       auto (default), always, never\n"
	"      --jobs N            work with N threads (default 1; 0: one for each CPU): the same\n"
	"                          in less time\n"
	"  -o, --output FILE       write there instead of standard output\n"
	"  -h, --help              this help\n"
	"\n" SYMBOL_HELP "\n" SELECTION_HELP "\n" RECORDING_HELP "\n"
	"Examples:\n"
	"  precis mix\n"
	"  precis mix --by function,packed,width perf.data\n"
	"  precis mix --compare --by extension perf.data\n"
	"  precis mix --blocks 5 --pid 4711\n"
	"  precis mix --format autofdo-text -o program.prof perf.data\n"
	"\n"
	"Exit codes: 0 all was read; 1 something could not be read, or nothing tells of\n"
	"executions; 2 wrong usage.\n";

enum {
	OPTION_BY = 0x3000,
	OPTION_GROUPS,
	OPTION_METHOD,
	OPTION_CUTOFF,
	OPTION_COMPARE,
	OPTION_INTERVALS,
	OPTION_BLOCKS,
	OPTION_SYNTAX,
	OPTION_PLACES,
	OPTION_TOP,
	OPTION_JOBS,
	OPTION_FORMAT,
	OPTION_COLOUR
};

static const struct option long_options[] = {
	{ "by", required_argument, NULL, OPTION_BY },
	{ "groups", required_argument, NULL, OPTION_GROUPS },
	{ "method", required_argument, NULL, OPTION_METHOD },
	{ "cutoff", required_argument, NULL, OPTION_CUTOFF },
	{ "compare", no_argument, NULL, OPTION_COMPARE },
	{ "intervals", no_argument, NULL, OPTION_INTERVALS },
	{ "blocks", required_argument, NULL, OPTION_BLOCKS },
	{ "syntax", required_argument, NULL, OPTION_SYNTAX },
	{ "places", required_argument, NULL, OPTION_PLACES },
	{ "top", required_argument, NULL, OPTION_TOP },
	{ "jobs", required_argument, NULL, OPTION_JOBS },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "colour", required_argument, NULL, OPTION_COLOUR },
	{ "color", required_argument, NULL, OPTION_COLOUR },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	SYMBOL_LONG_OPTIONS,
	SELECTION_LONG_OPTIONS,
	RECORDING_LONG_OPTIONS,
	{ NULL, 0, NULL, 0 },
};

static const char *const methods[] = {
	[MIX_EBS] = "ebs", [MIX_LBR] = "lbr", [MIX_RULE] = "rule", [MIX_JOINT] = "joint", NULL,
};
static const char *const formats[] = { "text", "json", "csv", "sde", "autofdo-text", "bolt", NULL };
static const char *const colours[] = { "auto", "always", "never", NULL };
static const char *const syntaxes[] = { "att", "intel", NULL };

const char *mix_method_name(enum mix_method method)
{
	return methods[method];
}

/* --- dimensions --- */

static int list_dimensions(const char *command, const char *option)
{
	char text[64 * (MIX_DIMENSIONS + 1)];
	size_t used = (size_t)snprintf(text, sizeof(text), "What --%s can name, up to three of them:\n",
				       option);

	for (int n = 0; n < MIX_DIMENSIONS; n++) {
		const struct mix_dimension_info *info = mix_dimension_info((enum mix_dimension)n);

		used += (size_t)snprintf(text + used, sizeof(text) - used, "  %-10s %s\n", info->name,
					 info->meaning);
	}
	return print_help(command, text);
}

static int find_dimension(const char *command, const char *option, const char *word, size_t length,
			  enum mix_dimension *dimension)
{
	struct nearest nearest = nearest_to(word, length);
	char hint[NEAREST_ROOM];

	for (int n = 0; n < MIX_DIMENSIONS; n++) {
		const char *name = mix_dimension_info((enum mix_dimension)n)->name;

		if (strlen(name) == length && memcmp(name, word, length) == 0) {
			*dimension = (enum mix_dimension)n;
			return EXIT_OK;
		}
		nearest_offer(&nearest, name);
	}
	return complain_usage(command, "--%s: unknown dimension '%.*s'%s", option, (int)length, word,
			      nearest_hint(&nearest, hint));
}

int mix_take_by(struct mix_arguments *arguments, const char *option, const char *value)
{
	arguments->by.count = 0;
	if (strcmp(value, "help") == 0) {
		arguments->is_help = 1;
		return list_dimensions(arguments->command, option);
	}
	for (;; value++) {
		const size_t length = strcspn(value, ",");
		enum mix_dimension dimension = MIX_DIMENSIONS;
		const int code = find_dimension(arguments->command, option, value, length, &dimension);

		if (code)
			return code;
		if (mix_is_by(arguments, dimension))
			return complain_usage(arguments->command, "--%s: '%.*s' twice", option, (int)length,
					      value);
		if (arguments->by.count == MIX_DIMENSIONS_MOST)
			return complain_usage(arguments->command, "--%s: at most %u dimensions", option,
					      MIX_DIMENSIONS_MOST);
		arguments->by.dimension[arguments->by.count++] = dimension;
		value += length;
		if (!*value)
			return EXIT_OK;
	}
}

int mix_is_by(const struct mix_arguments *arguments, enum mix_dimension dimension)
{
	for (uint32_t n = 0; n < arguments->by.count; n++) {
		if (arguments->by.dimension[n] == dimension)
			return 1;
	}
	return 0;
}

/* --- groups --- */

static int parse_groups(struct mix_arguments *arguments, const char *path, const char *text, size_t length)
{
	struct code_groups_error error;

	switch (code_groups_parse(text, length, &arguments->groups, &error)) {
	case 0: return EXIT_OK;
	case PRECIS_E_SYNTAX:
		complain(arguments->command, "%s:%u:%u: %s", path, error.line, error.column, error.what);
		return EXIT_USAGE;
	case PRECIS_E_UNSUPPORTED:
		complain(arguments->command, "--groups: this build of precis decodes no instructions");
		return EXIT_FAILED;
	default: complain(arguments->command, "out of memory"); return EXIT_FAILED;
	}
}

static int take_groups(struct mix_arguments *arguments, const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = file ? malloc(GROUPS_BYTES_MOST + 1) : NULL;
	const size_t length = text ? fread(text, 1, GROUPS_BYTES_MOST + 1, file) : 0;
	int code = EXIT_FAILED;

	code_groups_free(&arguments->groups);
	if (!text || ferror(file))
		complain(arguments->command, "%s: %s", path, strerror(errno));
	else if (length > GROUPS_BYTES_MOST)
		complain(arguments->command, "%s: more than %u bytes", path, GROUPS_BYTES_MOST);
	else
		code = parse_groups(arguments, path, text, length);
	free(text);
	if (file)
		fclose(file);
	return code;
}

/* --- options --- */

static int take_word(const struct mix_arguments *arguments, const char *option, const char *const *words,
		     unsigned int *number)
{
	return option_word(arguments->command, option, words, optarg, number);
}

static int take_own(struct mix_arguments *arguments, int found)
{
	const char *command = arguments->command;
	unsigned int number = 0;
	int code;

	switch (found) {
	case OPTION_BY: return mix_take_by(arguments, "by", optarg);
	case OPTION_GROUPS: return take_groups(arguments, optarg);
	case OPTION_METHOD:
		code = take_word(arguments, "method", methods, &number);
		arguments->method = (enum mix_method)number;
		arguments->has_method = 1;
		return code;
	case OPTION_CUTOFF:
		arguments->has_cutoff = 1;
		return option_number(command, "cutoff", optarg, MOST, &arguments->cutoff);
	case OPTION_COMPARE: arguments->is_compared = 1; return EXIT_OK;
	case OPTION_INTERVALS:
		arguments->has_intervals = 1;
		return EXIT_OK;
	case OPTION_BLOCKS: return option_number(command, "blocks", optarg, MOST, &arguments->blocks);
	case OPTION_SYNTAX:
		arguments->has_syntax = 1;
		return take_word(arguments, "syntax", syntaxes, &arguments->syntax);
	case OPTION_PLACES: return option_number(command, "places", optarg, MOST, &arguments->places);
	case OPTION_TOP: return option_number(command, "top", optarg, MOST, &arguments->top);
	case OPTION_JOBS: return option_number(command, "jobs", optarg, JOBS_MOST, &arguments->jobs);
	case OPTION_FORMAT:
		code = take_word(arguments, "format", formats, &number);
		arguments->format = (enum mix_format)number;
		return code;
	case OPTION_COLOUR: return take_word(arguments, "colour", colours, &arguments->colour);
	case 'o': arguments->output = optarg; return EXIT_OK;
	case 'h': arguments->is_help = 1; return print_help(command, help);
	default: return -1;
	}
}

/* Commands that are to say more of the same samples need it again. */
static void keep(struct mix_arguments *arguments, int found)
{
	const struct option *option = long_options;

	while (option->name && option->val != found)
		option++;
	if (option->name && found != OPTION_NO_PROGRESS)
		words_add_option(&arguments->chosen, option->name, optarg);
}

static int take_option(struct mix_arguments *arguments, int found, char **argv)
{
	int code = take_own(arguments, found);

	if (code < 0) {
		keep(arguments, found);
		code = sample_option(&arguments->symbols, &arguments->selection, &arguments->recording,
				     arguments->command, found, optarg);
	}
	return code < 0 ? complain_option(arguments->command, found, argv, long_options) : code;
}

/* What would be of no effect is most likely meant otherwise. */
static int check_effects(const struct mix_arguments *arguments)
{
	const char *command = arguments->command;

	if (arguments->is_compared && arguments->has_method)
		return complain_usage(command, "--compare is of all methods: not with --method");
	if (arguments->has_cutoff && arguments->method != MIX_RULE && !arguments->is_compared)
		return complain_usage(command, "--cutoff is of the rule: with --method rule or --compare");
	if (arguments->has_syntax && !arguments->blocks)
		return complain_usage(command, "--syntax is of listed code: with --blocks");
	if (arguments->has_intervals &&
	    (arguments->is_compared || arguments->format != MIX_FORMAT_TEXT))
		return complain_usage(command, "--intervals is of executions in text: not with %s",
				      arguments->is_compared ? "--compare" : "another --format");
	return EXIT_OK;
}

static int check(const struct mix_arguments *arguments)
{
	const int is_by_group = mix_is_by(arguments, MIX_BY_GROUP);

	if (is_by_group && !arguments->groups.of)
		return complain_usage(arguments->command, "--by group: --groups has to say which there are");
	if (!is_by_group && arguments->groups.of)
		return complain_usage(arguments->command,
				      "--groups: nothing is told by them without --by group");
	if (arguments->format >= MIX_FORMAT_SDE &&
	    (arguments->by.count || arguments->is_compared || arguments->blocks))
		return complain_usage(arguments->command,
				      "--format %s has all there is: not with --by, --compare, --blocks",
				      formats[arguments->format]);
	if (arguments->format > MIX_FORMAT_SDE && arguments->method != MIX_JOINT)
		return complain_usage(arguments->command, "--format %s is of the method joint alone",
				      formats[arguments->format]);
	if (arguments->format > MIX_FORMAT_SDE && arguments->path_count > 1)
		return complain_usage(arguments->command, "--format %s is of one recording",
				      formats[arguments->format]);
	return check_effects(arguments);
}

int mix_arguments_take(struct mix_arguments *arguments, int argc, char **argv)
{
	static const char *const standard[] = { "perf.data" };
	int found, code = EXIT_OK;

	*arguments = (struct mix_arguments){ .command = argv[0], .method = MIX_JOINT, .top = TOP,
					     .cutoff = MIX_CUTOFF, .places = RARE_PLACES_MOST, .jobs = 1 };
	opterr = 0;
	while (!code && !arguments->is_help &&
	       (found = getopt_long(argc, argv, ":ho:e:", long_options, NULL)) != -1)
		code = take_option(arguments, found, argv);
	if (code || arguments->is_help)
		return code;
	arguments->path_count = argc - optind;
	arguments->paths = (const char *const *)argv + optind;
	if (!arguments->path_count) {
		arguments->path_count = 1;
		arguments->paths = standard;
	}
	return check(arguments);
}

void mix_arguments_free(struct mix_arguments *arguments)
{
	code_groups_free(&arguments->groups);
	words_free(&arguments->chosen);
	selection_free(&arguments->selection);
	symbol_options_free(&arguments->symbols);
}
