/* SPDX-License-Identifier: BSD-3-Clause */
/* See lines.h. */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "statistics/heavy.h"

#define ROOM_FIRST 256u
#define BITS_FIRST 10u

/* --- finding --- */

static size_t home(const struct sharing_lines *lines, uint64_t a, uint64_t b, uint32_t bits)
{
	return (size_t)(tally_hash_of(&lines->hash, a, b) >> (64 - bits));
}

static uint32_t *line_slot(const struct sharing_lines *lines, uint64_t space, uint64_t line)
{
	const size_t mask = ((size_t)1 << lines->line_bits) - 1;
	size_t at = home(lines, space, line, lines->line_bits);

	for (; lines->line_slots[at]; at = (at + 1) & mask) {
		const struct sharing_line *is = &lines->lines[lines->line_slots[at] - 1];

		if (is->line == line && is->space == space)
			break;
	}
	return &lines->line_slots[at];
}

/* What tells ways of a line apart, but for the instruction */
static uint64_t way_key(uint32_t line, uint32_t party, struct sharing_span span, uint32_t flags)
{
	return (uint64_t)line << 40 | (uint64_t)party << 24 | (uint64_t)span.offset << 18 |
	       (uint64_t)(span.bytes & 127) << 8 | flags;
}

_Static_assert(SHARING_LINES_MOST < 1u << 24 && SHARING_KERNEL < 1 << 8, "keys have room");

static uint64_t key_of(const struct sharing_way *way)
{
	return way_key(way->line, way->party, way->span, way->flags);
}

static uint32_t *way_slot(const struct sharing_lines *lines, uint64_t key, uint64_t ip)
{
	const size_t mask = ((size_t)1 << lines->way_bits) - 1;
	size_t at = home(lines, key, ip, lines->way_bits);

	for (; lines->way_slots[at]; at = (at + 1) & mask) {
		const struct sharing_way *way = &lines->ways[lines->way_slots[at] - 1];

		if (way->ip == ip && key_of(way) == key)
			break;
	}
	return &lines->way_slots[at];
}

static void fill_lines(struct sharing_lines *lines)
{
	memset(lines->line_slots, 0, sizeof(*lines->line_slots) << lines->line_bits);
	for (uint32_t n = 0; n < lines->line_count; n++)
		*line_slot(lines, lines->lines[n].space, lines->lines[n].line) = n + 1;
}

static void fill_ways(struct sharing_lines *lines)
{
	memset(lines->way_slots, 0, sizeof(*lines->way_slots) << lines->way_bits);
	for (uint32_t n = 0; n < lines->way_count; n++)
		*way_slot(lines, key_of(&lines->ways[n]), lines->ways[n].ip) = n + 1;
}

/* --- memory --- */

int sharing_lines_init(struct sharing_lines *lines, uint32_t line_limit, uint32_t way_limit)
{
	memset(lines, 0, sizeof(*lines));
	lines->line_limit = line_limit;
	lines->way_limit = way_limit;
	lines->spots.limit = 2 * way_limit;
	lines->line_bits = lines->way_bits = BITS_FIRST;
	tally_hash_begin(&lines->hash);
	lines->line_slots = calloc((size_t)1 << BITS_FIRST, sizeof(*lines->line_slots));
	lines->way_slots = calloc((size_t)1 << BITS_FIRST, sizeof(*lines->way_slots));
	return lines->line_slots && lines->way_slots ? 0 : -1;
}

void sharing_lines_free(struct sharing_lines *lines)
{
	free(lines->lines);
	free(lines->ways);
	free(lines->line_slots);
	free(lines->way_slots);
	sharing_spots_free(&lines->spots);
	memset(lines, 0, sizeof(*lines));
}

void sharing_lines_clear(struct sharing_lines *lines)
{
	lines->line_count = lines->way_count = lines->spots.count = lines->spots.free = 0;
	lines->floor = lines->dropped = lines->crowded = lines->spots.beyond = 0;
	fill_lines(lines);
	fill_ways(lines);
}

/* Room for one more of what has 'count', and slots of which half stay free. 0, or -1 if memory is short */
static int widen(void **list, size_t bytes, uint32_t count, uint32_t limit, uint32_t *room,
		 uint32_t **slots, uint32_t *bits)
{
	if (count == *room) {
		const uint32_t most = *room ? 2 * *room : ROOM_FIRST;
		void *more = realloc(*list, (most < limit ? most : limit) * bytes);

		if (!more)
			return -1;
		*list = more;
		*room = most < limit ? most : limit;
	}
	if ((uint64_t)count + 1 > UINT64_C(1) << *bits >> 1) {
		uint32_t *more = malloc(sizeof(*more) << (*bits + 1));

		if (!more)
			return -1;
		free(*slots);
		*slots = more;
		++*bits;
		return 1;
	}
	return 0;
}

static int widen_lines(struct sharing_lines *lines)
{
	void *list = lines->lines;
	const int widened =
		widen(&list, sizeof(*lines->lines), lines->line_count, lines->line_limit,
		      &lines->line_room, &lines->line_slots, &lines->line_bits);

	lines->lines = list;
	if (widened > 0)
		fill_lines(lines);
	return widened < 0 ? -1 : 0;
}

static int widen_ways(struct sharing_lines *lines)
{
	void *list = lines->ways;
	const int widened = widen(&list, sizeof(*lines->ways), lines->way_count, lines->way_limit,
				  &lines->way_room, &lines->way_slots, &lines->way_bits);

	lines->ways = list;
	if (widened > 0)
		fill_ways(lines);
	return widened < 0 ? -1 : 0;
}

/* --- leaving out --- */

/* Ways of lines that have gone go; 'numbers' are those of lines now, by those before, 0: gone */
static void keep_ways(struct sharing_lines *lines, const uint32_t *numbers)
{
	uint32_t kept = 0;

	for (uint32_t n = 0; n < lines->line_count; n++)
		lines->lines[n].first = 0;
	for (uint32_t n = 0; n < lines->way_count; n++) {
		struct sharing_way way = lines->ways[n];

		way.line = numbers[way.line - 1];
		if (!way.line) {
			sharing_spots_release(&lines->spots, way.spots);
			continue;
		}
		way.next = lines->lines[way.line - 1].first;
		lines->lines[way.line - 1].first = kept + 1;
		lines->ways[kept++] = way;
	}
	lines->way_count = kept;
	fill_ways(lines);
}

static int drop_half(struct sharing_lines *lines)
{
	uint64_t *uppers = malloc(lines->line_count * sizeof(*uppers));
	uint32_t *numbers = calloc(lines->line_count, sizeof(*numbers)), kept = 0;
	size_t same;

	if (!uppers || !numbers) {
		free(uppers);
		free(numbers);
		return -1;
	}
	for (uint32_t n = 0; n < lines->line_count; n++)
		uppers[n] = lines->lines[n].weight + lines->lines[n].missed;
	lines->floor = heavy_cut(uppers, lines->line_count, &same);
	for (uint32_t n = 0; n < lines->line_count; n++) {
		const struct sharing_line *line = &lines->lines[n];
		const uint64_t upper = line->weight + line->missed;

		if (upper < lines->floor || (upper == lines->floor && same && same--)) {
			lines->crowded -= line->crowded;
			continue;
		}
		numbers[n] = kept + 1;
		lines->lines[kept++] = *line;
	}
	lines->dropped += lines->line_count - kept;
	lines->line_count = kept;
	fill_lines(lines);
	keep_ways(lines, numbers);
	free(uppers);
	free(numbers);
	return 0;
}

/* --- adding --- */

/* The line of that key, and if need be a new one. NULL if memory is short */
static struct sharing_line *have_line(struct sharing_lines *lines, uint64_t space, uint64_t number,
				      const struct sharing_line *like)
{
	uint32_t found = *line_slot(lines, space, number);

	if (found)
		return &lines->lines[found - 1];
	if (lines->line_count == lines->line_limit && drop_half(lines) < 0)
		return NULL;
	if (widen_lines(lines) < 0)
		return NULL;
	lines->lines[lines->line_count] = (struct sharing_line){
		.space = space,
		.line = number,
		.address = like->address,
		.time = like->time,
		.pid = like->pid,
		.recording = like->recording,
		.told = like->told,
		.missed = lines->floor,
		.memory_node = like->memory_node,
	};
	*line_slot(lines, space, number) = ++lines->line_count;
	return &lines->lines[lines->line_count - 1];
}

/* The way that is like that one. NULL: there is no room, or ('failed') no memory */
static struct sharing_way *have_way(struct sharing_lines *lines, const struct sharing_way *like,
				    int *failed)
{
	uint32_t found = *way_slot(lines, key_of(like), like->ip);
	struct sharing_way *way;

	if (found)
		return &lines->ways[found - 1];
	if (lines->way_count == lines->way_limit)
		return NULL;
	if (widen_ways(lines) < 0) {
		*failed = 1;
		return NULL;
	}
	way = &lines->ways[lines->way_count];
	*way = *like;
	way->samples = 0;
	way->weight = way->squares = way->most = 0;
	way->spots = 0;
	memset(way->cycles, 0, sizeof(way->cycles));
	way->next = lines->lines[like->line - 1].first;
	lines->lines[like->line - 1].first = ++lines->way_count;
	*way_slot(lines, key_of(like), like->ip) = lines->way_count;
	return way;
}

static void add_cycles(struct sharing_way *way, const struct sharing_way *more)
{
	if (more->latency_is)
		way->latency_is = more->latency_is;
	for (int n = 0; n < SHARING_DISTANCES; n++) {
		way->cycles[n].samples += more->cycles[n].samples;
		way->cycles[n].weight += more->cycles[n].weight;
		way->cycles[n].sum += more->cycles[n].sum;
	}
}

/*
 * What was sampled of a line so, behind what was; where is the caller's. NULL: no way has room for it, or
 * ('failed') memory is short
 */
static struct sharing_way *add_way(struct sharing_lines *lines, struct sharing_line *line,
				   struct sharing_way *more, int *failed)
{
	struct sharing_way *way;

	more->line = (uint32_t)(line - lines->lines) + 1;
	way = have_way(lines, more, failed);
	if (!way) {
		line->crowded += more->samples;
		lines->crowded += more->samples;
		return NULL;
	}
	way->samples += more->samples;
	way->weight += more->weight;
	way->squares += more->squares;
	way->most = more->most > way->most ? more->most : way->most;
	add_cycles(way, more);
	return way;
}

/* Where ways have no room any more the lighter lines make some, unless there are but a few of them. */
static int make_room(struct sharing_lines *lines)
{
	return lines->way_count == lines->way_limit && lines->line_count >= ROOM_FIRST
		       ? drop_half(lines)
		       : 0;
}

int sharing_lines_add(struct sharing_lines *lines, const struct sharing_sample *sample)
{
	const struct sharing_line like = {
		.address = sample->address,
		.time = sample->time,
		.pid = sample->pid,
		.recording = sample->recording,
		.memory_node = sample->memory_node,
	};
	struct sharing_way way = {
		.ip = sample->ip,
		.time = sample->time,
		.samples = 1,
		.weight = sample->weight,
		.squares = sample->weight * sample->weight,
		.most = sample->weight,
		.pid = sample->pid,
		.party = (uint16_t)sample->party,
		.span = sample->span,
		.flags = (uint8_t)sample->flags,
		.latency_is = (uint8_t)sample->latency_is,
	};
	struct sharing_line *line;
	struct sharing_way *is;
	int failed = 0;

	if (make_room(lines) < 0)
		return -1;
	line = have_line(lines, sample->space, sample->line, &like);
	if (!line)
		return -1;
	line->samples++;
	line->weight += sample->flags & SHARING_TRANSFER ? SHARING_TRANSFER_WEIGHT : 1;
	if (sample->has_source) {
		line->sourced++;
		sharing_c2c_count(line->c2c, sample->source);
	}
	if (sample->latency_is)
		way.cycles[sample->is_far != 0] =
			(struct sharing_cycles){ 1, sample->weight,
						 sample->weight * (double)sample->latency };
	is = add_way(lines, line, &way, &failed);
	if (is && sample->has_cpu)
		failed = sharing_spots_add(&lines->spots, &is->spots, sample->cpu, 1) < 0;
	return failed ? -1 : 0;
}

int sharing_lines_put(struct sharing_lines *lines, const struct sharing_line *line)
{
	const uint32_t count = lines->line_count;
	struct sharing_line *is = count < lines->line_limit ? have_line(lines, line->space, line->line, line)
							   : NULL;

	if (!is || lines->line_count == count)
		return -1;
	*is = *line;
	is->first = 0;
	return 0;
}

int sharing_lines_put_way(struct sharing_lines *lines, const struct sharing_way *way)
{
	const uint32_t count = lines->way_count;
	int failed = 0;
	struct sharing_way *is = have_way(lines, way, &failed);
	uint32_t next;

	if (!is || lines->way_count == count)
		return -1;
	next = is->next;
	*is = *way;
	is->next = next;
	is->spots = 0;
	return 0;
}

int sharing_lines_put_spot(struct sharing_lines *lines, uint32_t cpu, uint32_t samples)
{
	return sharing_spots_add(&lines->spots, &lines->ways[lines->way_count - 1].spots, cpu,
				 samples);
}

/* --- several --- */

static int merge_line(struct sharing_lines *lines, const struct sharing_lines *others,
		      const struct sharing_line *from, const uint16_t *party, uint32_t recording,
		      uint64_t space)
{
	struct sharing_line like = *from, *line;
	struct sharing_way *is;
	int failed = 0, was_there;

	if (recording)
		like.recording = recording;
	if (make_room(lines) < 0)
		return -1;
	was_there = *line_slot(lines, from->space | space, from->line) != 0;
	line = have_line(lines, from->space | space, from->line, &like);
	if (!line)
		return -1;
	line->samples += from->samples;
	line->weight += from->weight;
	line->missed += from->missed;
	line->crowded += from->crowded;
	line->sourced += from->sourced;
	lines->crowded += from->crowded;
	/* up to now it was taken for one that the other table has not */
	if (was_there)
		line->missed -= others->floor;
	for (uint32_t n = 0; n < SHARING_C2C_COUNTS; n++)
		line->c2c[n] += from->c2c[n];
	for (const struct sharing_way *way = NULL;
	     !failed && (way = sharing_way_next(others, from, way));) {
		struct sharing_way more = *way;

		more.party = party[way->party];
		is = add_way(lines, line, &more, &failed);
		if (is)
			failed = sharing_spots_merge(&lines->spots, &is->spots, &others->spots,
						     way->spots) < 0;
	}
	return failed ? -1 : 0;
}

int sharing_lines_merge(struct sharing_lines *lines, const struct sharing_lines *others,
			const uint16_t *party, uint32_t recording, uint64_t space)
{
	for (uint32_t n = 0; n < lines->line_count; n++)
		lines->lines[n].missed += others->floor;
	for (uint32_t n = 0; n < others->line_count; n++) {
		if (merge_line(lines, others, &others->lines[n], party, recording, space) < 0)
			return -1;
	}
	lines->floor += others->floor;
	lines->dropped += others->dropped;
	lines->spots.beyond += others->spots.beyond;
	return 0;
}

const struct sharing_way *sharing_way_next(const struct sharing_lines *lines,
					   const struct sharing_line *line,
					   const struct sharing_way *way)
{
	const uint32_t next = way ? way->next : line->first;

	return next ? &lines->ways[next - 1] : NULL;
}

int sharing_line_is_shared(const struct sharing_lines *lines, const struct sharing_line *line)
{
	const struct sharing_way *first = sharing_way_next(lines, line, NULL);

	for (const struct sharing_way *way = first; way; way = sharing_way_next(lines, line, way)) {
		if (way->party != first->party || way->flags & SHARING_TRANSFER)
			return 1;
	}
	return 0;
}
