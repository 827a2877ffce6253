#ifndef PRECIS_DECODER_H
#define PRECIS_DECODER_H

#include <precis/export.h>
#include <precis/fields.h>
#include <precis/ibs.h>
#include <precis/pebs_sample.h>
#include <precis/record.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

struct precis_decoder_plan {
	uint64_t wanted[PRECIS_FIELD_WORDS];
	uint32_t count;
	uint8_t rows[PRECIS_FIELD_CAPACITY];
	struct {
		uint8_t usable;
		uint8_t plain;
		uint8_t count;
		uint16_t raw_offset;
		uint32_t tail_bytes;
		uint64_t written[PRECIS_FIELD_WORDS];
		struct {
			uint16_t offset;
			uint8_t field, width;
			uint8_t zero_is_absent;
		} step[16];
	} direct;
};

struct precis_decoder {
	uint32_t size;
	uint32_t kind;
	uint32_t index;
	uint32_t old_fetch_layout;
	struct precis_ibs_context *ibs;
	struct precis_pebs_context *pebs;
	uint64_t fixed_period;

	union {
		struct precis_layout layout;
		uint64_t layout_room[16];
	};
	struct precis_decoder_plan plan;
	uint64_t reserved[52];
};

PRECIS_API int precis_decoder_init(struct precis_decoder *decoder, const void *attr, size_t bytes);

PRECIS_API int precis_decoder_sample(struct precis_decoder *decoder,
				     const struct precis_record *record, const uint64_t *wanted,
				     struct precis_perf_sample *perf, struct precis_sample *sample);

PRECIS_END_DECLS

#endif
