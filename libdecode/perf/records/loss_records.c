/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the records that tell of samples that are not there. */
#include <precis/kernel_records.h>

#include "libdecode/sample/abi.h"
#include "record_body.h"

int precis_lost_parse(const struct precis_record *record, struct precis_lost *lost)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_LOST, &body);

	ABI_OUT(struct precis_lost, lost, precis_lost_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u64(&body, &lost->id) || !cursor_u64(&body, &lost->lost))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_lost_samples_parse(const struct precis_record *record, struct precis_lost_samples *lost)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_LOST_SAMPLES, &body);

	ABI_OUT(struct precis_lost_samples, lost, precis_lost_samples_parse(record, &abi));
	if (error)
		return error;
	return cursor_u64(&body, &lost->lost) ? 0 : PRECIS_E_TRUNCATED;
}

int precis_throttle_parse(const struct precis_record *record, struct precis_throttle *throttle)
{
	struct cursor body;
	int error =
		record_open_either(record, PRECIS_RECORD_THROTTLE, PRECIS_RECORD_UNTHROTTLE, &body);

	ABI_OUT(struct precis_throttle, throttle, precis_throttle_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u64(&body, &throttle->time) || !cursor_u64(&body, &throttle->id) ||
	    !cursor_u64(&body, &throttle->stream_id))
		return PRECIS_E_TRUNCATED;
	return 0;
}
