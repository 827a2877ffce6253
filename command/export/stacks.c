/* SPDX-License-Identifier: BSD-3-Clause */
/* See stacks.h. */
#include "stacks.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/model/callchains.h"

static const char *without_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* A symbol; where there is none the file's name in brackets, if it has none of its own */
static uint32_t name_number(struct stacks *stacks, struct places *places,
			    const struct precis_location *place)
{
	char text[256];

	if (place->symbol && *place->symbol)
		return texts_number(&stacks->texts, places_symbol(places, place));
	if (!place->object || !*place->object)
		return texts_number(&stacks->texts, "[unknown]");
	if (*place->object == '[')
		return texts_number(&stacks->texts, place->object);
	snprintf(text, sizeof(text), "[%s]", without_directory(place->object));
	return texts_number(&stacks->texts, text);
}

/* A frame of its place; NO_NUMBER if memory is short */
static uint32_t frame_number(struct stacks *stacks, struct places *places,
			     const struct precis_location *place, uint64_t mode)
{
	uint32_t name = name_number(stacks, places, place), object = NO_NUMBER;

	if (name != NO_NUMBER && place->object) {
		object = texts_number(&stacks->texts, place->object);
		if (object == NO_NUMBER)
			return NO_NUMBER;
	}
	return name == NO_NUMBER ? name :
				   triples_number(&stacks->frames, name, object, (uint32_t)mode);
}

static uint32_t node_number(struct stacks *stacks, uint32_t caller, uint32_t frame)
{
	return frame == NO_NUMBER ? frame : triples_number(&stacks->nodes, caller, frame, 0);
}

uint32_t stacks_name(struct stacks *stacks, uint32_t caller, const char *name)
{
	uint32_t number = texts_number(&stacks->texts, name);

	if (number == NO_NUMBER)
		return NO_NUMBER;
	return node_number(stacks, caller,
			   triples_number(&stacks->frames, number, NO_NUMBER, PRECIS_CPUMODE_UNKNOWN));
}

/* Frames of the callchain, the innermost first, into 'chain'. @return how many */
static uint32_t take_chain(struct stacks *stacks, struct parts *parts)
{
	struct precis_callchain_entry entry = { .size = sizeof(entry) };
	uint64_t mode = parts->record->misc & PRECIS_MISC_CPUMODE_MASK;
	struct precis_location place;
	uint32_t count = 0;

	if (!(parts->perf.present & PRECIS_SAMPLE_CALLCHAIN))
		return 0;
	for (uint64_t n = 0; count < STACK_FRAMES &&
			     !precis_callchain_entry(parts->perf.callchain, n, &entry); n++) {
		if (entry.kind == PRECIS_CALLCHAIN_CONTEXT)
			mode = callchain_mode(entry.value);
		if (entry.kind != PRECIS_CALLCHAIN_ADDRESS)
			continue;
		places_find(&parts->places, parts->sample, mode, entry.value, 1, &place);
		stacks->chain[count++] = frame_number(stacks, &parts->places, &place, mode);
	}
	return count;
}

/* The sample's address alone */
static uint32_t take_address(struct stacks *stacks, struct parts *parts, uint32_t caller)
{
	uint64_t mode = PRECIS_CPUMODE_UNKNOWN;
	const char *object = parts->has_ip ? parts->place.object : NULL;

	if (!parts->has_ip)
		return stacks_name(stacks, caller, "[no address]");
	precis_get_cpumode(parts->sample, &mode);
	if (stacks->with_objects && parts->place.symbol && object)
		caller = stacks_name(stacks, caller, without_directory(object));
	if (stacks->with_objects && caller == NO_NUMBER)
		return NO_NUMBER;
	return node_number(stacks, caller, frame_number(stacks, &parts->places, &parts->place, mode));
}

uint32_t stacks_sample(struct stacks *stacks, struct parts *parts, uint32_t caller)
{
	uint32_t count = take_chain(stacks, parts);

	if (!count)
		return take_address(stacks, parts, caller);
	while (count--) {
		caller = node_number(stacks, caller, stacks->chain[count]);
		if (caller == NO_NUMBER)
			return NO_NUMBER;
	}
	return caller;
}

const char *stacks_task(struct parts *parts, char room[32])
{
	const char *name = places_task(&parts->places, parts->sample);
	uint64_t tid;

	if (name && *name)
		return name;
	if (!precis_get_tid(parts->sample, &tid))
		return "[unknown]";
	snprintf(room, 32, ":%" PRId64, (int64_t)tid);
	return room;
}

uint32_t stacks_frames(struct stacks *stacks, uint32_t node)
{
	uint32_t count = 0;

	for (uint32_t at = node; at != NO_NUMBER; at = stacks->nodes.triple[at][NODE_CALLER])
		count++;
	for (uint32_t n = count; n--; node = stacks->nodes.triple[node][NODE_CALLER])
		stacks->chain[n] = stacks->nodes.triple[node][NODE_FRAME];
	return count;
}

void stacks_free(struct stacks *stacks)
{
	texts_free(&stacks->texts);
	triples_free(&stacks->frames);
	triples_free(&stacks->nodes);
}
