/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of validity.h of IBS, a function each. */
#ifndef VALIDITY_IBS_NOTES_H
#define VALIDITY_IBS_NOTES_H

#include "subject.h"

validity_note_fn ibs_note_no_raw, ibs_note_undecodable, ibs_note_unknown_cpu, ibs_note_wrong_cpu,
	ibs_note_layout, ibs_note_l3_miss_only, ibs_note_latency_filter, ibs_note_takes_turns,
	ibs_note_fetch_latency_filter, ibs_note_streaming_stores;

#endif
