/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of every record other than SAMPLE, by name. */
#ifndef RECORDS_BODIES_H
#define RECORDS_BODIES_H

#include "record_sink.h"

/*
 * Put the body's members. 0; enum precis_error if the body cannot be taken apart, then
 * nothing has been put; a type without a known body has no members.
 */
int record_put_body(struct record_sink *sink, struct precis_file *file,
		    const struct precis_record *record);

#endif
