/* SPDX-License-Identifier: BSD-3-Clause */
/* See mixed.h. */
#include "mixed.h"

#include <stdlib.h>
#include <string.h>

#include "command/usage/complain.h"

static int make_weights(struct mixed *mixed)
{
	const size_t count = mixed->program.count + 1;

	mixed->whole = calloc(count, sizeof(double));
	mixed->weights = calloc(count, sizeof(double));
	mixed->others = calloc(count, sizeof(double));
	if (!mixed->whole || !mixed->weights || !mixed->others)
		return -1;
	for (uint32_t n = 0; n < mixed->program.count; n++)
		mixed->whole[n] = mixed->program.flow.blocks[n].instructions;
	return 0;
}

int mixed_make(struct mixed *mixed, struct mix_reading *reading, const struct mix_arguments *arguments)
{
	const struct mix_total instructions = mix_reading_total(reading, MIX_COUNTS_INSTRUCTIONS);
	const struct mix_total taken = mix_reading_total(reading, MIX_COUNTS_TAKEN);
	const struct mix_program_options how = { .is_by_op = mix_reading_is_by_op(reading),
						 .is_relative = mix_reading_is_relative(reading),
						 .places = arguments->places,
						 .instructions = instructions.value,
						 .instructions_error = instructions.error,
						 .taken = taken.value,
						 .taken_error = taken.error };
	const struct mix_options options = { .cutoff = arguments->cutoff,
					     .skid = mix_reading_is_exact(reading) ? 0 : MIX_SKID,
					     .by_op = how.is_by_op };

	*mixed = (struct mixed){ .arguments = arguments, .reading = reading };
	mixed->labels = (struct mix_labels){ .reading = reading, .program = &mixed->program };
	if (mix_program_build(&mixed->program, reading->sightings, &how) == 0)
		mixed->estimate =
			mix_estimate_new(&mixed->program.flow, &mixed->program.seen, &options);
	if (!mixed->estimate || make_weights(mixed) < 0 ||
	    biased_find(&mixed->biased, reading->sightings) < 0)
		return recording_out_of_memory(&reading->recording);
	mixed->counts = mix_counts(mixed->estimate, arguments->method);
	mixed->seen = mixed->program.seen.samples + mixed->program.seen.stacks;
	return EXIT_OK;
}

void mixed_free(struct mixed *mixed)
{
	biased_free(&mixed->biased);
	mix_estimate_free(mixed->estimate);
	mix_program_free(&mixed->program);
	free(mixed->whole);
	free(mixed->weights);
	free(mixed->others);
}

static double times_of(const struct code_form *form, enum mix_measure measure)
{
	switch (measure) {
	case MIX_FLOPS: return form->flops;
	case MIX_READ: return code_read_bytes(form);
	case MIX_WRITTEN: return code_written_bytes(form);
	default: return 1;
	}
}

void mixed_weigh(const struct mixed *mixed, mixed_forms *is_meant, enum mix_measure measure,
		 double *weights)
{
	const struct code_blocks *blocks = mixed->program.blocks;

	for (uint32_t n = 0; n < mixed->program.count; n++) {
		const struct code_block *block = code_blocks_get(blocks, mixed->program.node[n].code);
		const uint32_t *steps = block ? code_blocks_steps(blocks, block) : NULL;

		for (uint32_t i = 0; block && i < block->count; i++) {
			const struct code_form *form = code_blocks_form(blocks, CODE_STEP_FORM(steps[i]));

			if (!is_meant || is_meant(form))
				weights[n] += times_of(form, measure);
		}
	}
}

void mixed_clear(const struct mixed *mixed, double *weights)
{
	memset(weights, 0, mixed->program.count * sizeof(*weights));
}

struct mix_figure mixed_share(struct mixed *mixed, mixed_forms *part, mixed_forms *whole,
			      enum mix_measure measure)
{
	const int is_of_all = !whole && measure == MIX_EXECUTIONS;
	struct mix_figure share;

	mixed_weigh(mixed, part, measure, mixed->weights);
	if (!is_of_all)
		mixed_weigh(mixed, whole, measure, mixed->others);
	share = mix_share(mixed->estimate, mixed->arguments->method, mixed->weights,
			  is_of_all ? mixed->whole : mixed->others);
	mixed_clear(mixed, mixed->weights);
	mixed_clear(mixed, mixed->others);
	return share;
}
