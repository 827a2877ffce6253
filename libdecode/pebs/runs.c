/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs.h. */
#include "runs.h"

#include "../sample/bytes.h"
#include "adaptive.h"
#include "arch.h"

#define RUN_BYTES 16384u /* so that a run stays in the first cache */

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

#define ADAPTIVE_KEY (~(UINT64_C(0xffff) << 32)) /* all but the retire latency */

static void choose_places(const struct precis_pebs *first, struct pebs_run *run)
{
	uint64_t word = first->format_word;

	run->places = NULL;
	run->judges_itself = 0;
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
		run->judges_itself = 1;
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
		     size_t room, struct pebs_run *run)
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
	if (possible > RUN_BYTES / first->bytes)
		possible = RUN_BYTES / first->bytes + 1;
	if (!run->key_mask) {
		run->count = possible;
		return;
	}
	while (run->count < possible &&
	       (load_le64(run->at + run->count * run->bytes) & run->key_mask) == run->key)
		run->count++;
}

int precis_pebs_next_run(struct precis_pebs_buffer *buffer, size_t room, int is_first,
			 struct precis_pebs *first, struct pebs_run *run)
{
	struct precis_pebs_buffer before = *buffer;
	int found = precis_pebs_buffer_next(buffer, first, NULL);

	if (found <= 0) {
		if (!is_first)
			*buffer = before;
		return is_first ? found : 0;
	}
	find_run(buffer, first, room, run);
	buffer->offset += (run->count - 1) * run->bytes;
	buffer->next = buffer->offset + run->bytes;
	buffer->records += run->count - 1;
	return 1;
}

int precis_pebs_run_is_valid(const struct pebs_run *run, size_t n)
{
	return (load_le64(run->at + n * run->bytes + ARCH_AT_BASIC + ARCH_RETIRE_OFFSET) &
		ARCH_RETIRE_VALID) != 0;
}
