/* SPDX-License-Identifier: BSD-3-Clause */
/* Which recordings cannot be compared, and by which of their settings. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/cpu_text.h"
#include "analysis/ibs_config.h"
#include "analysis/pebs_event.h"
#include "compare.h"

static const struct setting {
	uint32_t kind;
	uint32_t word; /* 0: config, 1: config1 */
	uint64_t bits;
	const char *name; /* as Linux has it in the PMU's format */
	const char *values[2]; /* in words; NULL: the number */
} settings[] = {
	{ PRECIS_EVENT_IBS_OP, 0, IBS_OP_COUNTS_OPS, "cnt_ctl", { "by cycles", "by micro-ops" } },
	{ PRECIS_EVENT_IBS_OP, 0, IBS_OP_L3_MISS_ONLY, "l3missonly", { "all ops", "only L3 misses" } },
	{ PRECIS_EVENT_IBS_OP, 1, IBS_OP_LDLAT1, "ldlat", { NULL, NULL } },
	{ PRECIS_EVENT_IBS_OP, 1, IBS_OP_STRMST1, "strmst", { "all ops", "only streaming stores" } },
	{ PRECIS_EVENT_IBS_FETCH, 0, IBS_FETCH_RANDOM, "rand_en", { "fixed periods", "random ones" } },
	{ PRECIS_EVENT_IBS_FETCH, 0, IBS_FETCH_L3_MISS_ONLY, "l3missonly",
	  { "all fetches", "only L3 misses" } },
	{ PRECIS_EVENT_IBS_FETCH, 1, IBS_FETCH_FETCHLAT1, "fetchlat", { NULL, NULL } },
	{ PRECIS_EVENT_PEBS, 1, PEBS_THRESHOLD_BITS, "ldlat", { NULL, NULL } },
};

/* A text in a room of that many bytes, the end of which is cut off if need be */
struct text {
	char *room;
	size_t bytes, used;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
	va_list arguments;
	int more;

	va_start(arguments, format);
	more = vsnprintf(text->room + text->used, text->bytes - text->used, format, arguments);
	va_end(arguments);
	if (more > 0)
		text->used = text->used + (size_t)more < text->bytes ? text->used + (size_t)more :
								       text->bytes - 1;
}

static void put_cpu(struct text *text, const struct precis_cpu *cpu)
{
	char model[CPU_TEXT];

	cpu_model_text(cpu, model, sizeof(model));
	if (cpu->vendor == PRECIS_VENDOR_UNKNOWN)
		put(text, "one that is not known");
	else
		put(text, "%s %s", cpu->vendor == PRECIS_VENDOR_INTEL ? "Intel" : "AMD", model);
}

static uint64_t word_of(const struct precis_event *event, uint32_t word)
{
	return word ? event->config1 : event->config;
}

static void put_setting(struct text *text, const struct setting *setting, const struct precis_event *event)
{
	const uint64_t value = word_of(event, setting->word) & setting->bits;

	if (setting->values[0])
		put(text, "%s", setting->values[value != 0]);
	else
		put(text, "%" PRIu64, value);
}

/* Of other events of PEBS the same bits mean something else. */
static int is_setting_of(const struct setting *setting, const struct precis_event *event,
			 const struct precis_event *than)
{
	return setting->kind == event->kind &&
	       (setting->kind != PRECIS_EVENT_PEBS || pebs_event_threshold(event) ||
		pebs_event_threshold(than));
}

/* All settings that differ, and whether these are all the difference of the two configurations */
static int put_settings(struct text *text, const struct precis_event *event,
			const struct precis_event *than)
{
	uint64_t told[2] = { 0, 0 };

	for (size_t n = 0; n < sizeof(settings) / sizeof(settings[0]); n++) {
		const struct setting *setting = &settings[n];
		const uint64_t differ = word_of(event, setting->word) ^ word_of(than, setting->word);

		if (!is_setting_of(setting, event, than) || !(differ & setting->bits))
			continue;
		put(text, "%s%s: ", text->used ? "; " : "", setting->name);
		put_setting(text, setting, event);
		put(text, " and ");
		put_setting(text, setting, than);
		told[setting->word] |= setting->bits;
	}
	return !((event->config ^ than->config) & ~told[0]) &&
	       !((event->config1 ^ than->config1) & ~told[1]) && event->config2 == than->config2;
}

/* What differs between two events of the same kind, in the order in which recordings are named */
static void put_difference(struct text *text, const struct analysis_recordings *recordings,
			   const uint32_t number[2], const uint32_t recording[2])
{
	const struct precis_event *event = recordings_event(recordings, number[0]);
	const struct precis_event *than = recordings_event(recordings, number[1]);
	const struct precis_cpu *cpu = precis_input_cpu(recordings->list[recording[0]].input);
	const struct precis_cpu *other = precis_input_cpu(recordings->list[recording[1]].input);

	if (!cpus_are_alike(cpu, other)) {
		put(text, "they are of different CPUs, ");
		put_cpu(text, cpu);
		put(text, " and ");
		put_cpu(text, other);
		return;
	}
	if (event->core_type != than->core_type)
		put(text, "they are of cores of other types, %s and %s",
		    precis_core_type_name(event->core_type), precis_core_type_name(than->core_type));
	if (!put_settings(text, event, than))
		put(text,
		    "%sconfig: 0x%" PRIx64 " and 0x%" PRIx64 ", config1: 0x%" PRIx64 " and 0x%" PRIx64,
		    text->used ? "; " : "", (uint64_t)event->config, (uint64_t)than->config,
		    (uint64_t)event->config1, (uint64_t)than->config1);
	if (!text->used)
		put(text, "they are of %s and %s", event->name, than->name);
}

/* The number, among all, of the recording's first event of that kind; UINT32_MAX: it has none */
static uint32_t first_of_kind(const struct analysis_recordings *recordings, uint32_t recording,
			      uint32_t kind)
{
	const struct analysis_recording *of = &recordings->list[recording];
	const uint32_t count = precis_input_event_count(of->input);

	for (uint32_t n = 0; n < count; n++) {
		if (precis_input_event(of->input, n)->kind == kind)
			return of->first + n;
	}
	return UINT32_MAX;
}

/* Of a kind that both have, told; 0: they do not both have it */
static int put_difference_of_kind(struct text *text, const struct by *by, uint32_t n, uint32_t kind)
{
	const struct analysis_recordings *recordings = by->about->recordings;
	const uint32_t numbers[2] = { first_of_kind(recordings, n, kind),
				      first_of_kind(recordings, 0, kind) };
	const uint32_t places[2] = { n, 0 };

	if (numbers[0] == UINT32_MAX || numbers[1] == UINT32_MAX ||
	    recordings_are_alike(recordings, numbers[0], numbers[1]))
		return 0;
	put_difference(text, recordings, numbers, places);
	return 1;
}

/* Has the recording a sample of any event; or of one of which the first recording has some? */
static int has_samples(const struct by *by, uint32_t recording, int in_common)
{
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t place = 0; place < by_compared_places(by, kind); place++) {
			if (by_compared_event(by, recording, kind, place) &&
			    (!in_common || by_compared_event(by, 0, kind, place)))
				return 1;
		}
	}
	return 0;
}

static void put_events(struct text *text, const struct by *by, uint32_t recording)
{
	const struct precis_input *input = by->about->recordings->list[recording].input;
	const uint32_t count = precis_input_event_count(input);

	for (uint32_t n = 0; n < count; n++)
		put(text, "%s%s", n ? ", " : "", precis_input_event(input, n)->name);
}

int by_refuses(const struct by *by, uint32_t n, char *room, size_t bytes)
{
	struct text text = { .room = room, .bytes = bytes };

	room[0] = '\0';
	/* IBS has one table whatever its events are configured for: cycles or ops, with filters or without */
	if (put_difference_of_kind(&text, by, n, PRECIS_EVENT_IBS_OP) ||
	    put_difference_of_kind(&text, by, n, PRECIS_EVENT_IBS_FETCH))
		return 1;
	if (has_samples(by, n, 1))
		return 0;
	if (!has_samples(by, n, 0) || !has_samples(by, 0, 0)) {
		put(&text, "%s has no sample that was chosen", has_samples(by, 0, 0) ? "it" : "the latter");
	} else if (!put_difference_of_kind(&text, by, n, PRECIS_EVENT_PEBS)) {
		put(&text, "they have no event in common: ");
		put_events(&text, by, n);
		put(&text, "; and ");
		put_events(&text, by, 0);
	}
	return 1;
}
