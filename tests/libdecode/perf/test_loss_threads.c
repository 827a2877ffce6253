/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples that came by CPU and thread, and which thread a loss is put down to. */
#include "tests/libdecode/perf/loss_recording.h"

#define FORMAT (PRECIS_FORMAT_ID | PRECIS_FORMAT_LOST)
#define INHERIT (UINT64_C(1) << 1)
#define NOWHERE UINT64_MAX /* in ID_INDEX */

/* With a trailer in each record, and counters of what was lost */
static void add_one(uint64_t sample_type, uint64_t flags, const uint64_t *ids)
{
	add_event(sample_type, FORMAT, flags | BUILD_ATTR_SAMPLE_ID_ALL, ids, 2);
}

/* Of threads 100 and 200, if ID_INDEX says so */
static void create_of(uint64_t flags, int events)
{
	create();
	add_one(SAMPLE_TYPE, flags, first_ids);
	if (events > 1)
		add_one(SAMPLE_TYPE, flags, second_ids);
}

static void add_samples(uint32_t count, uint32_t tid, uint64_t time, uint32_t cpu, uint64_t id)
{
	for (uint32_t n = 0; n < count; n++)
		add_sample_of(tid, time + n, cpu, id);
}

static void add_index(uint64_t first_cpu, uint64_t second_cpu, uint64_t first, uint64_t second)
{
	const uint64_t words[] = { 4,           10, 0,          first_cpu, first,  11,
				   1,           second_cpu, second,    20,  0, first_cpu,
				   first,       21, 1,          second_cpu, second };

	build_begin(&build, PRECIS_RECORD_ID_INDEX, 0);
	build_bytes(&build, words, sizeof(words));
	add_record();
}

static void add_lost(uint64_t id, uint64_t lost, uint32_t tid)
{
	const uint64_t words[] = { id, lost };

	add_words_of(tid, PRECIS_RECORD_LOST, 0, words, 2, 5000, 0, id);
}

/* As perf record appends it: no thread, no time */
static void add_counted(uint64_t id, uint64_t lost)
{
	add_words_of(0, PRECIS_RECORD_LOST_SAMPLES, 0, &lost, 1, 0, 0, id);
}

static void add_throttle(uint32_t type, uint64_t time, uint64_t id, uint64_t stream, uint32_t tid)
{
	const uint64_t words[] = { time, id, stream };

	add_words_of(tid, type, 0, words, 3, time, 0, id);
}

static void throttle(uint64_t time, uint64_t id, uint64_t stream, uint32_t tid)
{
	add_throttle(PRECIS_RECORD_THROTTLE, time, id, stream, tid);
}

static void unthrottle(uint64_t time, uint64_t id, uint64_t stream, uint32_t tid)
{
	add_throttle(PRECIS_RECORD_UNTHROTTLE, time, id, stream, tid);
}

static uint64_t samples(const struct precis_file *file, uint32_t event, uint32_t cpu)
{
	struct precis_loss loss = { .size = sizeof(loss) };

	CU_ASSERT_EQUAL(precis_file_loss_sum(file, event, cpu, &loss), 0);
	return loss.samples;
}

/* The row of that event and thread; all 0 if there is none */
static struct precis_loss row_of(const struct precis_file *file, uint32_t event, uint32_t tid,
				 struct precis_loss_thread *thread)
{
	static const struct precis_loss none;
	struct precis_loss loss = { .size = sizeof(loss) };

	thread->size = sizeof(*thread);
	for (uint32_t n = 0; n < precis_file_loss_thread_count(file); n++) {
		CU_ASSERT_EQUAL(precis_file_loss_thread(file, n, &loss, thread), 0);
		CU_ASSERT_EQUAL(loss.cpu, ANY);
		CU_ASSERT_EQUAL(loss.throttle, loss.spans + loss.open + loss.unfinished);
		CU_ASSERT_EQUAL(loss.unthrottle, loss.spans + loss.unmatched);
		if (loss.event == event && thread->tid == tid)
			return loss;
	}
	return none;
}

static void counts_samples_by_cpu(void)
{
	struct precis_file *file;

	create_of(0, 2);
	add_samples(3, 100, 1000, 0, 10);
	add_samples(2, 100, 1000, 7, 11);
	add_samples(1, 100, 1100, 0, 10);
	add_samples(5, 100, 1200, 0, 20);
	add_samples(4, 100, 1200, 8191, 20);
	file = finish();
	CU_ASSERT_EQUAL(samples(file, 0, 0), 4);
	CU_ASSERT_EQUAL(samples(file, 0, 7), 2);
	CU_ASSERT_EQUAL(samples(file, 0, 8191), 0);
	CU_ASSERT_EQUAL(samples(file, 0, NONE), 0);
	CU_ASSERT_EQUAL(samples(file, 1, 0), 5);
	CU_ASSERT_EQUAL(samples(file, 1, 8191), 4);
	CU_ASSERT_EQUAL(samples(file, NONE, 0), 9); /* a buffer has those of all events */
	CU_ASSERT_EQUAL(samples(file, NONE, ANY), 15);
	CU_ASSERT_EQUAL(samples(file, ANY, ANY), 15);
	CU_ASSERT_EQUAL(samples(file, 1, ANY), 9);
	CU_ASSERT_EQUAL(samples(file, 2, ANY), 0);
	CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	CU_ASSERT_EQUAL(samples(file, 0, 0), 0);
	precis_file_close(file);
}

/* Where some samples do not say their CPU, none is known to have all that it had */
static void admits_what_it_cannot_count(void)
{
	struct precis_file *file;

	create_of(0, 1);
	add_one(SAMPLE_TYPE & ~(uint64_t)PRECIS_SAMPLE_CPU, 0, second_ids);
	add_samples(3, 100, 1000, 0, 10);
	add_samples(2, 100, 1000, 0, 20);
	file = finish();
	CU_ASSERT_EQUAL(samples(file, 0, 0), 3);
	CU_ASSERT_EQUAL(samples(file, 1, 0), PRECIS_LOSS_UNCOUNTED);
	CU_ASSERT_EQUAL(samples(file, 1, NONE), 2);
	CU_ASSERT_EQUAL(samples(file, 1, ANY), 2);
	CU_ASSERT_EQUAL(samples(file, NONE, 0), PRECIS_LOSS_UNCOUNTED);
	CU_ASSERT_EQUAL(samples(file, NONE, ANY), 5);
	precis_file_close(file);
	create_of(0, 1);
	add_samples(3, 100, 1000, 0, 10);
	add_samples(1, 100, 1000, UINT32_MAX, 10); /* no machine has that */
	file = finish();
	CU_ASSERT_EQUAL(samples(file, 0, 0), PRECIS_LOSS_UNCOUNTED);
	CU_ASSERT_EQUAL(samples(file, 0, ANY), 4);
	precis_file_close(file);
}

static void tells_nothing_of_cpus(void)
{
	struct precis_file *file;

	create_of(0, 1);
	add_index(0, 1, NOWHERE, NOWHERE);
	add_lost(10, 7, 100);
	throttle(1000, 10, 10, 100);
	add_counted(10, 7);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_by_thread(file, 0), PRECIS_LOSS_THREADS_NONE);
	CU_ASSERT_EQUAL(precis_file_loss_thread_count(file), 0);
	precis_file_close(file);
	create_of(0, 1);
	add_lost(10, 7, 100);
	throttle(1000, 10, 10, 100);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_by_thread(file, 0), PRECIS_LOSS_THREADS_UNTOLD);
	CU_ASSERT_EQUAL(precis_file_loss_thread_count(file), 0);
	precis_file_close(file);
}

/* perf record --per-thread: whoever writes a LOST record, the buffer is the id's thread's */
static void takes_buffers_of_threads(void)
{
	struct precis_loss_thread thread;
	struct precis_file *file;
	struct precis_loss loss;

	create_of(0, 2);
	add_index(NOWHERE, NOWHERE, 100, 200);
	add_samples(3, 100, 1000, 0, 10);
	add_samples(1, 100, 1000, 0, 20);
	add_lost(10, 7, 555);
	add_lost(21, 40, 555);
	add_counted(10, 6);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_by_thread(file, 0), PRECIS_LOSS_THREADS_ALL);
	CU_ASSERT_EQUAL(precis_file_loss_thread_count(file), 3);
	loss = row_of(file, NONE, 100, &thread);
	CHECK(loss, lost, 7);
	CHECK(loss, samples, 4);
	CHECK(thread, recorded_ns, 0);
	CHECK(row_of(file, NONE, 200, &thread), lost, 40);
	loss = row_of(file, 0, 100, &thread);
	CHECK(loss, counted, 6);
	CHECK(loss, samples, 3);
	CHECK(thread, recorded_ns, 2);
	precis_file_close(file);
}

/* Threads on CPUs: what a buffer lost is anybody's, what an id counted is its thread's */
static void takes_counters_of_threads(void)
{
	struct precis_loss_thread thread;
	struct precis_file *file;

	create_of(0, 1);
	add_index(0, 1, 100, 200);
	add_lost(10, 9, 100);
	add_counted(11, 5);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_by_thread(file, 0), PRECIS_LOSS_THREADS_COUNTED);
	CU_ASSERT_EQUAL(precis_file_loss_thread_count(file), 1);
	CHECK(row_of(file, 0, 200, &thread), counted, 5);
	precis_file_close(file);
	create_of(0, 1);
	add_index(0, 1, 100, 100); /* there is only one */
	add_lost(10, 9, 555);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_by_thread(file, 0), PRECIS_LOSS_THREADS_ALL);
	CHECK(row_of(file, 0, 100, &thread), lost, 9);
	precis_file_close(file);
	create_of(0, 1);
	add_index(0, NOWHERE, 100, NOWHERE); /* or the other writes for whatever runs there */
	add_lost(10, 9, 100);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_thread_count(file), 0);
	precis_file_close(file);
}

/* Inherited events hand their throttling over where threads are switched; counters are shared */
static void follows_who_inherits(void)
{
	const uint64_t pmu = 3;
	struct precis_loss_thread thread;
	struct precis_file *file;
	struct precis_loss loss;

	create_of(INHERIT, 1);
	add_index(0, 1, 100, 100);
	add_samples(1, 300, 1000, 0, 10);
	add_lost(10, 9, 100);
	add_counted(10, 9);
	throttle(2000, 10, 500, 300);
	unthrottle(2400, 10, 500, 300);
	throttle(3000, 10, 500, 300);
	unthrottle(3300, 10, 500, 400);
	add_words_of(400, PRECIS_RECORD_LOST_SAMPLES, 0, &pmu, 1, 3500, 0, 10);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_by_thread(file, 0), PRECIS_LOSS_THREADS_THROTTLED);
	CU_ASSERT_EQUAL(precis_file_loss_thread_count(file), 2);
	loss = row_of(file, 0, 300, &thread);
	CHECK(loss, throttle, 2);
	CHECK(loss, throttled_ns, 400);
	CHECK(loss, longest_ns, 400);
	CHECK(loss, unfinished, 1);
	CHECK(loss, samples, 1);
	CHECK(thread, recorded_ns, 2000);
	loss = row_of(file, 0, 400, &thread);
	CHECK(loss, throttled_ns, 0);
	CHECK(loss, unmatched, 1);
	CHECK(loss, lost_samples, 3);
	CHECK(loss, lost, 0);
	CHECK(loss, counted, 0);
	precis_file_close(file);
}

static void add_comm(uint32_t tid, const char *name, uint64_t time)
{
	uint64_t words[3] = { 100 | (uint64_t)tid << 32 };

	memcpy(&words[1], name, strlen(name));
	add_words_of(tid, PRECIS_RECORD_COMM, 0, words, 3, time, 0, 10);
}

static void add_fork(uint32_t parent, uint32_t tid, uint64_t time)
{
	const uint64_t words[] = { 100 | UINT64_C(100) << 32, tid | (uint64_t)parent << 32, time };

	add_words_of(parent, PRECIS_RECORD_FORK, 0, words, 3, time, 0, 10);
}

/* Names by the times of their records: the child's CPU may stand before its parent's in the file */
static void names_threads(void)
{
	struct precis_loss_thread thread;
	struct precis_file *file;

	create_of(INHERIT, 1);
	add_index(0, 1, 100, 100);
	add_comm(100, "shell", 0);
	add_comm(100, "program", 1000);
	add_comm(300, "worker", 1200);
	add_fork(100, 300, 1100);
	add_fork(100, 400, 1100);
	for (uint32_t tid = 300; tid <= 500; tid += 100)
		throttle(2000 + tid, 10, 500, tid);
	file = finish();
	row_of(file, 0, 300, &thread);
	CU_ASSERT_STRING_EQUAL(thread.name, "worker");
	row_of(file, 0, 400, &thread);
	CU_ASSERT_STRING_EQUAL(thread.name, "program");
	row_of(file, 0, 500, &thread);
	CU_ASSERT_STRING_EQUAL(thread.name, "");
	precis_file_close(file);
}

static void sums_up_threads_beyond(void)
{
	struct precis_loss_thread thread = { .size = sizeof(thread) };
	struct precis_loss loss = { .size = sizeof(loss) };
	const uint32_t rows = 16384;
	struct precis_file *file;

	create_of(INHERIT, 1);
	add_index(0, 1, 100, 100);
	for (uint32_t n = 0; n < rows + 10; n++) {
		throttle(2000 + 2 * n, 10, 500, 1000 + n);
		unthrottle(2001 + 2 * n, 10, 500, 1000 + n);
	}
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_thread_count(file), rows + 1);
	CU_ASSERT_EQUAL(precis_file_loss_thread(file, rows, &loss, &thread), 0);
	CHECK(loss, is_rest, 1);
	CHECK(loss, throttled_ns, 10);
	CHECK(loss, samples, PRECIS_LOSS_UNCOUNTED);
	CHECK(thread, tid, NONE);
	precis_file_close(file);
}

static void refuses_bad_arguments(void)
{
	struct precis_loss_thread thread = { .size = sizeof(thread) };
	struct precis_loss loss = { .size = sizeof(loss) };
	struct precis_file *file;

	create_of(0, 1);
	add_index(NOWHERE, NOWHERE, 100, 200);
	add_lost(10, 7, 555);
	file = finish();
	CU_ASSERT_EQUAL(precis_file_loss_thread_count(NULL), 0);
	CU_ASSERT_EQUAL(precis_file_loss_thread(file, 0, &loss, &thread), 0);
	CU_ASSERT_EQUAL(precis_file_loss_thread(file, 1, &loss, &thread), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_loss_thread(NULL, 0, &loss, &thread), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_loss_thread(file, 0, NULL, &thread), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_loss_thread(file, 0, &loss, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_loss_by_thread(file, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_loss_by_thread(NULL, 0), PRECIS_E_ARGUMENT);
	precis_file_close(file);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "samples by CPU", counts_samples_by_cpu },
		{ "samples that do not say their CPU", admits_what_it_cannot_count },
		{ "events of CPUs", tells_nothing_of_cpus },
		{ "buffers of threads", takes_buffers_of_threads },
		{ "ids of threads that share buffers", takes_counters_of_threads },
		{ "threads that inherit", follows_who_inherits },
		{ "names", names_threads },
		{ "more threads than fit", sums_up_threads_beyond },
		{ "bad arguments", refuses_bad_arguments },
	};
	int code;

	build_path(path);
	code = tap_main("loss_threads", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	return code;
}
