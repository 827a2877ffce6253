/* SPDX-License-Identifier: BSD-3-Clause */
/* Raw IBS payloads. Byte 0: the CPU; byte 1: unit and layout; then the payload. */
#include <string.h>

#include <precis/ibs.h>
#include <precis/sample.h>

#include "tests/fuzz/target.h"

static const char *const cpuids[] = {
	"AuthenticAMD,16,4,2",	"AuthenticAMD,18,1,0",	"AuthenticAMD,20,2,0",
	"AuthenticAMD,21,1,2",	"AuthenticAMD,21,16,1", "AuthenticAMD,21,48,1",
	"AuthenticAMD,21,96,1", "AuthenticAMD,22,0,1",	"AuthenticAMD,23,1,2",
	"AuthenticAMD,23,49,0", "HygonGenuine,24,0,1",	"AuthenticAMD,25,1,1",
	"AuthenticAMD,25,33,0", "AuthenticAMD,25,17,1", "AuthenticAMD,26,2,1",
	"AuthenticAMD,26,80,0", "GenuineIntel,6,143,8",
};

#define CPUS (sizeof(cpuids) / sizeof(cpuids[0]))

static struct precis_ibs_context contexts[CPUS + 1];

static struct precis_ibs_context *context_of(uint8_t choice)
{
	struct precis_ibs_context *context = &contexts[choice % (CPUS + 1)];
	struct precis_cpu cpu = { .size = sizeof(cpu) };

	if (context->size)
		return context;
	if (choice % (CPUS + 1) < CPUS)
		PROMISE(precis_cpu_parse(cpuids[choice % (CPUS + 1)], &cpu) == 0);
	PROMISE(precis_ibs_context_init(context, &cpu) == 0);
	return context;
}

/* Each field has a value or a reason, and both can be said in words. */
static void check_sample(const struct precis_sample *sample)
{
	struct precis_field_info info = { .size = sizeof(info) };
	char text[PRECIS_VALUE_TEXT];
	uint64_t value;

	for (uint32_t field = 0; precis_field_info(field, &info) == 0; field++) {
		enum precis_reason reason = precis_why(sample, (enum precis_field)field);
		int present = precis_get(sample, (enum precis_field)field, &value);

		PROMISE(present == (reason == PRECIS_PRESENT));
		PROMISE(present || sample->value[field] == UINT64_MAX);
		PROMISE((*precis_why_detail(sample, (enum precis_field)field) == 0) == present);
		if (present) {
			size_t length = precis_value_format(info.type, value, text);

			PROMISE(length > 0 && length < sizeof(text) && text[length] == '\0');
		}
	}
}

static void one_op(struct precis_ibs_context *context, const uint8_t *payload, size_t bytes)
{
	struct precis_ibs_op op = { .size = sizeof(op) };
	uint8_t again[PRECIS_IBS_PAYLOAD_MAX];
	uint64_t present[PRECIS_FIELD_WORDS];
	struct precis_sample sample;
	int encoded;

	precis_ibs_op_parse(payload, bytes, &op);
	if (!op.captured)
		return;
	precis_sample_init(&sample);
	PROMISE(precis_ibs_op_decode(context, &op, NULL, &sample) == 0);
	PROMISE(precis_ibs_op_present(context, &op, present) == 0);
	PROMISE(memcmp(present, sample.present, sizeof(present)) == 0);
	check_sample(&sample);
	for (uint32_t n = 0; n < 100; n++) {
		precis_ibs_bits_defined(context, n);
		precis_ibs_op_bits_erratum(context, &op, n);
	}
	encoded = precis_ibs_op_encode(&op, again);
	PROMISE(encoded >= 60 && encoded <= PRECIS_IBS_PAYLOAD_MAX);
	if ((size_t)encoded <= bytes)
		PROMISE(memcmp(again, payload, (size_t)encoded) == 0);
}

static void one_fetch(struct precis_ibs_context *context, const uint8_t *payload, size_t bytes,
		      int old_layout)
{
	struct precis_ibs_fetch fetch = { .size = sizeof(fetch) };
	uint8_t again[PRECIS_IBS_PAYLOAD_MAX];
	uint64_t present[PRECIS_FIELD_WORDS];
	struct precis_sample sample;
	int encoded;

	precis_ibs_fetch_parse(payload, bytes, old_layout, &fetch);
	if (!fetch.captured)
		return;
	precis_sample_init(&sample);
	PROMISE(precis_ibs_fetch_decode(context, &fetch, NULL, &sample) == 0);
	PROMISE(precis_ibs_fetch_present(context, &fetch, present) == 0);
	PROMISE(memcmp(present, sample.present, sizeof(present)) == 0);
	check_sample(&sample);
	for (uint32_t n = 0; n < 100; n++)
		precis_ibs_fetch_bits_erratum(context, &fetch, n);
	encoded = precis_ibs_fetch_encode(&fetch, old_layout, again);
	PROMISE(encoded >= 28 && encoded <= PRECIS_IBS_PAYLOAD_MAX);
	if ((size_t)encoded <= bytes)
		PROMISE(memcmp(again, payload, (size_t)encoded) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct precis_ibs_context *context;

	if (size < 2)
		return 0;
	context = context_of(data[0]);
	if (data[1] & 1)
		one_fetch(context, data + 2, size - 2, data[1] >> 1 & 1);
	else
		one_op(context, data + 2, size - 2);
	return 0;
}
