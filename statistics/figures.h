/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a page consists of, whatever it is printed as: tables of figures, each
 * figure with the number of samples that it comes from, and for each field that
 * a table rests on how many samples have it and why the others do not; and lists
 * of names and values (document/facts.h has those that say one thing in text and more in
 * JSON and CSV).
 *
 * Running out of memory is noted in 'failed' and asked for once, at the end.
 */
#ifndef STATISTICS_FIGURES_H
#define STATISTICS_FIGURES_H

#include <stddef.h>
#include <stdint.h>

#define TABLE_COLUMNS_MOST 48u
#define TABLE_FIELDS_MOST 256u /* fields are numbers below it, the caller's */

enum cell_kind {
	CELL_ABSENT = 0, /* nothing was measured, for a reason if it has one: never 0 */
	CELL_COUNT,
	CELL_DECIMAL,
	CELL_SHARE, /* 'decimal', with its 95% interval, of 'n' samples */
	CELL_ADDRESS,
	CELL_TEXT,
	CELL_FLAG, /* it is so, or not ('count' 0); 'text' says it in words */
	CELL_OF,   /* 'count' of what 'text' names: what a share is of */
	CELL_BAR,  /* 'decimal' is the share of the full length */
	CELL_MEMBERS, /* values with names */
	CELL_ENTRIES  /* a list: members without names */
};

struct cell {
	enum cell_kind kind;
	int is_between; /* of a count or decimal: text tells 'low' and 'high', NAN where they are not known */
	int is_given;   /* of a share: all of it, by what was asked for: without interval */
	int is_weighted; /* of a share, and what it is of: samples stand for different numbers of events */
	int is_of_sum;   /* of a share: what samples add to a sum, which they differ in by nature */
	int is_few;      /* of a share then: too few samples for an interval */
	int is_trend;     /* of entries: counts one behind the other, which text draws */
	int is_in_step;  /* of a share: samples depend on each other, how far is not known */
	int is_unweighed; /* they would be weighted, but what some stand for is not known */
	double effective; /* how many samples of equal weight, and independent, would tell as much */
	int is_dependent; /* of a share: they depend on each other, and it is known how far */
	uint64_t count; /* also an address */
	uint64_t n;     /* how many samples the figure comes from; 0 where that is in the row */
	double decimal, low, high;
	char *text;
	const char *unit;       /* static; NULL: it has none, or its name tells */
	const char *reason;     /* of absence; outlives the document; NULL: not told here */
	struct member *members; /* in JSON and CSV in place of a text that is a sentence */
	size_t member_count;
};

static inline int share_has_interval(const struct cell *share)
{
	return !share->is_given && !share->is_few && !share->is_in_step;
}

/* One value of a cell that holds several */
struct member {
	const char *name; /* outlives the document */
	struct cell value;
};

/* How deep members and entries nest, and how many a document has at most */
#define DOCUMENT_DEPTH 6u
#define DOCUMENT_MEMBERS_MOST (UINT32_C(1) << 18)

/* What a column is, apart from a figure that is aligned to the right */
#define COLUMN_LEFT 1u /* aligned to the left */
#define COLUMN_N 2u    /* how many samples the figures beside it come from */
#define COLUMN_OF 4u   /* what the share beside it is of: nothing where there is no share */

struct column {
	const char *name;  /* in JSON and CSV; NULL: not there */
	const char *title; /* in text; NULL: not there */
	uint32_t role;
};

/* Something that text says: words between which a line may be broken, or one that is whole */
enum saying_kind { SAYING_WORDS, SAYING_WORD, SAYING_LINE /* words on a new line */ };

struct saying {
	enum saying_kind kind;
	char *text;
};

struct row {
	char *name;
	char *label;        /* of a fact: its name in text; NULL: it is not there */
	struct saying *sayings; /* of a fact: what text says, in place of the value */
	size_t saying_count;
	char *heading;      /* in text, on a line of its own above the row; NULL: there is none */
	int heat;           /* how much of all is in the row: -1 nothing, which text leaves
			     * empty, 0 little, 1, 2 a lot */
	const char *group;  /* in JSON an element of that array; NULL: a member of its own */
	struct cell *cells; /* as many as the table has columns */
	size_t set;         /* of them, from the left */
	int is_sum;         /* of all rows, or all of one kind */
	int is_untold;      /* of the samples that do not tell what the table is about */
};

/* Why some samples of a table lack a field. */
struct absence {
	const char *reason, *detail; /* static: precis_reason_name(), precis_why_detail() */
	uint64_t samples;
};

struct coverage {
	const char *field;
	uint64_t present, of;
	struct absence *absences;
	size_t absence_count;
};

/* A line below a table. */
struct note {
	char *text;
	int is_warning; /* about how far the figures above it can be believed */
	uint32_t hash;  /* of 'text': a recording of many events has as many notes to be compared */
};

struct document;

/* Begins row n of a document's last table, and sets its cells. */
typedef void row_maker(struct document *document, size_t n, const void *data);

/* Rows of which none is there before it is printed: as many as there are would not fit into memory. */
struct made_rows {
	row_maker *make;
	const void *data; /* the caller's; outlives the document */
	size_t count;
};

/* Which of several events a table is of */
#define TABLE_OF_ALL UINT32_MAX

struct table {
	const char *name;  /* in JSON and CSV */
	const char *section; /* the name that it began with, or that the one began with that it continues */
	const char *title; /* in text */
	char *own_name, *own_title; /* NULL: both are static */
	const char *row_title;
	const struct column *columns;
	size_t column_count;
	int is_list; /* one column: names and values, not a table */
	int is_facts; /* a list whose rows are facts; in JSON they stand by themselves */
	const char *entry_of; /* of facts: in JSON they are an entry of that array; NULL: of none */
	unsigned int indent, label_width; /* of facts: the column of labels in text */
	int is_listing; /* of code: its lines are neither folded nor broken */
	int is_continued; /* in text it follows the table before it closely, under its row title */
	struct row *rows;
	size_t row_count;
	struct made_rows *made; /* in JSON and CSV behind 'rows' */
	size_t made_count;
	struct coverage *coverages;
	size_t coverage_count;
	struct note *notes;
	size_t note_count;
	uint32_t topics; /* what its figures are about, for document_warn(): the caller's bits */
	uint32_t event;  /* whose they are; TABLE_OF_ALL: of several together */
};

struct document {
	struct table *tables;
	size_t count;
	uint64_t given[TABLE_FIELDS_MOST / 64]; /* fields that samples were selected by */
	/*
	 * Why what is absent without a reason of its own is so. Where the document says, CSV has
	 * columns for unit and reason.
	 */
	const char *absent_means;
	/* See document_depend(): 0 is as 1 */
	double dependence;
	struct cell *nest[DOCUMENT_DEPTH]; /* what members go into, while it is open */
	unsigned int depth;
	uint32_t member_count; /* of all cells */
	int is_bare; /* JSON does not say which precis wrote it */
	int failed; /* memory was short: the document is not complete */
	int is_cut; /* members beyond DOCUMENT_MEMBERS_MOST are not in it */
};

/* Does that stand below the table already? */
int table_has_note(const struct table *table, const struct note *note);

#endif
