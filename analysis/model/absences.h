/* SPDX-License-Identifier: BSD-3-Clause */
/* Why samples have no file, and files no symbols: told once for each. */
#ifndef ANALYSIS_MODEL_ABSENCES_H
#define ANALYSIS_MODEL_ABSENCES_H

#include "model.h"
#include "statistics/table.h"

#define ABSENCES (PRECIS_SYMBOL_KERNEL_CODE + 1)

/* Zeroed memory has told none. */
struct absences {
	/* Of each reason, by name: tsearch(3), of pointers that stand for objects */
	void *told[ABSENCES];
};

/*
 * A note below the last table, if the reason is one of the object's that somebody can do something
 * about: enum precis_symbol_absent.
 */
void absences_tell(struct absences *absences, struct document *document, const char *object,
		   uint32_t absent);
void absences_free(struct absences *absences);

/* Notes below the last table: what the model of the recording's processes lacks */
void model_note_gaps(struct document *document, const struct model *model);

/* A path without its directory */
const char *model_file_of(const char *path);

#endif
