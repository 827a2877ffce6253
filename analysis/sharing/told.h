/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What symbols said of lines and of instructions that access them: of runs that were saved, whose recordings
 * and binaries are somewhere else. And what side files of objects said of blocks, which were there for a
 * time.
 */
#ifndef ANALYSIS_SHARING_TOLD_H
#define ANALYSIS_SHARING_TOLD_H

#include <precis/precis.h>

#include "lines.h"

/* Of an instruction. NULL: it is not known */
struct sharing_place {
	const char *object, *symbol;
	uint64_t symbol_offset;
	const char *file; /* of the source */
	uint32_t line;
};

/* Of which data an access is; 'line' 0: the source is not known */
struct sharing_datum {
	const char *name;
	const char *
		file; /* of the source: where that is declared, allocated or, only that is known, accessed */
	uint32_t line, source; /* enum sharing_source */
	int is_address; /* no name is known, but where it is */
};

enum sharing_source { SHARING_DECLARED, SHARING_ALLOCATED, SHARING_ACCESSED, SHARING_SOURCES };

/*
 * Of lines and ways, by their 'told' - 1, and of ways by their 'datum' - 1. Zeroed memory has none; texts are
 * not its own, but for those that are in 'own'.
 */
struct sharing_told {
	struct precis_memory *memories;
	struct sharing_place *places;
	struct sharing_datum *data;
	char **own;
	uint32_t memory_count, place_count, datum_count, own_count;
};

/* Texts are copied. Its number, from 1, or 0 if memory is short */
uint32_t sharing_told_datum(struct sharing_told *told, const struct sharing_datum *datum);

/*
 * All that another has, behind, its own texts too; its lines get the numbers that they have here. 0, or -1 if
 * memory is short
 */
int sharing_told_merge(struct sharing_told *told, struct sharing_told *others,
		       struct sharing_lines *lines);
void sharing_told_free(struct sharing_told *told);

#endif
