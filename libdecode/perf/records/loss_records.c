/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the records that tell of samples that are not there. */
#include <precis/kernel_records.h>

#include "record_body.h"

int precis_lost_parse(const struct precis_record *record, struct precis_lost *lost)
{
	struct cursor body;
	int error = RECORD_OPEN(record, PRECIS_RECORD_LOST, lost, &body);

	if (error)
		return error;
	if (!cursor_u64(&body, &lost->id) || !cursor_u64(&body, &lost->lost))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_lost_samples_parse(const struct precis_record *record, struct precis_lost_samples *lost)
{
	struct cursor body;
	int error = RECORD_OPEN(record, PRECIS_RECORD_LOST_SAMPLES, lost, &body);

	if (error)
		return error;
	return cursor_u64(&body, &lost->lost) ? 0 : PRECIS_E_TRUNCATED;
}

int precis_throttle_parse(const struct precis_record *record, struct precis_throttle *throttle)
{
	struct cursor body;
	int error = RECORD_OPEN_EITHER(record, PRECIS_RECORD_THROTTLE, PRECIS_RECORD_UNTHROTTLE,
				       throttle, &body);

	if (error)
		return error;
	if (!cursor_u64(&body, &throttle->time) || !cursor_u64(&body, &throttle->id) ||
	    !cursor_u64(&body, &throttle->stream_id))
		return PRECIS_E_TRUNCATED;
	return 0;
}
