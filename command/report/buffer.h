/* SPDX-License-Identifier: BSD-3-Clause */
/* A dump of a PEBS buffer in place of a recording: all of its records are of one event. */
#ifndef REPORT_BUFFER_H
#define REPORT_BUFFER_H

#include <precis/precis.h>

#include "command/pebs/walk.h"
#include "command/recording/selection.h"

struct collection;

struct report_buffer {
	struct pebs_walk walk;
	const struct pebs_options *options;
	struct precis_event event; /* as a recording would tell of it, as far as it is known */
};

/* As pebs_walk_open(); 'options' must stay where they are. To be closed: 'walk'. */
int buffer_open(struct report_buffer *buffer, const struct pebs_options *options,
		struct recording *file, const char *written);

/* Count the records that are selected. EXIT_OK, or EXIT_FAILED if not everything could be read. */
int buffer_collect(struct report_buffer *buffer, struct collection *collection,
		   const uint64_t wanted[PRECIS_FIELD_WORDS], const struct selection *selection);

#endif
