/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample_id that kernel records other than SAMPLE end with. */
#include <precis/error.h>
#include <precis/record.h>

#include "libdecode/sample/abi.h"
#include "record_header.h"

/* Its members in order; all are one u64, some of them two u32. */
static const uint32_t order[] = {
	PRECIS_SAMPLE_TID,       PRECIS_SAMPLE_TIME, PRECIS_SAMPLE_ID,
	PRECIS_SAMPLE_STREAM_ID, PRECIS_SAMPLE_CPU,  PRECIS_SAMPLE_IDENTIFIER,
};

static void take(struct precis_sample_id *id, uint32_t member, const uint8_t *at)
{
	switch (member) {
	case PRECIS_SAMPLE_TID:
		id->pid = load_u32(at);
		id->tid = load_u32(at + 4);
		break;
	case PRECIS_SAMPLE_TIME:
		id->time = load_u64(at);
		break;
	case PRECIS_SAMPLE_STREAM_ID:
		id->stream_id = load_u64(at);
		break;
	case PRECIS_SAMPLE_CPU:
		id->cpu = load_u32(at);
		id->reserved = load_u32(at + 4);
		break;
	default: /* ID; IDENTIFIER comes later and wins */
		id->id = load_u64(at);
		break;
	}
	id->present |= member;
}

int precis_sample_id_parse(const struct precis_layout *layout, const struct precis_record *record,
			   struct precis_sample_id *id)
{
	const uint8_t *at;

	ABI_IN(struct precis_layout, layout, precis_sample_id_parse(&abi, record, id));
	ABI_OUT(struct precis_sample_id, id, precis_sample_id_parse(layout, record, &abi));
	if (!record || record->type == PRECIS_RECORD_SAMPLE)
		return PRECIS_E_ARGUMENT;
	id->present = 0;
	if (!layout->trailer_bytes || record->type >= PRECIS_RECORD_USER_FIRST)
		return 0;
	if (record->size < RECORD_HEADER_BYTES + layout->trailer_bytes)
		return PRECIS_E_TRUNCATED;
	at = record->data + record->size - layout->trailer_bytes;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (!(layout->sample_type & order[i]))
			continue;
		take(id, order[i], at);
		at += 8;
	}
	return 0;
}
