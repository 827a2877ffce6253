/* SPDX-License-Identifier: BSD-3-Clause */
/* See sde.h. */
#include "sde.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/usage/complain.h"
#include "libdecode/code/instruction.h"
#include "libdecode/code/sde_names.h"

struct line {
	const char *name;
	double count;
};

struct lines {
	struct names names;
	double *count; /* by number of the name */
	uint32_t room;
	int failed;
};

static void add(struct lines *lines, const char *name, double count)
{
	const uint32_t n = names_add(&lines->names, name);

	if (!n) {
		lines->failed = 1;
		return;
	}
	if (n >= lines->room) {
		const uint32_t room = lines->names.room + 1;
		double *more = realloc(lines->count, room * sizeof(*more));

		if (!more) {
			lines->failed = 1;
			return;
		}
		memset(more + lines->room, 0, (room - lines->room) * sizeof(*more));
		lines->count = more;
		lines->room = room;
	}
	lines->count[n] += count;
}

/* In capital letters, as XED has it. @return 0: it has none */
static int put_mnemonic(const struct code_form *form, char text[CODE_SDE_NAME])
{
	const char *name = code_mnemonic_name(form->mnemonic);
	size_t n = 0;

	for (; name && name[n] && n < CODE_SDE_NAME - 1; n++)
		text[n] = (char)toupper((unsigned char)name[n]);
	text[n] = '\0';
	return n > 0;
}

static void add_form(struct lines *lines, const struct code_form *form, double executions)
{
	struct code_sde_name names[CODE_SDE_NAMES_MOST];
	const uint32_t count = code_sde_names(form, names);
	char mnemonic[CODE_SDE_NAME];

	if (put_mnemonic(form, mnemonic))
		add(lines, mnemonic, executions);
	for (uint32_t n = 0; n < count; n++)
		add(lines, names[n].name, executions * names[n].times);
	add(lines, "*total", executions);
}

static void add_block(struct lines *lines, const struct mixed *mixed, uint32_t n)
{
	const struct code_blocks *blocks = mixed->program.blocks;
	const struct code_block *block = code_blocks_get(blocks, mixed->program.node[n].code);
	const uint32_t *steps = block ? code_blocks_steps(blocks, block) : NULL;
	struct code_form unknown;

	for (uint32_t i = 0; block && i < block->count; i++)
		add_form(lines, code_blocks_form(blocks, CODE_STEP_FORM(steps[i])), mixed->counts[n]);
	if (block)
		return;
	code_form_unknown(&unknown);
	add_form(lines, &unknown, mixed->counts[n] * mixed->whole[n]);
}

/* Names of kinds behind mnemonics, each in the order of letters; the total is the last */
static int rank(const char *name)
{
	return strcmp(name, "*total") == 0 ? 2 : *name == '*';
}

static int by_name(const void *a, const void *b)
{
	const struct line *left = a, *right = b;
	const int difference = rank(left->name) - rank(right->name);

	return difference ? difference : strcmp(left->name, right->name);
}

static void print_lines(const struct lines *lines, struct output *output, struct line *line)
{
	for (uint32_t n = 0; n < lines->names.count; n++)
		line[n] = (struct line){ lines->names.list[n].text, lines->count[n + 1] };
	qsort(line, lines->names.count, sizeof(*line), by_name);
	for (uint32_t n = 0; n < lines->names.count; n++) {
		const uint64_t count = (uint64_t)llround(fmin(line[n].count, MIX_NUMBER_MOST));

		if (count)
			output_format(output, "%-32s %20" PRIu64 "\n", line[n].name, count);
	}
}

int sde_refused(const struct mixed *mixed)
{
	const struct mix_arguments *arguments = mixed->arguments;

	if (mixed->counts && !mixed->program.is_relative)
		return 0;
	complain(arguments->command, "%s: --format sde needs numbers of executions: %s",
		 mixed->reading->recording.path,
		 mixed->counts ? "stacks were not sampled by taken branches"
			       : mix_why_text(mix_why(mixed->estimate, arguments->method)));
	return 1;
}

int sde_print(const struct mixed *mixed, struct output *output)
{
	const char *path = mixed->reading->recording.path;
	struct lines lines = { .count = NULL };
	struct line *line;

	for (uint32_t n = 0; n < mixed->program.count; n++)
		add_block(&lines, mixed, n);
	line = malloc((lines.names.count + 1) * sizeof(*line));
	lines.failed |= !line;
	if (!lines.failed) {
		output_format(output, "# $global-dynamic-counts of %s, estimated: %s\n", path,
			      mix_method_name(mixed->arguments->method));
		print_lines(&lines, output, line);
	}
	free(line);
	free(lines.count);
	names_free(&lines.names);
	return lines.failed ? recording_out_of_memory(&mixed->reading->recording) : EXIT_OK;
}
