/* SPDX-License-Identifier: BSD-3-Clause */
/* What a line of validity.h is on. */
#ifndef VALIDITY_SUBJECT_H
#define VALIDITY_SUBJECT_H

#include "validity.h"

/* What a line is on, and where it may be written. */
struct subject {
	const struct validity *recording;
	const struct validity_event *samples;
	const struct precis_event *event; /* of 'samples' */
	char *room;
	size_t bytes;
};

/* A line, which may be in 'room', or NULL. */
typedef const char *validity_note_fn(const struct subject *of);

#endif
