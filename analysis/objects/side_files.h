/* SPDX-License-Identifier: BSD-3-Clause */
/* Side files of objects: how they were used, what they told and could not tell, once a recording is read. */
#ifndef ANALYSIS_OBJECTS_SIDE_FILES_H
#define ANALYSIS_OBJECTS_SIDE_FILES_H

#include "program_types.h"

struct document;
struct lifetime_facts;
struct lifetimes;
struct saving;

/* Zeroed memory has none. Of several recordings those of all, in their order, what is alike once */
struct side_files {
	struct lifetime_facts *list; /* paths are their own */
	uint32_t count, room;
	uint64_t unlisted; /* more than are kept */
	uint64_t
		left_out; /* files and processes that were not asked for, of the recording with most */
	/*
	 * Types of blocks that samples were asked for, by enum precis_allocation_evidence; 0: none was
	 * found
	 */
	uint64_t evidence[PROGRAM_EVIDENCE];
};

/* Those of the recording that has been read; then those of another. 0, or -1 if memory is short */
int side_files_settle(struct side_files *files, const struct lifetimes *lifetimes);
int side_files_merge(struct side_files *files, const struct side_files *others);

void side_files_saved(struct saving *saving, struct side_files *files);
void side_files_free(struct side_files *files);

/* The notes of a table; is_weighed: what some blocks stand for is told there */
void side_files_notes(struct document *document, const struct side_files *files, int is_weighed);

#endif
