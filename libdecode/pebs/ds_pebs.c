/* SPDX-License-Identifier: BSD-3-Clause */
/* The PEBS records of a debug store. */
#include <precis/error.h>

#include "../sample/abi.h"
#include "ds.h"

int precis_ds_pebs(const struct precis_ds *ds, uint32_t format, const void *memory, size_t count,
		   uint64_t address, struct precis_pebs_buffer *buffer, uint32_t *fault)
{
	struct ds_memory from = { memory, count, address };
	struct ds_filled filled;
	const struct ds_layout *row;
	int rc;

	ABI_IN(struct precis_ds, ds,
	       precis_ds_pebs(&abi, format, memory, count, address, buffer, fault));
	/* architectural PEBS has no debug store */
	if (!buffer || precis_ds_layout_of(format) < 0)
		return PRECIS_E_ARGUMENT;
	row = precis_ds_layout(ds->layout);
	if (!row)
		return PRECIS_E_ARGUMENT;
	rc = precis_ds_filled(&ds->pebs, row->word, precis_pebs_format_bytes(format), &from,
			      &filled, fault);
	return rc < 0 ? rc : precis_pebs_buffer_init(buffer, format, filled.bytes, filled.count);
}

int precis_ds_extent(const struct precis_ds *ds, uint32_t format, const uint64_t *address,
		     uint64_t *skip, uint64_t *count, uint32_t *fault)
{
	const struct ds_layout *row;
	uint32_t found;
	uint64_t start;
	int rc = 0;

	ABI_IN(struct precis_ds, ds, precis_ds_extent(&abi, format, address, skip, count, fault));
	if (!skip || !count || precis_ds_layout_of(format) < 0)
		return PRECIS_E_ARGUMENT;
	row = precis_ds_layout(ds->layout);
	if (!row)
		return PRECIS_E_ARGUMENT;
	found = precis_ds_check(&ds->pebs, row->word, precis_pebs_format_bytes(format));
	start = address ? *address : ds->pebs.base;
	*count = ds->pebs.index - ds->pebs.base;
	*skip = *count ? ds->pebs.base - start : 0;
	if (found >= PRECIS_DS_MAXIMUM_BELOW_BASE && found <= PRECIS_DS_MISALIGNED) {
		rc = PRECIS_E_BAD_SIZE;
	} else if (*count && ds->pebs.base < start) {
		found = PRECIS_DS_NOT_IN_MEMORY;
		rc = PRECIS_E_TRUNCATED;
	}
	if (fault)
		*fault = found;
	return rc;
}
