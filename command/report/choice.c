/* SPDX-License-Identifier: BSD-3-Clause */
/* See choice.h. */
#include "choice.h"

#include <stdio.h>
#include <string.h>

#include "command/usage/complain.h"
#include "command/usage/help.h"
#include "command/usage/nearest.h"
#include "document/facts.h"
#include "document/output.h"

/* In the order of the report */
static const struct {
	const char *name;
	int rank;
	const char *what;
} sections[] = {
#define SECTION(name, rank, what) { #name, rank, what },
#include "sections.def"
};

#define RANKS 4
#define SECTIONS (sizeof(sections) / sizeof(sections[0]))
_Static_assert(SECTIONS <= 64, "a bit for each");

/* Tables whose names are not those of their sections */
static const struct {
	const char *table, *section;
} tables[] = {
#define TABLE(table, section) { #table, #section },
#include "sections.def"
};

int choice_help(const char *command)
{
	char text[2048];
	size_t used = 0;

	for (size_t n = 0; n < SECTIONS; n++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%-16s %c %s\n",
					 sections[n].name, sections[n].rank ? '*' : ' ',
					 sections[n].what);
	snprintf(text + used, sizeof(text) - used,
		 "*: in text also without --all, if there is room on two screens\n");
	return print_help(command, text);
}

/* SECTIONS: there is none of that name */
static size_t find(const char *name, size_t length)
{
	size_t n = 0;

	while (n < SECTIONS &&
	       (strlen(sections[n].name) != length || strncmp(sections[n].name, name, length) != 0))
		n++;
	return n;
}

static size_t section_of(const struct table *table)
{
	const char *name = table->section;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (strcmp(tables[i].table, name) == 0)
			name = tables[i].section;
	}
	return find(name, strlen(name));
}

static int complain_unknown(const char *command, const char *word, size_t length)
{
	struct nearest nearest = nearest_to(word, length);
	char hint[NEAREST_ROOM];

	for (size_t n = 0; n < SECTIONS; n++)
		nearest_offer(&nearest, sections[n].name);
	return complain_usage(command, "--sections: there is no section '%.*s'%s (--sections help "
			      "lists them)", (int)length, word, nearest_hint(&nearest, hint));
}

int choice_take(struct choice *choice, const char *command, const char *value)
{
	choice->sections = 0;
	for (const char *word = value; word;) {
		const size_t length = strcspn(word, ","), n = find(word, length);

		if (n == SECTIONS)
			return complain_unknown(command, word, length);
		choice->sections |= UINT64_C(1) << n;
		word = word[length] ? word + length + 1 : NULL;
	}
	return EXIT_OK;
}

/* What is chosen, and of what there is what was not */
struct sorting {
	uint64_t chosen, left_out;
};

static int is_chosen(const struct table *table, void *data)
{
	struct sorting *sorting = data;
	const uint64_t bit = UINT64_C(1) << section_of(table);

	if (sorting->chosen & bit)
		return 1;
	sorting->left_out |= bit;
	return 0;
}

static void tell_left_out(struct document *document, uint64_t left_out)
{
	facts_begin(document, "sections", 0, sizeof("Not shown:") - 1);
	fact(document, "");
	fact_label(document, "Not shown:");
	for (size_t n = 0; n < SECTIONS; n++) {
		if (left_out >> n & 1)
			fact_says(document, left_out >> n == 1 ? "%s" : "%s,", sections[n].name);
	}
	fact_says(document, "(--all, or --sections with some of these)");
}

/* --- what fits --- */

/* Two screens, of whose lines the one that tells what is not shown takes three */
#define LINES 97u

static size_t lines_of_text(const char *text)
{
	return (text ? strlen(text) : 0) / (OUTPUT_WIDTH - 10) + 1;
}

static size_t lines_of_row(const struct table *table, const struct row *row)
{
	size_t lines = 0;

	if (!table->is_facts)
		return table->is_list && row->cells ? lines_of_text(row->cells->text) : 1;
	for (size_t n = 0; n < row->saying_count; n++)
		lines += lines_of_text(row->sayings[n].text);
	return lines;
}

/* About as many as it takes; of a list counts share some */
static size_t lines_of(const struct table *table)
{
	size_t lines = table->is_continued ? 1 : 3;

	for (size_t n = 0; n < table->row_count; n++)
		lines += lines_of_row(table, &table->rows[n]);
	for (size_t n = 0; n < table->note_count; n++)
		lines += lines_of_text(table->notes[n].text);
	for (size_t n = 0; n < table->coverage_count; n++) {
		const struct coverage *coverage = &table->coverages[n];

		lines += coverage->present < coverage->of;
		for (size_t i = 0; i < coverage->absence_count; i++)
			lines += strlen(coverage->absences[i].detail) > OUTPUT_WIDTH / 2;
	}
	return lines;
}

/* The usual sections, those of a lower rank first, as long as there is room */
static uint64_t usual(const struct document *document)
{
	size_t lines[SECTIONS + 1] = { 0 }, sum = 0;
	uint64_t chosen = 0;

	for (size_t n = 0; n < document->count; n++)
		lines[section_of(&document->tables[n])] += lines_of(&document->tables[n]);
	for (int rank = 1; rank <= RANKS; rank++) {
		for (size_t n = 0; n < SECTIONS; n++) {
			if (sections[n].rank != rank || (rank > 1 && sum + lines[n] > LINES))
				continue;
			sum += lines[n];
			chosen |= UINT64_C(1) << n;
		}
	}
	return chosen;
}

void choice_apply(const struct choice *choice, struct document *document, int is_told)
{
	struct sorting sorting = { .chosen = choice->sections };

	if (choice->is_all)
		return;
	if (!choice->sections)
		sorting.chosen = usual(document);
	document_keep(document, is_chosen, &sorting);
	if (is_told && !choice->sections && sorting.left_out)
		tell_left_out(document, sorting.left_out);
}
