/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_events.c
 * @see precis_events.h
 */
#include "precis_events.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "precis_debug.h"
#include "precis_errors.h"
#include "precis_listed.h"
#include "precis_lock.h"
#include "precis_memory.h"
#include "precis_missing.h"
#include "precis_pfm.h"
#include "precis_pmu.h"

/*
 * Codes: a row's number; for lists, that plus (n + 1) << 8 for its qualifier n;
 * from LISTED on, the precise events of libpfm4; from NAMED on, events with
 * qualifiers in order of their being asked for.
 */
#define QUALIFIER_SHIFT 8
#define LISTED 0x8000u
#define NAMED 0x10000u
/* Codes are never given to another event: programs keep them. PAPI keeps a name of each, too. */
#define NAMED_MOST (1u << 20)
#define NAMED_FIRST 64u

/* The rows as events without a qualifier */
static const struct precis_named_event plain[] = {
#define PRECIS_PAPI_EVENT(row, text, family, pmu, meaning)                                         \
	[PRECIS_PAPI_EVENT_##row] = { .id = PRECIS_PAPI_EVENT_##row, .name = text, .pfm = "" },
#include "precis_events.def"
#undef PRECIS_PAPI_EVENT
};

/* One of those that somebody asked for, and the next in the same chain of a hash table */
struct kept {
	struct precis_named_event event;
	struct kept *next;
	unsigned int code;
	char name[];
};

#define CHAINS 4096u
static struct kept *chains[CHAINS];
static struct kept **named; /* by code */
static uint32_t named_count, named_room;

/* No mutex: its lock is PAPI's. */
const struct precis_fork_hooks precis_events_fork = { .mutex = NULL };

void precis_events_init(void)
{
	precis_listed_init();
}

void precis_events_free(void)
{
	precis_lock(PRECIS_LOCK_NAMES);
	while (named_count)
		papi_free(named[--named_count]);
	papi_free(named);
	named = NULL;
	named_room = 0;
	memset(chains, 0, sizeof(chains));
	precis_unlock(PRECIS_LOCK_NAMES);
	precis_listed_free();
}

static const struct precis_listed *listed_of_code(unsigned int code)
{
	return code >= LISTED && code < NAMED ? precis_listed(code - LISTED) : NULL;
}

const struct precis_named_event *precis_event_of_code(unsigned int code)
{
	const struct precis_listed *listed = listed_of_code(code);
	const struct precis_named_event *event = NULL;
	uint32_t id = code & ((1u << QUALIFIER_SHIFT) - 1);

	if (listed)
		return &listed->event;
	if (code < NAMED)
		return code < LISTED && id < PRECIS_PAPI_EVENT_COUNT ? &plain[id] : NULL;
	precis_lock(PRECIS_LOCK_NAMES);
	if (code - NAMED < named_count)
		event = &named[code - NAMED]->event;
	precis_unlock(PRECIS_LOCK_NAMES);
	return event;
}

/* --- names to codes ------------------------------------------------------ */

static int parse_access(const char *text, size_t bytes, uint64_t *value)
{
	static const struct {
		const char *name;
		uint64_t value;
	} kinds[] = { { "r", 3 }, { "rw", 3 }, { "w", 2 }, { "x", 4 } }; /* HW_BREAKPOINT_* */

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strlen(kinds[i].name) == bytes && !strncmp(kinds[i].name, text, bytes)) {
			*value = kinds[i].value;
			return 0;
		}
	}
	return -1;
}

static int parse_value(const char *name, const char *text, size_t bytes, uint64_t *value)
{
	char number[32], *end;

	if (!strcmp(name, "access"))
		return parse_access(text, bytes, value);
	if (!bytes || bytes >= sizeof(number) || !isdigit((unsigned char)text[0]))
		return -1;
	memcpy(number, text, bytes);
	number[bytes] = 0;
	errno = 0;
	*value = strtoull(number, &end, 0);
	return *end || errno ? -1 : 0;
}

/* One "name=value" or "name" (1) of an event. @return PAPI_OK or an error, noted */
static int parse_qualifier(const char *text, size_t bytes, struct precis_named_event *event)
{
	const char *equals = memchr(text, '=', bytes);
	size_t name_bytes = equals ? (size_t)(equals - text) : bytes;
	const struct precis_qualifier *row;

	for (uint32_t n = 0; (row = precis_qualifier(precis_event_row(event->id)->family, n)); n++) {
		if (strlen(row->name) != name_bytes || strncasecmp(row->name, text, name_bytes))
			continue;
		if (event->has >> n & 1)
			return precis_fail(PAPI_EINVAL, "%s: %s is given twice", event->name, row->name);
		event->value[n] = 1;
		if (equals &&
		    parse_value(row->name, equals + 1, bytes - name_bytes - 1, &event->value[n]))
			return precis_fail(PAPI_EINVAL, "%s: %.*s: expected %s", event->name,
					   (int)bytes, text, row->meaning);
		event->has |= 1u << n;
		return PAPI_OK;
	}
	return precis_fail(PAPI_ENOEVNT, "%s: no qualifier %.*s", precis_event_row(event->id)->name,
			   (int)bytes, text);
}

static int find_in_pfm(const char *name)
{
	struct precis_pfm_event event;
	const char *why;

	if (precis_pfm_find(name, 1, 0, &event, &why))
		return precis_fail(PAPI_ENOEVNT,
				   "%s: no event of the component; and of libpfm4: %s", name, why);
	return PAPI_OK;
}

static int parse_name(const char *name, struct precis_named_event *event)
{
	size_t bytes = strcspn(name, ":");
	int error;

	if (strlen(name) >= PRECIS_NAME_BYTES)
		return precis_fail(PAPI_ENOEVNT, "the name of an event has at most %u bytes",
				   PRECIS_NAME_BYTES - 1);
	*event = (struct precis_named_event){ .name = name, .pfm = "" };
	for (event->id = 0; event->id < PRECIS_PAPI_EVENT_COUNT; event->id++) {
		if (strlen(precis_event_row(event->id)->name) == bytes &&
		    !strncasecmp(precis_event_row(event->id)->name, name, bytes))
			break;
	}
	if (event->id == PRECIS_PAPI_EVENT_PFM)
		return find_in_pfm(name);
	for (name += bytes; *name == ':'; name += bytes) {
		bytes = strcspn(++name, ":");
		error = parse_qualifier(name, bytes, event);
		if (error)
			return error;
	}
	return PAPI_OK;
}

static struct kept **chain_of(const char *name)
{
	uint32_t hash = 2166136261u; /* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return &chains[hash % CHAINS];
}

static int make_room(void)
{
	uint32_t room = named_room ? 2 * named_room : NAMED_FIRST;
	struct kept **bigger;

	if (named_count < named_room)
		return 0;
	bigger = room <= NAMED_MOST ? precis_grown(named, named_count * sizeof(*named), room * sizeof(*named))
				    : NULL;
	if (!bigger)
		return -1;
	named = bigger;
	named_room = room;
	return 0;
}

/* @return PAPI_OK or PAPI_ENOMEM; with the lock held */
static int keep_locked(const struct precis_named_event *event, unsigned int *code)
{
	struct kept **chain = chain_of(event->name), *kept;

	for (kept = *chain; kept; kept = kept->next) {
		if (!strcmp(kept->name, event->name)) {
			*code = kept->code;
			return PAPI_OK;
		}
	}
	kept = make_room() ? NULL : papi_malloc(sizeof(*kept) + strlen(event->name) + 1);
	if (!kept)
		return PAPI_ENOMEM;
	kept->event = *event;
	kept->event.name = strcpy(kept->name, event->name);
	kept->code = *code = NAMED + named_count;
	kept->next = *chain;
	*chain = named[named_count++] = kept;
	SUBDBG("0x%x is %s\n", *code, kept->name);
	return PAPI_OK;
}

static int keep(const struct precis_named_event *event, unsigned int *code)
{
	int error;

	precis_lock(PRECIS_LOCK_NAMES);
	error = keep_locked(event, code);
	precis_unlock(PRECIS_LOCK_NAMES);
	return error ? precis_fail(error, "%s: no memory, or %u events with qualifiers already", event->name,
				   NAMED_MOST)
		     : PAPI_OK;
}

int precis_ntv_name_to_code(const char *name, unsigned int *code)
{
	struct precis_named_event event;
	int64_t listed = precis_listed_find(name);
	int error;

	if (listed >= 0) {
		*code = LISTED + (unsigned int)listed;
		return PAPI_OK;
	}
	error = parse_name(name, &event);
	if (error)
		return error == PAPI_EINVAL ? PAPI_EINVAL : PAPI_ENOEVNT;
	if (event.id < PRECIS_PAPI_EVENT_COUNT && !event.has) {
		*code = event.id;
		return PAPI_OK;
	}
	return keep(&event, code);
}

/* --- lists ------------------------------------------------------------------ */

static uint32_t listed_qualifier(unsigned int code)
{
	return code < LISTED ? code >> QUALIFIER_SHIFT : 0;
}

int precis_events_count(void)
{
	const struct precis_listed *listed;
	int count = PRECIS_PAPI_EVENT_COUNT;

	for (uint32_t n = 0; (listed = precis_listed(n)); n++)
		count += !listed->of;
	return count;
}

/* From one code of the list to the next: of an event, or of a unit mask of the same event */
static int next_listed(unsigned int *code, uint32_t n, int is_umask)
{
	const struct precis_listed *listed = precis_listed(n);

	while (listed && listed->of && !is_umask)
		listed = precis_listed(++n);
	if (!listed || !listed->of != !is_umask)
		return PAPI_ENOEVNT;
	*code = LISTED + n;
	return PAPI_OK;
}

int precis_ntv_enum_events(unsigned int *code, int modifier)
{
	uint32_t id = *code & ((1u << QUALIFIER_SHIFT) - 1), n = listed_qualifier(*code);

	switch (modifier) {
	case PAPI_ENUM_FIRST:
		*code = 0;
		return PAPI_OK;
	case PAPI_ENUM_EVENTS:
		if (*code >= NAMED)
			return PAPI_ENOEVNT;
		if (*code >= LISTED || id + 1 >= PRECIS_PAPI_EVENT_COUNT)
			return next_listed(code, *code >= LISTED ? *code - LISTED + 1 : 0, 0);
		*code = id + 1;
		return PAPI_OK;
	case PAPI_NTV_ENUM_UMASKS:
		if (*code >= LISTED && *code < NAMED)
			return next_listed(code, *code - LISTED + 1, 1);
		if (*code >= NAMED || id >= PRECIS_PAPI_EVENT_COUNT ||
		    !precis_qualifier(precis_event_row(id)->family, n))
			return PAPI_ENOEVNT;
		*code = id | (n + 1) << QUALIFIER_SHIFT;
		return PAPI_OK;
	default:
		return PAPI_EINVAL;
	}
}

/* The qualifier that a code of a list stands for; NULL if it is an event's */
static const struct precis_qualifier *qualifier_of(unsigned int code,
						   const struct precis_named_event *event)
{
	uint32_t n = listed_qualifier(code);

	return n ? precis_qualifier(precis_event_row(event->id)->family, n - 1) : NULL;
}

int precis_ntv_code_to_name(unsigned int code, char *name, int bytes)
{
	const struct precis_named_event *event = precis_event_of_code(code);
	const struct precis_qualifier *qualifier;

	if (!event)
		return PAPI_ENOEVNT;
	qualifier = qualifier_of(code, event);
	snprintf(name, (size_t)bytes, "%s%s%s%s", event->name, qualifier ? ":" : "",
		 qualifier ? qualifier->name : "", qualifier ? "=0" : "");
	return PAPI_OK;
}

int precis_ntv_code_to_descr(unsigned int code, char *text, int bytes)
{
	const struct precis_named_event *event = precis_event_of_code(code);
	const struct precis_listed *listed = listed_of_code(code);
	const struct precis_qualifier *qualifier;
	const char *meaning, *mask, *missing, *needs = NULL;

	if (!event)
		return PAPI_ENOEVNT;
	qualifier = qualifier_of(code, event);
	missing = precis_event_missing(event);
	if (!missing && qualifier && qualifier->format &&
	    !precis_pmu_has(precis_event_row(event->id)->pmu, qualifier->format))
		missing = "the PMU here has no such format";
	else if (!missing && !qualifier)
		needs = precis_event_needs(event);
	meaning = !listed      ? precis_event_row(event->id)->meaning
		  : listed->of ? listed->of->meaning
			       : listed->meaning;
	mask = qualifier ? qualifier->meaning : listed && listed->of ? listed->meaning : NULL;
	/* PAPI's utilities show of a qualifier what stands behind "masks:" */
	snprintf(text, (size_t)bytes, "%s%s%s%s%s%s%s%s", meaning, *event->pfm ? ": " : "", event->pfm,
		 mask ? ", masks:" : "", mask ? mask : "",
		 missing ? " (not here: "
		 : needs ? " ("
			 : "",
		 missing ? missing
		 : needs ? needs
			 : "",
		 missing || needs ? ")" : "");
	return PAPI_OK;
}

int precis_ntv_code_to_info(unsigned int code, PAPI_event_info_t *info)
{
	int error = precis_ntv_code_to_name(code, info->symbol, (int)sizeof(info->symbol));

	if (!error)
		error = precis_ntv_code_to_descr(code, info->long_descr,
						 (int)sizeof(info->long_descr));
	if (!error)
		snprintf(info->short_descr, sizeof(info->short_descr), "%.60s", info->long_descr);
	return error;
}
