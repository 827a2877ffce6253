/* SPDX-License-Identifier: BSD-3-Clause */
/* A few words of many records. */
#include <precis/error.h>

#include "../sample/bytes.h"
#include "runs.h"

static void load_column(const struct pebs_run *run, struct word_place place, uint64_t *column)
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

static void load_captured(const struct pebs_run *run, const struct precis_pebs *first,
			  uint32_t *captured)
{
	const uint32_t retire_latency = 1u << PRECIS_PEBS_RETIRE_LATENCY;

	for (size_t i = 0; i < run->count; i++)
		captured[i] = first->captured;
	for (size_t i = 0; run->judges_itself && i < run->count; i++) {
		if (!precis_pebs_run_is_valid(run, i))
			captured[i] &= ~retire_latency;
	}
}

static void load_run(const struct pebs_run *run, const struct precis_pebs *first,
		     const uint32_t *words, size_t word_count, uint64_t *const *columns, size_t from,
		     uint32_t *captured)
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
		struct pebs_run run;
		int found = precis_pebs_next_run(buffer, room - done, !done, &first, &run);

		if (found < 0)
			return found;
		if (!found)
			break;
		load_run(&run, &first, words, word_count, columns, done, captured);
		done += run.count;
	}
	return (int)done;
}
