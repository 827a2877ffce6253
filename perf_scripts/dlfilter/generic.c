/* SPDX-License-Identifier: BSD-3-Clause */
/* See generic.h. */
#include "generic.h"

#include <string.h>

static const struct row {
	uint8_t field; /* enum precis_field */
	uint8_t offset, width;
	uint8_t is_signed;
	uint8_t zero_is_absent;  /* kernel or perf write 0 where there is none */
	uint8_t not_by_old_perf; /* likewise, before 6.3 */
	uint8_t without_payload; /* only where no payload says it better */
	uint8_t not_of_pebs;     /* there the event decides whether it means anything */
	uint64_t bits;           /* of sample_type: one of them */
} rows[] = {
#define MEMBER(name)                                                                               \
	.offset = offsetof(struct dlfilter_sample, name),                                          \
	.width = sizeof(((struct dlfilter_sample *)0)->name)
	{ PRECIS_FIELD_CPU, MEMBER(cpu), .bits = PRECIS_SAMPLE_CPU },
	{ PRECIS_FIELD_PID, MEMBER(pid), .bits = PRECIS_SAMPLE_TID, .is_signed = 1 },
	{ PRECIS_FIELD_TID, MEMBER(tid), .bits = PRECIS_SAMPLE_TID, .is_signed = 1 },
	{ PRECIS_FIELD_TIME, MEMBER(time), .bits = PRECIS_SAMPLE_TIME },
	{ PRECIS_FIELD_PERIOD, MEMBER(period), .bits = PRECIS_SAMPLE_PERIOD },
	{ PRECIS_FIELD_IP, MEMBER(ip), .bits = PRECIS_SAMPLE_IP, .without_payload = 1 },
	{ PRECIS_FIELD_ADDR, MEMBER(addr), .bits = PRECIS_SAMPLE_ADDR, .without_payload = 1,
	  .not_of_pebs = 1, .zero_is_absent = 1 },
	{ PRECIS_FIELD_PHYS_ADDR, MEMBER(phys_addr), .bits = PRECIS_SAMPLE_PHYS_ADDR,
	  .without_payload = 1, .zero_is_absent = 1 },
	{ PRECIS_FIELD_TRANSACTION, MEMBER(transaction), .bits = PRECIS_SAMPLE_TRANSACTION },
	{ PRECIS_FIELD_PERF_WEIGHT, MEMBER(weight),
	  .bits = PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT },
	{ PRECIS_FIELD_PERF_WEIGHT2, MEMBER(ins_lat), .bits = PRECIS_SAMPLE_WEIGHT_STRUCT },
	{ PRECIS_FIELD_PERF_WEIGHT3, MEMBER(p_stage_cyc), .bits = PRECIS_SAMPLE_WEIGHT_STRUCT,
	  .not_by_old_perf = 1 },
	{ PRECIS_FIELD_PERF_DATA_SRC, MEMBER(data_src), .bits = PRECIS_SAMPLE_DATA_SRC },
	{ PRECIS_FIELD_DATA_PAGE_SIZE, MEMBER(data_page_size),
	  .bits = PRECIS_SAMPLE_DATA_PAGE_SIZE, .zero_is_absent = 1 },
	{ PRECIS_FIELD_CODE_PAGE_SIZE, MEMBER(code_page_size),
	  .bits = PRECIS_SAMPLE_CODE_PAGE_SIZE, .zero_is_absent = 1 },
	{ PRECIS_FIELD_CGROUP, MEMBER(cgroup), .bits = PRECIS_SAMPLE_CGROUP },
#undef MEMBER
};

static uint64_t load(const struct dlfilter_sample *from, const struct row *row)
{
	const char *at = (const char *)from + row->offset;
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	switch (row->width) {
	case 2:
		memcpy(&u16, at, sizeof(u16));
		return u16;
	case 4:
		memcpy(&u32, at, sizeof(u32));
		return row->is_signed ? (uint64_t)(int64_t)(int32_t)u32 : u32;
	default:
		memcpy(&u64, at, sizeof(u64));
		return u64;
	}
}

/* perf writes -1 or 0 for what is not in the sample: the only sign where there is no attr. */
static int looks_absent(const struct row *row, uint64_t value)
{
	uint64_t ones = row->width == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * row->width)) - 1;

	return !value || (value & ones) == ones;
}

static void put(struct precis_sample *sample, uint32_t field, uint64_t value)
{
	precis_fields_add(sample->present, field);
	sample->value[field] = value;
}

void generic_fill(const struct events *events, const struct event *event,
		  const struct dlfilter_sample *from, int decoded, const uint64_t *wanted,
		  struct precis_sample *sample)
{
	int known = event->sample_type != UINT64_MAX;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		uint64_t value;
		int zero_is_absent;

		if (!precis_fields_have(wanted, row->field) || !(row->bits & event->sample_type) ||
		    (decoded && row->without_payload) ||
		    (row->not_of_pebs && event->kind == PRECIS_EVENT_PEBS) ||
		    from->size < (uint32_t)row->offset + row->width)
			continue;
		value = load(from, row);
		zero_is_absent = row->zero_is_absent ||
				 (row->not_by_old_perf && !events->hands_on_zero);
		if ((value || !zero_is_absent) && (known || !looks_absent(row, value)))
			put(sample, row->field, value);
	}
	if (precis_fields_have(wanted, PRECIS_FIELD_EVENT))
		put(sample, PRECIS_FIELD_EVENT, event->name_index);
	if (precis_fields_have(wanted, PRECIS_FIELD_IP_EXACT) &&
	    (event->sample_type & PRECIS_SAMPLE_IP) && DLFILTER_SAMPLE_HAS(from, misc))
		put(sample, PRECIS_FIELD_IP_EXACT, !!(from->misc & PRECIS_MISC_EXACT_IP));
	if (precis_fields_have(wanted, PRECIS_FIELD_CPUMODE) && DLFILTER_SAMPLE_HAS(from, cpumode))
		put(sample, PRECIS_FIELD_CPUMODE, from->cpumode);
	/* A fixed period stands in the attr alone. 0 there: in the config, as the payload has it. */
	if (!(event->sample_type & PRECIS_SAMPLE_PERIOD) && event->fixed_period &&
	    precis_fields_have(wanted, PRECIS_FIELD_PERIOD))
		put(sample, PRECIS_FIELD_PERIOD, event->fixed_period);
}
