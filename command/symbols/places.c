/* SPDX-License-Identifier: BSD-3-Clause */
/* See places.h. */
#include "places.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"

int places_open(struct places *places, struct precis_file *file, struct symbol_options *options)
{
	const struct precis_symbols_options *how = symbol_options_finish(options, file);

	places->is_off = !how;
	places->no_demangle = options->no_demangle;
	if (precis_symbols_new(how, &places->symbols))
		return -1;
	/* Build ids that cannot be read are none; the file's warnings tell of it */
	return precis_symbols_file(places->symbols, file) == PRECIS_E_NO_MEMORY ? -1 : 0;
}

void places_close(struct places *places)
{
	precis_symbols_free(places->symbols);
	for (unsigned int slot = 0; slot < SYMBOL_NAMES; slot++)
		free(places->names.entry[slot].name);
	memset(places, 0, sizeof(*places));
}

void places_add_fields(uint64_t fields[PRECIS_FIELD_WORDS])
{
	static const uint8_t needed[] = { PRECIS_FIELD_IP, PRECIS_FIELD_PID, PRECIS_FIELD_TID,
					  PRECIS_FIELD_TIME, PRECIS_FIELD_CPUMODE };

	for (size_t i = 0; i < sizeof(needed); i++)
		precis_fields_add(fields, needed[i]);
}

int places_learn(struct places *places, const struct precis_record *record, uint64_t time)
{
	return precis_symbols_record(places->symbols, record, time) == PRECIS_E_NO_MEMORY ? -1 : 0;
}

/* Samples without a time: what the process ran last, as far as has been read */
static uint64_t time_of(const struct precis_sample *sample)
{
	uint64_t time = UINT64_MAX;

	precis_get_time(sample, &time);
	return time;
}

void places_find(struct places *places, const struct precis_sample *sample, uint64_t cpumode,
		 uint64_t address, int with_name, struct precis_location *place)
{
	/* Without a process there is none that has that number */
	uint64_t pid = UINT32_MAX;

	memset(place, 0, sizeof(*place));
	place->size = sizeof(*place);
	precis_get_pid(sample, &pid);
	(with_name && !places->is_off ? precis_symbols_find : precis_symbols_locate)(
		places->symbols, (uint32_t)pid, (uint32_t)cpumode, time_of(sample), address, place);
}

void places_find_line(struct places *places, const struct precis_location *place,
		      struct precis_line *line)
{
	memset(line, 0, sizeof(*line));
	line->size = sizeof(*line);
	line->absent = PRECIS_SYMBOL_NOT_ASKED;
	if (!place->object)
		line->absent = place->symbol_absent;
	else if (!places->is_off)
		precis_symbols_line(places->symbols, place, line);
}

const char *places_task(struct places *places, const struct precis_sample *sample)
{
	const char *name = NULL;
	uint64_t tid;

	if (precis_get_tid(sample, &tid))
		precis_symbols_task(places->symbols, (uint32_t)tid, time_of(sample), &name);
	return name;
}

const char *places_function(void *data, uint64_t address, uint64_t *start)
{
	struct precis_location location = { .size = sizeof(location) };
	struct places *places = data;

	if (places->is_off ||
	    precis_symbols_find(places->symbols, UINT32_MAX, PRECIS_CPUMODE_KERNEL, UINT64_MAX,
				address, &location) <= 0 ||
	    !location.symbol)
		return NULL;
	*start = address - location.symbol_offset;
	return location.symbol;
}

static unsigned int slot_of(const char *symbol)
{
	return (unsigned int)((uint64_t)(uintptr_t)symbol * UINT64_C(0x9e3779b97f4a7c15) >> 54) %
	       SYMBOL_NAMES;
}

/* Valid until the next call */
static const char *name_of(struct symbol_names *names, const char *symbol)
{
	unsigned int slot = slot_of(symbol);

	if (names->entry[slot].symbol != symbol) {
		free(names->entry[slot].name);
		names->entry[slot].symbol = symbol;
		names->entry[slot].name = demangle(symbol);
	}
	return names->entry[slot].name ? names->entry[slot].name : symbol;
}

const char *places_symbol(struct places *places, const struct precis_location *place)
{
	const char *symbol = place->symbol;

	return places->no_demangle ? symbol : name_of(&places->names, symbol);
}

const char *places_absent_name(uint32_t absent)
{
	static const char *const names[] = {
		[PRECIS_SYMBOL_PRESENT] = "PRESENT",
		[PRECIS_SYMBOL_NOT_ASKED] = "NOT_ASKED",
		[PRECIS_SYMBOL_NOT_A_FILE] = "NOT_A_FILE",
		[PRECIS_SYMBOL_NO_FILE] = "NO_FILE",
		[PRECIS_SYMBOL_OTHER_BUILD_ID] = "OTHER_BUILD_ID",
		[PRECIS_SYMBOL_NONE_THERE] = "NONE_THERE",
		[PRECIS_SYMBOL_NOT_BUILT] = "NOT_BUILT",
		[PRECIS_SYMBOL_NOT_MAPPED] = "NOT_MAPPED",
		[PRECIS_SYMBOL_GUEST] = "GUEST",
		[PRECIS_SYMBOL_NO_KALLSYMS] = "NO_KALLSYMS",
		[PRECIS_SYMBOL_KALLSYMS_HIDDEN] = "KALLSYMS_HIDDEN",
		[PRECIS_SYMBOL_NO_VDSO] = "NO_VDSO",
		[PRECIS_SYMBOL_NO_PERF_MAP] = "NO_PERF_MAP",
		[PRECIS_SYMBOL_NO_DEBUG_INFO] = "NO_DEBUG_INFO",
		[PRECIS_SYMBOL_RUN_TIME_CODE] = "RUN_TIME_CODE",
		[PRECIS_SYMBOL_KERNEL_CODE] = "KERNEL_CODE",
	};

	return absent < sizeof(names) / sizeof(names[0]) ? names[absent] : "NO_SYMBOL";
}

void place_put_members(struct places *places, const struct precis_location *place,
		       struct value_sink *sink)
{
	if (!place->object)
		return;
	value_key(sink, "dso");
	value_text(sink, place->object);
	value_key(sink, "dso_offset");
	value_hex(sink, place->offset);
	if (!place->symbol)
		return;
	value_key(sink, "symbol");
	value_text(sink, places_symbol(places, place));
	value_key(sink, "symbol_offset");
	value_hex(sink, place->symbol_offset);
}
