/* SPDX-License-Identifier: BSD-3-Clause */
/* One record of any format. */
#include <precis/error.h>

#include "../sample/abi.h"
#include "fixed.h"
#include "formats.h"

static const struct pebs_format formats[] = {
	[PRECIS_PEBS_FORMAT_0] = { "0", FIXED_BYTES_0, precis_pebs_parse_0,
				   precis_pebs_encode_fixed },
	[PRECIS_PEBS_FORMAT_1] = { "1", FIXED_BYTES_1, precis_pebs_parse_1,
				   precis_pebs_encode_fixed },
	[PRECIS_PEBS_FORMAT_2] = { "2", FIXED_BYTES_2, precis_pebs_parse_2,
				   precis_pebs_encode_fixed },
	[PRECIS_PEBS_FORMAT_3] = { "3", FIXED_BYTES_3, precis_pebs_parse_3,
				   precis_pebs_encode_fixed },
	[PRECIS_PEBS_FORMAT_4] = { "4", 0, precis_pebs_parse_adaptive,
				   precis_pebs_encode_adaptive },
	[PRECIS_PEBS_FORMAT_5] = { "5", 0, precis_pebs_parse_adaptive,
				   precis_pebs_encode_adaptive },
	[PRECIS_PEBS_FORMAT_6] = { "6", 0, precis_pebs_parse_adaptive,
				   precis_pebs_encode_adaptive },
	[PRECIS_PEBS_FORMAT_ARCH] = { "arch", 0, precis_pebs_parse_arch,
				      precis_pebs_encode_arch },
	[PRECIS_PEBS_FORMAT_NETBURST_32] = { "netburst32", FIXED_BYTES_NETBURST_32,
					     precis_pebs_parse_netburst_32,
					     precis_pebs_encode_netburst_32 },
	[PRECIS_PEBS_FORMAT_NETBURST_64] = { "netburst64", FIXED_BYTES_0,
					     precis_pebs_parse_0, precis_pebs_encode_fixed },
};

const struct pebs_format *precis_pebs_format(uint32_t format)
{
	if (format >= sizeof(formats) / sizeof(formats[0]) || !formats[format].name)
		return NULL;
	return &formats[format];
}

uint32_t precis_pebs_format_bytes(uint32_t format)
{
	const struct pebs_format *row = precis_pebs_format(format);

	return row ? row->bytes : 0;
}

static void empty_groups(struct precis_pebs_groups *groups)
{
	static const struct precis_pebs_groups empty;
	uint32_t size = groups->size;

	/* copied, since gcc clears as many bytes with rep stos, which takes longer to begin */
	*groups = empty;
	groups->size = size;
}

static void empty_record(struct precis_pebs *pebs)
{
	pebs->groups = 0;
	pebs->captured = 0;
	pebs->gpr_captured = 0;
	pebs->flags = 0;
	pebs->fragments = 0;
}

int precis_pebs_parse_at(const struct pebs_format *row, const uint8_t *at, size_t count,
			 struct precis_pebs *pebs, struct precis_pebs_groups *groups, size_t *fault)
{
	int rc;

	empty_record(pebs);
	pebs->bytes = 0;
	pebs->unknown_groups = 0;
	pebs->format_word = 0;
	if (groups)
		empty_groups(groups);
	*fault = 0;
	rc = row->parse(at, count, pebs, groups, fault);
	if (rc < 0) {
		/* nobody shall take the half of a record for a record */
		empty_record(pebs);
		if (groups)
			empty_groups(groups);
	}
	return rc;
}

int precis_pebs_parse(uint32_t format, const void *bytes, size_t count, struct precis_pebs *pebs,
		      struct precis_pebs_groups *groups)
{
	const struct pebs_format *row = precis_pebs_format(format);
	size_t fault;

	ABI_OUT(struct precis_pebs, pebs, precis_pebs_parse(format, bytes, count, &abi, groups));
	ABI_MAY_OUT(struct precis_pebs_groups, groups,
		    precis_pebs_parse(format, bytes, count, pebs, &abi));
	if (!row || (!bytes && count))
		return PRECIS_E_ARGUMENT;
	pebs->format = format;
	return precis_pebs_parse_at(row, (const uint8_t *)bytes, count, pebs, groups, &fault);
}
