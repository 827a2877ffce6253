/* SPDX-License-Identifier: BSD-3-Clause */
/* struct feature_set: the feature sections of a recording, and what they say of it. */
#ifndef PRECIS_PERF_FEATURE_SET_H
#define PRECIS_PERF_FEATURE_SET_H

#include "libdecode/perf/events/events.h"
#include "libdecode/perf/reader/header.h"

#define FEATURE_COUNT 256u /* bits of the header's bitmap */

struct feature_section {
	struct file_section place;
	uint8_t *bytes; /* NULL until somebody wanted them */
};

struct pmu_mapping {
	const char *name;
	uint32_t type;
};

struct pmu_cap {
	const char *pmu, *name, *value;
};

/* Strings stay where their section was loaded. */
struct feature_set {
	struct file_errors *errors;
	const struct file_header *header;
	struct record_stream *stream; /* of the file that the sections are in */
	struct file_events *events; /* EVENT_DESC names them */
	uint32_t is_directory; /* 1: the recording was opened as one */
	struct feature_section *section; /* FEATURE_COUNT */
	struct precis_file_info
		said; /* which there are, and what they say: the rest is the header's */
	const char **commands;
	uint32_t command_count;
	struct pmu_mapping *pmus;
	uint32_t pmu_count;
	struct pmu_cap *caps;
	uint32_t cap_count;
};

#endif
