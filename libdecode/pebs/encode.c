/* SPDX-License-Identifier: BSD-3-Clause */
/* One record of any format: words to bytes. */
#include <precis/error.h>

#include "../sample/abi.h"
#include "formats.h"

int precis_pebs_encode(const struct precis_pebs *pebs, const struct precis_pebs_groups *groups,
		       void *bytes, size_t room)
{
	struct pebs_output out = { (uint8_t *)bytes, room, 0 };
	const struct pebs_format *row;
	int rc;

	ABI_IN(struct precis_pebs, pebs, precis_pebs_encode(&abi, groups, bytes, room));
	ABI_MAY_IN(struct precis_pebs_groups, groups, precis_pebs_encode(pebs, &abi, bytes, room));
	if (!bytes)
		return PRECIS_E_ARGUMENT;
	row = precis_pebs_format(pebs->format);
	if (!row)
		return PRECIS_E_ARGUMENT;
	rc = row->encode(pebs, groups, &out);
	return rc < 0 ? rc : (int)out.used;
}
