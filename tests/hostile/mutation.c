/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One to four changes each: to a bit, a byte, a number, a stretch of bytes, or
 * to whole records. Where: half of the time a place that decides something
 * (the file's header, attrs, a record's header and its first words).
 */
#include <stdlib.h>
#include <string.h>

#include "tests/hostile/mutation.h"
#include "tests/hostile/recompress.h"
#include "tests/property/random.h"

#define HEADER_BYTES 104u
#define RECORD_TYPES 90u

/* One stretch of bytes that is being damaged, and where records start in it (before any damage) */
struct target {
	uint8_t *bytes;
	size_t count;
	const struct structure *structure;
	uint64_t metadata_end;
	uint64_t *state;
};

static uint64_t below(struct target *target, uint64_t limit)
{
	return limit ? random_next(target->state) % limit : 0;
}

static size_t record_start(struct target *target)
{
	const struct structure *structure = target->structure;

	return structure->count ? structure->record[below(target, structure->count)].at : 0;
}

/* A place from 0 to before the end */
static size_t place(struct target *target)
{
	size_t at;

	switch (below(target, 8)) {
	case 0:
		at = below(target, HEADER_BYTES);
		break;
	case 1:
		at = below(target, target->metadata_end);
		break;
	case 2:
	case 3:
		at = record_start(target) + below(target, 24);
		break;
	default:
		at = below(target, target->count);
		break;
	}
	return at < target->count ? at : below(target, target->count);
}

static uint64_t interesting(struct target *target, uint64_t old)
{
	uint64_t any = random_next(target->state);

	switch (below(target, 12)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return old + 1;
	case 3:
		return old - 1;
	case 4:
		return old + 8 * (any % 8);
	case 5:
		return old - 8 * (any % 8);
	case 6:
		return target->count - 64 + any % 128;
	case 7:
		return UINT64_C(1) << any % 64;
	case 8:
		return (UINT64_C(1) << any % 64) - 1;
	case 9:
		return any % 256;
	case 10:
		return UINT64_MAX - any % 64;
	default:
		return any;
	}
}

static void set_number(struct target *target, size_t at, size_t width)
{
	uint64_t value = 0;

	if (below(target, 8))
		at -= at % width;
	if (at + width > target->count)
		return;
	memcpy(&value, target->bytes + at, width);
	value = interesting(target, value);
	memcpy(target->bytes + at, &value, width);
}

static void set_record_type(struct target *target)
{
	uint32_t type = (uint32_t)below(target, RECORD_TYPES);
	size_t at = record_start(target);

	if (at + sizeof(type) <= target->count)
		memcpy(target->bytes + at, &type, sizeof(type));
}

/* A stretch: whole records, or any bytes */
static void choose_range(struct target *target, size_t *at, size_t *count)
{
	size_t end;

	if (below(target, 2)) {
		*at = place(target);
		*count = 1 + below(target, 64);
	} else {
		*at = record_start(target);
		end = record_start(target);
		if (end < *at) {
			size_t start = end;

			end = *at;
			*at = start;
		}
		*count = end - *at;
	}
	if (*at > target->count)
		*at = target->count;
	if (*count > target->count - *at)
		*count = target->count - *at;
}

static void delete_range(struct target *target, size_t at, size_t count)
{
	memmove(target->bytes + at, target->bytes + at + count, target->count - at - count);
	target->count -= count;
}

/* Insert a copy of [from, from + count) at 'at'. */
static void insert_range(struct target *target, size_t at, size_t from, size_t count)
{
	uint8_t copy[8192];

	if (count > sizeof(copy))
		count = sizeof(copy);
	if (count > MUTATED_BYTES - target->count)
		return;
	memcpy(copy, target->bytes + from, count);
	memmove(target->bytes + at + count, target->bytes + at, target->count - at);
	memcpy(target->bytes + at, copy, count);
	target->count += count;
}

static void change_range(struct target *target)
{
	size_t at, count, to = place(target), length;

	choose_range(target, &at, &count);
	switch (below(target, 6)) {
	case 0:
		delete_range(target, at, count);
		break;
	case 1:
		insert_range(target, at, at, count);
		break;
	case 2: /* moved, or swapped with what lies between */
		insert_range(target, record_start(target) % (target->count + 1), at, count);
		break;
	case 3:
		length = count < target->count - to ? count : target->count - to;
		memmove(target->bytes + to, target->bytes + at, length);
		break;
	case 4:
		memset(target->bytes + at, below(target, 2) ? 0xff : 0, count);
		break;
	default: /* all once more behind the end: two recordings in one */
		if (!below(target, 4) && target->count <= MUTATED_BYTES / 2)
			insert_range(target, target->count, 0, target->count);
		break;
	}
}

static void change(struct target *target)
{
	size_t at;

	if (!target->count)
		return;
	at = place(target);
	switch (below(target, 11)) {
	case 0:
	case 1:
		target->bytes[at] ^= (uint8_t)(1 << below(target, 8));
		break;
	case 2:
		target->bytes[at] = (uint8_t)random_next(target->state);
		break;
	case 3:
		set_number(target, at, 2);
		break;
	case 4:
		set_number(target, at, 4);
		break;
	case 5:
	case 6:
		set_number(target, at, 8);
		break;
	case 7:
		set_number(target, record_start(target) + 6, 2); /* header.size */
		break;
	case 8:
		set_record_type(target);
		break;
	case 9:
		if (!below(target, 4))
			target->count = at;
		break;
	default:
		change_range(target);
		break;
	}
}

static void damage(struct target *target)
{
	uint64_t changes = 1 + below(target, 4);

	for (uint64_t n = 0; n < changes; n++)
		change(target);
}

/* Damage what compressed records hold, and compress it again. */
static void damage_inside(struct mutator *mutator, uint32_t n, uint64_t *state)
{
	static uint8_t inside[MUTATED_BYTES];
	static struct structure structure;
	struct target target = { inside, mutator->plain_count[n], &structure, 0, state };

	memcpy(inside, mutator->plain[n], target.count);
	structure.count = 0;
	for (size_t at = 0; at < target.count && structure.count < STRUCTURE_RECORDS;) {
		uint16_t size;

		memcpy(&size, inside + at + 6, sizeof(size));
		structure.record[structure.count++].at = (uint32_t)at;
		at += size;
	}
	damage(&target);
	recompress(&mutator->form->parts[n], &mutator->structure[n], inside, target.count, state,
		   &mutator->result[n], MUTATED_BYTES);
}

void mutator_init(struct mutator *mutator, const struct form *form)
{
	memset(mutator, 0, sizeof(*mutator));
	mutator->form = form;
	for (uint32_t n = 0; n < form->part_count; n++) {
		struct structure *structure = &mutator->structure[n];

		structure_of(form, n, structure);
		mutator->result[n] = form->parts[n];
		mutator->result[n].bytes = malloc(MUTATED_BYTES);
		if (!mutator->result[n].bytes || form->parts[n].count > MUTATED_BYTES)
			abort();
		if (structure_is_compressed(structure))
			mutator->plain[n] = structure_decompress(&form->parts[n], structure,
								 form->parts[n].count,
								 &mutator->plain_count[n]);
	}
}

void mutator_make(struct mutator *mutator, uint64_t seed, uint64_t number)
{
	const struct form *form = mutator->form;
	uint64_t state = seed ^ number * UINT64_C(0xd1342543de82ef95);
	uint32_t chosen = (uint32_t)(random_next(&state) % form->part_count);

	for (uint32_t n = 0; n < form->part_count; n++) {
		struct form_part *result = &mutator->result[n];

		result->count = form->parts[n].count;
		memcpy(result->bytes, form->parts[n].bytes, result->count);
		if (n != chosen)
			continue;
		if (mutator->plain[n] && random_next(&state) % 2) {
			damage_inside(mutator, n, &state);
		} else {
			struct target target = { result->bytes, result->count,
						 &mutator->structure[n],
						 mutator->structure[n].metadata_end, &state };

			damage(&target);
			result->count = target.count;
		}
	}
}

void mutator_free(struct mutator *mutator)
{
	for (uint32_t n = 0; n < mutator->form->part_count; n++) {
		free(mutator->result[n].bytes);
		free(mutator->plain[n]);
	}
}
