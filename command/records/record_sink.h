/* SPDX-License-Identifier: BSD-3-Clause */
/* Where members of a record go, by name. */
#ifndef RECORDS_RECORD_SINK_H
#define RECORDS_RECORD_SINK_H

#include <precis/precis.h>

#include "document/value_sink.h"

/* After each record_member() comes one value. */
struct record_sink {
	struct value_sink value;
	struct precis_file *file;
};

/* The name of what comes next: " name=" in text, a member of the object in json. */
void record_member(struct record_sink *sink, const char *name);

/* A time in ns: in text as seconds. */
void record_time(struct record_sink *sink, const char *name, uint64_t time);

#endif
