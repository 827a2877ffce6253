/* SPDX-License-Identifier: BSD-3-Clause */
/* See program.h. */
#include "program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <precis/code.h>

#include "libdecode/code/cut.h"

#include "alike.h"
#include "ops.h"
#include "rare.h"

#define LIST_ROOM 65536u /* blocks of a stream */
/* So many blocks that nobody saw are looked at between those that were seen. */
#define DEPTH_MOST 8u
#define UNSEEN_LOSSES 0.02 /* of samples, that nothing tells of: what counters had left over, throttling */
#define KNOWN_LEAST                                                                                \
	0.95 /* of the branches, for instructions of the rest to be like those of known code */

/* What becomes of tallies that are alike: see resolve() */
struct resolved {
	uint32_t first, last; /* nodes; FLOW_NONE: it is left out */
	uint32_t to;
	uint8_t is_interrupted; /* a stream that ends in no branch */
	uint8_t is_kept; /* a stream that ends in the branch of its last node */
};

struct building {
	struct mix_program *program;
	const struct mix_sightings *sightings;
	const struct mix_observations *seen;
	const struct mix_program_options *options;
	struct rare rare;
	struct alike alike; /* of 'seen' */
	struct resolved *resolved; /* by number of these */
	uint32_t *ends;            /* by place: the node that the branch there ends */
	uint32_t *list;
	struct op_samples *samples; /* if they come by ops */
	size_t sample_count, sample_room;
	double *ops; /* by code block: of one execution; NULL: samples come by instructions */
	int failed;
};

/* --- nodes --- */

static uint32_t add_node(struct mix_program *program, const struct numbering_key *key,
			 const struct mix_node *node)
{
	const uint32_t number = numbering_of(&program->numbering, key);

	if (number == NUMBERING_NONE)
		return FLOW_NONE;
	if (number < program->count) {
		if (node->depth < program->node[number].depth)
			program->node[number].depth = node->depth;
		return number;
	}
	if (program->count == program->room) {
		const uint32_t room = program->room ? 2 * program->room : 256;
		struct mix_node *more = realloc(program->node, room * sizeof(*more));

		if (!more)
			return FLOW_NONE;
		program->node = more;
		program->room = room;
	}
	program->node[program->count++] = *node;
	return number;
}

static uint32_t node_of(struct building *building, const struct mix_place *place, uint32_t code,
			uint32_t depth)
{
	const struct numbering_key key = { { place->context, (uint64_t)code + 1, 0, 0 } };
	const struct mix_node node = { place->context, code, depth, place->is_kernel, place->text, NULL };
	const uint32_t number = add_node(building->program, &key, &node);

	building->failed |= number == FLOW_NONE;
	return number;
}

static uint32_t unknown_node(struct building *building, const struct mix_place *place, const char *why)
{
	const struct numbering_key key = { { place->context, place->is_kernel,
					     (uint64_t)(uintptr_t)place->text, (uint64_t)(uintptr_t)why } };
	const struct mix_node node = { place->context, CODE_NO_BLOCK, 0, place->is_kernel, place->text,
				       why };
	const uint32_t number = add_node(building->program, &key, &node);

	building->failed |= number == FLOW_NONE;
	return number;
}

/* --- what is not known --- */

static struct mix_absent *absent_of(struct building *building, struct code_text *text, const char *why)
{
	struct mix_program *program = building->program;

	for (uint32_t n = 0; n < program->absent_count; n++) {
		if (program->absent[n].text == text && program->absent[n].why == why)
			return &program->absent[n];
	}
	if (program->absent_count == program->absent_room) {
		const uint32_t room = program->absent_room ? 2 * program->absent_room : 32;
		struct mix_absent *more = realloc(program->absent, room * sizeof(*more));

		if (!more) {
			building->failed = 1;
			return NULL;
		}
		program->absent = more;
		program->absent_room = room;
	}
	program->absent[program->absent_count] = (struct mix_absent){ .text = text, .why = why };
	return &program->absent[program->absent_count++];
}

/* Why there is no instruction at a place */
static const char *why_of(struct building *building, const struct mix_place *place)
{
	uint8_t bytes[PRECIS_CODE_BYTES_MOST];
	uint32_t absent = place->absent;
	int count;

	if (!place->text)
		return code_absence_text(absent);
	if (!precis_code_available())
		return code_absence_text(CODE_ABSENT_NO_DECODER);
	if (rare_has(&building->rare, place->text, place->offset))
		return code_absence_text(CODE_ABSENT_RARE);
	count = code_text_read(place->text, place->offset, place->since, bytes, &absent);
	if (count < 0)
		building->failed = 1;
	return count > 0 ? "inside of an instruction, or none that is known" : code_absence_text(absent);
}

static void resolve_unknown_sample(struct building *building, const struct mix_place *place,
				   const struct alike_one *one, struct resolved *resolved)
{
	const char *why = why_of(building, place);
	struct mix_absent *absent = absent_of(building, place->text, why);

	resolved->first = unknown_node(building, place, why);
	if (absent) {
		absent->samples += one->count;
		absent->weight += one->weight;
	}
}

static void note_ops(struct building *building, uint32_t code, uint64_t offset, uint64_t count)
{
	const struct code_block *block = code_blocks_get(building->program->blocks, code);
	const uint32_t *steps = code_blocks_steps(building->program->blocks, block);
	uint64_t at = block->offset;
	uint32_t step = 0;

	for (; step + 1 < block->count && at < offset; step++)
		at += CODE_STEP_LENGTH(steps[step]);
	if (building->sample_count == building->sample_room) {
		const size_t room = building->sample_room ? 2 * building->sample_room : 256;
		struct op_samples *more = realloc(building->samples, room * sizeof(*more));

		if (!more) {
			building->failed = 1;
			return;
		}
		building->samples = more;
		building->sample_room = room;
	}
	building->samples[building->sample_count++] = (struct op_samples){ code, step, count };
}

static void resolve_sample(struct building *building, const struct alike_one *one,
			   struct resolved *resolved)
{
	const struct mix_place place = mix_sightings_place(building->sightings, one->first.first);
	const uint32_t code = place.text ? code_blocks_of(building->program->blocks, place.text,
							  place.offset, place.since)
					 : CODE_NO_BLOCK;
	const struct code_block *block = code_blocks_get(building->program->blocks, code);

	if (block && block->count) {
		resolved->first = node_of(building, &place, code, 0);
		if (building->options->is_by_op)
			note_ops(building, code, place.offset, one->count);
	} else
		resolve_unknown_sample(building, &place, one, resolved);
}

/* --- streams --- */

static int has_address(const struct mix_place *place)
{
	return place->text || code_is_address(place->offset);
}

/* Which address it was nobody knows any more. */
static int is_left_out(const struct mix_place *place)
{
	return place->absent == CODE_ABSENT_TOO_MANY;
}

/* As far as the places of both ends tell */
static uint32_t fate_of_ends(const struct mix_place *target, const struct mix_place *source)
{
	if (is_left_out(target) || is_left_out(source))
		return CODE_FATE_NO_CODE;
	if (!has_address(target) || !has_address(source))
		return CODE_FATE_NO_ADDRESS;
	if (target->is_kernel != source->is_kernel)
		return CODE_FATE_RINGS;
	if (target->text != source->text)
		return CODE_FATE_LEAVES_MAPPING;
	if (source->offset < target->offset)
		return CODE_FATE_BACKWARD;
	if (source->offset - target->offset > CODE_RANGE_BYTES_MOST)
		return CODE_FATE_TOO_LONG;
	return target->text ? CODE_FATE_KEPT : CODE_FATE_NO_CODE;
}

static uint64_t later_of(const struct mix_place *a, const struct mix_place *b)
{
	return a->since > b->since ? a->since : b->since;
}

/* The block that begins at a place */
static uint32_t entered(struct building *building, const struct mix_place *place)
{
	const uint32_t code = place->text ? code_blocks_at(building->program->blocks, place->text,
							   place->offset, place->since)
					  : CODE_NO_BLOCK;
	const struct code_block *block = code_blocks_get(building->program->blocks, code);

	return block && block->count ? node_of(building, place, code, 0) : FLOW_NONE;
}

static void note_stale(struct building *building, const struct mix_place *place, uint64_t streams)
{
	struct mix_program *program = building->program;
	struct numbering_key key = { { (uint64_t)(uintptr_t)place->text, place->offset, 0, 0 } };
	uint64_t start, end;
	uint32_t number;

	if (code_text_function(place->text, place->offset, &start, &end) > 0)
		key.word[1] = start;
	program->stale += streams;
	number = numbering_of(&program->stale_texts, &key);
	if (number == NUMBERING_NONE) {
		building->failed = 1;
		return;
	}
	if (number >= program->stale_room) {
		const uint32_t room = program->stale_texts.room;
		uint64_t *more = realloc(program->stale_streams, room * sizeof(*more));

		if (!more) {
			building->failed = 1;
			return;
		}
		memset(more + program->stale_room, 0, (room - program->stale_room) * sizeof(*more));
		program->stale_streams = more;
		program->stale_room = room;
	}
	program->stale_streams[number] += streams;
}

/* Where the known part of a stream ends: there is no code */
static void note_unknown_stream(struct building *building, const struct mix_place *target,
				uint32_t known, uint64_t streams)
{
	struct mix_place at = *target;
	struct mix_absent *absent;

	if (known) {
		const struct code_block *last =
			code_blocks_get(building->program->blocks, building->list[known - 1]);

		at.offset = last->offset + last->bytes;
	}
	absent = absent_of(building, at.text, why_of(building, &at));
	if (absent)
		absent->streams += streams;
}

static void resolve_stream(struct building *building, const struct alike_one *one,
			   struct resolved *resolved)
{
	const struct mix_tally *tally = &one->first;
	const struct mix_place target = mix_sightings_place(building->sightings, tally->first);
	const struct mix_place source = mix_sightings_place(building->sightings, tally->last);
	const struct mix_place to = mix_sightings_place(building->sightings, tally->to);
	uint32_t fate = fate_of_ends(&target, &source), count = 0;

	if (fate == CODE_FATE_KEPT)
		fate = code_blocks_range(building->program->blocks, target.text, target.offset,
					 source.offset, later_of(&target, &source), building->list,
					 LIST_ROOM, &count);
	if (count > LIST_ROOM)
		fate = CODE_FATE_TOO_LONG;
	building->program->fates[fate] += one->count;
	if (fate == CODE_FATE_CROSSES || fate == CODE_FATE_MISALIGNED)
		note_stale(building, &target, one->count);
	resolved->is_interrupted = fate == CODE_FATE_INTERRUPTED;
	if (fate == CODE_FATE_NO_CODE)
		note_unknown_stream(building, is_left_out(&source) ? &source : &target, count,
				    one->count);
	if (!code_fate_is_kept(fate) || !count)
		return;
	for (uint32_t n = 0; n < count; n++) {
		resolved->last = node_of(building, &target, building->list[n], 0);
		resolved->first = n ? resolved->first : resolved->last;
	}
	if (fate == CODE_FATE_KEPT) {
		resolved->is_kept = 1;
		resolved->to = entered(building, &to);
	}
}

/* The node that has a place as its last instruction, or before a jump that is fused with it */
static uint32_t ended(struct building *building, uint32_t number)
{
	const struct mix_place place = mix_sightings_place(building->sightings, number);
	const struct code_blocks *blocks = building->program->blocks;
	const uint32_t code = place.text
				      ? code_blocks_of(blocks, place.text, place.offset, place.since)
				      : CODE_NO_BLOCK;
	const struct code_block *block = code_blocks_get(blocks, code);

	return block && block->count && block->branch != CODE_BRANCH_NONE
		       ? node_of(building, &place, code, 0)
		       : FLOW_NONE;
}

/* Where a branch goes on that was not taken */
static uint32_t fallen_into(struct building *building, uint32_t n)
{
	const struct mix_node node = building->program->node[n];
	const struct code_block *block = code_blocks_get(building->program->blocks, node.code);
	const struct code_block *next = code_blocks_get(building->program->blocks, block->next);
	const struct mix_place of = { .text = node.text, .context = node.context,
				      .is_kernel = node.is_kernel };

	return next && next->count && block->branch == CODE_BRANCH_CONDITIONAL
		       ? node_of(building, &of, block->next, 0)
		       : FLOW_NONE;
}

static void resolve_branch(struct building *building, const struct mix_tally *tally,
			   struct resolved *resolved)
{
	const struct mix_place to = mix_sightings_place(building->sightings, tally->to);

	resolved->first = ended(building, tally->first);
	if (tally->to != tally->first)
		resolved->to = entered(building, &to);
	else if (resolved->first != FLOW_NONE)
		resolved->to = fallen_into(building, resolved->first);
	if (resolved->to == FLOW_NONE)
		resolved->first = FLOW_NONE;
}

static void resolve_one(struct building *building, const struct alike_one *one,
			struct resolved *resolved)
{
	*resolved = (struct resolved){ .first = FLOW_NONE, .last = FLOW_NONE, .to = FLOW_NONE };
	switch (one->first.kind) {
	case MIX_SAMPLE:
		resolve_sample(building, one, resolved);
		break;
	case MIX_STREAM:
		resolve_stream(building, one, resolved);
		break;
	default:
		resolve_branch(building, &one->first, resolved);
	}
}

/* Of several streams that a branch ends, the last one tells what that is */
static void resolve(struct building *building)
{
	for (size_t n = 0; n < building->alike.count && !building->failed; n++) {
		const struct alike_one *one = &building->alike.one[n];
		struct resolved *resolved = &building->resolved[n];

		resolve_one(building, one, resolved);
		if (resolved->is_kept)
			building->ends[one->first.last] = resolved->last;
	}
}

/* --- code --- */

static int add_target(struct building *building, const struct mix_place *place)
{
	return place->text ? code_blocks_add_target(building->program->blocks, place->text, place->offset,
						    place->since)
			   : 0;
}

static int add_stream(struct building *building, const struct mix_tally *tally)
{
	const struct mix_place target = mix_sightings_place(building->sightings, tally->first);
	const struct mix_place source = mix_sightings_place(building->sightings, tally->last);
	const struct mix_place to = mix_sightings_place(building->sightings, tally->to);

	if (fate_of_ends(&target, &source) == CODE_FATE_KEPT &&
	    code_blocks_add_range(building->program->blocks, target.text, target.offset, source.offset,
				  later_of(&target, &source)))
		return -1;
	return add_target(building, &to) ? -1 : 0;
}

static int add_code_of(struct building *building, const struct mix_tally *tally)
{
	const struct mix_place first = mix_sightings_place(building->sightings, tally->first);

	if (tally->kind == MIX_STREAM)
		return add_stream(building, tally);
	if (tally->kind == MIX_BRANCH && tally->to != tally->first) {
		const struct mix_place to = mix_sightings_place(building->sightings, tally->to);

		if (add_target(building, &to))
			return -1;
	}
	return first.text && code_blocks_add_sample(building->program->blocks, first.text, first.offset,
						    first.since)
		       ? -1
		       : 0;
}

static int add_code(struct building *building)
{
	for (uint32_t n = 0; n < building->alike.count; n++) {
		if (add_code_of(building, &building->alike.one[n].first) < 0)
			return -1;
	}
	return code_blocks_build(building->program->blocks) ? -1 : 0;
}

/* --- the graph --- */

static enum flow_end end_of(const struct code_block *block)
{
	switch (block->branch) {
	case CODE_BRANCH_NONE: return FLOW_FALLS;
	case CODE_BRANCH_CONDITIONAL: return FLOW_CONDITIONAL;
	/* Where the kernel is not recorded it goes on as if nothing had been */
	case CODE_BRANCH_SYSTEM_CALL: return FLOW_CONDITIONAL;
	case CODE_BRANCH_UNCONDITIONAL:
	case CODE_BRANCH_INDIRECT_JUMP: return FLOW_JUMPS;
	case CODE_BRANCH_CALL: return block->calls_next ? FLOW_FALLS : FLOW_CALLS;
	case CODE_BRANCH_INDIRECT_CALL: return FLOW_CALLS;
	case CODE_BRANCH_RETURN: return FLOW_RETURNS;
	default: return FLOW_STOPS;
	}
}

/* What a block is followed by, and is not in the graph yet */
static void add_followers(struct building *building, uint32_t n)
{
	const struct mix_node node = building->program->node[n];
	const struct code_block *block = code_blocks_get(building->program->blocks, node.code);
	const struct mix_place of = { .text = node.text, .context = node.context,
				      .is_kernel = node.is_kernel };
	const uint32_t followers[] = { block ? block->next : CODE_NO_BLOCK,
				       block ? block->target : CODE_NO_BLOCK };

	for (size_t i = 0; block && node.depth < DEPTH_MOST && i < 2; i++) {
		const struct code_block *follower =
			code_blocks_get(building->program->blocks, followers[i]);

		if (follower && follower->count)
			node_of(building, &of, followers[i], node.depth + 1);
	}
}

static uint32_t node_in(const struct mix_program *program, const struct mix_node *of, uint32_t code)
{
	const struct numbering_key key = { { of->context, (uint64_t)code + 1, 0, 0 } };

	return code == CODE_NO_BLOCK ? FLOW_NONE : numbering_find(&program->numbering, &key);
}

static int add_block(struct building *building, const struct mix_node *node)
{
	const struct code_block *block = code_blocks_get(building->program->blocks, node->code);
	struct flow_block made = {
		.instructions = MIX_UNKNOWN_LENGTH,
		.ends = FLOW_STOPS,
		.flags = FLOW_ENTERED_ELSEWHERE | FLOW_LEFT_ELSEWHERE,
		.next = FLOW_NONE,
	};

	if (block) {
		made.instructions = block->count;
		made.ops = building->ops ? building->ops[node->code] : 0;
		made.ends = end_of(block);
		made.flags = 0;
		made.next = node_in(building->program, node, block->next);
	}
	return flow_add_block(&building->program->flow, &made) == FLOW_NONE ? -1 : 0;
}

static int add_edges(struct building *building)
{
	struct mix_program *program = building->program;

	for (uint32_t n = 0; n < program->count; n++) {
		const struct mix_node *node = &program->node[n];
		const struct code_block *block = code_blocks_get(program->blocks, node->code);
		const uint32_t target =
			block ? node_in(program, node, block->target) : FLOW_NONE;

		if (target != FLOW_NONE && program->flow.blocks[n].ends != FLOW_FALLS &&
		    flow_add_edge(&program->flow, n, target) == FLOW_NONE)
			return -1;
	}
	for (uint32_t n = 0; n < building->alike.count; n++) {
		const struct resolved *resolved = &building->resolved[n];
		const uint32_t kind = building->alike.one[n].first.kind;
		const uint32_t from = kind == MIX_STREAM ? resolved->last : resolved->first;

		if (kind == MIX_SAMPLE || from == FLOW_NONE || resolved->to == FLOW_NONE ||
		    program->flow.blocks[from].ends == FLOW_FALLS ||
		    (kind == MIX_BRANCH && program->flow.blocks[from].next == resolved->to))
			continue;
		if (flow_add_edge(&program->flow, from, resolved->to) == FLOW_NONE)
			return -1;
	}
	return 0;
}

/* Where there are no stacks nobody knows who returns, nor who comes from where a pointer led. */
static int is_entered_blindly(const struct mix_program *program, uint32_t n)
{
	const struct mix_node *node = &program->node[n];
	const struct code_block *block = code_blocks_get(program->blocks, node->code);
	uint64_t start, end;

	return block && code_text_function(node->text, block->offset, &start, &end) > 0 &&
	       start == block->offset;
}

static int leaves_blindly(const struct code_block *block)
{
	return block && (block->branch == CODE_BRANCH_RETURN || block->branch == CODE_BRANCH_INDIRECT_JUMP ||
			 block->branch == CODE_BRANCH_INDIRECT_CALL);
}

/* A taken branch of which one end is in the graph and the other is not */
static void flag_half_known(const struct building *building, const struct mix_tally *tally,
			    const struct resolved *resolved)
{
	const struct mix_program *program = building->program;
	const struct mix_place to = mix_sightings_place(building->sightings, tally->to);
	const struct mix_node of = { .context = to.context };
	const uint32_t from = tally->kind == MIX_STREAM ? resolved->last : resolved->first;
	uint32_t target;

	if (from != FLOW_NONE && resolved->to == FLOW_NONE)
		program->flow.blocks[from].flags |= FLOW_LEFT_ELSEWHERE;
	if (from != FLOW_NONE || !to.text)
		return;
	target = node_in(program, &of, code_blocks_at(program->blocks, to.text, to.offset, to.since));
	if (target != FLOW_NONE)
		program->flow.blocks[target].flags |= FLOW_ENTERED_ELSEWHERE;
}

/* Where control came from code that is left out, or goes there, no edge tells of it. */
static void flag_left_out(struct building *building)
{
	struct mix_program *program = building->program;

	for (uint32_t n = 0; n < program->count; n++) {
		const struct code_block *block = code_blocks_get(program->blocks, program->node[n].code);

		if (block && block->target == CODE_NO_BLOCK &&
		    (block->branch == CODE_BRANCH_CONDITIONAL || block->branch == CODE_BRANCH_CALL))
			program->flow.blocks[n].flags |= FLOW_LEFT_ELSEWHERE;
	}
	for (uint32_t n = 0; n < building->alike.count; n++) {
		const struct mix_tally *tally = &building->alike.one[n].first;

		if (tally->kind != MIX_SAMPLE)
			flag_half_known(building, tally, &building->resolved[n]);
	}
}

/* A block that no edge leads to, or none leads away from, is entered and left as nobody saw. */
static int flag_ends(struct building *building)
{
	struct mix_program *program = building->program;
	struct flow *flow = &program->flow;
	uint8_t *has = calloc(program->count + 1, 1);
	const int is_blind = !building->seen->stacks;

	if (!has)
		return -1;
	for (uint32_t edge = 0; edge < flow->edge_count; edge++) {
		has[flow->edges[edge].from] |= 1;
		has[flow->edges[edge].to] |= 2;
	}
	for (uint32_t n = 0; n < program->count; n++) {
		const struct flow_block *block = &flow->blocks[n];
		const int falls = flow_falls(block);

		has[n] |= (uint8_t)falls;
		if (falls)
			has[block->next] |= 2;
		/* The half of a jump's ways that is not in the graph */
		if ((block->ends == FLOW_CONDITIONAL || block->ends == FLOW_FALLS) && !falls)
			has[n] &= (uint8_t)~1u;
	}
	for (uint32_t n = 0; n < program->count; n++) {
		const struct code_block *block = code_blocks_get(program->blocks, program->node[n].code);

		if (!(has[n] & 2) || (is_blind && is_entered_blindly(program, n)))
			flow->blocks[n].flags |= FLOW_ENTERED_ELSEWHERE;
		if (!(has[n] & 1) || (is_blind && leaves_blindly(block)))
			flow->blocks[n].flags |= FLOW_LEFT_ELSEWHERE;
		if (is_blind && flow->blocks[n].ends == FLOW_CALLS && flow->blocks[n].next != FLOW_NONE)
			flow->blocks[flow->blocks[n].next].flags |= FLOW_ENTERED_ELSEWHERE;
	}
	free(has);
	if (building->rare.page)
		flag_left_out(building);
	return 0;
}

static int learn_ops(struct building *building)
{
	const struct code_blocks *blocks = building->program->blocks;

	building->ops = calloc((size_t)code_blocks_count(blocks) + 1, sizeof(*building->ops));
	return building->ops ? ops_learn(blocks, building->samples, building->sample_count, building->ops)
			     : -1;
}

static int build_graph(struct building *building)
{
	struct mix_program *program = building->program;

	for (uint32_t n = 0; n < program->count && !building->failed; n++)
		add_followers(building, n);
	if (building->options->is_by_op && learn_ops(building) < 0)
		return -1;
	for (uint32_t n = 0; n < program->count; n++) {
		if (building->failed || add_block(building, &program->node[n]) < 0)
			return -1;
	}
	return add_edges(building) < 0 || flag_ends(building) < 0 ? -1 : 0;
}

/* --- observations --- */

static int renumber_tally(void *data, size_t number, struct mix_tally *tally)
{
	const struct building *building = data;
	const struct resolved *resolved = &building->resolved[building->alike.number[number]];

	tally->first = resolved->first;
	tally->last = tally->kind == MIX_STREAM ? resolved->last : 0;
	tally->to = tally->kind == MIX_SAMPLE ? 0 : resolved->to;
	return resolved->first != FLOW_NONE;
}

static uint32_t renumber_branch(void *data, uint32_t place)
{
	return ((struct building *)data)->ends[place];
}

static double instructions_along(const struct mix_program *program, uint32_t first, uint32_t last)
{
	double sum = 0;

	if (!flow_stream(&program->flow, first, last))
		return 0;
	for (uint32_t n = first;; n = program->flow.blocks[n].next) {
		sum += program->flow.blocks[n].instructions;
		if (n == last)
			return sum;
	}
}

/* The part of taken branches that stacks have from known code to known code. An interrupt is none */
static double known_part(const struct building *building)
{
	const int is_copied = mix_newest_is_copied(building->seen);
	double all = 0, known = 0;

	for (uint32_t n = 0; n < building->alike.count; n++) {
		const struct alike_one *one = &building->alike.one[n];
		const struct resolved *resolved = &building->resolved[n];

		if (one->first.kind != MIX_STREAM || (is_copied && one->first.newest) ||
		    resolved->is_interrupted)
			continue;
		all += (double)one->weight;
		known += resolved->last != FLOW_NONE && resolved->to != FLOW_NONE
				 ? (double)one->weight
				 : 0;
	}
	return all > 0 ? known / all : 0;
}

static void set_instructions(struct building *building)
{
	const struct mix_program_options *options = building->options;
	const struct mix_observations *seen = building->seen;
	struct mix_observations *to = &building->program->seen;

	if (options->instructions > 0) {
		/* Without instruction samples no block stands for code that is not known */
		const double part = seen->samples ? 1 : known_part(building);

		to->instructions = options->instructions * part;
		to->instructions_error = hypot(options->instructions_error, 1 - part);
	} else if (seen->samples && !options->is_by_op) {
		/* A counter that is sampled counts all the time, wherever its samples are */
		to->instructions = (double)mix_weight_of_samples(seen);
		to->instructions_error = hypot(UNSEEN_LOSSES, 1 / sqrt((double)seen->samples));
	}
}

static void set_taken(struct building *building)
{
	const struct mix_program_options *options = building->options;
	struct mix_observations *to = &building->program->seen;
	const double part = known_part(building);

	if (options->taken > 0 && part > 0) {
		to->taken = options->taken * part;
		to->taken_error = hypot(options->taken_error, 1 - part);
	}
}

/*
 * What a period of stacks that count something else stands for: so much that in code that is known as many
 * instructions ran as instruction samples say, or as were counted. 0: nothing says it. 1 where no stack is in
 * code that is known, so that samples alone have levels.
 */
static double scale_of(const struct building *building)
{
	double of_stacks = 0, of_samples = 0;

	for (size_t n = 0; n < building->seen->tallies.count; n++) {
		const struct mix_tally *tally = &building->seen->tallies.tally[n];
		const struct resolved *resolved = &building->resolved[building->alike.number[n]];

		if (resolved->first == FLOW_NONE)
			continue;
		if (tally->kind == MIX_STREAM)
			of_stacks += tally->published * instructions_along(building->program,
									   resolved->first,
									   resolved->last);
		else if (tally->kind == MIX_SAMPLE && !building->program->node[resolved->first].why)
			of_samples += (double)tally->weight;
	}
	if (!building->seen->samples && known_part(building) >= KNOWN_LEAST)
		of_samples = building->options->instructions * known_part(building);
	if (!(of_stacks > 0))
		return building->seen->samples ? 1 : 0;
	return of_samples / of_stacks;
}

static int make_observations(struct building *building)
{
	struct mix_program *program = building->program;
	double scale = 1;

	if (building->options->is_relative && building->seen->stacks) {
		scale = scale_of(building);
		program->is_relative = !(scale > 0);
		scale = scale > 0 ? scale : 1;
	}
	if (mix_observations_renumber(building->seen, renumber_tally, renumber_branch, building,
				      scale, &program->seen) < 0)
		return -1;
	set_instructions(building);
	set_taken(building);
	return 0;
}

static int is_ready(struct building *building)
{
	const uint32_t places = mix_sightings_places(building->sightings);

	if (alike_find(&building->alike, &building->seen->tallies) < 0)
		return 0;
	building->resolved = calloc(building->alike.count + 1u, sizeof(*building->resolved));
	building->ends = malloc(((size_t)places + 1) * sizeof(*building->ends));
	building->list = malloc(LIST_ROOM * sizeof(*building->list));
	if (!building->resolved || !building->ends || !building->list)
		return 0;
	memset(building->ends, 0xff, places * sizeof(*building->ends));
	return code_blocks_new(&building->program->blocks) == 0;
}

int mix_program_build(struct mix_program *program, const struct mix_sightings *sightings,
		      const struct mix_program_options *options)
{
	struct building building = { .program = program, .sightings = sightings,
				     .seen = mix_sightings_seen(sightings), .options = options };
	int failed;

	memset(program, 0, sizeof(*program));
	failed = !is_ready(&building) || rare_find(&building.rare, sightings, options->places) < 0;
	if (!failed) {
		if (building.rare.page)
			code_blocks_leave_out(program->blocks, rare_has, &building.rare);
		failed = add_code(&building) < 0;
	}
	if (!failed) {
		resolve(&building);
		failed = building.failed || build_graph(&building) < 0 || make_observations(&building) < 0;
	}
	alike_free(&building.alike);
	free(building.resolved);
	free(building.ends);
	free(building.list);
	free(building.samples);
	free(building.ops);
	rare_free(&building.rare);
	return failed ? -1 : 0;
}

uint64_t mix_program_streams(const struct mix_program *program)
{
	uint64_t streams = 0;

	for (uint32_t n = 0; n < CODE_FATES; n++)
		streams += program->fates[n];
	return streams;
}

void mix_program_free(struct mix_program *program)
{
	code_blocks_free(program->blocks);
	flow_free(&program->flow);
	mix_observations_free(&program->seen);
	numbering_free(&program->numbering);
	numbering_free(&program->stale_texts);
	free(program->stale_streams);
	free(program->node);
	free(program->absent);
	memset(program, 0, sizeof(*program));
}
