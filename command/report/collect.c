/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting samples: numbers one by one, all else by classes (class.h). */
#include "collect.h"

#include <stdlib.h>
#include <string.h>

#define BIT(id) PRECIS_FIELD_BIT(PRECIS_FIELD_##id)

/* Numbers, which are decoded for each sample */
#define MEASURED                                                                                   \
	(BIT(IP) | BIT(DCACHE_MISS_LATENCY) | BIT(TLB_REFILL_LATENCY) | BIT(MISS_BUFFERS_OPEN) |   \
	 BIT(TAG_TO_RETIRE) | BIT(TAG_TO_COMPLETION) | BIT(COMPLETION_TO_RETIRE) |                 \
	 BIT(FETCH_LATENCY) | BIT(ITLB_REFILL_LATENCY))

/* Where and when each sample was taken */
#define PLACED (BIT(TIME) | BIT(PID) | BIT(CPUMODE))

/* What classes are told apart by */
#define DECIDED                                                                                    \
	(BIT(OP) | BIT(MEM_LEVEL) | BIT(MEM_REMOTE) | BIT(DCACHE_MISS) | BIT(TLB_LEVEL) |          \
	 BIT(PAGE_SIZE) | BIT(MISS_BUFFER_ALLOCATED) | BIT(BRANCH_TAKEN) |                         \
	 BIT(BRANCH_MISPREDICTED) | BIT(BRANCH_RETURN) | BIT(FUSED_BRANCH) | BIT(L3_MISS_ONLY) |   \
	 BIT(PERIOD_UNIT) |                                                                        \
	 BIT(FETCH_COMPLETED) | BIT(ICACHE_MISS) | BIT(OPCACHE_MISS) | BIT(FETCH_L2_MISS) |        \
	 BIT(FETCH_L3_MISS) | BIT(ITLB_LEVEL) | BIT(FETCH_PAGE_SIZE))

_Static_assert(PRECIS_FIELD_FETCH_PAGE_SIZE < 64 && PRECIS_FIELD_ITLB_REFILL_LATENCY < 64,
	       "fields of IBS are all in word 0");

/* Fields whose absence is explained, by unit */
static const uint8_t op_explained[] = {
	PRECIS_FIELD_IP,
	PRECIS_FIELD_OP,
	PRECIS_FIELD_MEM_LEVEL,
	PRECIS_FIELD_MEM_REMOTE,
	PRECIS_FIELD_DCACHE_MISS_LATENCY,
	PRECIS_FIELD_TLB_LEVEL,
	PRECIS_FIELD_PAGE_SIZE,
	PRECIS_FIELD_TLB_REFILL_LATENCY,
	PRECIS_FIELD_MISS_BUFFER_ALLOCATED,
	PRECIS_FIELD_MISS_BUFFERS_OPEN,
	PRECIS_FIELD_TAG_TO_RETIRE,
	PRECIS_FIELD_TAG_TO_COMPLETION,
	PRECIS_FIELD_COMPLETION_TO_RETIRE,
	PRECIS_FIELD_BRANCH_TAKEN,
	PRECIS_FIELD_BRANCH_MISPREDICTED,
	PRECIS_FIELD_FUSED_BRANCH,
};
static const uint8_t fetch_explained[] = {
	PRECIS_FIELD_IP,
	PRECIS_FIELD_FETCH_COMPLETED,
	PRECIS_FIELD_FETCH_LATENCY,
	PRECIS_FIELD_ICACHE_MISS,
	PRECIS_FIELD_OPCACHE_MISS,
	PRECIS_FIELD_FETCH_L2_MISS,
	PRECIS_FIELD_FETCH_L3_MISS,
	PRECIS_FIELD_ITLB_LEVEL,
	PRECIS_FIELD_FETCH_PAGE_SIZE,
	PRECIS_FIELD_ITLB_REFILL_LATENCY,
};

static void want_periods(const struct precis_file *file, uint64_t wanted[PRECIS_FIELD_WORDS])
{
	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		/* a fixed period is the event's, not each sample's */
		if (precis_file_event(file, n)->is_frequency)
			wanted[0] |= BIT(PERIOD);
	}
}

int collection_init(struct collection *collection, struct precis_file *file,
		    struct report_buffer *buffer, uint64_t wanted[PRECIS_FIELD_WORDS])
{
	memset(collection, 0, sizeof(*collection));
	collection->file = file;
	collection->buffer = buffer;
	collection->has_switches = file && offcpu_is_recorded(file);
	collection->full[0] = MEASURED | DECIDED;
	pebs_fields_decided(collection->full);
	collection->first_time = collection->least_period = UINT64_MAX;
	precis_sample_init(&collection->scratch);
	wanted[0] |= MEASURED | PLACED;
	pebs_fields_measured(wanted);
	if (file)
		want_periods(file, wanted);
	return class_table_init(&collection->classes, DECIDED, MEASURED);
}

static void free_histogram(struct histogram *histogram)
{
	if (histogram)
		histogram_free(histogram);
	free(histogram);
}

static void free_tlb(struct tlb_counts *tlb)
{
	for (uint32_t level = 0; level < TLB_LEVELS; level++) {
		for (uint32_t page = 0; page < PAGE_COUNT; page++)
			free_histogram(tlb->refill[level][page]);
	}
}

void collection_free(struct collection *collection)
{
	struct op_counts *op = &collection->op;

	for (uint32_t level = 0; level < LEVELS; level++) {
		for (uint32_t remote = 0; remote < REMOTES; remote++)
			free_histogram(op->miss_latency[level][remote]);
	}
	for (uint32_t kind = 0; kind < OP_KINDS; kind++) {
		for (uint32_t i = 0; i < PIPELINE_COUNT; i++)
			free_histogram(op->pipeline[kind][i]);
	}
	free_histogram(op->buffers);
	free_tlb(&op->tlb);
	for (uint32_t outcome = 0; outcome < FETCH_OUTCOMES; outcome++)
		free_histogram(collection->fetch.latency[outcome]);
	free_tlb(&collection->fetch.tlb);
	pebs_counts_free(&collection->pebs);
	event_places_free(&collection->others);
	class_table_free(&collection->classes);
	reasons_free(&collection->reasons);
	top_free(&collection->top);
	offcpu_records_free(&collection->switches);
}

const struct precis_cpu *collection_cpu(const struct collection *collection)
{
	return collection->file ? precis_file_cpu(collection->file) :
				  &collection->buffer->options->machine.cpu;
}

const struct precis_event *collection_event(const struct collection *collection, uint32_t number)
{
	return collection->file ? precis_file_event(collection->file, number) :
				  &collection->buffer->event;
}

enum page page_of(uint64_t bytes)
{
	switch (bytes) {
	case UINT64_C(1) << 12:
		return PAGE_4K;
	case UINT64_C(1) << 14:
		return PAGE_16K;
	case UINT64_C(1) << 21:
		return PAGE_2M;
	case UINT64_C(1) << 30:
		return PAGE_1G;
	default:
		return PAGE_ABSENT;
	}
}

static enum page page_in(const struct precis_sample *sample, enum precis_field field)
{
	uint64_t bytes;

	return precis_get(sample, field, &bytes) ? page_of(bytes) : PAGE_ABSENT;
}

/*
 * A fetch that was killed before it reached cache and TLB has a state of
 * neither, but a latency. One that has no latency either has no status at all.
 */
static enum fetch_outcome outcome_of(const struct precis_sample *sample)
{
	uint64_t completed, value;

	if (!precis_get_fetch_completed(sample, &completed))
		return FETCH_UNKNOWN;
	if (completed)
		return FETCH_COMPLETED;
	if (precis_get_itlb_level(sample, &value))
		return FETCH_GIVEN_UP;
	return precis_get_fetch_latency(sample, &value) ? FETCH_KILLED : FETCH_UNKNOWN;
}

static int is_true(const struct precis_sample *sample, enum precis_field field)
{
	uint64_t value;

	return precis_get(sample, field, &value) && value;
}

static void settle_branch(struct op_counts *op, const struct precis_sample *sample,
			  uint64_t samples)
{
	uint64_t taken;
	int is_in[BRANCH_GROUPS] = { 1 };

	if (!precis_get_branch_taken(sample, &taken))
		return;
	is_in[BRANCH_TAKEN] = taken != 0;
	is_in[BRANCH_NOT_TAKEN] = taken == 0;
	is_in[BRANCH_RETURN] = is_true(sample, PRECIS_FIELD_BRANCH_RETURN);
	is_in[BRANCH_FUSED] = is_true(sample, PRECIS_FIELD_FUSED_BRANCH);
	for (uint32_t group = 0; group < BRANCH_GROUPS; group++) {
		if (!is_in[group])
			continue;
		op->branches[group] += samples;
		count_flag(&op->mispredicted[group], sample, PRECIS_FIELD_BRANCH_MISPREDICTED,
			   samples);
	}
}

static void settle_op(struct collection *collection, const struct precis_sample *sample,
		      uint64_t samples)
{
	struct op_counts *op = &collection->op;
	uint32_t kind = kind_of(sample);
	enum access access = access_of(kind);

	op->samples += samples;
	op->cores |= sample->source == PRECIS_SOURCE_IBS_OP ? sample->cores : 0;
	op->from_words += sample->source == PRECIS_SOURCE_PERF_WORDS ? samples : 0;
	op->kind[kind] += samples;
	if (access != ACCESS_COUNT) {
		op->level[access][level_of(sample)][remote_of(sample)] += samples;
		op->tlb.samples[index_of(sample, PRECIS_FIELD_TLB_LEVEL, TLB_LEVELS, 0)]
			       [page_in(sample, PRECIS_FIELD_PAGE_SIZE)] += samples;
		count_flag(&op->dcache_miss[access], sample, PRECIS_FIELD_DCACHE_MISS, samples);
		count_flag(&op->own_buffer, sample, PRECIS_FIELD_MISS_BUFFER_ALLOCATED, samples);
	}
	settle_branch(op, sample, samples);
	count_flag(&op->l3_miss_only, sample, PRECIS_FIELD_L3_MISS_ONLY, samples);
	op->period_unit[index_of(sample, PRECIS_FIELD_PERIOD_UNIT, PERIOD_UNITS,
				 PERIOD_UNITS - 1)] += samples;
	for (size_t i = 0; i < sizeof(op_explained); i++)
		reasons_add(&collection->reasons, sample, op_explained[i], kind, samples);
}

static void settle_fetch(struct collection *collection, const struct precis_sample *sample,
			 uint64_t samples)
{
	struct fetch_counts *fetch = &collection->fetch;

	fetch->samples += samples;
	fetch->cores |= sample->cores;
	fetch->outcome[outcome_of(sample)] += samples;
	fetch->tlb.samples[index_of(sample, PRECIS_FIELD_ITLB_LEVEL, TLB_LEVELS, 0)]
			  [page_in(sample, PRECIS_FIELD_FETCH_PAGE_SIZE)] += samples;
	count_flag(&fetch->icache_miss, sample, PRECIS_FIELD_ICACHE_MISS, samples);
	count_flag(&fetch->opcache_miss, sample, PRECIS_FIELD_OPCACHE_MISS, samples);
	count_flag(&fetch->l2_miss, sample, PRECIS_FIELD_FETCH_L2_MISS, samples);
	count_flag(&fetch->l3_miss, sample, PRECIS_FIELD_FETCH_L3_MISS, samples);
	count_flag(&fetch->l3_miss_only, sample, PRECIS_FIELD_L3_MISS_ONLY, samples);
	for (size_t i = 0; i < sizeof(fetch_explained); i++)
		reasons_add(&collection->reasons, sample, fetch_explained[i], POPULATION_FETCH,
			    samples);
}

/* What each sample of an IBS event has if it can be decoded at all */
static uint32_t decodable_field(uint32_t event_kind)
{
	return event_kind == PRECIS_EVENT_IBS_OP ? PRECIS_FIELD_OP : PRECIS_FIELD_FETCH_COMPLETED;
}

/* Registers of an op, or what the kernel made of them */
static int is_op(const struct precis_sample *sample)
{
	return sample->source == PRECIS_SOURCE_IBS_OP ||
	       (sample->source == PRECIS_SOURCE_PERF_WORDS &&
		sample->event_kind == PRECIS_EVENT_IBS_OP);
}

#define PART(place, is_exact) ((place) << 1 | (is_exact))
#define PLACE(part) ((part) >> 1)

/* The same place, when the top tables have it; else none */
static uint32_t have_top(struct collection *collection, const struct precis_sample *sample,
			 uint32_t place)
{
	return top_have_event(&collection->top, sample->event_kind, place) < 0 ? 0 : place;
}

/*
 * What tells classes of samples without registers apart: the place of their event (0: it is not
 * known, or of IBS), and whether the address is the instruction's own. Kept out of the
 * loop over samples, which is made for those with registers.
 */
static __attribute__((noinline)) uint32_t part_of_words(struct collection *collection,
							const struct precis_record *record,
							const struct precis_sample *sample)
{
	uint32_t is_exact, place = 0;

	if (!record) { /* whether it is exact follows from what was captured */
		place = pebs_only_event_place(&collection->pebs);
		return PART(have_top(collection, sample, place), 0);
	}
	is_exact = !!(record->misc & PRECIS_MISC_EXACT_IP);
	if (sample->event_kind == PRECIS_EVENT_PEBS)
		place = pebs_event_place(&collection->pebs, collection->file,
					 precis_file_event_of(collection->file, record));
	else if (sample->event_kind == PRECIS_EVENT_OTHER)
		place = event_place(&collection->others, collection->file,
				    precis_file_event_of(collection->file, record));
	return PART(have_top(collection, sample, place), is_exact);
}

static struct pebs_event *pebs_event_of(const struct collection *collection,
					const struct sample_class *class)
{
	uint32_t place = PLACE(class->part);

	return place ? collection->pebs.events[place - 1] : NULL;
}

/* Only of a sample out of the AUX area can the event be unknown */
static int is_unmatched(const struct precis_sample *sample)
{
	return sample->source == PRECIS_SOURCE_PEBS &&
	       !precis_fields_have(sample->present, PRECIS_FIELD_EVENT);
}

static void settle_pebs(struct collection *collection, const struct precis_sample *sample,
			const struct sample_class *class)
{
	struct pebs_event *event = pebs_event_of(collection, class);

	collection->pebs.samples += class->samples;
	if (event)
		pebs_settle(&collection->pebs, event, sample, class->samples);
	else if (is_unmatched(sample))
		collection->pebs.unmatched += class->samples;
}

static void settle(void *data, const struct precis_sample *sample,
		   const struct sample_class *class)
{
	struct collection *collection = data;
	uint64_t samples = class->samples;

	collection->samples += samples;
	if (is_op(sample)) {
		settle_op(collection, sample, samples);
	} else if (sample->source == PRECIS_SOURCE_IBS_FETCH) {
		settle_fetch(collection, sample, samples);
	} else if (sample->event_kind == PRECIS_EVENT_PEBS) {
		settle_pebs(collection, sample, class);
	} else if (sample->event_kind == PRECIS_EVENT_OTHER) {
		collection->other += samples;
	} else {
		collection->undecodable[sample->event_kind] += samples;
		reasons_add(&collection->reasons, sample, decodable_field(sample->event_kind),
			    POPULATION_UNDECODABLE, samples);
	}
}

/* Numbers of that field go into that histogram, if samples of the class have it. */
static void add_measure(struct collection *collection, struct sample_class *class,
			const struct precis_sample *sample, enum precis_field field,
			struct histogram **histogram)
{
	struct measure *measure = &class->measures[class->measure_count];

	if (!precis_fields_have(sample->present, field))
		return;
	if (!*histogram)
		*histogram = calloc(1, sizeof(**histogram));
	if (!*histogram) {
		collection->failed = 1;
		return;
	}
	measure->field = field;
	measure->histogram = *histogram;
	class->measure_count++;
}

static void add_tlb_measure(struct collection *collection, struct sample_class *class,
			    const struct precis_sample *sample, struct tlb_counts *tlb,
			    enum precis_field latency, enum precis_field level,
			    enum precis_field page)
{
	add_measure(collection, class, sample, latency,
		    &tlb->refill[index_of(sample, level, TLB_LEVELS, 0)][page_in(sample, page)]);
}

static void add_op_measures(struct collection *collection, struct sample_class *class,
			    const struct precis_sample *sample)
{
	struct op_counts *op = &collection->op;
	struct histogram **pipeline = op->pipeline[kind_of(sample)];

	add_measure(collection, class, sample, PRECIS_FIELD_TAG_TO_RETIRE,
		    &pipeline[TAG_TO_RETIRE]);
	add_measure(collection, class, sample, PRECIS_FIELD_TAG_TO_COMPLETION,
		    &pipeline[TAG_TO_COMPLETION]);
	add_measure(collection, class, sample, PRECIS_FIELD_COMPLETION_TO_RETIRE,
		    &pipeline[COMPLETION_TO_RETIRE]);
	add_measure(collection, class, sample, PRECIS_FIELD_DCACHE_MISS_LATENCY,
		    &op->miss_latency[level_of(sample)][remote_of(sample)]);
	add_measure(collection, class, sample, PRECIS_FIELD_MISS_BUFFERS_OPEN, &op->buffers);
	add_tlb_measure(collection, class, sample, &op->tlb, PRECIS_FIELD_TLB_REFILL_LATENCY,
			PRECIS_FIELD_TLB_LEVEL, PRECIS_FIELD_PAGE_SIZE);
}

static void add_fetch_measures(struct collection *collection, struct sample_class *class,
			       const struct precis_sample *sample)
{
	struct fetch_counts *fetch = &collection->fetch;

	add_measure(collection, class, sample, PRECIS_FIELD_FETCH_LATENCY,
		    &fetch->latency[outcome_of(sample)]);
	add_tlb_measure(collection, class, sample, &fetch->tlb, PRECIS_FIELD_ITLB_REFILL_LATENCY,
			PRECIS_FIELD_ITLB_LEVEL, PRECIS_FIELD_FETCH_PAGE_SIZE);
}

/*
 * Does the top table have samples of this class? perf's address of an IBS sample whose payload is
 * lost may be off by the skid: it is none, unless the kernel says that it is the instruction's own.
 */
static int has_address(const struct precis_sample *sample)
{
	if (!precis_fields_have(sample->present, PRECIS_FIELD_IP))
		return 0;
	switch (sample->source) {
	case PRECIS_SOURCE_NONE:
		return sample->event_kind == PRECIS_EVENT_OTHER;
	case PRECIS_SOURCE_PERF_WORDS:
		return sample->event_kind == PRECIS_EVENT_PEBS ||
		       is_true(sample, PRECIS_FIELD_IP_EXACT);
	default:
		return 1;
	}
}

static void set_top_part(struct collection *collection, struct sample_class *class,
			 const struct precis_sample *sample)
{
	int latency;

	top_choose_latency(&collection->top, PLACE(class->part), sample);
	latency = top_latency_field(&collection->top, sample->event_kind, PLACE(class->part));
	class->has_address = (uint8_t)has_address(sample);
	if (latency >= 0 && precis_fields_have(sample->present, (uint32_t)latency))
		class->latency = (uint16_t)latency;
}

/* The same sample once more, with all that anybody will ask for. */
static void decode_in_full(struct collection *collection, const struct precis_record *record,
			   struct precis_sample *full)
{
	if (record)
		precis_file_sample(collection->file, record, collection->full, NULL, full);
	else
		precis_input_sample(collection->buffer->walk.input, collection->full, NULL, full);
}

/* 'full' is the sample, decoded for all that anybody will ask for. */
static struct sample_class *new_class(struct collection *collection,
				      const struct precis_sample *full,
				      const struct precis_sample *sample, uint32_t part)
{
	struct sample_class *class;

	if (class_table_is_full(&collection->classes))
		class_table_settle(&collection->classes, settle, collection);
	class = class_add(&collection->classes, sample, full, part);
	if (is_op(full))
		add_op_measures(collection, class, full);
	else if (full->source == PRECIS_SOURCE_IBS_FETCH)
		add_fetch_measures(collection, class, full);
	else if (full->event_kind == PRECIS_EVENT_PEBS && pebs_event_of(collection, class))
		pebs_add_measures(&collection->pebs, pebs_event_of(collection, class), class, full);
	set_top_part(collection, class, full);
	return class;
}

static inline void count_top(struct top *top, const struct sample_class *class,
			     const struct precis_sample *sample)
{
	struct tally_entry *entry = top_add(top, PLACE(class->part), sample);

	if (entry && class->latency) {
		entry->latency_sum += sample->value[class->latency];
		entry->latency_count++;
	}
}

static inline void extend(uint64_t *low, uint64_t *high, uint64_t value)
{
	*low = value < *low ? value : *low;
	*high = value > *high ? value : *high;
}

/* What samples of all kinds have */
static inline void count_common(struct collection *collection, const struct sample_class *class,
				const struct precis_sample *sample)
{
	if (class->has_address)
		count_top(&collection->top, class, sample);
	if (sample->present[0] & BIT(TIME))
		extend(&collection->first_time, &collection->last_time,
		       sample->value[PRECIS_FIELD_TIME]);
	if (sample->present[0] & BIT(PERIOD))
		extend(&collection->least_period, &collection->most_period,
		       sample->value[PRECIS_FIELD_PERIOD]);
}

static inline void count_numbers(struct collection *collection, const struct sample_class *class,
				 const struct precis_sample *sample)
{
	for (uint32_t i = 0; i < class->measure_count; i++) {
		const struct measure *measure = &class->measures[i];

		if (histogram_add(measure->histogram, (uint16_t)sample->value[measure->field]) < 0)
			collection->failed = 1;
	}
}

static __attribute__((noinline)) void count_pebs_numbers(struct collection *collection,
							 const struct sample_class *class,
							 const struct precis_sample *sample)
{
	for (uint32_t i = 0; i < class->measure_count; i++) {
		const struct measure *measure = &class->measures[i];

		if (latencies_add(measure->latencies, sample->value[measure->field]) < 0)
			collection->failed = 1;
	}
}

void collect_sample(struct collection *collection, const struct precis_record *record,
		    const struct precis_sample *sample)
{
	struct sample_class *class;
	uint32_t part = 0;

	if (__builtin_expect(sample->source >= PRECIS_SOURCE_PEBS ||
				     sample->event_kind == PRECIS_EVENT_OTHER, 0))
		part = part_of_words(collection, record, sample);
	top_expect(&collection->top, PLACE(part), sample);
	class = class_count(&collection->classes, sample, part);
	if (__builtin_expect(!class, 0)) {
		decode_in_full(collection, record, &collection->scratch);
		class = new_class(collection, &collection->scratch, sample, part);
	}
	if (__builtin_expect(sample->event_kind == PRECIS_EVENT_PEBS, 0))
		count_pebs_numbers(collection, class, sample);
	else
		count_numbers(collection, class, sample);
	count_common(collection, class, sample);
}

void collection_want_traced(const struct collection *collection,
			    uint64_t wanted[PRECIS_FIELD_WORDS])
{
	for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++)
		wanted[word] |= collection->full[word];
	precis_fields_add(wanted, PRECIS_FIELD_EVENT);
	precis_fields_add(wanted, PRECIS_FIELD_IP_EXACT);
}

void collect_traced(struct collection *collection, const struct precis_sample *sample)
{
	uint64_t index, is_exact = 0;
	uint32_t place = 0, part;
	struct sample_class *class;

	if (precis_get_event(sample, &index))
		place = pebs_event_place(&collection->pebs, collection->file,
					 precis_file_event(collection->file, (uint32_t)index));
	place = have_top(collection, sample, place);
	precis_get_ip_exact(sample, &is_exact);
	part = PART(place, (uint32_t)is_exact);
	top_expect(&collection->top, place, sample);
	class = class_count(&collection->classes, sample, part);
	if (!class)
		class = new_class(collection, sample, sample, part);
	count_pebs_numbers(collection, class, sample);
	count_common(collection, class, sample);
}

void collection_finish(struct collection *collection)
{
	class_table_settle(&collection->classes, settle, collection);
	pebs_finish(&collection->pebs);
	top_settle(&collection->top);
	offcpu_records_finish(&collection->switches);
	collection->failed |= collection->reasons.failed | collection->top.failed |
			      collection->switches.offcpu.failed | collection->pebs.failed |
			      collection->others.failed;
}
