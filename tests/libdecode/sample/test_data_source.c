/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's data source word: fields, names, text. */
#include <linux/perf_event.h>
#include <string.h>

#include <precis/data_source.h>
#include <precis/error.h>

#include "tests/property/random.h"
#include "tests/support/tap.h"

/* Each field against the kernel's own declaration, as far as this kernel's header has it. */
static void kernel_layout(void)
{
	uint64_t state = 1;

	for (int i = 0; i < 20000; i++) {
		union perf_mem_data_src kernel = { .val = random_next(&state) };
		struct precis_data_source ours = { .size = sizeof(ours) };

		CU_ASSERT_EQUAL(precis_data_source_decode(kernel.val, &ours), 0);
		CU_ASSERT_EQUAL(ours.op, kernel.mem_op);
		CU_ASSERT_EQUAL(ours.lvl, kernel.mem_lvl);
		CU_ASSERT_EQUAL(ours.snoop, kernel.mem_snoop);
		CU_ASSERT_EQUAL(ours.lock, kernel.mem_lock);
		CU_ASSERT_EQUAL(ours.dtlb, kernel.mem_dtlb);
		CU_ASSERT_EQUAL(ours.lvl_num, kernel.mem_lvl_num);
		CU_ASSERT_EQUAL(ours.remote, kernel.mem_remote);
		CU_ASSERT_EQUAL(ours.snoopx, kernel.mem_snoopx);
		CU_ASSERT_EQUAL(ours.blk, kernel.mem_blk);
		CU_ASSERT_EQUAL(ours.hops, kernel.mem_hops);
		CU_ASSERT_EQUAL(ours.region, kernel.val >> 46 & 0x1f);
		CU_ASSERT_EQUAL(ours.reserved, kernel.val >> 51);
	}
}

static void there_and_back(void)
{
	uint64_t state = 2;

	for (int i = 0; i < 20064; i++) {
		uint64_t word = i < 64 ? UINT64_C(1) << i : random_next(&state), again = 0;
		struct precis_data_source source = { .size = sizeof(source) };

		CU_ASSERT_EQUAL(precis_data_source_decode(word, &source), 0);
		CU_ASSERT_EQUAL(precis_data_source_encode(&source, &again), 0);
		CU_ASSERT_EQUAL(again, word);
	}
}

static void refusals(void)
{
	struct precis_data_source source = { .size = 4 };
	uint64_t word = 7;

	CU_ASSERT_EQUAL(precis_data_source_decode(0, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_data_source_decode(0, &source), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_data_source_encode(&source, &word), PRECIS_E_ARGUMENT);
	source.size = sizeof(source);
	CU_ASSERT_EQUAL(precis_data_source_encode(&source, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_data_source_encode(NULL, &word), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(word, 7);

	/* every member, one more than its field has room for */
	for (uint32_t part = 0; part < PRECIS_DATA_SOURCE_MEMBERS; part++) {
		uint32_t *members = &source.op;
		uint32_t most = precis_data_source_member(UINT64_MAX, part);

		memset(members, 0, PRECIS_DATA_SOURCE_MEMBERS * sizeof(*members));
		members[part] = most;
		CU_ASSERT_EQUAL(precis_data_source_encode(&source, &word), 0);
		CU_ASSERT_EQUAL(precis_data_source_member(word, part), most);
		word = 7;
		members[part] = most + 1;
		CU_ASSERT_EQUAL(precis_data_source_encode(&source, &word), PRECIS_E_ARGUMENT);
		CU_ASSERT_EQUAL(word, 7);
	}
	CU_ASSERT_EQUAL(precis_data_source_member(UINT64_MAX, PRECIS_DATA_SOURCE_MEMBERS), 0);
}

/* Each name stands for what the kernel's header says, where this kernel's header has it. */
static void names(void)
{
#define SAME(part, kernel_part, name)                                                              \
	CU_ASSERT_STRING_EQUAL(precis_data_source_value_name(PRECIS_DATA_SOURCE_##part,            \
							     PERF_MEM_##kernel_part##_##name),     \
			       #name)
	SAME(OP, OP, NA);
	SAME(OP, OP, LOAD);
	SAME(OP, OP, STORE);
	SAME(OP, OP, PFETCH);
	SAME(OP, OP, EXEC);
	SAME(LVL, LVL, NA);
	SAME(LVL, LVL, HIT);
	SAME(LVL, LVL, MISS);
	SAME(LVL, LVL, L1);
	SAME(LVL, LVL, LFB);
	SAME(LVL, LVL, L2);
	SAME(LVL, LVL, L3);
	SAME(LVL, LVL, LOC_RAM);
	SAME(LVL, LVL, REM_RAM1);
	SAME(LVL, LVL, REM_RAM2);
	SAME(LVL, LVL, REM_CCE1);
	SAME(LVL, LVL, REM_CCE2);
	SAME(LVL, LVL, IO);
	SAME(LVL, LVL, UNC);
	SAME(SNOOP, SNOOP, NA);
	SAME(SNOOP, SNOOP, NONE);
	SAME(SNOOP, SNOOP, HIT);
	SAME(SNOOP, SNOOP, MISS);
	SAME(SNOOP, SNOOP, HITM);
	SAME(LOCK, LOCK, NA);
	SAME(LOCK, LOCK, LOCKED);
	SAME(DTLB, TLB, NA);
	SAME(DTLB, TLB, HIT);
	SAME(DTLB, TLB, MISS);
	SAME(DTLB, TLB, L1);
	SAME(DTLB, TLB, L2);
	SAME(DTLB, TLB, WK);
	SAME(DTLB, TLB, OS);
	SAME(LVL_NUM, LVLNUM, L1);
	SAME(LVL_NUM, LVLNUM, L2);
	SAME(LVL_NUM, LVLNUM, L3);
	SAME(LVL_NUM, LVLNUM, L4);
	SAME(LVL_NUM, LVLNUM, ANY_CACHE);
	SAME(LVL_NUM, LVLNUM, LFB);
	SAME(LVL_NUM, LVLNUM, RAM);
	SAME(LVL_NUM, LVLNUM, PMEM);
	SAME(LVL_NUM, LVLNUM, NA);
	SAME(REMOTE, REMOTE, REMOTE);
	SAME(SNOOPX, SNOOPX, FWD);
	SAME(BLK, BLK, NA);
	SAME(BLK, BLK, DATA);
	SAME(BLK, BLK, ADDR);
#undef SAME
	CU_ASSERT_STRING_EQUAL(precis_data_source_value_name(PRECIS_DATA_SOURCE_LVL_NUM,
							     PRECIS_DATA_LVL_NUM_L2_MHB),
			       "L2_MHB");
	CU_ASSERT_STRING_EQUAL(precis_data_source_value_name(PRECIS_DATA_SOURCE_REGION,
							     PRECIS_DATA_REGION_MEMORY_0 + 7),
			       "MEM7");
	CU_ASSERT_PTR_NULL(precis_data_source_value_name(PRECIS_DATA_SOURCE_LVL_NUM, 0));
	CU_ASSERT_PTR_NULL(precis_data_source_value_name(PRECIS_DATA_SOURCE_HOPS, 5));
	CU_ASSERT_PTR_NULL(precis_data_source_value_name(PRECIS_DATA_SOURCE_MEMBERS, 1));
	CU_ASSERT_STRING_EQUAL(precis_data_source_member_name(PRECIS_DATA_SOURCE_DTLB), "mem_dtlb");
	CU_ASSERT_PTR_NULL(precis_data_source_member_name(PRECIS_DATA_SOURCE_MEMBERS));
}

/* Words as real machines wrote them, and perf's texts of them. */
static const struct {
	uint64_t word;
	const char *old, *new;
} texts[] = {
	{ 0x1a68201042, "|OP LOAD|LVL Local RAM or RAM hit|SNP Hit|TLB L1 or L2 hit|LCK No|BLK  N/A",
	  "|OP LOAD|LVL RAM hit|SNP Hit|TLB L1 or L2 hit|LCK No|BLK  N/A" },
	{ 0x5080184, "|OP STORE|LVL L1 miss|SNP N/A|TLB N/A|LCK N/A|BLK  N/A",
	  "|OP STORE|LVL L1 miss|SNP N/A|TLB N/A|LCK N/A|BLK  N/A" },
	{ PRECIS_DATA_SOURCE_NA, "|OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A",
	  "|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A" },
	{ PRECIS_DATA_SOURCE_NA_OLD, "|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A",
	  "|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A" },
	{ 0, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A",
	  "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A" },
	{ 0x4026a100142, "|OP LOAD|LVL L1 or L1 hit|SNP None|TLB L1 or L2 hit|LCK Yes|BLK  Addr",
	  "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK Yes|BLK  Addr" },
};

static void text(void)
{
	char got[PRECIS_DATA_SOURCE_TEXT];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		CU_ASSERT_EQUAL(precis_data_source_text(texts[i].word, PRECIS_WORDING_PERF_6_1, got,
							sizeof(got)),
				strlen(texts[i].old));
		CU_ASSERT_STRING_EQUAL(got, texts[i].old);
		CU_ASSERT_EQUAL(precis_data_source_text(texts[i].word, PRECIS_WORDING_PERF_6_12, got,
							sizeof(got)),
				strlen(texts[i].new));
		CU_ASSERT_STRING_EQUAL(got, texts[i].new);
	}
	precis_data_source_text(texts[0].word, UINT32_MAX, got, sizeof(got));
	CU_ASSERT_STRING_EQUAL(got, texts[0].new);
}

/* No word's text is longer than announced, and none is written beyond its room. */
static void bounds(void)
{
	char whole[PRECIS_DATA_SOURCE_TEXT], part[PRECIS_DATA_SOURCE_TEXT];
	uint64_t state = 3;

	for (int i = 0; i < 5008; i++) {
		uint64_t word = i < 8 ? UINT64_MAX & ~((uint64_t)i << 43) : random_next(&state);
		uint32_t wording = (uint32_t)i & 1;
		size_t length = precis_data_source_text(word, wording, whole, sizeof(whole));
		size_t room = (size_t)(random_next(&state) % sizeof(part));

		CU_ASSERT_FATAL(length < sizeof(whole));
		CU_ASSERT_EQUAL(strlen(whole), length);
		memset(part, '~', sizeof(part));
		CU_ASSERT_EQUAL(precis_data_source_text(word, wording, part, room), length);
		if (room) {
			size_t kept = room - 1 < length ? room - 1 : length;

			CU_ASSERT_EQUAL(memcmp(part, whole, kept), 0);
			CU_ASSERT_EQUAL(part[kept], '\0');
		}
		for (size_t at = room; at < sizeof(part); at++)
			CU_ASSERT_EQUAL(part[at], '~');
		CU_ASSERT_EQUAL(precis_data_source_text(word, wording, NULL, 0), length);
	}
}

static const struct tap_case cases[] = {
	{ "fields lie where the kernel's header has them", kernel_layout },
	{ "a word survives being taken apart", there_and_back },
	{ "what does not fit is refused", refusals },
	{ "values have the kernel's names", names },
	{ "texts of real words", text },
	{ "texts keep to their room", bounds },
};

int main(void)
{
	return tap_main("data source", cases, sizeof(cases) / sizeof(cases[0]));
}
