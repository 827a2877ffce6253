/* SPDX-License-Identifier: BSD-3-Clause */
/* struct precis_columns */
#ifndef PRECIS_PERF_COLUMNS_PRIVATE_H
#define PRECIS_PERF_COLUMNS_PRIVATE_H

#include <precis/columns.h>

#include "block.h"

struct precis_columns {
	uint32_t count; /* of columns */
	uint32_t room, rows; /* of a batch at most; of the last one */
	uint32_t field[PRECIS_FIELD_COUNT];
	uint64_t nulls[PRECIS_FIELD_COUNT]; /* of the last batch */
	uint64_t fields[PRECIS_FIELD_WORDS]; /* the columns', as a set */
	uint64_t wanted[PRECIS_FIELD_WORDS]; /* and those of the filter */
	uint64_t first; /* number of the last batch's first row */
	uint64_t record_types[2];
	struct block *block;
	struct precis_sample sample;
	struct precis_sample *samples; /* 'room' of them; NULL: not wanted */
	uint32_t has_filter;
	struct precis_filter filter;
};

/*
 * direct.c: samples that come next and need not be taken apart one by one, as rows.
 * @return how many; 0: the next item is for precis_input_next()
 */
uint32_t precis_columns_take_run(struct precis_columns *columns, struct precis_input *input);

#endif
