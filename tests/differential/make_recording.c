/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A perf.data of IBS samples with random registers, for stock perf and for
 * precis to read:
 *
 *   make_recording FILE CONTEXT op|fetch COUNT SEED
 *
 * First come the corners: each bit of each register alone and alone missing.
 * Samples are numbered by their time: 1, 2, …
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "tests/property/random.h"

#define OP_TYPE 11
#define FETCH_TYPE 10
#define SAMPLE_ID 77

static const struct context {
	const char *name, *cpuid;
	uint32_t caps;
} contexts[] = {
	{ "zen2", "AuthenticAMD,23,49,0", 0x3ff },
	{ "zen3", "AuthenticAMD,25,1,1", 0x3ff },
	{ "zen4", "AuthenticAMD,25,17,1", 0xbff },
	{ "zen5", "AuthenticAMD,26,2,1", 0x81bff },
};

/* PERF_RECORD_SAMPLE with IDENTIFIER, IP, TID, TIME, CPU, PERIOD, RAW; the payload follows */
struct sample_record {
	struct perf_event_header header;
	uint64_t identifier, ip;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t period;
	uint32_t raw_bytes;
	uint8_t raw[PRECIS_IBS_PAYLOAD_MAX];
} __attribute__((packed));

/* Register 'number / 128' with one bit set, or one bit missing; 0 once all corners are through. */
static int corner(uint64_t *registers, unsigned int count, uint64_t number)
{
	unsigned int reg = (unsigned int)(number / 128), bit = (unsigned int)(number % 64);

	if (reg >= count)
		return 0;
	memset(registers, number % 128 < 64 ? 0 : 0xff, count * sizeof(*registers));
	registers[reg] ^= UINT64_C(1) << bit;
	return 1;
}

static int make_op(const struct context *context, uint64_t number, uint64_t *state, uint8_t *payload)
{
	struct precis_ibs_op op;
	uint64_t registers[8];

	random_op(state, context->caps, &op);
	if (corner(registers, 8, number)) {
		op.op_ctl = registers[0];
		op.op_rip = registers[1];
		op.op_data = registers[2];
		op.op_data2 = registers[3];
		op.op_data3 = registers[4];
		op.dc_lin_ad = registers[5];
		op.dc_phys_ad = registers[6];
		op.br_target = registers[7];
	}
	/* a handful without Val or En: perf prints nothing of them */
	if (number % 1000 == 999)
		op.op_ctl &= ~(UINT64_C(1) << (17 + number / 1000 % 2));
	else
		op.op_ctl |= UINT64_C(3) << 17;
	return precis_ibs_op_encode(&op, payload);
}

static int make_fetch(const struct context *context, uint64_t number, uint64_t *state,
		      uint8_t *payload)
{
	struct precis_ibs_fetch fetch;
	uint64_t registers[4];

	random_fetch(state, context->caps, &fetch);
	if (corner(registers, 4, number)) {
		fetch.fetch_ctl = registers[0];
		fetch.fetch_lin_ad = registers[1];
		fetch.fetch_phys_ad = registers[2];
		fetch.fetch_ctl_extd = registers[3];
	}
	if (number % 1000 == 999)
		fetch.fetch_ctl &= ~(UINT64_C(1) << (48 + number / 1000 % 2));
	else
		fetch.fetch_ctl |= UINT64_C(3) << 48;
	return precis_ibs_fetch_encode(&fetch, 0, payload);
}

static int describe(struct precis_writer *writer, const struct context *context, int is_op)
{
	struct perf_event_attr attr = {
		.type = is_op ? OP_TYPE : FETCH_TYPE,
		.size = sizeof(attr),
		.sample_period = 100000,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			       PERF_SAMPLE_RAW,
		.sample_id_all = 1,
	};
	const uint64_t id = SAMPLE_ID;
	int error = precis_writer_event(writer, &attr, sizeof(attr), &id, 1,
					is_op ? "ibs_op//" : "ibs_fetch//");

	if (!error)
		error = precis_writer_string(writer, PRECIS_FEATURE_OSRELEASE, "6.1.0");
	if (!error)
		error = precis_writer_string(writer, PRECIS_FEATURE_ARCH, "x86_64");
	if (!error)
		error = precis_writer_string(writer, PRECIS_FEATURE_CPUID, context->cpuid);
	if (!error)
		error = precis_writer_pmu(writer, FETCH_TYPE, "ibs_fetch");
	if (!error)
		error = precis_writer_pmu(writer, OP_TYPE, "ibs_op");
	if (!error && (context->caps & PRECIS_IBS_CAPS_ZEN4_EXT))
		error = precis_writer_pmu_cap(writer, "ibs_op", "zen4_ibs_extensions", "1");
	if (!error && (context->caps & PRECIS_IBS_CAPS_ZEN4_EXT))
		error = precis_writer_pmu_cap(writer, "ibs_fetch", "zen4_ibs_extensions", "1");
	if (!error && (context->caps & PRECIS_IBS_CAPS_DTLB_PAGE_SIZE))
		error = precis_writer_pmu_cap(writer, "ibs_op", "dtlb_pgsize", "1");
	return error;
}

static int write_sample(struct precis_writer *writer, const struct context *context, int is_op,
			uint64_t number, uint64_t *state)
{
	struct sample_record record;
	size_t bytes = offsetof(struct sample_record, raw);

	memset(&record, 0, sizeof(record));
	record.raw_bytes = (uint32_t)(is_op ? make_op(context, number, state, record.raw) :
					      make_fetch(context, number, state, record.raw));
	bytes += record.raw_bytes;
	record.header.type = PERF_RECORD_SAMPLE;
	record.header.misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP;
	record.header.size = (uint16_t)bytes;
	record.identifier = SAMPLE_ID;
	record.ip = 0x401000 + number % 4096;
	record.pid = record.tid = 1000;
	record.time = number + 1;
	record.period = 100000;
	return precis_writer_record(writer, &record, bytes);
}

static int make(const char *path, const struct context *context, int is_op, uint64_t count,
		uint64_t seed)
{
	struct precis_writer *writer;
	int error = precis_writer_open(path, &writer), closed;

	if (error)
		return error;
	error = describe(writer, context, is_op);
	for (uint64_t i = 0; !error && i < count; i++)
		error = write_sample(writer, context, is_op, i, &seed);
	closed = precis_writer_close(writer);
	return error ? error : closed;
}

int main(int argc, char **argv)
{
	const struct context *context = NULL;
	int error;

	for (size_t i = 0; argc == 6 && i < sizeof(contexts) / sizeof(contexts[0]); i++) {
		if (!strcmp(argv[2], contexts[i].name))
			context = &contexts[i];
	}
	if (!context || (strcmp(argv[3], "op") && strcmp(argv[3], "fetch"))) {
		fprintf(stderr, "usage: %s FILE zen2|zen3|zen4|zen5 op|fetch COUNT SEED\n", argv[0]);
		return 2;
	}
	error = make(argv[1], context, !strcmp(argv[3], "op"), strtoull(argv[4], NULL, 0),
		     strtoull(argv[5], NULL, 0));
	if (error) {
		fprintf(stderr, "%s: %s (%s)\n", argv[1], precis_strerror(error), strerror(errno));
		return 1;
	}
	return 0;
}
