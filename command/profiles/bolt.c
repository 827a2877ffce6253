/* SPDX-License-Identifier: BSD-3-Clause */
/* Branches and ranges of one file by address, as perf2bolt -pa reads them. */
#include "profile.h"

#include <inttypes.h>
#include <stdlib.h>

/* The file that executed the most instructions; NULL: there is none. @return 0, or -1: memory is short */
static int find_object(const struct profile *profile, const struct code_text **object)
{
	double most = 0, *executed = NULL;
	uint32_t texts = 0;

	*object = NULL;
	for (uint32_t n = 0; n < code_blocks_count(profile->blocks); n++) {
		const struct code_block *block = code_blocks_get(profile->blocks, n);
		const uint32_t number = code_text_number(block->text);

		if (!profile_is_file(block->text) || !profile_rounded(profile->counts[n]))
			continue;
		if (number >= texts) {
			const uint32_t room = 2 * number + 16;
			double *more = realloc(executed, room * sizeof(*more));

			if (!more) {
				free(executed);
				return -1;
			}
			for (executed = more; texts < room; texts++)
				executed[texts] = 0;
		}
		executed[number] += profile->counts[n] * block->count;
		if (executed[number] > most) {
			most = executed[number];
			*object = block->text;
		}
	}
	free(executed);
	return 0;
}

static uint64_t start_of(const struct code_block *block)
{
	return code_text_address(block->text, block->offset);
}

static uint64_t last_of(const struct code_block *block)
{
	return start_of(block) + block->bytes - block->last_bytes;
}

/* "X:0" is a place outside of the file */
static void write_place(FILE *to, int is_inside, uint64_t address)
{
	if (is_inside)
		fprintf(to, " %" PRIx64, address);
	else
		fputs(" X:0", to);
}

static void write_edge(FILE *to, const struct profile *profile, const struct code_text *object,
		       const struct profile_edge *edge)
{
	const struct code_block *from = code_blocks_get(profile->blocks, edge->from);
	const struct code_block *into = code_blocks_get(profile->blocks, edge->to);
	const uint64_t count = profile_rounded(edge->count);
	const int is_from = from && from->count && from->text == object;
	const int is_into = into && into->count && into->text == object;

	if (!count || (!is_from && !is_into))
		return;
	if (edge->is_taken) {
		putc('B', to);
		write_place(to, is_from, is_from ? last_of(from) : 0);
		write_place(to, is_into, is_into ? start_of(into) : 0);
		fprintf(to, " %" PRIu64 " 0\n", count);
	} else if (is_from && is_into) {
		fprintf(to, "F %" PRIx64 " %" PRIx64 " %" PRIu64 "\n", start_of(from), last_of(into), count);
	}
}

int profile_write_bolt(FILE *to, const struct profile *profile, struct profile_result *result)
{
	const struct code_text *object;

	*result = (struct profile_result){ NULL, 0, 0, 0 };
	if (find_object(profile, &object) < 0)
		return -1;
	result->object = object ? code_text_name(object) : NULL;
	for (size_t n = 0; object && n < profile->edge_count; n++)
		write_edge(to, profile, object, &profile->edges[n]);
	for (uint32_t n = 0; n < code_blocks_count(profile->blocks); n++) {
		const struct code_block *block = code_blocks_get(profile->blocks, n);

		if (!profile_rounded(profile->counts[n]))
			continue;
		*(block->text == object ? &result->written : &result->other_objects) +=
			profile->counts[n] * block->count;
	}
	return 0;
}
