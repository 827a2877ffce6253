/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_event_rows.h
 * @brief The table of the component's events, and the qualifiers that each kind of them has.
 */
#ifndef PRECIS_EVENT_ROWS_H
#define PRECIS_EVENT_ROWS_H

#include <stdint.h>

#define PRECIS_QUALIFIERS_MOST 8
#define PRECIS_NAME_BYTES 256

struct precis_qualifier {
	const char *name;
	const char *format; /* of the PMU in sysfs; NULL: the component's own */
	const char *meaning;
};

enum precis_event_id {
#define PRECIS_PAPI_EVENT(id, name, family, pmu, meaning) PRECIS_PAPI_EVENT_##id,
#include "precis_events.def"
#undef PRECIS_PAPI_EVENT
	PRECIS_PAPI_EVENT_COUNT,
	PRECIS_PAPI_EVENT_PFM = PRECIS_PAPI_EVENT_COUNT /* by its name in libpfm4 */
};

enum precis_family {
	PRECIS_FAMILY_SOFTWARE,
	PRECIS_FAMILY_BREAKPOINT,
	PRECIS_FAMILY_IBS_OP,
	PRECIS_FAMILY_IBS_FETCH,
	PRECIS_FAMILY_INTEL_MEMORY,
	PRECIS_FAMILY_PFM
};

struct precis_event_row {
	const char *name;
	enum precis_family family;
	const char *pmu; /* NULL: none in sysfs */
	const char *meaning;
};

/** An event with its qualifiers, as somebody asked for it. They live as long as the component. */
struct precis_named_event {
	uint32_t id; /* enum precis_event_id */
	uint32_t has; /* bit n: qualifier n was given */
	uint64_t value[PRECIS_QUALIFIERS_MOST];
	const char *missing; /* why it is not here, a static text; NULL: see the row */
	const char *name;
	const char *pfm; /* its name in libpfm4, if that is another one; else "" */
};

const struct precis_event_row *precis_event_row(uint32_t id);
/** Qualifier n of a family; NULL behind the last */
const struct precis_qualifier *precis_qualifier(enum precis_family family, uint32_t n);
/** The value of a qualifier by its name; 'otherwise' if it was not given */
uint64_t precis_qualifier_value(const struct precis_named_event *event, const char *name,
				uint64_t otherwise);

#endif
