/* SPDX-License-Identifier: BSD-3-Clause */
/* Code that comes to addresses where other code was: since when, in whatever order it is told. */
#include "analysis/model/code_maps.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define ROOM ((size_t)1 << 20)
#define PAGES 64u
#define PAGE 4096u

static uint64_t add(struct code_maps *maps, uint64_t start, uint64_t length, uint64_t offset,
		    const char *name, uint64_t time)
{
	const struct precis_mmap map = {
		.size = sizeof(map),
		.addr = start,
		.length = length,
		.page_offset = offset,
		.filename = name,
	};
	size_t room = ROOM;

	return code_maps_add(maps, &map, time, &room);
}

static void others(void)
{
	struct code_maps maps = { 0 };

	CU_ASSERT_EQUAL(add(&maps, 0x10000, 0x4000, 0x1000, "/a.so", 10), 0);
	CU_ASSERT_EQUAL(add(&maps, 0x14000, 0x4000, 0, "/c.so", 11), 0);
	CU_ASSERT_EQUAL(add(&maps, 0x10000, 0x4000, 0x1000, "/a.so", 12), 0); /* again */
	CU_ASSERT_EQUAL(add(&maps, 0x12000, 0x1000, 0x3000, "/a.so", 13),
			0); /* a part, as it was */
	CU_ASSERT_EQUAL(add(&maps, 0x12000, 0x1000, 0x4000, "/a.so", 14), 14); /* another part */
	CU_ASSERT_EQUAL(add(&maps, 0x13000, 0x2000, 0, "/b.so", 15), 15);
	CU_ASSERT_EQUAL(add(&maps, 0x13000, 0x2000, 0, "/a.so", 15), 0); /* at the same time */
	CU_ASSERT_EQUAL(add(&maps, 0x13000, 0x2000, 0, "/b.so", 16), 16);
	code_maps_free(&maps);
}

/* As of another CPU's buffer: the later one is that which counts */
static void unsorted(void)
{
	struct code_maps maps = { 0 };

	CU_ASSERT_EQUAL(add(&maps, 0x10000, 0x4000, 0, "/b.so", 20), 0);
	CU_ASSERT_EQUAL(add(&maps, 0x10000, 0x4000, 0, "/a.so", 10), 20);
	CU_ASSERT_EQUAL(add(&maps, 0x10000, 0x4000, 0, "/b.so", 30), 0);
	CU_ASSERT_EQUAL(add(&maps, 0x10000, 0x4000, 0, "/a.so", 40), 40);
	code_maps_free(&maps);
}

/* What a compiler makes while the program runs has one name wherever it is; another program has nothing. */
static void no_others(void)
{
	struct code_maps maps = { 0 };

	CU_ASSERT_EQUAL(add(&maps, 0x10000, 0x4000, 0, "//anon", 10), 0);
	CU_ASSERT_EQUAL(add(&maps, 0x12000, 0x8000, 0, "//anon", 11), 0);
	CU_ASSERT_EQUAL(add(&maps, 0x11000, 0x1000, 0x40, "/jitted-7-1.so", 12), 0);
	code_maps_forget(&maps, 13);
	CU_ASSERT_EQUAL(add(&maps, 0x10000, 0x4000, 0, "/b.so", 13), 0);
	code_maps_forget(&maps, 13); /* it has mapped that since */
	CU_ASSERT_EQUAL(add(&maps, 0x10000, 0x4000, 0, "/a.so", 14), 14);
	code_maps_free(&maps);
}

/* Against pages of which each says what is there */
static void pages(void)
{
	static const char *const names[] = { "/a", "/b", "/c" };
	struct code_maps maps = { 0 };
	uint64_t state = 20261128;
	int there[PAGES] = { 0 };

	for (uint32_t time = 1; time < 5000; time++) {
		const uint32_t name = (uint32_t)(random_next(&state) % 3),
			       first = (uint32_t)(random_next(&state) % PAGES);
		const uint32_t count = 1 + (uint32_t)(random_next(&state) % (PAGES - first));
		int is_other = 0;
		uint64_t told;

		for (uint32_t n = first; n < first + count; n++) {
			is_other |= there[n] && there[n] != (int)name + 1;
			there[n] = (int)name + 1;
		}
		told = add(&maps, (uint64_t)first * PAGE, (uint64_t)count * PAGE,
			   (uint64_t)first * PAGE, names[name], time);
		CU_ASSERT_EQUAL(told, is_other ? time : 0);
	}
	code_maps_free(&maps);
}

static void bounded(void)
{
	struct code_maps maps = { 0 };
	const struct precis_mmap map = {
		.size = sizeof(map), .addr = 0x1000, .length = 1, .filename = "/a"
	};
	size_t none = 0;

	CU_ASSERT_EQUAL(code_maps_add(&maps, &map, 1, &none), 0);
	CU_ASSERT_EQUAL(maps.count, 0);
	for (uint64_t n = 0; n < 100000; n++)
		add(&maps, n * 2 * PAGE, PAGE, 0, "/a", n + 1);
	CU_ASSERT(maps.count > 20000 && maps.room <= 32768);
	code_maps_free(&maps);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "other code at the same addresses: since it is there", others },
		{ "in another order of time", unsorted },
		{ "no other code: the same name, or another program", no_others },
		{ "mappings that cover each other at random", pages },
		{ "more than are kept, and no room", bounded },
	};

	return tap_main("code_maps", cases, sizeof(cases) / sizeof(cases[0]));
}
