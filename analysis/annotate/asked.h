/* SPDX-License-Identifier: BSD-3-Clause */
/* Is that the function, or the source line, that was asked for? */
#ifndef ANALYSIS_ANNOTATE_ASKED_H
#define ANALYSIS_ANNOTATE_ASKED_H

#include "analysis/by/request.h"

/*
 * A function by its name, that without its arguments, or NAME@FILE.
 * @param file  that it is in; NULL: whichever
 */
int asked_is_function(const struct by_annotated *asked, const char *name, const char *file);

/* The name of a type without "struct", "union", "class" or "enum" before it */
const char *asked_bare_type(const char *name);

/* A type by its name, or by that */
int asked_is_type(const struct by_annotated *asked, const char *name);

/* Is it the file that was asked for, or may it be any? */
int asked_is_in_file(const struct by_annotated *asked, const char *file);

/* A source line: what is asked for may be the end of its path. */
int asked_is_line(const struct by_annotated *asked, const char *file, uint32_t number);

#endif
