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

/* A source line: what is asked for may be the end of its path. */
int asked_is_line(const struct by_annotated *asked, const char *file, uint32_t number);

#endif
