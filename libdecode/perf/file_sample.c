/* SPDX-License-Identifier: BSD-3-Clause */
/* From a SAMPLE record to the vendor-neutral sample: the payload's fields, then the generic. */
#include "file_private.h"

/*
 * Where a generic field comes from. EVENT, IP_EXACT and CPUMODE have no member
 * of their own and are filled by hand.
 */
static const struct generic_field {
	uint8_t field; /* enum precis_field */
	uint8_t width; /* bytes of the member */
	uint8_t is_signed;
	uint8_t zero_is_absent; /* the kernel writes 0 where it has no value */
	uint8_t without_payload; /* only where no payload says it better */
	uint16_t member; /* of struct precis_perf_sample */
	uint64_t bits; /* of sample_type: one of them */
} generic_fields[] = {
#define MEMBER(name)                                                                               \
	.member = offsetof(struct precis_perf_sample, name),                                       \
	.width = sizeof(((struct precis_perf_sample *)0)->name)
	{ .field = PRECIS_FIELD_CPU, MEMBER(cpu), .bits = PRECIS_SAMPLE_CPU },
	{ .field = PRECIS_FIELD_PID, MEMBER(pid), .bits = PRECIS_SAMPLE_TID, .is_signed = 1 },
	{ .field = PRECIS_FIELD_TID, MEMBER(tid), .bits = PRECIS_SAMPLE_TID, .is_signed = 1 },
	{ .field = PRECIS_FIELD_TIME, MEMBER(time), .bits = PRECIS_SAMPLE_TIME },
	{ .field = PRECIS_FIELD_PERIOD, MEMBER(period), .bits = PRECIS_SAMPLE_PERIOD },
	{ .field = PRECIS_FIELD_IP, MEMBER(ip), .bits = PRECIS_SAMPLE_IP, .without_payload = 1 },
	{ .field = PRECIS_FIELD_ADDR,
	  MEMBER(addr),
	  .bits = PRECIS_SAMPLE_ADDR,
	  .without_payload = 1,
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

/* What the catalogue says of generic fields */
#define OP(...) 1
#define FETCH(...) 1
#define PERF(source) 1
#define NO_OP 0
#define NO_FETCH 0
#define NO_PERF 0
enum {
	CATALOGUE_GENERIC_FIELDS = 0
#define PRECIS_FIELD(id, name, aliases, type, unit, op, fetch, perf, meaning) +perf
#include <precis/fields.def>
#undef PRECIS_FIELD
};
_Static_assert(GENERIC_FIELDS + FILLED_BY_HAND == CATALOGUE_GENERIC_FIELDS,
	       "the table has every field that the catalogue takes from a generic one");

static inline void put(struct precis_sample *sample, uint32_t field, uint64_t value)
{
	precis_fields_add(sample->present, field);
	sample->value[field] = value;
}

static void make_plan(struct generic_plan *plan, const uint64_t *wanted)
{
	memcpy(plan->wanted, wanted, sizeof(plan->wanted));
	plan->count = 0;
	for (uint32_t i = 0; i < GENERIC_FIELDS; i++) {
		if (precis_fields_have(wanted, generic_fields[i].field))
			plan->rows[plan->count++] = (uint8_t)i;
	}
}

static inline uint64_t load_member(const struct precis_perf_sample *perf,
				   const struct generic_field *row)
{
	const uint8_t *at = (const uint8_t *)perf + row->member;

	switch (row->width) {
	case 2:
		return load_u16(at);
	case 4:
		return row->is_signed ? (uint64_t)(int64_t)(int32_t)load_u32(at) : load_u32(at);
	default:
		return load_u64(at);
	}
}

static inline void fill_generic(struct generic_plan *plan, const struct file_event *event,
				const struct precis_perf_sample *perf, int decoded,
				struct precis_sample *sample)
{
	const struct precis_event *view = &event->view;

	for (uint32_t i = 0; i < plan->count; i++) {
		const struct generic_field *row = &generic_fields[plan->rows[i]];
		uint64_t value;

		if (!(row->bits & perf->present) || (decoded && row->without_payload))
			continue;
		value = load_member(perf, row);
		if (value || !row->zero_is_absent)
			put(sample, row->field, value);
	}
	if (precis_fields_have(plan->wanted, PRECIS_FIELD_EVENT))
		put(sample, PRECIS_FIELD_EVENT, view->index);
	if (precis_fields_have(plan->wanted, PRECIS_FIELD_IP_EXACT) &&
	    (perf->present & PRECIS_SAMPLE_IP))
		put(sample, PRECIS_FIELD_IP_EXACT, !!(perf->misc & PRECIS_MISC_EXACT_IP));
	if (precis_fields_have(plan->wanted, PRECIS_FIELD_CPUMODE))
		put(sample, PRECIS_FIELD_CPUMODE, perf->misc & PRECIS_MISC_CPUMODE_MASK);
	/* A fixed period stands in the attr alone. 0 there: in the config, as the payload has it. */
	if (!(perf->present & PRECIS_SAMPLE_PERIOD) && !view->is_frequency && view->sample_period &&
	    precis_fields_have(plan->wanted, PRECIS_FIELD_PERIOD))
		put(sample, PRECIS_FIELD_PERIOD, view->sample_period);
}

/* Registers and fields of an IBS payload. @return 0, or why there are none */
static inline int decode_payload(struct precis_file *file, const struct file_event *event,
				 const struct precis_perf_sample *perf, uint64_t wanted,
				 struct precis_sample *sample)
{
	struct precis_ibs_fetch *fetch = &sample->registers.ibs_fetch;
	struct precis_ibs_op *op = &sample->registers.ibs_op;
	const struct precis_bytes *raw = &perf->raw;
	int error;

	if (!(perf->present & PRECIS_SAMPLE_RAW))
		return PRECIS_E_NO_PAYLOAD;
	if (event->view.kind == PRECIS_EVENT_IBS_OP) {
		op->size = sizeof(*op);
		error = precis_ibs_op_parse(raw->data, raw->bytes, op);
		return error ? error : precis_ibs_op_decode(&file->ibs, op, wanted, sample);
	}
	fetch->size = sizeof(*fetch);
	error = precis_ibs_fetch_parse(raw->data, raw->bytes, (int)file->old_fetch_layout, fetch);
	return error ? error : precis_ibs_fetch_decode(&file->ibs, fetch, wanted, sample);
}

static void init_sample(const uint64_t *wanted, int payload_error, struct precis_sample *sample)
{
	precis_sample_init(sample);
	memcpy(sample->wanted, wanted, sizeof(sample->wanted));
	sample->payload_error = payload_error;
}

/* A record may be asked for twice: its fault counts once. */
static void count_fault(struct precis_file *file, const struct precis_record *record,
			uint64_t *counter)
{
	if (file->faulted == record->offset + 1)
		return;
	file->faulted = record->offset + 1;
	*counter += 1;
}

int precis_file_sample(struct precis_file *file, const struct precis_record *record,
		       const uint64_t *wanted, struct precis_perf_sample *perf,
		       struct precis_sample *sample)
{
	static const uint64_t everything[PRECIS_FIELD_WORDS] = { UINT64_MAX, UINT64_MAX };
	int error, payload_error = 0, decoded = 0;
	struct file_event *event;

	if (unlikely(!file || !record || record->type != PRECIS_RECORD_SAMPLE ||
		     (perf && perf->size < sizeof(*perf)) || !sample ||
		     sample->size < sizeof(*sample)))
		return PRECIS_E_ARGUMENT;
	if (!wanted)
		wanted = everything;
	if (!perf)
		perf = &file->scratch;
	event = likely(file->sampled && file->sampled_at == record->offset) ?
			file->sampled :
			precis_file_find(file, record);
	if (unlikely(!event)) { /* counted by precis_file_next() */
		init_sample(wanted, 0, sample);
		perf->present = 0;
		return PRECIS_E_BAD_ID;
	}
	error = precis_perf_sample_parse(&event->layout, record, perf);
	if (unlikely(!event->payload_judged) && (perf->present & PRECIS_SAMPLE_RAW))
		precis_file_judge_payload(event, &perf->raw);
	if (event->view.kind != PRECIS_EVENT_OTHER) {
		payload_error = decode_payload(file, event, perf, wanted[0], sample);
		decoded = !payload_error;
	}
	if (likely(decoded))
		sample->wanted[1] = wanted[1]; /* the decoder knows of word 0 */
	else
		init_sample(wanted, payload_error, sample);
	if (unlikely(memcmp(file->plan.wanted, wanted, sizeof(file->plan.wanted))))
		make_plan(&file->plan, wanted);
	sample->event_kind = event->view.kind;
	fill_generic(&file->plan, event, perf, decoded, sample);
	if (unlikely(error))
		count_fault(file, record, &file->counts.samples_unread);
	else if (unlikely(payload_error && (perf->present & PRECIS_SAMPLE_RAW)))
		count_fault(file, record, &event->counts.undecodable);
	return error;
}
