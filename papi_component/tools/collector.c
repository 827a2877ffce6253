/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of a thread: from the component's callback into a ring, from there to the tool. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <papi.h>
#include <precis/papi.h>

#include "collector.h"

#define ROOM_DEFAULT 65536u
#define ROOM_MOST (1u << 24)

/* A libpapi without the component is to be told in words, not by the dynamic linker. */
#pragma weak precis_papi_set_sampling
#pragma weak precis_papi_drain
#pragma weak precis_papi_get_statistics
#pragma weak precis_papi_strerror

/* What the callback of an event needs */
struct source {
	struct collector *collector;
	uint32_t event;
	int code;
	struct collector_losses losses; /* without no_room */
	atomic_ullong no_room;
};

/*
 * The ring has one writer, the callback, which runs in the collector's thread, and one reader,
 * collector_take(): in the same thread, interrupted by the callback perhaps, or at the end in another one.
 */
struct collector {
	const struct collector_settings *settings;
	pthread_t thread;
	int set;
	int is_running;
	struct source sources[COLLECTOR_EVENTS];
	atomic_uint head, tail; /* samples written and read */
	struct collected ring[];
};

static const enum precis_field fields[COLLECTED_COUNT] = {
#define COLLECTED(id, kind, unit) PRECIS_FIELD_##id,
#include "collected.def"
#undef COLLECTED
};

struct collected_info collected_info(enum collected_field field)
{
	static const struct collected_info infos[COLLECTED_COUNT] = {
#define COLLECTED(id, kind, unit) { #id, unit, COLLECTED_##kind },
#include "collected.def"
#undef COLLECTED
	};
	struct precis_field_info row = { .size = sizeof(row) };
	struct collected_info info = infos[field];

	if (precis_field_info(fields[field], &row) == 0)
		info.name = row.name;
	return info;
}

void collected_format(enum collected_field field, uint64_t value, char *text)
{
	struct precis_field_info info = { .size = sizeof(info) };

	precis_field_info(fields[field], &info);
	precis_value_format(info.type, value, text);
}

static int parse_number(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && !*end && !errno && *value > 0;
}

static int parse_event(struct collector_event *event, const char *text, size_t length, char *error,
		       size_t room)
{
	char *at;

	if (length >= sizeof(event->name)) {
		snprintf(error, room, "the event %.40s... has a name of more than %zu characters", text,
			 sizeof(event->name) - 1);
		return 0;
	}
	memcpy(event->name, text, length);
	event->name[length] = '\0';
	at = strrchr(event->name, '@');
	if (!at || at == event->name || !parse_number(at + 1, &event->period)) {
		snprintf(error, room, "%s is not NAME@PERIOD, with a period of 1 or more",
			 length ? event->name : "an empty event");
		return 0;
	}
	*at = '\0';
	return 1;
}

int collector_parse(struct collector_settings *settings, const char *list, char *error, size_t room)
{
	const char *end;

	do {
		end = strchrnul(list, ',');
		if (settings->count == COLLECTOR_EVENTS) {
			snprintf(error, room, "more than %d events", COLLECTOR_EVENTS);
			return 0;
		}
		if (!parse_event(&settings->events[settings->count], list, (size_t)(end - list), error,
				 room))
			return 0;
		settings->count++;
		list = end + 1;
	} while (*end);
	return 1;
}

static int parse_room(const char *text, uint32_t *room)
{
	uint64_t samples;

	if (!parse_number(text, &samples) || samples > ROOM_MOST || (samples & (samples - 1)) != 0)
		return 0;
	*room = (uint32_t)samples;
	return 1;
}

static int find_field(const char *name, size_t length)
{
	for (int n = 0; n < COLLECTED_COUNT; n++) {
		const struct collected_info info = collected_info((enum collected_field)n);

		if (strlen(info.name) == length && memcmp(info.name, name, length) == 0)
			return n;
	}
	return -1;
}

static int parse_fields(const char *list, uint32_t *fields_wanted, char *error, size_t room)
{
	const char *end;
	int field;

	*fields_wanted = 0;
	do {
		end = strchrnul(list, ',');
		field = find_field(list, (size_t)(end - list));
		if (field < 0) {
			snprintf(error, room, "PRECIS_TOOL_FIELDS: %.40s: no field that is given to tools",
				 list);
			return 0;
		}
		*fields_wanted |= UINT32_C(1) << field;
		list = end + 1;
	} while (*end);
	return 1;
}

int collector_options(struct collector_settings *settings, char *error, size_t room)
{
	const char *samples = getenv("PRECIS_TOOL_ROOM"), *names = getenv("PRECIS_TOOL_FIELDS");

	settings->room = ROOM_DEFAULT;
	settings->fields = (UINT32_C(1) << COLLECTED_COUNT) - 1;
	if (samples && !parse_room(samples, &settings->room)) {
		snprintf(error, room, "PRECIS_TOOL_ROOM=%.40s: not a power of two up to %u", samples,
			 ROOM_MOST);
		return 0;
	}
	return !names || parse_fields(names, &settings->fields, error, room);
}

int collector_init(char *error, size_t room)
{
	const PAPI_component_info_t *precis;
	int version = PAPI_VER_CURRENT;

	if (!precis_papi_set_sampling || !precis_papi_strerror || !precis_papi_drain ||
	    !precis_papi_get_statistics) {
		snprintf(error, room, "this libpapi was built without the component precis");
		return 0;
	}
	if (PAPI_is_initialized() == PAPI_NOT_INITED)
		version = PAPI_library_init(PAPI_VER_CURRENT);
	if (version != PAPI_VER_CURRENT) {
		snprintf(error, room, "PAPI_library_init: %s", PAPI_strerror(version));
		return 0;
	}
	if (!(PAPI_is_initialized() & PAPI_THREAD_LEVEL_INITED))
		PAPI_thread_init(pthread_self);
	precis = PAPI_get_component_info(PAPI_get_component_index("precis"));
	if (!precis || precis->disabled) {
		snprintf(error, room, "PAPI's component precis is disabled: %s",
			 precis ? precis->disabled_reason : "it is not there");
		return 0;
	}
	return 1;
}

void collector_complain(const char *why)
{
	fprintf(stderr, "precis: not sampled: %s\n", why);
}

/* In a signal, perhaps: nothing but arithmetic, and the pure part of libprecis. */
static void keep(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		 void *user)
{
	struct source *source = user;
	struct collector *collector = source->collector;
	const struct collector_settings *settings = collector->settings;
	unsigned int head = atomic_load_explicit(&collector->head, memory_order_relaxed);
	struct collected *kept = &collector->ring[head & (settings->room - 1)];

	if (head - atomic_load_explicit(&collector->tail, memory_order_acquire) == settings->room) {
		atomic_fetch_add_explicit(&source->no_room, 1, memory_order_relaxed);
		return;
	}
	kept->stamp = settings->clock ? settings->clock() : 0;
	kept->period = arrival->period;
	kept->event = source->event;
	kept->present = 0;
	for (uint32_t n = 0; n < COLLECTED_COUNT; n++) {
		kept->why[n] = NULL;
		if (!(settings->fields >> n & 1))
			continue;
		if (precis_get(sample, fields[n], &kept->value[n]))
			kept->present |= UINT32_C(1) << n;
		else
			precis_why_in_words(sample, fields[n], &kept->why[n]);
	}
	atomic_store_explicit(&collector->head, head + 1, memory_order_release);
}

static int create_set(int *set, int domain)
{
	int component = PAPI_get_component_index("precis"), result;
	PAPI_option_t option;

	*set = PAPI_NULL;
	result = PAPI_create_eventset(set);
	if (result == PAPI_OK)
		result = PAPI_assign_eventset_component(*set, component);
	if (result != PAPI_OK)
		return result;
	memset(&option, 0, sizeof(option));
	option.domain.eventset = *set;
	option.domain.domain = domain;
	return PAPI_set_opt(PAPI_DOMAIN, &option);
}

static int add_events(struct collector *collector, const char **what)
{
	const struct collector_settings *settings = collector->settings;
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = settings->delivery,
		.callback = keep,
	};
	int result = PAPI_OK;

	for (uint32_t n = 0; n < settings->count && result == PAPI_OK; n++) {
		struct source *source = &collector->sources[n];

		source->collector = collector;
		source->event = n;
		*what = settings->events[n].name;
		result = PAPI_event_name_to_code(settings->events[n].name, &source->code);
		if (result == PAPI_OK)
			result = PAPI_add_event(collector->set, source->code);
		sampling.period = settings->events[n].period;
		sampling.user = source;
		if (result == PAPI_OK)
			result = precis_papi_set_sampling(collector->set, source->code, &sampling);
	}
	return result;
}

static void destroy_set(int *set)
{
	if (*set == PAPI_NULL)
		return;
	PAPI_cleanup_eventset(*set);
	PAPI_destroy_eventset(set);
}

static int start_set(struct collector *collector, int domain, const char **what)
{
	int result = create_set(&collector->set, domain);

	if (result == PAPI_OK)
		result = add_events(collector, what);
	if (result == PAPI_OK)
		result = PAPI_start(collector->set);
	return result;
}

struct collector *collector_start(const struct collector_settings *settings, char *error, size_t room)
{
	/* IBS before Linux 6.14 knows no difference of user and kernel: both, or PAPI_EINVAL */
	static const int domains[] = { PAPI_DOM_USER, PAPI_DOM_USER | PAPI_DOM_KERNEL };
	struct collector *collector =
		calloc(1, sizeof(*collector) + settings->room * sizeof(collector->ring[0]));
	const char *what = "an EventSet";
	int result = PAPI_EINVAL;

	if (!collector) {
		snprintf(error, room, "no memory for %u samples", settings->room);
		return NULL;
	}
	collector->settings = settings;
	collector->thread = pthread_self();
	PAPI_register_thread();
	for (size_t n = 0; n < 2 && result == PAPI_EINVAL; n++) {
		result = start_set(collector, domains[n], &what);
		if (result != PAPI_OK) {
			snprintf(error, room, "%s: %s", what, precis_papi_strerror(result));
			destroy_set(&collector->set);
		}
	}
	if (result != PAPI_OK) {
		free(collector);
		return NULL;
	}
	collector->is_running = 1;
	return collector;
}

void collector_take(struct collector *collector, void (*take)(const struct collected *, void *),
		    void *user)
{
	uint32_t mask = collector->settings->room - 1;
	unsigned int tail = atomic_load_explicit(&collector->tail, memory_order_relaxed);

	if (collector->is_running && pthread_equal(collector->thread, pthread_self()))
		precis_papi_drain(collector->set);
	while (tail != atomic_load_explicit(&collector->head, memory_order_acquire)) {
		const struct collected *sample = &collector->ring[tail & mask];

		take(sample, user);
		collector->sources[sample->event].losses.taken++;
		atomic_store_explicit(&collector->tail, ++tail, memory_order_release);
	}
}

/* What the component knows of an event's samples that never came here */
static void add_component_losses(const struct collector *collector, uint32_t event,
				 struct collector_losses *losses)
{
	struct precis_papi_statistics statistics = { .size = sizeof(statistics) };

	if (precis_papi_get_statistics(collector->set, collector->sources[event].code, &statistics) !=
	    PAPI_OK)
		return;
	losses->lost += statistics.lost + statistics.lost_pmu;
	losses->truncated += statistics.truncated;
	losses->throttled += statistics.throttled;
}

void collector_stop(struct collector *collector)
{
	long long counts[COLLECTOR_EVENTS];

	if (!collector->is_running)
		return;
	PAPI_stop(collector->set, counts);
	collector->is_running = 0;
	for (uint32_t n = 0; n < collector->settings->count; n++)
		add_component_losses(collector, n, &collector->sources[n].losses);
	destroy_set(&collector->set);
}

void collector_sum(struct collector_losses *sum, const struct collector_losses *some)
{
	sum->taken += some->taken;
	sum->no_room += some->no_room;
	sum->lost += some->lost;
	sum->truncated += some->truncated;
	sum->throttled += some->throttled;
}

void collector_add_losses_of(const struct collector *collector, uint32_t event,
			     struct collector_losses *losses)
{
	const struct source *source = &collector->sources[event];

	collector_sum(losses, &source->losses);
	losses->no_room += atomic_load_explicit(&source->no_room, memory_order_relaxed);
	if (collector->is_running)
		add_component_losses(collector, event, losses);
}

void collector_add_losses(const struct collector *collector, struct collector_losses *losses)
{
	for (uint32_t n = 0; n < collector->settings->count; n++)
		collector_add_losses_of(collector, n, losses);
}

void collector_free(struct collector *collector)
{
	if (!collector)
		return;
	collector_stop(collector);
	free(collector);
}
