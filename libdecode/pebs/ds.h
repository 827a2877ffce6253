/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts of the DS management area. */
#ifndef PRECIS_PEBS_DS_H
#define PRECIS_PEBS_DS_H

#include <precis/ds.h>

#define DS_WORDS 8u /* four of each buffer, before the reset values */

struct ds_layout {
	uint8_t word; /* bytes */
	uint8_t gp, fixed; /* reset values, 8 bytes each: general-purpose, then fixed */
};

/* The row of a layout, NULL if there is none. */
const struct ds_layout *precis_ds_layout(uint32_t layout);

/*
 * The bytes from base to index out of the caller's memory.
 * 0; PRECIS_E_TRUNCATED, PRECIS_E_BAD_SIZE, PRECIS_E_ARGUMENT: see precis_ds_pebs()
 */
struct ds_memory {
	const void *memory;
	size_t count;
	uint64_t address;
};

struct ds_filled {
	const uint8_t *bytes;
	size_t count;
};

int precis_ds_filled(const struct precis_ds_buffer *buffer, uint32_t word, uint32_t record_bytes,
		     const struct ds_memory *from, struct ds_filled *filled, uint32_t *fault);

#endif
