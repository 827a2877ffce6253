/* SPDX-License-Identifier: BSD-3-Clause */
/* Do two samples say different things? */
#ifndef TESTS_LIBDECODE_PERF_DIFFER_H
#define TESTS_LIBDECODE_PERF_DIFFER_H

#include <string.h>

#include <precis/sample.h>

static inline int differ(const struct precis_sample *a, const struct precis_sample *b)
{
	return a->source != b->source || a->event_kind != b->event_kind ||
	       a->payload_error != b->payload_error ||
	       memcmp(a->present, b->present, sizeof(a->present)) ||
	       memcmp(a->wanted, b->wanted, sizeof(a->wanted)) ||
	       memcmp(a->value, b->value, sizeof(a->value)) ||
	       precis_why(a, PRECIS_FIELD_ADDR) != precis_why(b, PRECIS_FIELD_ADDR);
}

#endif
