/* SPDX-License-Identifier: BSD-3-Clause */
/* Putting a recording together whose samples are PEBS records in the trace of Intel PT. */
#ifndef TESTS_UNIT_TRACED_FILE_H
#define TESTS_UNIT_TRACED_FILE_H

#include <precis/precis.h>

#include "tests/support/build.h"
#include "tests/support/tap.h"

#define SAMPLE_TYPE                                                                                \
	(PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_CPU |           \
	 PRECIS_SAMPLE_IDENTIFIER)
#define AUX_OUTPUT (UINT64_C(1) << 31)
#define PRECISE (UINT64_C(2) << 15)
#define LOADS 0x5d0u
#define IP UINT64_C(0x401000)

static char path[64];
static struct build build;
static struct precis_writer *writer;
static int ends[2] = { -1, -1 }; /* of a pipe, if the recording comes through one */

/* --- a recording --- */

static inline void put_record(void)
{
	build_end(&build);
	CU_ASSERT_EQUAL(precis_writer_record(writer, build.bytes, build.count), 0);
}

/* Event 0 traces; 1 and 2 have their samples in the trace. Ids are 10, 11, 12. */
static inline void begin(int through_pipe, uint64_t period_flags)
{
	if (through_pipe) {
		CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
		CU_ASSERT_EQUAL_FATAL(precis_writer_open_fd(ends[1], &writer), 0);
	} else {
		CU_ASSERT_EQUAL_FATAL(precis_writer_open(path, &writer), 0);
	}
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_CPUID, "GenuineIntel,6,190,0"),
			0);
	for (uint32_t n = 0; n < 3; n++) {
		uint8_t attr[BUILD_ATTR_BYTES];
		uint64_t id = 10 + n;

		build_attr(attr, n ? 4 : 8, SAMPLE_TYPE,
			   BUILD_ATTR_SAMPLE_ID_ALL |
				   (n ? AUX_OUTPUT | PRECISE | period_flags : 0));
		build_put_u64(attr, BUILD_ATTR_CONFIG, n == 1 ? LOADS : 0xc0);
		build_put_u64(attr, BUILD_ATTR_PERIOD, 1000 * n);
		CU_ASSERT_EQUAL(precis_writer_event(writer, attr, sizeof(attr), &id, 1, NULL), 0);
	}
}

static inline void end_with_id(uint32_t pid, uint32_t tid, uint64_t time, uint32_t cpu, uint32_t event)
{
	build_u32(&build, pid);
	build_u32(&build, tid);
	build_u64(&build, time);
	build_u32(&build, cpu);
	build_u32(&build, 0);
	build_u64(&build, 10 + event);
	put_record();
}

static inline void put_hw_id(uint32_t cpu, uint64_t counter, uint32_t event)
{
	build_begin(&build, PRECIS_RECORD_AUX_OUTPUT_HW_ID, 0);
	build_u64(&build, counter);
	end_with_id(1, 1, 1, cpu, event);
}

/* ns are 2 times the TSC, and 5 */
static inline void put_info(uint32_t type, uint64_t snapshots)
{
	const uint64_t words[] = { 8, 0, 2, 5, 1, 0, 0, 0, snapshots };

	build_begin(&build, PRECIS_RECORD_AUXTRACE_INFO, 0);
	build_u32(&build, type);
	build_u32(&build, 0);
	for (size_t n = 0; n < sizeof(words) / 8; n++)
		build_u64(&build, words[n]);
	put_record();
}

static inline void put_start(uint32_t cpu, uint32_t pid, uint32_t tid, uint64_t time)
{
	build_begin(&build, PRECIS_RECORD_ITRACE_START, 0);
	build_u32(&build, pid);
	build_u32(&build, tid);
	end_with_id(pid, tid, time, cpu, 0);
}

/* 'tid' runs from then on, its pid is 100 more; 0: the record does not say who */
static inline void put_switch(uint32_t cpu, uint32_t tid, uint64_t time)
{
	if (!tid) {
		build_begin(&build, PRECIS_RECORD_SWITCH, PRECIS_MISC_SWITCH_OUT);
		end_with_id(7, 7, time, cpu, 0);
		return;
	}
	build_begin(&build, PRECIS_RECORD_SWITCH_CPU_WIDE, PRECIS_MISC_SWITCH_OUT);
	build_u32(&build, tid + 100);
	build_u32(&build, tid);
	end_with_id(7, 7, time, cpu, 0);
}

static inline void put_lost(uint32_t cpu, uint64_t time)
{
	build_begin(&build, PRECIS_RECORD_LOST, 0);
	build_u64(&build, 10);
	build_u64(&build, 3);
	end_with_id(7, 7, time, cpu, 0);
}

/* --- a trace --- */

struct trace {
	uint8_t bytes[20000];
	size_t count;
};

static inline void put_packet(struct trace *trace, uint32_t type, uint32_t detail, uint64_t payload)
{
	struct precis_pt_packet packet = { sizeof(packet), type, 0, detail, payload };
	int made = precis_pt_packet_encode(&packet, trace->bytes + trace->count,
					   sizeof(trace->bytes) - trace->count);

	CU_ASSERT_FATAL(made > 0);
	trace->count += (size_t)made;
}

static inline struct trace trace_begin(void)
{
	struct trace trace = { .count = 0 };

	put_packet(&trace, PRECIS_PT_PSB, 0, 0);
	put_packet(&trace, PRECIS_PT_PSBEND, 0, 0);
	return trace;
}

/* A record of these counters; words that are 0 are not in it. */
static inline void put_pebs(struct trace *trace, uint64_t counters, uint64_t tsc, uint64_t ip,
		     uint64_t fup_ip)
{
	struct precis_pebs record = { .size = sizeof(record) };
	struct precis_pebs_pt_about about = { .size = sizeof(about), .fup_ip = fup_ip };
	int made;

	record.word[PRECIS_PEBS_APPLICABLE_COUNTERS] = counters;
	record.word[PRECIS_PEBS_TSC] = tsc;
	record.word[PRECIS_PEBS_EVENTING_IP] = ip;
	record.word[PRECIS_PEBS_DATA_ADDRESS] = 0x7000;
	record.word[PRECIS_PEBS_DATA_SOURCE] = 5;
	record.word[PRECIS_PEBS_LATENCY] = UINT64_C(30) << 32 | 40;
	record.captured = 7u << PRECIS_PEBS_DATA_ADDRESS;
	record.captured |= (uint32_t)!!counters << PRECIS_PEBS_APPLICABLE_COUNTERS;
	record.captured |= (uint32_t)!!tsc << PRECIS_PEBS_TSC;
	record.captured |= (uint32_t)!!ip << PRECIS_PEBS_EVENTING_IP;
	about.flags = fup_ip ? PRECIS_PEBS_PT_HAS_FUP_IP : 0;
	made = precis_pebs_pt_encode(&record, NULL, &about, trace->bytes + trace->count,
				     sizeof(trace->bytes) - trace->count);
	CU_ASSERT_FATAL(made > 0);
	trace->count += (size_t)made;
}

static inline void put_trace(const struct trace *trace, size_t first, size_t count, uint64_t aux_offset,
		      int32_t cpu, int32_t tid)
{
	static const uint8_t padding[8];
	size_t more = -count & 7; /* as perf record does it */

	build_begin(&build, PRECIS_RECORD_AUXTRACE, 0);
	build_u64(&build, count + more);
	build_u64(&build, aux_offset);
	build_u64(&build, 0);
	build_u32(&build, 0); /* CPU and thread tell buffers apart */
	build_u32(&build, (uint32_t)tid);
	build_u32(&build, (uint32_t)cpu);
	build_u32(&build, 0);
	build_end(&build);
	build_bytes(&build, trace->bytes + first, count);
	build_bytes(&build, padding, more);
	CU_ASSERT_EQUAL(precis_writer_record(writer, build.bytes, build.count), 0);
}

static inline size_t padded(size_t count)
{
	return (count + 7) & ~(size_t)7;
}

static inline void put_whole_trace(const struct trace *trace, int32_t cpu)
{
	put_trace(trace, 0, trace->count, 0, cpu, -1);
}

#endif
