/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording that two inputs read, each its part of the samples, and one all records: as one would. */
#include <precis/loss.h>
#include <precis/precis.h>

#include "tests/libdecode/perf/recordings.h"
#include "tests/support/tap.h"

#define PARTS 9u /* where a recording is taken apart: at so many places */
#define RECORDS_MOST 65536u

struct span {
	uint64_t from, to;
};

static struct precis_input *whole, *first, *second;
static struct span records[RECORDS_MOST];
static uint32_t record_count, losses_seen, parted, unfound;

static uint64_t read_to(struct precis_input *input, uint64_t end)
{
	const struct precis_item *item;
	uint64_t samples = 0;

	while (precis_input_place(input) < end && precis_input_next(input, &item) == 1)
		samples += item->kind == PRECIS_ITEM_SAMPLE;
	return samples;
}

/* It counts its samples, and notes what else there is. */
static void read_second(uint64_t begin)
{
	const struct precis_item *item;
	uint64_t before = begin;

	CU_ASSERT_EQUAL(precis_input_rewind(second), 0);
	read_to(second, begin);
	CU_ASSERT_EQUAL(precis_input_place(second), begin);
	CU_ASSERT_EQUAL(precis_input_forget_samples(second), 0);
	for (record_count = 0; precis_input_next(second, &item) == 1; before = precis_input_place(second)) {
		CU_ASSERT_EQUAL(item->offset, before);
		if (item->kind == PRECIS_ITEM_RECORD && record_count < RECORDS_MOST)
			records[record_count++] = (struct span){ before, precis_input_place(second) };
	}
}

static void read_first(uint64_t begin)
{
	CU_ASSERT_EQUAL(precis_input_rewind(first), 0);
	read_to(first, begin);
	CU_ASSERT_EQUAL(precis_input_place(first), begin);
	for (uint32_t n = 0; n < record_count; n++) {
		CU_ASSERT_EQUAL(precis_input_seek(first, records[n].from, records[n].to), 0);
		CU_ASSERT_EQUAL(precis_input_place(first), records[n].from);
		CU_ASSERT_EQUAL(read_to(first, records[n].to), 0);
		CU_ASSERT_EQUAL(precis_input_place(first), records[n].to);
	}
	CU_ASSERT_EQUAL(precis_input_seek(first, precis_input_place(whole), 0), 0);
	CU_ASSERT_EQUAL(precis_input_add_samples(first, second), 0);
}

static void compare_counts(void)
{
	struct precis_file_counts counts = { .size = sizeof(counts) }, expected = counts;
	struct precis_event_counts of_event = { .size = sizeof(of_event) }, of_whole = of_event;
	struct precis_throttled_share share = { .size = sizeof(share) }, of_all = share;
	struct precis_input_counts handed = { .size = sizeof(handed) }, handed_whole = handed;

	CU_ASSERT_EQUAL(precis_file_counts(precis_input_file(first), &counts), 0);
	CU_ASSERT_EQUAL(precis_file_counts(precis_input_file(whole), &expected), 0);
	CU_ASSERT_EQUAL(memcmp(&counts, &expected, sizeof(counts)), 0);
	CU_ASSERT_EQUAL(precis_input_counts(first, &handed), 0);
	CU_ASSERT_EQUAL(precis_input_counts(whole, &handed_whole), 0);
	CU_ASSERT_EQUAL(memcmp(&handed, &handed_whole, sizeof(handed)), 0);
	for (uint32_t n = 0; n < precis_input_event_count(whole); n++) {
		precis_file_event_counts(precis_input_file(first), n, &of_event);
		precis_file_event_counts(precis_input_file(whole), n, &of_whole);
		CU_ASSERT_EQUAL(memcmp(&of_event, &of_whole, sizeof(of_event)), 0);
		precis_file_throttled_share(precis_input_file(first), n, PRECIS_LOSS_ANY, &share);
		precis_file_throttled_share(precis_input_file(whole), n, PRECIS_LOSS_ANY, &of_all);
		CU_ASSERT_EQUAL(memcmp(&share, &of_all, sizeof(share)), 0);
		CU_ASSERT_EQUAL(precis_input_event(first, n)->kind, precis_input_event(whole, n)->kind);
	}
}

static void compare_losses(void)
{
	struct precis_file *is = precis_input_file(first), *expected = precis_input_file(whole);
	const uint32_t count = precis_file_loss_count(expected);
	const uint32_t threads = precis_file_loss_thread_count(expected);

	CU_ASSERT_EQUAL(precis_file_loss_count(is), count);
	for (uint32_t n = 0; n < count; n++, losses_seen++) {
		struct precis_loss loss = { .size = sizeof(loss) }, of_whole = loss;

		precis_file_loss(is, n, &loss);
		precis_file_loss(expected, n, &of_whole);
		CU_ASSERT_EQUAL(memcmp(&loss, &of_whole, sizeof(loss)), 0);
	}
	CU_ASSERT_EQUAL(precis_file_loss_thread_count(is), threads);
	for (uint32_t n = 0; n < threads; n++) {
		struct precis_loss_thread thread = { .size = sizeof(thread) }, other = thread;
		struct precis_loss loss = { .size = sizeof(loss) }, of_whole = loss;

		precis_file_loss_thread(is, n, &loss, &thread);
		precis_file_loss_thread(expected, n, &of_whole, &other);
		CU_ASSERT_EQUAL(memcmp(&loss, &of_whole, sizeof(loss)), 0);
		CU_ASSERT_EQUAL(memcmp(&thread, &other, sizeof(thread)), 0);
	}
}

/* The n-th place: found by looks, if it is, and met by who reads up to there */
static void compare_at(const struct precis_file_info *info, uint32_t n)
{
	const uint64_t from = info->data_offset + info->data_bytes * n / PARTS;
	uint64_t begin = 0;

	if (precis_input_find_record(first, from, &begin) == 0) {
		unfound++;
		return;
	}
	CU_ASSERT(begin >= from && begin < from + 65536);
	read_second(begin);
	read_first(begin);
	compare_counts();
	compare_losses();
	parted++;
}

static int open_all(const char *path)
{
	if (precis_input_open(path, NULL, &whole, NULL))
		return -1;
	CU_ASSERT_EQUAL_FATAL(precis_input_open(path, NULL, &first, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(precis_input_open(path, NULL, &second, NULL), 0);
	return 0;
}

static void close_all(void)
{
	precis_input_close(whole);
	precis_input_close(first);
	precis_input_close(second);
}

static unsigned int compare_file(const char *path)
{
	struct precis_file_info info = { .size = sizeof(info) };
	uint64_t begin;
	int found;

	if (open_all(path))
		return 0;
	CU_ASSERT_EQUAL(precis_file_info(precis_input_file(whole), &info), 0);
	read_to(whole, UINT64_MAX);
	found = precis_input_find_record(whole, info.data_offset, &begin);
	if (found == PRECIS_E_UNSUPPORTED) {
		CU_ASSERT_EQUAL(precis_input_seek(whole, info.data_offset, 0), PRECIS_E_UNSUPPORTED);
		CU_ASSERT_EQUAL(precis_input_forget_samples(whole), PRECIS_E_UNSUPPORTED);
		CU_ASSERT_EQUAL(precis_input_add_samples(whole, second), PRECIS_E_UNSUPPORTED);
	}
	for (uint32_t n = 0; n < PARTS && found == 1; n++)
		compare_at(&info, n);
	close_all();
	return found == 1;
}

static void recordings(void)
{
	CU_ASSERT(visit_recordings("srcdir", "tests/recordings", compare_file) >= 12);
	CU_ASSERT(parted >= 100);
	CU_ASSERT(losses_seen >= 9);
	CU_ASSERT_EQUAL(unfound, 0);
}

/* Compressed records are read where there is a library for it. */
static int is_without_zstd(void)
{
	const char *without = getenv("PRECIS_WITHOUT");

	return without && strstr(without, "zstd");
}

static void forms(void)
{
	if (is_without_zstd()) {
		tap_skip("built without zstd");
		return;
	}
	CU_ASSERT(visit_recordings("srcdir", "tests/recordings/forms", compare_file) >= 5);
}

static void shared_recordings(void)
{
	if (!visit_recordings("PRECIS_SHARED", "perfdata", compare_file))
		tap_skip("no foreign recordings (PRECIS_SHARED)");
}

static void refused(const char *form)
{
	struct precis_file_info info = { .size = sizeof(info) };
	uint64_t begin;
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/recordings/forms/%s", getenv("srcdir"), form);
	CU_ASSERT_EQUAL_FATAL(open_all(path), 0);
	CU_ASSERT_EQUAL(precis_file_info(precis_input_file(whole), &info), 0);
	read_to(whole, UINT64_MAX);
	CU_ASSERT_EQUAL(precis_input_find_record(whole, info.data_offset, &begin), PRECIS_E_UNSUPPORTED);
	CU_ASSERT_EQUAL(precis_input_seek(whole, info.data_offset, 0), PRECIS_E_UNSUPPORTED);
	close_all();
}

static void what_cannot_be_parted(void)
{
	refused("pipe");
	refused("directory");
	if (!is_without_zstd())
		refused("zstd");
}

static void arguments(void)
{
	uint64_t begin;
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/recordings/zen4-op.perf.data", getenv("srcdir"));
	CU_ASSERT_EQUAL_FATAL(open_all(path), 0);
	CU_ASSERT_EQUAL(precis_input_find_record(NULL, 1000, &begin), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_find_record(first, 1000, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_find_record(first, 0, &begin), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_find_record(first, UINT64_MAX, &begin), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_seek(NULL, 1000, 0), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_seek(first, 0, 0), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_seek(first, UINT64_MAX, 0), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_forget_samples(NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_add_samples(first, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_add_samples(NULL, first), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_add_samples(first, first), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_input_place(NULL), 0);
	close_all();
}

static const struct tap_case cases[] = {
	{ "recordings, taken apart anywhere", recordings },
	{ "forms of recordings", forms },
	{ "those of others", shared_recordings },
	{ "what has no places to go to is refused", what_cannot_be_parted },
	{ "arguments", arguments },
};

int main(void)
{
	return tap_main("input_parts", cases, sizeof(cases) / sizeof(cases[0]));
}
