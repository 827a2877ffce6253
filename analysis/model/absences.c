/* SPDX-License-Identifier: BSD-3-Clause */
/* See absences.h. */
#define _GNU_SOURCE /* tdestroy() */
#include "absences.h"

#include <inttypes.h>
#include <search.h>
#include <string.h>

#include <precis/precis.h>

const char *model_file_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

void model_note_gaps(struct document *document, const struct model *model)
{
	if (model->is_unsorted)
		table_note(document,
			   "more mappings and programs than are kept: places of a process that "
			   "ran several programs may be those of another one");
	if (model->unlearnt)
		table_note(document,
			   "%" PRIu64 " mappings found no memory: their samples have no file",
			   model->unlearnt);
}

/* Each recording has its own pointer for a file. */
static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void keep(void *name)
{
	(void)name; /* the symbols' */
}

static int is_to_be_told(uint32_t absent)
{
	switch (absent) {
	case PRECIS_SYMBOL_NO_FILE:
	case PRECIS_SYMBOL_OTHER_BUILD_ID:
	case PRECIS_SYMBOL_NO_KALLSYMS:
	case PRECIS_SYMBOL_KALLSYMS_HIDDEN:
	case PRECIS_SYMBOL_NO_VDSO:
	case PRECIS_SYMBOL_NO_PERF_MAP:
		return 1;
	default:
		return 0;
	}
}

void absences_tell(struct absences *absences, struct document *document, const char *object,
		   uint32_t absent)
{
	if (!is_to_be_told(absent) || tfind(object, &absences->told[absent], by_name))
		return;
	if (!tsearch(object, &absences->told[absent], by_name)) {
		document->failed = 1;
		return;
	}
	if (absent == PRECIS_SYMBOL_OTHER_BUILD_ID)
		table_note(document,
			   "%s: symbols not used: its build id is not the recorded one "
			   "(--any-build-id uses them)",
			   model_file_of(object));
	else
		table_note(document, "%s: no symbols: %s", model_file_of(object),
			   precis_symbol_absent_text(absent));
}

void absences_free(struct absences *absences)
{
	for (uint32_t absent = 0; absent < ABSENCES; absent++)
		tdestroy(absences->told[absent], keep);
	memset(absences, 0, sizeof(*absences));
}
