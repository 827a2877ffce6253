/* SPDX-License-Identifier: BSD-3-Clause */
/* Records. A u16 length and a perf_event_attr of that length, then records. */
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>
#include <precis/kernel_records.h>
#include <precis/record.h>

#include "tests/fuzz/target.h"

/* A view must lie inside the record. Reading it lets a sanitizer have its say. */
static void check_view(const struct precis_record *record, struct precis_bytes view)
{
	volatile uint8_t sum = 0;

	if (!view.bytes)
		return;
	PROMISE(view.data >= record->data && view.bytes <= record->size);
	for (uint32_t i = 0; i < view.bytes; i++)
		sum = (uint8_t)(sum + view.data[i]);
}

static void parse_sample(const struct precis_layout *layout, const struct precis_record *record)
{
	struct precis_perf_sample sample;

	memset(&sample, 0, sizeof(sample));
	sample.size = sizeof(sample);
	precis_perf_sample_parse(layout, record, &sample);
	check_view(record, sample.read);
	check_view(record, sample.callchain);
	check_view(record, sample.raw);
	check_view(record, sample.branches);
	check_view(record, sample.branch_counters);
	check_view(record, sample.regs_user);
	check_view(record, sample.stack_user);
	check_view(record, sample.regs_intr);
	check_view(record, sample.aux);
}

static void parse_others(const struct precis_layout *layout, const struct precis_record *record)
{
	struct precis_sample_id id = { .size = sizeof(id) };
	struct precis_mmap map = { .size = sizeof(map) };
	struct precis_comm comm = { .size = sizeof(comm) };
	struct precis_task task = { .size = sizeof(task) };
	volatile size_t length;

	precis_sample_id_parse(layout, record, &id);
	if (precis_mmap_parse(record, &map) == 0) {
		length = strlen(map.filename);
		PROMISE(length < record->size);
	}
	if (precis_comm_parse(record, &comm) == 0) {
		length = strlen(comm.name);
		PROMISE(length < record->size);
	}
	precis_task_parse(record, &task);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct precis_layout layout = { .size = sizeof(layout) };
	struct precis_record record;
	size_t attr_bytes;

	if (size < 2)
		return 0;
	attr_bytes = data[0] | (size_t)data[1] << 8;
	if (attr_bytes > size - 2 || precis_layout_init(data + 2, attr_bytes, &layout))
		return 0;
	data += 2 + attr_bytes;
	size -= 2 + attr_bytes;
	memset(&record, 0, sizeof(record));
	while (precis_record_at(data, size, &record) == 0) {
		/* a copy of exactly its size: nothing behind it may be touched */
		uint8_t *copy = malloc(record.size);
		size_t step = record.size;

		if (!copy)
			return 0;
		PROMISE(step >= 8 && step <= size);
		memcpy(copy, data, step);
		if (precis_record_at(copy, step, &record) == 0) {
			precis_record_name(record.type);
			parse_sample(&layout, &record);
			parse_others(&layout, &record);
		}
		free(copy);
		data += step;
		size -= step;
	}
	return 0;
}
