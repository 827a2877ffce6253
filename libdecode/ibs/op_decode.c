/* SPDX-License-Identifier: BSD-3-Clause */
/* ibs_op: registers to the vendor-neutral sample. */
#include <precis/error.h>

#include "../sample/abi.h"
#include "../sample/bytes.h"
#include "op.h"

#define PAGE_4K (UINT64_C(1) << 12)
#define PAGE_2M (UINT64_C(1) << 21)
#define PAGE_1G (UINT64_C(1) << 30)

static uint64_t op_kind(const struct precis_ibs_context *context, const struct precis_ibs_op *op)
{
	static const uint8_t kinds[4] = { PRECIS_OP_OTHER, PRECIS_OP_LOAD, PRECIS_OP_STORE,
					  PRECIS_OP_LOAD_STORE };
	uint64_t data3 = op->op_data3;

	if (data3 & (DATA3_LOAD | DATA3_STORE)) {
		if ((context->flags & IBS_PREFETCH_TOLD) && (data3 & DATA3_PREFETCH))
			return PRECIS_OP_PREFETCH;
		return kinds[IBS_SPAN_OF(LD_OP, ST_OP, data3)];
	}
	return op->op_data & IBS_MASK(OP_BRN_RET) ? PRECIS_OP_BRANCH : PRECIS_OP_OTHER;
}

static uint64_t op_page_size(const struct precis_ibs_context *context, uint64_t data3)
{
	/* the pair of bits that says 2M or 1G, for the TLB that had the page */
	uint64_t large = IBS_BITS_OF(DC_PAGE_SIZE, data3);

	if (!(context->flags & IBS_DTLB_PAGE_SIZE) && (data3 & DATA3_L1_TLB_MISS))
		large = IBS_BITS_OF(DC_L2_TLB_HIT_2M, data3) |
			IBS_BITS_OF(DC_L2_TLB_HIT_1G, data3) << 1;
	if (large & 2)
		return PAGE_1G;
	return large ? PAGE_2M : PAGE_4K;
}

/*
 * Some data sources are a cache of this node or of another one by definition: the
 * driver does not ask RmtNode then, and neither is it believed against them here.
 */
static uint64_t op_remote(const struct precis_ibs_context *context, uint64_t data2,
			  unsigned int level)
{
	if (level == PRECIS_MEM_LEVEL_L3 || level == PRECIS_MEM_LEVEL_NEAR_CACHE)
		return PRECIS_MEM_REMOTE_LOCAL;
	if ((context->flags & IBS_REMOTE_SOCKET) && (data2 & IBS_MASK(RMT_SOCKET)))
		return PRECIS_MEM_REMOTE_SOCKET;
	return level == PRECIS_MEM_LEVEL_FAR_CACHE || (data2 & IBS_MASK(RMT_NODE)) ?
		       PRECIS_MEM_REMOTE_NODE :
		       PRECIS_MEM_REMOTE_LOCAL;
}

static uint64_t op_period(const struct precis_ibs_context *context, uint64_t ctl)
{
	uint64_t period = IBS_BITS_OF(OP_MAX_CNT, ctl) << PERIOD_SHIFT;

	if (context->flags & IBS_PERIOD_EXTENDED)
		period |= ctl & IBS_MASK(OP_MAX_CNT_EXT);
	return period;
}

static inline uint64_t tag_to_completion(const struct precis_ibs_op *op)
{
	return op_half_word(op, IBS_REG_TAG_TO_RET_CTR, IBS_LOW_TAG_TO_RET_CTR) -
	       op_half_word(op, IBS_REG_COMP_TO_RET_CTR, IBS_LOW_COMP_TO_RET_CTR);
}

/* Of fields that are not the plain bits of their row. */
static uint64_t transformed(const struct precis_ibs_context *context,
			    const struct precis_ibs_op *op, const struct op_state *state,
			    const struct ibs_source *source, uint64_t bits)
{
	switch ((enum ibs_transform)source->transform) {
	case TRANSFORM_INVERTED:
		return !bits;
	case TRANSFORM_OP_PERIOD:
		return op_period(context, op->op_ctl);
	case TRANSFORM_OP_KIND:
		return op_kind(context, op);
	case TRANSFORM_MEM_WIDTH:
		return UINT64_C(1) << bits >> 1;
	case TRANSFORM_MEM_TYPE:
		if (bits & 2)
			return PRECIS_MEM_TYPE_UNCACHEABLE;
		return bits ? PRECIS_MEM_TYPE_WRITE_COMBINING : PRECIS_MEM_TYPE_CACHEABLE;
	case TRANSFORM_MEM_LEVEL:
		return state->level;
	case TRANSFORM_MEM_REMOTE:
		return op_remote(context, op->op_data2, state->level);
	case TRANSFORM_TLB_LEVEL:
		return tlb_level(bits);
	case TRANSFORM_PAGE_SIZE:
		return op_page_size(context, op->op_data3);
	case TRANSFORM_TAG_TO_COMPLETION:
		return tag_to_completion(op);
	default:
		return bits;
	}
}

static inline uint64_t op_value(const struct precis_ibs_context *context,
				const struct precis_ibs_op *op, const struct op_state *state,
				const struct ibs_source *source)
{
	uint64_t bits = source_bits(source, op_register(op, source->reg));

	if (source->transform == TRANSFORM_PLAIN)
		return bits;
	return transformed(context, op, state, source, bits);
}

int precis_ibs_op_present(struct precis_ibs_context *context, const struct precis_ibs_op *op,
			  uint64_t *present)
{
	struct op_state state;
	uint32_t gates;

	ABI_IN(struct precis_ibs_op, op, precis_ibs_op_present(context, &abi, present));
	if (!context || !present)
		return PRECIS_E_ARGUMENT;
	context_for(context, op->caps);
	gates = precis_op_gates(context, op, &state);
	context_set_allowed(context, PRECIS_IBS_OP, gates, present);
	return 0;
}

/* Values of the fields that the sample is said to have, of a word of their set */
static inline void store(const struct precis_ibs_context *context, const struct precis_ibs_op *op,
			 const struct op_state *state, uint32_t word, uint64_t present,
			 struct precis_sample *sample)
{
	for (; present; present &= present - 1) {
		const uint32_t field = 64 * word + (uint32_t)__builtin_ctzll(present);
		const struct ibs_source *source = &precis_ibs_sources[PRECIS_IBS_OP][field];

		sample->value[field] = op_value(context, op, state, source);
	}
}

int precis_ibs_op_decode(struct precis_ibs_context *context, const struct precis_ibs_op *op,
			 const uint64_t *wanted, struct precis_sample *sample)
{
	struct op_state state;
	uint64_t present;
	uint32_t gates;

	ABI_IN(struct precis_ibs_op, op, precis_ibs_op_decode(context, &abi, wanted, sample));
	ABI_SAMPLE(sample, precis_ibs_op_decode(context, op, wanted, &abi));
	if (!context)
		return PRECIS_E_ARGUMENT;
	if (!wanted)
		wanted = precis_all_fields;
	context_for(context, op->caps);
	gates = precis_op_gates(context, op, &state);
	present = context_allows(context, PRECIS_IBS_OP, gates) & wanted[0];
	sample_restart(sample, present, wanted, context, gates);
	sample->source = PRECIS_SOURCE_IBS_OP;
	sample->event_kind = PRECIS_EVENT_IBS_OP;
	if (op != &sample->registers.ibs_op)
		sample->registers.ibs_op = *op;
	store(context, op, &state, 0, present, sample);
	context_add_later(context, PRECIS_IBS_OP, gates, wanted, sample->present);
	for (uint32_t word = 1; IBS_HAS_LATER_FIELDS && word < FIELD_WORDS; word++)
		store(context, op, &state, word, sample->present[word], sample);
	return 0;
}

/* --- columns --- */

#ifdef __GNUC__
/* Two at a time, where the processor can */
typedef uint64_t word_pair __attribute__((vector_size(16)));
#endif

/* Ops whose caps are one */
struct op_chunk {
	const struct precis_ibs_op *ops;
	size_t count;
	struct op_state states[OP_CHUNK];
	uint32_t gates[OP_CHUNK];
};

/* Of a register 16 bits that begin where a 16-bit word of it does, as latencies do. */
static inline int is_half_word(const struct ibs_source *source)
{
	return source->width == 16 && source->low % 16 == 0;
}

static void half_word_column(const struct op_chunk *chunk, const struct ibs_source *source,
			     uint64_t *values)
{
	const uint32_t reg = source->reg, low = source->low;
	const size_t count = chunk->count;

	UNROLLED
	for (size_t n = 0; n < count; n++)
		values[n] = op_half_word(&chunk->ops[n], reg, low);
}

/* Plain bits, without asking each time where they are */
static void plain_column(const struct op_chunk *chunk, const struct ibs_source *source, uint64_t *values)
{
	const uint64_t bits = ~UINT64_C(0) >> (64 - source->width);
	const struct precis_ibs_op *const ops = chunk->ops;
	const uint32_t reg = source->reg, low = source->low;
	const size_t count = chunk->count;

	UNROLLED
	for (size_t n = 0; n < count; n++)
		values[n] = op_register(&ops[n], reg) >> low & bits;
}

static void other_column(const struct precis_ibs_context *context, const struct op_chunk *chunk,
			 const struct ibs_source *source, uint64_t *values)
{
	if (source->transform == TRANSFORM_TAG_TO_COMPLETION) {
		UNROLLED
		for (size_t n = 0; n < chunk->count; n++)
			values[n] = tag_to_completion(&chunk->ops[n]);
		return;
	}
	for (size_t n = 0; n < chunk->count; n++)
		values[n] = transformed(context, &chunk->ops[n], &chunk->states[n], source,
					source_bits(source, op_register(&chunk->ops[n], source->reg)));
}

static void mark_absent(size_t count, uint32_t field, const uint64_t *present, uint64_t *values)
{
	size_t n = 0;

#ifdef __GNUC__
	for (; n + 2 <= count; n += 2) {
		word_pair has, pair;

		memcpy(&has, &present[n], sizeof(has));
		memcpy(&pair, &values[n], sizeof(pair));
		pair |= (has >> field % 64 & 1) - 1; /* absent_mask() of both */
		memcpy(&values[n], &pair, sizeof(pair));
	}
#endif
	for (; n < count; n++)
		values[n] |= absent_mask(present[n], field);
}

/* 'in_all': fields of the first word that all of them have; 'present': the field's word of each */
static void op_column(const struct precis_ibs_context *context, const struct op_chunk *chunk,
		      uint32_t field, uint64_t in_all, const uint64_t *present, uint64_t *values)
{
	const struct ibs_source *source = &precis_ibs_sources[PRECIS_IBS_OP][field];

	if (source->transform == TRANSFORM_PLAIN && is_half_word(source))
		half_word_column(chunk, source, values);
	else if (source->transform == TRANSFORM_PLAIN)
		plain_column(chunk, source, values);
	else
		other_column(context, chunk, source, values);
	if (field >= 64 || !(in_all >> field & 1))
		mark_absent(chunk->count, field, present, values);
}

/* What is asked for, of sets of fields and words of gates */
struct op_asked {
	uint64_t fields[PRECIS_FIELD_WORDS];
	uint32_t gates;
	const uint32_t *field;
	size_t count;
};

/* The first word. @return the fields of it that all of them have */
static uint64_t find_present(const struct precis_ibs_context *context, const struct op_chunk *chunk,
			     uint64_t fields, uint64_t *present)
{
	const size_t count = chunk->count;
	uint64_t in_all = ~UINT64_C(0);

	UNROLLED
	for (size_t n = 0; n < count; n++) {
		present[n] = context_allows(context, PRECIS_IBS_OP, chunk->gates[n]) & fields;
		in_all &= present[n];
	}
	return in_all;
}

/* The others, as far as the caller wants them */
static void find_later(const struct precis_ibs_context *context, const struct op_chunk *chunk,
		       const uint64_t *fields, size_t at, uint64_t *const *present)
{
	for (uint32_t word = 1; word < PRECIS_FIELD_WORDS; word++) {
		if (present[word])
			memset(present[word] + at, 0, chunk->count * sizeof(*present[word]));
	}
	for (uint32_t i = 0; i < context_later_fields(context, PRECIS_IBS_OP); i++) {
		const uint32_t field = context->later[PRECIS_IBS_OP][i].field;
		uint64_t *has = present[PRECIS_FIELD_WORD(field)];

		if (!has || !precis_fields_have(fields, field))
			continue;
		for (size_t n = 0; n < chunk->count; n++)
			has[at + n] |=
				context_allows_later(context, PRECIS_IBS_OP, i, chunk->gates[n])
					? PRECIS_FIELD_BIT(field)
					: 0;
	}
}

/* How many ops from the first on have the same caps, up to a chunk */
static size_t chunk_of(const struct precis_ibs_op *ops, size_t count)
{
	const size_t most = count < OP_CHUNK ? count : OP_CHUNK;
	const uint32_t caps = ops[0].caps;
	uint32_t differ = 0;
	size_t n = 1;

	UNROLLED
	for (size_t at = 1; at < most; at++)
		differ |= ops[at].caps ^ caps;
	if (!differ)
		return most;
	while (ops[n].caps == caps)
		n++;
	return n;
}

static void take_chunk(struct precis_ibs_context *context, struct op_chunk *chunk,
		       const struct op_asked *asked, uint64_t *const *columns, size_t at,
		       uint64_t *const *present)
{
	uint64_t in_all;

	context_for(context, chunk->ops[0].caps);
	precis_op_gates_of(context, chunk->ops, chunk->count, asked->gates, chunk->states,
			   chunk->gates);
	in_all = find_present(context, chunk, asked->fields[0], present[0] + at);
	find_later(context, chunk, asked->fields, at, present);
	for (size_t i = 0; i < asked->count; i++) {
		const uint32_t field = asked->field[i];

		op_column(context, chunk, field, in_all, present[PRECIS_FIELD_WORD(field)] + at,
			  columns[i] + at);
	}
}

void precis_op_columns(struct precis_ibs_context *context, const struct precis_ibs_op *ops,
		       size_t count, const uint32_t *fields, size_t field_count,
		       uint64_t *const *columns, uint64_t *const *present)
{
	struct op_asked asked = { .field = fields, .count = field_count };
	struct op_chunk chunk;

	for (size_t i = 0; i < field_count; i++) {
		precis_fields_add(asked.fields, fields[i]);
		asked.gates |= (uint32_t)precis_ibs_sources[PRECIS_IBS_OP][fields[i]].gates;
	}
	chunk.ops = ops;
	chunk.count = count;
	take_chunk(context, &chunk, &asked, columns, 0, present);
}

int precis_ibs_op_columns(struct precis_ibs_context *context, const struct precis_ibs_op *ops,
			  size_t count, const uint32_t *fields, size_t field_count,
			  uint64_t *const *columns, uint64_t *const *present)
{
	struct op_asked asked = { .gates = UINT32_MAX, .field = fields, .count = field_count };
	struct precis_ibs_op copy;
	struct op_chunk chunk;
	int error;

	if (!context || (count && !abi_is_size(ops)) || (field_count && (!fields || !columns)) ||
	    !present || !present[0])
		return PRECIS_E_ARGUMENT;
	error = precis_ibs_check_columns(PRECIS_IBS_OP, fields, field_count, present);
	if (error)
		return error;
	memcpy(asked.fields, precis_all_fields, sizeof(asked.fields));
	for (size_t at = 0; at < count; at += chunk.count) {
		chunk.ops = abi_at(ops, at, &copy, sizeof(copy));
		chunk.count = chunk.ops == &copy ? 1 : chunk_of(chunk.ops, count - at);
		take_chunk(context, &chunk, &asked, columns, at, present);
	}
	return 0;
}
