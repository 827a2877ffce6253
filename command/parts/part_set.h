/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of parts.def, and what the parts of one sample are made from. */
#ifndef PART_SET_H
#define PART_SET_H

#include <precis/precis.h>

#include "analysis/model/cgroup_paths.h"
#include "command/symbols/places.h"
#include "trace_text.h"

enum part {
#define PART(id, name, type, unit, bits, needs, source, meaning) PART_##id,
#include "parts.def"
#undef PART
	PART_COUNT
};

enum part_type { PART_UINT, PART_ADDRESS, PART_BYTES, PART_TEXT, PART_LIST, PART_MEMBERS };

#define PART_NEEDS_RECORD (1u << 0) /* the record itself */
#define PART_NEEDS_PERF (1u << 1) /* the sample taken apart in ABI terms */
#define PART_NEEDS_PLACES (1u << 2) /* what is mapped where */
#define PART_NEEDS_NAMES (1u << 3) /* likewise, and symbols */
#define PART_NEEDS_LINES (1u << 4) /* likewise, and source lines */
#define PART_NEEDS_TASKS (1u << 5) /* names of tasks */
#define PART_NEEDS_CGROUPS (1u << 6) /* paths of cgroups */
#define PART_NEEDS_TRACE (1u << 7) /* descriptions of tracepoints, and the kernel's symbols */
/* Those that are made from other records than the sample's own; in the order of time */
#define PART_NEEDS_SYMBOLS                                                                         \
	(PART_NEEDS_PLACES | PART_NEEDS_NAMES | PART_NEEDS_LINES | PART_NEEDS_TASKS)
#define PART_NEEDS_ORDER (PART_NEEDS_SYMBOLS | PART_NEEDS_CGROUPS)
#define PART_NEEDS_RECORDS (PART_NEEDS_ORDER | PART_NEEDS_TRACE)

struct part_info {
	const char *name, *unit, *source, *meaning;
	enum part_type type;
	unsigned int needs; /* PART_NEEDS_* */
	uint64_t bits; /* PRECIS_SAMPLE_* */
};

/* Why a sample has none. */
struct part_absence {
	const char *reason; /* a name, as that of a field's or a symbol's reason */
	const char *detail; /* in words */
};

/* What parts are made from, of the sample that is being printed. */
struct parts {
	unsigned int needs; /* of all parts that are printed */
	uint64_t unlearnt; /* records that there was no memory for */
	struct precis_file *file;
	const char *arch; /* of the recording; NULL: not known */
	const struct precis_record *record;
	const struct precis_event *event;
	const struct precis_sample *sample;
	struct precis_perf_sample perf;
	uint64_t regs_intr; /* which registers it has, as attr.sample_regs_intr */
	int is_traced; /* 1: it came out of the AUX area, where 'record' points */
	struct places places;
	struct precis_location place; /* of ip, if there is one */
	int has_ip;
	struct precis_line line; /* likewise */
	struct cgroup_paths cgroups;
	struct trace_text trace;
};

#endif
