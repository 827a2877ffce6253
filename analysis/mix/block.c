/* SPDX-License-Identifier: BSD-3-Clause */
/* One block of a finished estimate. */
#include "program.h"

#include <math.h>
#include <stdlib.h>

static struct mix_figure count_of(const struct mix_program *program, struct mix_estimate *estimate,
				  enum mix_method method, uint32_t n)
{
	struct mix_figure figure = { NAN, { NAN, NAN } };
	double *weights = calloc(program->count, sizeof(*weights));

	if (!weights)
		return figure;
	weights[n] = 1;
	figure = mix_sum(estimate, method, weights);
	free(weights);
	return figure;
}

static enum mix_method source_of(const struct mix_estimate *estimate, enum mix_method method, uint32_t n,
				 const struct mix_evidence *seen)
{
	if (method == MIX_RULE)
		return mix_source(estimate, n);
	if (method != MIX_JOINT)
		return method;
	return seen->streams == 0 ? MIX_EBS : seen->samples == 0 ? MIX_LBR : MIX_JOINT;
}

void mix_program_block(const struct mix_program *program, struct mix_estimate *estimate,
		       enum mix_method method, uint32_t n, struct mix_block *block)
{
	const struct mix_node *node = &program->node[n];
	const struct code_block *code = code_blocks_get(program->blocks, node->code);
	const struct mix_evidence seen = mix_evidence_of(estimate, n);

	*block = (struct mix_block){
		.text = node->text,
		.start = code ? code->offset : 0,
		.end = code ? code->offset + code->bytes : 0,
		.instructions = code ? code->count : 0,
		.count = count_of(program, estimate, method, n),
		.samples = seen.samples,
		.streams = seen.streams,
		.source = source_of(estimate, method, n, &seen),
		.is_inferred = seen.samples == 0 && seen.streams == 0,
	};
}
