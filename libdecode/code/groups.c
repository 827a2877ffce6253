/* SPDX-License-Identifier: BSD-3-Clause */
/* See groups.h. */
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "instruction.h"

struct parse {
	const char *text, *end; /* of the line */
	const char *at;
	uint32_t line;
	struct code_groups *groups;
	struct code_groups_error *error;
};

static int refuse(struct parse *parse, const char *what)
{
	*parse->error = (struct code_groups_error){
		.line = parse->line, .column = (uint32_t)(parse->at - parse->text) + 1, .what = what,
	};
	return PRECIS_E_SYNTAX;
}

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

static void skip_blanks(struct parse *parse)
{
	while (parse->at < parse->end && is_blank(*parse->at))
		parse->at++;
}

/* The number of that name's group, which is made if need be; CODE_GROUPS_MOST: there is no room */
static uint32_t group_of(struct code_groups *groups, const char *name, size_t length)
{
	for (uint32_t n = 0; n < groups->count; n++) {
		if (strlen(groups->name[n]) == length && memcmp(groups->name[n], name, length) == 0)
			return n;
	}
	if (groups->count == CODE_GROUPS_MOST)
		return CODE_GROUPS_MOST;
	memcpy(groups->name[groups->count], name, length);
	groups->name[groups->count][length] = '\0';
	return groups->count++;
}

static int take_mnemonics(struct parse *parse, uint32_t group)
{
	for (skip_blanks(parse); parse->at < parse->end; skip_blanks(parse)) {
		const char *end = parse->at;
		uint32_t mnemonic;

		while (end < parse->end && !is_blank(*end))
			end++;
		mnemonic = code_mnemonic_find(parse->at, (size_t)(end - parse->at));
		if (!mnemonic)
			return refuse(parse, "no mnemonic of that name");
		for (; mnemonic; mnemonic = code_mnemonic_find_above(
					 parse->at, (size_t)(end - parse->at), mnemonic))
			parse->groups->of[mnemonic] |= UINT64_C(1) << group;
		parse->at = end;
	}
	return 0;
}

static int take_line(struct parse *parse)
{
	const char *colon, *name_end, *comment = memchr(parse->at, '#', (size_t)(parse->end - parse->at));
	uint32_t group;

	if (comment)
		parse->end = comment;
	skip_blanks(parse);
	if (parse->at == parse->end)
		return 0;
	colon = memchr(parse->at, ':', (size_t)(parse->end - parse->at));
	if (!colon)
		return refuse(parse, "no colon behind a group's name");
	for (name_end = colon; name_end > parse->at && is_blank(name_end[-1]);)
		name_end--;
	if (name_end == parse->at || name_end - parse->at >= CODE_GROUP_NAME)
		return refuse(parse, "a group's name has 1 to 63 bytes");
	group = group_of(parse->groups, parse->at, (size_t)(name_end - parse->at));
	if (group == CODE_GROUPS_MOST)
		return refuse(parse, "more than 64 groups");
	parse->at = colon + 1;
	return take_mnemonics(parse, group);
}

int code_groups_parse(const char *text, size_t length, struct code_groups *groups,
		      struct code_groups_error *error)
{
	struct parse parse = { .groups = groups, .error = error };
	int code = 0;

	*groups = (struct code_groups){ 0 };
	*error = (struct code_groups_error){ 0 };
	if (!code_mnemonics())
		return PRECIS_E_UNSUPPORTED;
	groups->of = calloc(code_mnemonics(), sizeof(*groups->of));
	if (!groups->of)
		return PRECIS_E_NO_MEMORY;
	for (size_t at = 0; at < length && !code;) {
		const char *end = memchr(text + at, '\n', length - at);

		if (!end)
			end = text + length;
		parse.line++;
		parse.text = parse.at = text + at;
		parse.end = end;
		code = take_line(&parse);
		at = (size_t)(end - text) + 1;
	}
	return code;
}

void code_groups_free(struct code_groups *groups)
{
	free(groups->of);
	groups->of = NULL;
}

uint64_t code_groups_of(const struct code_groups *groups, uint32_t mnemonic)
{
	return groups->of && mnemonic < code_mnemonics() ? groups->of[mnemonic] : 0;
}
