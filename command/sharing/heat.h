/* SPDX-License-Identifier: BSD-3-Clause */
/* precis sharing --svg: the matrix of who wrote what who read, drawn. */
#ifndef SHARING_HEAT_H
#define SHARING_HEAT_H

#include "analysis/sharing/answer.h"
#include "command/report/arguments.h"

/* What stands above the matrix, and what it is of; NULL: recordings, of which the answer says that */
struct heat_words {
	const char *title, *source;
};

/* Each: an exit code, after the error has been printed */
int sharing_draw_answer(const struct sharing_answer *answer, const struct heat_words *words,
			const char *path, const char *command);
int sharing_draw(const struct report_arguments *arguments, const struct analysis_run *run);

#endif
