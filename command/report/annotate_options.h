/* SPDX-License-Identifier: BSD-3-Clause */
/* What code is to be annotated, as the command line has it. */
#ifndef REPORT_ANNOTATE_OPTIONS_H
#define REPORT_ANNOTATE_OPTIONS_H

#include "analysis/by/request.h"

/* A function, or FILE:LINE. EXIT_OK, or an exit code after the error has been printed */
int annotate_take_place(struct by_annotated *annotated, const char *command, const char *word);

/* Is that, in place of a function, already a recording? */
int annotate_is_recording(const char *path);

/* By symbol and instruction, whatever else is asked for */
void annotate_choose_keys(struct by_request *request);

/* Nothing that was asked for has a sample: says so. An exit code */
struct by;
int annotate_complain_none(const struct by_annotated *annotated, const char *command,
			   const struct by *by);

#endif
