/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which named range, or which block of the heap, a sample's address is in: asked in callbacks of each
 * delivery, beside threads that name and forget, in forked children, and of a block that is freed in a
 * callback. Blocks want the recorder of objects: PRECIS_OBJECTS_LIBRARY names it, and this program runs
 * itself with it.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>

#include "precis_test.h"

#define PAGES 60
#define ARRAYS 3
#define NAMERS 3
#define CHILDREN 20

static size_t page;

/* An array's pages are touched once each, and the callback asks what they are. */
static struct {
	unsigned char *array[ARRAYS];
	uint64_t in[ARRAYS], wrong, calls;
	struct precis_sample sample; /* of the first array */
} seen;

static void ask(const struct precis_sample *sample)
{
	struct precis_papi_object object = { .size = sizeof(object) };
	uint64_t address = 0;

	if (!precis_get_addr(sample, &address))
		return;
	for (unsigned int n = 0; n < ARRAYS; n++) {
		uint64_t start = (uintptr_t)seen.array[n];

		if (address - start >= PAGES * page)
			continue;
		seen.wrong += precis_papi_object_of(sample, &object) != PAPI_OK ||
			      object.kind != PRECIS_PAPI_RANGE || object.number != n ||
			      object.start != start || object.bytes != PAGES * page ||
			      object.offset != address - start || !object.name ||
			      object.name[0] != (char)('a' + n);
		seen.in[n]++;
		if (!n)
			seen.sample = *sample;
	}
}

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)arrival;
	(void)user;
	__atomic_fetch_add(&seen.calls, 1, __ATOMIC_RELAXED);
	ask(sample);
}

static void *fresh(void)
{
	void *pages = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		test_bail_out("mmap", PAPI_ESYS);
	madvise(pages, PAGES * page, MADV_NOHUGEPAGE);
	return pages;
}

static void touch(unsigned char *pages)
{
	for (size_t n = 0; n < PAGES; n++)
		pages[n * page + n * 8] = 1;
}

/* An EventSet that samples each page fault; started */
static int start_faults(uint32_t delivery, precis_papi_callback callback, int *code)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = 1,
		.callback = callback,
	};
	int set = test_set_of("SW_PAGE_FAULTS", code);

	test_must(precis_papi_set_sampling(set, *code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	return set;
}

static void stop_faults(int *set)
{
	long long count;

	test_must(PAPI_stop(*set, &count), "PAPI_stop");
	test_destroy(set);
}

static void check_delivery(uint32_t delivery)
{
	char name[8];
	int code, set;

	memset(&seen, 0, sizeof(seen));
	for (unsigned int n = 0; n < ARRAYS; n++) {
		seen.array[n] = fresh();
		snprintf(name, sizeof(name), "%c", 'a' + n);
		test_must(precis_papi_name_range(seen.array[n], PAGES * page, name, n),
			  "precis_papi_name_range");
		memset(name, 'x', sizeof(name)); /* it was copied */
	}
	set = start_faults(delivery, on_sample, &code);
	for (unsigned int n = 0; n < ARRAYS; n++)
		touch(seen.array[n]);
	stop_faults(&set);
	tap_ok(seen.in[0] == PAGES && seen.in[1] == PAGES && seen.in[2] == PAGES && !seen.wrong,
	       "delivery %u: each sample is of its array: %" PRIu64 ", %" PRIu64 ", %" PRIu64
	       ", %" PRIu64 " wrong",
	       delivery, seen.in[0], seen.in[1], seen.in[2], seen.wrong);
}

static void forget_arrays(void)
{
	for (unsigned int n = 0; n < ARRAYS; n++) {
		test_must(precis_papi_forget_range(seen.array[n]), "precis_papi_forget_range");
		munmap(seen.array[n], PAGES * page);
	}
}

/* A sample whose address is another one */
static struct precis_papi_object object_at(const void *address)
{
	struct precis_papi_object object = { .size = sizeof(object) };
	struct precis_sample sample = seen.sample;

	sample.value[PRECIS_FIELD_ADDR] = (uintptr_t)address;
	test_must(precis_papi_object_of(&sample, &object), "precis_papi_object_of");
	return object;
}

static void check_nested(void)
{
	static char pool[1000];

	test_must(precis_papi_name_range(pool + 100, 50, "inner", 2), "precis_papi_name_range");
	test_must(precis_papi_name_range(pool, sizeof(pool), "pool", 1), "precis_papi_name_range");
	test_must(precis_papi_name_range(pool + 100, 10, "innermost", 3), "precis_papi_name_range");
	test_must(precis_papi_name_range(pool + 200, 50, "other", 4), "precis_papi_name_range");
	tap_ok(object_at(pool).number == 1 && object_at(pool + 100).number == 3 &&
		       object_at(pool + 110).number == 2 && object_at(pool + 149).number == 2 &&
		       object_at(pool + 150).number == 1 && object_at(pool + 249).number == 4 &&
		       object_at(pool + 250).number == 1 && object_at(pool + 999).number == 1 &&
		       object_at(pool + 1000).kind < PRECIS_PAPI_RANGE,
	       "the innermost range, whichever was named first");
	tap_equal(precis_papi_name_range(pool + 140, 20, "across", 5), PAPI_ECNFLCT,
		  "a range across another's end");
	tap_equal(precis_papi_name_range(pool, 0, "nothing", 5), PAPI_EINVAL, "a range without bytes");
	tap_equal(precis_papi_name_range(pool, SIZE_MAX, "all", 5), PAPI_EINVAL,
		  "a range beyond all addresses");
	tap_equal(precis_papi_name_range(pool, 5, NULL, 5), PAPI_EINVAL, "a range without a name");
	tap_equal(precis_papi_forget_range(pool + 1), PAPI_EINVAL, "a range that there is not");
	test_must(precis_papi_forget_range(pool + 100), "precis_papi_forget_range");
	tap_ok(object_at(pool + 100).number == 1, "what was forgotten gives way to what it lies in");
	test_must(precis_papi_name_range(pool, sizeof(pool), "pool again", 6), "precis_papi_name_range");
	tap_ok(object_at(pool).number == 6 && !strcmp(object_at(pool).name, "pool again"),
	       "a range is named anew");
	test_must(precis_papi_forget_range(pool), "precis_papi_forget_range");
	test_must(precis_papi_forget_range(pool + 200), "precis_papi_forget_range");
	tap_ok(object_at(pool).kind < PRECIS_PAPI_RANGE, "all was forgotten");
}

static void check_arguments(void)
{
	struct precis_papi_object object = { .size = 4 };
	struct {
		struct precis_papi_object object;
		uint64_t more[4];
	} newer;
	struct precis_sample sample = seen.sample;

	tap_equal(precis_papi_object_of(&sample, &object), PAPI_EINVAL, "an object without a size");
	tap_equal(precis_papi_object_of(NULL, &object), PAPI_EINVAL, "no sample");
	memset(&newer, 0xff, sizeof(newer));
	newer.object.size = sizeof(newer);
	sample.present[PRECIS_FIELD_ADDR / 64] &= ~(UINT64_C(1) << PRECIS_FIELD_ADDR % 64);
	tap_ok(precis_papi_object_of(&sample, &newer.object) == PAPI_OK &&
		       newer.object.kind == PRECIS_PAPI_NO_ADDRESS && !newer.more[3],
	       "a sample without an address, for a program with a newer header");
}

/* ---- beside threads that name and forget ---- */

static _Atomic int stop;

static void *name_and_forget(void *argument)
{
	static char cells[NAMERS][64];
	char *cell = cells[(uintptr_t)argument];

	while (!stop) {
		for (unsigned int n = 0; n < 64; n += 4)
			precis_papi_name_range(cell + n, 4, "cell", n);
		for (unsigned int n = 0; n < 64; n += 4)
			precis_papi_forget_range(cell + n);
	}
	return NULL;
}

/* The child has a lock that nobody holds, its parent's ranges, and can name its own. */
static int child_asks(void)
{
	static char own[16];
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		int good = object_at(seen.array[1] + 5).number == 1;

		good &= precis_papi_name_range(own, sizeof(own), "own", 77) == PAPI_OK &&
			object_at(own).number == 77;
		_exit(!good);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void check_beside_threads(void)
{
	pthread_t threads[NAMERS];
	int code, set, children = 0;

	check_delivery(PRECIS_PAPI_BATCH);
	for (uintptr_t n = 0; n < NAMERS; n++)
		pthread_create(&threads[n], NULL, name_and_forget, (void *)n);
	memset(seen.in, 0, sizeof(seen.in));
	for (int round = 0; round < 20; round++) {
		madvise(seen.array[2], PAGES * page, MADV_DONTNEED);
		set = start_faults(PRECIS_PAPI_SAMPLE, on_sample, &code);
		touch(seen.array[2]);
		stop_faults(&set);
		children += child_asks();
	}
	stop = 1;
	for (int n = 0; n < NAMERS; n++)
		pthread_join(threads[n], NULL);
	tap_ok(seen.in[2] == 20 * PAGES && !seen.wrong,
	       "signal handlers beside threads that name: %" PRIu64 " samples, %" PRIu64 " wrong",
	       seen.in[2], seen.wrong);
	tap_equal(children, CHILDREN, "children forked meanwhile ask and name");
	forget_arrays();
}

/* ---- blocks ---- */

static struct {
	unsigned char *block;
	uint64_t samples, wrong;
	int frees, after; /* free it in the callback; what it is then */
} heap;

static __attribute__((noinline)) unsigned char *make_block(void)
{
	unsigned char *volatile block = malloc(PAGES * page);

	return block;
}

static void on_block(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		     void *user)
{
	struct precis_papi_object object = { .size = sizeof(object) };
	uint64_t address = 0;

	(void)arrival;
	(void)user;
	if (!precis_get_addr(sample, &address) || address - (uintptr_t)heap.block >= PAGES * page)
		return;
	heap.samples++;
	if (heap.after)
		return;
	heap.wrong += precis_papi_object_of(sample, &object) != PAPI_OK || object.kind != PRECIS_PAPI_BLOCK ||
		      object.start != (uintptr_t)heap.block || object.bytes != PAGES * page || object.name ||
		      object.offset != address - object.start || object.site - (uintptr_t)make_block > 64;
	if (!heap.frees)
		return;
	free(heap.block);
	precis_papi_object_of(sample, &object);
	heap.after = (int)object.kind;
}

static void check_blocks(uint32_t delivery, int frees)
{
	int code, set;

	memset(&heap, 0, sizeof(heap));
	heap.frees = frees;
	heap.block = make_block();
	set = start_faults(delivery, on_block, &code);
	touch(heap.block);
	stop_faults(&set);
	if (!frees)
		free(heap.block);
	tap_ok(heap.samples >= PAGES - 1 && !heap.wrong,
	       "delivery %u: each sample is of the block: %" PRIu64 ", %" PRIu64 " wrong", delivery,
	       heap.samples, heap.wrong);
	if (frees)
		tap_equal(heap.after, PRECIS_PAPI_NO_OBJECT,
			  "a block that is freed in the callback is none there");
}

static int with_recorder(void)
{
	mallopt(M_MMAP_THRESHOLD, 65536); /* each block has fresh pages */
	test_init();
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++)
		check_blocks(delivery, 0);
	check_blocks(PRECIS_PAPI_BATCH, 1);
	return tap_done();
}

static void check_recorder(const char *program)
{
	const char *recorder = getenv("PRECIS_OBJECTS_LIBRARY");
	int status = -1;
	pid_t pid;

	if (!recorder || !*recorder) {
		tap_skip("PRECIS_OBJECTS_LIBRARY does not name the recorder", "blocks of the heap");
		return;
	}
	fflush(stdout);
	pid = fork();
	if (!pid) {
		setenv("LD_PRELOAD", recorder, 1);
		setenv("PRECIS_OBJECTS", "live=yes,interval=512k,stack=none,directory=/tmp", 1);
		setenv("PRECIS_TEST_BLOCKS", "1", 1);
		execl("/proc/self/exe", program, (char *)NULL);
		_exit(1);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	tap_child(status, "blocks of the heap");
}

int main(int argc, char **argv)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	if (getenv("PRECIS_TEST_BLOCKS")) {
		tap_indent = "    ";
		return with_recorder();
	}
	test_begin(argc, argv);
	test_init();
	for (uint32_t delivery = 0; delivery <= PRECIS_PAPI_SAMPLE; delivery++) {
		check_delivery(delivery);
		forget_arrays();
	}
	check_nested();
	check_arguments();
	tap_equal((int64_t)object_at(&argc).kind, PRECIS_PAPI_BLOCKS_UNKNOWN,
		  "without the recorder blocks are not known");
	check_beside_threads();
	check_recorder(argv[0]);
	return tap_done();
}
