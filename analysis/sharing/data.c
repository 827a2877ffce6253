/* SPDX-License-Identifier: BSD-3-Clause */
/* See data.h. */
#include "data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/objects/block_site.h"
#include "named.h"

/* --- by symbols --- */

/* The symbols' types, of the file that is mapped */
static struct program_place place_of(const struct sharing_data *data,
				     struct precis_symbols *symbols)
{
	return (struct program_place){ symbols, data->sharing->about->symbols };
}

static void keep_name(struct sharing_data *data, const char *name, struct sharing_datum *datum)
{
	snprintf(data->name, sizeof(data->name), "%s", name);
	datum->name = data->name;
}

/* By its variable, or where that is not known by its address */
static void name_plainly(struct sharing_data *data, uint64_t address,
			 const struct precis_memory *memory, struct sharing_datum *datum)
{
	const struct analysis_about *about = data->sharing->about;
	char *variable =
		memory->variable && about->demangle ? about->demangle(memory->variable) : NULL;

	if (memory->variable)
		snprintf(data->name, sizeof(data->name), "%s+%" PRIu64,
			 variable ? variable : memory->variable, memory->variable_offset);
	else
		snprintf(data->name, sizeof(data->name), "%#" PRIx64, address);
	datum->is_address = !memory->variable;
	datum->name = data->name;
	free(variable);
}

/* 0: no type is known */
static int name_member(struct sharing_data *data, struct precis_symbols *symbols, uint32_t bytes,
		       const struct precis_memory *memory, struct sharing_datum *datum)
{
	const struct program_place place = place_of(data, symbols);
	struct typed typed = { .name = NULL };

	if (!symbols || !memory->variable || !memory->object ||
	    memory->kind != PRECIS_MEMORY_PROGRAM)
		return 0;
	data->failed |=
		program_types_at(&data->types, &place, memory, bytes, TYPED_ELEMENT, &typed) < 0;
	if (!typed.name)
		return 0;
	keep_name(data, typed.name, datum);
	datum->file = typed.declared;
	datum->line = typed.declared_line;
	datum->source = SHARING_DECLARED;
	return 1;
}

/* By the type that the instruction's operand has. 0: nobody knows; where the instruction is may be told */
static int name_by_instruction(struct sharing_data *data, struct precis_symbols *symbols,
			       const struct sharing_way *way, struct sharing_datum *datum)
{
	const struct program_place place = place_of(data, symbols);
	struct precis_location location = { .size = sizeof(location) };
	struct precis_line source = { .size = sizeof(source) };
	struct program_instruction instruction;
	struct program_operand operand;
	struct typed typed = { .name = NULL };

	if (!symbols || way->flags & SHARING_KERNEL || !way->ip)
		return 0;
	precis_symbols_locate(symbols, way->pid, PRECIS_CPUMODE_USER, way->time, way->ip,
			      &location);
	if (!location.object)
		return 0;
	instruction =
		(struct program_instruction){ location.object, location.offset, location.cpumode };
	if (program_types_operand(&data->types, &place, &instruction, &operand) < 0) {
		data->failed = 1;
		return 0;
	}
	if (operand.type)
		data->failed |= program_types_of_operand(&data->types, &operand, way->span.bytes,
							 TYPED_MEMBER, &typed) < 0;
	if (precis_symbols_line(symbols, &location, &source) > 0) {
		datum->file = source.file;
		datum->line = source.number;
		datum->source = SHARING_ACCESSED;
	}
	if (!typed.name)
		return 0;
	keep_name(data, typed.name, datum);
	return 1;
}

static void name_datum(struct sharing_data *data, struct precis_symbols *symbols,
		       const struct precis_memory *memory, uint64_t address,
		       const struct sharing_way *way, struct sharing_datum *datum)
{
	if (!name_member(data, symbols, way->span.bytes, memory, datum) &&
	    (memory->variable || !name_by_instruction(data, symbols, way, datum)))
		name_plainly(data, address, memory, datum);
}

void sharing_datum_of(struct sharing_data *data, const struct sharing_line *line,
		      const struct sharing_way *way, struct sharing_datum *datum)
{
	struct precis_symbols *symbols = sharing_symbols(data->sharing, line->recording);
	struct precis_memory memory = { .size = sizeof(memory) };
	const uint64_t address = line->address + way->span.offset;

	*datum = (struct sharing_datum){ .name = NULL };
	if (way->datum) {
		*datum = data->sharing->told_of.data[way->datum - 1];
		return;
	}
	if (symbols)
		precis_symbols_memory(symbols, line->pid, line->time, address, &memory);
	name_datum(data, symbols, &memory, address, way, datum);
}

void sharing_datum_now(struct sharing_data *data, uint32_t pid, uint64_t ip, uint64_t address,
		       uint32_t bytes, struct sharing_datum *datum)
{
	const struct sharing_way way = {
		.pid = pid, .ip = ip, .time = UINT64_MAX, .span.bytes = (uint8_t)bytes
	};
	struct precis_symbols *symbols = data->sharing->model.symbols;
	struct precis_memory memory = { .size = sizeof(memory) };

	*datum = (struct sharing_datum){ .name = NULL };
	precis_symbols_memory(symbols, pid, UINT64_MAX, address, &memory);
	name_datum(data, symbols, &memory, address, &way, datum);
}

void sharing_data_free(struct sharing_data *data)
{
	program_types_free(&data->types);
}

/* --- by side files --- */

/* A way that may be to a block, by the time of its first access */
struct asked_way {
	uint64_t time;
	uint32_t way; /* from 0 */
};

static int by_time(const void *a, const void *b)
{
	const struct asked_way *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return (left->way > right->way) - (left->way < right->way);
}

/* Addresses of other processes that share its memory are not known. */
static int may_be_block(const struct sharing *sharing, const struct sharing_line *line,
			const struct sharing_way *way)
{
	/* what one reader has seen of a line is not all, where there are several */
	return (sharing->about->readers || sharing_line_is_shared(&sharing->lines, line)) &&
	       way->pid == line->pid && !(line->address >> 63) && !way->datum;
}

/* To be freed; NULL if memory is short */
static struct asked_way *ask(const struct sharing *sharing, uint32_t *count)
{
	const struct sharing_lines *lines = &sharing->lines;
	struct asked_way *asked = malloc((lines->way_count + 1) * sizeof(*asked));

	*count = 0;
	for (uint32_t n = 0; asked && n < lines->way_count; n++) {
		const struct sharing_way *way = &lines->ways[n];

		if (may_be_block(sharing, &lines->lines[way->line - 1], way))
			asked[(*count)++] = (struct asked_way){ way->time, n };
	}
	if (asked)
		qsort(asked, *count, sizeof(*asked), by_time);
	return asked;
}

static void name_block(struct sharing_data *data, const struct sharing_way *way,
		       const struct lifetime *life, uint64_t offset, struct sharing_datum *datum)
{
	const struct sharing *sharing = data->sharing;
	const struct program_place place = place_of(data, sharing->model.symbols);
	struct typed typed = { .name = NULL };
	struct block_site site;
	struct program_called called;

	if (block_site_find(&(struct block_asked){ sharing->model.symbols, sharing->about->demangle,
						   life, &data->types, &place },
			    &site) < 0) {
		data->failed = 1;
		return;
	}
	if (site.file)
		data->failed |=
			program_types_of_block(&data->types, &place,
					       &(struct program_block){
						       .key = life->stack,
						       .file = site.file,
						       .offsets = site.offsets,
						       .count = site.count,
						       .bytes = life->bytes,
						       .offset = offset,
						       .name = site.text,
					       },
					       way->span.bytes, TYPED_ELEMENT, &typed, &called) < 0;
	if (typed.name)
		keep_name(data, typed.name, datum);
	else
		snprintf(data->name, sizeof(data->name), "%s+%" PRIu64, site.text, offset);
	datum->name = data->name;
	datum->file = site.source;
	datum->line = site.source_line;
	datum->source = SHARING_ALLOCATED;
	free(site.text);
}

static void name_object(struct sharing_data *data, const struct sharing_way *way,
			const struct lifetime *life, uint64_t offset, struct sharing_datum *datum)
{
	const struct program_place place = place_of(data, data->sharing->model.symbols);
	const struct program_object object = {
		.life = life,
		.name = life->name ? life->name : life->type,
		.offset = offset,
		.pid = way->pid,
		.time = way->time,
	};
	struct typed typed = { .name = NULL };

	if (!object.name)
		return;
	data->failed |= program_types_of(&data->types, &place, &object, way->span.bytes,
					 TYPED_ELEMENT, &typed) < 0;
	if (typed.name)
		keep_name(data, typed.name, datum);
	else
		snprintf(data->name, sizeof(data->name), "%s+%" PRIu64, object.name, offset);
	datum->name = data->name;
}

static void settle_way(struct sharing_data *data, struct sharing *sharing, struct sharing_way *way)
{
	const uint64_t address = sharing->lines.lines[way->line - 1].address + way->span.offset;
	struct sharing_datum datum = { .name = NULL };
	struct lifetime life;

	if (lifetimes_find(&sharing->lifetimes, way->pid, way->time, address, &life) < 0) {
		data->failed = 1;
		return;
	}
	if (life.kind == LIFETIME_BLOCK)
		name_block(data, way, &life, address - life.start, &datum);
	else if (life.kind == LIFETIME_NAMED)
		name_object(data, way, &life, address - life.start, &datum);
	if (datum.name) {
		way->datum = sharing_told_datum(&sharing->told_of, &datum);
		data->failed |= !way->datum;
	}
}

int sharing_data_settle(struct sharing *sharing)
{
	struct sharing_data data = { .sharing = sharing };
	struct asked_way *asked;
	uint32_t count;

	if (!sharing->lifetimes.count || !sharing->model.symbols)
		return 0;
	lifetimes_again(&sharing->lifetimes);
	asked = ask(sharing, &count);
	for (uint32_t n = 0; asked && n < count && !data.failed; n++)
		settle_way(&data, sharing, &sharing->lines.ways[asked[n].way]);
	data.failed |= !asked;
	free(asked);
	sharing_data_free(&data);
	return data.failed ? -1 : 0;
}
