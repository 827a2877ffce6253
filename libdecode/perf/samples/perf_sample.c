/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PERF_RECORD_SAMPLE, taken apart in the order in which the kernel's
 * perf_output_sample() writes it.
 */
#include <precis/error.h>
#include <precis/record.h>

#include "libdecode/perf/records/record_header.h"
#include "libdecode/sample/abi.h"
#include "read_format.h"

#define BRANCH_HW_INDEX (1u << 17) /* PERF_SAMPLE_BRANCH_HW_INDEX */
#define BRANCH_COUNTERS (1u << 19) /* PERF_SAMPLE_BRANCH_COUNTERS */
#define BRANCH_ENTRY_BYTES 24u /* struct perf_branch_entry */
#define WEIGHT_TYPE (PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT)
#define WORD 8u
#define FIXED_MAX_BYTES (9 * WORD) /* IDENTIFIER to PERIOD */
#define ALWAYS_INLINE __attribute__((always_inline))

/* What stands behind the branch stack */
#define TAIL                                                                                       \
	(PRECIS_SAMPLE_REGS_USER | PRECIS_SAMPLE_STACK_USER | WEIGHT_TYPE |                        \
	 PRECIS_SAMPLE_DATA_SRC | PRECIS_SAMPLE_TRANSACTION | PRECIS_SAMPLE_REGS_INTR |            \
	 PRECIS_SAMPLE_PHYS_ADDR | PRECIS_SAMPLE_CGROUP | PRECIS_SAMPLE_DATA_PAGE_SIZE |           \
	 PRECIS_SAMPLE_CODE_PAGE_SIZE | PRECIS_SAMPLE_AUX)

/* struct perf_event_sample's regs abi: the layouts of register dumps that are known */
enum regs_abi { REGS_ABI_NONE = 0, REGS_ABI_32 = 1, REGS_ABI_64 = 2 };

static const struct precis_bytes no_bytes;

/*
 * A parse under way. The functions below take a part if sample_type has it and
 * return 0 or a negative enum precis_error. They are inlined, whatever the
 * compiler thinks of their number, so that the parse lives in registers.
 */
struct parse {
	struct cursor at;
	uint64_t type; /* sample_type */
	uint64_t present; /* what has been taken */
	const struct precis_layout *layout;
	struct precis_perf_sample *sample;
};

/* A part of one word. 'enough' is a constant: 1 if the caller has looked that the word is there. */
static inline ALWAYS_INLINE int take_word(struct parse *parse, uint64_t bit, uint64_t *value,
					  int enough)
{
	if (!(parse->type & bit))
		return 0;
	if (!enough && cursor_left(&parse->at) < WORD)
		return PRECIS_E_TRUNCATED;
	*value = load_u64(parse->at.at);
	parse->at.at += WORD;
	parse->present |= bit;
	return 0;
}

/* Likewise of two half words */
static inline ALWAYS_INLINE int take_halves(struct parse *parse, uint64_t bit, uint32_t *first,
					    uint32_t *second, int enough)
{
	if (!(parse->type & bit))
		return 0;
	if (!enough && cursor_left(&parse->at) < WORD)
		return PRECIS_E_TRUNCATED;
	*first = load_u32(parse->at.at);
	*second = load_u32(parse->at.at + 4);
	parse->at.at += WORD;
	parse->present |= bit;
	return 0;
}

/* 'count' u64s as a view; a record is shorter than 4 GiB, and so is each part of it */
static inline ALWAYS_INLINE int take_view(struct parse *parse, uint64_t count, size_t item,
					  struct precis_bytes *view)
{
	if (!cursor_array(&parse->at, count, item, &view->data))
		return PRECIS_E_TRUNCATED;
	view->bytes = (uint32_t)(count * item);
	return 0;
}

static inline uint32_t has(uint64_t format, uint64_t bit)
{
	return (format & bit) != 0;
}

static inline ALWAYS_INLINE int take_read(struct parse *parse)
{
	uint64_t format = parse->layout->read_format;
	struct precis_bytes *read = &parse->sample->read;
	const uint8_t *start = parse->at.at;
	uint64_t values = 1;
	uint32_t times, words_per_value;

	if (!(parse->type & PRECIS_SAMPLE_READ))
		return 0;
	if (format & ~(uint64_t)READ_FORMAT_KNOWN_BITS)
		return PRECIS_E_UNKNOWN_BITS;
	times = has(format, PRECIS_FORMAT_TIME_ENABLED) + has(format, PRECIS_FORMAT_TIME_RUNNING);
	words_per_value = 1 + has(format, PRECIS_FORMAT_ID) + has(format, PRECIS_FORMAT_LOST);
	if ((format & PRECIS_FORMAT_GROUP) && !cursor_u64(&parse->at, &values))
		return PRECIS_E_TRUNCATED;
	/* a group has its times before its values, a single event behind: the size is the same */
	if (take_view(parse, times, WORD, read) ||
	    take_view(parse, values, (size_t)WORD * words_per_value, read))
		return PRECIS_E_TRUNCATED;
	read->data = start;
	read->bytes = (uint32_t)(parse->at.at - start);
	parse->present |= PRECIS_SAMPLE_READ;
	return 0;
}

static inline ALWAYS_INLINE int take_callchain(struct parse *parse)
{
	struct precis_perf_sample *sample = parse->sample;

	if (!(parse->type & PRECIS_SAMPLE_CALLCHAIN))
		return 0;
	if (!cursor_u64(&parse->at, &sample->callchain_count) ||
	    take_view(parse, sample->callchain_count, WORD, &sample->callchain))
		return PRECIS_E_TRUNCATED;
	parse->present |= PRECIS_SAMPLE_CALLCHAIN;
	return 0;
}

static inline ALWAYS_INLINE int take_raw(struct parse *parse)
{
	uint32_t bytes;

	if (!(parse->type & PRECIS_SAMPLE_RAW))
		return 0;
	if (!cursor_u32(&parse->at, &bytes) || take_view(parse, bytes, 1, &parse->sample->raw))
		return PRECIS_E_TRUNCATED;
	parse->present |= PRECIS_SAMPLE_RAW;
	return 0;
}

static inline ALWAYS_INLINE int take_regs(struct parse *parse, uint64_t bit, uint64_t mask,
					  uint64_t *abi, struct precis_bytes *regs)
{
	if (!(parse->type & bit))
		return 0;
	*regs = no_bytes;
	if (!cursor_u64(&parse->at, abi))
		return PRECIS_E_TRUNCATED;
	if (*abi != REGS_ABI_NONE) {
		if (*abi != REGS_ABI_32 && *abi != REGS_ABI_64)
			return PRECIS_E_UNKNOWN_BITS;
		if (take_view(parse, (uint64_t)__builtin_popcountll(mask), WORD, regs))
			return PRECIS_E_TRUNCATED;
	}
	parse->present |= bit;
	return 0;
}

static inline ALWAYS_INLINE int take_stack(struct parse *parse)
{
	struct precis_perf_sample *sample = parse->sample;
	uint64_t bytes;

	if (!(parse->type & PRECIS_SAMPLE_STACK_USER))
		return 0;
	sample->stack_user = no_bytes;
	sample->stack_user_dynamic = 0;
	if (!cursor_u64(&parse->at, &bytes))
		return PRECIS_E_TRUNCATED;
	if (bytes && (take_view(parse, bytes, 1, &sample->stack_user) ||
		      !cursor_u64(&parse->at, &sample->stack_user_dynamic)))
		return PRECIS_E_TRUNCATED;
	parse->present |= PRECIS_SAMPLE_STACK_USER;
	return 0;
}

/* WEIGHT, or {u32 var1_dw; u16 var2_w, var3_w}, which the ABI lays out as one u64 */
static inline ALWAYS_INLINE int take_weight(struct parse *parse)
{
	struct precis_perf_sample *sample = parse->sample;
	uint64_t full;

	if (!(parse->type & WEIGHT_TYPE))
		return 0;
	if (!cursor_u64(&parse->at, &full))
		return PRECIS_E_TRUNCATED;
	sample->weight = full;
	if (parse->type & PRECIS_SAMPLE_WEIGHT_STRUCT) {
		sample->weight = (uint32_t)full;
		sample->weight_var2 = (uint16_t)(full >> 32);
		sample->weight_var3 = (uint16_t)(full >> 48);
	}
	parse->present |= parse->type & WEIGHT_TYPE;
	return 0;
}

static inline ALWAYS_INLINE int take_aux(struct parse *parse)
{
	uint64_t bytes;

	if (!(parse->type & PRECIS_SAMPLE_AUX))
		return 0;
	if (!cursor_u64(&parse->at, &bytes) || take_view(parse, bytes, 1, &parse->sample->aux))
		return PRECIS_E_TRUNCATED;
	parse->present |= PRECIS_SAMPLE_AUX;
	return 0;
}

static inline ALWAYS_INLINE int take_fixed(struct parse *parse, int enough)
{
	struct precis_perf_sample *s = parse->sample;

	if (take_word(parse, PRECIS_SAMPLE_IDENTIFIER, &s->identifier, enough) ||
	    take_word(parse, PRECIS_SAMPLE_IP, &s->ip, enough) ||
	    take_halves(parse, PRECIS_SAMPLE_TID, &s->pid, &s->tid, enough) ||
	    take_word(parse, PRECIS_SAMPLE_TIME, &s->time, enough) ||
	    take_word(parse, PRECIS_SAMPLE_ADDR, &s->addr, enough) ||
	    take_word(parse, PRECIS_SAMPLE_ID, &s->id, enough) ||
	    take_word(parse, PRECIS_SAMPLE_STREAM_ID, &s->stream_id, enough) ||
	    take_halves(parse, PRECIS_SAMPLE_CPU, &s->cpu, &s->cpu_reserved, enough) ||
	    take_word(parse, PRECIS_SAMPLE_PERIOD, &s->period, enough))
		return PRECIS_E_TRUNCATED;
	return 0;
}

static inline ALWAYS_INLINE int parse_fixed(struct parse *parse)
{
	if (likely(cursor_left(&parse->at) >= FIXED_MAX_BYTES))
		return take_fixed(parse, 1);
	return take_fixed(parse, 0);
}

static inline ALWAYS_INLINE int parse_tail(struct parse *parse)
{
	struct precis_perf_sample *s = parse->sample;
	const struct precis_layout *layout = parse->layout;
	int error;

	error = take_regs(parse, PRECIS_SAMPLE_REGS_USER, layout->regs_user, &s->regs_user_abi,
			  &s->regs_user);
	if (error)
		return error;
	if (take_stack(parse) || take_weight(parse) ||
	    take_word(parse, PRECIS_SAMPLE_DATA_SRC, &s->data_src, 0) ||
	    take_word(parse, PRECIS_SAMPLE_TRANSACTION, &s->transaction, 0))
		return PRECIS_E_TRUNCATED;
	error = take_regs(parse, PRECIS_SAMPLE_REGS_INTR, layout->regs_intr, &s->regs_intr_abi,
			  &s->regs_intr);
	if (error)
		return error;
	if (take_word(parse, PRECIS_SAMPLE_PHYS_ADDR, &s->phys_addr, 0) ||
	    take_word(parse, PRECIS_SAMPLE_CGROUP, &s->cgroup, 0) ||
	    take_word(parse, PRECIS_SAMPLE_DATA_PAGE_SIZE, &s->data_page_size, 0) ||
	    take_word(parse, PRECIS_SAMPLE_CODE_PAGE_SIZE, &s->code_page_size, 0) ||
	    take_aux(parse))
		return PRECIS_E_TRUNCATED;
	return 0;
}

/* Would the rest of the record be exactly the tail if it began 'skipped' bytes further on? */
static int tail_fits(const struct parse *parse, uint64_t skipped)
{
	struct precis_perf_sample scratch;
	struct parse trial = *parse;
	const uint8_t *ignored;

	trial.sample = &scratch;
	return cursor_array(&trial.at, skipped, 1, &ignored) && !parse_tail(&trial) &&
	       !cursor_left(&trial.at);
}

/*
 * Two parts of a branch stack are there or not without anything saying so: the
 * hw_idx of a sample that has no stack at all (then the kernel writes nr = 0
 * alone), and the counters of an event whose group counts nothing. What comes
 * behind must end where the record ends: that decides.
 */
static int has_optional(const struct parse *parse, uint64_t bytes)
{
	return tail_fits(parse, bytes) || !tail_fits(parse, 0);
}

static int take_branch_stack(struct parse *parse)
{
	uint64_t flags = parse->layout->branch_sample_type;
	struct precis_perf_sample *s = parse->sample;

	s->branch_hw_index = UINT64_MAX;
	s->branch_counters = no_bytes;
	if (!cursor_u64(&parse->at, &s->branch_count))
		return PRECIS_E_TRUNCATED;
	if ((flags & BRANCH_HW_INDEX) && (s->branch_count || has_optional(parse, WORD)) &&
	    !cursor_u64(&parse->at, &s->branch_hw_index))
		return PRECIS_E_TRUNCATED;
	if (take_view(parse, s->branch_count, BRANCH_ENTRY_BYTES, &s->branches))
		return PRECIS_E_TRUNCATED;
	if ((flags & BRANCH_COUNTERS) && s->branch_count &&
	    has_optional(parse, s->branch_count * WORD) &&
	    take_view(parse, s->branch_count, WORD, &s->branch_counters))
		return PRECIS_E_TRUNCATED;
	parse->present |= PRECIS_SAMPLE_BRANCH_STACK;
	return 0;
}

/* A copy is handed on: a parse whose address nobody takes stays in registers. */
static inline ALWAYS_INLINE int take_branches(struct parse *parse)
{
	struct parse copy = *parse;
	int error;

	if (!(parse->type & PRECIS_SAMPLE_BRANCH_STACK))
		return 0;
	error = take_branch_stack(&copy);
	*parse = copy;
	return error;
}

static inline ALWAYS_INLINE int parse_all(struct parse *parse)
{
	int error = parse_fixed(parse);

	if (error)
		return error;
	if (unlikely(parse->layout->unknown_bits))
		return PRECIS_E_UNKNOWN_BITS;
	error = take_read(parse);
	if (error)
		return error;
	if (take_callchain(parse) || take_raw(parse) || take_branches(parse))
		return PRECIS_E_TRUNCATED;
	return parse->type & TAIL ? parse_tail(parse) : 0;
}

int precis_perf_sample_parse(const struct precis_layout *layout, const struct precis_record *record,
			     struct precis_perf_sample *sample)
{
	struct parse parse;
	int error;

	ABI_IN(struct precis_layout, layout, precis_perf_sample_parse(&abi, record, sample));
	ABI_OUT(struct precis_perf_sample, sample, precis_perf_sample_parse(layout, record, &abi));
	if (!record || record->type != PRECIS_RECORD_SAMPLE)
		return PRECIS_E_ARGUMENT;
	parse.at = record_body(record);
	parse.type = layout->sample_type;
	parse.present = 0;
	parse.layout = layout;
	parse.sample = sample;
	sample->misc = record->misc;
	error = parse_all(&parse);
	sample->present = parse.present;
	return error;
}
