/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings in words: what stands in braces in a rule's sentence and command is filled in. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings.h"

#define NUMBER_ROOM 96u

/* Digits that tell one percent from the next, or of a small share more */
static int digits_of(double share)
{
	return share < 0.1 ? 1 : 0;
}

static void format_share(const struct finding *finding, char text[NUMBER_ROOM])
{
	const struct interval interval =
		weighted_interval_at(&finding->part, &finding->whole, finding_confidence(finding));
	const double share = weighted_share(&finding->part, &finding->whole);
	const int digits = digits_of(interval.low);

	if (finding->part.samples == finding->whole.samples && finding->rule->kind != FINDING_SHARE)
		snprintf(text, NUMBER_ROOM, "100%%"); /* of a sum: what others would add is not known */
	else
		snprintf(text, NUMBER_ROOM, "%.*f%% [%.*f,%.*f]", digits, 100 * share, digits,
			 100 * interval.low, digits, 100 * interval.high);
}

static void format_samples(const struct finding *finding, char text[NUMBER_ROOM])
{
	const enum finding_kind kind = finding->rule->kind;
	const int is_counted = weighted_are_counted(&finding->whole) || kind == FINDING_SUM ||
			       kind == FINDING_PLACE; /* of a sum each weighs what it adds */

	if (is_counted)
		snprintf(text, NUMBER_ROOM, "%" PRIu64, finding->whole.samples);
	else
		snprintf(text, NUMBER_ROOM, "%" PRIu64 " (eff. %.0f)", finding->whole.samples,
			 weighted_effective(&finding->whole));
}

/* What stands for that name; 'room' is for a number */
static const char *value_of(const struct finding *finding, const char *name, size_t length,
			    char room[NUMBER_ROOM])
{
	static const char *const names[] = { "share", "n", "of", "where", "count", "total", "advice",
					     "percent" };
	size_t which = 0;

	while (which < sizeof(names) / sizeof(names[0]) &&
	       (strlen(names[which]) != length || strncmp(names[which], name, length) != 0))
		which++;
	switch (which) {
	case 0:
		format_share(finding, room);
		return room;
	case 1:
		format_samples(finding, room);
		return room;
	case 2:
		return finding->of;
	case 3:
		return finding->where;
	case 7:
		snprintf(room, NUMBER_ROOM, "%.*f", digits_of(finding->size), 100 * finding->size);
		return room;
	default:
		snprintf(room, NUMBER_ROOM, "%" PRIu64, which == 4 ? finding->count :
							which == 5 ? finding->total :
								     finding->advice);
		return room;
	}
}

/* 'words' NULL: there are none in it, and it is the sentence */
static char *fill_in(const struct finding *finding, const char *from, const struct finding_words *words)
{
	char room[NUMBER_ROOM], *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (out && !words && finding->unit)
		fprintf(out, "Sampled by %s: ", finding->unit);
	while (out && *from) {
		const size_t plain = strcspn(from, "{"), length = strcspn(from + plain, "}");
		const char *name = from + plain + 1, *value;

		fwrite(from, 1, plain, out);
		from += plain;
		if (!*from)
			break;
		if (words && strncmp(name, "options}", 8) == 0)
			value = words->options;
		else if (words && strncmp(name, "function}", 9) == 0)
			value = words->function;
		else if (words && strncmp(name, "files}", 6) == 0)
			value = words->files;
		else
			value = value_of(finding, name, length - 1, room);
		fputs(value ? value : "", out);
		from += length + 1;
	}
	if (out && fclose(out)) {
		free(text);
		text = NULL;
	}
	return text;
}

char *finding_sentence(const struct finding *finding)
{
	return fill_in(finding, finding->rule->sentence, NULL);
}

char *finding_command(const struct finding *finding, const struct finding_words *words)
{
	return fill_in(finding, finding_command_of(finding), words);
}
