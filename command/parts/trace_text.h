/* SPDX-License-Identifier: BSD-3-Clause */
/* What the payloads of tracepoints say, by the descriptions in the recording. */
#ifndef TRACE_TEXT_H
#define TRACE_TEXT_H

#include <precis/precis.h>

/* Zeroed memory has not been asked yet. */
struct trace_text {
	struct precis_tracepoints *tracepoints;
	int is_read; /* the descriptions have been looked for */
	int error;   /* enum precis_error: why there are none */
	precis_tracepoint_function *function; /* names kernel addresses, with 'data'; NULL: none does */
	void *data;
	char *text;  /* of the last payload */
	size_t room; /* of it, in bytes */
};

/*
 * The payload of an event's sample as a line. @return NULL if there is none: 'reason' and
 * 'detail' say why. Valid until the next call.
 */
const char *trace_text_of(struct trace_text *trace, const struct precis_file *file,
			  const struct precis_event *event, const struct precis_bytes *raw,
			  enum precis_reason *reason, const char **detail);

void trace_text_free(struct trace_text *trace);

#endif
