/* SPDX-License-Identifier: BSD-3-Clause */
/* See choice.h. */
#include "choice.h"

#include <stdio.h>
#include <stdlib.h>
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

/* Which tables are kept, asked in their order, and of which sections some are, or some are not */
struct sorting {
	const unsigned char *is_kept;
	size_t next;
	uint64_t shown, left_out;
};

static int is_chosen(const struct table *table, void *data)
{
	struct sorting *sorting = data;
	const int is_kept = sorting->is_kept[sorting->next++];

	*(is_kept ? &sorting->shown : &sorting->left_out) |= UINT64_C(1) << section_of(table);
	return is_kept;
}

static void tell_left_out(struct document *document, const struct sorting *sorting)
{
	const uint64_t left_out = sorting->left_out;

	facts_begin(document, "sections", 0, sizeof("Not shown:") - 1);
	fact(document, "");
	fact_label(document, "Not shown:");
	for (size_t n = 0; n < SECTIONS; n++) {
		if (left_out >> n & 1)
			fact_says(document, "%s%s%s", sections[n].name,
				  sorting->shown >> n & 1 ? " (in part)" : "",
				  left_out >> n == 1 ? "" : ",");
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

/* Which tables there is room for */
struct screens {
	struct document *document;
	unsigned char *is_kept; /* by table */
	size_t left;            /* lines */
};

static void keep(struct screens *screens, size_t at, size_t lines)
{
	screens->is_kept[at] = 1;
	screens->left -= lines < screens->left ? lines : screens->left;
}

static int is_of(const struct screens *screens, size_t at, const char *section)
{
	return section_of(&screens->document->tables[at]) == find(section, strlen(section));
}

/* A section that has to be there: its tables one by one, as long as there is room */
static void keep_what_fits(struct screens *screens, const char *section)
{
	for (size_t n = 0; n < screens->document->count; n++) {
		const struct table *table = &screens->document->tables[n];
		const size_t lines = lines_of(table);

		if (screens->is_kept[n] || !is_of(screens, n, section))
			continue;
		if (lines > screens->left || (table->is_continued && n && !screens->is_kept[n - 1]))
			continue;
		keep(screens, n, lines);
	}
}

#define ROWS_LEAST 8u

/* In so many lines: rows go first, since notes say how far those that are left can be believed. */
static void cut_to(struct document *document, struct table *table, size_t most)
{
	size_t lines = lines_of(table) + 2, rows = table->row_count, notes = table->note_count;

	if (lines - 2 <= most)
		return;
	while (lines > most && rows > ROWS_LEAST)
		lines -= lines_of_row(table, &table->rows[--rows]);
	while (lines > most && notes)
		lines -= lines_of_text(table->notes[--notes].text);
	table_cut(document, table, rows, notes);
}

/* Figures of all samples, or of those of each unit, come before what more there is of any. */
static void keep_key_figures(struct screens *screens)
{
	struct document *document = screens->document;
	size_t count = 0;

	for (size_t n = 0; n < document->count; n++)
		count += is_of(screens, n, "summary") && !document->tables[n].is_continued;
	for (size_t n = 0; n < document->count; n++) {
		struct table *table = &document->tables[n];
		size_t others = 0, least;

		if (!is_of(screens, n, "summary") || table->is_continued)
			continue;
		for (size_t i = n + 1; i < document->count; i++) {
			if (is_of(screens, i, "summary") && !document->tables[i].is_continued)
				others += lines_of(&document->tables[i]);
		}
		least = screens->left / count--;
		if (others < screens->left && screens->left - others > least)
			least = screens->left - others;
		cut_to(document, table, least);
		keep(screens, n, lines_of(table));
	}
}

/* The others of these, those of a lower rank first, as long as there is room for all of it */
static void keep_sections(struct screens *screens)
{
	size_t lines[SECTIONS + 1] = { 0 };

	for (size_t n = 0; n < screens->document->count; n++)
		lines[section_of(&screens->document->tables[n])] += lines_of(&screens->document->tables[n]);
	for (int rank = 2; rank <= RANKS; rank++) {
		for (size_t n = 0; n < SECTIONS; n++) {
			if (sections[n].rank != rank || lines[n] > screens->left)
				continue;
			for (size_t i = 0; i < screens->document->count; i++) {
				if (section_of(&screens->document->tables[i]) == n)
					keep(screens, i, lines_of(&screens->document->tables[i]));
			}
		}
	}
}

/* The usual sections: of those that have to be there what two screens hold. */
static void keep_usual(struct screens *screens)
{
	keep_what_fits(screens, "findings");
	keep_key_figures(screens);
	keep_what_fits(screens, "in_step");
	keep_what_fits(screens, "recording");
	keep_what_fits(screens, "summary");
	keep_sections(screens);
}

static void keep_chosen(struct screens *screens, uint64_t chosen)
{
	for (size_t n = 0; n < screens->document->count; n++)
		screens->is_kept[n] = chosen >> section_of(&screens->document->tables[n]) & 1;
}

void choice_apply(const struct choice *choice, struct document *document, int is_told)
{
	struct screens screens = { .document = document, .left = LINES };
	struct sorting sorting = { .next = 0 };

	if (choice->is_all)
		return;
	screens.is_kept = calloc(document->count + 1, 1);
	document->failed |= !screens.is_kept;
	if (!screens.is_kept)
		return;
	if (choice->sections)
		keep_chosen(&screens, choice->sections);
	else
		keep_usual(&screens);
	sorting.is_kept = screens.is_kept;
	document_keep(document, is_chosen, &sorting);
	if (is_told && !choice->sections && sorting.left_out)
		tell_left_out(document, &sorting);
	free(screens.is_kept);
}
