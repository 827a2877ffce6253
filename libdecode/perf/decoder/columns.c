/* SPDX-License-Identifier: BSD-3-Clause */
/* Generic fields of many records of one event at once, where they stand at fixed places. */
#include "direct.h"
#include "libdecode/perf/records/record_header.h"
#include "libdecode/sample/bytes.h"

static void load_column(const uint8_t *const *records, uint32_t count, uint32_t offset,
			uint32_t width, uint64_t *values)
{
	if (width == 8) { /* most are: without asking each time */
		UNROLLED
		for (uint32_t n = 0; n < count; n++)
			values[n] = load_u64(records[n] + offset);
		return;
	}
	if (width == 4) {
		UNROLLED
		for (uint32_t n = 0; n < count; n++)
			values[n] = load_u32(records[n] + offset);
		return;
	}
	if (width == SIGNED_4) { /* pid and tid */
		UNROLLED
		for (uint32_t n = 0; n < count; n++)
			values[n] = load_generic(records[n] + offset, SIGNED_4);
		return;
	}
	for (uint32_t n = 0; n < count; n++)
		values[n] = load_generic(records[n] + offset, width);
}

static void fill(uint64_t value, uint32_t count, uint64_t *values)
{
	for (uint32_t n = 0; n < count; n++)
		values[n] = value;
}

static void load_misc(const uint8_t *const *records, uint32_t count, uint32_t shift, uint32_t mask,
		      uint64_t *values)
{
	UNROLLED
	for (uint32_t n = 0; n < count; n++)
		values[n] = (uint32_t)record_header_misc(records[n]) >> shift & mask;
}

int precis_decoder_column(const struct precis_decoder *decoder, uint32_t field,
			  const uint8_t *const *records, uint32_t count, uint64_t *values)
{
	const uint32_t exact_shift = (uint32_t)__builtin_ctz(PRECIS_MISC_EXACT_IP);
	const uint64_t type = decoder->layout.sample_type;

	for (uint32_t i = 0; i < decoder->plan.direct.count; i++) {
		if (decoder->plan.direct.step[i].field == field) {
			load_column(records, count, decoder->plan.direct.step[i].offset,
				    decoder->plan.direct.step[i].width, values);
			return 1;
		}
	}
	if (field == PRECIS_FIELD_EVENT)
		fill(decoder->index, count, values);
	else if (field == PRECIS_FIELD_CPUMODE)
		load_misc(records, count, 0, PRECIS_MISC_CPUMODE_MASK, values);
	else if (field == PRECIS_FIELD_IP_EXACT && (type & PRECIS_SAMPLE_IP))
		load_misc(records, count, exact_shift, 1, values);
	else if (field == PRECIS_FIELD_PERIOD && !(type & PRECIS_SAMPLE_PERIOD) &&
		 decoder->fixed_period)
		fill(decoder->fixed_period, count, values);
	else
		return 0;
	return 1;
}
