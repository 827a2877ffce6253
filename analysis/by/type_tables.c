/* SPDX-License-Identifier: BSD-3-Clause */
/* See type_tables.h. */
#include "type_tables.h"

#include <inttypes.h>

#include "statistics/table.h"

/* Tables of one kind of event, and of samples of no known event beside known ones */
static const char *const names[EVENT_KINDS][BY_TYPE_TABLES] = {
	[PRECIS_EVENT_OTHER] = { "by_other_type_agreement", "by_other_type_evidence",
				 "by_other_type_untold", "by_other_type_votes" },
	[PRECIS_EVENT_IBS_OP] = { "by_ops_type_agreement", "by_ops_type_evidence",
				  "by_ops_type_untold", "by_ops_type_votes" },
	[PRECIS_EVENT_IBS_FETCH] = { "by_fetches_type_agreement", "by_fetches_type_evidence",
				     "by_fetches_type_untold", "by_fetches_type_votes" },
	[PRECIS_EVENT_PEBS] = { "by_pebs_type_agreement", "by_pebs_type_evidence",
				"by_pebs_type_untold", "by_pebs_type_votes" },
};
static const char *const rest_names[BY_TYPE_TABLES] = {
	"by_pebs_rest_type_agreement",
	"by_pebs_rest_type_evidence",
	"by_pebs_rest_type_untold",
	"by_pebs_rest_type_votes",
};

#define FIGURES                                                                                    \
	{ "samples", "samples", 0 },                                                               \
	{                                                                                          \
		"share", "share [95% CI]", 0                                                       \
	}

static const struct column agreement_columns[] = {
	FIGURES,
	{ NULL, "what both say", COLUMN_LEFT },
	{ "by_address", NULL, COLUMN_LEFT },
	{ "by_instruction", NULL, COLUMN_LEFT },
};
static const struct column evidence_columns[] = {
	FIGURES,
	{ "type", "type", COLUMN_LEFT },
	{ "evidence", "known by", COLUMN_LEFT },
};
static const struct column untold_columns[] = {
	FIGURES,
	{ "reason", "why an instruction tells no type", COLUMN_LEFT },
};
static const struct column votes_columns[] = {
	FIGURES,
	{ NULL, "type by votes", COLUMN_LEFT },
	{ "type", NULL, COLUMN_LEFT },
	{ "instruction", "what the instruction says", COLUMN_LEFT },
};
#define COUNT_OF(columns) (sizeof(columns) / sizeof((columns)[0]))

static void cells_figures(struct document *document, const struct weighted *part,
			  const struct weighted *whole)
{
	cell_count(document, part->samples);
	cell_share(document, part, whole);
}

/* --- agreement --- */

static void add_verdict(struct document *document, const char *name, const char *text,
			const struct weighted *part, const struct weighted *whole)
{
	row_begin(document, "%s", name);
	cells_figures(document, part, whole);
	cell_text(document, "%s", text);
}

/* What a row says behind its figures; 'words' NULL: of the others together */
typedef void (*put_words_fn)(struct document *document, char *const *words);

/* Rows of those that are most, and one of the others */
static void add_counts(struct document *document, const struct text_tally *tally,
		       const struct weighted *whole, uint32_t top, put_words_fn put)
{
	struct text_count *counts = text_tally_sorted(tally);
	struct weighted shown = { .samples = 0 }, others;

	document->failed |= !counts && tally->names.count;
	for (uint32_t n = 0; counts && n < tally->names.count && n < top; n++) {
		row_begin(document, "%" PRIu32, n + 1);
		cells_figures(document, &counts[n].samples, whole);
		put(document, counts[n].words);
		weighted_add(&shown, &counts[n].samples);
	}
	text_counts_free(counts, tally->names.count);
	others = weighted_rest(&tally->all, &shown);
	if (!others.samples)
		return;
	row_begin(document, "rest");
	row_is_sum(document);
	cells_figures(document, &others, whole);
	put(document, NULL);
}

static void put_differing(struct document *document, char *const *words)
{
	if (!words) {
		cell_text(document, "  (others)");
		return;
	}
	cell_text(document, "  %s by the address, %s by the instruction", words[0], words[1]);
	cell_text(document, "%s", words[0]);
	cell_text(document, "%s", words[1]);
}

static void add_agreement(struct document *document, const struct by *by,
			  const struct type_methods *methods)
{
	const struct weighted *both = &methods->both;

	table_note(document,
		   "of %" PRIu64 " samples whose data has an address both tell %s for %" PRIu64,
		   methods->asked.samples, by->told_key == BY_MEMBER ? "a member" : "a type",
		   both->samples);
	add_verdict(document, "same", "the same", &methods->same, both);
	add_verdict(document, "part", "the instruction's is a part of the address's, there",
		    &methods->part, both);
	add_verdict(document, "differ", "different ones", &methods->differing.all, both);
	add_counts(document, &methods->differing, both, by->about->top, put_differing);
}

/* --- evidence --- */

static void put_reason(struct document *document, char *const *words)
{
	cell_text(document, "%s", !words ? "(others)" : words[0] ? words[0] : "");
}

static void put_evidence(struct document *document, char *const *words)
{
	put_reason(document, words);
	if (words)
		cell_text(document, "%s", words[1] ? words[1] : "");
}

static void note_whole(struct document *document, const struct type_methods *methods)
{
	table_note(document, "shares are of the %" PRIu64 " samples whose data has an address",
		   methods->asked.samples);
}

static void add_evidence(struct document *document, const struct by *by,
			 const struct type_methods *methods)
{
	note_whole(document, methods);
	add_counts(document, &methods->evidence, &methods->asked, by->about->top, put_evidence);
}

static void add_untold(struct document *document, const struct by *by,
		       const struct type_methods *methods)
{
	note_whole(document, methods);
	add_counts(document, &methods->untold, &methods->asked, by->about->top, put_reason);
}

static void put_votes(struct document *document, char *const *words)
{
	cell_text(document, "%s",
		  !words     ? "(others)"
		  : words[0] ? words[0]
			     : "none: they differ, or are few");
	if (!words)
		return;
	if (words[0])
		cell_text(document, "%s", words[0]);
	else
		cell_absent(document);
	cell_text(document, "%s", words[1] ? words[1] : "");
}

static void add_votes(struct document *document, const struct by *by,
		      const struct type_methods *methods)
{
	table_note(document,
		   "of blocks whose calls tell no type; shares are of %" PRIu64
		   " samples whose data has an address",
		   methods->asked.samples);
	add_counts(document, &methods->votes, &methods->asked, by->about->top, put_votes);
}

/* --- all of it --- */

static const struct {
	const char *title;
	const struct column *columns;
	size_t count;
	void (*add)(struct document *document, const struct by *by,
		    const struct type_methods *methods);
} tables[BY_TYPE_TABLES] = {
	{ "Types by address and by instruction", agreement_columns, COUNT_OF(agreement_columns),
	  add_agreement },
	{ "What types are known by", evidence_columns, COUNT_OF(evidence_columns), add_evidence },
	{ "Why instructions tell no type", untold_columns, COUNT_OF(untold_columns), add_untold },
	{ "Types of blocks by votes of instructions", votes_columns, COUNT_OF(votes_columns),
	  add_votes },
};

int by_type_table(struct document *document, const struct by *by, uint32_t kind, uint32_t place,
		  uint32_t n)
{
	const struct type_methods *methods = &by->own.list[kind][place].methods;
	const struct weighted *const told[BY_TYPE_TABLES] = {
		&methods->both, &methods->evidence.all, &methods->untold.all, &methods->votes.all
	};
	const int is_rest = !place && by->about->events[kind]->count && kind == PRECIS_EVENT_PEBS;

	if (!told[n]->samples)
		return 0;
	table_begin(document, is_rest ? rest_names[n] : names[kind][n], tables[n].title, "",
		    tables[n].columns, tables[n].count);
	tables[n].add(document, by, methods);
	return 1;
}
