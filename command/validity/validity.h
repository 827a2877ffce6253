/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far the figures of an event can be believed, and what they are of: one line for each thing
 * to know. precis info shows all lines of an event; precis report shows each beside the figures
 * that it is about.
 */
#ifndef VALIDITY_H
#define VALIDITY_H

#include <stddef.h>

#include <precis/precis.h>

#include "analysis/analysis.h"
#include "analysis/topics.h"

struct validity {
	const struct precis_file *file; /* NULL of a dump of PEBS records */
	const struct precis_cpu *cpu;
	int old_fetch_layout;
	uint32_t of_kind[EVENT_KINDS]; /* events of each, once the file has been read */
};

/* Of a file that has been read, or of a dump (NULL) */
struct validity validity_of(const struct precis_file *file, const struct precis_cpu *cpu,
			    int old_fetch_layout);

/* An event and what its samples are. */
struct validity_event {
	const struct precis_event *event;
	uint64_t undecodable;     /* samples whose payload could not be decoded */
	uint32_t cores;           /* of IBS: the cores that the CPU can be */
	int is_l3_miss_only;      /* samples say that the hardware kept L3 misses alone */
	const char *retire_lacks; /* why no sample has a retire latency, another recording's would;
				   * NULL: they have one, or never had */
};

/*
 * Line n, in 'room' if it is not static; NULL past the last. 'topics': what it is about; 0 for a
 * fact that no figure depends on.
 */
#define VALIDITY_ROOM 512
const char *validity_line(const struct validity *validity, const struct validity_event *event,
			  uint32_t n, uint32_t *topics, char *room, size_t bytes);

#endif
