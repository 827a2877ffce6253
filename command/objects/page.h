/* SPDX-License-Identifier: BSD-3-Clause */
/* What precis objects prints of a whole file: what it is, and its blocks by call stacks. */
#ifndef OBJECTS_PAGE_H
#define OBJECTS_PAGE_H

#include "frames.h"
#include "totals.h"
#include "statistics/table.h"

struct page {
	const struct precis_object_file *file;
	const struct totals *totals;
	struct frames *frames;
	uint64_t interval; /* mean bytes between samples, the most that a thread had; 0: no sampling */
	uint64_t
		size_least; /* bytes: blocks of less are not in the file at all; 0: there are such */
	uint32_t top; /* rows */
	uint32_t depth; /* frames of a stack that are shown, 0: all */
};

void page_build(const struct page *page, struct document *document);

#endif
