/* SPDX-License-Identifier: BSD-3-Clause */
/* From a SAMPLE record to the vendor-neutral sample: the payload's fields, then the generic. */
#include <precis/decoder.h>
#include <precis/error.h>

#include "decode.h"
#include "direct.h"
#include "libdecode/perf/records/attr.h"
#include "libdecode/perf/records/record_header.h"
#include "libdecode/sample/abi.h"

ABI_FIXED(struct precis_decoder, 1024);

/*
 * Where a generic field comes from. EVENT, IP_EXACT and CPUMODE have no member
 * of their own and are filled by hand.
 */
static const struct generic_field {
	uint8_t field; /* enum precis_field */
	uint8_t width; /* bytes of the member, or SIGNED_4 */
	uint8_t zero_is_absent; /* the kernel writes 0 where it has no value */
	uint8_t without_payload; /* only where no payload says it better */
	uint8_t not_of_pebs; /* there the event decides whether it means anything */
	uint16_t member; /* of struct precis_perf_sample */
	uint64_t bits; /* of sample_type: one of them */
} generic_fields[] = {
#define MEMBER(name)                                                                               \
	.member = offsetof(struct precis_perf_sample, name),                                       \
	.width = sizeof(((struct precis_perf_sample *)0)->name)
	{ .field = PRECIS_FIELD_CPU, MEMBER(cpu), .bits = PRECIS_SAMPLE_CPU },
	{ .field = PRECIS_FIELD_PID,
	  .member = offsetof(struct precis_perf_sample, pid),
	  .width = SIGNED_4,
	  .bits = PRECIS_SAMPLE_TID },
	{ .field = PRECIS_FIELD_TID,
	  .member = offsetof(struct precis_perf_sample, tid),
	  .width = SIGNED_4,
	  .bits = PRECIS_SAMPLE_TID },
	{ .field = PRECIS_FIELD_TIME, MEMBER(time), .bits = PRECIS_SAMPLE_TIME },
	{ .field = PRECIS_FIELD_PERIOD, MEMBER(period), .bits = PRECIS_SAMPLE_PERIOD },
	{ .field = PRECIS_FIELD_IP, MEMBER(ip), .bits = PRECIS_SAMPLE_IP, .without_payload = 1 },
	{ .field = PRECIS_FIELD_ADDR,
	  MEMBER(addr),
	  .bits = PRECIS_SAMPLE_ADDR,
	  .without_payload = 1,
	  .not_of_pebs = 1,
	  .zero_is_absent = 1 },
	{ .field = PRECIS_FIELD_PHYS_ADDR,
	  MEMBER(phys_addr),
	  .bits = PRECIS_SAMPLE_PHYS_ADDR,
	  .without_payload = 1,
	  .zero_is_absent = 1 },
	{ .field = PRECIS_FIELD_TRANSACTION,
	  MEMBER(transaction),
	  .bits = PRECIS_SAMPLE_TRANSACTION },
	{ .field = PRECIS_FIELD_PERF_WEIGHT,
	  MEMBER(weight),
	  .bits = PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT },
	{ .field = PRECIS_FIELD_PERF_WEIGHT2,
	  MEMBER(weight_var2),
	  .bits = PRECIS_SAMPLE_WEIGHT_STRUCT },
	{ .field = PRECIS_FIELD_PERF_WEIGHT3,
	  MEMBER(weight_var3),
	  .bits = PRECIS_SAMPLE_WEIGHT_STRUCT },
	{ .field = PRECIS_FIELD_PERF_DATA_SRC, MEMBER(data_src), .bits = PRECIS_SAMPLE_DATA_SRC },
	{ .field = PRECIS_FIELD_DATA_PAGE_SIZE,
	  MEMBER(data_page_size),
	  .bits = PRECIS_SAMPLE_DATA_PAGE_SIZE,
	  .zero_is_absent = 1 },
	{ .field = PRECIS_FIELD_CODE_PAGE_SIZE,
	  MEMBER(code_page_size),
	  .bits = PRECIS_SAMPLE_CODE_PAGE_SIZE,
	  .zero_is_absent = 1 },
	{ .field = PRECIS_FIELD_CGROUP, MEMBER(cgroup), .bits = PRECIS_SAMPLE_CGROUP },
#undef MEMBER
};
#define GENERIC_FIELDS (sizeof(generic_fields) / sizeof(generic_fields[0]))
#define FILLED_BY_HAND 3u

enum {
	CATALOGUE_GENERIC_FIELDS = 0
#define PRECIS_PERF_FIELD(id, source) +1
#include "libdecode/sample/perf_sources.def"
#undef PRECIS_PERF_FIELD
};
_Static_assert(GENERIC_FIELDS + FILLED_BY_HAND == CATALOGUE_GENERIC_FIELDS,
	       "the table has every field that the catalogue takes from a generic one");

static inline void put(struct precis_sample *sample, uint32_t field, uint64_t value)
{
	precis_fields_add(sample->present, field);
	sample->value[field] = value;
}

/* What stands before the payload, in its order; TID and CPU are two half words */
static const uint32_t front_bits[] = {
	PRECIS_SAMPLE_IDENTIFIER, PRECIS_SAMPLE_IP,   PRECIS_SAMPLE_TID,
	PRECIS_SAMPLE_TIME,       PRECIS_SAMPLE_ADDR, PRECIS_SAMPLE_ID,
	PRECIS_SAMPLE_STREAM_ID,  PRECIS_SAMPLE_CPU,  PRECIS_SAMPLE_PERIOD,
};
#define FRONT_BITS                                                                                 \
	(PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME |    \
	 PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_ID | PRECIS_SAMPLE_STREAM_ID | PRECIS_SAMPLE_CPU |     \
	 PRECIS_SAMPLE_PERIOD)
/* One word each behind the payload */
#define TAIL_WORDS                                                                                 \
	(PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT | PRECIS_SAMPLE_DATA_SRC |             \
	 PRECIS_SAMPLE_TRANSACTION | PRECIS_SAMPLE_PHYS_ADDR | PRECIS_SAMPLE_CGROUP |              \
	 PRECIS_SAMPLE_DATA_PAGE_SIZE | PRECIS_SAMPLE_CODE_PAGE_SIZE)

/* and the order of these */
static const uint32_t tail_bits[] = {
	PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT,
	PRECIS_SAMPLE_DATA_SRC,
	PRECIS_SAMPLE_TRANSACTION,
	PRECIS_SAMPLE_PHYS_ADDR,
	PRECIS_SAMPLE_CGROUP,
	PRECIS_SAMPLE_DATA_PAGE_SIZE,
	PRECIS_SAMPLE_CODE_PAGE_SIZE,
};

/* How many bytes of words a sample has before that of 'bit', of those in the list */
static uint32_t bytes_before(const uint32_t *bits, size_t count, uint64_t type, uint64_t bit)
{
	uint32_t bytes = 0;

	for (size_t i = 0; i < count && !(bits[i] & bit); i++)
		bytes += type & bits[i] ? 8 : 0;
	return bytes;
}

/* Where a part before the payload stands in the record. */
static uint32_t front_offset(uint64_t type, uint64_t bit)
{
	return RECORD_HEADER_BYTES +
	       bytes_before(front_bits, sizeof(front_bits) / sizeof(front_bits[0]), type, bit);
}

static uint32_t tail_offset(uint64_t type, uint64_t bit)
{
	return bytes_before(tail_bits, sizeof(tail_bits) / sizeof(tail_bits[0]), type, bit);
}

/* Half words: the member that is the second of its word */
static uint32_t half_offset(uint32_t field)
{
	return field == PRECIS_FIELD_TID ? 4 : 0;
}

/* What fill_rest() writes into every sample with such parts, if it is wanted */
static void add_rest(struct precis_decoder_plan *plan, uint64_t type)
{
	static const uint8_t always[] = { PRECIS_FIELD_EVENT, PRECIS_FIELD_CPUMODE };

	for (size_t i = 0; i < sizeof(always); i++) {
		if (precis_fields_have(plan->wanted, always[i]))
			precis_fields_add(plan->direct.written, always[i]);
	}
	if ((type & PRECIS_SAMPLE_IP) && precis_fields_have(plan->wanted, PRECIS_FIELD_IP_EXACT))
		precis_fields_add(plan->direct.written, PRECIS_FIELD_IP_EXACT);
}

static void add_step(struct precis_decoder_plan *plan, const struct generic_field *row,
		     uint32_t offset)
{
	uint32_t at = plan->direct.count++;

	plan->direct.step[at].field = row->field;
	plan->direct.step[at].width = row->width;
	plan->direct.step[at].zero_is_absent = row->zero_is_absent;
	plan->direct.step[at].offset = (uint16_t)offset;
	precis_fields_add(plan->direct.written, row->field);
}

static void add_tail(struct precis_decoder_plan *plan, const struct generic_field *row,
		     uint32_t from_end)
{
	uint32_t at = plan->direct.tail_count++;

	plan->direct.tail[at].field = row->field;
	plan->direct.tail[at].zero_is_absent = row->zero_is_absent;
	plan->direct.tail[at].from_end = (uint16_t)from_end;
}

static void make_direct(struct precis_decoder_plan *plan, uint64_t type)
{
	const int has_payload = (type & PRECIS_SAMPLE_RAW) != 0;
	int is_fixed = !(type & ~(uint64_t)(FRONT_BITS | PRECIS_SAMPLE_RAW | TAIL_WORDS));

	memset(&plan->direct, 0, sizeof(plan->direct));
	add_rest(plan, type);
	plan->direct.raw_offset = (uint16_t)front_offset(type, PRECIS_SAMPLE_RAW);
	plan->direct.tail_bytes = 8 * (uint32_t)__builtin_popcountll(type & TAIL_WORDS);
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct generic_field *row = &generic_fields[plan->rows[i]];
		uint64_t bit = row->bits & type;

		if (!bit || (has_payload && row->without_payload))
			continue;
		if (bit & PRECIS_SAMPLE_WEIGHT_STRUCT)
			is_fixed = 0; /* three values in a word */
		else if (!(bit & TAIL_WORDS))
			add_step(plan, row, front_offset(type, bit) + half_offset(row->field));
		else if (has_payload)
			add_tail(plan, row, plan->direct.tail_bytes - tail_offset(type, bit));
		else
			add_step(plan, row, plan->direct.raw_offset + tail_offset(type, bit));
	}
	plan->direct.usable = is_fixed && has_payload;
	plan->direct.plain = is_fixed && !has_payload;
}
_Static_assert(GENERIC_FIELDS <= 16, "a plan has a step for each");
_Static_assert(sizeof(tail_bits) / sizeof(tail_bits[0]) <= 8, "a plan has a place for each");

static void make_plan(struct precis_decoder_plan *plan, const struct precis_layout *layout,
		      const uint64_t *wanted)
{
	memcpy(plan->wanted, wanted, sizeof(plan->wanted));
	plan->count = 0;
	for (uint32_t i = 0; i < GENERIC_FIELDS; i++) {
		if (precis_fields_have(wanted, generic_fields[i].field))
			plan->rows[plan->count++] = (uint8_t)i;
	}
	make_direct(plan, layout->sample_type);
}

/* What no member has: 'present' is what of sample_type could be read. */
static inline void fill_rest(const struct precis_decoder *decoder, const uint64_t *wanted,
			     const struct precis_record *record, uint64_t present,
			     struct precis_sample *sample)
{
	if (precis_fields_have(wanted, PRECIS_FIELD_EVENT))
		put(sample, PRECIS_FIELD_EVENT, decoder->index);
	if (precis_fields_have(wanted, PRECIS_FIELD_IP_EXACT) && (present & PRECIS_SAMPLE_IP))
		put(sample, PRECIS_FIELD_IP_EXACT, !!(record->misc & PRECIS_MISC_EXACT_IP));
	if (precis_fields_have(wanted, PRECIS_FIELD_CPUMODE))
		put(sample, PRECIS_FIELD_CPUMODE, record->misc & PRECIS_MISC_CPUMODE_MASK);
	/* A fixed period stands in the attr alone. 0 there: in the config, as the payload has it. */
	if (!(present & PRECIS_SAMPLE_PERIOD) && decoder->fixed_period &&
	    precis_fields_have(wanted, PRECIS_FIELD_PERIOD))
		put(sample, PRECIS_FIELD_PERIOD, decoder->fixed_period);
}

static inline void fill_generic(const struct precis_decoder *decoder,
				const struct precis_record *record,
				const struct precis_perf_sample *perf, int decoded,
				struct precis_sample *sample)
{
	for (uint32_t i = 0; i < decoder->plan.count; i++) {
		const struct generic_field *row = &generic_fields[decoder->plan.rows[i]];
		uint64_t value;

		if (!(row->bits & perf->present) || (decoded && row->without_payload) ||
		    (row->not_of_pebs && decoder->kind == PRECIS_EVENT_PEBS))
			continue;
		value = load_generic((const uint8_t *)perf + row->member, row->width);
		if (value || !row->zero_is_absent)
			put(sample, row->field, value);
	}
	fill_rest(decoder, decoder->plan.wanted, record, perf->present, sample);
}

/* The same straight from the record, as the plan allows. */
static inline void fill_direct(const struct precis_decoder *decoder,
			       const struct precis_record *record, struct precis_sample *sample)
{
	const struct precis_decoder_plan *plan = &decoder->plan;

	for (uint32_t i = 0; i < plan->direct.count; i++)
		sample->value[plan->direct.step[i].field] = load_generic(
			record->data + plan->direct.step[i].offset, plan->direct.step[i].width);
	for (uint32_t word = 0; word < FIELD_WORDS; word++)
		sample->present[word] |= plan->direct.written[word];
	for (uint32_t i = 0; i < plan->direct.tail_count; i++) {
		uint64_t value =
			load_u64(record->data + record->size - plan->direct.tail[i].from_end);

		if (value || !plan->direct.tail[i].zero_is_absent)
			put(sample, plan->direct.tail[i].field, value);
	}
	fill_rest(decoder, plan->wanted, record, decoder->layout.sample_type, sample);
}

static inline int is_ibs(uint32_t kind)
{
	return kind == PRECIS_EVENT_IBS_OP || kind == PRECIS_EVENT_IBS_FETCH;
}

/* What the kernel made of PEBS or, where the registers are not there, of IBS */
static void decode_words(struct precis_decoder *decoder, const struct precis_perf_sample *perf,
			 const uint64_t *wanted, struct precis_sample *sample)
{
	const uint64_t weights = PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT;
	const struct precis_perf_words words = {
		.size = sizeof(words),
		.captured = (uint32_t)(perf->present &
				       (PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_DATA_SRC | weights)),
		.addr = perf->addr,
		.data_src = perf->data_src,
		.weight = perf->weight,
		.weight_var2 = perf->weight_var2,
		.weight_var3 = perf->weight_var3,
	};

	if (!decoder->pebs)
		return;
	if (decoder->kind == PRECIS_EVENT_PEBS ||
	    (decoder->kind == PRECIS_EVENT_IBS_OP && (words.captured & PRECIS_SAMPLE_DATA_SRC)))
		precis_perf_words_decode(decoder->pebs, &words, wanted, sample);
}

/* Registers and fields of an IBS payload. @return 0, or why there are none */
static inline int decode_payload(const struct precis_decoder *decoder,
				 const struct precis_bytes *raw, const uint64_t *wanted,
				 struct precis_sample *sample)
{
	struct precis_ibs_fetch *fetch = &sample->registers.ibs_fetch;
	struct precis_ibs_op *op = &sample->registers.ibs_op;
	int error;

	if (decoder->kind == PRECIS_EVENT_IBS_OP) {
		op->size = sizeof(*op);
		error = precis_ibs_op_parse(raw->data, raw->bytes, op);
		return error ? error : precis_ibs_op_decode(decoder->ibs, op, wanted, sample);
	}
	fetch->size = sizeof(*fetch);
	error = precis_ibs_fetch_parse(raw->data, raw->bytes, (int)decoder->old_fetch_layout,
				       fetch);
	return error ? error : precis_ibs_fetch_decode(decoder->ibs, fetch, wanted, sample);
}

/* Does the record end with the words behind this payload? */
static inline int is_all(const struct precis_decoder_plan *plan, const struct precis_bytes *raw,
			 uint32_t size)
{
	return plan->direct.raw_offset + 4u + raw->bytes + plan->direct.tail_bytes == size;
}

/*
 * The short way, for a caller who does not want the parts: payload and fields
 * from their fixed places. @return 1; 0 if the sample has to be taken apart
 */
static inline int sample_direct(const struct precis_decoder *decoder,
				const struct precis_record *record, const uint64_t *wanted,
				struct precis_sample *sample)
{
	const struct precis_decoder_plan *plan = &decoder->plan;
	struct precis_bytes raw;

	if (!plan->direct.usable || !is_ibs(decoder->kind) ||
	    !direct_payload(plan, record->data, record->size, &raw) ||
	    (plan->direct.tail_count && !is_all(plan, &raw, record->size)))
		return 0;
	/* what is written anyway need not be made absent before */
	for (uint32_t word = 0; word < FIELD_WORDS; word++)
		sample->present[word] &= ~plan->direct.written[word];
	if (decode_payload(decoder, &raw, wanted, sample))
		return 0;
	sample->event_kind = decoder->kind;
	fill_direct(decoder, record, sample);
	return 1;
}

/*
 * The same for an event without payload, into a sample that has nothing but what
 * is written again. @return 1; 0 if the sample has to be taken apart
 */
static inline int sample_plain(const struct precis_decoder *decoder,
			       const struct precis_record *record, const uint64_t *wanted,
			       struct precis_sample *sample)
{
	const struct precis_decoder_plan *plan = &decoder->plan;
	uint64_t known[PRECIS_FIELD_WORDS];

	if (!plan->direct.plain || decoder->kind != PRECIS_EVENT_OTHER ||
	    record->size != plan->direct.raw_offset + plan->direct.tail_bytes ||
	    sample->source != PRECIS_SOURCE_NONE || sample->event_kind != decoder->kind ||
	    sample->payload_error || memcmp(sample->wanted, wanted, sizeof(sample->wanted)))
		return 0;
	memcpy(known, plan->direct.written, sizeof(known));
	precis_fields_add(known, PRECIS_FIELD_PERIOD); /* the attr may have it */
	for (uint32_t word = 0; word < FIELD_WORDS; word++) {
		if (sample->present[word] & ~known[word])
			return 0;
	}
	memcpy(sample->present, plan->direct.written, sizeof(sample->present));
	sample->value[PRECIS_FIELD_PERIOD] = UINT64_MAX;
	for (uint32_t i = 0; i < plan->direct.count; i++) {
		uint32_t field = plan->direct.step[i].field;
		uint64_t value = load_generic(record->data + plan->direct.step[i].offset,
					      plan->direct.step[i].width);

		if (unlikely(!value && plan->direct.step[i].zero_is_absent)) {
			precis_fields_remove(sample->present, field);
			value = UINT64_MAX;
		}
		sample->value[field] = value;
	}
	fill_rest(decoder, plan->wanted, record, decoder->layout.sample_type, sample);
	return 1;
}

/* Whose registers are none, or words alone: what is left of the last one stands where 'present' says */
static int has_few(const struct precis_sample *sample)
{
	return sample->size == sizeof(*sample) &&
	       (sample->source == PRECIS_SOURCE_NONE || sample->source == PRECIS_SOURCE_PERF_WORDS);
}

/*
 * As precis_sample_init(). Of sizes that they know compilers make instructions that fill memory word by word,
 * which take several times as long as the function of the C library.
 */
static void empty_sample(struct precis_sample *sample)
{
	const volatile size_t front = offsetof(struct precis_sample, value),
			      few = offsetof(struct precis_sample, registers) +
				    sizeof(sample->registers.perf_words),
			      values = sizeof(sample->value);

	if (!has_few(sample)) {
		memset(sample, 0, front);
		memset(sample->value, 0xff, values);
		sample->size = sizeof(*sample);
		return;
	}
	for (uint32_t word = 0; word < FIELD_WORDS; word++)
		sample_forget(sample, word, sample->present[word]);
	memset(sample, 0, few);
	sample->size = sizeof(*sample);
}

static void init_sample(const uint64_t *wanted, int payload_error, struct precis_sample *sample)
{
	empty_sample(sample);
	memcpy(sample->wanted, wanted, sizeof(sample->wanted));
	sample->payload_error = payload_error;
}

int precis_decoder_init(struct precis_decoder *decoder, const void *attr, size_t bytes)
{
	int error;

	if (!decoder || decoder->size < sizeof(*decoder))
		return PRECIS_E_ARGUMENT;
	memset(decoder, 0, sizeof(*decoder));
	decoder->size = sizeof(*decoder);
	decoder->layout.size = sizeof(decoder->layout);
	error = precis_layout_init(attr, bytes, &decoder->layout);
	if (error)
		return error;
	if (!attr_bits(attr, ATTR_FREQ, 1))
		decoder->fixed_period = attr_u64(attr, bytes, ATTR_SAMPLE_PERIOD);
	return 0;
}

/* The long way: the sample is taken apart. */
static int sample_by_parts(struct precis_decoder *decoder, const struct precis_record *record,
			   const uint64_t *wanted, struct precis_perf_sample *perf,
			   struct precis_sample *sample)
{
	int error = precis_perf_sample_parse(&decoder->layout, record, perf);
	int payload_error = 0, decoded = 0;

	if (is_ibs(decoder->kind)) {
		payload_error = perf->present & PRECIS_SAMPLE_RAW
					? decode_payload(decoder, &perf->raw, wanted, sample)
					: PRECIS_E_NO_PAYLOAD;
		decoded = !payload_error;
	}
	if (unlikely(!decoded))
		init_sample(wanted, payload_error, sample);
	sample->event_kind = decoder->kind;
	if (unlikely(!decoded))
		decode_words(decoder, perf, wanted, sample);
	fill_generic(decoder, record, perf, decoded, sample);
	return error;
}

static __attribute__((noinline)) int sample_of_other_size(struct precis_decoder *decoder,
							  const struct precis_record *record,
							  const uint64_t *wanted,
							  struct precis_perf_sample *perf,
							  struct precis_sample *sample)
{
	ABI_MAY_OUT(struct precis_perf_sample, perf,
		    precis_decoder_sample(decoder, record, wanted, &abi, sample));
	ABI_SAMPLE(sample, precis_decoder_sample(decoder, record, wanted, perf, &abi));
	return PRECIS_E_ARGUMENT;
}

/* Apart, for the room of its parts */
static __attribute__((noinline)) int sample_by_own_parts(struct precis_decoder *decoder,
							 const struct precis_record *record,
							 const uint64_t *wanted,
							 struct precis_sample *sample)
{
	struct precis_perf_sample perf;

	perf.size = sizeof(perf); /* which fills the rest */
	return sample_by_parts(decoder, record, wanted, &perf, sample);
}

int precis_decoder_decode(struct precis_decoder *decoder, const struct precis_record *record,
			  const uint64_t *wanted, struct precis_perf_sample *perf,
			  struct precis_sample *sample)
{
	if (!wanted)
		wanted = precis_all_fields;
	if (unlikely(memcmp(decoder->plan.wanted, wanted, sizeof(decoder->plan.wanted))))
		make_plan(&decoder->plan, &decoder->layout, wanted);
	if (perf)
		return sample_by_parts(decoder, record, wanted, perf, sample);
	if (likely(sample_direct(decoder, record, wanted, sample)) ||
	    sample_plain(decoder, record, wanted, sample))
		return 0;
	return sample_by_own_parts(decoder, record, wanted, sample);
}

/* Fields that stand in the record and that no payload has */
static int wants_parts(const struct precis_decoder *decoder, const uint64_t *wanted)
{
	for (size_t i = 0; i < GENERIC_FIELDS; i++) {
		const struct generic_field *row = &generic_fields[i];

		if (!row->without_payload && (row->bits & decoder->layout.sample_type) &&
		    precis_fields_have(wanted, row->field))
			return 1;
	}
	return 0;
}

int precis_decoder_decode_op(const struct precis_decoder *decoder,
			     const struct precis_record *record, const struct precis_ibs_op *op,
			     const uint64_t *wanted, struct precis_sample *sample)
{
	if (wants_parts(decoder, wanted) || precis_ibs_op_decode(decoder->ibs, op, wanted, sample))
		return 0;
	fill_rest(decoder, wanted, record, decoder->layout.sample_type, sample);
	return 1;
}

int precis_decoder_sample(struct precis_decoder *decoder, const struct precis_record *record,
			  const uint64_t *wanted, struct precis_perf_sample *perf,
			  struct precis_sample *sample)
{
	if (unlikely(ABI_SAMPLES_DIFFER(perf, sample)))
		return sample_of_other_size(decoder, record, wanted, perf, sample);
	if (unlikely(!decoder || decoder->size < sizeof(*decoder) || !record ||
		     record->type != PRECIS_RECORD_SAMPLE ||
		     (is_ibs(decoder->kind) && !decoder->ibs)))
		return PRECIS_E_ARGUMENT;
	return precis_decoder_decode(decoder, record, wanted, perf, sample);
}
