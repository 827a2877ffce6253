/* SPDX-License-Identifier: BSD-3-Clause */
/* See comdetective.h. */
#include "comdetective.h"

#include <string.h>

#define LINE_BYTES 64u
#define WORD_BYTES 8u
#define WORDS (LINE_BYTES / WORD_BYTES)
/* Half of the line's words are watched: what is met there counts for the other half, too. */
#define TRAP_WEIGHT ((double)WORDS / WATCH_REGISTERS)
/* As the published code has it */
#define HASH_PRIME 54121u

static struct comdetective_entry *slot_of(struct comdetective *board, uint64_t line)
{
	return &board->slots[line / LINE_BYTES % HASH_PRIME % COMDETECTIVE_SLOTS];
}

static uint32_t bytes_of(const struct sampled_access *access)
{
	return access->bytes ? access->bytes : COMDETECTIVE_BYTES;
}

static int is_valid(const struct comdetective_entry *entry, uint64_t now)
{
	return entry->line && now - entry->time <= entry->expiry;
}

static int meets(uint64_t address, uint32_t bytes, const struct comdetective_entry *entry)
{
	return address < entry->address + entry->bytes && entry->address < address + bytes;
}

static void find(const struct comdetective_entry *entry, int is_true, double weight,
		 struct comdetective_found *found)
{
	*found = (struct comdetective_found){ entry->thread, entry->line, is_true, weight };
}

/* One of those of other threads that are valid; NULL: there is none */
static const struct comdetective_entry *draw(const struct comdetective *board, uint32_t thread,
					     uint64_t now, struct random *random)
{
	const struct comdetective_entry *drawn = NULL;
	uint32_t count = 0;

	for (uint32_t n = 0; n < COMDETECTIVE_SLOTS; n++) {
		const struct comdetective_entry *entry = &board->slots[n];

		if (is_valid(entry, now) && entry->thread != thread &&
		    !random_below(random, ++count))
			drawn = entry;
	}
	return drawn;
}

static void watch_words(uint64_t line, struct random *random,
			struct watch_register registers[WATCH_REGISTERS])
{
	uint32_t words[WORDS];

	for (uint32_t n = 0; n < WORDS; n++)
		words[n] = n;
	for (uint32_t n = 0; n < WATCH_REGISTERS; n++) {
		const uint32_t other = n + (uint32_t)random_below(random, WORDS - n);
		const uint32_t word = words[other];

		words[other] = words[n];
		words[n] = word;
		registers[n] = (struct watch_register){ line + WORD_BYTES * word, WORD_BYTES,
							WATCH_ALL };
	}
}

/* A store of another thread's gives way at once, one of its own to that line when its time is up. */
static void put(struct comdetective *board, uint32_t thread, const struct sampled_access *access,
		uint64_t line)
{
	struct comdetective_thread *writer = &board->threads[thread];
	struct comdetective_entry *slot = slot_of(board, line);

	if (slot->line != line || slot->thread != thread || !is_valid(slot, access->time))
		*slot = (struct comdetective_entry){
			.line = line,
			.address = access->address,
			.time = access->time,
			.expiry = writer->stored ? access->time - writer->stored : 0,
			.thread = thread,
			.bytes = bytes_of(access),
		};
	writer->stored = access->time;
}

enum comdetective_next comdetective_sample(struct comdetective *board, uint32_t thread,
					   const struct sampled_access *access,
					   struct random *random,
					   struct comdetective_found *found,
					   struct watch_register registers[WATCH_REGISTERS])
{
	const uint64_t line = access->address - access->address % LINE_BYTES;
	const struct comdetective_entry *entry = slot_of(board, line);
	struct comdetective_thread *own = &board->threads[thread];
	enum comdetective_next next = COMDETECTIVE_NOTHING;

	if (entry->line == line && entry->thread != thread && entry->time > own->counted &&
	    is_valid(entry, access->time)) {
		find(entry, meets(access->address, bytes_of(access), entry), access->weight, found);
		own->counted = entry->time;
		next = COMDETECTIVE_FOUND;
	} else {
		entry = draw(board, thread, access->time, random);
		if (entry) {
			watch_words(entry->line, random, registers);
			own->is_armed = 1;
			own->armed_by = *access;
			own->armed_for = *entry;
			next = COMDETECTIVE_ARM;
		}
	}
	if (access->flags & ACCESS_STORES)
		put(board, thread, access, line);
	return next;
}

int comdetective_trap(struct comdetective *board, uint32_t thread, uint64_t address, uint64_t time,
		      uint16_t flags, struct comdetective_found *found)
{
	struct comdetective_thread *own = &board->threads[thread];
	const struct comdetective_entry *entry = &own->armed_for;

	if (!own->is_armed)
		return 0;
	own->is_armed = 0;
	if (entry->time <= own->counted || time - entry->time >= entry->expiry ||
	    (flags && flags != own->armed_by.flags))
		return 0;
	own->counted = entry->time;
	/* of how many bytes the access is, is taken from the sample, as published */
	find(entry, meets(address, bytes_of(&own->armed_by), entry),
	     TRAP_WEIGHT * own->armed_by.weight, found);
	return 1;
}
