/* SPDX-License-Identifier: BSD-3-Clause */
/* The compound parts of a sample. */
#include <precis/error.h>
#include <precis/sample_parts.h>

#include "tests/support/records.h"

static struct build build;

static uint32_t has(uint64_t format, uint32_t bit)
{
	return (format & bit) != 0;
}

/* The counts of one event, value 10, or of three, 10 to 12; id 100 + n, lost 200 + n */
static void build_read(uint64_t format, uint64_t count)
{
	build.count = 0;
	if (format & PRECIS_FORMAT_GROUP)
		build_u64(&build, count);
	else
		build_u64(&build, 10);
	if (format & PRECIS_FORMAT_TIME_ENABLED)
		build_u64(&build, 1);
	if (format & PRECIS_FORMAT_TIME_RUNNING)
		build_u64(&build, 2);
	for (uint64_t n = 0; n < count; n++) {
		if (format & PRECIS_FORMAT_GROUP)
			build_u64(&build, 10 + n);
		if (format & PRECIS_FORMAT_ID)
			build_u64(&build, 100 + n);
		if (format & PRECIS_FORMAT_LOST)
			build_u64(&build, 200 + n);
	}
}

static void check_read(uint64_t format, const struct precis_read *read, uint64_t count)
{
	struct precis_read_value value = { .size = sizeof(value) };

	CU_ASSERT_EQUAL(read->present, format);
	CU_ASSERT_EQUAL(read->count, count);
	if (has(format, PRECIS_FORMAT_TIME_ENABLED)) {
		CU_ASSERT_EQUAL(read->time_enabled, 1);
	}
	if (has(format, PRECIS_FORMAT_TIME_RUNNING)) {
		CU_ASSERT_EQUAL(read->time_running, 2);
	}
	for (uint64_t n = 0; n < count; n++) {
		CU_ASSERT_EQUAL_FATAL(precis_read_value(read, n, &value), 0);
		CU_ASSERT_EQUAL(value.present, format & (PRECIS_FORMAT_ID | PRECIS_FORMAT_LOST));
		CU_ASSERT_EQUAL(value.value, 10 + n);
		if (has(format, PRECIS_FORMAT_ID)) {
			CU_ASSERT_EQUAL(value.id, 100 + n);
		}
		if (has(format, PRECIS_FORMAT_LOST)) {
			CU_ASSERT_EQUAL(value.lost, 200 + n);
		}
	}
	CU_ASSERT_EQUAL(precis_read_value(read, count, &value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_read_value(read, UINT64_MAX, &value), PRECIS_E_ARGUMENT);
}

/* All 32 formats, each at every length */
static void read_formats(void)
{
	for (uint64_t format = 0; format < 32; format++) {
		uint64_t count = format & PRECIS_FORMAT_GROUP ? 3 : 1;

		build_read(format, count);
		for (uint32_t bytes = 0; bytes <= build.count; bytes++) {
			struct precis_read read = { .size = sizeof(read) };
			uint8_t *copy = malloc(bytes + !bytes);
			struct precis_bytes block = { copy, bytes };
			int code;

			memcpy(copy, build.bytes, bytes);
			code = precis_read_parse(format, block, &read);
			CU_ASSERT_EQUAL(code, bytes < build.count ? PRECIS_E_TRUNCATED : 0);
			if (!code)
				check_read(format, &read, count);
			free(copy);
		}
	}
}

static void read_limits(void)
{
	struct precis_read read = { .size = sizeof(read) };
	struct precis_read_value value = { .size = sizeof(value) };
	struct precis_bytes block = { build.bytes, 0 };

	build_read(PRECIS_FORMAT_GROUP, 0);
	block.bytes = (uint32_t)build.count;
	CU_ASSERT_EQUAL(precis_read_parse(PRECIS_FORMAT_GROUP, block, &read), 0);
	CU_ASSERT_EQUAL(read.count, 0);
	CU_ASSERT_EQUAL(precis_read_value(&read, 0, &value), PRECIS_E_ARGUMENT);
	build_patch(&build, 0, UINT64_MAX / 8 + 2);
	CU_ASSERT_EQUAL(precis_read_parse(PRECIS_FORMAT_GROUP, block, &read), PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_read_parse(32, block, &read), PRECIS_E_UNKNOWN_BITS);
	CU_ASSERT_EQUAL(precis_read_parse(0, block, NULL), PRECIS_E_ARGUMENT);
	block.data = NULL;
	CU_ASSERT_EQUAL(precis_read_parse(0, block, &read), PRECIS_E_ARGUMENT);
	read.size = 4;
	block.data = build.bytes;
	CU_ASSERT_EQUAL(precis_read_parse(0, block, &read), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_read_value(NULL, 0, &value), PRECIS_E_ARGUMENT);
	read.size = sizeof(read);
	CU_ASSERT_EQUAL(precis_read_parse(0, block, &read), 0);
	value.size = 4;
	CU_ASSERT_EQUAL(precis_read_value(&read, 0, &value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_read_value(&read, 0, NULL), PRECIS_E_ARGUMENT);
}

static void branch_of(uint64_t flags, struct precis_branch *branch)
{
	struct precis_perf_sample sample = { .size = sizeof(sample) };

	build.count = 0;
	build_u64(&build, 0x1000);
	build_u64(&build, 0x2000);
	build_u64(&build, flags);
	sample.present = PRECIS_SAMPLE_BRANCH_STACK;
	sample.branch_count = 1;
	sample.branches = (struct precis_bytes){ build.bytes, 24 };
	branch->size = sizeof(*branch);
	CU_ASSERT_EQUAL_FATAL(precis_branch(&sample, 0, branch), 0);
	CU_ASSERT_EQUAL(branch->from, 0x1000);
	CU_ASSERT_EQUAL(branch->to, 0x2000);
	CU_ASSERT_EQUAL(branch->flags, flags);
}

static void branch_flags(void)
{
	struct precis_branch branch;

	branch_of(0, &branch);
	CU_ASSERT_EQUAL(branch.present, 0);
	branch_of(1, &branch);
	CU_ASSERT_EQUAL(branch.present, PRECIS_BRANCH_PREDICTION);
	CU_ASSERT_EQUAL(branch.is_mispredicted, 1);
	branch_of(2, &branch);
	CU_ASSERT_EQUAL(branch.present, PRECIS_BRANCH_PREDICTION);
	CU_ASSERT_EQUAL(branch.is_mispredicted, 0);
	branch_of(4, &branch);
	CU_ASSERT_EQUAL(branch.present, 0);
	CU_ASSERT_EQUAL(branch.in_transaction, 1);
	branch_of(8, &branch);
	CU_ASSERT_EQUAL(branch.present, 0);
	CU_ASSERT_EQUAL(branch.is_abort, 1);
	CU_ASSERT_EQUAL(branch.in_transaction, 0);
	branch_of(UINT64_C(0x1234) << 4, &branch);
	CU_ASSERT_EQUAL(branch.present, PRECIS_BRANCH_CYCLES);
	CU_ASSERT_EQUAL(branch.cycles, 0x1234);
	branch_of(UINT64_C(10) << 20, &branch);
	CU_ASSERT_EQUAL(branch.present, PRECIS_BRANCH_TYPE);
	CU_ASSERT_EQUAL(branch.type, PRECIS_BRANCH_CONDITIONAL_RETURN);
	branch_of(UINT64_C(2) << 24, &branch);
	CU_ASSERT_EQUAL(branch.present, PRECIS_BRANCH_SPECULATION);
	CU_ASSERT_EQUAL(branch.speculation, PRECIS_SPECULATION_NONE);
	branch_of(UINT64_C(9) << 26 | UINT64_C(15) << 20, &branch);
	CU_ASSERT_EQUAL(branch.present, PRECIS_BRANCH_TYPE);
	CU_ASSERT_EQUAL(branch.type, PRECIS_BRANCH_EXTENDED);
	CU_ASSERT_EQUAL(branch.new_type, 9);
	branch_of(UINT64_C(5) << 30, &branch);
	CU_ASSERT_EQUAL(branch.present, PRECIS_BRANCH_PRIVILEGE);
	CU_ASSERT_EQUAL(branch.privilege, 5);
	branch_of(~UINT64_C(0), &branch);
	CU_ASSERT_EQUAL(branch.cycles, 0xffff);
	CU_ASSERT_EQUAL(branch.type, 15);
	CU_ASSERT_EQUAL(branch.new_type, 15);
	CU_ASSERT_EQUAL(branch.speculation, 3);
	CU_ASSERT_EQUAL(branch.privilege, 7);
}

static void branch_stack(void)
{
	struct precis_perf_sample sample = { .size = sizeof(sample) };
	struct precis_branch branch = { .size = sizeof(branch) };
	uint64_t words[9];
	uint8_t *copy = malloc(1 + sizeof(words));

	for (uint32_t i = 0; i < 9; i++)
		words[i] = 0x100 * (i + 1);
	memcpy(copy + 1, words, sizeof(words)); /* of any alignment */
	sample.branches = (struct precis_bytes){ copy + 1, 48 };
	sample.branch_count = 2;
	CU_ASSERT_EQUAL(precis_branch(&sample, 0, &branch), PRECIS_E_ARGUMENT);
	sample.present = PRECIS_SAMPLE_BRANCH_STACK;
	CU_ASSERT_EQUAL(precis_branch(&sample, 1, &branch), 0);
	CU_ASSERT_EQUAL(branch.from, 0x400);
	CU_ASSERT_EQUAL(branch.to, 0x500);
	CU_ASSERT_EQUAL(branch.present & PRECIS_BRANCH_COUNTERS, 0);
	CU_ASSERT_EQUAL(precis_branch(&sample, 2, &branch), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_branch(&sample, UINT64_MAX, &branch), PRECIS_E_ARGUMENT);
	sample.branch_counters = (struct precis_bytes){ copy + 1 + 48, 16 };
	CU_ASSERT_EQUAL(precis_branch(&sample, 1, &branch), 0);
	CU_ASSERT_EQUAL(branch.present & PRECIS_BRANCH_COUNTERS, PRECIS_BRANCH_COUNTERS);
	CU_ASSERT_EQUAL(branch.counters, 0x800);
	CU_ASSERT_EQUAL(precis_branch(NULL, 0, &branch), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_branch(&sample, 0, NULL), PRECIS_E_ARGUMENT);
	branch.size = 4;
	CU_ASSERT_EQUAL(precis_branch(&sample, 0, &branch), PRECIS_E_ARGUMENT);
	free(copy);
}

static void branch_names(void)
{
	CU_ASSERT_PTR_NULL(precis_branch_type_name(PRECIS_BRANCH_UNKNOWN, 3));
	CU_ASSERT_STRING_EQUAL(precis_branch_type_name(PRECIS_BRANCH_CONDITIONAL, 3), "COND");
	CU_ASSERT_STRING_EQUAL(precis_branch_type_name(PRECIS_BRANCH_NO_TRANSACTION, 3), "NO_TX");
	CU_ASSERT_STRING_EQUAL(precis_branch_type_name(PRECIS_BRANCH_EXTENDED, 0), "FAULT_ALGN");
	CU_ASSERT_STRING_EQUAL(precis_branch_type_name(PRECIS_BRANCH_EXTENDED, 7), "ARCH_5");
	CU_ASSERT_PTR_NULL(precis_branch_type_name(PRECIS_BRANCH_EXTENDED, 8));
	CU_ASSERT_PTR_NULL(precis_branch_type_name(16, 0));
	for (uint32_t type = 1; type < 15; type++)
		CU_ASSERT_PTR_NOT_NULL(precis_branch_type_name(type, 0));
	CU_ASSERT_PTR_NULL(precis_branch_speculation_name(0));
	CU_ASSERT_STRING_EQUAL(precis_branch_speculation_name(3), "SPEC_CORRECT_PATH");
	CU_ASSERT_PTR_NULL(precis_branch_speculation_name(4));
	CU_ASSERT_PTR_NULL(precis_branch_privilege_name(0));
	CU_ASSERT_STRING_EQUAL(precis_branch_privilege_name(3), "hypervisor");
	CU_ASSERT_PTR_NULL(precis_branch_privilege_name(4));
}

static void callchain(void)
{
	static const struct {
		uint64_t word;
		uint32_t kind;
		const char *context;
	} rows[] = {
		{ (uint64_t)-128, PRECIS_CALLCHAIN_CONTEXT, "kernel" },
		{ 0xffffffff81000000, PRECIS_CALLCHAIN_ADDRESS, NULL },
		{ (uint64_t)-4096, PRECIS_CALLCHAIN_ADDRESS, NULL },
		{ (uint64_t)-4095, PRECIS_CALLCHAIN_CONTEXT, NULL },
		{ (uint64_t)-32, PRECIS_CALLCHAIN_CONTEXT, "hypervisor" },
		{ (uint64_t)-512, PRECIS_CALLCHAIN_CONTEXT, "user" },
		{ 0x401000, PRECIS_CALLCHAIN_ADDRESS, NULL },
		{ (uint64_t)-2048, PRECIS_CALLCHAIN_CONTEXT, "guest" },
		{ (uint64_t)-2176, PRECIS_CALLCHAIN_CONTEXT, "guest kernel" },
		{ (uint64_t)-2560, PRECIS_CALLCHAIN_CONTEXT, "guest user" },
		{ (uint64_t)-640, PRECIS_CALLCHAIN_CONTEXT, "user deferred" },
		{ 0x123400000005, PRECIS_CALLCHAIN_COOKIE, NULL },
	};
	struct precis_callchain_entry entry = { .size = sizeof(entry) };
	struct precis_bytes chain = { build.bytes, sizeof(rows) / sizeof(rows[0]) * 8 };

	build.count = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		build_u64(&build, rows[i].word);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL_FATAL(precis_callchain_entry(chain, i, &entry), 0);
		CU_ASSERT_EQUAL(entry.value, rows[i].word);
		CU_ASSERT_EQUAL(entry.kind, rows[i].kind);
		if (rows[i].context)
			CU_ASSERT_STRING_EQUAL(entry.context, rows[i].context)
		else
			CU_ASSERT_PTR_NULL(entry.context)
	}
	CU_ASSERT_EQUAL(precis_callchain_entry(chain, 12, &entry), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_callchain_entry(chain, UINT64_MAX, &entry), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_callchain_entry(chain, 0, NULL), PRECIS_E_ARGUMENT);
	entry.size = 4;
	CU_ASSERT_EQUAL(precis_callchain_entry(chain, 0, &entry), PRECIS_E_ARGUMENT);
}

static void registers(void)
{
	struct precis_bytes dump = { build.bytes, 24 };
	uint64_t mask = 1 | UINT64_C(1) << 8 | UINT64_C(1) << 63, value;
	uint32_t bit;

	build.count = 0;
	for (uint64_t n = 0; n < 3; n++)
		build_u64(&build, 70 + n);
	CU_ASSERT_EQUAL(precis_register(mask, dump, 0, &bit, &value), 0);
	CU_ASSERT_EQUAL(bit, 0);
	CU_ASSERT_EQUAL(value, 70);
	CU_ASSERT_EQUAL(precis_register(mask, dump, 1, &bit, &value), 0);
	CU_ASSERT_EQUAL(bit, 8);
	CU_ASSERT_EQUAL(value, 71);
	CU_ASSERT_EQUAL(precis_register(mask, dump, 2, &bit, &value), 0);
	CU_ASSERT_EQUAL(bit, 63);
	CU_ASSERT_EQUAL(value, 72);
	CU_ASSERT_EQUAL(precis_register(mask, dump, 3, &bit, &value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_register(3, dump, 2, &bit, &value), PRECIS_E_ARGUMENT);
	dump.bytes = 23;
	CU_ASSERT_EQUAL(precis_register(mask, dump, 2, &bit, &value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_register(mask, dump, 0, NULL, &value), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_register(mask, dump, 0, &bit, NULL), PRECIS_E_ARGUMENT);
}

static void register_names(void)
{
	CU_ASSERT_STRING_EQUAL(precis_register_name("x86_64", 0), "AX");
	CU_ASSERT_STRING_EQUAL(precis_register_name("x86_64", 8), "IP");
	CU_ASSERT_STRING_EQUAL(precis_register_name("x86_64", 23), "R15");
	CU_ASSERT_PTR_NULL(precis_register_name("x86_64", 24));
	CU_ASSERT_PTR_NULL(precis_register_name("x86_64", 31));
	CU_ASSERT_STRING_EQUAL(precis_register_name("i686", 32), "XMM0_LOW");
	CU_ASSERT_STRING_EQUAL(precis_register_name("x86_64", 63), "XMM15_HIGH");
	CU_ASSERT_PTR_NULL(precis_register_name("x86_64", 64));
	for (uint32_t bit = 32; bit < 64; bit++) {
		char name[16];

		snprintf(name, sizeof(name), "XMM%u_%s", (bit - 32) / 2, bit % 2 ? "HIGH" : "LOW");
		CU_ASSERT_STRING_EQUAL(precis_register_name("x86_64", bit), name);
	}
	CU_ASSERT_STRING_EQUAL(precis_register_name("aarch64", 29), "X29");
	CU_ASSERT_STRING_EQUAL(precis_register_name("aarch64", 30), "LR");
	CU_ASSERT_STRING_EQUAL(precis_register_name("aarch64", 32), "PC");
	CU_ASSERT_PTR_NULL(precis_register_name("aarch64", 33));
	CU_ASSERT_STRING_EQUAL(precis_register_name("aarch64", 46), "VG");
	CU_ASSERT_PTR_NULL(precis_register_name("riscv64", 0));
	CU_ASSERT_PTR_NULL(precis_register_name(NULL, 0));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "read_format: all of them, at every length", read_formats },
		{ "read_format: limits", read_limits },
		{ "branch flags, one by one", branch_flags },
		{ "branch stack", branch_stack },
		{ "branch names", branch_names },
		{ "callchain", callchain },
		{ "registers", registers },
		{ "register names", register_names },
	};

	return tap_main("sample_parts", cases, sizeof(cases) / sizeof(cases[0]));
}
