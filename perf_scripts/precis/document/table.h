/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a report consists of, whatever it is printed as: tables of figures, each
 * figure with the number of samples that it comes from, and for each field that
 * a table rests on how many samples have it and why the others do not.
 *
 * Running out of memory is noted in 'failed' and asked for once, at the end.
 */
#ifndef DOCUMENT_TABLE_H
#define DOCUMENT_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define TABLE_COLUMNS_MOST 24u

enum cell_kind {
	CELL_ABSENT = 0, /* nothing was measured: "-", null, empty; never 0 */
	CELL_COUNT,
	CELL_DECIMAL,
	CELL_SHARE, /* 'count' of 'n', with its 95% interval */
	CELL_ADDRESS,
	CELL_TEXT,
	CELL_BAR /* 'decimal' is the share of the full length */
};

struct cell {
	enum cell_kind kind;
	uint64_t count; /* also an address */
	uint64_t n;     /* how many samples the figure comes from; 0 where that is in the row */
	double decimal, low, high;
	char *text;
};

struct column {
	const char *name;  /* in JSON and CSV; NULL: not there */
	const char *title; /* in text; NULL: not there */
	int is_left;       /* 1: aligned to the left */
};

struct row {
	char *name;
	struct cell *cells; /* as many as the table has columns */
	size_t set;         /* of them, from the left */
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

struct table {
	const char *name;  /* in JSON and CSV */
	const char *title; /* in text */
	char *own_name, *own_title; /* NULL: both are static */
	const char *row_title;
	const struct column *columns;
	size_t column_count;
	int is_list; /* one column: names and values, not a table */
	int is_continued; /* in text it follows the table before it closely, under its row title */
	struct row *rows;
	size_t row_count;
	struct coverage *coverages;
	size_t coverage_count;
	char **notes;
	size_t note_count;
};

struct document {
	struct table *tables;
	size_t count;
	int failed; /* memory was short: the document is not complete */
};

void document_free(struct document *document);

/* A new table, the last one so far: what is added below goes into it. 'columns' are static. */
void table_begin(struct document *document, const char *name, const char *title,
		 const char *row_title, const struct column *columns, size_t column_count);

/*
 * The same for a table that in text has no title and stands right below the one before: 'row_title'
 * tells what it is. It is aligned with those around it that have the same 'columns'.
 */
void table_continue(struct document *document, const char *name, const char *row_title,
		    const struct column *columns, size_t column_count);

/* If the last table has no row, there is none. */
void table_drop_empty(struct document *document);

/* The last table is of one of several events: its number goes into name and title. */
void table_of_event(struct document *document, uint32_t number);

/* Names and values. */
void list_begin(struct document *document, const char *name, const char *title);

/* A new row, the last one so far; its cells are absent until they are set, from left to right. */
void row_begin(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void cell_absent(struct document *document);
void cell_count(struct document *document, uint64_t count);
void cell_decimal(struct document *document, double decimal, uint64_t n);
/* k of n; absent if n is 0 */
void cell_share(struct document *document, uint64_t k, uint64_t n);
void cell_address(struct document *document, uint64_t address);
void cell_bar(struct document *document, double share);
void cell_text(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A line below the table. */
void table_note(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* That field is there in 'present' of 'of' samples of the table. */
void table_coverage(struct document *document, const char *field, uint64_t present, uint64_t of);
/* Of the last coverage. */
void coverage_absence(struct document *document, const char *reason, const char *detail,
		      uint64_t samples);

#endif
