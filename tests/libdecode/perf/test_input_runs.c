/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of samples are what the same recording gives sample by sample, and leave nothing out. */
#include <precis/precis.h>

#include "tests/libdecode/perf/differ.h"
#include "tests/libdecode/perf/recordings.h"
#include "tests/property/random.h"
#include "tests/support/build.h"
#include "tests/support/tap.h"

static const uint32_t fields[] = {
	PRECIS_FIELD_IP,           PRECIS_FIELD_TIME,        PRECIS_FIELD_TID,
	PRECIS_FIELD_CPUMODE,      PRECIS_FIELD_OP,          PRECIS_FIELD_DCACHE_MISS_LATENCY,
	PRECIS_FIELD_ADDR,         PRECIS_FIELD_MEM_LEVEL,   PRECIS_FIELD_TAG_TO_COMPLETION,
	PRECIS_FIELD_FETCH_LATENCY, PRECIS_FIELD_LOAD_LATENCY, PRECIS_FIELD_PERIOD,
	PRECIS_FIELD_CACHE_LATENCY,
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static struct precis_input *input, *plain;
static struct precis_sample expected, found;
static uint64_t wanted[PRECIS_FIELD_WORDS], few[PRECIS_FIELD_WORDS], in_runs, all_passed, state = 1;
static uint64_t column[FIELDS][PRECIS_INPUT_RUN], set[PRECIS_FIELD_WORDS][PRECIS_INPUT_RUN];
static uint64_t *const present[PRECIS_FIELD_WORDS] = { set[0], set[1], set[2], set[3] };
static uint64_t *const present_first[PRECIS_FIELD_WORDS] = { set[0] };
static uint64_t *const present_none[PRECIS_FIELD_WORDS];
static uint32_t caps_before, differing_caps; /* of the run before; runs whose are others */
static uint64_t *const columns[FIELDS] = {
	column[0], column[1], column[2], column[3], column[4],  column[5],
	column[6], column[7], column[8], column[9], column[10], column[11],
	column[12],
};

/* The next sample of the recording that is read one by one; records on the way are counted. */
static const struct precis_item *next_sample(uint64_t *records)
{
	const struct precis_item *item;

	while (precis_input_next(plain, &item) == 1) {
		if (item->kind == PRECIS_ITEM_SAMPLE)
			return item;
		++*records;
	}
	return NULL;
}

static void check_columns(uint32_t row)
{
	uint64_t bits[PRECIS_FIELD_WORDS] = { 0 };

	for (uint32_t n = 0; n < FIELDS; n++) {
		int is_there = precis_fields_have(expected.present, fields[n]);

		CU_ASSERT_EQUAL(column[n][row], is_there ? expected.value[fields[n]] : UINT64_MAX);
		if (is_there)
			precis_fields_add(bits, fields[n]);
	}
	for (uint32_t word = 0; word < PRECIS_FIELD_WORDS; word++)
		CU_ASSERT_EQUAL(set[word][row], bits[word]);
}

static void check_registers(const struct precis_input_run *run, uint32_t row)
{
	const union {
		struct precis_ibs_op op;
		struct precis_ibs_fetch fetch;
	} *registers = (const void *)&expected.registers;
	const uint32_t caps = run->ops ? precis_input_run_op(run, row)->caps :
					 precis_input_run_fetch(run, row)->caps;
	int differs = run->ops ? memcmp(precis_input_run_op(run, row), &registers->op,
					sizeof(registers->op)) :
				 memcmp(precis_input_run_fetch(run, row), &registers->fetch,
					sizeof(registers->fetch));

	CU_ASSERT_EQUAL(differs, 0);
	CU_ASSERT_EQUAL(caps, run->ops ? run->ops->caps : run->fetches->caps);
	differing_caps += row == 0 && caps != caps_before;
	caps_before = caps;
}

/* With few fields the registers suffice; with all of them the record is asked again. */
static void check_sample(uint32_t row, const struct precis_item *item)
{
	const uint64_t *const sets[] = { few, NULL, wanted };

	for (uint32_t n = 0; n < 3; n++) {
		CU_ASSERT_EQUAL(precis_input_sample(plain, sets[n], NULL, &expected), 0);
		CU_ASSERT_EQUAL(precis_input_run_sample(input, row, sets[n], &found), 0);
		CU_ASSERT(!differ(&expected, &found));
	}
	CU_ASSERT_EQUAL(item->event->index, found.value[PRECIS_FIELD_EVENT]);
}

static void check_run(const struct precis_input_run *run, uint64_t until, uint64_t *records)
{
	CU_ASSERT_EQUAL(precis_input_run_columns(input, fields, FIELDS, columns, present), 0);
	for (uint32_t row = 0; row < run->count; row++) {
		const struct precis_item *item = next_sample(records);

		CU_ASSERT_PTR_NOT_NULL_FATAL(item);
		CU_ASSERT(item->offset < until);
		CU_ASSERT_EQUAL(item->event->index, run->event->index);
		CU_ASSERT_EQUAL(precis_input_sample(plain, wanted, NULL, &expected), 0);
		check_columns(row);
		check_registers(run, row);
		check_sample(row, item);
	}
	CU_ASSERT_EQUAL(precis_input_run_sample(input, run->count, NULL, &found), PRECIS_E_ARGUMENT);
	in_runs += run->count;
}

/* Samples that are passed over count, and are the next ones. */
static void pass(uint64_t until, uint64_t *records)
{
	uint64_t passed = precis_input_pass(input, until);

	for (uint64_t n = 0; n < passed; n++) {
		const struct precis_item *item = next_sample(records);

		CU_ASSERT_PTR_NOT_NULL_FATAL(item);
		CU_ASSERT(item->offset < until);
	}
	if (passed)
		CU_ASSERT_EQUAL(precis_input_run_sample(input, 0, NULL, &found), PRECIS_E_ARGUMENT);
	all_passed += passed;
}

/* Runs of any length up to any place; what is left to it goes by precis_input_next(). */
static void compare(uint64_t end)
{
	struct precis_input_counts counts = { .size = sizeof(counts) }, others = counts;
	struct precis_input_run run = { .size = sizeof(run) };
	const struct precis_item *item, *other;
	uint64_t records = 0;
	int code;

	for (;;) {
		uint32_t most = (uint32_t)random_next(&state) % 80;
		uint64_t until = random_next(&state) % 4 ? UINT64_MAX : random_next(&state) % end;

		if (precis_input_take_run(input, wanted, most, until, &run) > 0) {
			CU_ASSERT(run.count <= most && run.count <= PRECIS_INPUT_RUN);
			check_run(&run, until, &records);
			if (random_next(&state) % 8 == 0)
				pass(until < end ? until : random_next(&state) % end, &records);
			continue;
		}
		CU_ASSERT_EQUAL(run.count, 0);
		CU_ASSERT_EQUAL(precis_input_run_columns(input, fields, FIELDS, columns, present),
				PRECIS_E_ARGUMENT);
		code = precis_input_next(input, &item);
		if (code != 1)
			break;
		if (item->kind != PRECIS_ITEM_SAMPLE)
			continue;
		other = next_sample(&records);
		CU_ASSERT_PTR_NOT_NULL_FATAL(other);
		CU_ASSERT_EQUAL(item->offset, other->offset);
		CU_ASSERT_EQUAL(precis_input_sample(plain, wanted, NULL, &expected),
				precis_input_sample(input, wanted, NULL, &found));
		CU_ASSERT(!differ(&expected, &found));
	}
	CU_ASSERT_PTR_NULL(next_sample(&records));
	CU_ASSERT_EQUAL(precis_input_run_sample(input, 0, NULL, &found), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_counts(input, &counts), 0);
	CU_ASSERT_EQUAL(precis_input_counts(plain, &others), 0);
	CU_ASSERT_EQUAL(memcmp(&counts, &others, sizeof(counts)), 0);
	CU_ASSERT_EQUAL(counts.records, records);
}

static void compare_losses(void)
{
	struct precis_file_counts counts = { .size = sizeof(counts) }, others = counts;

	if (!precis_input_file(input))
		return;
	precis_file_counts(precis_input_file(input), &counts);
	precis_file_counts(precis_input_file(plain), &others);
	CU_ASSERT_EQUAL(memcmp(&counts, &others, sizeof(counts)), 0);
}

static unsigned int compare_file(const char *path)
{
	struct precis_file_info info = { .size = sizeof(info) };

	if (precis_input_open(path, NULL, &input, NULL))
		return 0;
	CU_ASSERT_EQUAL_FATAL(precis_input_open(path, NULL, &plain, NULL), 0);
	CU_ASSERT_EQUAL(precis_file_info(precis_input_file(input), &info), 0);
	compare(info.data_offset + info.data_bytes + 1);
	compare_losses();
	precis_input_close(input);
	precis_input_close(plain);
	return 1;
}

static void recordings(void)
{
	CU_ASSERT(visit_recordings("srcdir", "tests/recordings", compare_file) >= 9);
	CU_ASSERT(in_runs > 3000);
	CU_ASSERT(all_passed > 500);
	CU_ASSERT(visit_recordings("srcdir", "tests/recordings/forms", compare_file) >= 11);
}

static void shared_recordings(void)
{
	if (!visit_recordings("PRECIS_SHARED", "perfdata", compare_file))
		tap_skip("no foreign recordings (PRECIS_SHARED)");
}

/* The payload of an op in a record: its capabilities stand in front of IbsOpCtl. NULL: it is none */
static uint8_t *payload_of(uint8_t *record, uint32_t size, const struct precis_sample *sample)
{
	const struct precis_ibs_op *op = &sample->registers.ibs_op;

	for (uint32_t at = 0; sample->source == PRECIS_SOURCE_IBS_OP && at + 12 <= size; at += 4) {
		if (!memcmp(record + at, &op->caps, 4) && !memcmp(record + at + 4, &op->op_ctl, 8))
			return record + at;
	}
	return NULL;
}

/* Of some samples the capabilities become others, by which a register is none. */
static void change_caps(const char *path, uint8_t *bytes)
{
	const struct precis_item *item;
	uint32_t number = 0;

	CU_ASSERT_EQUAL_FATAL(precis_input_open(path, NULL, &plain, NULL), 0);
	while (precis_input_next(plain, &item) == 1) {
		uint8_t *payload;

		if (item->kind != PRECIS_ITEM_SAMPLE)
			continue;
		CU_ASSERT_EQUAL(precis_input_sample(plain, wanted, NULL, &expected), 0);
		payload = payload_of(bytes + item->offset, item->record->size, &expected);
		CU_ASSERT_PTR_NOT_NULL_FATAL(payload);
		if (number++ % 5 < 2)
			payload[0] ^= PRECIS_IBS_CAPS_BRN_TRGT;
	}
	precis_input_close(plain);
}

/* The last sample says that it is longer than all that is left. */
static void lengthen_last(const char *path, uint8_t *bytes)
{
	const struct precis_item *item;
	uint64_t last = 0;

	CU_ASSERT_EQUAL_FATAL(precis_input_open(path, NULL, &plain, NULL), 0);
	while (precis_input_next(plain, &item) == 1) {
		if (item->kind == PRECIS_ITEM_SAMPLE)
			last = item->offset;
	}
	precis_input_close(plain);
	CU_ASSERT_FATAL(last > 0);
	bytes[last + 6] = 0xf8; /* the header's size */
	bytes[last + 7] = 0xff;
}

static void compare_changed(void (*change)(const char *path, uint8_t *bytes))
{
	char path[4096], changed[] = "input-runs.XXXXXX";
	uint8_t bytes[1 << 18];
	FILE *file, *other;
	size_t count;

	snprintf(path, sizeof(path), "%s/tests/recordings/zen4-op.perf.data", getenv("srcdir"));
	file = fopen(path, "rb");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	count = fread(bytes, 1, sizeof(bytes), file);
	CU_ASSERT_FATAL(count > 0 && count < sizeof(bytes));
	fclose(file);
	change(path, bytes);
	other = fdopen(mkstemp(changed), "wb");
	CU_ASSERT_PTR_NOT_NULL_FATAL(other);
	CU_ASSERT_EQUAL(fwrite(bytes, 1, count, other), count);
	fclose(other);
	CU_ASSERT_EQUAL(compare_file(changed), 1);
	unlink(changed);
}

static void capabilities(void)
{
	differing_caps = 0;
	compare_changed(change_caps);
	CU_ASSERT(differing_caps > 10);
}

static void too_long(void)
{
	for (uint32_t n = 0; n < 20; n++)
		compare_changed(lengthen_last);
}

static void arguments(void)
{
	static const uint32_t none[] = { PRECIS_FIELD_COUNT }, unwanted[] = { PRECIS_FIELD_CGROUP };
	static const uint32_t later[] = { PRECIS_FIELD_CACHE_LATENCY };
	struct precis_input_run run = { .size = sizeof(run) };
	const struct precis_item *item;
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/recordings/zen4-op.perf.data", getenv("srcdir"));
	CU_ASSERT_EQUAL_FATAL(precis_input_open(path, NULL, &input, NULL), 0);
	CU_ASSERT_EQUAL(precis_input_take_run(NULL, wanted, 64, UINT64_MAX, &run), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_take_run(input, NULL, 64, UINT64_MAX, &run), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_run_sample(input, 0, NULL, &found), PRECIS_E_ARGUMENT);
	while (precis_input_take_run(input, wanted, 1, UINT64_MAX, &run) == 0 &&
	       precis_input_next(input, &item) == 1) {
		if (item->kind == PRECIS_ITEM_SAMPLE)
			precis_input_sample(input, wanted, NULL, &found);
	}
	CU_ASSERT_EQUAL(run.count, 1);
	CU_ASSERT_EQUAL(precis_input_run_columns(input, none, 1, columns, present),
			PRECIS_E_NO_FIELD);
	CU_ASSERT_EQUAL(precis_input_run_columns(input, unwanted, 1, columns, present),
			PRECIS_E_ARGUMENT);
	/* no room for the word that the field is in, or for the first */
	CU_ASSERT_EQUAL(precis_input_run_columns(input, later, 1, columns, present_first),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_run_columns(input, fields, 1, columns, present_none),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_run_columns(input, fields, 1, columns, present_first), 0);
	CU_ASSERT_EQUAL(precis_input_run_columns(input, fields, 0, columns, present),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_sample(input, wanted, NULL, &found), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_next(input, &item), 1);
	CU_ASSERT_EQUAL(precis_input_run_sample(input, 0, NULL, &found), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_take_run(input, wanted, 1, UINT64_MAX, &run), 1);
	CU_ASSERT_EQUAL(precis_input_run_sample(input, 0, NULL, &found), 0);
	while (precis_input_next(input, &item) == 1)
		;
	CU_ASSERT_EQUAL(precis_input_run_sample(input, 0, NULL, &found), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_rewind(input), 0);
	while (precis_input_take_run(input, wanted, 1, UINT64_MAX, &run) == 0) {
		CU_ASSERT_EQUAL_FATAL(precis_input_next(input, &item), 1);
		if (item->kind == PRECIS_ITEM_SAMPLE)
			precis_input_sample(input, wanted, NULL, &found);
	}
	CU_ASSERT_EQUAL(precis_input_run_sample(input, 0, NULL, &found), 0);
	CU_ASSERT_EQUAL(precis_input_rewind(input), 0);
	CU_ASSERT_EQUAL(precis_input_run_sample(input, 0, NULL, &found), PRECIS_E_ARGUMENT);
	precis_input_close(input);
}

static const struct tap_case cases[] = {
	{ "recordings, by runs as sample by sample", recordings },
	{ "those of others", shared_recordings },
	{ "capabilities that are not the same", capabilities },
	{ "a sample that is longer than what is left", too_long },
	{ "arguments", arguments },
};

int main(void)
{
	for (uint32_t n = 0; n < FIELDS; n++)
		precis_fields_add(wanted, fields[n]);
	precis_fields_add(wanted, PRECIS_FIELD_EVENT);
	precis_fields_add(few, PRECIS_FIELD_OP);
	precis_fields_add(few, PRECIS_FIELD_IP_EXACT);
	precis_fields_add(few, PRECIS_FIELD_DCACHE_MISS_LATENCY);
	precis_fields_add(few, PRECIS_FIELD_LOAD_LATENCY); /* which no op has */
	precis_sample_init(&expected);
	precis_sample_init(&found);
	return tap_main("input_runs", cases, sizeof(cases) / sizeof(cases[0]));
}
