/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See saved.h. Lines that several access, or that came from another cache, have with them what they are and
 * where the instructions are: the others are not told, and never will be, since another recording's lines are
 * none of theirs.
 */
#include "saved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "named.h"

/* Sums of weights, and of their squares, are less, however many samples there are. */
#define SUM_MOST 1e60

const struct saved_field sharing_saved[] = {
	SAVED_NOT(struct sharing, about),          SAVED_NOT(struct sharing, request),
	SAVED_NOT(struct sharing, model), /* by its own function */
	SAVED_NOT(struct sharing, lifetimes), /* what they told is below */
	SAVED_NOT(struct sharing, side_files), /* below, since version 2 */
	SAVED_NOT(struct sharing, nodes), /* what the recording says */
	SAVED_NOT(struct sharing, cores),          SAVED_NOT(struct sharing, parties), /* below */
	SAVED_NOT(struct sharing, lines),          SAVED_WEIGHTED(struct sharing, accesses),
	SAVED_WEIGHTED(struct sharing, nowhere),   SAVED_WEIGHTED(struct sharing, told),
	SAVED_WEIGHTED(struct sharing, transfers), SAVED_U64(struct sharing, untold),
	SAVED_U64(struct sharing, cycles),         SAVED_U64(struct sharing, unweighed),
	SAVED_U64(struct sharing, nobodys),        SAVED_U64(struct sharing, physical),
	SAVED_U64(struct sharing, linear),         SAVED_U64(struct sharing, wide),
	SAVED_U64(struct sharing, unwide),         SAVED_U64(struct sharing, time),
	SAVED_NOT(struct sharing, other_seconds), /* of several recordings */
	SAVED_NOT(struct sharing, taken),          SAVED_NOT(struct sharing, taken_count),
	SAVED_NOT(struct sharing, recordings),     SAVED_NOT(struct sharing, told_of), /* below */
	SAVED_NOT(struct sharing, why_unknown), /* of programs that run */
	SAVED_NOT(struct sharing, failed),         SAVED_END,
};

/* --- who --- */

static void cpus(struct saving *saving, struct sharing_parties *parties, uint32_t number)
{
	const uint32_t known = parties->list[number].cpu_count;
	const uint32_t count = saved_count(saving, known, SHARING_CPUS_MOST, 8, "CPUs");

	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		struct sharing_cpu cpu = { 0, 0 };

		if (!saving->is_loading)
			cpu = parties->list[number].cpus[n];
		saved_u32(saving, &cpu.cpu);
		saved_u32(saving, &cpu.samples);
		if (!saving->is_loading || saving_failed(saving))
			continue;
		if (sharing_party_on_cpu(parties, number, cpu.cpu, cpu.samples) < 0)
			saving_no_memory(saving);
		else if (parties->list[number].cpu_count != n + 1)
			saving_damaged(saving, "expected each CPU once");
	}
}

static void party(struct saving *saving, struct sharing_parties *parties, uint32_t n)
{
	struct sharing_party is = { .id = 0 };
	const char *name;

	if (!saving->is_loading)
		is = parties->list[n];
	name = is.name;
	saved_u64(saving, &is.id);
	saved_u64(saving, &is.first_time);
	saved_int(saving, &is.is_rest);
	saved_text(saving, &name);
	saved_weighted(saving, &is.loads);
	saved_weighted(saving, &is.stores);
	if (saving->is_loading && !saving_failed(saving)) {
		const uint32_t number = sharing_party_number(parties, 0, is.id, is.first_time);

		is.name = name ? strdup(name) : NULL;
		if (number == UINT32_MAX || (name && !is.name)) {
			saving_no_memory(saving);
		} else if (number != n) {
			saving_damaged(saving, "expected each of those who share lines once");
		} else {
			is.is_rest |= parties->list[n].is_rest;
			parties->list[n] = is;
			is.name = NULL;
		}
		if (saving_failed(saving))
			free(is.name);
	}
	if (!saving_failed(saving))
		cpus(saving, parties, n);
}

static void all_parties(struct saving *saving, struct sharing_parties *parties)
{
	const uint32_t count = saved_count(saving, parties->count, SHARING_PARTIES_MOST, 34,
					   "that share lines");

	for (uint32_t n = 0; n < count && !saving_failed(saving); n++)
		party(saving, parties, n);
	saved_u64(saving, &parties->unplaced);
}

/* --- what lines are, and where instructions are --- */

static void memory(struct saving *saving, struct precis_memory *memory)
{
	memory->size = sizeof(*memory);
	saved_below(saving, &memory->kind, PRECIS_MEMORY_KERNEL + 1, "a kind of memory");
	saved_text(saving, &memory->object);
	saved_text(saving, &memory->variable);
	saved_u64(saving, &memory->variable_offset);
}

static void place(struct saving *saving, struct sharing_place *place)
{
	saved_text(saving, &place->object);
	saved_text(saving, &place->symbol);
	saved_u64(saving, &place->symbol_offset);
	saved_text(saving, &place->file);
	saved_u32(saving, &place->line);
}

/* --- lines --- */

static int has_places(const struct saving *saving)
{
	return !saving->is_loading || saving->version >= 7;
}

/* Of each line: is it told where its accesses are, and to what? To be freed; NULL if memory is short */
static uint8_t *those_told(const struct sharing_lines *lines)
{
	uint8_t *told = calloc((size_t)lines->line_count + 1, 1);

	for (uint32_t n = 0; told && n < lines->line_count; n++)
		told[n] = sharing_line_is_shared(lines, &lines->lines[n]) != 0;
	return told;
}

static void weight(struct saving *saving, double *weight)
{
	saved_double(saving, weight);
	if (saving->is_loading && !(*weight >= 0 && *weight <= SUM_MOST))
		saving_damaged(saving, "expected a weight");
}

static void way(struct saving *saving, const struct sharing *sharing, struct sharing_way *way)
{
	uint32_t party = way->party;

	saved_u32(saving, &way->line);
	saved_below(saving, &party, sharing->parties.count, "the number of one that shares lines");
	saved_u64(saving, &way->ip);
	saved_u64(saving, &way->time);
	saved_u64(saving, &way->samples);
	weight(saving, &way->weight);
	weight(saving, &way->squares);
	weight(saving, &way->most);
	saved_u32(saving, &way->pid);
	saved_u8(saving, &way->span.offset);
	saved_u8(saving, &way->span.bytes);
	saved_u8(saving, &way->flags);
	way->party = (uint16_t)party;
	if (!saving->is_loading || saving_failed(saving))
		return;
	if (way->span.offset >= SHARING_LINE_BYTES ||
	    way->span.bytes > SHARING_LINE_BYTES - way->span.offset)
		saving_damaged(saving, "expected bytes of a line");
	else if (!way->line || way->line > sharing->lines.line_count)
		saving_damaged(saving, "expected the number of one of %u lines", sharing->lines.line_count);
	else if (way->flags >= SHARING_KERNEL << 1)
		saving_damaged(saving, "expected what an access is");
}

/* Since version 7: cycles of loads, and the CPUs that they were made on */
static void cycles(struct saving *saving, struct sharing_way *way)
{
	uint32_t is = way->latency_is;

	saved_below(saving, &is, SHARING_LATENCIES, "which latency that is");
	way->latency_is = (uint8_t)is;
	for (int n = 0; n < SHARING_DISTANCES; n++) {
		saved_u64(saving, &way->cycles[n].samples);
		weight(saving, &way->cycles[n].weight);
		weight(saving, &way->cycles[n].sum);
	}
}

static uint32_t count_spots(const struct sharing_spots *spots, uint32_t first)
{
	uint32_t count;

	sharing_spots_most(spots, first, &count);
	return count;
}

static void spots(struct saving *saving, struct sharing_lines *lines, uint32_t first)
{
	const uint32_t count = saved_count(saving, count_spots(&lines->spots, first),
					   SHARING_SPOTS_MOST, 8, "CPUs");

	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		struct sharing_spot spot = { .cpu = 0 };

		if (!saving->is_loading)
			spot = lines->spots.list[first - 1];
		first = spot.next;
		saved_u32(saving, &spot.cpu);
		saved_u32(saving, &spot.samples);
		if (saving->is_loading && !saving_failed(saving) &&
		    sharing_lines_put_spot(lines, spot.cpu, spot.samples) < 0)
			saving_no_memory(saving);
	}
}

/* Since version 2: what ways access, where that has a name */
static void datum(struct saving *saving, struct sharing_told *told, struct sharing_way *way,
		  struct sharing_datum *is)
{
	uint32_t number;

	if (saving->is_loading && saving->version < 2)
		return;
	if (!saved_is_there(saving, is->name != NULL && !is->is_address))
		return;
	saved_text(saving, &is->name);
	saved_text(saving, &is->file);
	saved_u32(saving, &is->line);
	saved_below(saving, &is->source, SHARING_SOURCES, "what a line of the source is");
	if (!saving->is_loading || saving_failed(saving))
		return;
	if (!is->name) {
		saving_damaged(saving, "expected the name of what is accessed");
		return;
	}
	number = sharing_told_datum(told, is);
	if (!number)
		saving_no_memory(saving);
	way->datum = number;
}

static void all_ways(struct saving *saving, struct sharing *sharing, const uint8_t *told_lines)
{
	struct sharing_lines *lines = &sharing->lines;
	struct sharing_told *told = &sharing->told_of;
	struct sharing_data data = { .sharing = sharing };
	const uint32_t count =
		saved_count(saving, lines->way_count, SHARING_SAVED_WAYS_MOST, 67, "accesses");

	if (saving->is_loading) {
		lines->way_limit = SHARING_SAVED_WAYS_MOST;
		lines->spots.limit = 2 * SHARING_SAVED_WAYS_MOST;
	}
	if (saving->is_loading && !(told->places = calloc((size_t)count + 1, sizeof(*told->places))))
		saving_no_memory(saving);
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		struct sharing_way is = { .ip = 0 };
		struct sharing_place at = { .line = 0 };
		struct sharing_datum of = { .name = NULL };

		if (!saving->is_loading)
			is = lines->ways[n];
		way(saving, sharing, &is);
		if (saving_failed(saving))
			break;
		if (!saving->is_loading && told_lines[is.line - 1])
			sharing_place_of(sharing, &lines->lines[is.line - 1], &is, &at);
		if (!saving->is_loading && told_lines[is.line - 1])
			sharing_datum_of(&data, &lines->lines[is.line - 1], &is, &of);
		if (saved_is_there(saving, at.object || at.symbol || at.file)) {
			place(saving, &at);
			if (saving->is_loading) {
				told->places[told->place_count++] = at;
				is.told = told->place_count;
			}
		}
		datum(saving, told, &is, &of);
		if (has_places(saving))
			cycles(saving, &is);
		if (saving->is_loading && !saving_failed(saving) && sharing_lines_put_way(lines, &is) < 0)
			saving_damaged(saving, "expected each way to access a line once");
		if (has_places(saving) && !saving_failed(saving))
			spots(saving, lines, is.spots);
	}
	if (has_places(saving) && !saving_failed(saving))
		saved_u64(saving, &lines->spots.beyond);
	if (data.failed)
		saving_no_memory(saving);
	sharing_data_free(&data);
}

static void line(struct saving *saving, struct sharing_line *line)
{
	saved_u64(saving, &line->space);
	saved_u64(saving, &line->line);
	saved_u64(saving, &line->address);
	saved_u64(saving, &line->time);
	saved_u64(saving, &line->weight);
	saved_u64(saving, &line->missed);
	saved_u64(saving, &line->sourced);
	saved_u64(saving, &line->samples);
	saved_u64(saving, &line->crowded);
	saved_u32(saving, &line->pid);
	for (uint32_t n = 0; n < SHARING_C2C_COUNTS; n++)
		saved_u32(saving, &line->c2c[n]);
	if (has_places(saving))
		saved_u32(saving, &line->memory_node);
}

static void all_lines(struct saving *saving, struct sharing *sharing, const uint8_t *told_lines)
{
	struct sharing_lines *lines = &sharing->lines;
	struct sharing_told *told = &sharing->told_of;
	const uint32_t count = saved_count(saving, lines->line_count, lines->line_limit,
					   77 + 4 * SHARING_C2C_COUNTS, "lines");

	if (saving->is_loading && !(told->memories = calloc((size_t)count + 1, sizeof(*told->memories))))
		saving_no_memory(saving);
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		struct sharing_line is = { .memory_node = NODE_UNKNOWN };
		struct precis_memory of = { .size = sizeof(of) };

		if (!saving->is_loading)
			is = lines->lines[n];
		line(saving, &is);
		if (!saving->is_loading && told_lines[n])
			sharing_memory_of(sharing, &is, &of);
		if (saved_is_there(saving, of.kind != PRECIS_MEMORY_UNKNOWN)) {
			memory(saving, &of);
			if (saving->is_loading) {
				told->memories[told->memory_count++] = of;
				is.told = told->memory_count;
			}
		}
		if (saving->is_loading && !saving_failed(saving) && sharing_lines_put(lines, &is) < 0)
			saving_damaged(saving, "expected each line once");
	}
	saved_u64(saving, &lines->floor);
	saved_u64(saving, &lines->dropped);
	saved_u64(saving, &lines->crowded);
}

void sharing_saves(struct saving *saving, void *state)
{
	struct sharing *sharing = state;
	uint8_t *told_lines = those_told(&sharing->lines);

	if (!told_lines)
		saving_no_memory(saving);
	model_saved(saving, &sharing->model);
	all_parties(saving, &sharing->parties);
	if (!saving_failed(saving))
		all_lines(saving, sharing, told_lines);
	if (!saving_failed(saving))
		all_ways(saving, sharing, told_lines);
	if (!saving_failed(saving) && (!saving->is_loading || saving->version >= 2))
		side_files_saved(saving, &sharing->side_files);
	free(told_lines);
}
