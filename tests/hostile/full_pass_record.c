/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a full pass: everything that can be made of one record. */
#include <string.h>

#include <precis/precis.h>

#include "tests/hostile/full_pass_parts.h"
#include "tests/hostile/view.h"

static void read_views(const struct precis_record *record, const struct precis_perf_sample *sample)
{
	read_view(record, sample->read);
	read_view(record, sample->callchain);
	read_view(record, sample->raw);
	read_view(record, sample->branches);
	read_view(record, sample->branch_counters);
	read_view(record, sample->regs_user);
	read_view(record, sample->stack_user);
	read_view(record, sample->regs_intr);
	read_view(record, sample->aux);
}

static void read_registers(uint64_t mask, struct precis_bytes registers)
{
	uint64_t value;
	uint32_t bit;

	for (uint32_t n = 0; precis_register(mask, registers, n, &bit, &value) == 0; n++) {
		PROMISE(n < 64 && bit < 64);
		precis_register_name("x86_64", bit);
	}
}

/* What the compound parts hold, entry by entry */
static void read_parts(const struct precis_layout *layout, const struct precis_record *record,
		       const struct precis_perf_sample *sample)
{
	struct precis_branch branch = { .size = sizeof(branch) };
	struct precis_callchain_entry entry = { .size = sizeof(entry) };
	struct precis_read read = { .size = sizeof(read) };

	if ((sample->present & PRECIS_SAMPLE_READ) &&
	    precis_read_parse(layout->read_format, sample->read, &read) == 0)
		full_pass_values(&read, record->size);
	for (uint32_t n = 0; precis_branch(sample, n, &branch) == 0; n++) {
		PROMISE(n < record->size);
		precis_branch_type_name(branch.type, branch.new_type);
	}
	for (uint32_t n = 0; precis_callchain_entry(sample->callchain, n, &entry) == 0; n++)
		PROMISE(n < record->size);
	read_registers(layout->regs_user, sample->regs_user);
	read_registers(layout->regs_intr, sample->regs_intr);
}

/* Each field has a value or a reason, and both can be said in words. */
static void read_fields(const struct precis_sample *sample)
{
	for (uint32_t n = 0; n < PRECIS_FIELD_COUNT; n++) {
		enum precis_field field = (enum precis_field)n;
		struct precis_field_info info = { .size = sizeof(info) };
		char text[PRECIS_VALUE_TEXT];
		uint64_t value;
		int present = precis_get(sample, field, &value);

		PROMISE(present == (precis_why(sample, field) == PRECIS_PRESENT));
		PROMISE((*precis_why_detail(sample, field) == 0) == present);
		if (!present)
			continue;
		PROMISE(precis_field_info(n, &info) == 0);
		PROMISE(precis_value_format(info.type, value, text) < sizeof(text));
	}
}

/* The direct way of reading a sample, for who does not want its parts, gives the same fields. */
static void compare_direct(struct precis_file *file, const struct precis_record *record, int code,
			   const struct precis_sample *expected)
{
	static struct precis_sample sample;

	precis_sample_init(&sample);
	PROMISE(precis_file_sample(file, record, NULL, NULL, &sample) == code);
	PROMISE(!memcmp(sample.present, expected->present, sizeof(sample.present)));
	PROMISE(sample.payload_error == expected->payload_error);
	for (uint32_t n = 0; n < PRECIS_FIELD_COUNT; n++) {
		uint64_t found = 0, wanted = 0;

		PROMISE(precis_get(&sample, (enum precis_field)n, &found) ==
			precis_get(expected, (enum precis_field)n, &wanted));
		PROMISE(found == wanted);
	}
}

static void parse_sample(struct precis_file *file, const struct precis_record *record)
{
	static struct precis_sample sample;
	struct precis_perf_sample perf;
	int code;

	memset(&perf, 0, sizeof(perf));
	perf.size = sizeof(perf);
	precis_sample_init(&sample);
	code = precis_file_sample(file, record, NULL, &perf, &sample);
	PROMISE(code <= 0 && code != PRECIS_E_ARGUMENT && code != PRECIS_E_NO_MEMORY);
	if (code == PRECIS_E_BAD_ID)
		return;
	read_views(record, &perf);
	read_parts(precis_file_event_of(file, record)->layout, record, &perf);
	compare_direct(file, record, code, &sample);
	read_fields(&sample);
}

void full_pass_parse(struct precis_file *file, const struct precis_record *record)
{
	const struct precis_event *event = precis_file_event_of(file, record);

	precis_record_name(record->type);
	if (record->type == PRECIS_RECORD_SAMPLE)
		parse_sample(file, record);
	else
		full_pass_kinds(event ? event->layout : NULL, record);
}
