/* SPDX-License-Identifier: BSD-3-Clause */
/* See payload.h. */
#include "payload.h"

/* The kernel writes 4 bytes where an event asks for RAW and the sample has none. */
#define FILLER_BYTES 4u

static int has_payload(const struct dlfilter_sample *sample)
{
	return DLFILTER_SAMPLE_HAS(sample, raw_data) && sample->raw_data &&
	       sample->raw_size > FILLER_BYTES;
}

static int parse_op(const struct dlfilter_sample *sample, struct precis_ibs_op *op)
{
	op->size = sizeof(*op);
	return precis_ibs_op_parse(sample->raw_data, sample->raw_size, op);
}

static int parse_fetch(const struct dlfilter_sample *sample, int old_layout,
		       struct precis_ibs_fetch *fetch)
{
	fetch->size = sizeof(*fetch);
	return precis_ibs_fetch_parse(sample->raw_data, sample->raw_size, old_layout, fetch);
}

/* caps, then as many registers: 7 to 9 for an op, 3 to 5 for a fetch */
#define REGISTER_BYTES(count) (4u + 8u * (count))

int payload_judge(const struct dlfilter_sample *sample, enum precis_event_kind *kind)
{
	struct precis_ibs_fetch fetch;
	struct precis_ibs_op op;

	if (!has_payload(sample))
		return 0;
	if (sample->raw_size % 8 != REGISTER_BYTES(0))
		return 1;
	if (sample->raw_size <= REGISTER_BYTES(5)) {
		if (!parse_fetch(sample, 0, &fetch))
			*kind = PRECIS_EVENT_IBS_FETCH;
	} else if (!parse_op(sample, &op)) {
		*kind = PRECIS_EVENT_IBS_OP;
	}
	return 1;
}

int payload_decode(struct precis_ibs_context *context, enum precis_event_kind kind, int old_fetch,
		   const struct dlfilter_sample *from, const uint64_t *wanted,
		   struct precis_sample *sample)
{
	struct precis_ibs_fetch *fetch = &sample->registers.ibs_fetch;
	struct precis_ibs_op *op = &sample->registers.ibs_op;
	int error;

	if (!has_payload(from))
		return PRECIS_E_NO_PAYLOAD;
	if (kind == PRECIS_EVENT_IBS_OP) {
		error = parse_op(from, op);
		return error ? error : precis_ibs_op_decode(context, op, wanted, sample);
	}
	error = parse_fetch(from, old_fetch, fetch);
	return error ? error : precis_ibs_fetch_decode(context, fetch, wanted, sample);
}
