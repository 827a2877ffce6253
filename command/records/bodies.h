/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of every record other than SAMPLE, by name. */
#ifndef RECORDS_BODIES_H
#define RECORDS_BODIES_H

#include <precis/precis.h>

#include "document/value_sink.h"

/* Where members of a record go: after each record_member() comes one value. */
struct record_sink {
	struct value_sink value;
	struct precis_file *file;
};

/* The name of what comes next: " name=" in text, a member of the object in json. */
void record_member(struct record_sink *sink, const char *name);

/* A time in ns: in text as seconds. */
void record_time(struct record_sink *sink, const char *name, uint64_t time);

/*
 * Put the body's members. 0; enum precis_error if the body cannot be taken apart, then
 * nothing has been put; a type without a known body has no members.
 */
int record_put_body(struct record_sink *sink, struct precis_file *file,
		    const struct precis_record *record);

#endif
