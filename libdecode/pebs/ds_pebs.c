/* SPDX-License-Identifier: BSD-3-Clause */
/* The PEBS records of a debug store. */
#include <precis/error.h>

#include "ds.h"

int precis_ds_pebs(const struct precis_ds *ds, uint32_t format, const void *memory, size_t count,
		   uint64_t address, struct precis_pebs_buffer *buffer, uint32_t *fault)
{
	struct ds_memory from = { memory, count, address };
	struct ds_filled filled;
	const struct ds_layout *row;
	int rc;

	/* architectural PEBS has no debug store */
	if (!ds || ds->size < sizeof(*ds) || !buffer || precis_ds_layout_of(format) < 0)
		return PRECIS_E_ARGUMENT;
	row = precis_ds_layout(ds->layout);
	if (!row)
		return PRECIS_E_ARGUMENT;
	rc = precis_ds_filled(&ds->pebs, row->word, precis_pebs_format_bytes(format), &from,
			      &filled, fault);
	return rc < 0 ? rc : precis_pebs_buffer_init(buffer, format, filled.bytes, filled.count);
}
