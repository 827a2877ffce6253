/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading side files that are made by hand: order, values, damage, limits, clocks. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "side_file.h"
#include "tests/support/tap.h"

#define BYTES(...) (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

static struct side_file made;

/*
 * Two threads, a stack, two strings. Times and what happens then:
 *   thread 1: 100 alloc 0x1000, 24 bytes, stack 1; 300 alloc 0x2008; 300 name
 *   thread 2: 200 free 0x1000; 300 free 0x3000; 1300 thread-end
 */
static void make_two(void)
{
	side_begin(&made, OBJECTS_CLOCK_MONOTONIC);
	side_open(&made, OBJECTS_DEFINITIONS, 0, 0, 0);
	/* stack 1: 0x400, 0x3ff; string 1 "ab"; string 2 "t" */
	side_put(&made, BYTES(1, 1, 1, 2, 0x80, 0x10, 1, 2, 1, 2, 'a', 'b', 2, 2, 1, 't'));
	side_close(&made, 0);
	side_open(&made, OBJECTS_EVENTS, 1, 0, 100);
	side_put(&made, BYTES(0 << 4 | 1, 0x80, 0x08, 24, 1)); /* (zigzag(0x100) = 0x200) << 1 = 0x400 */
	side_put(&made, BYTES(0x81, 0x19, 0x81, 0x08, 8, 1,
			      0)); /* ticks 200: 3201; difference 0x100, low 8 */
	side_put(&made, BYTES(9, 0x80, 0x18, 40, 1, 2)); /* 0x5000: difference 0x300 */
	side_close(&made, 3);
	side_open(&made, OBJECTS_EVENTS, 2, 0, 200);
	side_put(&made, BYTES(2, 0x80, 0x08)); /* 0x1000 */
	side_put(&made, BYTES(0xc2, 0x0c, 0x80, 0x10)); /* 100 later: 1602; 0x3000: difference 0x200 */
	side_close(&made, 2);
	side_open(&made, OBJECTS_EVENTS, 2, 1, 1300);
	side_put(&made, BYTES(0, 16));
	side_close(&made, 1);
}

static struct precis_object_file *opened(void)
{
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_object_file *file = NULL;
	int code = side_read(made.bytes, made.count, NULL, &file, &error);

	if (code)
		printf("# %d: %s\n", code, error.expected);
	CU_ASSERT_EQUAL_FATAL(code, 0);
	return file;
}

static void order(void)
{
	static const struct {
		uint64_t time;
		uint32_t tid, operation, present;
		uint64_t address, bytes;
	} truth[] = {
		{ 100, 1, PRECIS_OBJECT_ALLOC, 71, 0x1000, 24 },
		{ 200, 2, PRECIS_OBJECT_FREE, 1, 0x1000, 0 },
		{ 300, 2, PRECIS_OBJECT_FREE, 1, 0x3000, 0 }, /* what ends first */
		{ 300, 1, PRECIS_OBJECT_ALLOC, 67, 0x2008, 1 },
		{ 300, 1, PRECIS_OBJECT_NAME, 27, 0x5000, 40 },
		{ 1300, 2, PRECIS_OBJECT_THREAD_END, 0, 0, 0 },
	};
	struct precis_object_event event = { .size = sizeof(event) };
	struct precis_object_file *file;
	const uint64_t *addresses;
	uint32_t is_cut;

	make_two();
	file = opened();
	for (int round = 0; round < 2; round++) {
		for (size_t n = 0; n < sizeof(truth) / sizeof(*truth); n++) {
			CU_ASSERT_EQUAL_FATAL(precis_object_file_next(file, &event), 1);
			CU_ASSERT_EQUAL(event.time, truth[n].time);
			CU_ASSERT_EQUAL(event.tid, truth[n].tid);
			CU_ASSERT_EQUAL(event.operation, truth[n].operation);
			CU_ASSERT_EQUAL(event.present, truth[n].present);
			CU_ASSERT_EQUAL(event.address, truth[n].address);
			CU_ASSERT_EQUAL(event.bytes, truth[n].bytes);
			if (event.operation != PRECIS_OBJECT_NAME)
				continue;
			CU_ASSERT_STRING_EQUAL(precis_object_file_string(file, event.name), "ab");
			CU_ASSERT_STRING_EQUAL(precis_object_file_string(file, event.type), "t");
		}
		CU_ASSERT_EQUAL(precis_object_file_next(file, &event), 0);
		CU_ASSERT_EQUAL(precis_object_file_rewind(file), 0);
	}
	CU_ASSERT_EQUAL(precis_object_file_stack(file, 1, &addresses, &is_cut), 2);
	CU_ASSERT_EQUAL(addresses[0], 0x400);
	CU_ASSERT_EQUAL(addresses[1], 0x3ff);
	CU_ASSERT_EQUAL(is_cut, 1);
	CU_ASSERT_EQUAL(precis_object_file_stack(file, 2, &addresses, NULL), 0);
	CU_ASSERT_PTR_NULL(precis_object_file_string(file, 3));
	CU_ASSERT_PTR_NULL(precis_object_file_string(file, 0));
	CU_ASSERT_PTR_NULL(precis_object_file_warning(file, 0));
	precis_object_file_close(file);
}

/* Code of a library, which has more members than others; of 0x4000, 100 bytes, from 0x1000 of its file on */
static void module(void)
{
	static const uint8_t payload[] = { 0, 17, 0x80, 0x20, 100, 0x80, 0x20, 1, 2 };
	struct precis_object_event event = { .size = sizeof(event) };
	struct precis_object_file *file;

	side_begin(&made, OBJECTS_CLOCK_MONOTONIC);
	side_open(&made, OBJECTS_EVENTS, 9, 0, 5000);
	side_put(&made, payload, sizeof(payload));
	side_close(&made, 1);
	file = opened();
	CU_ASSERT_EQUAL_FATAL(precis_object_file_next(file, &event), 1);
	CU_ASSERT_EQUAL(event.operation, PRECIS_OBJECT_MODULE);
	CU_ASSERT_EQUAL(event.present, PRECIS_OBJECT_HAS_ADDRESS | PRECIS_OBJECT_HAS_BYTES |
						PRECIS_OBJECT_HAS_FILE_OFFSET | PRECIS_OBJECT_HAS_NAME |
						PRECIS_OBJECT_HAS_TYPE);
	CU_ASSERT_EQUAL(event.address, 0x4000);
	CU_ASSERT_EQUAL(event.bytes, 100);
	CU_ASSERT_EQUAL(event.file_offset, 0x1000);
	CU_ASSERT_TRUE(event.name == 1 && event.type == 2);
	precis_object_file_close(file);
}

static void probability(void)
{
	struct precis_object_event event = { .size = sizeof(event) };
	struct precis_object_file *file;

	make_two();
	((struct objects_header *)(void *)made.bytes)->threshold = 24;
	for (size_t at = sizeof(struct objects_header); at < made.count;) {
		struct objects_chunk *chunk = (struct objects_chunk *)(void *)(made.bytes + at);

		if (chunk->tid == 1) {
			chunk->interval = 4;
			chunk->checksum = 0;
			chunk->checksum = objects_checksum(
				chunk, sizeof(*chunk) + objects_padded(chunk->bytes));
		}
		at += sizeof(*chunk) + objects_padded(chunk->bytes);
	}
	file = opened();
	CU_ASSERT_EQUAL(precis_object_file_next(file, &event), 1);
	CU_ASSERT_EQUAL(event.probability, 1); /* from the threshold on */
	do {
		CU_ASSERT_EQUAL_FATAL(precis_object_file_next(file, &event), 1);
	} while (event.operation != PRECIS_OBJECT_ALLOC);
	CU_ASSERT_DOUBLE_EQUAL(event.probability, 0.22119921692859513, 1e-15); /* 1 - exp(-1/4) */
	precis_object_file_close(file);
}

/* Each event that is handed out of damaged bytes is counted; nothing else is asked. */
static int read_all(const uint8_t *bytes, size_t count, uint64_t *unread)
{
	struct precis_object_event event = { .size = sizeof(event) };
	struct precis_object_file_info info = { .size = sizeof(info) };
	struct precis_object_file *file;
	int events = 0;

	if (side_read(bytes, count, NULL, &file, NULL))
		return -1;
	while (precis_object_file_next(file, &event) > 0)
		events++;
	precis_object_file_info(file, &info);
	*unread = info.bytes_unread;
	CU_ASSERT_EQUAL(!info.bytes_unread, !precis_object_file_warning(file, 0));
	precis_object_file_close(file);
	return events;
}

/* Where blocks from the threshold on were recorded all at first, and then one for each 48 bytes of them */
static void large_sampled(void)
{
	static const uint64_t interval = 48;
	static const double truth[] = { 1, 0.39346934028736658, 0.22119921692859513 };
	struct precis_object_file_info info = { .size = sizeof(info) };
	struct precis_object_thread thread = { .size = sizeof(thread) };
	struct precis_object_event event = { .size = sizeof(event) };
	struct precis_object_file *file;

	side_begin(&made, OBJECTS_CLOCK_MONOTONIC);
	((struct objects_header *)(void *)made.bytes)->threshold = 24;
	for (uint32_t n = 0; n < 2; n++) {
		side_open(&made, OBJECTS_EVENTS, 5, n, 100 * (n + 1));
		side_chunk(&made)->interval = 4;
		side_chunk(&made)->flags = n ? OBJECTS_CHUNK_LARGE_SAMPLED : 0;
		if (n)
			side_put(&made, &interval, sizeof(interval));
		side_put(&made, BYTES(0 << 4 | 1, 0x80, 0x08, 24, 0));
		if (n)
			side_put(&made, BYTES(1 << 4 | 1, 0x80, 0x10, 1, 0));
		side_close(&made, n + 1);
	}
	file = opened();
	for (size_t n = 0; n < sizeof(truth) / sizeof(*truth); n++) {
		CU_ASSERT_EQUAL_FATAL(precis_object_file_next(file, &event), 1);
		CU_ASSERT_DOUBLE_EQUAL(event.probability, truth[n], 1e-15);
	}
	CU_ASSERT_EQUAL(precis_object_file_next(file, &event), 0);
	CU_ASSERT_EQUAL(precis_object_file_info(file, &info), 0);
	CU_ASSERT_EQUAL(info.flags, PRECIS_OBJECT_LARGE_SAMPLED);
	CU_ASSERT_EQUAL(info.large_sampled_from, 200);
	CU_ASSERT_EQUAL(info.large_interval, 48);
	CU_ASSERT_EQUAL(precis_object_file_thread(file, 0, &thread), 0);
	CU_ASSERT_EQUAL(thread.large_interval, 48);
	CU_ASSERT_EQUAL(thread.most_interval, 4);
	CU_ASSERT_PTR_NULL(precis_object_file_warning(file, 0));
	precis_object_file_close(file);

	/* without the interval, and of a kind that has none: no chunks */
	for (uint32_t n = 0; n < 2; n++) {
		uint64_t unread = 0;

		side_begin(&made, OBJECTS_CLOCK_MONOTONIC);
		side_open(&made, n ? OBJECTS_DEFINITIONS : OBJECTS_EVENTS, 5, 0, 100);
		side_chunk(&made)->flags = OBJECTS_CHUNK_LARGE_SAMPLED;
		side_put(&made, &interval, n ? 8 : 7);
		side_close(&made, 0);
		CU_ASSERT_EQUAL(read_all(made.bytes, made.count, &unread), 0);
		CU_ASSERT_TRUE(unread > 0);
	}
}

/*
 * A million threads, whose ids were chosen to be in few places of a hash of their lower bits: where one that
 * looks through all that are there is as slow as they are many, this does not come to its end.
 */
static void many_threads(void)
{
	const uint32_t most = getenv("PRECIS_QUICK") ? 1 << 17 : 1 << 20;
	const int fd = memfd_create("many threads", MFD_CLOEXEC);
	struct precis_object_file_options options = { .size = sizeof(options), .memory = 16 << 20 };
	struct precis_object_file_info info = { .size = sizeof(info) };
	struct precis_object_event event = { .size = sizeof(event) };
	struct precis_object_file *file;

	side_begin(&made, OBJECTS_CLOCK_TSC);
	for (uint32_t n = 0; n < most; n++) {
		/* whose product with 9e3779b9 is n % 256 in the lower 20 bits */
		const uint32_t tid = (n % 256 | n / 256 << 20) * UINT32_C(0x144cbc89);

		side_open(&made, OBJECTS_EVENTS, tid, 0, 5);
		side_put(&made, BYTES(0, 16));
		side_close(&made, 1);
		if (made.count < sizeof(made.bytes) - 1000 && n + 1 < most)
			continue;
		CU_ASSERT_EQUAL_FATAL(write(fd, made.bytes, made.count), (ssize_t)made.count);
		made.count = 0;
	}
	CU_ASSERT_EQUAL(precis_object_file_open_fd(fd, &options, &file, NULL), PRECIS_E_NO_MEMORY);
	CU_ASSERT_EQUAL_FATAL(precis_object_file_open_fd(fd, NULL, &file, NULL), 0);
	precis_object_file_info(file, &info);
	CU_ASSERT_EQUAL(info.threads, most);
	for (uint32_t n = 0; n < most; n++)
		CU_ASSERT_EQUAL_FATAL(precis_object_file_next(file, &event), 1);
	CU_ASSERT_EQUAL(precis_object_file_next(file, &event), 0);
	precis_object_file_close(file);
	close(fd);
}

static void cut(void)
{
	uint64_t unread = 0;
	int events = -1, before = -1;

	make_two();
	for (size_t count = 0; count <= made.count; count++) {
		events = read_all(made.bytes, count, &unread);
		CU_ASSERT_EQUAL(events < 0, count < sizeof(struct objects_header));
		CU_ASSERT_TRUE(events >= before);
		before = events;
	}
	CU_ASSERT_EQUAL(events, 6);
	CU_ASSERT_EQUAL(unread, 0);
}

/* One bit wrong in a chunk: the others are read, and it is told how many bytes were not */
static void flipped(void)
{
	uint64_t unread;

	make_two();
	for (size_t at = sizeof(struct objects_header); at < made.count; at++) {
		int events;

		made.bytes[at] ^= 16;
		events = read_all(made.bytes, made.count, &unread);
		CU_ASSERT_TRUE(events == 6 || events == 5 || events == 4 || events == 3);
		CU_ASSERT_TRUE(unread > 0);
		made.bytes[at] ^= 16;
	}
	for (size_t at = 0; at < sizeof(struct objects_header); at++) {
		made.bytes[at] ^= 1;
		read_all(made.bytes, made.count, &unread);
		made.bytes[at] ^= 1;
	}
}

/* With a checksum that is right, and a payload that makes no sense */
static void senseless(void)
{
	static const uint8_t payloads[][12] = {
		{ 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1 }, /* more than 64 bits */
		{ 0, 18 }, /* no such operation */
		{ 0, 3 }, /* one below 16, behind a 0 */
		{ 1, 0x81 }, /* ends in an address */
		{ 1, 1, 16, 1, 1 }, /* a low nibble of 16 */
		{ 1, 0, 1, 0xff, 0xff, 0xff, 0xff, 0x7f }, /* a stack beyond 32 bits */
	};
	uint64_t unread;

	for (size_t n = 0; n < sizeof(payloads) / sizeof(*payloads); n++) {
		make_two();
		side_open(&made, OBJECTS_EVENTS, 9, 0, 5000);
		side_put(&made, payloads[n], n == 3 ? 2 : 12);
		side_close(&made, 1);
		CU_ASSERT_EQUAL(read_all(made.bytes, made.count, &unread), 6);
		CU_ASSERT_TRUE(unread > 0);
	}
	make_two();
	side_open(&made, OBJECTS_DEFINITIONS, 0, 0, 0);
	side_put(&made, BYTES(1, 3, 0, 0xff, 1, 2)); /* 255 return addresses */
	side_close(&made, 0);
	CU_ASSERT_EQUAL(read_all(made.bytes, made.count, &unread), 6);
	CU_ASSERT_EQUAL(unread, 6);
}

static void refuses(void)
{
	struct precis_file_error error = { .size = sizeof(error) };
	struct objects_header *header = (struct objects_header *)(void *)made.bytes;
	struct precis_object_file *file;

	make_two();
	header->version = 2;
	CU_ASSERT_EQUAL(side_read(made.bytes, made.count, NULL, &file, &error), PRECIS_E_UNSUPPORTED);
	CU_ASSERT_EQUAL(error.offset, 8);
	header->version = 1;
	header->bytes = 400;
	CU_ASSERT_EQUAL(side_read(made.bytes, made.count, NULL, &file, &error), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(error.offset, 12);
	header->bytes = sizeof(*header);
	made.bytes[3] = 'x';
	CU_ASSERT_EQUAL(side_read(made.bytes, made.count, NULL, &file, &error), PRECIS_E_NOT_OBJECTS);
	CU_ASSERT_EQUAL(error.has_offset, 1);
	make_two();
	CU_ASSERT_EQUAL(side_read(made.bytes, 200, NULL, &file, &error), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(error.offset, 200);
	CU_ASSERT_EQUAL(precis_object_file_open("/nowhere", NULL, &file, &error), PRECIS_E_IO);
	CU_ASSERT_EQUAL(error.sys_errno, ENOENT);
	CU_ASSERT_EQUAL(precis_object_file_open("/", NULL, &file, &error), PRECIS_E_DIRECTORY);
	CU_ASSERT_EQUAL(precis_object_file_open_fd(-1, NULL, &file, &error), PRECIS_E_ARGUMENT);
	precis_object_file_close(NULL);
}

/* What a file may claim of memory is the caller's to say. */
static void bounded(void)
{
	struct precis_object_file_options options = { .size = sizeof(options), .memory = 4096 };
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_object_file *file;

	side_begin(&made, OBJECTS_CLOCK_TSC);
	for (uint32_t n = 0; n < 1000; n++) {
		side_open(&made, OBJECTS_EVENTS, n, 0, 5);
		side_put(&made, BYTES(0, 16));
		side_close(&made, 1);
	}
	CU_ASSERT_EQUAL(side_read(made.bytes, made.count, &options, &file, &error), PRECIS_E_NO_MEMORY);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.expected, "memory"));
	options.memory = 0;
	CU_ASSERT_EQUAL_FATAL(side_read(made.bytes, made.count, &options, &file, &error), 0);
	precis_object_file_close(file);
}

/* A thread id comes again; a chunk is missing */
static void threads(void)
{
	struct precis_object_thread thread = { .size = sizeof(thread) };
	struct precis_object_file_info info = { .size = sizeof(info) };
	struct precis_object_file *file;

	side_begin(&made, OBJECTS_CLOCK_TSC);
	for (uint32_t n = 0; n < 4; n++) {
		static const uint32_t numbers[] = { 0, 3, 0, 1 };

		side_open(&made, OBJECTS_EVENTS, 5, numbers[n], 10 * n);
		side_put(&made, BYTES(0, 16));
		side_close(&made, 1);
	}
	file = opened();
	precis_object_file_info(file, &info);
	CU_ASSERT_EQUAL(info.threads, 2);
	CU_ASSERT_EQUAL(info.chunks_lost, 2);
	CU_ASSERT_EQUAL(precis_object_file_thread(file, 1, &thread), 0);
	CU_ASSERT_EQUAL(thread.first_time, 20);
	CU_ASSERT_EQUAL(thread.events, 2);
	CU_ASSERT_EQUAL(precis_object_file_thread(file, 2, &thread), PRECIS_E_ARGUMENT);
	precis_object_file_close(file);
}

/* What the recorder lost, as the trailer has it, and why */
static void losses(void)
{
	const struct objects_trailer trailer = {
		.end = OBJECTS_END_EXIT, .events = 1, .lost = 12, .without_memory = 5
	};
	struct precis_object_file_info info = { .size = sizeof(info) };
	struct precis_object_file *file;

	side_begin(&made, OBJECTS_CLOCK_TSC);
	side_open(&made, OBJECTS_EVENTS, 1, 0, 5);
	side_put(&made, BYTES(0, 16));
	side_close(&made, 1);
	file = opened();
	precis_object_file_info(file, &info);
	CU_ASSERT_EQUAL(info.end, 0);
	CU_ASSERT_EQUAL(info.events_without_memory, 0);
	precis_object_file_close(file);
	side_open(&made, OBJECTS_TRAILER, 0, 0, 0);
	side_put(&made, &trailer, sizeof(trailer));
	side_close(&made, 0);
	file = opened();
	precis_object_file_info(file, &info);
	CU_ASSERT_EQUAL(info.end, OBJECTS_END_EXIT);
	CU_ASSERT_EQUAL(info.events_lost, 12);
	CU_ASSERT_EQUAL(info.events_without_memory, 5);
	CU_ASSERT_EQUAL(info.lost_from, 0);
	precis_object_file_close(file);
	made.bytes[offsetof(struct objects_header, lost_from)] = 77;
	file = opened();
	precis_object_file_info(file, &info);
	CU_ASSERT_EQUAL(info.lost_from, 77);
	precis_object_file_close(file);
}

static void pipes(void)
{
	struct precis_object_file *file = NULL;
	struct precis_object_event event = { .size = sizeof(event) };
	int ends[2];

	make_two();
	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	CU_ASSERT_EQUAL(write(ends[1], made.bytes, made.count), (ssize_t)made.count);
	close(ends[1]);
	CU_ASSERT_EQUAL_FATAL(precis_object_file_open_fd(ends[0], NULL, &file, NULL), 0);
	CU_ASSERT_EQUAL(precis_object_file_next(file, &event), 1);
	CU_ASSERT_EQUAL(event.bytes, 24);
	precis_object_file_close(file);
	close(ends[0]);
}

static uint64_t random_state = 1;

static double uniform(void)
{
	random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (double)(random_state >> 11) / 9007199254740992.0;
}

/*
 * A clock of some rate, that bends or has kinks, read between two ticks at random places in them: whatever is
 * converted between the points is no further off than said, and the bound is of use.
 */
static void clocks(void)
{
	enum { POINTS = 12 };
	uint64_t outside = 0, converted, error, tried = 0;
	double widest = 0;

	for (int seed = 0; seed < 500; seed++) {
		double rate = 0.2 + uniform(), bend = (uniform() - 0.5) * 1e-17,
		       kink = (uniform() - 0.5) * 1e-6;
		double kink_at = 1e9 * (1 + uniform() * (POINTS - 3)), origin = 1e15 * uniform();
		struct precis_object_point points[POINTS];

#define TRUTH(t) (origin + rate * (t) + bend * (t) * (t) + ((t) > kink_at ? kink * ((t)-kink_at) : 0))
		for (int n = 0; n < POINTS; n++) {
			uint64_t before = (uint64_t)(1e9 * n + 1e8 * uniform()),
				 width = (uint64_t)(20 + 200 * uniform());
			double read = (double)before + uniform() * (double)width;

			points[n] = (struct precis_object_point){ before + 5000, before + 5000 + width,
								  (uint64_t)TRUTH(read) };
		}
		for (int n = 0; n < 200; n++) {
			double time = 1.1e9 + uniform() * 1e9 * (POINTS - 3.2);

			CU_ASSERT_EQUAL_FATAL(precis_object_clock_convert(points, POINTS,
									  (uint64_t)time + 5000,
									  &converted, &error),
					      0);
			outside +=
				fabs((double)(int64_t)(converted - (uint64_t)TRUTH(floor(time)))) >
				(double)error + 1;
			widest = (double)error > widest ? (double)error : widest;
			tried++;
		}
	}
	printf("# %llu conversions, widest bound %.0f\n", (unsigned long long)tried, widest);
	CU_ASSERT_EQUAL(outside, 0);
	CU_ASSERT_TRUE(widest < 2000);
}

static void clock_refuses(void)
{
	struct precis_object_point points[] = { { 10, 12, 100 }, { 20, 22, 200 }, { 5, 6, 300 } };
	uint64_t converted, error;

	CU_ASSERT_EQUAL(precis_object_clock_convert(points, 1, 15, &converted, &error), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_object_clock_convert(points, 3, 25, &converted, &error), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_object_clock_convert(points, 2, 16, &converted, &error), 0);
	CU_ASSERT_EQUAL(converted, 150);
	CU_ASSERT_EQUAL(error, 11); /* half a width of 2 at 10 for each tick, and 1 */
	CU_ASSERT_EQUAL(precis_object_clock_convert(points, 2, 31, &converted, &error), 0);
	CU_ASSERT_EQUAL(converted, 300);
	CU_ASSERT_EQUAL(error, 31); /* as far behind the last one again */
	CU_ASSERT_PTR_NULL(precis_object_operation_name(0));
	CU_ASSERT_PTR_NULL(precis_object_operation_name(18));
	CU_ASSERT_STRING_EQUAL(precis_object_operation_name(PRECIS_OBJECT_THREAD_END), "thread-end");
}

static const struct tap_case cases[] = {
	{ "events in the order of time, their values, stacks and strings", order },
	{ "code of a library", module },
	{ "probabilities", probability },
	{ "probabilities where blocks from the threshold on are sampled, too", large_sampled },
	{ "threads as many as a hash of their ids may not like", many_threads },
	{ "a file that is cut off", cut },
	{ "each byte of a file wrong", flipped },
	{ "payloads that make no sense", senseless },
	{ "what is refused, and where", refuses },
	{ "memory is bounded", bounded },
	{ "threads with one id, chunks that are missing", threads },
	{ "what the recorder lost", losses },
	{ "through a pipe", pipes },
	{ "clocks: the bound holds", clocks },
	{ "clocks: by hand", clock_refuses },
};

int main(void)
{
	return tap_main("object_file", cases, sizeof(cases) / sizeof(*cases));
}
