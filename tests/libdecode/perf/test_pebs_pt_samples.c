/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples out of the AUX area: events, times, tasks that other records tell, and what is lost. */
#include "tests/libdecode/perf/traced_file.h"

#define MOST 16

/* --- reading it --- */

static struct precis_file *file;
static struct precis_pebs_pt_samples *samples;
static struct precis_sample got[MOST];
static struct precis_perf_sample perf[MOST];
static struct precis_pebs_pt_origin origin[MOST];
static struct precis_pebs_pt_counts counts;

static uint32_t drain(uint32_t n)
{
	int found;

	do {
		CU_ASSERT_FATAL(n < MOST);
		precis_sample_init(&got[n]);
		perf[n].size = sizeof(perf[n]);
		origin[n].size = sizeof(origin[n]);
		found = precis_pebs_pt_samples_next(samples, NULL, &perf[n], &got[n], &origin[n]);
		CU_ASSERT(found >= 0);
		n += (uint32_t)(found > 0);
	} while (found > 0);
	return n;
}

/* @return how many samples there are */
static uint32_t read_through(void)
{
	struct precis_record record;
	uint32_t n = 0;

	while (precis_file_next(file, &record) > 0) {
		CU_ASSERT_EQUAL(precis_pebs_pt_samples_record(samples, &record), 0);
		n = drain(n);
	}
	CU_ASSERT_EQUAL(precis_pebs_pt_samples_end(samples), 0);
	n = drain(n);
	counts.size = sizeof(counts);
	CU_ASSERT_EQUAL(precis_pebs_pt_samples_counts(samples, &counts), 0);
	CU_ASSERT_EQUAL(counts.samples, n);
	return n;
}

static uint32_t open_and_read(uint32_t order)
{
	const struct precis_file_options options = { .size = sizeof(options), .order = order };

	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	if (ends[1] >= 0) {
		close(ends[1]);
		CU_ASSERT_EQUAL_FATAL(precis_file_open_fd(ends[0], &options, &file, NULL), 0);
	} else {
		CU_ASSERT_EQUAL_FATAL(precis_file_open(path, &options, &file, NULL), 0);
	}
	CU_ASSERT_EQUAL_FATAL(precis_pebs_pt_samples_open(file, &samples), 0);
	return read_through();
}

static void finish(void)
{
	precis_pebs_pt_samples_close(samples);
	precis_file_close(file);
	if (ends[0] >= 0)
		close(ends[0]);
	ends[0] = ends[1] = -1;
}

static int has(uint32_t n, enum precis_field field, uint64_t value)
{
	uint64_t found;

	return precis_get(&got[n], field, &found) && found == value;
}

static int lacks(uint32_t n, enum precis_field field, const char *why)
{
	return !precis_fields_have(got[n].present, field) &&
	       precis_why(&got[n], field) == PRECIS_NOT_CAPTURED &&
	       strstr(precis_why_detail(&got[n], field), why);
}

static const char no_task[] = "the trace does not tell the task";

/* --- cases --- */

static void fields(void)
{
	struct trace trace = trace_begin();

	put_pebs(&trace, 1, 1000, IP, 0);
	put_pebs(&trace, 2, 0, 0, UINT64_C(0xffffffff81000000));
	begin(0, 0);
	put_info(1, 0);
	put_hw_id(3, 0, 1);
	put_hw_id(3, 1, 2);
	put_start(3, 50, 51, 6);
	put_whole_trace(&trace, 3);
	CU_ASSERT_EQUAL(open_and_read(PRECIS_ORDER_FILE), 2);
	CU_ASSERT(has(0, PRECIS_FIELD_EVENT, 1) && has(0, PRECIS_FIELD_CPU, 3));
	CU_ASSERT(has(0, PRECIS_FIELD_TIME, 2005) && has(0, PRECIS_FIELD_TSC, 1000));
	CU_ASSERT(has(0, PRECIS_FIELD_PID, 50) && has(0, PRECIS_FIELD_TID, 51));
	CU_ASSERT(has(0, PRECIS_FIELD_IP, IP) && has(0, PRECIS_FIELD_IP_EXACT, 1));
	CU_ASSERT(has(0, PRECIS_FIELD_CPUMODE, PRECIS_CPUMODE_USER));
	CU_ASSERT(has(0, PRECIS_FIELD_PERIOD, 1000));
	CU_ASSERT(has(0, PRECIS_FIELD_ADDR, 0x7000));
	CU_ASSERT(has(0, PRECIS_FIELD_CACHE_LATENCY, 30));
	CU_ASSERT(has(0, PRECIS_FIELD_INSTRUCTION_LATENCY, 40));
	CU_ASSERT(lacks(0, PRECIS_FIELD_PHYS_ADDR, "the kernel does not see"));
	CU_ASSERT_EQUAL(perf[0].present, PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME |
						 PRECIS_SAMPLE_CPU | PRECIS_SAMPLE_ADDR);
	CU_ASSERT(perf[0].pid == 50 && perf[0].tid == 51 && perf[0].time == 2005);
	CU_ASSERT_EQUAL(perf[0].misc, PRECIS_CPUMODE_USER | PRECIS_MISC_EXACT_IP);
	/* the other lacks most: its address is that of the packet behind it */
	CU_ASSERT(has(1, PRECIS_FIELD_EVENT, 2));
	CU_ASSERT(has(1, PRECIS_FIELD_IP, UINT64_C(0xffffffff81000000)));
	CU_ASSERT(has(1, PRECIS_FIELD_IP_EXACT, 0));
	CU_ASSERT(has(1, PRECIS_FIELD_CPUMODE, PRECIS_CPUMODE_KERNEL));
	CU_ASSERT(lacks(1, PRECIS_FIELD_TIME, "no TSC") && lacks(1, PRECIS_FIELD_TID, no_task));
	CU_ASSERT(!(perf[1].present & (PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_TID)));
	CU_ASSERT(counts.traces == 1 && counts.records == 2 && counts.by_counters == 2);
	CU_ASSERT(counts.bytes == padded(trace.count) && counts.bytes_read == counts.bytes);
	CU_ASSERT_EQUAL(counts.fault_offset, UINT64_MAX);
	finish();
}

static void several_events(void)
{
	struct trace trace = trace_begin();

	put_pebs(&trace, 3, 1000, IP, 0);  /* of both */
	put_pebs(&trace, 5, 2000, IP, 0);  /* one of its counters is nobody's */
	put_pebs(&trace, 4, 3000, IP, 0);  /* nobody's at all */
	put_pebs(&trace, 0, 4000, IP, 0);
	begin(0, BUILD_ATTR_FREQ);
	put_info(1, 0);
	put_hw_id(0, 0, 1);
	put_hw_id(0, 1, 2);
	put_whole_trace(&trace, 0);
	CU_ASSERT_EQUAL(open_and_read(PRECIS_ORDER_FILE), 5);
	CU_ASSERT(has(0, PRECIS_FIELD_EVENT, 1) && has(1, PRECIS_FIELD_EVENT, 2));
	CU_ASSERT(has(0, PRECIS_FIELD_TIME, 2005) && has(1, PRECIS_FIELD_TIME, 2005));
	CU_ASSERT(lacks(0, PRECIS_FIELD_PERIOD, "not fixed"));
	CU_ASSERT(has(2, PRECIS_FIELD_EVENT, 1));
	for (uint32_t n = 3; n < 5; n++) {
		CU_ASSERT(lacks(n, PRECIS_FIELD_EVENT, "AUX_OUTPUT_HW_ID"));
		CU_ASSERT(has(n, PRECIS_FIELD_IP, IP));
		CU_ASSERT(lacks(n, PRECIS_FIELD_ADDR, "the event is not known"));
	}
	CU_ASSERT(counts.by_counters == 2 && counts.partly_matched == 1 && counts.unmatched == 2);
	finish();
}

/* Who runs: by switches, up to losses, and not by those of another CPU */
static void tasks(void)
{
	static const struct {
		uint64_t time;
		uint32_t tid; /* 0: not known */
	} expected[] = { { 15, 0 },  { 25, 21 }, { 35, 0 },  { 45, 41 }, { 55, 61 },
			 { 65, 0 },  { 75, 71 }, { 85, 0 },  { 95, 91 }, { 185, 91 } };
	struct trace trace = trace_begin();

	for (uint32_t n = 0; n < 10; n++)
		put_pebs(&trace, 1, (expected[n].time - 5) / 2, IP, 0);
	begin(0, 0);
	put_info(1, 0);
	put_hw_id(1, 0, 1);
	put_start(1, 121, 21, 20);
	put_switch(1, 0, 30);
	put_switch(1, 71, 70); /* a little out of order */
	put_switch(1, 41, 40);
	put_switch(2, 99, 42);
	put_switch(1, 61, 60);
	put_switch(1, 61, 50); /* likewise */
	put_lost(1, 69);
	put_switch(1, 81, 80);
	put_lost(1, 90);
	put_whole_trace(&trace, 1);
	put_switch(1, 91, 91); /* behind the trace */
	CU_ASSERT_EQUAL(open_and_read(PRECIS_ORDER_FILE), 10);
	for (uint32_t n = 0; n < 10; n++) {
		CU_ASSERT(has(n, PRECIS_FIELD_TIME, expected[n].time));
		if (expected[n].tid) {
			CU_ASSERT(has(n, PRECIS_FIELD_TID, expected[n].tid));
			CU_ASSERT(has(n, PRECIS_FIELD_PID, expected[n].tid + 100));
		} else {
			CU_ASSERT(lacks(n, PRECIS_FIELD_TID, no_task));
			CU_ASSERT(lacks(n, PRECIS_FIELD_PID, no_task));
		}
	}
	finish();
}

static void threads(void)
{
	struct trace trace = trace_begin();

	put_pebs(&trace, 1, 1000, IP, 0);
	begin(0, 0);
	put_info(1, 0);
	put_start(3, 50, 51, 6);
	put_trace(&trace, 0, trace.count, 0, -1, 51);
	put_trace(&trace, 0, trace.count, 0, -1, 52);
	CU_ASSERT_EQUAL(open_and_read(PRECIS_ORDER_FILE), 2);
	CU_ASSERT(has(0, PRECIS_FIELD_PID, 50) && has(0, PRECIS_FIELD_TID, 51));
	CU_ASSERT(has(1, PRECIS_FIELD_TID, 52) && lacks(1, PRECIS_FIELD_PID, no_task));
	CU_ASSERT(lacks(0, PRECIS_FIELD_CPU, "that of a thread"));
	CU_ASSERT(perf[0].present & PRECIS_SAMPLE_TID && !(perf[0].present & PRECIS_SAMPLE_CPU));
	CU_ASSERT(!(perf[1].present & PRECIS_SAMPLE_TID));
	CU_ASSERT_EQUAL(counts.unmatched, 2);
	finish();
}

/* What comes behind a trace is known of a file, and not of a pipe */
static void through_pipe(void)
{
	for (int is_pipe = 0; is_pipe < 2; is_pipe++) {
		struct trace trace = trace_begin();

		put_pebs(&trace, 1, 10, IP, 0);
		put_pebs(&trace, 1, 20, IP, 0);
		put_pebs(&trace, 2, 20, IP, 0);
		begin(is_pipe, 0);
		put_info(1, 0);
		put_hw_id(1, 0, 1);
		put_start(1, 50, 51, 6);
		put_switch(1, 31, 30);
		put_whole_trace(&trace, 1);
		put_hw_id(1, 1, 2);
		put_switch(1, 41, 60);
		CU_ASSERT_EQUAL(open_and_read(PRECIS_ORDER_FILE), 3);
		CU_ASSERT(has(0, PRECIS_FIELD_TID, 51));
		CU_ASSERT(is_pipe ? lacks(1, PRECIS_FIELD_TID, no_task) :
				    has(1, PRECIS_FIELD_TID, 31));
		CU_ASSERT(is_pipe ? lacks(2, PRECIS_FIELD_EVENT, "AUX_OUTPUT_HW_ID") :
				    has(2, PRECIS_FIELD_EVENT, 2));
		finish();
	}
}

/* In time order a file's traces can be read, a pipe's cannot */
static void sorted(void)
{
	for (int is_pipe = 0; is_pipe < 2; is_pipe++) {
		struct trace trace = trace_begin();

		put_pebs(&trace, 1, 10, IP, 0);
		begin(is_pipe, 0);
		put_info(1, 0);
		put_hw_id(1, 0, 1);
		put_whole_trace(&trace, 1);
		CU_ASSERT_EQUAL(open_and_read(PRECIS_ORDER_TIME), is_pipe ? 0 : 1);
		CU_ASSERT_EQUAL(counts.traces_unread, (uint64_t)is_pipe);
		CU_ASSERT_EQUAL(counts.error, is_pipe ? PRECIS_E_UNSUPPORTED : 0);
		if (!is_pipe)
			CU_ASSERT(has(0, PRECIS_FIELD_EVENT, 1));
		finish();
	}
}

/* Traces that go on, with padding and without, in a packet and between two; and such that do not */
static void pieces(void)
{
	static const struct {
		int is_whole; /* 1: the first piece ends with the first record */
		int64_t gap;
		uint32_t found, lost;
	} cases[] = { { 0, 0, 2, 0 }, { 0, 8, 0, 1 },	{ 0, -7, 2, 0 }, { 0, -8, 0, 1 },
		      { 1, 0, 2, 0 }, { 1, 8, 1, 0 } };

	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct trace trace = trace_begin();
		size_t cut;

		put_pebs(&trace, 1, 10, IP, 0);
		while (trace.count % 8 != 3) /* so that there is something to fill up */
			put_packet(&trace, PRECIS_PT_PAD, 0, 0);
		cut = cases[n].is_whole ? trace.count : (trace.count - 20) & ~(size_t)7;
		put_pebs(&trace, 1, 20, IP, 0);
		begin(0, 0);
		put_info(1, 0);
		put_hw_id(1, 0, 1);
		put_trace(&trace, 0, cut, 0, 1, -1);
		put_trace(&trace, cut, trace.count - cut, cut + (uint64_t)cases[n].gap, 1, -1);
		CU_ASSERT_EQUAL(open_and_read(PRECIS_ORDER_FILE), cases[n].found);
		CU_ASSERT_EQUAL(counts.records_lost, cases[n].lost);
		CU_ASSERT_EQUAL(counts.problems[PRECIS_PEBS_PT_TRUNCATED], cases[n].lost);
		CU_ASSERT_EQUAL(counts.fault_offset != UINT64_MAX, cases[n].lost);
		CU_ASSERT_EQUAL(counts.bytes_skipped != 0, cases[n].found < 2);
		finish();
	}
}

/* A record that waits for its address: the end of all says that none comes */
static void last_record(void)
{
	struct trace trace = trace_begin();

	put_pebs(&trace, 1, 10, IP, 0x500000);
	begin(0, 0);
	put_info(1, 0);
	put_hw_id(1, 0, 1);
	put_trace(&trace, 0, trace.count - 7, 0, 1, -1); /* what fills it up may come before a FUP */
	CU_ASSERT_EQUAL(open_and_read(PRECIS_ORDER_FILE), 1);
	CU_ASSERT(has(0, PRECIS_FIELD_IP, IP));
	CU_ASSERT_EQUAL(origin[0].problems, 1u << PRECIS_PEBS_PT_NO_IP);
	CU_ASSERT_EQUAL(counts.problems[PRECIS_PEBS_PT_NO_IP], 1);
	finish();
}

static void snapshots(void)
{
	for (uint64_t is_snapshot = 0; is_snapshot < 2; is_snapshot++) {
		struct trace trace = trace_begin();

		put_pebs(&trace, 1, 10, IP, 0);
		put_pebs(&trace, 1, 20, IP, 0);
		begin(0, 0);
		put_info(1, is_snapshot);
		put_hw_id(1, 0, 1);
		put_hw_id(2, 0, 1);
		put_trace(&trace, 0, trace.count, 0, 1, -1);
		put_trace(&trace, 0, trace.count, 1000, 1, -1);
		put_trace(&trace, 0, trace.count, 0, 2, -1);
		CU_ASSERT_EQUAL(open_and_read(PRECIS_ORDER_FILE), is_snapshot ? 4 : 6);
		CU_ASSERT_EQUAL(counts.repeated, is_snapshot ? 2 : 0);
		finish();
	}
}

/* The last trace announces more than there is: what is there is read */
static void cut_off(void)
{
	struct trace trace = trace_begin();
	uint8_t *bytes;
	size_t size;
	uint32_t cut = 30;

	put_pebs(&trace, 1, 10, IP, 0);
	put_pebs(&trace, 1, 20, IP, 0);
	begin(0, 0);
	put_info(1, 0);
	put_hw_id(1, 0, 1);
	put_whole_trace(&trace, 1);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	bytes = build_slurp(path, &size);
	for (size_t at = size - trace.count; at; at--) {
		if (!memcmp(bytes + at, trace.bytes, trace.count)) {
			build_file(path, bytes, at + trace.count - cut);
			break;
		}
	}
	free(bytes);
	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_pt_samples_open(file, &samples), 0);
	CU_ASSERT_EQUAL(read_through(), 1);
	CU_ASSERT(has(0, PRECIS_FIELD_EVENT, 1) && has(0, PRECIS_FIELD_TIME, 25));
	CU_ASSERT_EQUAL(counts.traces_unread, 1);
	CU_ASSERT_EQUAL(counts.error, PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(counts.records_lost, 1);
	CU_ASSERT_EQUAL(counts.bytes, padded(trace.count));
	CU_ASSERT_EQUAL(counts.bytes_read, trace.count - cut);
	finish();
}

static void other_traces(void)
{
	struct trace trace = trace_begin();

	put_pebs(&trace, 1, 10, IP, 0);
	begin(0, 0);
	put_info(3, 0); /* another machine's */
	put_hw_id(1, 0, 1);
	put_hw_id(1, 64, 1); /* no such counter */
	put_whole_trace(&trace, 1);
	CU_ASSERT_EQUAL(open_and_read(PRECIS_ORDER_FILE), 0);
	CU_ASSERT(counts.traces == 0 && counts.bad_ids == 1);
	CU_ASSERT(counts.fault_offset != UINT64_MAX);
	finish();
}

static void again(void)
{
	struct trace trace = trace_begin();
	struct precis_pebs_pt_counts first;

	put_pebs(&trace, 1, 10, IP, 0);
	put_pebs(&trace, 4, 10, IP, 0);
	begin(0, 0);
	put_info(1, 0);
	put_hw_id(1, 64, 1);
	put_whole_trace(&trace, 1);
	put_hw_id(1, 0, 1);
	CU_ASSERT_EQUAL(open_and_read(PRECIS_ORDER_FILE), 2);
	first = counts;
	CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	CU_ASSERT_EQUAL(precis_pebs_pt_samples_rewind(samples), 0);
	CU_ASSERT_EQUAL(read_through(), 2);
	CU_ASSERT_EQUAL(memcmp(&first, &counts, sizeof(counts)), 0);
	finish();
}

static void arguments(void)
{
	struct precis_sample small = { .size = 4 };

	begin(0, 0);
	CU_ASSERT_EQUAL(open_and_read(PRECIS_ORDER_FILE), 0);
	CU_ASSERT_EQUAL(precis_file_has_pebs_pt(file), 1);
	CU_ASSERT_EQUAL(precis_file_has_pebs_pt(NULL), 0);
	CU_ASSERT_EQUAL(precis_pebs_pt_samples_open(NULL, &samples), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_samples_record(samples, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_samples_next(samples, NULL, NULL, &small, NULL),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_samples_end(NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_samples_rewind(NULL), PRECIS_E_ARGUMENT);
	counts.size = 4;
	CU_ASSERT_EQUAL(precis_pebs_pt_samples_counts(samples, &counts), PRECIS_E_ARGUMENT);
	precis_pebs_pt_samples_close(NULL);
	finish();
}

static const struct tap_case cases[] = {
	{ "fields and parts", fields },
	{ "records of several events, and of none", several_events },
	{ "tasks of a CPU", tasks },
	{ "traces of threads", threads },
	{ "through a pipe", through_pipe },
	{ "in the order of time", sorted },
	{ "pieces of a trace", pieces },
	{ "a record at the end", last_record },
	{ "snapshots that overlap", snapshots },
	{ "a recording that is cut off", cut_off },
	{ "traces that are no Intel PT", other_traces },
	{ "read again", again },
	{ "arguments", arguments },
};

int main(void)
{
	int code;

	build_path(path);
	code = tap_main("pebs_pt_samples", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	return code;
}
