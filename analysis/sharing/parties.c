/* SPDX-License-Identifier: BSD-3-Clause */
/* See parties.h. */
#include "parties.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS (4 * SHARING_PARTIES_MOST)
#define REST (SHARING_PARTIES_MOST - 1)
#define CPUS_FIRST 4u

/* --- cores --- */

int sharing_cores_open(struct sharing_cores *cores, const struct precis_file *file)
{
	struct precis_cpu_topology topology = { .size = sizeof(topology) };
	struct precis_cpu_place place = { .size = sizeof(place) };
	struct precis_file_info info = { .size = sizeof(info) };
	struct precis_bytes section;
	uint32_t count;

	memset(cores, 0, sizeof(*cores));
	if (precis_file_feature(file, PRECIS_FEATURE_CPU_TOPOLOGY, &section) ||
	    precis_file_info(file, &info) ||
	    precis_cpu_topology_parse(section, info.cpus_available, &topology))
		return 0;
	count = topology.cpu_count < SHARING_CPUS_MOST ? topology.cpu_count : SHARING_CPUS_MOST;
	if (!topology.has_ids || !count)
		return 0;
	cores->of_cpu = malloc(count * sizeof(*cores->of_cpu));
	if (!cores->of_cpu)
		return -1;
	for (cores->count = 0; cores->count < count; cores->count++) {
		uint64_t *core = &cores->of_cpu[cores->count];

		*core = UINT64_MAX;
		if (precis_cpu_place(&topology, cores->count, &place) || place.core == UINT32_MAX)
			continue;
		*core = sharing_core_of(place.socket, place.has_die ? place.die : 0, place.core);
	}
	return 0;
}

void sharing_cores_free(struct sharing_cores *cores)
{
	free(cores->of_cpu);
	memset(cores, 0, sizeof(*cores));
}

/* --- parties --- */

void sharing_parties_free(struct sharing_parties *parties)
{
	for (uint32_t n = 0; n < parties->count; n++) {
		free(parties->list[n].cpus);
		free(parties->list[n].name);
	}
	free(parties->list);
	free(parties->slots);
	memset(parties, 0, sizeof(*parties));
}

static uint32_t *find_slot(const struct sharing_parties *parties, uint32_t recording, uint64_t id)
{
	uint64_t hash = (id + recording) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t at = (uint32_t)(hash >> 32) % SLOTS;

	for (; parties->slots[at]; at = (at + 1) % SLOTS) {
		const struct sharing_party *party = &parties->list[parties->slots[at] - 1];

		if (party->id == id && party->recording == recording)
			break;
	}
	return &parties->slots[at];
}

/* 0, or -1 if memory is short */
static int make_room(struct sharing_parties *parties)
{
	uint32_t room = parties->room ? 2 * parties->room : 16;
	struct sharing_party *more;

	if (!parties->slots)
		parties->slots = calloc(SLOTS, sizeof(*parties->slots));
	if (!parties->slots)
		return -1;
	if (parties->count < parties->room)
		return 0;
	more = realloc(parties->list, room * sizeof(*more));
	if (!more)
		return -1;
	parties->list = more;
	parties->room = room;
	return 0;
}

uint32_t sharing_party_number(struct sharing_parties *parties, uint32_t recording, uint64_t id,
			      uint64_t time)
{
	uint32_t *slot;

	if (make_room(parties) < 0)
		return UINT32_MAX;
	slot = find_slot(parties, recording, id);
	if (*slot)
		return *slot - 1;
	if (parties->count > REST)
		return REST;
	parties->list[parties->count] = (struct sharing_party){
		.id = id,
		.recording = recording,
		.first_time = time,
		.is_rest = parties->count == REST,
	};
	if (parties->count != REST)
		*slot = parties->count + 1;
	return parties->count++;
}

int sharing_party_on_cpu(struct sharing_parties *parties, uint32_t number, uint32_t cpu,
			 uint32_t samples)
{
	struct sharing_party *party = &parties->list[number];
	struct sharing_cpu *more;

	for (uint32_t n = 0; n < party->cpu_count; n++) {
		if (party->cpus[n].cpu == cpu) {
			party->cpus[n].samples += samples;
			return 0;
		}
	}
	if (party->cpu_count == SHARING_CPUS_MOST) {
		parties->unplaced += samples;
		return 0;
	}
	/* room is a power of 2 */
	if (party->cpu_count < CPUS_FIRST || !(party->cpu_count & (party->cpu_count - 1))) {
		const uint32_t room =
			party->cpu_count < CPUS_FIRST ? CPUS_FIRST : 2 * party->cpu_count;

		more = realloc(party->cpus, room * sizeof(*more));
		if (!more)
			return -1;
		party->cpus = more;
	}
	party->cpus[party->cpu_count++] = (struct sharing_cpu){ cpu, samples };
	return 0;
}

uint32_t sharing_party_cpu(const struct sharing_party *party)
{
	uint32_t cpu = UINT32_MAX, most = 0;

	for (uint32_t n = 0; n < party->cpu_count; n++) {
		const struct sharing_cpu *is = &party->cpus[n];

		if (is->samples < most || (is->samples == most && is->cpu > cpu))
			continue;
		cpu = is->cpu;
		most = is->samples;
	}
	return cpu;
}

uint16_t *sharing_parties_merge(struct sharing_parties *parties,
				const struct sharing_parties *others, uint32_t recording)
{
	uint16_t *map = malloc((others->count + 1) * sizeof(*map));
	int failed = 0;

	for (uint32_t n = 0; map && n < others->count && !failed; n++) {
		const struct sharing_party *from = &others->list[n];
		const uint32_t number =
			sharing_party_number(parties, recording ? recording : from->recording,
					     from->id, from->first_time);
		struct sharing_party *to;

		if (number == UINT32_MAX) {
			failed = 1;
			break;
		}
		to = &parties->list[number];
		map[n] = (uint16_t)number;
		to->is_rest |= from->is_rest;
		weighted_add(&to->loads, &from->loads);
		weighted_add(&to->stores, &from->stores);
		for (uint32_t at = 0; at < from->cpu_count && !failed; at++)
			failed = sharing_party_on_cpu(parties, number, from->cpus[at].cpu,
						      from->cpus[at].samples) < 0;
	}
	parties->unplaced += others->unplaced;
	if (!failed)
		return map;
	free(map);
	return NULL;
}

void sharing_party_text(const struct sharing_party *party, unsigned int by, char *text, size_t room)
{
	const char *name = party->name ? party->name : "thread";

	if (party->is_rest)
		snprintf(text, room, "others");
	else if (by == SHARING_BY_THREAD)
		snprintf(text, room, "%s (%" PRIu32 ")", name, sharing_party_tid(party));
	else if (by == SHARING_BY_PROCESS)
		snprintf(text, room, "%s (%" PRIu32 ")", party->name ? party->name : "process",
			 sharing_party_pid(party));
	else if (by == SHARING_BY_CPU)
		snprintf(text, room, "CPU %" PRIu64, party->id);
	else if (by == SHARING_BY_NODE)
		snprintf(text, room, "node %" PRIu64, party->id);
	else
		snprintf(text, room, "core %u.%u.%" PRIu32, (unsigned int)(party->id >> 48),
			 (unsigned int)(party->id >> 32 & 0xffff), (uint32_t)party->id);
}
