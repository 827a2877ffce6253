/* SPDX-License-Identifier: BSD-3-Clause */
/* Feature sections of fixed size. */
#include <precis/features.h>

#include "libdecode/perf/records/record_body.h"
#include "libdecode/sample/abi.h"
#include "section.h"

#define CLOCK_DATA_VERSION 1u

int precis_clock_data_parse(struct precis_bytes section, struct precis_clock_data *clock)
{
	struct cursor at = section_open(section);
	uint32_t version;

	ABI_OUT(struct precis_clock_data, clock, precis_clock_data_parse(section, &abi));
	if (!cursor_u32(&at, &version))
		return PRECIS_E_TRUNCATED;
	if (version != CLOCK_DATA_VERSION)
		return PRECIS_E_UNSUPPORTED;
	if (!cursor_u32(&at, &clock->clock_id) || !cursor_u64(&at, &clock->wall_ns) ||
	    !cursor_u64(&at, &clock->clock_ns))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_compression_parse(struct precis_bytes section, struct precis_compression *compression)
{
	struct cursor at = section_open(section);

	ABI_OUT(struct precis_compression, compression, precis_compression_parse(section, &abi));
	if (!cursor_pair(&at, &compression->version, &compression->type) ||
	    !cursor_pair(&at, &compression->level, &compression->ratio) ||
	    !cursor_u32(&at, &compression->buffer_bytes))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_machine_type_parse(struct precis_bytes section, struct precis_machine_type *type)
{
	struct cursor at = section_open(section);

	ABI_OUT(struct precis_machine_type, type, precis_machine_type_parse(section, &abi));
	return cursor_pair(&at, &type->machine, &type->flags) ? 0 : PRECIS_E_TRUNCATED;
}

int precis_total_memory(struct precis_bytes section, uint64_t *kibibytes)
{
	struct cursor at = section_open(section);

	if (!kibibytes)
		return PRECIS_E_ARGUMENT;
	return cursor_u64(&at, kibibytes) ? 0 : PRECIS_E_TRUNCATED;
}

int precis_clock_resolution(struct precis_bytes section, uint64_t *nanoseconds)
{
	struct cursor at = section_open(section);

	if (!nanoseconds)
		return PRECIS_E_ARGUMENT;
	return cursor_u64(&at, nanoseconds) ? 0 : PRECIS_E_TRUNCATED;
}

int precis_cache_line_size(struct precis_bytes section, uint32_t *bytes)
{
	struct cursor at = section_open(section);

	if (!bytes)
		return PRECIS_E_ARGUMENT;
	return cursor_u32(&at, bytes) ? 0 : PRECIS_E_TRUNCATED;
}
