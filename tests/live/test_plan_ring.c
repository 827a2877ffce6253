/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ring that a plan advises, as a real one: after the wakeup as many samples come as the longest delay
 * of the reader has. It loses none, and half of it does. Page faults on fresh pages are the samples: their
 * number is exact.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MADV_NOHUGEPAGE */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <precis/kernel_records.h>
#include <precis/plan.h>

#include "tests/support/live_event.h"
#include "tests/support/tap.h"

#define RATE 1e5
#define DELAY_NS 30e6 /* 1500 samples and more, 48 kB: a ring of 128 KiB has room for them, one of 64 not */
#define ROUNDS 5
#define PAGES 256u

enum { PARTS = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME };

static struct live_event event;
static unsigned char *fresh;
static size_t page, faults;

static void fault(void)
{
	if (faults % PAGES == 0)
		madvise(fresh, PAGES * page, MADV_DONTNEED);
	fresh[faults++ % PAGES * page] = 1;
}

static uint64_t read_lost(void)
{
	struct precis_record record;
	uint64_t all = 0;

	precis_ring_look(&event.ring);
	while (precis_ring_next(&event.ring, &record) == 1) {
		struct precis_lost lost = { .size = sizeof(lost) };

		if (record.type == PRECIS_RECORD_LOST && !precis_lost_parse(&record, &lost))
			all += lost.lost;
	}
	precis_ring_release(&event.ring);
	return all;
}

/* @return samples that were lost; UINT64_MAX if the case has ended */
static uint64_t lost_in(const struct precis_plan_advice *advice, uint64_t ring)
{
	const uint64_t late = (uint64_t)(RATE * DELAY_NS * 1e-9);
	struct perf_event_attr attr = live_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 1, PARTS);
	struct pollfd told = { .events = POLLIN };
	uint64_t lost = 0;
	int error;

	attr.watermark = 1;
	attr.wakeup_watermark = (uint32_t)(advice->watermark_bytes * ring / advice->ring_bytes);
	error = live_open(&event, &attr, ring / page);
	if (error) {
		printf("# perf_event_open, mmap: %s\n", strerror(-error));
		if (live_why_not(error))
			tap_skip(live_why_not(error));
		else
			CU_FAIL("an event could not be opened");
		return UINT64_MAX;
	}
	told.fd = event.fd;
	CU_ASSERT_EQUAL(ioctl(event.fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	for (int round = 0; round < ROUNDS; round++) {
		for (uint64_t n = 0; n < ring && poll(&told, 1, 0) == 0; n++)
			fault();
		for (uint64_t n = 0; n < late; n++)
			fault();
		lost += read_lost();
	}
	for (int n = 0; n < 3; n++)
		fault(); /* the first brings the record of what was lost */
	CU_ASSERT_EQUAL(ioctl(event.fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	lost += read_lost();
	CU_ASSERT(event.ring.records > ROUNDS * late / 2);
	live_close(&event);
	return lost;
}

static void ring(void)
{
	struct precis_plan_cost cost = { .size = sizeof(cost) };
	struct precis_plan_setup setup = {
		.size = sizeof(setup), .rate = 5 * RATE, .seconds = 1, .reader_delay_ns = DELAY_NS,
		.record_bytes = precis_plan_record_bytes(PARTS, 0, 0, 0, 0, 0),
	};
	struct precis_plan_wish wish = { .size = sizeof(wish), .budget = 0.1001, .page_bytes = page };
	struct precis_plan_advice advice = { .size = sizeof(advice) };
	uint64_t lost;

	/* 1 us each, so that 10% are every fifth event: each fault stands for such a sample */
	cost.knowledge[PRECIS_PLAN_SAMPLE] = PRECIS_PLAN_KNOWN;
	cost.ns[PRECIS_PLAN_SAMPLE] = 1000;
	CU_ASSERT_EQUAL_FATAL(precis_plan_advise(&cost, &setup, &wish, &advice), 0);
	CU_ASSERT_EQUAL(advice.period, 5);
	CU_ASSERT_EQUAL(advice.ring_bound, PRECIS_PLAN_RING_BY_DELAY);
	lost = lost_in(&advice, advice.ring_bytes);
	if (lost == UINT64_MAX)
		return;
	CU_ASSERT_EQUAL(lost, 0);
	lost = lost_in(&advice, advice.ring_bytes / 2);
	CU_ASSERT(lost > 0 && lost != UINT64_MAX);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a real ring as advised loses nothing, half of it does", ring },
	};

	page = (size_t)sysconf(_SC_PAGESIZE);
	fresh = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (fresh == MAP_FAILED)
		return 1;
	madvise(fresh, PAGES * page, MADV_NOHUGEPAGE);
	return tap_main("plan_ring", cases, sizeof(cases) / sizeof(cases[0]));
}
