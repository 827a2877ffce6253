/* SPDX-License-Identifier: BSD-3-Clause */
/* From applicable counters to events: AUX_OUTPUT_HW_ID records, and events that are alone. */
#include <precis/precis.h>

#include "tests/support/build.h"
#include "tests/support/tap.h"

#define SAMPLE_TYPE                                                                                \
	(PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_CPU |           \
	 PRECIS_SAMPLE_IDENTIFIER)
#define AUX_OUTPUT (UINT64_C(1) << 31)
#define NO_TIME PRECIS_PEBS_PT_NO_TIME

static struct build build;
static char path[64];

/* Events with the ids 10, 11, …; bit n of 'outputs': event n has attr.aux_output. */
static struct precis_file *open_events(uint32_t count, uint32_t outputs)
{
	struct precis_writer *writer;
	struct precis_file *file;

	CU_ASSERT_EQUAL_FATAL(precis_writer_open(path, &writer), 0);
	for (uint32_t n = 0; n < count; n++) {
		uint8_t attr[BUILD_ATTR_BYTES];
		uint64_t id = 10 + n;

		build_attr(attr, 4, SAMPLE_TYPE,
			   BUILD_ATTR_SAMPLE_ID_ALL | (outputs >> n & 1 ? AUX_OUTPUT : 0));
		CU_ASSERT_EQUAL(precis_writer_event(writer, attr, sizeof(attr), &id, 1, NULL), 0);
	}
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
	return file;
}

static int say(struct precis_pebs_pt_events *events, uint64_t counter, uint64_t event, uint32_t cpu,
	       uint32_t tid, uint64_t time)
{
	struct precis_record record;

	build_begin(&build, PRECIS_RECORD_AUX_OUTPUT_HW_ID, 0);
	build_u64(&build, counter);
	build_u32(&build, tid);
	build_u32(&build, tid);
	build_u64(&build, time);
	build_u32(&build, cpu);
	build_u32(&build, 0);
	build_u64(&build, 10 + event);
	build_end(&build);
	record = build_record(&build);
	return precis_pebs_pt_events_record(events, &record);
}

static struct precis_pebs_pt_match match_of(const struct precis_pebs_pt_events *events, int32_t cpu,
					    int32_t tid, uint64_t time, uint64_t counters)
{
	struct precis_pebs_pt_match match = { .size = sizeof(match) };
	struct precis_auxtrace trace = { .size = sizeof(trace), .cpu = cpu, .tid = tid };
	struct precis_pebs record = { .size = sizeof(record) };

	record.captured = 1u << PRECIS_PEBS_APPLICABLE_COUNTERS;
	record.word[PRECIS_PEBS_APPLICABLE_COUNTERS] = counters;
	CU_ASSERT_EQUAL(precis_pebs_pt_events_match(events, &trace, time, &record, &match), 0);
	return match;
}

#define ASSERT_MATCH(match, how, number, first, left, open)                                        \
	do {                                                                                       \
		struct precis_pebs_pt_match found = match;                                         \
                                                                                                   \
		CU_ASSERT_EQUAL(found.by, PRECIS_PEBS_PT_BY_##how);                                \
		CU_ASSERT_EQUAL(found.count, number);                                              \
		CU_ASSERT_EQUAL(found.event[0], first);                                            \
		CU_ASSERT_EQUAL(found.unmatched, left);                                            \
		CU_ASSERT_EQUAL(found.ambiguous, open);                                            \
	} while (0)

static void by_counter(void)
{
	struct precis_file *file = open_events(4, 0xe);
	struct precis_pebs_pt_events *events;
	struct precis_pebs_pt_match match;

	CU_ASSERT_EQUAL_FATAL(precis_pebs_pt_events_open(file, &events), 0);
	ASSERT_MATCH(match_of(events, 0, -1, 5, 1), NOTHING, 0, 0, 1, 0);
	CU_ASSERT_EQUAL(say(events, 0, 1, 0, 100, 10), 0);
	CU_ASSERT_EQUAL(say(events, 1, 2, 0, 100, 10), 0);
	CU_ASSERT_EQUAL(say(events, 0, 2, 1, 101, 10), 0);
	CU_ASSERT_EQUAL(say(events, 63, 3, 1, 101, 10), 0);
	CU_ASSERT_EQUAL(say(events, 32, 3, 0, 100, 10), 0);
	for (uint64_t time = 10; time; time = time == 10 ? NO_TIME : 0) {
		ASSERT_MATCH(match_of(events, 0, -1, time, 1), COUNTERS, 1, 1, 0, 0);
		ASSERT_MATCH(match_of(events, 1, -1, time, 1), COUNTERS, 1, 2, 0, 0);
		ASSERT_MATCH(match_of(events, 1, 100, time, 1), COUNTERS, 1, 2, 0, 0);
		ASSERT_MATCH(match_of(events, 1, -1, time, UINT64_C(1) << 63), COUNTERS, 1, 3, 0,
			     0);
		ASSERT_MATCH(match_of(events, 2, -1, time, 1), NOTHING, 0, 0, 1, 0);
		/* in a buffer of one thread */
		ASSERT_MATCH(match_of(events, -1, 100, time, 1), COUNTERS, 1, 1, 0, 0);
		ASSERT_MATCH(match_of(events, -1, 101, time, 1), COUNTERS, 1, 2, 0, 0);
		ASSERT_MATCH(match_of(events, -1, 1, time, 1), NOTHING, 0, 0, 1, 0);
		/* some of the counters */
		ASSERT_MATCH(match_of(events, 0, -1, time, 5), COUNTERS, 1, 1, 4, 0);
	}
	match = match_of(events, 0, -1, 20, 3 | UINT64_C(1) << 32);
	CU_ASSERT_EQUAL(match.count, 3);
	CU_ASSERT_EQUAL(match.event[1], 2);
	CU_ASSERT_EQUAL(match.event[2], 3);
	/* before the record that says it */
	ASSERT_MATCH(match_of(events, 0, -1, 9, 1), NOTHING, 0, 0, 1, 0);
	precis_pebs_pt_events_close(events);
	precis_file_close(file);
}

static void changes(void)
{
	struct precis_file *file = open_events(3, 6);
	struct precis_pebs_pt_events *events;

	CU_ASSERT_EQUAL_FATAL(precis_pebs_pt_events_open(file, &events), 0);
	CU_ASSERT_EQUAL(say(events, 0, 1, 0, 1, 10), 0);
	CU_ASSERT_EQUAL(say(events, 0, 1, 0, 1, 15), 0); /* nothing new */
	ASSERT_MATCH(match_of(events, 0, -1, NO_TIME, 1), COUNTERS, 1, 1, 0, 0);
	CU_ASSERT_EQUAL(say(events, 0, 2, 0, 1, 20), 0);
	CU_ASSERT_EQUAL(say(events, 0, 1, 0, 1, 30), 0);
	ASSERT_MATCH(match_of(events, 0, -1, 10, 1), COUNTERS, 1, 1, 0, 0);
	ASSERT_MATCH(match_of(events, 0, -1, 19, 1), COUNTERS, 1, 1, 0, 0);
	ASSERT_MATCH(match_of(events, 0, -1, 20, 1), COUNTERS, 1, 2, 0, 0);
	ASSERT_MATCH(match_of(events, 0, -1, 29, 1), COUNTERS, 1, 2, 0, 0);
	ASSERT_MATCH(match_of(events, 0, -1, 30, 1), COUNTERS, 1, 1, 0, 0);
	ASSERT_MATCH(match_of(events, 0, -1, NO_TIME, 1), NOTHING, 0, 0, 1, 1);
	/* what is said late holds from its own time on, also if it is what holds at last */
	CU_ASSERT_EQUAL(say(events, 0, 1, 0, 1, 25), 0);
	ASSERT_MATCH(match_of(events, 0, -1, 24, 1), COUNTERS, 1, 2, 0, 0);
	ASSERT_MATCH(match_of(events, 0, -1, 25, 1), COUNTERS, 1, 1, 0, 0);
	/* too late: this one is left out */
	for (uint64_t n = 0; n < 1100; n++)
		CU_ASSERT_EQUAL(say(events, 0, 1 + n % 2, 0, 1, 100 + n), 0);
	CU_ASSERT_EQUAL(say(events, 0, 2, 0, 1, 12), PRECIS_E_NO_SPACE);
	ASSERT_MATCH(match_of(events, 0, -1, 13, 1), COUNTERS, 1, 1, 0, 0);
	/* both counters are the same event's: it is named once */
	CU_ASSERT_EQUAL(say(events, 1, 1, 0, 1, 30), 0);
	ASSERT_MATCH(match_of(events, 0, -1, 30, 3), COUNTERS, 1, 1, 0, 0);
	precis_pebs_pt_events_close(events);
	precis_file_close(file);
}

static void alone(void)
{
	struct precis_file *file = open_events(3, 4);
	struct precis_pebs_pt_events *events;

	CU_ASSERT_EQUAL_FATAL(precis_pebs_pt_events_open(file, &events), 0);
	ASSERT_MATCH(match_of(events, 0, -1, 5, 1), BEING_ALONE, 1, 2, 0, 0);
	ASSERT_MATCH(match_of(events, 0, -1, 5, 0), BEING_ALONE, 1, 2, 0, 0);
	CU_ASSERT_EQUAL(say(events, 0, 1, 0, 1, 1), 0);
	ASSERT_MATCH(match_of(events, 0, -1, 5, 1), COUNTERS, 1, 1, 0, 0);
	precis_pebs_pt_events_close(events);
	precis_file_close(file);
	file = open_events(3, 0);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_pt_events_open(file, &events), 0);
	ASSERT_MATCH(match_of(events, 0, -1, 5, 1), NOTHING, 0, 0, 1, 0);
	precis_pebs_pt_events_close(events);
	precis_file_close(file);
}

/* Places are kept sorted, changes in the order in which they came. */
static void many(void)
{
	struct precis_file *file = open_events(3, 6);
	struct precis_pebs_pt_events *events;
	uint32_t wrong = 0;

	CU_ASSERT_EQUAL_FATAL(precis_pebs_pt_events_open(file, &events), 0);
	for (uint32_t n = 0; n < 5000; n++)
		wrong += say(events, n * 7 % 64, 1 + n % 2, n * 13 % 500, 9, n) != 0;
	CU_ASSERT_EQUAL(wrong, 0);
	for (uint32_t n = 0; n < 5000; n++) {
		uint64_t counter = UINT64_C(1) << n * 7 % 64;

		wrong += match_of(events, n * 13 % 500, -1, n, counter).event[0] != 1 + n % 2;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	precis_pebs_pt_events_close(events);
	precis_file_close(file);
}

static void refused(void)
{
	struct precis_file *file = open_events(3, 6);
	struct precis_pebs_pt_match match = { .size = sizeof(match) }, small = { .size = 4 };
	struct precis_auxtrace trace = { .size = sizeof(trace) };
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct precis_pebs_pt_events *events;
	struct precis_record record;

	CU_ASSERT_EQUAL(precis_pebs_pt_events_open(NULL, &events), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_events_open(file, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL_FATAL(precis_pebs_pt_events_open(file, &events), 0);
	CU_ASSERT_EQUAL(say(events, 64, 1, 0, 1, 1), PRECIS_E_UNSUPPORTED);
	CU_ASSERT_EQUAL(say(events, 0, 3, 0, 1, 1), PRECIS_E_BAD_ID);
	build_begin(&build, PRECIS_RECORD_AUX_OUTPUT_HW_ID, 0);
	build_end(&build);
	record = build_record(&build);
	CU_ASSERT_EQUAL(precis_pebs_pt_events_record(events, &record), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_pebs_pt_events_record(events, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_events_record(NULL, &record), PRECIS_E_ARGUMENT);
	record.type = PRECIS_RECORD_ITRACE_START;
	CU_ASSERT_EQUAL(precis_pebs_pt_events_record(events, &record), 0);
	CU_ASSERT_EQUAL(precis_pebs_pt_events_match(events, &trace, 0, &pebs, &small),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_events_match(events, &trace, 0, NULL, &match),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_events_match(events, NULL, 0, &pebs, &match),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_events_match(NULL, &trace, 0, &pebs, &match),
			PRECIS_E_ARGUMENT);
	precis_pebs_pt_events_close(events);
	precis_pebs_pt_events_close(NULL);
	precis_file_close(file);
}

static void times(void)
{
	/* PMU type, shift, multiplier, zero, and whether zero is known */
	static const uint64_t words[] = { 8, 10, 2048, 1000000, 1 };
	struct precis_auxtrace_info info = { .size = sizeof(info), .type = 1 };
	uint64_t copy[5], time;

	info.private_words.data = (const uint8_t *)copy;
	info.private_words.bytes = sizeof(copy);
	memcpy(copy, words, sizeof(copy));
	CU_ASSERT_EQUAL(precis_pebs_pt_time(&info, 1025, &time), 0);
	CU_ASSERT_EQUAL(time, 1000000 + 2048 + 2);
	CU_ASSERT_EQUAL(precis_pebs_pt_time(&info, UINT64_C(1) << 52, &time), 0);
	CU_ASSERT_EQUAL(time, 1000000 + (UINT64_C(1) << 53));
	CU_ASSERT_EQUAL(precis_pebs_pt_time(NULL, 0, &time), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_pebs_pt_time(&info, 0, NULL), PRECIS_E_ARGUMENT);
	copy[4] = 0;
	CU_ASSERT_EQUAL(precis_pebs_pt_time(&info, 0, &time), PRECIS_E_UNSUPPORTED);
	copy[4] = 1;
	copy[2] = 0;
	CU_ASSERT_EQUAL(precis_pebs_pt_time(&info, 0, &time), PRECIS_E_UNSUPPORTED);
	copy[2] = 1;
	copy[1] = 64;
	CU_ASSERT_EQUAL(precis_pebs_pt_time(&info, 0, &time), PRECIS_E_UNSUPPORTED);
	copy[1] = 1;
	info.private_words.bytes = 32;
	CU_ASSERT_EQUAL(precis_pebs_pt_time(&info, 0, &time), PRECIS_E_UNSUPPORTED);
	info.private_words.bytes = 40;
	info.type = 2;
	CU_ASSERT_EQUAL(precis_pebs_pt_time(&info, 0, &time), PRECIS_E_UNSUPPORTED);
}

static const struct tap_case cases[] = {
	{ "by counter, of CPUs and of threads", by_counter },
	{ "counters that change hands", changes },
	{ "the only event there is", alone },
	{ "many", many },
	{ "what is refused", refused },
	{ "TSC to time", times },
};

int main(void)
{
	int code;

	build_path(path);
	code = tap_main("pebs_pt_events", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	return code;
}
