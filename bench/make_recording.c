/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_recording [-m MIXTURE] [-r CPUS] [-z LEVEL] FILE SAMPLES [SEED]: a perf.data of ibs_op
 * samples to measure with. Two CPUs take turns, so that all is in the order of time; or with -r that
 * many write in rounds, each its buffer full. -z compresses with zstd.
 *
 * The mixtures are made up; nothing in them is a measurement of hardware:
 *
 *   clustered  half of the ops access memory, most accesses hit the L1; a few hundred kinds
 *   plausible  every field varies: page sizes, TLB levels, sources, widths, branches, latencies;
 *              addresses follow a power law over a million
 *   random     every bit of every register, but for those that make it a sample
 *   frequency  as plausible, with periods that chase a frequency: each sample has its own
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include <precis/precis.h>

#define IBS_OP_TYPE 10
#define CPUS_MAX 64u
#define BUFFER_BYTES (128u * 1024u) /* of each CPU; perf record takes it when it is about full */
#define SAMPLE_BYTES 160u
#define STEP 25000u /* ns between two samples */
#define PERIOD 100000u
#define FREQUENCY 4000u /* Hz, perf's default */
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

static void make_clustered(struct precis_ibs_op *op)
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

/* Half of all are below limit / 1024, half of the others below limit / 512, and so on */
static uint64_t power_law(uint32_t limit)
{
	uint32_t scale = limit >> 10;

	while (scale < limit && below(2))
		scale <<= 1;
	return below(scale ? scale : 1);
}

static void make_plausible(struct precis_ibs_op *op)
{
	make_clustered(op);
	op->op_rip = 0x401000 + 3 * power_law(1u << 20);
	op->dc_lin_ad = 0x7f0000000000 + 64 * power_law(1u << 24);
	op->op_data = (op->op_data & ~UINT64_C(0xffffffff)) | below(1u << (1 + below(12))) |
		      (uint64_t)below(1u << (4 + below(12))) << 16;
	if (op->op_data >> 37 & 1) /* a branch: taken, mispredicted, a return, fused */
		op->op_data |= (uint64_t)(below(9) == 0) << 34 | (uint64_t)(below(4) == 0) << 39;
	if (!(op->op_data3 & 3))
		return;
	/* both at once; the second TLB, pages; locked, uncacheable, prefetch; who has the buffer */
	op->op_data3 |= (below(12) == 0) * UINT64_C(3) | (uint64_t)(below(3) == 0) << 2 |
			(uint64_t)(below(5) == 0) << 3 | (uint64_t)below(4) << 4 |
			(uint64_t)(below(50) == 0) << 15 | (uint64_t)(below(20) == 0) << 21;
	if (op->op_data3 >> 2 & 1)
		op->op_data3 |= (uint64_t)below(1u << (1 + below(9))) << 48;
	if (op->op_data3 >> 7 & 1) {
		op->op_data2 = below(16) | (uint64_t)(below(6) == 0) << 4 |
			       (uint64_t)(below(8) == 0) << 5 | (uint64_t)below(2) << 6;
		op->op_data3 |= (uint64_t)below(1u << (2 + below(11))) << 32;
	}
}

static void make_random(struct precis_ibs_op *op)
{
	make_clustered(op);
	op->op_data = random64();
	op->op_data2 = random64();
	op->op_data3 = random64();
}

static const struct mixture {
	const char *name;
	void (*make)(struct precis_ibs_op *op);
	int has_frequency;
} mixtures[] = {
	{ "clustered", make_clustered, 0 },
	{ "plausible", make_plausible, 0 },
	{ "random", make_random, 0 },
	{ "frequency", make_plausible, 1 },
};

static const struct mixture *mixture = &mixtures[0];

static int take_mixture(const char *name)
{
	for (size_t n = 0; n < sizeof(mixtures) / sizeof(mixtures[0]); n++) {
		if (strcmp(mixtures[n].name, name) == 0) {
			mixture = &mixtures[n];
			return 0;
		}
	}
	return -1;
}

#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW | PERF_SAMPLE_WEIGHT |             \
	 PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR)

/* As perf record -e ibs_op// --raw-samples -d -W --phys-data writes it: SAMPLE_BYTES */
static size_t make_record(const struct precis_ibs_op *op, uint32_t cpu, uint64_t time,
			  uint8_t *record)
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
	front.tid = 100 + (uint32_t)(time / STEP % 4);
	front.time = 1000000000 + time;
	front.addr = op->dc_lin_ad;
	front.cpu = cpu;
	front.id = 10 + front.cpu;
	front.period = mixture->has_frequency ? PERIOD / 2 + 16 * below(PERIOD / 16) : PERIOD;
	front.raw_bytes = (uint32_t)bytes;
	memcpy(record, &front, sizeof(front));
	memcpy(record + sizeof(front) + bytes, back, sizeof(back));
	return front.header.size;
}

static int describe(struct precis_writer *writer, uint32_t cpus)
{
	struct perf_event_attr attr;
	uint64_t ids[CPUS_MAX];
	int error;

	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		ids[cpu] = 10 + cpu;
	memset(&attr, 0, sizeof(attr));
	attr.type = IBS_OP_TYPE;
	attr.size = sizeof(attr);
	attr.freq = mixture->has_frequency;
	attr.sample_period = mixture->has_frequency ? FREQUENCY : PERIOD;
	attr.sample_type = SAMPLE_TYPE;
	attr.read_format = PERF_FORMAT_ID;
	attr.sample_id_all = 1;
	error = precis_writer_event(writer, &attr, sizeof(attr), ids, cpus, "ibs_op//");
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

static int add_sample(struct precis_writer *writer, uint32_t cpu, uint64_t time)
{
	struct precis_ibs_op op;
	uint8_t record[256];

	mixture->make(&op);
	return precis_writer_record(writer, record, make_record(&op, cpu, time, record));
}

static int write_in_turn(struct precis_writer *writer, uint64_t samples)
{
	int error = 0;

	for (uint64_t n = 0; n < samples && !error; n++)
		error = add_sample(writer, n % 2, STEP * n);
	return error;
}

/* Each CPU's buffer goes on from where its last one ended, a little beyond its neighbours'. */
static int write_rounds(struct precis_writer *writer, uint64_t samples, uint32_t cpus)
{
	static const struct perf_event_header round = { PRECIS_RECORD_FINISHED_ROUND, 0,
							sizeof(round) };
	uint64_t times[CPUS_MAX], left = samples, end = 0;
	int error = 0;

	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		times[cpu] = cpu * 1000;
	while (left && !error) {
		end += (BUFFER_BYTES / SAMPLE_BYTES) * (uint64_t)STEP;
		for (uint32_t cpu = 0; cpu < cpus; cpu++) {
			while (times[cpu] < end + cpu * STEP && left && !error) {
				error = add_sample(writer, cpu, times[cpu]);
				times[cpu] += STEP / 2 + below(STEP);
				left--;
			}
		}
		if (!error)
			error = precis_writer_record(writer, &round, sizeof(round));
	}
	return error;
}

static int usage(void)
{
	fprintf(stderr, "usage: make_recording [-m clustered|plausible|random|frequency] [-r CPUS] "
			"[-z LEVEL] FILE SAMPLES [SEED]\n");
	return 2;
}

int main(int argc, char **argv)
{
	uint32_t cpus = 0;
	struct precis_writer *writer;
	int error, closed, option, level = 0;
	uint64_t samples;

	while ((option = getopt(argc, argv, "m:r:z:")) != -1) {
		if (option == 'r')
			cpus = (uint32_t)strtoul(optarg, NULL, 0);
		else if (option == 'z')
			level = atoi(optarg);
		else if (option != 'm' || take_mixture(optarg) < 0)
			return usage();
	}
	if (argc - optind < 2 || cpus > CPUS_MAX)
		return usage();
	samples = strtoull(argv[optind + 1], NULL, 0);
	state = argc - optind > 2 ? strtoull(argv[optind + 2], NULL, 0) | 1 : 1;
	error = precis_writer_open(argv[optind], &writer);
	if (error) {
		fprintf(stderr, "make_recording: %s: %s\n", argv[optind], precis_strerror(error));
		return 1;
	}
	if (level)
		error = precis_writer_compress(writer, level);
	if (!error)
		error = describe(writer, cpus ? cpus : 2);
	if (!error)
		error = cpus ? write_rounds(writer, samples, cpus) : write_in_turn(writer, samples);
	closed = precis_writer_close(writer);
	error = error ? error : closed;
	if (error)
		fprintf(stderr, "make_recording: %s: %s\n", argv[optind], precis_strerror(error));
	return error ? 1 : 0;
}
