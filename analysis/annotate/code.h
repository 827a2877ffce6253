/* SPDX-License-Identifier: BSD-3-Clause */
/* The instructions of a function, and which row of samples each has. */
#ifndef ANALYSIS_ANNOTATE_CODE_H
#define ANALYSIS_ANNOTATE_CODE_H

#include <precis/precis.h>

#include "analysis/by/rows.h"

/* A longer function is told by what has samples. */
#define FUNCTION_BYTES_MOST (4u << 20)

struct annotated_instruction {
	uint64_t offset;          /* in the object */
	uint64_t target;          /* address, if 'does' says so */
	const struct by_row *row; /* NULL: it has no sample */
	uint32_t does;            /* PRECIS_CODE_* */
	uint32_t loops;           /* jumps back around it */
	uint8_t length;           /* 0: not decoded */
	uint8_t is_inside;        /* of the instruction before: none begins here */
	uint8_t is_shown;
};

struct annotated_code {
	struct precis_symbols *symbols;
	struct precis_location location; /* where it begins */
	uint64_t end;                    /* offset, not included */
	struct precis_code code;         /* address of its first byte, and why there are no bytes */
	uint8_t *bytes;
	uint32_t byte_count;
	struct annotated_instruction *list;
	uint32_t count, room;
	int reads_files; /* or nothing is known but addresses */
	int is_sparse; /* where it begins, or ends, is not known: there is only what has samples */
};

/*
 * 'rows' are those of its samples, of which key[1] is the place, by their offsets; 'location' is that of
 * the first. 0, or -1 if memory is short; to be freed in any case.
 */
int annotated_code_open(struct annotated_code *code, struct precis_symbols *symbols,
			const struct precis_location *location, const struct by_row *const *rows,
			uint32_t count, int reads_files);
void annotated_code_free(struct annotated_code *code);

/* The address that the file has for an offset */
static inline uint64_t annotated_address(const struct annotated_code *code, uint64_t offset)
{
	return code->code.address + (offset - code->location.offset);
}

/* The instruction at an address; NULL: none of the function's begins there */
const struct annotated_instruction *annotated_find(const struct annotated_code *code,
						   uint64_t address);

/* Its text; "" if it is not decoded */
void annotated_text(const struct annotated_code *code,
		    const struct annotated_instruction *instruction, uint32_t syntax,
		    char text[PRECIS_CODE_TEXT]);

#endif
