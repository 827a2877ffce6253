// SPDX-License-Identifier: BSD-3-Clause
/*
 * Code and what was sampled of it, to executions of its blocks. A byte says how samples are taken, two how
 * much of the input is a function's bytes; then each thing that was seen is a byte for its kind and its
 * number of entries, four for its period, and two for each address: an offset in the function, or an address
 * where there is none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "analysis/mix/mix.h"
#include "analysis/mix/program.h"
#include "analysis/mix/sightings.h"
#include "tests/fuzz/one_function.h"
#include "tests/fuzz/target.h"

enum { ENTRIES_MOST = 63 };
enum { WAY_SKID = 1, WAY_OPS = 2, WAY_ONE_RING = 4, WAY_RELATIVE = 8, WAY_PUT_OFF = 16 };
enum { BRANCH_USER = 1, BRANCH_KERNEL = 2, BRANCH_ANY = 8 };

static const uint64_t absurd[] = {
	0, 1, ONE_FUNCTION_AT - 1, UINT64_C(1) << 57, UINT64_C(1) << 63, UINT64_C(0xffffffff81000000),
	UINT64_MAX, UINT64_C(0x7fffffffffff),
};

struct input {
	const uint8_t *data;
	size_t left;
};

static uint64_t taken(struct input *input, size_t bytes)
{
	uint64_t value = 0;

	if (bytes > input->left)
		bytes = input->left;
	memcpy(&value, input->data, bytes);
	input->data += bytes;
	input->left -= bytes;
	return value;
}

static uint64_t taken_address(struct input *input)
{
	const uint64_t value = taken(input, 2);

	return value >> 8 == 0xff ? absurd[value % (sizeof(absurd) / sizeof(absurd[0]))]
				  : ONE_FUNCTION_AT + value;
}

static int see_stack(struct mix_sightings *sightings, const struct mix_witness *who,
		     struct code_streams *streams, struct input *input, uint32_t count)
{
	uint64_t entries[3 * ENTRIES_MOST];
	struct precis_perf_sample sample = { .size = sizeof(sample),
					     .present = PRECIS_SAMPLE_BRANCH_STACK,
					     .branch_count = count,
					     .branches = { (const uint8_t *)entries, count * 24 } };

	for (uint32_t n = 0; n < count; n++) {
		entries[3 * n] = taken_address(input);
		entries[3 * n + 1] = taken_address(input);
		/* Some were on a wrong path */
		entries[3 * n + 2] = (uint64_t)(entries[3 * n] % 5 == 4) << 24;
	}
	return mix_see_stack(sightings, who, streams, &sample);
}

static void see_all(struct mix_sightings *sightings, struct input *input, int is_one_ring)
{
	struct mix_witness who = { .pid = ONE_FUNCTION_PID, .cpumode = PRECIS_CPUMODE_USER };
	struct code_streams streams;

	code_streams_init(&streams, BRANCH_ANY | BRANCH_USER | (is_one_ring ? 0 : BRANCH_KERNEL));
	while (input->left) {
		const uint32_t kind = (uint32_t)taken(input, 1), count = kind >> 2;
		uint64_t from;

		who.period = taken(input, 4);
		who.context = count & 1;
		who.cluster++;
		switch (kind & 3) {
		case 0:
			PROMISE(mix_see_sample(sightings, &who, taken_address(input)) == 0);
			break;
		case 1:
			from = taken_address(input);
			PROMISE(mix_see_branch(sightings, &who, from, taken_address(input)) == 0);
			break;
		default:
			PROMISE(see_stack(sightings, &who, &streams, input, count) == 0);
		}
	}
}

static uint64_t streams_of(const struct mix_observations *seen)
{
	uint64_t count = 0;

	for (size_t n = 0; n < seen->tallies.count; n++) {
		if (seen->tallies.tally[n].kind == MIX_STREAM)
			count += seen->tallies.tally[n].count;
	}
	return count;
}

static void check_program(const struct mix_program *program, const struct mix_observations *seen)
{
	uint64_t fates = 0;

	PROMISE(program->count == program->flow.block_count);
	for (uint32_t fate = 0; fate < CODE_FATES; fate++)
		fates += program->fates[fate];
	PROMISE(fates == streams_of(seen));
	PROMISE(program->seen.samples == seen->samples);
	for (uint32_t n = 0; n < program->count; n++) {
		const struct flow_block *block = &program->flow.blocks[n];

		PROMISE(block->instructions > 0);
		PROMISE(program->node[n].code != CODE_NO_BLOCK || program->node[n].why);
		PROMISE(block->next == FLOW_NONE || block->next < program->count);
	}
}

static void check_figure(const struct mix_figure *figure)
{
	PROMISE(isnan(figure->interval.low) == isnan(figure->interval.high));
	PROMISE(isnan(figure->interval.low) || (figure->interval.low <= figure->value &&
						figure->value <= figure->interval.high));
}

static void check_estimate(const struct mix_program *program, struct mix_estimate *estimate)
{
	double *weights = calloc(program->count + 1, sizeof(*weights));
	double samples = 0;

	PROMISE(weights);
	for (uint32_t n = 0; n < program->count; n++) {
		weights[n] = program->flow.blocks[n].instructions;
		samples += mix_evidence_of(estimate, n).samples;
	}
	PROMISE(samples == (double)(program->seen.samples - program->seen.unplaced_samples));
	for (int method = 0; method < MIX_METHODS; method++) {
		const double *counts = mix_counts(estimate, (enum mix_method)method);
		const struct mix_figure sum = mix_sum(estimate, (enum mix_method)method, weights);

		PROMISE((counts == NULL) == (isnan(sum.value) != 0));
		PROMISE((counts == NULL) == (mix_why(estimate, (enum mix_method)method) != MIX_ESTIMATED));
		for (uint32_t n = 0; counts && n < program->count; n++)
			PROMISE(isfinite(counts[n]) && counts[n] >= 0);
		check_figure(&sum);
	}
	for (uint32_t n = 0; n < program->count && n < 4; n++) {
		struct mix_block block;

		mix_program_block(program, estimate, MIX_JOINT, n, &block);
		PROMISE(block.start <= block.end);
		check_figure(&block.count);
	}
	free(weights);
}

static void estimate_all(const struct mix_sightings *sightings, uint32_t way)
{
	const struct mix_program_options options = { .is_by_op = (way & WAY_OPS) != 0,
						     .is_relative = (way & WAY_RELATIVE) != 0 };
	const struct mix_options how = { .cutoff = MIX_CUTOFF, .skid = way & WAY_SKID ? MIX_SKID : 0,
					 .by_op = (way & WAY_OPS) != 0 };
	struct mix_program program = { 0 };
	struct mix_estimate *estimate;

	PROMISE(mix_program_build(&program, sightings, &options) == 0);
	check_program(&program, mix_sightings_seen(sightings));
	estimate = mix_estimate_new(&program.flow, &program.seen, &how);
	PROMISE(estimate);
	check_estimate(&program, estimate);
	mix_estimate_free(estimate);
	mix_program_free(&program);
}

static void run(const uint8_t *dump, size_t dump_bytes, struct input *input, uint32_t way)
{
	struct precis_symbols *symbols;
	struct mix_sightings *sightings;

	if (precis_symbols_new(NULL, &symbols))
		return;
	if (mix_sightings_new(symbols, &sightings) == 0) {
		PROMISE(code_texts_jitdump(mix_sightings_texts(sightings), dump, dump_bytes) == 0);
		if (way & WAY_PUT_OFF)
			PROMISE(mix_sightings_begin(sightings, 0) == 0);
		see_all(sightings, input, (way & WAY_ONE_RING) != 0);
		PROMISE(mix_sightings_settle(sightings) == 0);
		estimate_all(sightings, way);
		mix_sightings_free(sightings);
	}
	precis_symbols_free(symbols);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, size };
	const uint32_t way = (uint32_t)taken(&input, 1);
	size_t code_bytes = taken(&input, 2) % 1024, dump_bytes;
	uint8_t *dump;

	if (code_bytes > input.left)
		code_bytes = input.left;
	dump = one_function_dump(input.data, (uint32_t)code_bytes, &dump_bytes);
	if (!dump)
		return 0;
	input.data += code_bytes;
	input.left -= code_bytes;
	run(dump, dump_bytes, &input, way);
	free(dump);
	return 0;
}
