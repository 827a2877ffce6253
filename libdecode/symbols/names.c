/* SPDX-License-Identifier: BSD-3-Clause */
/* See names.h. */
#define _GNU_SOURCE /* tdestroy() */

#include "names.h"

#include <search.h>
#include <string.h>

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

const char *precis_names_keep(struct names *names, const char *text, struct budget *budget)
{
	char **found = tfind(text, &names->tree, by_text);
	size_t bytes = strlen(text) + 1;
	char *kept;

	if (found)
		return *found;
	kept = budget_alloc_found(budget, bytes);
	if (!kept)
		return NULL;
	memcpy(kept, text, bytes);
	if (tsearch(kept, &names->tree, by_text))
		return kept;
	budget_free_found(budget, kept, bytes);
	return NULL;
}

void precis_names_free(struct names *names)
{
	tdestroy(names->tree, free);
	names->tree = NULL;
}
