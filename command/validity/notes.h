/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of validity.h, a function each. */
#ifndef VALIDITY_NOTES_H
#define VALIDITY_NOTES_H

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

validity_note_fn ibs_note_no_raw, ibs_note_undecodable, ibs_note_unknown_cpu, ibs_note_wrong_cpu,
	ibs_note_layout, ibs_note_l3_miss_only, ibs_note_latency_filter,
	ibs_note_fetch_latency_filter, ibs_note_streaming_stores;
validity_note_fn pebs_note_cpu_unknown, pebs_note_access_lacks, pebs_note_latency_lacks,
	pebs_note_retire_lacks, pebs_note_is_auxiliary, pebs_note_auxiliary_lacks,
	pebs_note_threshold, pebs_note_skid, pebs_note_doubt;

/* What both vendors' load latency filters mean, in the same words. */
const char *note_of_ldlat(const struct subject *of, uint64_t cycles);

#endif
