/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From SAMPLE records to samples without a file: for whoever has the records of
 * an event that he opened himself, in a ring buffer (see ring.h) or elsewhere.
 *
 * Nothing here allocates, prints or keeps state outside the caller's structs:
 * all of it may be called from a signal handler.
 */
#ifndef PRECIS_DECODER_H
#define PRECIS_DECODER_H

#include <precis/export.h>
#include <precis/fields.h>
#include <precis/ibs.h>
#include <precis/pebs_sample.h>
#include <precis/record.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

/**
 * The generic fields of an event's samples to fill in for one choice of fields,
 * worked out when it changes. If all of them stand at fixed places before the
 * payload, samples need not be taken apart for them: 'direct'. Members are private.
 */
struct precis_decoder_plan {
	uint64_t wanted[PRECIS_FIELD_WORDS];
	uint32_t count;
	uint8_t rows[PRECIS_FIELD_CAPACITY];
	struct {
		uint8_t usable; /* of samples with a payload */
		uint8_t plain; /* of samples without one */
		uint8_t count;
		uint16_t raw_offset; /* of the payload's u32 size in the record */
		uint32_t tail_bytes; /* behind the payload */
		uint64_t written[PRECIS_FIELD_WORDS]; /* fields that every sample gets */
		struct {
			uint16_t offset; /* in the record */
			uint8_t field, width;
			uint8_t zero_is_absent;
		} step[16];
		/* Words behind a payload, whose place is known from the record's end */
		struct {
			uint16_t from_end;
			uint8_t field;
			uint8_t zero_is_absent;
		} tail[8];
		uint8_t tail_count;
	} direct;
};

/**
 * What is known of an event before its first sample. Not for two threads at
 * once. Filled by precis_decoder_init(); the first group of members may be set
 * then, and changed between two samples.
 *
 * What stands behind 'layout' is private and may be something else in the next
 * version; the struct always has 1 KiB.
 */
struct precis_decoder {
	uint32_t size;  /* sizeof(struct precis_decoder), set by the caller */
	uint32_t kind;  /* enum precis_event_kind: what the payload is */
	uint32_t index; /* the samples' field 'event' */
	uint32_t old_fetch_layout;         /* see precis_ibs_fetch_parse() */
	struct precis_ibs_context *ibs;    /* of an event of kind IBS_OP or IBS_FETCH */
	struct precis_pebs_context *pebs;  /* what the kernel's words mean; NULL: not to be decoded */
	uint64_t fixed_period; /* of samples that have none of their own: attr.sample_period, 0 for
				* a frequency */

	union {
		struct precis_layout layout; /* read-only */
		uint64_t layout_room[16];    /* that it may grow into */
	};
	struct precis_decoder_plan plan; /* private */
	uint64_t reserved[47];
};

/**
 * @param attr     the event's struct perf_event_attr, any alignment
 * @param bytes    how many there are; 64 or more
 * @param decoder  'size' must be set. It is an event of kind OTHER without contexts then
 * @return 0, PRECIS_E_ARGUMENT or PRECIS_E_BAD_SIZE
 */
PRECIS_API int precis_decoder_init(struct precis_decoder *decoder, const void *attr, size_t bytes);

/**
 * Decode a SAMPLE record of the event.
 *
 * @param wanted  a set of fields; NULL: all. A field that is not wanted has the
 *                reason NOT_CAPTURED
 * @param perf    NULL, or where the sample's parts in ABI terms go ('size' set)
 * @param sample  initialised by precis_sample_init(), or decoded into before
 * @return 0; PRECIS_E_ARGUMENT; or what precis_perf_sample_parse() says of the
 *         record: what could be read is in 'sample'. A payload that cannot be
 *         decoded is no error here: see sample->payload_error
 */
PRECIS_API int precis_decoder_sample(struct precis_decoder *decoder,
				     const struct precis_record *record, const uint64_t *wanted,
				     struct precis_perf_sample *perf, struct precis_sample *sample);

PRECIS_END_DECLS

#endif
