/* SPDX-License-Identifier: BSD-3-Clause */
/* See replay.h. */
#include "replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGE UINT64_C(4096)

/* --- what is named --- */

/* 0, or -1 if memory is short */
static int about_add(struct about_table *table, const struct named_about *about, uint32_t *number)
{
	if (table->free_count) {
		*number = table->free[--table->free_count];
	} else {
		if (table->used == table->room) {
			const uint32_t room = table->room ? table->room + table->room / 2 : 64;
			struct named_about *more = realloc(table->list, room * sizeof(*more));

			if (!more)
				return -1;
			table->list = more;
			table->room = room;
		}
		*number = table->used++;
	}
	table->list[*number] = *about;
	return 0;
}

static int about_remove(struct about_table *table, uint32_t number)
{
	if (table->free_count == table->free_room) {
		const uint32_t room = table->free_room ? 2 * table->free_room : 64;
		uint32_t *more = realloc(table->free, room * sizeof(*more));

		if (!more)
			return -1;
		table->free = more;
		table->free_room = room;
	}
	table->free[table->free_count++] = number;
	return 0;
}

static int about_copy(struct about_table *to, const struct about_table *from)
{
	if (!from->used)
		return 0;
	to->list = malloc(from->used * sizeof(*to->list));
	to->free = malloc((from->free_count + 1) * sizeof(*to->free));
	if (!to->list || !to->free)
		return -1;
	memcpy(to->list, from->list, from->used * sizeof(*to->list));
	if (from->free_count)
		memcpy(to->free, from->free, from->free_count * sizeof(*to->free));
	to->used = to->room = from->used;
	to->free_count = from->free_count;
	to->free_room = from->free_count + 1;
	return 0;
}

static void about_free(struct about_table *table)
{
	free(table->list);
	free(table->free);
	memset(table, 0, sizeof(*table));
}

/* --- the begin and the end --- */

static int take_over(struct replay *replay, struct replay *parent)
{
	int failed = live_blocks_copy(&replay->blocks, &parent->blocks);

	for (uint32_t level = 0; level < NAMED_LEVELS; level++)
		failed |= live_blocks_copy(&replay->named[level], &parent->named[level]);
	failed |= about_copy(&replay->named_about, &parent->named_about) |
		  live_ranges_copy(&replay->maps, &parent->maps);
	/* other threads' stacks stay what they are, and the child has no events of them */
	for (uint32_t n = 0; n < replay->named_about.used; n++)
		replay->named_about.list[n].thread_serial = 0;
	replay->phase = parent->phase;
	replay->phase_file = parent->phase_file;
	replay->module_count = parent->module_count;
	memcpy(replay->modules, parent->modules, sizeof(replay->modules));
	memcpy(replay->files, parent->files, sizeof(replay->files));
	replay->file_count = parent->file_count;
	replay->serial = parent->serial;
	return failed ? -1 : 0;
}

int replay_copy(struct replay *replay, struct replay *parent)
{
	memset(replay, 0, sizeof(*replay));
	return take_over(replay, parent);
}

int replay_begin(struct replay *replay, struct replay_file *file, struct replay *parent)
{
	memset(replay, 0, sizeof(*replay));
	/* of a chain of forks that is longer the eldest are not known */
	if (parent && parent->file_count < REPLAY_FILES && take_over(replay, parent) < 0)
		return -1;
	replay->file = replay->file_count;
	replay->files[replay->file_count++] = file;
	return 0;
}

void replay_free(struct replay *replay)
{
	live_blocks_free(&replay->blocks);
	for (uint32_t level = 0; level < NAMED_LEVELS; level++)
		live_blocks_free(&replay->named[level]);
	about_free(&replay->named_about);
	live_ranges_free(&replay->maps);
	live_ranges_free(&replay->threads);
}

/* --- the heap --- */

/* So many steps halve a probability: it is known to one in 6000, in two bytes of each live block. */
#define RARITY_STEPS 2048.0

static uint16_t rarity_of(double probability)
{
	const double rarity = probability < 1 ? -log2(probability) * RARITY_STEPS : 0;

	return rarity < UINT16_MAX ? (uint16_t)lround(rarity) : UINT16_MAX;
}

static double probability_of(uint16_t rarity)
{
	return exp2(-rarity / RARITY_STEPS);
}

static int add_block(struct replay *replay, const struct live_block *block)
{
	/* one whose end was lost */
	return live_blocks_remove(&replay->blocks, block->start, NULL) < 0
		       ? -1
		       : live_blocks_add(&replay->blocks, block);
}

static int learn_stack(struct replay *replay, const struct precis_object_event *event,
		       uint64_t time)
{
	struct replay_file *file = replay->files[replay->file];

	return stack_times_learn(&file->stacks, file->file, event->stack, time);
}

static int new_block(struct replay *replay, const struct precis_object_event *event, uint64_t time)
{
	const struct live_block block = {
		.start = event->address,
		.bytes = event->bytes ? event->bytes : 1,
		.about = {
			.stack = event->stack,
			.serial = ++replay->serial,
			.rarity = rarity_of(event->probability),
			.file = (uint8_t)replay->file,
			.tag_file = (uint8_t)replay->file,
		},
	};

	return learn_stack(replay, event, time) < 0 ? -1 : add_block(replay, &block);
}

static struct taken_back *taken_back_of(struct replay *replay, uint32_t tid)
{
	for (uint32_t n = 0; n < TAKEN_BACK_MOST; n++) {
		if (replay->taken_back[n].tid == tid)
			return &replay->taken_back[n];
	}
	return &replay->taken_back[replay->next_taken_back++ % TAKEN_BACK_MOST];
}

static int end_block(struct replay *replay, const struct precis_object_event *event, uint64_t time)
{
	struct gone_block *gone = &replay->gone[replay->next_gone % GONE_MOST];
	struct live_block block;
	const int was = live_blocks_remove(&replay->blocks, event->address, &block);

	if (was <= 0)
		return was;
	*gone = (struct gone_block){ .block = block, .time = time };
	replay->next_gone++;
	*taken_back_of(replay, event->tid) = (struct taken_back){ .tid = event->tid, .block = block };
	return 0;
}

/* --- mappings --- */

/* Where what begins there ends: the kernel maps and unmaps whole pages, whatever it is asked for. */
static uint64_t end_of_pages(const struct precis_object_event *event)
{
	return (event->address + event->bytes + PAGE - 1) & ~(PAGE - 1);
}

static int end_mapping(struct replay *replay, const struct precis_object_event *event)
{
	const struct live_range *range = live_ranges_find(&replay->maps, event->address);
	const uint64_t end = end_of_pages(event);

	if (range && range->end >= end && end > event->address) {
		struct taken_back *back = taken_back_of(replay, event->tid);

		*back = (struct taken_back){ .tid = event->tid, .is_range = 1, .range = *range };
		back->range.start = event->address;
		back->range.end = end;
	}
	return live_ranges_remove(&replay->maps, event->address, end);
}

static int add_range(struct live_ranges *ranges, struct replay *replay,
		     const struct precis_object_event *event, enum lifetime_kind kind)
{
	const struct live_range range = {
		.start = event->address,
		.end = kind == LIFETIME_MAPPING ? end_of_pages(event)
						: event->address + event->bytes,
		.origin = event->address,
		.kind = kind,
		.tid = event->tid,
		.stack = event->stack,
		.name = event->name,
		.serial = ++replay->serial,
		.file = replay->file,
		.tag_file = replay->file,
	};

	return live_ranges_add(ranges, &range);
}

/* What ended at that address has not. */
static int restore(struct replay *replay, const struct precis_object_event *event)
{
	struct taken_back *back = taken_back_of(replay, event->tid);

	if (back->tid != event->tid)
		return 0;
	back->tid = 0;
	if (back->is_range)
		return back->range.start == event->address
			       ? live_ranges_add(&replay->maps, &back->range)
			       : 0;
	if (back->block.start != event->address)
		return 0;
	for (uint32_t n = 0; n < GONE_MOST; n++) {
		if (replay->gone[n].block.about.serial == back->block.about.serial)
			replay->gone[n].block.bytes = 0;
	}
	return add_block(replay, &back->block);
}

/* --- names --- */

static struct named_about *about_named(const struct replay *replay, const struct live_block *named)
{
	return &replay->named_about.list[named->number];
}

/* 0: nothing is there */
static uint32_t serial_at(const struct live_ranges *ranges, uint64_t address)
{
	const struct live_range *range = live_ranges_find(ranges, address);

	return range ? range->serial : 0;
}

/* Does it stand for what is there, or has what it was in been freed or unmapped since, its thread ended? */
static int is_valid(const struct replay *replay, const struct live_block *named)
{
	const struct named_about *about = about_named(replay, named);
	const struct live_block *block;

	if (about->map_serial)
		return serial_at(&replay->maps, named->start) == about->map_serial;
	if (about->thread_serial)
		return serial_at(&replay->threads, named->start) == about->thread_serial;
	if (!about->block_serial)
		return 1;
	block = live_blocks_at(&replay->blocks, about->block);
	return block && block->about.serial == about->block_serial;
}

/* The innermost that has the address and is valid. @return its level + 1; 0: none */
static uint32_t find_named(const struct replay *replay, uint64_t address, const struct live_block **named)
{
	for (uint32_t level = NAMED_LEVELS; level > 0; level--) {
		*named = live_blocks_find(&replay->named[level - 1], address);
		if (*named && is_valid(replay, *named))
			return level;
	}
	return 0;
}

static int forget_at(struct replay *replay, uint32_t level, uint64_t start)
{
	struct live_block named;
	const int was = live_blocks_remove(&replay->named[level], start, &named);

	return was > 0 ? about_remove(&replay->named_about, named.number) : was;
}

/* Names that stand for nothing any more, and the old one of the same object, would hide the new one. */
static int make_way(struct replay *replay, uint32_t level, const struct live_block *object)
{
	const uint64_t ends[] = { object->start, object->start + object->bytes - 1 };
	int failed = 0;

	for (uint32_t n = 0; n < 2; n++) {
		const struct live_block *old = live_blocks_find(&replay->named[level], ends[n]);

		if (old && (old->start == object->start || !is_valid(replay, old)))
			failed |= forget_at(replay, level, old->start);
	}
	return failed;
}

static int new_name(struct replay *replay, const struct precis_object_event *event)
{
	const int is_array = (event->present & PRECIS_OBJECT_HAS_ARRAY) && event->stride;
	struct named_about about = {
		.name = event->name,
		.type = event->type,
		.file = replay->file,
		.tag_file = replay->file,
		.stride = is_array ? event->stride : 0,
	};
	struct live_block object = { .start = event->address, .bytes = event->bytes };
	const struct live_block *around;
	uint32_t level;

	if (is_array && event->count && about.stride <= UINT64_MAX / event->count)
		object.bytes = about.stride * event->count;
	if (!object.bytes)
		return 0;
	/* the same object named again stays where it was */
	level = find_named(replay, object.start, &around);
	if (level && around->start == object.start && around->bytes <= object.bytes)
		level--;
	if (level == NAMED_LEVELS)
		level--;
	around = live_blocks_find(&replay->blocks, object.start);
	if (around) {
		about.block = around->start;
		about.block_serial = around->about.serial;
		about.stack = around->about.stack;
	} else {
		about.thread_serial = serial_at(&replay->threads, object.start);
		about.map_serial = about.thread_serial ? 0 : serial_at(&replay->maps, object.start);
	}
	if (make_way(replay, level, &object) < 0 ||
	    about_add(&replay->named_about, &about, &object.number) < 0)
		return -1;
	return live_blocks_add(&replay->named[level], &object);
}

static int tag_range(struct replay *replay, const struct precis_object_event *event)
{
	struct live_ranges *ranges = &replay->threads;
	const struct live_range *range = live_ranges_find(ranges, event->address);
	struct live_range tagged;

	if (!range) {
		ranges = &replay->maps;
		range = live_ranges_find(ranges, event->address);
	}
	if (!range)
		return 0;
	tagged = *range;
	tagged.tag = event->name;
	tagged.tag_file = replay->file;
	return live_ranges_add(ranges, &tagged);
}

static int tag(struct replay *replay, const struct precis_object_event *event)
{
	const struct live_block *object;
	struct live_block *block;

	if (find_named(replay, event->address, &object)) {
		about_named(replay, object)->tag = event->name;
		about_named(replay, object)->tag_file = replay->file;
	} else if ((object = live_blocks_find(&replay->blocks, event->address))) {
		block = live_blocks_change(&replay->blocks, object->start);
		if (!block)
			return -1;
		block->about.tag = event->name;
		block->about.tag_file = (uint8_t)replay->file;
	} else {
		return tag_range(replay, event);
	}
	return 0;
}

static int forget(struct replay *replay, uint64_t start)
{
	for (uint32_t level = NAMED_LEVELS; level > 0; level--) {
		const struct live_block *named = live_blocks_find(&replay->named[level - 1], start);

		if (named && named->start == start)
			return forget_at(replay, level - 1, start);
	}
	return 0;
}

/* --- files --- */

/* NULL: it has loaded none of that name */
static const struct lifetime_module *module_of(const struct replay *replay, uint32_t file,
					       uint32_t name)
{
	for (uint32_t n = 0; n < replay->module_count; n++) {
		if (replay->modules[n].name == name && replay->modules[n].file == file)
			return &replay->modules[n];
	}
	return NULL;
}

/* One that comes again may be elsewhere. */
static void loaded(struct replay *replay, const struct precis_object_event *event)
{
	const struct lifetime_module *known = module_of(replay, replay->file, event->name);
	const uint32_t at = known ? (uint32_t)(known - replay->modules) : replay->module_count;

	if (at == REPLAY_MODULES)
		return;
	replay->modules[at] = (struct lifetime_module){ event->address, event->name, replay->file };
	replay->module_count += !known;
}

int replay_event(struct replay *replay, const struct precis_object_event *event, uint64_t time)
{
	switch (event->operation) {
	case PRECIS_OBJECT_ALLOC:
	case PRECIS_OBJECT_REALLOC_ALLOC:
		return new_block(replay, event, time);
	case PRECIS_OBJECT_FREE:
	case PRECIS_OBJECT_REALLOC_FREE:
		return end_block(replay, event, time);
	case PRECIS_OBJECT_RESTORED:
		return restore(replay, event);
	case PRECIS_OBJECT_MAP:
	case PRECIS_OBJECT_MAP_FILE:
		return learn_stack(replay, event, time) < 0
			       ? -1
			       : add_range(&replay->maps, replay, event, LIFETIME_MAPPING);
	case PRECIS_OBJECT_UNMAP:
		return end_mapping(replay, event);
	case PRECIS_OBJECT_NAME:
	case PRECIS_OBJECT_NAME_ARRAY:
		return new_name(replay, event);
	case PRECIS_OBJECT_TAG:
		return tag(replay, event);
	case PRECIS_OBJECT_FORGET:
		return forget(replay, event->address);
	case PRECIS_OBJECT_MODULE:
		loaded(replay, event);
		return 0;
	case PRECIS_OBJECT_PHASE:
		replay->phase = event->name;
		replay->phase_file = replay->file;
		return 0;
	case PRECIS_OBJECT_TLS:
		return add_range(&replay->threads, replay, event, LIFETIME_TLS);
	case PRECIS_OBJECT_THREAD_STACK:
		return add_range(&replay->threads, replay, event, LIFETIME_STACK);
	case PRECIS_OBJECT_THREAD_END:
		live_ranges_remove_thread(&replay->threads, event->tid);
		return 0;
	default:
		return 0;
	}
}

/* --- events ahead --- */

static uint32_t place_ahead(const struct replay_ahead *ahead, uint32_t n)
{
	return (ahead->first + n) % REPLAY_AHEAD;
}

static void expect(const struct replay *replay, const struct precis_object_event *event, int is_soon)
{
	switch (event->operation) {
	case PRECIS_OBJECT_ALLOC:
	case PRECIS_OBJECT_REALLOC_ALLOC:
	case PRECIS_OBJECT_FREE:
	case PRECIS_OBJECT_REALLOC_FREE:
		live_blocks_expect(&replay->blocks, event->address, is_soon);
		break;
	default:
		break;
	}
}

struct precis_object_event *replay_ahead_room(struct replay_ahead *ahead)
{
	return ahead->count < REPLAY_AHEAD ? &ahead->events[place_ahead(ahead, ahead->count)] : NULL;
}

void replay_ahead_add(struct replay_ahead *ahead, const struct replay *replay, uint64_t time)
{
	const uint32_t at = place_ahead(ahead, ahead->count++);

	ahead->times[at] = time;
	expect(replay, &ahead->events[at], 0);
	if (ahead->count > REPLAY_AHEAD / 2)
		expect(replay, &ahead->events[place_ahead(ahead, ahead->count - 1 - REPLAY_AHEAD / 2)], 1);
}

int replay_ahead_first(struct replay_ahead *ahead, struct replay *replay)
{
	const uint32_t at = ahead->first;

	ahead->first = place_ahead(ahead, 1);
	ahead->count--;
	return replay_event(replay, &ahead->events[at], ahead->times[at]);
}

/* --- what is there --- */

static const char *string(const struct replay *replay, uint32_t file, uint32_t id)
{
	return id ? precis_object_file_string(replay->files[file]->file, id) : NULL;
}

static void found_stack(const struct replay *replay, uint32_t file, uint32_t id,
			struct lifetime *found)
{
	const struct replay_file *of = replay->files[file];

	found->stack_count = precis_object_file_stack(of->file, id, &found->stack, NULL);
	found->stack_pid = of->pid;
	found->stack_time = stack_times_of(&of->stacks, id, found->stack_time);
}

static void found_block(const struct replay *replay, const struct live_block *block, struct lifetime *found)
{
	const struct block_about *about = &block->about;

	found->kind = LIFETIME_BLOCK;
	found->start = block->start;
	found->bytes = block->bytes;
	found->probability = probability_of(about->rarity);
	/* numbers of processes are their own, where a block lies is another's by chance alone */
	found->block = (block->start >> 4) * UINT64_C(0x9e3779b97f4a7c15) ^ about->serial;
	found->block += !found->block;
	found->tag = string(replay, about->tag_file, about->tag);
	found_stack(replay, about->file, about->stack, found);
}

static void found_named(const struct replay *replay, const struct live_block *object,
			struct lifetime *found)
{
	const struct named_about *about = about_named(replay, object);

	found->kind = LIFETIME_NAMED;
	found->start = object->start;
	found->bytes = object->bytes;
	found->name = string(replay, about->file, about->name);
	found->type = string(replay, about->file, about->type);
	found->tag = string(replay, about->tag_file, about->tag);
	found->stride = about->stride;
	found_stack(replay, about->file, about->stack, found);
}

static void found_range(const struct replay *replay, const struct live_range *range,
			struct lifetime *found)
{
	const struct lifetime_module *module;

	found->kind = (enum lifetime_kind)range->kind;
	found->start = range->origin;
	found->bytes = range->end - range->origin;
	found->tid = range->tid;
	found->name = string(replay, range->file, range->name);
	found->tag = string(replay, range->tag_file, range->tag);
	if (found->kind == LIFETIME_TLS) {
		module = module_of(replay, range->file, range->name);
		found->code = module ? module->code : 0;
	}
	found_stack(replay, range->file, range->stack, found);
}

const char *replay_phase(const struct replay *replay)
{
	return string(replay, replay->phase_file, replay->phase);
}

static int find_gone(const struct replay *replay, uint64_t time, uint64_t address,
		     struct lifetime *found)
{
	for (uint32_t n = 0; n < GONE_MOST && n < replay->next_gone; n++) {
		const struct gone_block *gone =
			&replay->gone[(replay->next_gone - 1 - n) % GONE_MOST];

		if (time - gone->time > GONE_NS)
			return 0;
		if (address - gone->block.start < gone->block.bytes) {
			found_block(replay, &gone->block, found);
			found->just_freed = 1;
			return 1;
		}
	}
	return 0;
}

void replay_find(const struct replay *replay, uint64_t time, uint64_t address,
		 struct lifetime *found)
{
	const struct live_range *range;
	const struct live_block *block;

	found->stack_time = time;
	if (find_named(replay, address, &block)) {
		found_named(replay, block, found);
	} else if ((block = live_blocks_find(&replay->blocks, address))) {
		found_block(replay, block, found);
	} else if ((range = live_ranges_find(&replay->threads, address)) ||
		   (range = live_ranges_find(&replay->maps, address))) {
		found_range(replay, range, found);
	} else if (!find_gone(replay, time, address, found)) {
		found->absent = LIFETIME_NOT_RECORDED;
	}
}
