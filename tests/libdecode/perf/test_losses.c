/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recording lost and how long it was throttled: files with known spans and counters. */
#include "tests/libdecode/perf/loss_recording.h"

#define READ_FORMAT                                                                                \
	(PRECIS_FORMAT_ID | PRECIS_FORMAT_LOST | PRECIS_FORMAT_TIME_ENABLED |                      \
	 PRECIS_FORMAT_TIME_RUNNING)
#define WRITE_BACKWARD (UINT64_C(1) << 27)
#define BPF_DROPPED (1u << 15)
#define CPU 7u

static void create_two(uint64_t read_format)
{
	create();
	add_event(SAMPLE_TYPE, read_format, BUILD_ATTR_SAMPLE_ID_ALL, first_ids, 2);
	add_event(SAMPLE_TYPE, read_format, BUILD_ATTR_SAMPLE_ID_ALL, second_ids, 2);
}

static void add_words(uint32_t type, uint16_t misc, const uint64_t *words, uint32_t count,
		      uint64_t time, uint32_t cpu, uint64_t id)
{
	add_words_of(PROCESS, type, misc, words, count, time, cpu, id);
}

static void throttle_stream(uint64_t time, uint32_t cpu, uint64_t id, uint64_t stream)
{
	const uint64_t words[] = { time, id, stream };

	add_words(PRECIS_RECORD_THROTTLE, 0, words, 3, time, cpu, id);
}

static void unthrottle_stream(uint64_t time, uint32_t cpu, uint64_t id, uint64_t stream)
{
	const uint64_t words[] = { time, id, stream };

	add_words(PRECIS_RECORD_UNTHROTTLE, 0, words, 3, time, cpu, id);
}

static void throttle(uint64_t time, uint32_t cpu, uint64_t id)
{
	throttle_stream(time, cpu, id, id);
}

static void unthrottle(uint64_t time, uint32_t cpu, uint64_t id)
{
	unthrottle_stream(time, cpu, id, id);
}

static void add_sample(uint64_t time, uint32_t cpu, uint64_t id)
{
	add_sample_of(PROCESS, time, cpu, id);
}

static void add_lost(uint64_t id, uint64_t lost, uint32_t cpu)
{
	const uint64_t words[] = { id, lost };

	add_words(PRECIS_RECORD_LOST, 0, words, 2, 5000, cpu, id);
}

/* As the kernel writes it, or, with a time of 0, as perf record does when it ends */
static void add_lost_samples(uint64_t lost, uint16_t misc, uint64_t time, uint32_t cpu, uint64_t id)
{
	add_words(PRECIS_RECORD_LOST_SAMPLES, misc, &lost, 1, time, cpu, id);
}

/* ID_INDEX of the four ids: CPU 0 or 1 by the id's last digit */
static void add_id_index(uint64_t tid)
{
	const uint64_t words[] = { 4, 10, 0, 0, tid, 11, 1, 1, tid, 20, 0, 0, tid, 21, 1, 1, tid };

	begin(PRECIS_RECORD_ID_INDEX, 0, words, 17);
	add_record();
}

/* READ: value, enabled, running, id, lost */
static void add_read(uint64_t id, uint64_t lost, uint64_t time, uint32_t cpu)
{
	build_begin(&build, PRECIS_RECORD_READ, 0);
	build_u32(&build, 100);
	build_u32(&build, 100);
	build_u64(&build, 999);
	build_u64(&build, 888);
	build_u64(&build, 777);
	build_u64(&build, id);
	build_u64(&build, lost);
	build_trailer(PROCESS, time, cpu, id);
	add_record();
}

static struct precis_loss sum(const struct precis_file *file, uint32_t event, uint32_t cpu)
{
	struct precis_loss loss = { .size = sizeof(loss) };

	CU_ASSERT_EQUAL(precis_file_loss_sum(file, event, cpu, &loss), 0);
	CU_ASSERT_EQUAL(loss.size, sizeof(loss));
	CU_ASSERT_EQUAL(loss.throttle, loss.spans + loss.open + loss.unfinished);
	CU_ASSERT_EQUAL(loss.unthrottle, loss.spans + loss.unmatched);
	return loss;
}

static struct precis_throttled_share share_of(const struct precis_file *file, uint32_t event,
					      uint32_t cpu)
{
	struct precis_throttled_share share = { .size = sizeof(share) };

	CU_ASSERT_EQUAL(precis_file_throttled_share(file, event, cpu, &share), 0);
	return share;
}

/* Two events on two CPUs, written as buffers are: CPU 1 first, though its times are later */
static void follows_spans(void)
{
	struct precis_throttled_share share;
	struct precis_file *file;
	struct precis_loss loss;

	create_two(0);
	throttle(5000, 1, 11);
	unthrottle(5700, 1, 11);
	throttle(6000, 1, 21);
	unthrottle(6001, 1, 21);
	throttle(8000, 1, 11);
	unthrottle(8050, 1, 11);
	add_sample(9000, 1, 11);
	add_sample(1000, 0, 10);
	throttle(2000, 0, 10);
	throttle(2500, 0, 20);
	unthrottle(3000, 0, 10);
	unthrottle(4000, 0, 20);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_count(file), 4);
	loss = sum(file, 0, 1);
	CHECK(loss, throttle, 2);
	CHECK(loss, unthrottle, 2);
	CHECK(loss, spans, 2);
	CHECK(loss, throttled_ns, 750);
	CHECK(loss, longest_ns, 700);
	loss = sum(file, 1, 0);
	CHECK(loss, throttled_ns, 1500);
	loss = sum(file, 0, ANY);
	CHECK(loss, spans, 3);
	CHECK(loss, throttled_ns, 1750);
	CHECK(loss, longest_ns, 1000);
	loss = sum(file, ANY, ANY);
	CHECK(loss, throttled_ns, 3251);
	CHECK(loss, longest_ns, 1500);
	CHECK(loss, open, 0);
	share = share_of(file, 0, ANY);
	CHECK(share, ids, 2);
	CHECK(share, recorded_ns, 8000);
	CHECK(share, of_ns, 16000);
	CHECK(share, throttled_ns, 1750);
	share = share_of(file, 1, 0);
	CHECK(share, ids, 1);
	CHECK(share, of_ns, 6500); /* from its first, though the last is the other's */
	CHECK(share, throttled_ns, 1500);
	precis_file_close(file);
}

static void counts_open_spans_to_the_last_time(void)
{
	struct precis_file *file;
	struct precis_loss loss;

	create_two(0);
	throttle(1000, 0, 10);
	unthrottle(1400, 0, 10);
	throttle(2000, 0, 10);
	throttle(2100, 1, 11);
	add_sample(4000, 1, 21);
	file = finish();
	loss = sum(file, 0, 0);
	CHECK(loss, open, 1);
	CHECK(loss, open_ns, 2000);
	CHECK(loss, throttled_ns, 2400);
	CHECK(loss, longest_ns, 400);
	loss = sum(file, 0, ANY);
	CHECK(loss, open, 2);
	CHECK(loss, open_ns, 3900);
	CHECK(loss, throttled_ns, 4300);
	precis_file_close(file);
}

static void counts_nothing_without_both_ends(void)
{
	struct precis_file *file;
	struct precis_loss loss;

	create_two(0);
	unthrottle(1000, 0, 10); /* began before */
	throttle(2000, 0, 10); /* its end was lost */
	throttle(3000, 0, 10);
	unthrottle(3300, 0, 10);
	unthrottle(3400, 0, 10); /* its begin was lost */
	throttle(5000, 0, 10);
	unthrottle(4999, 0, 10); /* time goes backwards in one stream */
	unthrottle(5010, 0, 10);
	file = finish();
	loss = sum(file, 0, 0);
	CHECK(loss, throttle, 3);
	CHECK(loss, unthrottle, 5);
	CHECK(loss, spans, 2);
	CHECK(loss, throttled_ns, 310);
	CHECK(loss, unfinished, 1);
	CHECK(loss, unmatched, 3);
	CHECK(loss, open, 0);
	precis_file_close(file);
}

/* Tasks inherit an id: each has a stream of its own, and may end while it is throttled */
static void tells_tasks_apart(void)
{
	struct precis_file *file;
	struct precis_loss loss;

	create_two(0);
	throttle_stream(1000, 0, 10, 500);
	throttle_stream(1200, 0, 10, 501);
	unthrottle_stream(1300, 0, 10, 501);
	unthrottle_stream(2000, 0, 10, 500);
	throttle_stream(3000, 0, 10, 502);
	add_sample(9000, 0, 10);
	file = finish();
	loss = sum(file, 0, 0);
	CHECK(loss, spans, 2);
	CHECK(loss, throttled_ns, 1100);
	CHECK(loss, open, 0);
	CHECK(loss, unfinished, 1);
	precis_file_close(file);
	create_two(0);
	add_id_index(100);
	throttle(1000, 0, 10);
	add_sample(9000, 0, 10);
	file = finish();
	loss = sum(file, 0, 0);
	CHECK(loss, open, 0);
	CHECK(loss, unfinished, 1);
	precis_file_close(file);
	create_two(0);
	add_id_index(UINT64_MAX);
	throttle(1000, 0, 10);
	add_sample(9000, 0, 10);
	file = finish();
	loss = sum(file, 0, 0);
	CHECK(loss, open, 1);
	CHECK(loss, open_ns, 8000);
	precis_file_close(file);
}

/* A span is of the CPU where it began, though a task was elsewhere when it ended */
static void belongs_to_the_cpu_of_its_beginning(void)
{
	struct precis_file *file;
	struct precis_loss loss;

	create_two(0);
	throttle(1000, 3, 10);
	unthrottle(1250, 4, 10);
	file = finish();
	CHECK(sum(file, 0, 3), throttled_ns, 250);
	loss = sum(file, 0, 4);
	CHECK(loss, throttled_ns, 0);
	CHECK(loss, unthrottle, 0);
	precis_file_close(file);
}

static void takes_cpus_from_the_index(void)
{
	const uint64_t type = SAMPLE_TYPE & ~(uint64_t)PRECIS_SAMPLE_CPU;
	const uint64_t words[] = { 1000, 11, 11 }, later[] = { 1500, 11, 11 }, lost[] = { 10, 6 };
	struct precis_file *file;

	create();
	add_event(type, 0, 0, first_ids, 2);
	add_event(type, 0, 0, second_ids, 2);
	add_id_index(UINT64_MAX);
	begin(PRECIS_RECORD_THROTTLE, 0, words, 3);
	add_record();
	begin(PRECIS_RECORD_LOST, 0, lost, 2);
	add_record();
	file = finish();
	CHECK(sum(file, 0, 1), throttle, 1);
	CHECK(sum(file, NONE, 0), lost, 6);
	CHECK(share_of(file, 0, 1), ids, 1);
	CHECK(share_of(file, 0, 5), ids, 0);
	precis_file_close(file);
	create();
	add_event(type, 0, 0, first_ids, 2);
	add_event(type, 0, 0, second_ids, 2);
	begin(PRECIS_RECORD_THROTTLE, 0, words, 3);
	add_record();
	begin(PRECIS_RECORD_UNTHROTTLE, 0, later, 3);
	add_record();
	file = finish();
	CHECK(sum(file, 0, NONE), throttle, 1);
	CHECK(share_of(file, 0, ANY), recorded_ns, 500);
	precis_file_close(file);
}

static void reports_losses_of_buffers(void)
{
	struct precis_file_counts counts = { .size = sizeof(counts) };
	struct precis_event_counts event = { .size = sizeof(event) };
	struct precis_file *file;
	struct precis_loss loss;

	create_two(0);
	add_lost(10, 40, 0);
	add_lost(20, 2, 0);
	add_lost(11, 1000, 1);
	add_lost_samples(7, 0, 6000, 1, 21);
	add_lost_samples(50, BPF_DROPPED, 6000, 1, 21);
	file = finish();
	loss = sum(file, NONE, 0);
	CHECK(loss, lost_records, 2);
	CHECK(loss, lost, 42);
	CHECK(sum(file, NONE, 1), lost, 1000);
	CHECK(sum(file, 0, ANY), lost, 0);
	loss = sum(file, 1, 1);
	CHECK(loss, lost_samples_records, 1);
	CHECK(loss, lost_samples, 7);
	CHECK(loss, filtered, 50);
	loss = sum(file, ANY, ANY);
	CHECK(loss, lost, 1042);
	CHECK(loss, counted, 0);
	CU_ASSERT_EQUAL(precis_file_counts(file, &counts), 0);
	CHECK(counts, lost, 1042);
	CHECK(counts, lost_samples, 7);
	CU_ASSERT_EQUAL(precis_file_event_counts(file, 0, &event), 0);
	CHECK(event, lost, 1040);
	precis_file_close(file);
}

static void gives_losses_to_the_only_event(void)
{
	struct precis_file *file;

	create();
	add_event(SAMPLE_TYPE, 0, BUILD_ATTR_SAMPLE_ID_ALL, first_ids, 2);
	add_lost(10, 40, 0);
	file = finish();
	CHECK(sum(file, 0, 0), lost, 40);
	CHECK(sum(file, NONE, ANY), lost, 0);
	precis_file_close(file);
}

static void reads_counters_once(void)
{
	struct precis_file *file;
	struct precis_loss loss;

	create_two(READ_FORMAT);
	add_id_index(UINT64_MAX);
	add_lost(10, 30, 0);
	add_read(10, 12, 1000, 0);
	add_read(10, 30, 2000, 0);
	add_read(10, 0, 3000, 0); /* of what a task inherited */
	add_read(10, 20, 1500, 0); /* earlier, though later in the file */
	add_read(21, 5, 2000, 1);
	add_lost_samples(33, 0, 0, 0, 10); /* at the end */
	add_lost_samples(4, 0, 0, 0, 11);
	add_lost_samples(6, 0, 9000, 1, 11); /* the PMU's */
	file = finish();
	loss = sum(file, 0, 0);
	CHECK(loss, counted, 33);
	CHECK(loss, lost, 0);
	CHECK(loss, lost_samples, 0);
	loss = sum(file, 0, 1);
	CHECK(loss, counted, 4);
	CHECK(loss, lost_samples, 6);
	CHECK(sum(file, 1, 1), counted, 5);
	loss = sum(file, ANY, ANY);
	CHECK(loss, counted, 42);
	CHECK(loss, lost, 30);
	CHECK(loss, lost_samples, 6);
	CHECK(loss, counters_ignored, 0);
	precis_file_close(file);
}

/* The trailer of what perf record appends has its id, and no CPU */
static void takes_no_cpu_from_what_is_appended(void)
{
	struct precis_file *file;

	create_two(READ_FORMAT);
	add_lost_samples(4, 0, 0, 1, 11);
	file = finish();
	CHECK(sum(file, 0, NONE), counted, 4);
	precis_file_close(file);
}

/* A sample of a group: nr, enabled, running, {value, id, lost}[nr] */
static void add_group_sample(uint64_t count, const uint64_t *ids, const uint64_t *lost,
			     uint32_t there)
{
	build_begin(&build, PRECIS_RECORD_SAMPLE, 0);
	build_u64(&build, 10);
	build_u32(&build, 100);
	build_u32(&build, 100);
	build_u64(&build, 2000);
	build_u32(&build, CPU);
	build_u32(&build, 0);
	build_u64(&build, count);
	build_u64(&build, 1);
	build_u64(&build, 2);
	for (uint32_t n = 0; n < there; n++) {
		build_u64(&build, 12345);
		build_u64(&build, ids[n]);
		build_u64(&build, lost[n]);
	}
	add_record();
}

static void reads_counters_in_samples(void)
{
	const uint64_t type = SAMPLE_TYPE | PRECIS_SAMPLE_READ;
	const uint64_t format = READ_FORMAT | PRECIS_FORMAT_GROUP;
	/* from its third word on, like a READ block of id 10 */
	const uint64_t behind[] = { 0, 0, 1, 0, 0, 0, 10, 77 };
	const uint64_t ids[] = { 10, 20 }, early[] = { 3, 0 }, late[] = { 8, 9 };
	struct precis_file *file;

	create();
	add_event(type, format, BUILD_ATTR_SAMPLE_ID_ALL, first_ids, 2);
	add_event(type, format, BUILD_ATTR_SAMPLE_ID_ALL, second_ids, 2);
	add_group_sample(2, ids, early, 2);
	add_group_sample(2, ids, late, 2);
	add_group_sample(UINT64_MAX, ids, early, 1); /* lies about its size */
	add_sample(2100, CPU, 10); /* ends where READ should be */
	build_begin(&build, PRECIS_RECORD_SAMPLE, 0); /* ends before, and the next record has one */
	build_u64(&build, 10);
	add_record();
	add_words(1000, 0, behind, 8, 0, 0, 0);
	file = finish();
	CHECK(sum(file, 0, CPU), counted, 8);
	CHECK(sum(file, 1, CPU), counted, 9);
	precis_file_close(file);
	create();
	add_event(type, format & ~(uint64_t)PRECIS_FORMAT_LOST, BUILD_ATTR_SAMPLE_ID_ALL, first_ids,
		  2);
	add_group_sample(2, ids, late, 2);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_count(file), 0);
	precis_file_close(file);
}

/* One event without ids in its samples, as perf records a single one */
static void reads_counters_without_ids(void)
{
	const uint64_t type = PRECIS_SAMPLE_IP | PRECIS_SAMPLE_READ;
	const uint64_t lost[] = { 5, 6 }, reads[] = { 17, 4, 40 };
	struct precis_file *file;
	uint64_t one = 10;

	create();
	add_event(type, PRECIS_FORMAT_LOST, BUILD_ATTR_SAMPLE_ID_ALL, &one, 1);
	for (uint32_t n = 0; n < 2; n++) {
		const uint64_t sample[] = { 0x401000, 555, lost[n] };

		begin(PRECIS_RECORD_SAMPLE, 0, sample, 3);
		add_record();
	}
	begin(PRECIS_RECORD_LOST_SAMPLES, 0, &reads[0], 1);
	add_record();
	file = finish();
	CHECK(sum(file, 0, NONE), counted, 17);
	CHECK(sum(file, ANY, ANY), lost_samples, 0);
	CHECK(share_of(file, 0, ANY), of_ns, 0);
	precis_file_close(file);
	create();
	add_event(type, PRECIS_FORMAT_LOST, BUILD_ATTR_SAMPLE_ID_ALL, first_ids, 2);
	for (uint32_t n = 1; n < 3; n++) {
		begin(PRECIS_RECORD_LOST_SAMPLES, 0, &reads[n], 1);
		add_record();
	}
	file = finish();
	CHECK(sum(file, 0, NONE), counted, 44);
	precis_file_close(file);
}

/* The sample says which id it is of, the block does not; of a group it could be any */
static void takes_ids_of_samples(void)
{
	const uint64_t type = PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_READ;
	const uint64_t first[] = { 10, 555, 3 }, second[] = { 11, 555, 4 };
	const uint64_t group[] = { 10, 1, 555, 3 };
	struct precis_file *file;

	create();
	add_event(type, PRECIS_FORMAT_LOST, BUILD_ATTR_SAMPLE_ID_ALL, first_ids, 2);
	begin(PRECIS_RECORD_SAMPLE, 0, first, 3);
	add_record();
	begin(PRECIS_RECORD_SAMPLE, 0, second, 3);
	add_record();
	file = finish();
	CHECK(sum(file, 0, NONE), counted, 7);
	precis_file_close(file);
	create();
	add_event(type, PRECIS_FORMAT_LOST | PRECIS_FORMAT_GROUP, BUILD_ATTR_SAMPLE_ID_ALL,
		  first_ids, 2);
	begin(PRECIS_RECORD_SAMPLE, 0, group, 4);
	add_record();
	file = finish();
	CHECK(sum(file, ANY, ANY), counted, 0);
	precis_file_close(file);
}

static void adds_up_trace_losses(void)
{
	static const uint64_t records[][3] = {
		{ 0, 100, 1 }, { 100, 50, 1 | 8 }, { 150, 7, 4 }, { 157, 1000, 2 }, { 1157, 30, 0 },
	};
	struct precis_file *file;
	struct precis_loss loss;

	create_two(0);
	for (size_t n = 0; n < sizeof(records) / sizeof(records[0]); n++)
		add_words(PRECIS_RECORD_AUX, 0, records[n], 3, 1000, CPU, 10);
	file = finish();
	loss = sum(file, 0, CPU);
	CHECK(loss, aux_truncated, 2);
	CHECK(loss, aux_truncated_bytes, 150);
	CHECK(loss, aux_partial, 1);
	CHECK(loss, aux_partial_bytes, 7);
	CHECK(loss, aux_collisions, 1);
	CHECK(loss, aux_collision_bytes, 50);
	precis_file_close(file);
	create_two(0);
	add_words(PRECIS_RECORD_AUX, 0, records[4], 3, 1000, CPU, 10);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_count(file), 0);
	precis_file_close(file);
}

static void times_are_of_all_records(void)
{
	static const uint64_t comm[] = { 100, 0x41 };
	struct precis_file *file;

	create_two(0);
	add_words(PRECIS_RECORD_COMM, 0, comm, 2, 0, 0, 10); /* made up by perf */
	add_words(PRECIS_RECORD_COMM, 0, comm, 2, UINT64_MAX, 0, 10);
	add_sample(3000, 0, 10);
	add_words(PRECIS_RECORD_COMM, 0, comm, 2, 2000, 0, 10);
	add_sample(4500, 0, 99); /* of no event: its layout is not known */
	add_sample(4000, 1, 21);
	add_words(PRECIS_RECORD_COMM, 0, comm, 2, 1500, 0, 20);
	file = finish();
	CHECK(share_of(file, 0, ANY), recorded_ns, 2000);
	CHECK(share_of(file, 0, ANY), of_ns, 4000);
	CHECK(share_of(file, 1, 1), of_ns, 2500);
	precis_file_close(file);
}

static void rewinds(void)
{
	struct precis_record record;
	struct precis_file *file;

	create_two(0);
	throttle(1000, 0, 10);
	unthrottle(1100, 0, 10);
	throttle(1200, 0, 10);
	add_sample(2000, 0, 10);
	add_sample(500, 1, 11);
	file = finish();
	for (int again = 0; again < 2; again++) {
		CHECK(sum(file, ANY, ANY), throttled_ns, 900);
		CHECK(share_of(file, 0, ANY), recorded_ns, 1500);
		CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
		CU_ASSERT_EQUAL(precis_file_loss_count(file), 0);
		CHECK(share_of(file, 0, ANY), of_ns, 0);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CHECK(share_of(file, 0, ANY), recorded_ns, 0);
		while (precis_file_next(file, &record) > 0)
			;
	}
	precis_file_close(file);
}

static void knows_what_it_knows(void)
{
	struct precis_file *file;

	create();
	add_event(SAMPLE_TYPE, READ_FORMAT, BUILD_ATTR_SAMPLE_ID_ALL, first_ids, 2);
	add_event(SAMPLE_TYPE, 0, BUILD_ATTR_SAMPLE_ID_ALL, second_ids, 2);
	add_event(SAMPLE_TYPE, READ_FORMAT, BUILD_ATTR_SAMPLE_ID_ALL | WRITE_BACKWARD, NULL, 0);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_VERSION, "6.1.192"), 0);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_knowledge(file, 0), PRECIS_LOSS_COUNTED);
	CU_ASSERT_EQUAL(precis_file_loss_knowledge(file, 1), PRECIS_LOSS_REPORTED);
	CU_ASSERT_EQUAL(precis_file_loss_knowledge(file, 2), PRECIS_LOSS_UNKNOWN);
	CU_ASSERT_EQUAL(precis_file_loss_knowledge(file, 3), PRECIS_E_ARGUMENT);
	precis_file_close(file);
}

/* No end of a pipe tells whether perf record came to its own */
static void knows_less_of_pipes(void)
{
	static const char magic[] = "PERFILE2", version[8] = "6.1";
	static struct build whole;
	uint8_t attr[BUILD_ATTR_BYTES];
	struct precis_file *file;

	build_attr(attr, 1, SAMPLE_TYPE, BUILD_ATTR_SAMPLE_ID_ALL);
	build_put_u64(attr, BUILD_ATTR_READ_FORMAT, READ_FORMAT);
	whole.count = 0;
	build_bytes(&whole, magic, 8);
	build_u64(&whole, 16);
	build_begin(&build, PRECIS_RECORD_HEADER_FEATURE, 0);
	build_u64(&build, PRECIS_FEATURE_VERSION);
	build_u32(&build, sizeof(version));
	build_bytes(&build, version, sizeof(version));
	build_u32(&build, 0);
	build_end(&build);
	build_bytes(&whole, build.bytes, build.count);
	build_begin(&build, PRECIS_RECORD_HEADER_ATTR, 0);
	build_bytes(&build, attr, sizeof(attr));
	build_u64(&build, 10);
	build_end(&build);
	build_bytes(&whole, build.bytes, build.count);
	build_file(path, whole.bytes, whole.count);
	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(precis_file_event_count(file), 1);
	CU_ASSERT_EQUAL(precis_file_loss_knowledge(file, 0), PRECIS_LOSS_REPORTED);
	precis_file_close(file);
}

static void knows_versions(void)
{
	static const struct {
		const char *version;
		int knowledge;
	} cases[] = {
		{ NULL, PRECIS_LOSS_REPORTED },     { "", PRECIS_LOSS_REPORTED },
		{ "5.19.3", PRECIS_LOSS_REPORTED }, { "6.0.2", PRECIS_LOSS_REPORTED },
		{ "6.1", PRECIS_LOSS_COUNTED },     { "6.6-1", PRECIS_LOSS_COUNTED },
		{ "7.0.rc1", PRECIS_LOSS_COUNTED }, { "10.0", PRECIS_LOSS_COUNTED },
		{ "6", PRECIS_LOSS_REPORTED },      { "v7", PRECIS_LOSS_REPORTED },
	};

	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct precis_file *file;

		create_two(READ_FORMAT);
		if (cases[n].version)
			CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_VERSION,
							     cases[n].version),
					0);
		file = finish();
		CU_ASSERT_EQUAL(precis_file_loss_knowledge(file, 0), cases[n].knowledge);
		precis_file_close(file);
	}
}

/* More CPUs than there are rows: nothing gets lost but which CPU it was */
static void sums_up_what_has_no_row(void)
{
	const uint32_t cpus = 20000;
	struct precis_loss rest = { .size = sizeof(rest) };
	struct precis_file *file;
	struct precis_loss loss;
	uint32_t rows;

	create_two(0);
	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		add_lost(10, 3, cpu);
	file = finish();
	rows = precis_file_loss_count(file);
	CU_ASSERT_EQUAL(rows, 16384 + 1);
	CU_ASSERT_EQUAL_FATAL(precis_file_loss(file, rows - 1, &rest), 0);
	CHECK(rest, is_rest, 1);
	CHECK(rest, event, NONE);
	CHECK(rest, lost, 3 * (cpus - 16384));
	loss = sum(file, ANY, ANY);
	CHECK(loss, lost, 3 * cpus);
	CU_ASSERT_EQUAL(precis_file_loss(file, rows, &rest), PRECIS_E_ARGUMENT);
	precis_file_close(file);
}

/* More streams than are followed: they are counted, without their time */
static void counts_what_it_cannot_follow(void)
{
	const uint32_t streams = 70000;
	struct precis_file *file;
	struct precis_loss loss;

	create_two(READ_FORMAT);
	for (uint32_t n = 0; n < streams; n++)
		throttle_stream(1000, 0, 10, 1000 + n);
	for (uint32_t n = 0; n < streams; n++)
		unthrottle_stream(1001, 0, 10, 1000 + n);
	add_read(11, 5, 2000, 1);
	file = finish();
	loss = sum(file, 0, 0);
	CHECK(loss, throttle, streams);
	CHECK(loss, spans, 65536);
	CHECK(loss, throttled_ns, 65536);
	CHECK(loss, unfinished, streams - 65536);
	loss = sum(file, 0, 1);
	CHECK(loss, counted, 0);
	CHECK(loss, counters_ignored, 1);
	precis_file_close(file);
}

/* Keys that meet in one place of the table: refused, in bounded time */
static void survives_chosen_ids(void)
{
	struct precis_file *file;
	struct precis_loss loss;

	create_two(0);
	for (uint64_t n = 1; n <= 2000; n++) {
		/* times the inverse of the multiplier: all products are below 2^40 */
		uint64_t stream = n * UINT64_C(0xf1de83e19937733d);

		stream ^= stream >> 32;
		throttle_stream(1000, 0, 10, stream);
		unthrottle_stream(1001, 0, 10, stream);
	}
	file = finish();
	loss = sum(file, ANY, ANY);
	CHECK(loss, throttle, 2000);
	CU_ASSERT(loss.spans >= 64);
	CU_ASSERT(loss.spans < 2000);
	precis_file_close(file);
}

static void survives_short_records(void)
{
	static const uint32_t types[] = { PRECIS_RECORD_LOST,       PRECIS_RECORD_THROTTLE,
					  PRECIS_RECORD_UNTHROTTLE, PRECIS_RECORD_READ,
					  PRECIS_RECORD_AUX,        PRECIS_RECORD_LOST_SAMPLES,
					  PRECIS_RECORD_ID_INDEX };
	static const uint64_t words[8] = { UINT64_MAX, 10, 0, 0, UINT64_MAX, 10, 1, 1 };
	struct precis_file *file;
	struct precis_loss loss;

	create_two(READ_FORMAT);
	for (size_t n = 0; n < sizeof(types) / sizeof(types[0]); n++) {
		for (uint32_t count = 0; count <= 8; count++) {
			begin(types[n], 0, words, count);
			add_record();
		}
	}
	file = finish();
	loss = sum(file, ANY, ANY);
	CHECK(loss, aux_truncated, 0);
	precis_file_close(file);
}

static void refuses_bad_arguments(void)
{
	struct precis_throttled_share share = { .size = 4 };
	struct precis_loss loss = { .size = 4 };
	struct precis_file *file;

	create_two(0);
	throttle(1000, 0, 10);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_count(NULL), 0);
	CU_ASSERT_EQUAL(precis_file_loss(NULL, 0, &loss), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_loss(file, 0, &loss), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_loss(file, 0, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_loss_sum(file, ANY, ANY, &loss), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_loss_sum(NULL, ANY, ANY, &loss), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_throttled_share(file, 0, ANY, &share), PRECIS_E_ARGUMENT);
	share.size = sizeof(share);
	CU_ASSERT_EQUAL(precis_file_throttled_share(file, 2, ANY, &share), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_throttled_share(NULL, 0, ANY, &share), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_loss_knowledge(NULL, 0), PRECIS_E_ARGUMENT);
	precis_file_close(file);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "spans of two events on two CPUs, out of order", follows_spans },
		{ "open spans count to the last time", counts_open_spans_to_the_last_time },
		{ "spans without both ends do not count", counts_nothing_without_both_ends },
		{ "tasks that inherit an id have their own spans", tells_tasks_apart },
		{ "a span is of the CPU of its THROTTLE", belongs_to_the_cpu_of_its_beginning },
		{ "CPUs from ID_INDEX", takes_cpus_from_the_index },
		{ "LOST is the buffer's, LOST_SAMPLES the event's", reports_losses_of_buffers },
		{ "LOST of a recording of one event", gives_losses_to_the_only_event },
		{ "counters of read_format LOST count once", reads_counters_once },
		{ "counters without a CPU", takes_no_cpu_from_what_is_appended },
		{ "counters in samples", reads_counters_in_samples },
		{ "counters without ids", reads_counters_without_ids },
		{ "counters of the samples' own ids", takes_ids_of_samples },
		{ "AUX records with gaps", adds_up_trace_losses },
		{ "the recorded time", times_are_of_all_records },
		{ "rewinding", rewinds },
		{ "what can be known", knows_what_it_knows },
		{ "what can be known of a pipe", knows_less_of_pipes },
		{ "versions of perf", knows_versions },
		{ "more rows than fit", sums_up_what_has_no_row },
		{ "more streams than fit", counts_what_it_cannot_follow },
		{ "ids chosen to collide", survives_chosen_ids },
		{ "short records", survives_short_records },
		{ "bad arguments", refuses_bad_arguments },
	};
	int code;

	build_path(path);
	code = tap_main("losses", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	return code;
}
