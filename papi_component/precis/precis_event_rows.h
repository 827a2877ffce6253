/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_event_rows.h
 * @brief The table of the component's events, and the qualifiers that each kind of them has.
 */
#ifndef PRECIS_EVENT_ROWS_H
#define PRECIS_EVENT_ROWS_H

#include <stdint.h>

/** Of one event */
#define PRECIS_QUALIFIERS_MOST 8
/** Of a name with its qualifiers and the NUL */
#define PRECIS_NAME_BYTES 256

/** What may stand behind an event's name, ":name=value" */
struct precis_qualifier {
	const char *name; /**< without colon */
	const char *format; /**< of the PMU in sysfs; NULL: the component's own */
	const char *meaning; /**< for PAPI's lists */
};

/** The rows of the table */
enum precis_event_id {
/** One of them; its meaning is the row's. */
#define PRECIS_PAPI_EVENT(id, name, family, pmu, meaning) PRECIS_PAPI_EVENT_##id,
#include "precis_events.def"
#undef PRECIS_PAPI_EVENT
	PRECIS_PAPI_EVENT_COUNT, /**< how many rows there are */
	PRECIS_PAPI_EVENT_PFM = PRECIS_PAPI_EVENT_COUNT /**< by its name in libpfm4 */
};

/** Events of one kind have the same qualifiers. */
enum precis_family {
	PRECIS_FAMILY_SOFTWARE, /**< the kernel's own, PERF_TYPE_SOFTWARE */
	PRECIS_FAMILY_BREAKPOINT, /**< accesses to an address, PERF_TYPE_BREAKPOINT */
	PRECIS_FAMILY_IBS_OP, /**< AMD's ibs_op */
	PRECIS_FAMILY_IBS_FETCH, /**< AMD's ibs_fetch */
	PRECIS_FAMILY_INTEL_MEMORY, /**< mem-loads and mem-stores of sysfs */
	PRECIS_FAMILY_PFM /**< whatever libpfm4 has a name for */
};

/** A row of the table */
struct precis_event_row {
	const char *name; /**< without the component's */
	enum precis_family family; /**< which has its qualifiers */
	const char *pmu; /**< NULL: none in sysfs */
	const char *meaning; /**< for PAPI's lists */
};

/** An event with its qualifiers, as somebody asked for it. They live as long as the component. */
struct precis_named_event {
	uint32_t id; /**< enum precis_event_id */
	uint32_t has; /**< bit n: qualifier n was given */
	uint64_t value[PRECIS_QUALIFIERS_MOST]; /**< of qualifier n, if it was given */
	const char *missing; /**< why it is not here, a static text; NULL: see the row */
	const char *name; /**< with its qualifiers */
	const char *pfm; /**< its name in libpfm4, if that is another one; else "" */
};

/** The row of an enum precis_event_id */
const struct precis_event_row *precis_event_row(uint32_t id);
/** Qualifier n of a family; NULL behind the last */
const struct precis_qualifier *precis_qualifier(enum precis_family family, uint32_t n);
/** The value of a qualifier by its name; 'otherwise' if it was not given */
uint64_t precis_qualifier_value(const struct precis_named_event *event, const char *name,
				uint64_t otherwise);

#endif
