/* SPDX-License-Identifier: BSD-3-Clause */
/* Page faults of a fresh mapping are sampled with the addresses that were touched, each once. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "precis_test.h"

#define PAGES 400

static unsigned char *mapping;
static size_t page;

static struct {
	uint64_t inside, outside, wrong, wrong_tid;
} seen;

static pid_t tid;

/* Page n is touched at another place than its neighbours, and not in order of addresses. */
static unsigned char *place(unsigned int turn)
{
	unsigned int n = turn * 7 % PAGES; /* a permutation: 7 does not divide PAGES */

	return mapping + n * page + n * 5 % page;
}

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint64_t address = 0, sampled_tid = 0;

	(void)arrival;
	(void)user;
	precis_get_addr(sample, &address);
	precis_get_tid(sample, &sampled_tid);
	seen.wrong_tid += (pid_t)sampled_tid != tid;
	if (address < (uintptr_t)mapping || address >= (uintptr_t)mapping + PAGES * page) {
		seen.outside++;
		return;
	}
	seen.wrong += address != (uintptr_t)place((unsigned int)seen.inside);
	seen.inside++;
}

static void check(uint32_t delivery)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = 1,
		.callback = on_sample,
	};
	struct precis_papi_statistics statistics;
	long long count[1];
	int code, set = test_set_of("SW_PAGE_FAULTS", &code);

	memset(&seen, 0, sizeof(seen));
	tid = test_tid();
	mapping = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);
	if (mapping == MAP_FAILED)
		test_bail_out("mmap", PAPI_ESYS);
	madvise(mapping, PAGES * page, MADV_NOHUGEPAGE);
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	for (unsigned int turn = 0; turn < PAGES; turn++)
		*place(turn) = 1;
	for (unsigned int turn = 0; turn < PAGES; turn++) /* no fault any more */
		*place(turn) = 2;
	test_must(PAPI_stop(set, count), "PAPI_stop");
	statistics = test_statistics(set, code);
	tap_equal((int64_t)seen.inside, PAGES, "delivery %u: each page faults once", delivery);
	tap_equal((int64_t)seen.wrong, 0, "at the address that was touched, in order");
	tap_equal((int64_t)seen.wrong_tid, 0, "in this thread");
	tap_ok(!statistics.lost && statistics.samples == seen.inside + seen.outside,
	       "none is lost, and others of the program are told too: %" PRIu64, seen.outside);
	tap_ok(count[0] >= PAGES && (uint64_t)count[0] <= statistics.samples,
	       "the count is right: %lld", count[0]);
	test_destroy(&set);
	munmap(mapping, PAGES * page);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	page = (size_t)sysconf(_SC_PAGESIZE);
	test_init();
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++)
		check(delivery);
	return tap_done();
}
