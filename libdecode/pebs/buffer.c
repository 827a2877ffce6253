/* SPDX-License-Identifier: BSD-3-Clause */
/* A buffer of records, one after another. */
#include <string.h>

#include <precis/error.h>

#include "../sample/abi.h"
#include "../sample/bytes.h"
#include "arch.h"
#include "formats.h"

ABI_FIXED(struct precis_pebs_buffer, 88);

int precis_pebs_buffer_init(struct precis_pebs_buffer *buffer, uint32_t format, const void *bytes,
			    size_t count)
{
	if (!buffer || !precis_pebs_format(format) || (!bytes && count))
		return PRECIS_E_ARGUMENT;
	memset(buffer, 0, sizeof(*buffer));
	buffer->size = sizeof(*buffer);
	buffer->format = format;
	buffer->bytes = (const uint8_t *)bytes;
	buffer->count = count;
	return 0;
}

/* Null records between two records; one of a wrong size is left for the parser to refuse. */
static void skip_nulls(struct precis_pebs_buffer *buffer)
{
	while (buffer->count - buffer->next >= ARCH_HEADER_BYTES) {
		uint64_t header = load_le64(buffer->bytes + buffer->next);

		if (!arch_is_null(header) || header < ARCH_HEADER_BYTES || header % 8 ||
		    header > buffer->count - buffer->next)
			return;
		buffer->next += header;
		buffer->null_records++;
	}
}

int precis_pebs_buffer_next(struct precis_pebs_buffer *buffer, struct precis_pebs *pebs,
			    struct precis_pebs_groups *groups)
{
	size_t fault;
	int rc;

	ABI_OUT(struct precis_pebs, pebs, precis_pebs_buffer_next(buffer, &abi, groups));
	ABI_MAY_OUT(struct precis_pebs_groups, groups, precis_pebs_buffer_next(buffer, pebs, &abi));
	if (!buffer || buffer->size < sizeof(*buffer))
		return PRECIS_E_ARGUMENT;
	if (buffer->format == PRECIS_PEBS_FORMAT_ARCH)
		skip_nulls(buffer);
	buffer->offset = buffer->next;
	if (buffer->next >= buffer->count)
		return 0;
	pebs->format = buffer->format;
	rc = precis_pebs_parse_at(precis_pebs_format(buffer->format), buffer->bytes + buffer->next,
				  buffer->count - buffer->next, pebs, groups, &fault);
	if (rc < 0) {
		buffer->offset += fault;
		buffer->next = pebs->bytes ? buffer->next + pebs->bytes : buffer->count;
		return rc;
	}
	buffer->next += pebs->bytes;
	buffer->records++;
	return 1;
}
