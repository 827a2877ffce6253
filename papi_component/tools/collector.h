/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of each thread, kept until the tool that measures can take them: what the plugins of
 * this folder have in common. A plugin parses the user's list of events once, starts a collector in
 * each thread and takes its samples where the tool may be called: the handler that gets them
 * may run in a signal, where no tool can be.
 *
 * Linked into each plugin, with libpapi (the component) and libprecis (why a field is absent).
 */
#ifndef PRECIS_TOOLS_COLLECTOR_H
#define PRECIS_TOOLS_COLLECTOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which fields are kept: a row of collected.def each */
enum collected_field {
#define COLLECTED(id, kind, unit) COLLECTED_##id,
#include "collected.def"
#undef COLLECTED
	COLLECTED_COUNT
};

/* What a tool does with a field */
enum collected_kind {
	COLLECTED_PLACE, /* of code or data: an address */
	COLLECTED_NAME,  /* one of a few names: samples are told apart by it */
	COLLECTED_AMOUNT /* it has a sum, a mean, a greatest value */
};

struct collected_info {
	const char *name; /* the catalogue's: "mem_level" */
	const char *unit; /* "cycles", "" */
	enum collected_kind kind;
};

/* One sample. A field of the settings without its bit in 'present' has no value: why[] says why. */
struct collected {
	uint64_t stamp;  /* of the clock in the settings; without one 0 */
	uint64_t period; /* how many of its event it stands for; 0: not known */
	uint64_t value[COLLECTED_COUNT];
	/* static words; NULL where there is a value, or none is wanted */
	const char *why[COLLECTED_COUNT];
	uint32_t present;
	uint32_t event; /* the settings' event */
};

#define COLLECTOR_EVENTS 16

struct collector_event {
	char name[256]; /* of PAPI: precis:::BREAKPOINT:addr=0x404040:len=8:access=w */
	uint64_t period;
};

struct collector_settings {
	struct collector_event events[COLLECTOR_EVENTS];
	uint32_t count;
	uint32_t delivery; /* PRECIS_PAPI_WATERMARK; or _SAMPLE, where 'clock' is to be near */
	uint32_t room;     /* samples that a thread can keep, a power of two */
	uint32_t fields;   /* those that are wanted: bits of enum collected_field */
	uint64_t (*clock)(void); /* async-signal-safe; NULL: none */
};

/* What has become of an event's samples; or of several events', in several threads */
struct collector_losses {
	uint64_t taken;     /* the tool got them */
	uint64_t no_room;   /* the collector was full: the tool took them too seldom */
	uint64_t lost;      /* the ring was full, or the PMU says so */
	uint64_t truncated; /* records that could not be read */
	uint64_t throttled; /* how often the kernel stopped an event */
};

struct collector; /* of one thread */

/** Row 'field' of collected.def. */
struct collected_info collected_info(enum collected_field field);

/** A value as text, by the catalogue: "L3", "0x404040". @param text PRECIS_VALUE_TEXT bytes */
void collected_format(enum collected_field field, uint64_t value, char *text);

/**
 * Add the events of a list NAME@PERIOD,NAME@PERIOD... to the settings.
 * @param error  in words, where 0 is returned
 * @return 1; 0 if the list is none
 */
int collector_parse(struct collector_settings *settings, const char *list, char *error, size_t room);

/**
 * What the environment says of room and fields: PRECIS_TOOL_ROOM, PRECIS_TOOL_FIELDS.
 * @return as above
 */
int collector_options(struct collector_settings *settings, char *error, size_t room);

/**
 * PAPI for threads, if nobody has initialised it yet.
 * @return 1; 0 if this libpapi has no component precis, or it is disabled: 'error' says why
 */
int collector_init(char *error, size_t room);

/** Say on standard error why nothing is sampled, or a thread is not. */
void collector_complain(const char *why);

/**
 * Sample the calling thread from now on.
 * @param settings  must live as long as the collector
 * @return NULL if an event cannot be had, and 'error' says which and why
 */
struct collector *collector_start(const struct collector_settings *settings, char *error, size_t room);

/**
 * Hand the samples that came since the last call to the tool. In the collector's thread; in another one
 * while none is taken in the former, and without what has not been delivered.
 */
void collector_take(struct collector *collector, void (*take)(const struct collected *, void *),
		    void *user);

/** Sample no longer; what came until now waits for collector_take(). */
void collector_stop(struct collector *collector);

/**
 * Add what has become of the samples of all events until now. In the collector's thread, or after
 * collector_stop().
 */
void collector_add_losses(const struct collector *collector, struct collector_losses *losses);

/** The same of one event of the settings. */
void collector_add_losses_of(const struct collector *collector, uint32_t event,
			     struct collector_losses *losses);

/** sum += some */
void collector_sum(struct collector_losses *sum, const struct collector_losses *some);

void collector_free(struct collector *collector);

#ifdef __cplusplus
}
#endif

#endif
