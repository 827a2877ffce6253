/* SPDX-License-Identifier: BSD-3-Clause */
/* Building the tables and lists of a document, from the first row to the last, from left to right. */
#ifndef STATISTICS_TABLE_H
#define STATISTICS_TABLE_H

#include "figures.h"
#include "weighted.h"

void document_free(struct document *document);

void table_free(struct table *table);

/* What the row holds; 'columns' are its table's. */
void row_free(struct row *row, size_t columns);

/* A new table, the last one so far: what is added below goes into it. 'columns' are static. */
void table_begin(struct document *document, const char *name, const char *title,
		 const char *row_title, const struct column *columns, size_t column_count);

/*
 * The same for a table that in text has no title and stands right below the one before: 'row_title'
 * tells what it is. It is aligned with those around it that have the same 'columns'.
 */
void table_continue(struct document *document, const char *name, const char *row_title,
		    const struct column *columns, size_t column_count);

/* The last table has another title than it began with. */
void table_titled(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The last table is code with figures beside it: text neither folds it nor breaks its lines. */
void table_is_listing(struct document *document);

/* If the last table has no row, there is none. */
void table_drop_empty(struct document *document);

/* Another name and title for a table: its own, and these behind them. The names of facts likewise */
void table_renamed(struct document *document, struct table *table, const char *name,
		   const char *title);

/* So many of the table's rows, and of its notes, are left, the first ones; notes say how many went. */
void table_cut(struct document *document, struct table *table, size_t rows, size_t notes);

/* The other's tables come behind its own, and are the other's no more. */
void document_append(struct document *document, struct document *from);

/* Of the tables those alone that 'is_kept' says, asked in their order. */
void document_keep(struct document *document, int (*is_kept)(const struct table *table, void *data),
		   void *data);

/* The last table becomes the first. */
void document_lead(struct document *document);

/* The last table is of one of several events: its number goes into name and title. */
void table_of_event(struct document *document, uint32_t number);

/* The same of one of several of another kind: "TITLEWHAT NUMBER" */
void table_numbered(struct document *document, uint32_t number, const char *what);

/* Names and values. */
void list_begin(struct document *document, const char *name, const char *title);

/* What the last table's figures are about, and of which event (TABLE_OF_ALL). */
void table_about(struct document *document, uint32_t topics, uint32_t event);

/* A new row, the last one so far; its cells are absent until they are set, from left to right. */
void row_begin(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * So many rows more of the last table, behind all others and one by one, are made when it is printed. JSON
 * has each in one line, text has none of them.
 */
void table_makes_rows(struct document *document, size_t count, row_maker *make, const void *data);

/* The last row is one of several alike: in JSON they are an array of that name. */
void row_in(struct document *document, const char *group);

/* In text those words stand above the last row, as they are. */
void row_heading(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* How much of all is in the last row: 1 some, 2 a lot, which text may colour; -1 none: text has no figures */
void row_heat(struct document *document, int heat);

/* The last row is a sum of others, or of the samples that do not tell what the table is about. */
void row_is_sum(struct document *document);
void row_is_untold(struct document *document);

/*
 * Samples of figures that come next depend on each other: the variance of shares is so many times that of
 * independent ones, 1 or more (statistics/serial.h). NAN: that is not known, and there are no intervals.
 */
void document_depend(struct document *document, double effect);

/* That of 95% intervals */
struct confidence document_confidence(const struct document *document);

void cell_absent(struct document *document);
void cell_count(struct document *document, uint64_t count);
void cell_decimal(struct document *document, double decimal, uint64_t n);
/* Absent if it is NAN */
void cell_known(struct document *document, double decimal);
/*
 * What a part of the samples has of the whole; absent if that is nothing. No interval if all samples of
 * an untold row are meant.
 */
void cell_share(struct document *document, const struct weighted *part,
		const struct weighted *whole);
/*
 * The same of a share that follows from what was sampled or selected: if that 'is_given', or samples
 * were selected by that field, and it is so in all of them, there is no interval.
 */
void cell_share_if(struct document *document, const struct weighted *part,
		   const struct weighted *whole, int is_given);
void cell_share_by(struct document *document, uint32_t field, const struct weighted *part,
		   const struct weighted *whole);
/* A share that is worked out otherwise, of so many samples; an interval with an end NAN: there is none */
void cell_share_estimated(struct document *document, double share, struct interval interval, uint64_t n);
/*
 * The same of the sum of something that each sample has much or little of: they weigh that. All or
 * nothing of it has no interval: how much samples of a kind that was not met would add is not known.
 */
void cell_share_of_sum(struct document *document, const struct weighted *part,
		       const struct weighted *whole);
/* Were samples selected by that field? */
int document_is_given(const struct document *document, uint32_t field);
/* What a share is of: so many of something. */
void cell_of(struct document *document, const struct weighted *whole, const char *what);
void cell_address(struct document *document, uint64_t address);
void cell_bar(struct document *document, double share);
void cell_text(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void cell_flag(struct document *document, const char *text);
/* The same of something that may not be so: yes or no */
void cell_bool(struct document *document, int is_so);

/*
 * A share, or a quotient, with the interval that its estimate has, as far as shares go; of 'n' samples.
 * Absent if it is NAN; without an interval if that is.
 */
void cell_share_between(struct document *document, double share, double low, double high, uint64_t n);
void cell_decimal_between(struct document *document, double decimal, double low, double high, uint64_t n);

/* Of the last cell, a count: text shows its interval. An end that is not known is NAN. */
void cell_between(struct document *document, double low, double high);

/* Of the last cell */
void cell_unit(struct document *document, const char *unit);
/* Likewise, if it is absent; of a row without a cell the first one is. */
void cell_why_absent(struct document *document, const char *reason);

/*
 * Values of the last cell, which in text is a sentence, or of what was opened last. A NULL text is
 * absent, and so is a decimal that is NAN. Entries of a list have no name: NULL.
 */
void member_count(struct document *document, const char *name, uint64_t count);
void member_text(struct document *document, const char *name, const char *text);
void member_address(struct document *document, const char *name, uint64_t address);
void member_decimal(struct document *document, const char *name, double decimal);
/* As cell_share(), or cell_share_of_sum() if 'is_of_sum' */
void member_share(struct document *document, const char *name, const struct weighted *part,
		  const struct weighted *whole, int is_of_sum);
void member_absent(struct document *document, const char *name, const char *reason);

/* The next cell, or the next member: what follows is in it, up to its close_nest(). */
void cell_members(struct document *document);
void cell_entries(struct document *document);
void member_members(struct document *document, const char *name);
void member_entries(struct document *document, const char *name);
void close_nest(struct document *document);

/* A list of so many counts as the next cell, which text draws as a line of heights: none is ' ' */
void cell_trend(struct document *document, const uint64_t *counts, size_t count);

/* A line below the table. */
void table_note(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * A warning below each table that is about any of 'topics' and of that event. Where a table is of
 * several events 'name' stands before it. If there is no such table: below the first one.
 */
void document_warn(struct document *document, uint32_t topics, uint32_t event, const char *name,
		   const char *text);

/*
 * All is in it: rows without any figure go, a denominator of nothing goes, and of a table in which
 * no sample tells anything what its coverage and its notes say remains.
 */
void document_settle(struct document *document);

/* That field is there in 'present' of 'of' samples of the table. */
void table_coverage(struct document *document, const char *field, uint64_t present, uint64_t of);
/* Of the last coverage. */
void coverage_absence(struct document *document, const char *reason, const char *detail,
		      uint64_t samples);

#endif
