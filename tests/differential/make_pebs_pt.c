/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_pebs_pt PATH packets|records SEED: a recording with Intel PT of two CPUs,
 * as perf record would have it. 'packets': of every kind; 'records': such as a
 * decoder without the program's code follows, PEBS records among them, of two
 * events that AUX_OUTPUT_HW_ID tells apart; the tasks of the CPUs change.
 */
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "tests/property/random.h"
#include "tests/support/build.h"

#define ROOM 60000u
#define CPUS 2u
#define EVENTS 3u /* intel_pt and two that write into it */
#define PT_TYPE 8u
#define PT_CONFIG 0x401u /* on, TSC, no branches */
#define AUX_OUTPUT (UINT64_C(1) << 31)
#define INFO_WORDS 18u
#define SAMPLE_TYPE                                                                                \
	(PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_CPU |           \
	 PRECIS_SAMPLE_IDENTIFIER)
#define PEBS_SAMPLE_TYPE                                                                           \
	(SAMPLE_TYPE | PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_REGS_INTR |       \
	 PRECIS_SAMPLE_BRANCH_STACK)
#define REGISTERS UINT64_C(0xffffffff00ff03ff) /* flags, IP, the general ones, XMM */
#define TSC_START UINT64_C(1000000)
#define RECORDS 30u /* of each piece 10 */
#define PIECES 4u
#define SWITCHES 5u
#define LOADS 0x5d0u /* Gracemont's load latency event */

struct trace {
	uint8_t bytes[ROOM];
	size_t count;
	size_t piece[PIECES + 1]; /* where AUXTRACE records begin, and the end */
	uint32_t pieces;
	uint64_t tsc;
};

static struct build build;

static void check(int code)
{
	if (code < 0) {
		fprintf(stderr, "make_pebs_pt: %s\n", precis_strerror(code));
		exit(1);
	}
}

static void put(struct trace *trace, uint32_t type, uint32_t bytes, uint32_t detail,
		uint64_t payload)
{
	struct precis_pt_packet packet = { sizeof(packet), type, bytes, detail, payload };
	int made = precis_pt_packet_encode(&packet, trace->bytes + trace->count,
					   ROOM - trace->count);

	check(made);
	trace->count += (size_t)made;
}

static void put_start(struct trace *trace)
{
	put(trace, PRECIS_PT_PSB, 0, 0, 0);
	put(trace, PRECIS_PT_TSC, 0, 0, trace->tsc);
	put(trace, PRECIS_PT_CBR, 0, 0, 0x20);
	put(trace, PRECIS_PT_PSBEND, 0, 0, 0);
}

/* Any packet, in a block or not */
static void put_any(struct trace *trace, uint64_t *state)
{
	static const uint8_t ip_bits[8] = { 0, 16, 32, 48, 48, 0, 64, 0 };
	uint64_t any = random_next(state);
	uint32_t type = (uint32_t)random_next(state) % PRECIS_PT_TYPE_COUNT, ip_bytes;

	switch (type) {
	case PRECIS_PT_TNT_SHORT:
		put(trace, type, 0, 0, (any & 0xf8) | 6); /* no item's byte */
		break;
	case PRECIS_PT_TIP:
	case PRECIS_PT_TIP_PGE:
	case PRECIS_PT_TIP_PGD:
	case PRECIS_PT_FUP:
		do
			ip_bytes = (uint32_t)random_next(state) % 8;
		while (ip_bytes == 5 || ip_bytes == 7);
		put(trace, type, 0, ip_bytes,
		    ip_bits[ip_bytes] == 64 ? any : any & ((UINT64_C(1) << ip_bits[ip_bytes]) - 1));
		break;
	case PRECIS_PT_MODE_EXEC:
		put(trace, type, 0, 0, any % 3);
		break;
	case PRECIS_PT_MODE_TSX:
		put(trace, type, 0, 0, 0x20 | any % 3);
		break;
	case PRECIS_PT_PTWRITE:
		put(trace, type, any & 1 ? 6 : 10, any >> 1 & 1, any & 1 ? any >> 32 : any);
		break;
	case PRECIS_PT_EXSTOP:
	case PRECIS_PT_BEP:
		put(trace, type, 0, any & 1, 0);
		break;
	case PRECIS_PT_CFE:
		put(trace, type, 0, any >> 7 & 1, any & 0xff9f);
		break;
	case PRECIS_PT_EVD:
		put(trace, type, 0, any & 0x3f, random_next(state));
		break;
	case PRECIS_PT_BBP: {
		uint32_t bytes = any & 1 ? 4 : 8;

		put(trace, type, 0, bytes, any >> 1 & 0x1f);
		for (uint64_t items = random_next(state) % 6; items; items--)
			put(trace, PRECIS_PT_BIP, bytes + 1, (uint32_t)random_next(state) & 31,
			    random_next(state) >> (bytes == 4 ? 32 : 0));
		break;
	}
	case PRECIS_PT_BIP:
		break;
	case PRECIS_PT_CBR:
	case PRECIS_PT_MTC:
		put(trace, type, 0, 0, any & 0xff);
		break;
	case PRECIS_PT_TMA: /* CTC, a reserved byte, 9 bits of FC */
		put(trace, type, 0, 0, any & 0x1ff00ffff);
		break;
	case PRECIS_PT_TNT_LONG: /* with a stop bit above */
		put(trace, type, 0, 0, (any & 0x7fffffffffff) | UINT64_C(1) << 47);
		break;
	case PRECIS_PT_PWRX:
	case PRECIS_PT_VMCS:
		put(trace, type, 0, 0, any & 0xffffffffff);
		break;
	case PRECIS_PT_PWRE:
		put(trace, type, 0, 0, any & 0xffff);
		break;
	case PRECIS_PT_PIP:
		put(trace, type, 0, 0, any & 0xffffffffffff);
		break;
	case PRECIS_PT_TSC:
		put(trace, type, 0, 0, any >> 8);
		break;
	case PRECIS_PT_CYC:
	case PRECIS_PT_MNT:
	case PRECIS_PT_MWAIT:
		put(trace, type, 0, 0, any);
		break;
	default:
		put(trace, type, 0, 0, 0);
		break;
	}
}

/* A record's packets one by one, with others between them that a block lives through */
static void put_apart(struct trace *trace, const uint8_t *packets, size_t count, uint64_t *state)
{
	static const struct {
		uint32_t type;
		uint64_t payload;
	} between[] = {
		{ PRECIS_PT_PAD, 0 },
		{ PRECIS_PT_CYC, 3 },
		{ PRECIS_PT_CBR, 0x20 },
		{ PRECIS_PT_MNT, 0x123456789abcdef0 },
	};
	uint32_t item_bytes = 0;

	for (size_t at = 0; at < count;) {
		struct precis_pt_packet packet = { .size = sizeof(packet) };
		uint64_t other = random_next(state) % 32;
		int got = precis_pt_packet_parse(packets + at, count - at, item_bytes, &packet);

		check(got);
		put(trace, packet.type, packet.bytes, packet.detail, packet.payload);
		at += (size_t)got;
		if (packet.type == PRECIS_PT_BBP)
			item_bytes = packet.detail;
		else if (packet.type == PRECIS_PT_BEP)
			other = 4; /* perf wants the FUP at once */
		if (other < 4)
			put(trace, between[other].type, 0, 0, between[other].payload);
		if (packet.type == PRECIS_PT_BEP)
			item_bytes = 0;
	}
}

static void put_pebs(struct trace *trace, uint64_t *state)
{
	struct precis_pebs record = { .size = sizeof(record) };
	struct precis_pebs_groups views = { .size = sizeof(views) };
	struct precis_pebs_pt_about about = { .size = sizeof(about) };
	uint8_t lbr[PRECIS_PEBS_PT_BRANCHES * 24], xmm[256], packets[PRECIS_PEBS_PT_ENCODED_MAX];
	int made;

	trace->tsc += 1000 + random_next(state) % 1000;
	put(trace, PRECIS_PT_TSC, 0, 0, trace->tsc);
	for (uint32_t n = 0; n < sizeof(lbr); n++)
		lbr[n] = (uint8_t)random_next(state);
	for (uint32_t n = 0; n < sizeof(xmm); n++)
		xmm[n] = (uint8_t)random_next(state);
	for (uint32_t n = 0; n < PRECIS_PEBS_WORD_COUNT; n++)
		record.word[n] = random_next(state);
	for (uint32_t n = 0; n < PRECIS_PEBS_GPR_COUNT; n++)
		record.gpr[n] = random_next(state);
	record.word[PRECIS_PEBS_TSC] = trace->tsc;
	record.word[PRECIS_PEBS_APPLICABLE_COUNTERS] = 1 + random_next(state) % 3;
	record.word[PRECIS_PEBS_LATENCY] = 1 + random_next(state) % 1000;
	if (random_next(state) % 2) /* the latency of the cache access apart */
		record.word[PRECIS_PEBS_LATENCY] |= (1 + random_next(state) % 1000) << 32;
	record.captured = 7u << PRECIS_PEBS_APPLICABLE_COUNTERS;
	if (random_next(state) % 4)
		record.captured |= 15u << PRECIS_PEBS_DATA_ADDRESS;
	if (random_next(state) % 2)
		record.gpr_captured = 0x3ffff;
	if (random_next(state) % 2) {
		views.lbr = lbr;
		views.lbr_count = (uint32_t)random_next(state) % (PRECIS_PEBS_PT_BRANCHES + 1);
	}
	if (record.gpr_captured && random_next(state) % 2)
		views.xmm = xmm;
	if (random_next(state) % 2) {
		about.flags = PRECIS_PEBS_PT_HAS_FUP_IP;
		about.fup_ip = random_next(state) >> 20;
	}
	made = precis_pebs_pt_encode(&record, &views, &about, packets, sizeof(packets));
	check(made);
	put_apart(trace, packets, (size_t)made, state);
}

/* perf record stops reading where the CPU has, and fills up to 8 bytes. */
static void end_piece(struct trace *trace)
{
	while (trace->count % 8) /* PAD */
		trace->bytes[trace->count++] = 0;
	trace->piece[++trace->pieces] = trace->count;
}

static void make_trace(struct trace *trace, int packets, uint64_t *state)
{
	trace->count = 0;
	trace->pieces = 0;
	trace->tsc = TSC_START;
	put_start(trace);
	for (uint32_t n = packets ? 2000 : RECORDS; n; n--) {
		if (packets)
			put_any(trace, state);
		else
			put_pebs(trace, state);
		if (!packets && n % 10 == 1)
			end_piece(trace);
	}
	if (packets)
		end_piece(trace);
}

static void write_record(struct precis_writer *writer)
{
	build_end(&build);
	check(precis_writer_record(writer, build.bytes, build.count));
}

static void write_info(struct precis_writer *writer)
{
	/* of struct intel_pt: PMU type; TSC to time, 1:1; bits of its config; context switches of
	 * the whole CPU; per-CPU buffers */
	static const uint64_t words[INFO_WORDS] = {
		[0] = PT_TYPE, [2] = 1, [4] = 1, [5] = 0x400, [6] = 0x800, [7] = 3, [9] = 1,
		[15] = 32,
	};

	build_begin(&build, PRECIS_RECORD_AUXTRACE_INFO, 0);
	build_u32(&build, 1);
	build_u32(&build, 0);
	for (uint32_t n = 0; n < INFO_WORDS; n++)
		build_u64(&build, words[n]);
	write_record(writer);
}

static uint64_t id_of(uint32_t event, uint32_t cpu)
{
	return 100 + event * CPUS + cpu;
}

/* Which buffer an id is of, and whose counter it is */
static void write_ids(struct precis_writer *writer)
{
	build_begin(&build, PRECIS_RECORD_ID_INDEX, 0);
	build_u64(&build, EVENTS * CPUS);
	for (uint32_t event = 0; event < EVENTS; event++) {
		for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
			build_u64(&build, id_of(event, cpu));
			build_u64(&build, cpu);
			build_u64(&build, cpu);
			build_u64(&build, UINT64_MAX);
		}
	}
	write_record(writer);
	for (uint32_t event = 1; event < EVENTS; event++) {
		for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
			build_begin(&build, PRECIS_RECORD_AUX_OUTPUT_HW_ID, 0);
			/* counter 0: on the first CPU the first event's, else the second's */
			build_u64(&build, (event + cpu + 1) % 2);
			build_u32(&build, 1);
			build_u32(&build, 1);
			build_u64(&build, TSC_START - 100 + event);
			build_u32(&build, cpu);
			build_u32(&build, 0);
			build_u64(&build, id_of(event, cpu));
			write_record(writer);
		}
	}
}

static void end_with_id(struct precis_writer *writer, uint32_t pid, uint32_t tid, uint64_t time,
			uint32_t cpu)
{
	build_u32(&build, pid);
	build_u32(&build, tid);
	build_u64(&build, time);
	build_u32(&build, cpu);
	build_u32(&build, 0);
	build_u64(&build, id_of(0, cpu));
	write_record(writer);
}

static uint32_t task_of(uint32_t cpu, uint32_t n)
{
	return 1000 * (cpu + 1) + n;
}

/* Who runs on the CPU when the trace begins, and who comes in his place. One pid has two tids. */
static void write_switches(struct precis_writer *writer, uint32_t cpu)
{
	build_begin(&build, PRECIS_RECORD_ITRACE_START, 0);
	build_u32(&build, task_of(cpu, 0));
	build_u32(&build, task_of(cpu, 0));
	end_with_id(writer, task_of(cpu, 0), task_of(cpu, 0), TSC_START - 50, cpu);
	for (uint32_t n = 0; n < SWITCHES; n++) {
		uint64_t time = TSC_START + 777 + 8000 * n;
		uint32_t last = task_of(cpu, n), next = task_of(cpu, n + 1);

		build_begin(&build, PRECIS_RECORD_SWITCH_CPU_WIDE, PRECIS_MISC_SWITCH_OUT);
		build_u32(&build, next & ~1u);
		build_u32(&build, next);
		end_with_id(writer, last & ~1u, last, time, cpu);
		build_begin(&build, PRECIS_RECORD_SWITCH_CPU_WIDE, 0);
		build_u32(&build, last & ~1u);
		build_u32(&build, last);
		end_with_id(writer, next & ~1u, next, time + 1, cpu);
	}
}

static void write_piece(struct precis_writer *writer, const uint8_t *bytes, size_t count,
			size_t offset, uint32_t cpu)
{
	build_begin(&build, PRECIS_RECORD_AUXTRACE, 0);
	build_u64(&build, count);
	build_u64(&build, offset);
	build_u64(&build, TSC_START); /* perf completes the 56 bits of TSC packets by it */
	build_u32(&build, cpu);
	build_u32(&build, UINT32_MAX);
	build_u32(&build, cpu);
	build_u32(&build, 0);
	build_end(&build);
	build_bytes(&build, bytes, count);
	check(precis_writer_record(writer, build.bytes, build.count));
}

static void write_trace(struct precis_writer *writer, const struct trace *trace, uint32_t cpu)
{
	for (uint32_t n = 0; n < trace->pieces; n++) {
		size_t at = trace->piece[n];

		write_piece(writer, trace->bytes + at, trace->piece[n + 1] - at, at, cpu);
	}
}

static void write_events(struct precis_writer *writer)
{
	static const char *const names[EVENTS] = { "intel_pt//", "first", "second" };

	for (uint32_t event = 0; event < EVENTS; event++) {
		uint64_t ids[CPUS];
		uint8_t attr[BUILD_ATTR_BYTES];

		for (uint32_t cpu = 0; cpu < CPUS; cpu++)
			ids[cpu] = id_of(event, cpu);
		build_attr(attr, event ? 4 : PT_TYPE, event ? PEBS_SAMPLE_TYPE : SAMPLE_TYPE,
			   BUILD_ATTR_SAMPLE_ID_ALL | (event ? AUX_OUTPUT | UINT64_C(2) << 15 : 0));
		build_put_u64(attr, BUILD_ATTR_CONFIG, event == 1 ? LOADS : event ? 0xc2 : PT_CONFIG);
		build_put_u64(attr, BUILD_ATTR_PERIOD, event ? 1000 : 1);
		if (event) {
			build_put_u64(attr, BUILD_ATTR_BRANCH, 8);
			build_put_u64(attr, BUILD_ATTR_REGS_INTR, REGISTERS);
		}
		check(precis_writer_event(writer, attr, sizeof(attr), ids, CPUS, names[event]));
	}
}

int main(int argc, char **argv)
{
	static struct trace trace;
	struct precis_writer *writer;
	uint64_t state;
	int packets;

	if (argc != 4)
		return 2;
	packets = !strcmp(argv[2], "packets");
	state = strtoull(argv[3], NULL, 0);
	check(precis_writer_open(argv[1], &writer));
	write_events(writer);
	check(precis_writer_string(writer, PRECIS_FEATURE_CPUID, "GenuineIntel,6,190,0"));
	check(precis_writer_string(writer, PRECIS_FEATURE_ARCH, "x86_64"));
	check(precis_writer_pmu(writer, PT_TYPE, "intel_pt"));
	write_info(writer);
	write_ids(writer);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		make_trace(&trace, packets, &state);
		if (cpu && !packets)
			write_switches(writer, cpu);
		write_trace(writer, &trace, cpu);
		if (!cpu && !packets) /* known too late for who reads the file once */
			write_switches(writer, cpu);
	}
	check(precis_writer_close(writer));
	return 0;
}
