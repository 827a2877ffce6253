/* SPDX-License-Identifier: BSD-3-Clause */
/* See trace_text.h. */
#include "trace_text.h"

#include <stdlib.h>
#include <string.h>

#define TYPE_TRACEPOINT 2 /* PERF_TYPE_TRACEPOINT */
#define ROOM_FIRST 1024u
#define ROOM_MOST (1u << 20)

static void read_descriptions(struct trace_text *trace, const struct precis_file *file)
{
	struct precis_bytes section;

	trace->is_read = 1;
	trace->error = precis_file_feature(file, PRECIS_FEATURE_TRACING_DATA, &section);
	if (!trace->error)
		trace->error = precis_tracepoints_new(section.data, section.bytes,
						      &trace->tracepoints, NULL);
	if (!trace->error && trace->function)
		precis_tracepoints_set_functions(trace->tracepoints, trace->function, trace->data);
}

/* @return 0, or -1 if memory is short */
static int make_room(struct trace_text *trace, size_t room)
{
	char *larger;

	if (room <= trace->room)
		return 0;
	larger = realloc(trace->text, room);
	if (!larger)
		return -1;
	trace->text = larger;
	trace->room = room;
	return 0;
}

/* What does not fit is printed again, into more room. @return 0, or enum precis_error */
static int print(struct trace_text *trace, const struct precis_tracepoint *tracepoint,
		 const struct precis_bytes *raw)
{
	size_t room = ROOM_FIRST;
	int length;

	for (;;) {
		if (make_room(trace, room))
			return PRECIS_E_NO_MEMORY;
		length = precis_tracepoints_text(trace->tracepoints, tracepoint, raw->data,
						 raw->bytes, trace->text, trace->room, NULL);
		if (length < 0)
			return length;
		if ((size_t)length < trace->room || trace->room >= ROOM_MOST)
			return 0;
		room = (size_t)length + 1 < ROOM_MOST ? (size_t)length + 1 : ROOM_MOST;
	}
}

static const char *none(enum precis_reason *reason, enum precis_reason why, const char **detail,
			const char *words)
{
	*reason = why;
	*detail = words;
	return NULL;
}

const char *trace_text_of(struct trace_text *trace, const struct precis_file *file,
			  const struct precis_event *event, const struct precis_bytes *raw,
			  enum precis_reason *reason, const char **detail)
{
	const struct precis_tracepoint *tracepoint;
	int error;

	if (event->type != TYPE_TRACEPOINT)
		return none(reason, PRECIS_NOT_APPLICABLE, detail, "the event is no tracepoint");
	if (!trace->is_read)
		read_descriptions(trace, file);
	if (trace->error == PRECIS_E_ARGUMENT)
		return none(reason, PRECIS_NOT_CAPTURED, detail,
			    "the recording describes no tracepoints");
	if (trace->error)
		return none(reason, PRECIS_MALFORMED, detail, precis_strerror(trace->error));
	tracepoint = precis_tracepoints_find(trace->tracepoints, event->config);
	if (!tracepoint)
		return none(reason, PRECIS_NOT_CAPTURED, detail,
			    "the recording does not describe this tracepoint");
	error = print(trace, tracepoint, raw);
	if (error)
		return none(reason, PRECIS_MALFORMED, detail, precis_strerror(error));
	return trace->text;
}

void trace_text_free(struct trace_text *trace)
{
	precis_tracepoints_free(trace->tracepoints);
	free(trace->text);
	memset(trace, 0, sizeof(*trace));
}
