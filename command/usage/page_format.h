/* SPDX-License-Identifier: BSD-3-Clause */
/* --format text|json|csv of what is a document, and how it is printed where -o says. */
#ifndef USAGE_PAGE_FORMAT_H
#define USAGE_PAGE_FORMAT_H

#include "document/print.h"

enum page_format { PAGE_TEXT, PAGE_JSON, PAGE_CSV };

/* EXIT_OK, or EXIT_USAGE after it has been said as 'command' that there is no such format */
int page_format_take(const char *command, const char *name, enum page_format *format);

/*
 * Print a document, and free it. 'path' NULL: to standard output. A file is there whole or not at all.
 * 'many': of what JSON and CSV leave out some where there is too much of it. EXIT_OK, or EXIT_FAILED after
 * it has been said why.
 */
int page_print(const char *command, struct document *document, const char *path, enum page_format format,
	       const char *many);
/* @param colour  1: with colours, 0: without; -1: if it goes to a terminal, as of page_print() */
int page_print_coloured(const char *command, struct document *document, const char *path,
			enum page_format format, const char *many, int colour);

#endif
