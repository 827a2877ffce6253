/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of validity.h of PEBS, a function each. */
#ifndef VALIDITY_PEBS_NOTES_H
#define VALIDITY_PEBS_NOTES_H

#include "subject.h"

validity_note_fn pebs_note_cpu_unknown, pebs_note_access_lacks, pebs_note_latency_lacks,
	pebs_note_retire_lacks, pebs_note_is_auxiliary, pebs_note_auxiliary_lacks,
	pebs_note_threshold, pebs_note_skid, pebs_note_doubt;

#endif
