/* SPDX-License-Identifier: BSD-3-Clause */
/* See definitions.h. */
#include "definitions.h"

#include "arena.h"
#include "encode.h"
#include "output.h"
#include "state.h"
#include "system.h"

#define SLOTS_LOG 20u
#define SLOTS ((size_t)1 << SLOTS_LOG)
#define PIECES_MOST 512u /* of the arena */
#define DEFINITION_MOST (32u + 10u * OBJECTS_DEPTH_MOST) /* bytes in the file; of a string: and its own */

static struct definition **slots; /* open addressing, by hash */
static struct arena arena = { .pieces_most = PIECES_MOST };
static struct definition first, /* in front of all */
	*last = &first, *written = &first; /* of all, and of those that are in the file */
static uint32_t last_ids[OBJECTS_STRING + 1];
static size_t count; /* of slots that are taken */

static struct {
	struct objects_chunk chunk;
	uint8_t payload[OBJECTS_PAYLOAD_MOST];
} output; /* under the lock */

int definitions_begin(void)
{
	slots = own_memory(SLOTS * sizeof(*slots));
	return slots ? 0 : -1;
}

void definitions_clear(void)
{
	own_memory_clear(slots, SLOTS * sizeof(*slots));
	arena_clear(&arena);
	first.next = NULL;
	last = written = &first;
	count = 0;
	memset(last_ids, 0, sizeof(last_ids));
}

static size_t bytes_of(const struct definition *key)
{
	return key->kind == OBJECTS_STACK ? key->count * sizeof(uint64_t) : key->count;
}

static int is_same(const struct definition *a, const struct definition *key, const void *content)
{
	return a->hash == key->hash && a->kind == key->kind && a->count == key->count &&
	       a->flags == key->flags && a->code == key->code &&
	       !memcmp(a->words, content, bytes_of(key));
}

/* Its slot, or the free one where it is to be */
static struct definition **find(const struct definition *key, const void *content)
{
	for (size_t n = key->hash >> (64 - SLOTS_LOG);; n++) {
		struct definition **slot = &slots[n & (SLOTS - 1)];
		struct definition *there = __atomic_load_n(slot, __ATOMIC_ACQUIRE);

		if (!there || is_same(there, key, content))
			return slot;
	}
}

/* Under the lock */
static struct definition *add(struct definition **slot, const struct definition *key, const void *content)
{
	struct definition *made =
		count < SLOTS / 4 * 3 ? arena_take(&arena, sizeof(*key) + bytes_of(key)) : NULL;

	if (!made)
		return NULL;
	*made = *key;
	made->id = ++last_ids[key->kind];
	memcpy(made->words, content, bytes_of(key));
	__atomic_store_n(&last->next, made, __ATOMIC_RELEASE);
	last = made;
	count++;
	__atomic_store_n(slot, made, __ATOMIC_RELEASE);
	return made;
}

static const struct definition *define(const struct definition *key, const void *content)
{
	struct definition **slot = find(key, content), *there = *slot;
	uint64_t signals;

	if (there)
		return there;
	signals = signals_block();
	lock(LOCK_DEFINITIONS);
	slot = find(key, content);
	there = *slot ? *slot : add(slot, key, content);
	unlock(LOCK_DEFINITIONS);
	signals_restore(signals);
	return there;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

const struct definition *definition_of_stack(const uint64_t *addresses, uint32_t number,
					     uint32_t flags, uint64_t code)
{
	struct definition key = {
		.hash = code, .kind = OBJECTS_STACK, .flags = flags, .count = number, .code = code
	};

	for (uint32_t n = 0; n < number; n++)
		key.hash = mix(key.hash, addresses[n]);
	key.hash *= UINT64_C(0xff51afd7ed558ccd);
	return define(&key, addresses);
}

uint32_t definition_of_string(const char *text)
{
	struct definition key = { .kind = OBJECTS_STRING };
	const struct definition *there;

	if (!text)
		return 0;
	while (key.count < OBJECTS_STRING_MOST && text[key.count])
		key.hash = mix(key.hash, (uint8_t)text[key.count++]);
	key.hash *= UINT64_C(0xff51afd7ed558ccd);
	there = define(&key, text);
	return there ? there->id : 0;
}

static uint8_t *put_definition(uint8_t *at, const struct definition *definition)
{
	uint64_t before = 0;

	at = put_varint(at, definition->kind);
	at = put_varint(at, definition->id);
	if (definition->kind == OBJECTS_STRING) {
		at = put_varint(at, definition->count);
		memcpy(at, definition->words, definition->count);
		return at + definition->count;
	}
	at = put_varint(at, definition->flags);
	at = put_varint(at, definition->count);
	for (uint32_t n = 0; n < definition->count; n++) {
		at = put_varint(at, objects_zigzag((int64_t)(definition->words[n] - before)));
		before = definition->words[n];
	}
	return at;
}

/* One chunk of those from 'written' on */
static int write_some(void)
{
	uint8_t *at = output.payload,
		*end = at + OBJECTS_PAYLOAD_MOST - DEFINITION_MOST - OBJECTS_STRING_MOST;

	memset(&output.chunk, 0, sizeof(output.chunk));
	for (; written->next && at < end; output.chunk.count++) {
		at = put_definition(at, written->next);
		__atomic_store_n(&written, written->next, __ATOMIC_RELAXED);
	}
	output.chunk.kind = OBJECTS_DEFINITIONS;
	output.chunk.bytes = (uint32_t)(at - output.payload);
	return output_chunk(&output.chunk);
}

int definitions_write(void)
{
	int error = 0;

	if (!__atomic_load_n(&__atomic_load_n(&written, __ATOMIC_RELAXED)->next, __ATOMIC_ACQUIRE))
		return 0;
	lock(LOCK_DEFINITIONS);
	while (written->next && !error)
		error = write_some();
	unlock(LOCK_DEFINITIONS);
	return error;
}

uint32_t definitions_stacks(void)
{
	return last_ids[OBJECTS_STACK];
}
