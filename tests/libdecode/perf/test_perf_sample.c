/* SPDX-License-Identifier: BSD-3-Clause */
/* PERF_RECORD_SAMPLE: every bit of sample_type, and every size that can lie. */
#include <precis/error.h>
#include <precis/record.h>

#include "tests/support/build.h"
#include "tests/support/tap.h"

static struct build build;

/* sample_type's bits in the order of their parts, as the kernel writes them */
static const uint32_t order[] = {
	PRECIS_SAMPLE_IDENTIFIER,
	PRECIS_SAMPLE_IP,
	PRECIS_SAMPLE_TID,
	PRECIS_SAMPLE_TIME,
	PRECIS_SAMPLE_ADDR,
	PRECIS_SAMPLE_ID,
	PRECIS_SAMPLE_STREAM_ID,
	PRECIS_SAMPLE_CPU,
	PRECIS_SAMPLE_PERIOD,
	PRECIS_SAMPLE_READ,
	PRECIS_SAMPLE_CALLCHAIN,
	PRECIS_SAMPLE_RAW,
	PRECIS_SAMPLE_BRANCH_STACK,
	PRECIS_SAMPLE_REGS_USER,
	PRECIS_SAMPLE_STACK_USER,
	PRECIS_SAMPLE_WEIGHT,
	PRECIS_SAMPLE_WEIGHT_STRUCT,
	PRECIS_SAMPLE_DATA_SRC,
	PRECIS_SAMPLE_TRANSACTION,
	PRECIS_SAMPLE_REGS_INTR,
	PRECIS_SAMPLE_PHYS_ADDR,
	PRECIS_SAMPLE_CGROUP,
	PRECIS_SAMPLE_DATA_PAGE_SIZE,
	PRECIS_SAMPLE_CODE_PAGE_SIZE,
	PRECIS_SAMPLE_AUX,
};
#define PARTS (sizeof(order) / sizeof(order[0]))

#define REGS_USER UINT64_C(0x105) /* three registers */
#define REGS_INTR UINT64_C(0x3)
#define READ_FORMAT PRECIS_FORMAT_TIME_ENABLED

static struct precis_layout layout_of(uint64_t type, uint64_t read_format, uint64_t branch)
{
	struct precis_layout layout = { .size = sizeof(layout) };
	uint8_t attr[BUILD_ATTR_BYTES];

	build_attr(attr, 4, type, 0);
	build_put_u64(attr, BUILD_ATTR_READ_FORMAT, read_format);
	build_put_u64(attr, BUILD_ATTR_BRANCH, branch);
	build_put_u64(attr, BUILD_ATTR_REGS_USER, REGS_USER);
	build_put_u64(attr, BUILD_ATTR_REGS_INTR, REGS_INTR);
	CU_ASSERT_EQUAL_FATAL(precis_layout_init(attr, sizeof(attr), &layout), 0);
	return layout;
}

static void words(uint32_t count, uint64_t first)
{
	for (uint32_t i = 0; i < count; i++)
		build_u64(&build, first + i);
}

/* A part whose values tell which bit they are of */
static void add_part(uint32_t bit)
{
	uint64_t value = UINT64_C(0x1000000) + bit;

	switch (bit) {
	case PRECIS_SAMPLE_READ:
		words(2, value);
		break;
	case PRECIS_SAMPLE_CALLCHAIN:
		words(1, 2);
		words(2, value);
		break;
	case PRECIS_SAMPLE_RAW:
		build_u32(&build, 12);
		for (uint32_t i = 0; i < 3; i++)
			build_u32(&build, 0x77000000 + i);
		break;
	case PRECIS_SAMPLE_BRANCH_STACK:
		words(1, 2);
		words(6, value);
		break;
	case PRECIS_SAMPLE_REGS_USER:
		words(1, 2);
		words(3, value);
		break;
	case PRECIS_SAMPLE_REGS_INTR:
		words(1, 1);
		words(2, value);
		break;
	case PRECIS_SAMPLE_STACK_USER:
		words(1, 16);
		words(2, value);
		words(1, 9);
		break;
	case PRECIS_SAMPLE_AUX:
		words(1, 8);
		words(1, value);
		break;
	case PRECIS_SAMPLE_WEIGHT_STRUCT:
		build_u64(&build, UINT64_C(0x3333222211111111));
		break;
	default: /* one word, or two halves */
		build_u64(&build, value);
		break;
	}
}

static struct precis_record build_sample(uint64_t type)
{
	build_begin(&build, PRECIS_RECORD_SAMPLE, PRECIS_MISC_EXACT_IP | 2);
	for (size_t i = 0; i < PARTS; i++) {
		if (type & order[i])
			add_part(order[i]);
	}
	build_end(&build);
	return build_record(&build);
}

static uint64_t word_at(const struct precis_bytes *bytes, uint32_t n)
{
	uint64_t word;

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes->data);
	CU_ASSERT_FATAL(bytes->bytes >= (n + 1) * 8);
	memcpy(&word, bytes->data + n * 8, sizeof(word));
	return word;
}

static void check_part(const struct precis_perf_sample *s, uint32_t bit)
{
	uint64_t value = UINT64_C(0x1000000) + bit;
	static const uint32_t raw[3] = { 0x77000000, 0x77000001, 0x77000002 };

	switch (bit) {
	case PRECIS_SAMPLE_IDENTIFIER:
		CU_ASSERT_EQUAL(s->identifier, value);
		break;
	case PRECIS_SAMPLE_IP:
		CU_ASSERT_EQUAL(s->ip, value);
		break;
	case PRECIS_SAMPLE_TID:
		CU_ASSERT_EQUAL(s->pid, value);
		CU_ASSERT_EQUAL(s->tid, 0);
		break;
	case PRECIS_SAMPLE_TIME:
		CU_ASSERT_EQUAL(s->time, value);
		break;
	case PRECIS_SAMPLE_ADDR:
		CU_ASSERT_EQUAL(s->addr, value);
		break;
	case PRECIS_SAMPLE_ID:
		CU_ASSERT_EQUAL(s->id, value);
		break;
	case PRECIS_SAMPLE_STREAM_ID:
		CU_ASSERT_EQUAL(s->stream_id, value);
		break;
	case PRECIS_SAMPLE_CPU:
		CU_ASSERT_EQUAL(s->cpu, value);
		CU_ASSERT_EQUAL(s->cpu_reserved, 0);
		break;
	case PRECIS_SAMPLE_PERIOD:
		CU_ASSERT_EQUAL(s->period, value);
		break;
	case PRECIS_SAMPLE_READ:
		CU_ASSERT_EQUAL(s->read.bytes, 16);
		CU_ASSERT_EQUAL(word_at(&s->read, 1), value + 1);
		break;
	case PRECIS_SAMPLE_CALLCHAIN:
		CU_ASSERT_EQUAL(s->callchain_count, 2);
		CU_ASSERT_EQUAL(s->callchain.bytes, 16);
		CU_ASSERT_EQUAL(word_at(&s->callchain, 1), value + 1);
		break;
	case PRECIS_SAMPLE_RAW:
		CU_ASSERT_EQUAL_FATAL(s->raw.bytes, 12);
		CU_ASSERT_FALSE(memcmp(s->raw.data, raw, 12));
		break;
	case PRECIS_SAMPLE_BRANCH_STACK:
		CU_ASSERT_EQUAL(s->branch_count, 2);
		CU_ASSERT_EQUAL(s->branch_hw_index, UINT64_MAX);
		CU_ASSERT_EQUAL(s->branches.bytes, 48);
		CU_ASSERT_EQUAL(word_at(&s->branches, 5), value + 5);
		CU_ASSERT_PTR_NULL(s->branch_counters.data);
		break;
	case PRECIS_SAMPLE_REGS_USER:
		CU_ASSERT_EQUAL(s->regs_user_abi, 2);
		CU_ASSERT_EQUAL(s->regs_user.bytes, 24);
		CU_ASSERT_EQUAL(word_at(&s->regs_user, 2), value + 2);
		break;
	case PRECIS_SAMPLE_STACK_USER:
		CU_ASSERT_EQUAL(s->stack_user.bytes, 16);
		CU_ASSERT_EQUAL(word_at(&s->stack_user, 1), value + 1);
		CU_ASSERT_EQUAL(s->stack_user_dynamic, 9);
		break;
	case PRECIS_SAMPLE_WEIGHT:
		CU_ASSERT_EQUAL(s->weight, value);
		break;
	case PRECIS_SAMPLE_WEIGHT_STRUCT:
		CU_ASSERT_EQUAL(s->weight, 0x11111111);
		CU_ASSERT_EQUAL(s->weight_var2, 0x2222);
		CU_ASSERT_EQUAL(s->weight_var3, 0x3333);
		break;
	case PRECIS_SAMPLE_DATA_SRC:
		CU_ASSERT_EQUAL(s->data_src, value);
		break;
	case PRECIS_SAMPLE_TRANSACTION:
		CU_ASSERT_EQUAL(s->transaction, value);
		break;
	case PRECIS_SAMPLE_REGS_INTR:
		CU_ASSERT_EQUAL(s->regs_intr_abi, 1);
		CU_ASSERT_EQUAL(s->regs_intr.bytes, 16);
		CU_ASSERT_EQUAL(word_at(&s->regs_intr, 1), value + 1);
		break;
	case PRECIS_SAMPLE_PHYS_ADDR:
		CU_ASSERT_EQUAL(s->phys_addr, value);
		break;
	case PRECIS_SAMPLE_CGROUP:
		CU_ASSERT_EQUAL(s->cgroup, value);
		break;
	case PRECIS_SAMPLE_DATA_PAGE_SIZE:
		CU_ASSERT_EQUAL(s->data_page_size, value);
		break;
	case PRECIS_SAMPLE_CODE_PAGE_SIZE:
		CU_ASSERT_EQUAL(s->code_page_size, value);
		break;
	case PRECIS_SAMPLE_AUX:
		CU_ASSERT_EQUAL(s->aux.bytes, 8);
		CU_ASSERT_EQUAL(word_at(&s->aux, 0), value);
		break;
	default:
		CU_FAIL("a bit that the test does not know");
	}
}

static void check_parts(const struct precis_perf_sample *sample)
{
	for (size_t i = 0; i < PARTS; i++) {
		if (sample->present & order[i])
			check_part(sample, order[i]);
	}
}

/* Parse what is left of a sample when it is cut anywhere: what is there must be right. */
static void check_sample(uint64_t type)
{
	struct precis_layout layout = layout_of(type, READ_FORMAT, 0);
	struct precis_record record = build_sample(type);

	for (uint32_t bytes = 8; bytes <= build.count; bytes++) {
		struct precis_perf_sample sample;
		uint8_t *exact = malloc(bytes); /* so that a sanitizer sees a read beyond */
		int error;

		CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
		memcpy(exact, build.bytes, bytes);
		memset(&sample, 0xa5, sizeof(sample));
		sample.size = sizeof(sample);
		record.data = exact;
		record.size = (uint16_t)bytes;
		error = precis_perf_sample_parse(&layout, &record, &sample);
		CU_ASSERT_EQUAL(error, bytes < build.count ? PRECIS_E_TRUNCATED : 0);
		if (bytes == build.count) {
			CU_ASSERT_EQUAL(sample.present, type);
		}
		CU_ASSERT_EQUAL(sample.present & ~type, 0);
		CU_ASSERT_EQUAL(sample.misc, PRECIS_MISC_EXACT_IP | 2);
		check_parts(&sample);
		free(exact);
	}
}

static void each_bit(void)
{
	for (size_t i = 0; i < PARTS; i++)
		check_sample(order[i]);
}

static void all_bits(void)
{
	uint64_t all = PRECIS_SAMPLE_KNOWN_BITS;

	check_sample(all & ~(uint64_t)PRECIS_SAMPLE_WEIGHT);
	check_sample(all & ~(uint64_t)PRECIS_SAMPLE_WEIGHT_STRUCT);
}

/* Two neighbours of the order each: a swap cannot hide */
static void pairs_of_bits(void)
{
	for (size_t i = 0; i < PARTS; i++) {
		for (size_t j = i + 1; j < PARTS; j++) {
			uint64_t type = order[i] | order[j];

			if (type != (PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT))
				check_sample(type);
		}
	}
}

static int parse(uint64_t type, uint64_t read_format, uint64_t branch,
		 struct precis_perf_sample *sample)
{
	struct precis_layout layout = layout_of(type, read_format, branch);
	struct precis_record record;

	build_end(&build);
	record = build_record(&build);
	memset(sample, 0xa5, sizeof(*sample));
	sample->size = sizeof(*sample);
	return precis_perf_sample_parse(&layout, &record, sample);
}

static void begin(void)
{
	build_begin(&build, PRECIS_RECORD_SAMPLE, 0);
}

static void read_formats(void)
{
	struct precis_perf_sample sample;

	for (uint64_t format = 0; format < 32; format++) {
		uint32_t times = ((format & PRECIS_FORMAT_TIME_ENABLED) ? 1u : 0u) +
				 ((format & PRECIS_FORMAT_TIME_RUNNING) ? 1u : 0u);
		uint32_t value =
			1 + !!(format & PRECIS_FORMAT_ID) + !!(format & PRECIS_FORMAT_LOST);
		int group = (format & PRECIS_FORMAT_GROUP) != 0;
		uint32_t count = group ? 1 + times + 3 * value : times + value;

		begin();
		words(1, 3); /* the number of values of a group; any value otherwise */
		words(count - 1, 100);
		words(1, 0xdadada); /* DATA_SRC behind it */
		CU_ASSERT_EQUAL(
			parse(PRECIS_SAMPLE_READ | PRECIS_SAMPLE_DATA_SRC, format, 0, &sample), 0);
		CU_ASSERT_EQUAL(sample.read.bytes, count * 8);
		CU_ASSERT_PTR_EQUAL(sample.read.data, build.bytes + 8);
		CU_ASSERT_EQUAL(sample.data_src, 0xdadada);
	}
	CU_ASSERT_EQUAL(parse(PRECIS_SAMPLE_READ, 32, 0, &sample), PRECIS_E_UNKNOWN_BITS);
}

/* Each count or size says more than the record has: by one, by much, and by wrapping around. */
static void lies(void)
{
	static const struct {
		uint32_t bit;
		uint32_t unit; /* bytes of what is counted */
	} rows[] = {
		{ PRECIS_SAMPLE_READ, 8 },       { PRECIS_SAMPLE_CALLCHAIN, 8 },
		{ PRECIS_SAMPLE_RAW, 1 },        { PRECIS_SAMPLE_BRANCH_STACK, 24 },
		{ PRECIS_SAMPLE_STACK_USER, 1 }, { PRECIS_SAMPLE_AUX, 1 },
	};
	static const uint64_t wrapping[] = { UINT64_MAX,         UINT64_MAX / 8,
					     UINT64_MAX / 8 + 2, UINT64_MAX / 24 + 1,
					     UINT64_C(1) << 63,  UINT32_MAX };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (size_t j = 0; j < 2 + sizeof(wrapping) / sizeof(wrapping[0]); j++) {
			uint64_t count = j < 2 ? 48 / rows[i].unit + 1 + 1000 * j : wrapping[j - 2];
			struct precis_perf_sample sample;
			int is_raw = rows[i].bit == PRECIS_SAMPLE_RAW;

			begin();
			words(1, 0x1234); /* IP */
			if (is_raw)
				build_u32(&build,
					  count > UINT32_MAX ? UINT32_MAX : (uint32_t)count);
			else
				words(1, count);
			words(6, 0);
			CU_ASSERT_EQUAL(parse(PRECIS_SAMPLE_IP | rows[i].bit, PRECIS_FORMAT_GROUP,
					      0, &sample),
					PRECIS_E_TRUNCATED);
			CU_ASSERT_EQUAL(sample.present, PRECIS_SAMPLE_IP);
			CU_ASSERT_EQUAL(sample.ip, 0x1234);
		}
	}
}

static void raw_filler(void)
{
	struct precis_perf_sample sample;

	begin();
	build_u32(&build, 4);
	build_u32(&build, 0);
	words(1, 42);
	CU_ASSERT_EQUAL(parse(PRECIS_SAMPLE_RAW | PRECIS_SAMPLE_PHYS_ADDR, 0, 0, &sample), 0);
	CU_ASSERT_EQUAL(sample.raw.bytes, 4);
	CU_ASSERT_PTR_EQUAL(sample.raw.data, build.bytes + 12);
	CU_ASSERT_EQUAL(sample.phys_addr, 42);
}

#define HW_INDEX (UINT64_C(1) << 17)
#define COUNTERS (UINT64_C(1) << 19)

static void branch_hw_index(void)
{
	uint64_t type =
		PRECIS_SAMPLE_BRANCH_STACK | PRECIS_SAMPLE_REGS_INTR | PRECIS_SAMPLE_DATA_SRC;
	struct precis_perf_sample sample;

	for (uint32_t count = 0; count < 3; count++) {
		for (int has_index = count > 0; has_index < 2; has_index++) {
			begin();
			words(1, count);
			if (has_index)
				words(1, 17);
			words(3 * count, 5000);
			words(1, 0xd5); /* DATA_SRC */
			words(1, 0); /* REGS_INTR without any */
			CU_ASSERT_EQUAL(parse(type, 0, HW_INDEX, &sample), 0);
			CU_ASSERT_EQUAL(sample.branch_count, count);
			CU_ASSERT_EQUAL(sample.branch_hw_index, has_index ? 17 : UINT64_MAX);
			CU_ASSERT_EQUAL(sample.branches.bytes, 24 * count);
			CU_ASSERT_EQUAL(sample.data_src, 0xd5);
			CU_ASSERT_PTR_NULL(sample.regs_intr.data);
		}
	}
	begin();
	words(1, 0);
	CU_ASSERT_EQUAL(parse(PRECIS_SAMPLE_BRANCH_STACK, 0, HW_INDEX, &sample), 0);
	CU_ASSERT_EQUAL(sample.branch_hw_index, UINT64_MAX);
	begin();
	words(1, 1);
	CU_ASSERT_EQUAL(parse(PRECIS_SAMPLE_BRANCH_STACK, 0, HW_INDEX, &sample),
			PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(sample.present, 0);
}

/* Both readings end where the record ends: then hw_idx is there, as perf reads it. */
static void branch_ambiguous(void)
{
	uint64_t type = PRECIS_SAMPLE_BRANCH_STACK | PRECIS_SAMPLE_AUX;
	struct precis_perf_sample sample;

	begin();
	words(1, 0);
	words(1, 8); /* hw_idx, or the size of AUX */
	words(1, 0);
	CU_ASSERT_EQUAL(parse(type, 0, HW_INDEX, &sample), 0);
	CU_ASSERT_EQUAL(sample.branch_hw_index, 8);
	CU_ASSERT_EQUAL(sample.aux.bytes, 0);
}

static void branch_counters(void)
{
	uint64_t type = PRECIS_SAMPLE_BRANCH_STACK | PRECIS_SAMPLE_WEIGHT;
	struct precis_perf_sample sample;

	for (int has_counters = 0; has_counters < 2; has_counters++) {
		begin();
		words(1, 2);
		words(1, 17);
		words(6, 5000);
		if (has_counters)
			words(2, 600);
		words(1, 0xee);
		CU_ASSERT_EQUAL(parse(type, 0, HW_INDEX | COUNTERS, &sample), 0);
		CU_ASSERT_EQUAL(sample.weight, 0xee);
		CU_ASSERT_EQUAL(sample.branches.bytes, 48);
		CU_ASSERT_EQUAL(sample.branch_counters.bytes, has_counters ? 16 : 0);
		CU_ASSERT_EQUAL(sample.branch_counters.data != NULL, has_counters);
		if (has_counters) {
			CU_ASSERT_EQUAL(word_at(&sample.branch_counters, 1), 601);
		}
	}
}

static void regs_abi(void)
{
	uint64_t type = PRECIS_SAMPLE_IP | PRECIS_SAMPLE_REGS_USER | PRECIS_SAMPLE_DATA_SRC;

	for (uint64_t abi = 0; abi < 9; abi++) {
		struct precis_perf_sample sample;
		int error;

		begin();
		words(1, 0x99);
		words(1, abi);
		if (abi)
			words(3, 70);
		words(1, 0xd5);
		error = parse(type, 0, 0, &sample);
		CU_ASSERT_EQUAL(error, abi > 2 ? PRECIS_E_UNKNOWN_BITS : 0);
		CU_ASSERT_EQUAL(sample.present, abi > 2 ? (uint64_t)PRECIS_SAMPLE_IP : type);
		if (abi <= 2) {
			CU_ASSERT_EQUAL(sample.regs_user.bytes, abi ? 24 : 0);
			CU_ASSERT_EQUAL(sample.data_src, 0xd5);
		}
	}
}

static void empty_stack(void)
{
	struct precis_perf_sample sample;

	begin();
	words(1, 0);
	words(1, 0xd5);
	CU_ASSERT_EQUAL(parse(PRECIS_SAMPLE_STACK_USER | PRECIS_SAMPLE_DATA_SRC, 0, 0, &sample), 0);
	CU_ASSERT_PTR_NULL(sample.stack_user.data);
	CU_ASSERT_EQUAL(sample.stack_user_dynamic, 0);
	CU_ASSERT_EQUAL(sample.data_src, 0xd5);
}

static void unknown_bits(void)
{
	uint64_t type = PRECIS_SAMPLE_IP | PRECIS_SAMPLE_PERIOD | PRECIS_SAMPLE_RAW | 1u << 25;
	struct precis_perf_sample sample;

	begin();
	words(4, 50);
	CU_ASSERT_EQUAL(parse(type, 0, 0, &sample), PRECIS_E_UNKNOWN_BITS);
	CU_ASSERT_EQUAL(sample.present, PRECIS_SAMPLE_IP | PRECIS_SAMPLE_PERIOD);
	CU_ASSERT_EQUAL(sample.ip, 50);
	CU_ASSERT_EQUAL(sample.period, 51);
	CU_ASSERT_EQUAL(parse(type | UINT64_C(1) << 63, 0, 0, &sample), PRECIS_E_UNKNOWN_BITS);
}

static void arguments(void)
{
	struct precis_layout layout = layout_of(PRECIS_SAMPLE_IP, 0, 0);
	struct precis_perf_sample sample = { .size = sizeof(sample) };
	struct precis_record record = build_sample(PRECIS_SAMPLE_IP);

	CU_ASSERT_EQUAL(precis_perf_sample_parse(&layout, &record, &sample), 0);
	CU_ASSERT_EQUAL(precis_perf_sample_parse(NULL, &record, &sample), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_perf_sample_parse(&layout, NULL, &sample), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_perf_sample_parse(&layout, &record, NULL), PRECIS_E_ARGUMENT);
	sample.size = 4;
	CU_ASSERT_EQUAL(precis_perf_sample_parse(&layout, &record, &sample), PRECIS_E_ARGUMENT);
	sample.size = sizeof(sample);
	record.type = PRECIS_RECORD_MMAP;
	CU_ASSERT_EQUAL(precis_perf_sample_parse(&layout, &record, &sample), PRECIS_E_ARGUMENT);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each bit alone, cut anywhere", each_bit },
		{ "all bits, cut anywhere", all_bits },
		{ "two bits, cut anywhere", pairs_of_bits },
		{ "every read_format", read_formats },
		{ "counts and sizes that lie", lies },
		{ "RAW with the kernel's filler", raw_filler },
		{ "branch stack with and without hw_idx", branch_hw_index },
		{ "branch stack that can be read in two ways", branch_ambiguous },
		{ "branch stack with and without counters", branch_counters },
		{ "register dumps of every abi", regs_abi },
		{ "an empty stack", empty_stack },
		{ "sample_type bits from the future", unknown_bits },
		{ "bad arguments", arguments },
	};

	return tap_main("perf sample", cases, sizeof(cases) / sizeof(cases[0]));
}
