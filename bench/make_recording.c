/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_recording FILE SAMPLES [SEED]: a perf.data of ibs_op samples to measure with.
 *
 * The mixture is made up: half of the ops access memory, most accesses hit the
 * L1, addresses follow a power law. Nothing in it is a measurement of hardware.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include <precis/precis.h>

#define IBS_OP_TYPE 10
#define CPUS 2u
#define PERIOD 100000u
#define CAPS 0xbffu /* Zen 4 */

static uint64_t state;

/* xorshift64*: the same numbers everywhere */
static uint64_t random64(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * UINT64_C(2685821657736338717);
}

static uint32_t below(uint32_t limit)
{
	return (uint32_t)((random64() >> 32) * limit >> 32);
}

/* Latency with a tail: base, and now and then a multiple of it. */
static uint64_t latency(uint32_t base)
{
	uint64_t value = base + below(base);

	return below(20) ? value : 4 * value;
}

static void make_access(struct precis_ibs_op *op)
{
	int load = below(3) != 0;
	uint32_t place = below(100);
	uint64_t data3 = load ? 1 : 2;

	data3 |= 1ull << 17 | 1ull << 18 | (uint64_t)(1 + below(4)) << 22;
	op->dc_lin_ad = 0x7f0000000000 + (random64() & 0x3fffffff);
	op->dc_phys_ad = 0x100000000 + (random64() & 0x3fffffff);
	if (below(100) < 8) {
		data3 |= 1ull << 2 | latency(below(2) ? 8 : 60) << 48;
		if (below(3) == 0)
			data3 |= 1ull << 3;
	}
	if (place >= 85) {
		data3 |= 1ull << 7 | (uint64_t)(1 + below(24)) << 26;
		if (below(5) == 0)
			data3 |= 1ull << 16;
		if (place >= 92) {
			static const uint8_t sources[] = { 1, 1, 1, 2, 3, 3, 3, 5 };

			data3 |= 1ull << 20;
			op->op_data2 = sources[below(sizeof(sources))];
			if (below(6) == 0)
				op->op_data2 |= 1ull << 4;
		}
		if (load)
			data3 |= (latency(place >= 92 ? 180 : 14) & 0xffff) << 32;
	}
	op->op_data3 = data3;
}

static void make_op(struct precis_ibs_op *op)
{
	uint64_t completion = below(40), total = completion + 5 + latency(12);
	uint32_t hot = below(1u << (1 + below(12)));

	memset(op, 0, sizeof(*op));
	op->size = sizeof(*op);
	op->caps = CAPS;
	op->op_ctl = 0x6186a | (uint64_t)below(2000) << 32;
	op->op_rip = 0x401000 + 7ull * hot;
	op->op_data = completion | (total & 0xffff) << 16;
	if (below(2))
		make_access(op);
	else if (below(4) == 0) {
		op->op_data |= 1ull << 37 | (uint64_t)(below(3) != 0) << 35 |
			       (uint64_t)(below(30) == 0) << 36;
		op->br_target = 0x401000 + 7ull * below(4096);
	}
}

#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW | PERF_SAMPLE_WEIGHT |             \
	 PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR)

/* As perf record -e ibs_op// --raw-samples -d -W --phys-data writes it: 160 bytes */
static size_t make_record(const struct precis_ibs_op *op, uint64_t n, uint8_t *record)
{
	struct {
		struct perf_event_header header;
		uint64_t ip;
		uint32_t pid, tid;
		uint64_t time, addr, id;
		uint32_t cpu, reserved;
		uint64_t period;
		uint32_t raw_bytes;
	} __attribute__((packed)) front;
	uint64_t back[3] = { op->op_data3 >> 32 & 0xffff, 0, op->dc_phys_ad };
	int bytes = precis_ibs_op_encode(op, record + sizeof(front));

	memset(&front, 0, sizeof(front));
	front.header.type = PERF_RECORD_SAMPLE;
	front.header.misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP;
	front.header.size = (uint16_t)(sizeof(front) + (size_t)bytes + sizeof(back));
	front.ip = op->op_rip;
	front.pid = 100;
	front.tid = 100 + n % 4;
	front.time = 1000000000 + 25000 * n;
	front.addr = op->dc_lin_ad;
	front.cpu = n % CPUS;
	front.id = 10 + front.cpu;
	front.period = PERIOD;
	front.raw_bytes = (uint32_t)bytes;
	memcpy(record, &front, sizeof(front));
	memcpy(record + sizeof(front) + bytes, back, sizeof(back));
	return front.header.size;
}

static int describe(struct precis_writer *writer)
{
	struct perf_event_attr attr;
	uint64_t ids[CPUS] = { 10, 11 };
	int error;

	memset(&attr, 0, sizeof(attr));
	attr.type = IBS_OP_TYPE;
	attr.size = sizeof(attr);
	attr.sample_period = PERIOD;
	attr.sample_type = SAMPLE_TYPE;
	attr.read_format = PERF_FORMAT_ID;
	attr.sample_id_all = 1;
	error = precis_writer_event(writer, &attr, sizeof(attr), ids, CPUS, "ibs_op//");
	if (!error)
		error = precis_writer_string(writer, PRECIS_FEATURE_OSRELEASE, "6.1.0");
	if (!error)
		error = precis_writer_string(writer, PRECIS_FEATURE_ARCH, "x86_64");
	if (!error)
		error = precis_writer_string(writer, PRECIS_FEATURE_CPUID, "AuthenticAMD,25,17,1");
	if (!error)
		error = precis_writer_pmu(writer, IBS_OP_TYPE, "ibs_op");
	if (!error)
		error = precis_writer_pmu_cap(writer, "ibs_op", "zen4_ibs_extensions", "1");
	return error;
}

int main(int argc, char **argv)
{
	struct precis_writer *writer;
	uint8_t record[256];
	uint64_t samples;
	int error;

	if (argc < 3) {
		fprintf(stderr, "usage: make_recording FILE SAMPLES [SEED]\n");
		return 2;
	}
	samples = strtoull(argv[2], NULL, 0);
	state = argc > 3 ? strtoull(argv[3], NULL, 0) | 1 : 1;
	error = precis_writer_open(argv[1], &writer);
	if (error) {
		fprintf(stderr, "make_recording: %s: %s\n", argv[1], precis_strerror(error));
		return 1;
	}
	error = describe(writer);
	for (uint64_t n = 0; n < samples && !error; n++) {
		struct precis_ibs_op op;

		make_op(&op);
		error = precis_writer_record(writer, record, make_record(&op, n, record));
	}
	if (error) {
		fprintf(stderr, "make_recording: %s: %s\n", argv[1], precis_strerror(error));
		precis_writer_close(writer);
		return 1;
	}
	error = precis_writer_close(writer);
	if (error)
		fprintf(stderr, "make_recording: %s: %s\n", argv[1], precis_strerror(error));
	return error ? 1 : 0;
}
