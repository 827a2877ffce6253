/* SPDX-License-Identifier: BSD-3-Clause */
/* See profiled.h. What is told apart by process or thread is one here: a program has one profile. */
#include "profiled.h"

#include <stdlib.h>

#include "command/profiles/profile.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"

static void add_edge(const struct mixed *mixed, uint32_t from, uint32_t to, int is_taken, double count,
		     struct profile_edge *edges, size_t *edge_count)
{
	const uint32_t blocks[] = { mixed->program.node[from].code, mixed->program.node[to].code };

	if (blocks[0] != CODE_NO_BLOCK && blocks[1] != CODE_NO_BLOCK && count > 0)
		edges[(*edge_count)++] = (struct profile_edge){ blocks[0], blocks[1], is_taken, count };
}

static size_t put_edges(const struct mixed *mixed, struct profile_edge *edges)
{
	const struct flow *flow = &mixed->program.flow;
	const double *counts = mix_edge_counts(mixed->estimate);
	size_t count = 0;

	for (uint32_t n = 0; n < mixed->program.count; n++) {
		if (flow_falls(&flow->blocks[n]))
			add_edge(mixed, n, flow->blocks[n].next, 0, counts[n], edges, &count);
	}
	for (uint32_t n = 0; n < flow->edge_count; n++)
		add_edge(mixed, flow->edges[n].from, flow->edges[n].to, 1,
			 counts[flow->block_count + n], edges, &count);
	return count;
}

/* Of one code block in several processes or threads there are several edges: they are one */
static int by_ends(const void *a, const void *b)
{
	const struct profile_edge *left = a, *right = b;

	if (left->from != right->from)
		return left->from < right->from ? -1 : 1;
	if (left->to != right->to)
		return left->to < right->to ? -1 : 1;
	return left->is_taken - right->is_taken;
}

static size_t join_edges(struct profile_edge *edges, size_t count)
{
	size_t kept = 0;

	qsort(edges, count, sizeof(*edges), by_ends);
	for (size_t n = 0; n < count; n++) {
		if (kept && by_ends(&edges[kept - 1], &edges[n]) == 0)
			edges[kept - 1].count += edges[n].count;
		else
			edges[kept++] = edges[n];
	}
	return kept;
}

static void put_counts(const struct mixed *mixed, double *counts)
{
	for (uint32_t n = 0; n < mixed->program.count; n++) {
		if (mixed->program.node[n].code != CODE_NO_BLOCK)
			counts[mixed->program.node[n].code] += mixed->counts[n];
	}
}

static void tell(const struct mixed *mixed, const struct profile_result *result, int is_bolt)
{
	const char *command = mixed->arguments->command, *path = mixed->reading->recording.path;
	const double all = result->written + result->other_objects + result->no_functions;
	const int lacks_functions = !is_bolt && result->no_functions > 0;

	if (!(result->written > 0))
		complain(command, "%s: nothing is in the profile: %s", path,
			 lacks_functions ? "no debug information tells the functions of what was executed"
					 : "no file's code was executed");
	else if (result->written < 0.995 * all)
		complain(command,
			 "%s: the profile%s%s has %.1f%% of the instructions that ran in known code%s", path,
			 is_bolt ? " of " : "", is_bolt ? result->object : "", 100 * result->written / all,
			 lacks_functions ? "; of others debug information tells no function" : "");
}

static int print(const struct mixed *mixed, const char *text, size_t bytes)
{
	struct output output;

	if (destination_open_whole(&output, mixed->arguments->output, mixed->arguments->command))
		return EXIT_FAILED;
	output_bytes(&output, text, bytes);
	return destination_close(&output, mixed->arguments->command) ? EXIT_FAILED : EXIT_OK;
}

static int write_profile(const struct mixed *mixed, const struct profile *profile)
{
	const int is_bolt = mixed->arguments->format == MIX_FORMAT_BOLT;
	struct profile_result result;
	char *text = NULL;
	size_t bytes = 0;
	FILE *stream = open_memstream(&text, &bytes);
	int failed = !stream, code;

	if (stream) {
		failed = (is_bolt ? profile_write_bolt : profile_write_autofdo)(stream, profile, &result) < 0;
		failed |= ferror(stream) != 0;
		failed |= fclose(stream) != 0;
	}
	if (failed) {
		code = recording_out_of_memory(&mixed->reading->recording);
	} else {
		tell(mixed, &result, is_bolt);
		code = result.written > 0 ? print(mixed, text, bytes) : EXIT_FAILED;
	}
	free(text);
	return code;
}

int profiled_print(const struct mixed *mixed)
{
	const struct flow *flow = &mixed->program.flow;
	const size_t room = (size_t)flow->block_count + flow->edge_count + 1;
	struct profile profile = { .symbols = mixed->reading->places.symbols,
				   .options = &mixed->arguments->symbols.options,
				   .blocks = mixed->program.blocks };
	struct profile_edge *edges;
	double *counts;
	int code = EXIT_FAILED;

	if (!mixed->counts || !mix_edge_counts(mixed->estimate)) {
		complain(mixed->arguments->command, "%s: a profile needs numbers of executions: %s",
			 mixed->reading->recording.path, mix_why_text(mix_why(mixed->estimate, MIX_JOINT)));
		return EXIT_FAILED;
	}
	edges = malloc(room * sizeof(*edges));
	counts = calloc((size_t)code_blocks_count(profile.blocks) + 1, sizeof(*counts));
	if (edges && counts) {
		put_counts(mixed, counts);
		profile.edge_count = join_edges(edges, put_edges(mixed, edges));
		profile.edges = edges;
		profile.counts = counts;
		code = write_profile(mixed, &profile);
	} else {
		code = recording_out_of_memory(&mixed->reading->recording);
	}
	free(edges);
	free(counts);
	return code;
}
