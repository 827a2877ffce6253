/* SPDX-License-Identifier: BSD-3-Clause */
/* See block_keys.h. */
#include "block_keys.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/model/absences.h"
#include "analysis/model/rows.h"
#include "analysis/objects/block_site.h"
#include "places.h"
#include "stacks.h"

/* Frames of a call stack that are told, as many as the recorder has at most */
#define FRAMES_MOST 128u

/* The same of a symbol by its number, found once. 0: it has none */
static int passes_on(struct by *by, uint32_t symbol)
{
	struct name *name = symbol ? &by->names.list[symbol - 1] : NULL;

	if (!name)
		return 0;
	if (name->passes_on == PASSES_ON_UNKNOWN)
		name->passes_on = block_passes_on(name->text) ? PASSES_ON : PASSES_ON_NOTHING;
	return name->passes_on == PASSES_ON;
}

/* Does it return the block to who called it? */
static int is_returned(struct by *by, uint32_t symbol)
{
	return passes_on(by, symbol) && block_is_returned(by->names.list[symbol - 1].text);
}

/* A return address is behind the call. */
static struct by_place frame_at(struct by *by, const struct by_memory *memory, uint32_t n)
{
	const struct lifetime *life = &memory->life;

	return by_place_at(by, life->stack_pid,
			   model_epoch(&by->model.processes, life->stack_pid, life->stack_time),
			   PRECIS_CPUMODE_USER, life->stack[n] - 1);
}

/* The innermost that is none of these, or the innermost; nowhere: no call is known */
static struct by_place who_asked(struct by *by, const struct by_memory *memory)
{
	for (uint32_t n = 0; n < memory->life.stack_count; n++) {
		const struct by_place place = frame_at(by, memory, n);

		if (!passes_on(by, place.symbol))
			return place;
	}
	return memory->life.stack_count ? frame_at(by, memory, 0)
					: (struct by_place){ .is_known = 0 };
}

static char *site_text(struct by *by, const struct by_memory *memory, const char *what)
{
	const struct by_place place = who_asked(by, memory);
	const struct name *symbol = names_get(&by->names, place.symbol);
	const struct name *file = names_get(&by->names, place.file);
	const struct name *object = names_get(&by->names, place.object);
	const struct program_place files = { by->model.symbols, by->about->symbols };
	struct block_caller caller = {
		.symbol = symbol ? symbol->text : NULL,
		.file = file ? file->text : NULL,
		.line = place.line,
		.object = object ? object->object : NULL,
		.offset = place.offset,
	};

	if (block_site_refine(&by->types, &files, by->about->demangle, &caller) < 0)
		return NULL;
	caller.object = object ? object->text : NULL;
	return block_site_text(what, &caller);
}

struct program_object by_program_object(struct by *by, const struct by_memory *memory)
{
	const struct lifetime *life = &memory->life;

	return (struct program_object){
		.life = life,
		.name = life->name ? life->name : life->type,
		.offset = memory->data - life->start,
		.pid = memory->pid,
		.time = model_time(&by->model.processes, memory->pid, memory->epoch),
	};
}

static char *thread_variable_text(struct by *by, const struct by_memory *memory)
{
	const struct program_place place = { by->model.symbols, by->about->symbols };
	const struct lifetime *life = &memory->life;
	const struct program_object object = by_program_object(by, memory);
	const char *path = life->name && life->name[0] ? life->name : life->executable, *of, *name;
	const char *file;
	char *readable, *text;

	if (program_types_thread_variable(&by->types, &place, &object, &name, &of) < 0)
		return NULL;
	path = name && !path ? of : path;
	file = path && path[0] ? model_file_of(path) : "the program";
	if (!name || !name[0])
		return name_printed("thread-local variables of %s", file);
	readable = by->about->demangle ? by->about->demangle(name) : NULL;
	text = name_printed("%s (thread-local, %s)", readable ? readable : name, file);
	free(readable);
	return text;
}

char *by_block_text(struct by *by, const struct by_memory *memory)
{
	const struct lifetime *life = &memory->life;

	switch (life->kind) {
	case LIFETIME_NAMED:
		return life->name || life->type
			       ? name_printed("%s", life->name ? life->name : life->type)
			       : site_text(by, memory, "object");
	case LIFETIME_BLOCK:
		return site_text(by, memory, life->just_freed ? "block (just freed)" : "block");
	case LIFETIME_MAPPING:
		return life->name ? NULL : site_text(by, memory, "mapping");
	case LIFETIME_STACK:
		return name_printed("stack of thread %u", life->tid);
	case LIFETIME_TLS:
		return thread_variable_text(by, memory);
	default:
		return NULL;
	}
}

uint32_t by_block_name(struct by *by, const struct by_memory *memory)
{
	char *text = by_block_text(by, memory);
	const uint32_t number = by_name_of(by, text);

	free(text);
	return number;
}

void by_calls_of(struct by *by, const struct by_memory *memory, struct by_calls *calls)
{
	const uint32_t most = sizeof(calls->offsets) / sizeof(calls->offsets[0]);
	struct by_place place = who_asked(by, memory);
	const uint32_t object = place.object;
	const struct name *file = names_get(&by->names, object);

	calls->file = file ? file->object : NULL;
	calls->count = 0;
	for (uint32_t n = 0; n < memory->life.stack_count && calls->count < most; n++) {
		int is_same;

		place = frame_at(by, memory, n);
		is_same = object && place.object == object;
		if (!is_same && !calls->count && is_returned(by, place.symbol))
			continue;
		/* what is looked up is before the return address */
		calls->offsets[calls->count++] = is_same ? place.offset + 1 : PROGRAM_ELSEWHERE;
	}
}

struct by_value by_allocation_value(struct by *by, const struct by_memory *memory)
{
	struct by_value frames[FRAMES_MOST];
	const uint32_t count =
		memory->life.stack_count < FRAMES_MOST ? memory->life.stack_count : FRAMES_MOST;
	struct by_value value = { 0, 0 };
	char *text;

	if (!count)
		return value;
	for (uint32_t n = 0; n < count; n++) {
		const struct by_place place = frame_at(by, memory, n);

		frames[n] = (struct by_value){ place.symbol, place.object };
	}
	text = by_stack_text(by, frames, count, memory->life.stack_count > count);
	value.a = by_name_of(by, text);
	by->failed |= !text;
	free(text);
	return value;
}
