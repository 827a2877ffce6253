/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rings that the kernel writes, read with ring and decoder. The number of stores to a watched word
 * is known exactly, and each record has the counter's value: which of all records it is.
 */
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <precis/kernel_records.h>

#include "tests/support/live_event.h"
#include "tests/support/tap.h"

enum {
	PARTS = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
		PERF_SAMPLE_READ
};
enum { STARTS = 16384 };

static struct live_event event;
static volatile uint64_t watched;
static uint32_t starts[STARTS];

/* @return 0 if the case has ended: skipped, or failed */
static int open_event(const struct perf_event_attr *attr, size_t pages)
{
	int error = live_open(&event, attr, pages);
	const char *reason = live_why_not(error);

	if (!error)
		return 1;
	printf("# perf_event_open, mmap: %s\n", strerror(-error));
	if (reason)
		tap_skip(reason);
	else
		CU_FAIL("an event could not be opened");
	return 0;
}

static void control(unsigned long request, unsigned long argument)
{
	CU_ASSERT_EQUAL_FATAL(ioctl(event.fd, request, argument), 0);
}

static void store(uint32_t count)
{
	control(PERF_EVENT_IOC_ENABLE, 0);
	for (uint32_t i = 0; i < count; i++)
		watched = i;
	control(PERF_EVENT_IOC_DISABLE, 0);
}

/* What has been read */
struct seen {
	uint64_t records; /* of any type */
	uint64_t samples, lost;
	uint64_t first, last; /* the counter's value in the first and the last sample */
	uint64_t gaps; /* samples that are not the next one of the one before */
	uint64_t wrong; /* whose field 'addr' is another */
	uint64_t time;
};

static void see_sample(const struct precis_record *record, struct seen *seen)
{
	struct precis_perf_sample perf = { .size = sizeof(perf) };
	struct precis_sample sample;
	uint64_t number = 0, value = 0;

	precis_sample_init(&sample);
	CU_ASSERT_EQUAL_FATAL(precis_decoder_sample(&event.decoder, record, NULL, &perf, &sample),
			      0);
	CU_ASSERT_EQUAL_FATAL(precis_bytes_u64(perf.read, 0, &number), 0);
	if (!seen->samples)
		seen->first = number;
	else if (number != seen->last + 1)
		seen->gaps++;
	seen->last = number;
	seen->samples++;
	if (!precis_get_addr(&sample, &value) || value != (uintptr_t)&watched)
		seen->wrong++;
	if (!precis_get_tid(&sample, &value) || value != (uint64_t)getpid())
		seen->wrong++;
	if (!precis_get_period(&sample, &value) || value != 1)
		seen->wrong++;
	if (!precis_get_time(&sample, &value) || value < seen->time)
		seen->wrong++;
	seen->time = value;
}

/* Every record that the ring knows of */
static struct seen see(void)
{
	struct precis_lost lost = { .size = sizeof(lost) };
	struct precis_record record;
	struct seen seen = { 0 };
	int code;

	while ((code = precis_ring_next(&event.ring, &record)) == 1) {
		seen.records++;
		if (record.type == PRECIS_RECORD_SAMPLE) {
			see_sample(&record, &seen);
		} else if (record.type == PRECIS_RECORD_LOST) {
			CU_ASSERT_EQUAL(precis_lost_parse(&record, &lost), 0);
			seen.lost += lost.lost;
		}
	}
	CU_ASSERT_EQUAL(code, 0);
	CU_ASSERT_EQUAL(seen.wrong, 0);
	return seen;
}

static struct seen drain(void)
{
	uint64_t waiting = precis_ring_look(&event.ring), before = event.ring.bytes;
	struct seen seen = see();

	CU_ASSERT_EQUAL(event.ring.bytes - before, waiting);
	precis_ring_release(&event.ring);
	CU_ASSERT_EQUAL(precis_ring_look(&event.ring), 0);
	return seen;
}

/* N stores are N records, in a ring that comes round again and again. */
static void every_store(void)
{
	struct perf_event_attr attr = live_store_attr(&watched, PARTS);
	uint64_t stores = 0;

	if (!open_event(&attr, 1))
		return;
	for (uint32_t round = 0; round < 300; round++) {
		uint32_t count = round % 41;
		struct seen seen;

		store(count);
		stores += count;
		seen = drain();
		CU_ASSERT_EQUAL(seen.records, count);
		CU_ASSERT_EQUAL(seen.samples, count);
		CU_ASSERT_EQUAL(seen.gaps, 0);
		if (count)
			CU_ASSERT_EQUAL(seen.last, stores);
	}
	CU_ASSERT_EQUAL(event.ring.records, stores);
	CU_ASSERT_TRUE(event.ring.bytes > 20 * event.ring.data_bytes);
	CU_ASSERT_EQUAL(event.ring.unreadable_bytes, 0);
	live_close(&event);
}

/* More than the ring holds: what is not there is lost, to the last one. */
static void too_many(void)
{
	struct perf_event_attr attr = live_store_attr(&watched, PARTS);
	struct seen seen, after;
	uint64_t count = 0;

	if (!open_event(&attr, 1))
		return;
	store(1000);
	seen = drain();
	CU_ASSERT_TRUE(seen.samples > 0);
	CU_ASSERT_TRUE(seen.samples < 1000);
	CU_ASSERT_EQUAL(seen.first, 1);
	CU_ASSERT_EQUAL(seen.gaps, 0);
	store(3); /* the first of them brings the LOST record */
	after = drain();
	CU_ASSERT_EQUAL(after.samples, 3);
	CU_ASSERT_EQUAL(after.records, 4);
	CU_ASSERT_EQUAL(after.first, 1001);
	CU_ASSERT_EQUAL(seen.samples + seen.lost + after.lost, 1000);
	CU_ASSERT_EQUAL(read(event.fd, &count, sizeof(count)), (ssize_t)sizeof(count));
	CU_ASSERT_EQUAL(count, 1003);
	live_close(&event);
}

/* What has not been released is not written over, even if it has been read. */
static void kept_until_released(void)
{
	struct perf_event_attr attr = live_store_attr(&watched, PARTS);
	struct precis_record record;
	uint8_t copy[256];

	if (!open_event(&attr, 1))
		return;
	store(1);
	precis_ring_look(&event.ring);
	CU_ASSERT_EQUAL_FATAL(precis_ring_next(&event.ring, &record), 1);
	CU_ASSERT_FATAL(record.size <= sizeof(copy));
	memcpy(copy, record.data, record.size);
	store(1000);
	CU_ASSERT_FALSE(memcmp(copy, record.data, record.size));
	CU_ASSERT_TRUE(precis_ring_look(&event.ring) <= event.ring.data_bytes - record.size);
	live_close(&event);
}

static struct perf_event_attr backward_attr(void)
{
	struct perf_event_attr attr = live_store_attr(&watched, PARTS);

	attr.write_backward = 1;
	return attr;
}

/* Pause, and see what is new. */
static struct seen freeze(size_t room)
{
	struct seen seen;
	int64_t count;

	control(PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	count = precis_ring_freeze(&event.ring, starts, room);
	seen = see();
	CU_ASSERT_EQUAL(count, (int64_t)seen.records);
	control(PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
	return seen;
}

/* The newest records, oldest first, and how much is gone: all records are of one size. */
static void overwritten(void)
{
	struct perf_event_attr attr = backward_attr();
	uint64_t size, stores = 0;

	if (!open_event(&attr, 1))
		return;
	store(1);
	CU_ASSERT_EQUAL(freeze(STARTS).samples, 1);
	stores++;
	size = event.ring.bytes;
	for (uint32_t round = 0; round < 60; round++) {
		uint32_t count = round % 3 ? round : 1000 + round;
		uint64_t held = event.ring.data_bytes / size;
		struct seen seen;

		store(count);
		stores += count;
		seen = freeze(STARTS);
		CU_ASSERT_EQUAL(seen.samples, count < held ? count : held);
		CU_ASSERT_EQUAL(seen.gaps, 0);
		CU_ASSERT_EQUAL(seen.last, stores);
		CU_ASSERT_EQUAL(event.ring.bytes + event.ring.overwritten_bytes, stores * size);
	}
	CU_ASSERT_EQUAL(event.ring.bytes, event.ring.records * size);
	CU_ASSERT_EQUAL(event.ring.unreadable_bytes, 0);
	CU_ASSERT_EQUAL(freeze(STARTS).records, 0);
	live_close(&event);
}

static void little_room(void)
{
	struct perf_event_attr attr = backward_attr();
	struct seen seen;

	if (!open_event(&attr, 1))
		return;
	store(20);
	seen = freeze(7);
	CU_ASSERT_EQUAL(seen.samples, 7);
	CU_ASSERT_EQUAL(seen.first, 14);
	CU_ASSERT_EQUAL(seen.last, 20);
	CU_ASSERT_EQUAL(event.ring.overwritten_bytes * 7, event.ring.bytes * 13);
	CU_ASSERT_EQUAL(freeze(STARTS).records, 0);
	live_close(&event);
}

/* Records of 32 KiB with a stack: most of them wrap round somewhere else. */
static void large_records(void)
{
	struct perf_event_attr attr = live_store_attr(&watched, PARTS | PERF_SAMPLE_STACK_USER);
	size_t pages = 131072 / (size_t)sysconf(_SC_PAGESIZE);

	attr.sample_stack_user = 32768;
	if (!pages)
		pages = 1;
	if (!open_event(&attr, pages))
		return;
	for (uint32_t round = 1; round <= 100; round++) {
		struct seen seen;

		store(1);
		seen = drain();
		CU_ASSERT_EQUAL(seen.samples, 1);
		CU_ASSERT_EQUAL(seen.last, round);
	}
	CU_ASSERT_EQUAL(event.ring.records, 100);
	live_close(&event);
}

/* Addresses that the kernel reports for each: pages touched for the first time, in order. */
static void page_faults(void)
{
	struct perf_event_attr attr = live_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 1,
						PERF_SAMPLE_IP | PERF_SAMPLE_ADDR);
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = 64, next = 0;
	struct precis_sample sample;
	struct precis_record record;
	uint8_t *memory;

	if (!open_event(&attr, 4))
		return;
	memory = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		      0);
	CU_ASSERT_FATAL(memory != MAP_FAILED);
	madvise(memory, pages * page, MADV_NOHUGEPAGE); /* a kernel without large pages refuses */
	control(PERF_EVENT_IOC_ENABLE, 0);
	for (size_t n = 0; n < pages; n++)
		((volatile uint8_t *)memory)[n * page + n] = 1;
	control(PERF_EVENT_IOC_DISABLE, 0);
	precis_sample_init(&sample);
	precis_ring_look(&event.ring);
	while (precis_ring_next(&event.ring, &record) == 1) {
		uint64_t address = 0;

		CU_ASSERT_EQUAL_FATAL(
			precis_decoder_sample(&event.decoder, &record, NULL, NULL, &sample), 0);
		/* others may be of the C library's */
		if (precis_get_addr(&sample, &address) && address >= (uintptr_t)memory &&
		    address < (uintptr_t)memory + pages * page) {
			CU_ASSERT_EQUAL(address, (uintptr_t)memory + next * page + next);
			next++;
		}
	}
	CU_ASSERT_EQUAL(next, pages);
	CU_ASSERT_EQUAL(event.ring.unreadable_bytes, 0);
	munmap(memory, pages * page);
	live_close(&event);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "every store is a record", every_store },
		{ "more than the ring holds: records and LOST are all", too_many },
		{ "what is not released is kept", kept_until_released },
		{ "the newest records of a ring that is overwritten", overwritten },
		{ "room for fewer than there are", little_room },
		{ "records of 32 KiB", large_records },
		{ "addresses of page faults", page_faults },
	};

	return tap_main("live_ring", cases, sizeof(cases) / sizeof(cases[0]));
}
