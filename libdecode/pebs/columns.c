/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A few words of many records.
 *
 * Records that follow one another mostly have the same layout. The first of a
 * run is taken apart with all checks; of the others the first word is compared,
 * which decides the layout, and the words are loaded from where they must be.
 */
#include <precis/error.h>

#include "../sample/bytes.h"
#include "adaptive.h"
#include "arch.h"
#include "formats.h"

#define RUN_MAX 256u /* so that a run of small records stays in the first cache */

/* Where a word is, in bytes from the start of the record. */
struct word_place {
	uint16_t offset;
	uint8_t shift, bits;
};

static const struct word_place fixed_places[PRECIS_PEBS_WORD_COUNT] = {
#define PRECIS_FIXED_WORD(formats, offset, name) [PRECIS_PEBS_##name] = { offset, 0, 64 },
#include "words.def"
};

#define ADAPTIVE_AT_BASIC 0
#define ADAPTIVE_AT_MEMORY ADAPTIVE_BASIC_BYTES
static const struct word_place adaptive_places[PRECIS_PEBS_WORD_COUNT] = {
#define PRECIS_ADAPTIVE_WORD(group, offset, shift, bits, name)                                     \
	[PRECIS_PEBS_##name] = { ADAPTIVE_AT_##group + (offset), shift, bits },
#include "words.def"
};

#define ARCH_AT_BASIC ARCH_HEADER_BYTES
#define ARCH_AT_MEMORY (ARCH_HEADER_BYTES + ARCH_BASIC_BYTES)
static const struct word_place arch_places[PRECIS_PEBS_WORD_COUNT] = {
#define PRECIS_ARCH_WORD(group, offset, shift, bits, name)                                         \
	[PRECIS_PEBS_##name] = { ARCH_AT_##group + (offset), shift, bits },
#include "words.def"
};

/* What decides that two records have the same layout: these bits of the first word. */
struct run {
	const uint8_t *at;
	const struct word_place *places; /* NULL: the words are not where they would have to be */
	uint64_t key, key_mask;
	size_t bytes, count;
};

#define ADAPTIVE_KEY (~(UINT64_C(0xffff) << 32)) /* all but the retire latency */

static void choose_places(const struct precis_pebs *first, struct run *run)
{
	uint64_t word = first->format_word;

	run->places = NULL;
	run->key = word;
	run->key_mask = ~UINT64_C(0);
	if (precis_pebs_format_bytes(first->format)) {
		run->places = fixed_places;
		run->key_mask = 0;
	} else if (first->format != PRECIS_PEBS_FORMAT_ARCH) {
		run->places = adaptive_places;
		run->key_mask = ADAPTIVE_KEY;
	} else if (!arch_continues(word)) {
		/* no null record is before it: the walk has passed over those */
		run->places = arch_places;
	}
	run->key &= run->key_mask;
}

/* Does more than the first word decide over the size: do counts within the groups? */
static int is_sized_inside(const struct precis_pebs *first)
{
	return (first->groups & (PRECIS_PEBS_GROUP_COUNTERS | PRECIS_PEBS_GROUP_METRICS)) ||
	       (first->format == PRECIS_PEBS_FORMAT_ARCH &&
		(first->groups & PRECIS_PEBS_GROUP_LBR));
}

/* How many records of the first one's layout there are, that one counted. */
static void find_run(const struct precis_pebs_buffer *buffer, const struct precis_pebs *first,
		     size_t room, struct run *run)
{
	size_t possible = (buffer->count - buffer->offset) / first->bytes;

	run->at = buffer->bytes + buffer->offset;
	run->bytes = first->bytes;
	run->count = 1;
	choose_places(first, run);
	if (!run->places || is_sized_inside(first))
		return;
	if (possible > room)
		possible = room;
	if (possible > RUN_MAX)
		possible = RUN_MAX;
	if (!run->key_mask) {
		run->count = possible;
		return;
	}
	while (run->count < possible &&
	       (load_le64(run->at + run->count * run->bytes) & run->key_mask) == run->key)
		run->count++;
}

static void load_column(const struct run *run, struct word_place place, uint64_t *column)
{
	const uint8_t *at = run->at + place.offset;
	uint64_t mask = ~UINT64_C(0) >> (64 - place.bits);

	for (size_t i = 0; i < run->count; i++)
		column[i] = load_le64(at + i * run->bytes) >> place.shift & mask;
}

/* Architectural records tell by themselves that a retire latency is none. */
static uint32_t captured_of(const struct precis_pebs *pebs)
{
	uint32_t captured = pebs->captured;

	if ((pebs->flags & PRECIS_PEBS_RETIRE_LATENCY_TOLD) &&
	    !(pebs->flags & PRECIS_PEBS_RETIRE_LATENCY_VALID))
		captured &= ~(1u << PRECIS_PEBS_RETIRE_LATENCY);
	return captured;
}

static void load_captured(const struct run *run, const struct precis_pebs *first,
			  uint32_t *captured)
{
	const uint8_t *at = run->at + ARCH_AT_BASIC + ARCH_RETIRE_OFFSET;
	const uint32_t retire_latency = 1u << PRECIS_PEBS_RETIRE_LATENCY;

	for (size_t i = 0; i < run->count; i++)
		captured[i] = first->captured;
	if (run->places != arch_places)
		return;
	for (size_t i = 0; i < run->count; i++) {
		if (!(load_le64(at + i * run->bytes) & ARCH_RETIRE_VALID))
			captured[i] &= ~retire_latency;
	}
}

static void load_run(const struct run *run, const struct precis_pebs *first, const uint32_t *words,
		     size_t word_count, uint64_t *const *columns, size_t from, uint32_t *captured)
{
	for (size_t i = 0; i < word_count; i++) {
		if (!(first->captured >> words[i] & 1))
			continue;
		if (run->places)
			load_column(run, run->places[words[i]], columns[i] + from);
		else
			columns[i][from] = first->word[words[i]];
	}
	if (run->places)
		load_captured(run, first, captured + from);
	else
		captured[from] = captured_of(first);
}

static int words_are_known(const uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (words[i] >= PRECIS_PEBS_WORD_COUNT)
			return 0;
	}
	return 1;
}

int precis_pebs_words(struct precis_pebs_buffer *buffer, const uint32_t *words, size_t word_count,
		      size_t room, uint64_t *const *columns, uint32_t *captured)
{
	struct precis_pebs first = { .size = sizeof(first) };
	size_t done = 0;

	if (!buffer || buffer->size < sizeof(*buffer) || (word_count && (!words || !columns)) ||
	    !captured || !room || !words_are_known(words, word_count))
		return PRECIS_E_ARGUMENT;
	if (room > INT32_MAX)
		room = INT32_MAX;
	while (done < room) {
		struct precis_pebs_buffer before = *buffer;
		int rc = precis_pebs_buffer_next(buffer, &first, NULL);
		struct run run;

		if (rc <= 0) {
			/* what has been read is delivered first */
			if (!done)
				return rc;
			*buffer = before;
			break;
		}
		find_run(buffer, &first, room - done, &run);
		load_run(&run, &first, words, word_count, columns, done, captured);
		buffer->offset += (run.count - 1) * run.bytes;
		buffer->next = buffer->offset + run.bytes;
		buffer->records += run.count - 1;
		done += run.count;
	}
	return (int)done;
}
