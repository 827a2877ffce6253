/* SPDX-License-Identifier: BSD-3-Clause */
/* Records in the order of their times, against the rule written down a second time: with qsort. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include <precis/error.h>
#include <precis/record.h>

#include "libdecode/perf/stream/sorter.h"
#include "libdecode/perf/stream/sorter_blocks.h"
#include "libdecode/perf/stream/sorter_usual.h"

#include "tests/support/build.h"
#include "tests/support/tap.h"

#define SMALL SORTER_MEMORY_MIN

struct arrival {
	uint64_t time;
	uint32_t type;
	uint16_t size;
};

/* What is pulled from: each pull overwrites the bytes of the one before. */
struct stream {
	struct arrival *arrivals;
	size_t count, room, pulled;
	int end; /* what comes behind the last one */
	int pulls_after_end;
	uint8_t bytes[65536];
};

static struct stream stream;
static uint64_t state;

static uint64_t random64(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * UINT64_C(2685821657736338717);
}

static uint64_t below(uint64_t limit)
{
	return (random64() >> 11) % limit;
}

static void begin(uint64_t seed)
{
	state = seed;
	stream.count = 0;
	stream.pulled = 0;
	stream.end = 0;
	stream.pulls_after_end = 0;
}

static void add(uint32_t type, size_t size, uint64_t time)
{
	if (stream.count == stream.room) {
		stream.room = stream.room ? 2 * stream.room : 1024;
		stream.arrivals = realloc(stream.arrivals, stream.room * sizeof(*stream.arrivals));
		if (!stream.arrivals)
			abort();
	}
	stream.arrivals[stream.count++] = (struct arrival){ time, type, (uint16_t)size };
}

static void add_sample(size_t size, uint64_t time)
{
	add(PRECIS_RECORD_SAMPLE, size, time);
}

static void add_round(void)
{
	add(PRECIS_RECORD_FINISHED_ROUND, 8, 0);
}

/* Records are told apart by offset and part; their bytes follow from these. */
static uint8_t filler(size_t n)
{
	return (uint8_t)(n * 167 + n / 251);
}

static uint64_t offset_of(size_t n)
{
	return n * 3 + 104;
}

static int next_arrival(struct stream *source, struct precis_record *record, uint64_t *time)
{
	const struct arrival *arrival = &source->arrivals[source->pulled];
	size_t n = source->pulled;

	if (n == source->count) {
		source->pulls_after_end++;
		return source->end;
	}
	source->pulled++;
	memset(source->bytes, 0xaa, n ? source->arrivals[n - 1].size : 0);
	memset(source->bytes, filler(n), arrival->size);
	memcpy(source->bytes, &arrival->type, 4);
	memset(source->bytes + 4, 0, 2);
	memcpy(source->bytes + 6, &arrival->size, 2);
	record->type = arrival->type;
	record->misc = 0;
	record->size = arrival->size;
	record->data = source->bytes;
	record->offset = offset_of(n);
	record->data_file = (uint32_t)(n % 5);
	*time = arrival->time;
	return 1;
}

/* Of three records two go the short way, where they may. */
static int goes_the_short_way(const struct precis_record *record, uint64_t time)
{
	return time && time != UINT64_MAX && record->type != PRECIS_RECORD_FINISHED_ROUND &&
	       stream.pulled % 3;
}

static int pull(void *from, struct sorter *sorter, struct precis_record *record, uint64_t *time)
{
	int found;

	do {
		found = next_arrival(from, record, time);
	} while (found > 0 && goes_the_short_way(record, *time) &&
		 sorter_hold(sorter, record, *time));
	return found;
}

static int next(struct sorter *sorter, struct precis_record *record)
{
	if (stream.pulled % 2 && sorter_take_usual(sorter, record))
		return 1;
	return sorter_next(sorter, pull, &stream, record);
}

static int by_time(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	uint64_t s = stream.arrivals[x].time, t = stream.arrivals[y].time;

	if (s != t)
		return s < t ? -1 : 1;
	return x < y ? -1 : x > y;
}

static size_t flush(size_t *held, size_t *count, uint64_t limit, size_t *out)
{
	size_t gone = 0;

	qsort(held, *count, sizeof(*held), by_time);
	while (gone < *count && stream.arrivals[held[gone]].time <= limit)
		gone++;
	memcpy(out, held, gone * sizeof(*held));
	*count -= gone;
	memmove(held, held + gone, *count * sizeof(*held));
	return gone;
}

/* In which order the first 'count' arrivals must come out */
static size_t *expected(size_t count)
{
	size_t *out = calloc(count + 1, sizeof(*out)), *held = calloc(count + 1, sizeof(*held));
	uint64_t latest = 0, before = 0;
	size_t waiting = 0, done = 0;

	if (!out || !held)
		abort();
	for (size_t n = 0; n < count; n++) {
		const struct arrival *arrival = &stream.arrivals[n];

		if (arrival->type == PRECIS_RECORD_FINISHED_ROUND) {
			out[done++] = n;
			done += flush(held, &waiting, before, out + done);
			before = latest;
		} else if (!arrival->time || arrival->time == UINT64_MAX) {
			out[done++] = n;
		} else {
			held[waiting++] = n;
			latest = arrival->time > latest ? arrival->time : latest;
		}
	}
	done += flush(held, &waiting, UINT64_MAX, out + done);
	CU_ASSERT_EQUAL_FATAL(done, count);
	free(held);
	return out;
}

static size_t late_of(const size_t *order, size_t count)
{
	uint64_t latest = 0;
	size_t late = 0;

	for (size_t i = 0; i < count; i++) {
		const struct arrival *arrival = &stream.arrivals[order[i]];

		if (arrival->type == PRECIS_RECORD_FINISHED_ROUND || arrival->time == UINT64_MAX ||
		    !arrival->time)
			continue;
		if (arrival->time < latest)
			late++;
		else
			latest = arrival->time;
	}
	return late;
}

static int is_arrival(const struct precis_record *record, size_t n)
{
	const struct arrival *arrival = &stream.arrivals[n];

	if (record->type != arrival->type || record->size != arrival->size || record->misc ||
	    record->offset != offset_of(n) || record->data_file != n % 5)
		return 0;
	for (size_t i = 8; i < arrival->size; i++) {
		if (record->data[i] != filler(n))
			return 0;
	}
	return !memcmp(record->data + 6, &arrival->size, 2);
}

/* Read all, and judge. @return what came last */
static int check(struct sorter *sorter, struct sorter_state *after)
{
	size_t *got = calloc(stream.count + 1, sizeof(*got)), count = 0, wrong = 0, *order;
	struct precis_record record;
	int end;

	if (!got)
		abort();
	while ((end = next(sorter, &record)) == 1) {
		size_t n = (record.offset - offset_of(0)) / 3;

		CU_ASSERT_FATAL(count < stream.count && n < stream.count);
		wrong += !is_arrival(&record, n);
		got[count++] = n;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(count, stream.pulled);
	order = expected(stream.pulled);
	CU_ASSERT_EQUAL(memcmp(got, order, count * sizeof(*got)), 0);
	sorter_state(sorter, after);
	CU_ASSERT_EQUAL(after->late, late_of(order, count));
	CU_ASSERT_EQUAL(next(sorter, &record), end);
	CU_ASSERT(stream.pulls_after_end <= 1);
	free(order);
	free(got);
	return end;
}

static struct sorter_state check_new(size_t memory)
{
	struct sorter_state after;
	struct sorter *sorter;

	CU_ASSERT_EQUAL_FATAL(sorter_new(memory, NULL, &sorter), 0);
	CU_ASSERT_EQUAL(check(sorter, &after), stream.end);
	CU_ASSERT_EQUAL(after.sys_errno, 0);
	sorter_free(sorter);
	return after;
}

/* As perf record writes: each CPU's stretch of one pass, in order. 'jitter' > 0: not quite */
static void add_rounds(size_t rounds, size_t cpus, size_t samples, size_t size, uint64_t jitter)
{
	for (size_t round = 0; round < rounds; round++) {
		for (size_t cpu = 0; cpu < cpus; cpu++) {
			uint64_t time = 1000 + round * samples * 100 + cpu * 30;

			for (size_t n = 0; n < samples; n++) {
				time += below(150);
				add_sample(size, time + (jitter ? below(jitter) : 0));
			}
		}
		add_round();
	}
}

static void rounds(void)
{
	struct sorter_state after;

	begin(1);
	add_rounds(20, 8, 300, 160, 0);
	after = check_new(0);
	CU_ASSERT_EQUAL(after.spilled, 0);
	begin(2);
	add_rounds(20, 8, 300, 160, 3000);
	check_new(0);
	begin(3);
	add_rounds(50, 3, 7, 24, 20);
	check_new(0);
	begin(4);
	add_rounds(1, 1, 1000, 40, 0);
	check_new(0);
	begin(5);
	check_new(0);
	begin(6);
	add_round();
	add_round();
	check_new(0);
}

/* What comes later than its round allows is handed out, and counted. */
static void late(void)
{
	static const uint64_t times[] = { 100, 200, 0, 300, 0, 50, 250, 0, 40, 0, 45, 400, 0 };
	struct sorter_state after;

	begin(1);
	for (size_t n = 0; n < sizeof(times) / sizeof(times[0]); n++) {
		if (times[n])
			add_sample(16, times[n]);
		else
			add_round();
	}
	after = check_new(0);
	CU_ASSERT(after.late > 0);
}

static void no_time(void)
{
	begin(7);
	for (size_t n = 0; n < 3000; n++) {
		uint64_t time = below(5);

		if (below(40) == 0)
			add_round();
		add_sample(8 + 8 * below(20), time == 4   ? UINT64_MAX
					      : time == 3 ? UINT64_MAX - 1
							  : time);
	}
	check_new(0);
}

/* Without a round everything waits for the end: runs go through the file, some more than once. */
static void spilled(void)
{
	struct sorter_state after;
	uint64_t bytes = 0;

	begin(8);
	for (size_t n = 0; n < 400000; n++)
		add_sample(8 + below(200), 1 + below(100000));
	for (size_t n = 0; n < stream.count; n++)
		bytes += held_bytes(stream.arrivals[n].size);
	after = check_new(SMALL);
	CU_ASSERT(after.spilled > bytes);
	CU_ASSERT(after.spilled < 5 * bytes);
	begin(9);
	add_rounds(3, 6, 30000, 64, 50);
	after = check_new(SMALL);
	CU_ASSERT(after.spilled > 0);
}

static void sizes(void)
{
	begin(10);
	for (size_t n = 0; n < 3000; n++) {
		if (below(900) == 0)
			add_round();
		add_sample(below(2) ? 65535 - below(16) : 8 + below(40), 1 + below(1000));
	}
	check_new(SMALL);
}

/* Rounds that come and go while most of what waits is in the file */
static void rounds_and_file(void)
{
	begin(11);
	for (size_t n = 0; n < 300000; n++) {
		if (below(20000) == 0)
			add_round();
		add_sample(96, n + 1 + (below(8) ? below(1000) : below(1000000)));
	}
	check_new(SMALL);
}

/* Every record a run of its own */
static void descending(void)
{
	struct sorter_state after;

	begin(12);
	for (size_t n = 0; n < 1200000; n++)
		add_sample(8, 2000000 - n);
	after = check_new(0);
	CU_ASSERT(after.spilled > 0);
	begin(13);
	for (size_t n = 0; n < 300000; n++) {
		add_sample(8, 1000000 - n);
		if (n % 7 == 0)
			add_round();
	}
	check_new(SMALL);
}

static void equal(void)
{
	struct sorter_state after;

	begin(14);
	for (size_t n = 0; n < 200000; n++)
		add_sample(16, 77);
	after = check_new(SMALL);
	CU_ASSERT_EQUAL(after.late, 0);
	begin(15);
	for (size_t n = 0; n < 200000; n++) /* many runs, few times */
		add_sample(16, 1 + below(3));
	check_new(SMALL);
}

static void extremes(void)
{
	begin(16);
	for (size_t n = 0; n < 5000; n++) {
		static const uint64_t times[] = { 1, UINT64_MAX - 1, INT64_MAX,
						  (uint64_t)INT64_MAX + 1 };

		if (n % 100 == 99)
			add_round();
		add_sample(24, times[below(4)]);
	}
	check_new(0);
}

/* What was handed out leaves room in the file for what comes. */
static void places_again(void)
{
	struct rlimit old, limit;
	struct sorter_state after;

	if (getrlimit(RLIMIT_FSIZE, &old))
		abort();
	limit = old;
	limit.rlim_cur = 16 << 20;
	setrlimit(RLIMIT_FSIZE, &limit);
	begin(25);
	add_rounds(8, 6, 10000, 64, 50);
	after = check_new(SMALL);
	setrlimit(RLIMIT_FSIZE, &old);
	CU_ASSERT(after.spilled > 32 << 20);
}

/* What was read before an error comes out, in order, and then the error: each time again. */
static void error_behind(void)
{
	begin(17);
	add_rounds(4, 4, 100, 48, 30);
	add_sample(32, 5000000);
	add_sample(32, 4000000);
	stream.end = PRECIS_E_TRUNCATED;
	check_new(0);
	begin(18);
	stream.end = PRECIS_E_IO;
	check_new(0);
}

static void many(size_t count)
{
	for (size_t n = 0; n < count; n++)
		add_sample(8 + 8 * below(60), 1 + below(1000000));
}

static void no_directory(void)
{
	struct sorter_state after;
	struct sorter *sorter;

	begin(19);
	many(100000);
	CU_ASSERT_EQUAL_FATAL(sorter_new(SMALL, "/nonexistent/directory", &sorter), 0);
	CU_ASSERT_EQUAL(check(sorter, &after), PRECIS_E_IO);
	CU_ASSERT_EQUAL(after.sys_errno, ENOENT);
	CU_ASSERT_STRING_EQUAL(after.directory, "/nonexistent/directory");
	CU_ASSERT(stream.pulled > 1000 && stream.pulled < stream.count);
	sorter_free(sorter);
}

/* Many times, few of them, or every record a run of its own */
static void add_for_full(uint32_t variant)
{
	for (size_t n = 0; n < 40000; n++) {
		uint64_t times[] = { 1 + below(1000000), 1 + below(40), 1000000 - n };

		add_sample(variant == 2 ? 8 : 8 + 8 * below(60), times[variant]);
		if (n == 8000)
			add_round();
	}
}

/* The file may not grow beyond so many blocks: wherever that stops a merge, nothing is lost. */
static void full(void)
{
	struct rlimit old, limit;
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	size_t failed = 0;

	if (getrlimit(RLIMIT_FSIZE, &old))
		abort();
	limit = old;
	for (uint32_t n = 0; n < 90; n++) {
		struct sorter_state after;
		struct sorter *sorter;

		begin(20);
		add_for_full(n % 3);
		limit.rlim_cur = n / 3 * BLOCK_BYTES + 1000;
		if (setrlimit(RLIMIT_FSIZE, &limit))
			abort();
		CU_ASSERT_EQUAL_FATAL(sorter_new(SMALL, NULL, &sorter), 0);
		if (check(sorter, &after)) {
			CU_ASSERT_EQUAL(after.sys_errno, EFBIG);
			failed++;
		}
		sorter_free(sorter);
		setrlimit(RLIMIT_FSIZE, &old);
	}
	signal(SIGXFSZ, handler);
	CU_ASSERT(failed > 60);
}

/* After so many records, and with whatever was under way then */
static void reset_after(struct sorter *sorter, size_t count)
{
	struct sorter_state after;
	struct precis_record record;

	sorter_reset(sorter);
	for (size_t n = 0; n < count; n++)
		CU_ASSERT_EQUAL(next(sorter, &record), 1);
	sorter_reset(sorter);
	sorter_state(sorter, &after);
	CU_ASSERT_EQUAL(after.spilled, 0);
	CU_ASSERT_EQUAL(after.late, 0);
}

static void reset(void)
{
	struct sorter_state after;
	struct sorter *sorter;

	CU_ASSERT_EQUAL_FATAL(sorter_new(SMALL, NULL, &sorter), 0);
	for (size_t count = 0; count < 60; count++) {
		begin(21);
		add_rounds(3, 2, 10, 64, 100);
		reset_after(sorter, count);
		begin(22); /* earlier ones */
		add_rounds(3, 2, 9, 64, 100);
		for (size_t n = 0; n < stream.count; n++)
			stream.arrivals[n].time = stream.arrivals[n].time / 10;
		CU_ASSERT_EQUAL(check(sorter, &after), 0);
	}
	for (size_t count = 0; count < 3000; count += 1000) {
		begin(23);
		many(60000);
		reset_after(sorter, count);
		begin(24);
		many(60000);
		CU_ASSERT_EQUAL(check(sorter, &after), 0);
		CU_ASSERT(after.spilled > 0);
	}
	sorter_free(sorter);
	sorter_free(NULL);
}

static const struct tap_case cases[] = {
	{ "rounds, as perf record writes them", rounds },
	{ "late records", late },
	{ "records without a time", no_time },
	{ "more than fits into memory", spilled },
	{ "the largest records and odd sizes", sizes },
	{ "rounds while most is in the file", rounds_and_file },
	{ "the file does not grow with what went through it", places_again },
	{ "descending times", descending },
	{ "equal times keep the order of arrival", equal },
	{ "times at both ends", extremes },
	{ "an error behind the records", error_behind },
	{ "no directory for the file", no_directory },
	{ "a full file system", full },
	{ "starting over", reset },
};

int main(void)
{
	int failed = tap_main("sorter", cases, sizeof(cases) / sizeof(cases[0]));

	free(stream.arrivals);
	return failed;
}
