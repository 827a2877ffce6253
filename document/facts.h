/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts: a list of names and values that stand by themselves. A fact has a value with a name, which
 * JSON and CSV have, and a label, under which text has what it says: the value and its unit, or
 * words in its place. Without a label text does not have it, without a name text alone has it. What
 * is absent without a reason is not there in text.
 *
 * In JSON the names are members of the object around the list; in CSV section, row and column are
 * the first, second and further names on the way to a value.
 */
#ifndef DOCUMENT_FACTS_H
#define DOCUMENT_FACTS_H

#include "statistics/table.h"

/*
 * A new list; 'name' is the section in CSV of values that are no lists themselves. In text labels
 * stand behind 'indent' blanks in a column of 'label_width'.
 */
void facts_begin(struct document *document, const char *name, unsigned int indent,
		 unsigned int label_width);

/* What stands above the list in text */
void facts_title(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* In JSON the list is an entry of that array, behind those before it. */
void facts_entry_of(struct document *document, const char *name);

/* In text it follows the list before it without a gap. */
void facts_follow(struct document *document);

/* A new fact, the last one so far: its value is the next cell_...(). "": text alone has it. */
void fact(struct document *document, const char *name);

/* The last fact's label in text. */
void fact_label(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * What text says of the last fact: words, a word that is never broken, words that begin a line
 * unless they are the first.
 */
void fact_says(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void fact_says_word(struct document *document, const char *word);
void fact_says_line(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The most frequent facts. A NULL text is absent; so is a NULL label. */
void fact_text(struct document *document, const char *name, const char *label, const char *text);
void fact_count(struct document *document, const char *name, uint64_t count);
/* Absent if it is NAN */
void fact_known(struct document *document, const char *name, double decimal);
void fact_bool(struct document *document, const char *name, int is_so);

#endif
