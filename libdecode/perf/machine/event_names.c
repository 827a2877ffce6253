/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an event without a name of its own in the recording is called: as perf calls
 * it, by its attr (tools/perf/util/evsel.c, arch/x86/util/evsel.c of Linux 6.12), and
 * tracepoints as the recording describes them. Old recordings have no EVENT_DESC, nor
 * have those whose recorder died; simpleperf writes none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <precis/error.h>
#include <precis/tracepoint.h>
#include <precis/writer.h>

#include "event_names.h"
#include "libdecode/perf/features/sections.h"
#include "libdecode/perf/records/attr.h"

/* PERF_TYPE_* */
enum { HARDWARE, SOFTWARE, TRACEPOINT, HW_CACHE, RAW, BREAKPOINT };

#define NAME_ROOM 160u
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const hardware[] = {
	"cycles",	 "instructions",  "cache-references",
	"cache-misses",	 "branches",	  "branch-misses",
	"bus-cycles",	 "stalled-cycles-frontend", "stalled-cycles-backend",
	"ref-cycles",
};

static const char *const software[] = {
	"cpu-clock",	"task-clock",	"page-faults",	    "context-switches", "cpu-migrations",
	"minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy",
	"bpf-output",	"cgroup-switches",
};

enum { LOADS = 1, STORES = 2, PREFETCHES = 4 };

/* By config's bytes: cache, operation, result */
static const struct {
	const char *name;
	unsigned int operations; /* that it can count */
} caches[] = {
	{ "L1-dcache", LOADS | STORES | PREFETCHES }, { "L1-icache", LOADS | PREFETCHES },
	{ "LLC", LOADS | STORES | PREFETCHES },	      { "dTLB", LOADS | STORES | PREFETCHES },
	{ "iTLB", LOADS },			      { "branch", LOADS },
	{ "node", LOADS | STORES | PREFETCHES },
};
static const char *const accesses[] = { "loads", "stores", "prefetches" };
static const char *const misses[] = { "load-misses", "store-misses", "prefetch-misses" };

/* Text that is put together; what does not fit is cut. */
struct text {
	char bytes[NAME_ROOM];
	size_t count;
};

static void add(struct text *text, const char *more)
{
	while (*more && text->count < sizeof(text->bytes) - 1)
		text->bytes[text->count++] = *more++;
	text->bytes[text->count] = '\0';
}

static const char *row_of(const char *const *names, size_t count, uint64_t n)
{
	return n < count ? names[n] : NULL;
}

static int name_hardware(const struct precis_event *event, struct text *text)
{
	const char *name = row_of(hardware, COUNT(hardware), event->config & UINT32_MAX);

	if (!name)
		return 0;
	/* which of several kinds of core */
	if (event->config >> 32) {
		add(text, event->pmu ? event->pmu : "cpu");
		add(text, "/");
	}
	add(text, name);
	if (event->config >> 32)
		add(text, "/");
	return 1;
}

static int name_cache(uint64_t config, struct text *text)
{
	uint32_t cache = config & 0xff, operation = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= COUNT(caches) || operation >= COUNT(accesses) || result > 1 ||
	    !(caches[cache].operations >> operation & 1))
		return 0;
	add(text, caches[cache].name);
	add(text, "-");
	add(text, result ? misses[operation] : accesses[operation]);
	return 1;
}

static int name_breakpoint(const struct precis_event *event, struct text *text)
{
	uint32_t type = load_u32(event->attr + ATTR_BP_TYPE);
	char address[32];

	snprintf(address, sizeof(address), "mem:0x%" PRIx64 ":", event->config1);
	add(text, address);
	for (unsigned int i = 0; i < 3; i++) {
		static const char *const letters[] = { "r", "w", "x" };

		if (type >> i & 1)
			add(text, letters[i]);
	}
	return 1;
}

static int name_raw(uint64_t config, struct text *text)
{
	char number[32];

	snprintf(number, sizeof(number), "raw 0x%" PRIx64, config);
	add(text, number);
	return 1;
}

/* What the event counts and what not, behind a colon */
static void add_modifiers(const uint8_t *attr, struct text *text)
{
	int kernel = !attr_bits(attr, ATTR_EXCLUDE_KERNEL, 1);
	int user = !attr_bits(attr, ATTR_EXCLUDE_USER, 1);
	int hypervisor = !attr_bits(attr, ATTR_EXCLUDE_HV, 1);
	int host = !attr_bits(attr, ATTR_EXCLUDE_HOST, 1);
	int guest = !attr_bits(attr, ATTR_EXCLUDE_GUEST, 1);
	uint32_t precise = attr_bits(attr, ATTR_PRECISE_IP, 2);
	int restricted = !kernel || !user || !hypervisor;
	/* perf leaves guests out where it is told nothing else, and says so where it is otherwise */
	int is_unusual = !host || guest == !(restricted || precise);
	char letters[16];

	snprintf(letters, sizeof(letters), "%s%s%s%.*s%s%s", restricted && kernel ? "k" : "",
		 restricted && user ? "u" : "", restricted && hypervisor ? "h" : "", (int)precise,
		 "ppp", is_unusual && host ? "H" : "", is_unusual && guest ? "G" : "");
	if (letters[0])
		add(text, ":");
	add(text, letters);
}

static int name_by_attr(const struct precis_event *event, struct text *text)
{
	const char *name;
	int is_named = 0;

	switch (event->type) {
	case HARDWARE:
		is_named = name_hardware(event, text);
		break;
	case SOFTWARE:
		name = row_of(software, COUNT(software), event->config);
		is_named = name != NULL;
		add(text, name ? name : "");
		break;
	case HW_CACHE:
		is_named = name_cache(event->config, text);
		break;
	case RAW:
		is_named = name_raw(event->config, text);
		break;
	case BREAKPOINT:
		is_named = name_breakpoint(event, text);
		break;
	default:
		break;
	}
	if (is_named)
		add_modifiers(event->attr, text);
	return is_named;
}

static int name_tracepoint(const struct precis_tracepoints *tracepoints, uint64_t config,
			   struct text *text)
{
	const struct precis_tracepoint *tracepoint =
		tracepoints ? precis_tracepoints_find(tracepoints, config) : NULL;

	if (!tracepoint)
		return 0;
	add(text, tracepoint->system);
	add(text, ":");
	add(text, tracepoint->name);
	return 1;
}

static int is_nameless(const struct file_event *event, uint32_t type)
{
	return !event->view.name && event->view.type == type;
}

/* The recording's tracepoints, if one of the events wants its name from them. */
static int read_tracepoints(const struct feature_set *features, const struct file_events *events,
			    uint32_t first, struct precis_tracepoints **tracepoints)
{
	struct cursor section;
	uint32_t n = first;
	int error;

	*tracepoints = NULL;
	while (n < events->count && !is_nameless(events->event[n], TRACEPOINT))
		n++;
	if (n == events->count || features_load(features, PRECIS_FEATURE_TRACING_DATA, &section))
		return 0;
	error = precis_tracepoints_new(section.at, cursor_left(&section), tracepoints, NULL);
	return error == PRECIS_E_NO_MEMORY ? error : 0; /* what is broken has no names */
}

static int name_event(const struct precis_tracepoints *tracepoints, struct file_event *event)
{
	struct precis_event *view = &event->view;
	struct text text = { .count = 0 };
	int is_named = view->type == TRACEPOINT ?
			       name_tracepoint(tracepoints, view->config, &text) :
			       name_by_attr(view, &text);

	if (!is_named && view->pmu) {
		view->name = view->pmu;
		return 0;
	}
	if (!is_named)
		snprintf(text.bytes, sizeof(text.bytes), "event-%u", view->index);
	event->made_name = strdup(text.bytes);
	view->name = event->made_name;
	return event->made_name ? 0 : PRECIS_E_NO_MEMORY;
}

int file_name_events(const struct feature_set *features, struct file_events *events, uint32_t first)
{
	struct precis_tracepoints *tracepoints;
	int error = read_tracepoints(features, events, first, &tracepoints);

	for (uint32_t n = first; !error && n < events->count; n++) {
		if (!events->event[n]->view.name)
			error = name_event(tracepoints, events->event[n]);
	}
	precis_tracepoints_free(tracepoints);
	return error;
}
