/* SPDX-License-Identifier: BSD-3-Clause */
/* What was counted of a file goes to another one that has read nothing; damaged bytes do not. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "tests/support/tap.h"

/* One event and several, of CPUs and of threads, with losses, throttling, forms that are no file */
static const char *const recordings[] = {
	"zen4-op.perf.data", "zen4-throttled.perf.data", "zen4-own-pertask.perf.data",
	"skylake-loads_phys.perf.data", "zen4-freq.perf.data", "forms/pipe", "forms/records",
	"forms/directory", "forms/tracepoints",
};
#define RECORDINGS (sizeof(recordings) / sizeof(recordings[0]))

static struct precis_file *open_recording(const char *name)
{
	struct precis_file *file = NULL;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/tests/recordings/%s", getenv("srcdir"), name);
	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
	return file;
}

static struct precis_file *read_recording(const char *name)
{
	struct precis_file *file = open_recording(name);
	struct precis_record record = { .size = 0 };
	struct precis_sample sample;

	precis_sample_init(&sample);
	while (precis_file_next(file, &record) > 0) {
		if (record.type == PRECIS_RECORD_SAMPLE)
			precis_file_sample(file, &record, NULL, NULL, &sample);
	}
	return file;
}

static uint8_t *state_of(const struct precis_file *file, size_t *count)
{
	int64_t bytes = precis_file_state(file, NULL, 0);
	uint8_t *state;

	CU_ASSERT_FATAL(bytes > 0);
	*count = (size_t)bytes;
	state = malloc(*count);
	CU_ASSERT_PTR_NOT_NULL_FATAL(state);
	CU_ASSERT_EQUAL(precis_file_state(file, state, *count), bytes);
	return state;
}

/* All that is told, as one text, but for how far reading came */
static void tell(const struct precis_file *file, FILE *to)
{
	struct precis_file_counts counts = { .size = sizeof(counts) };
	struct precis_file_info info = { .size = sizeof(info) };
	struct precis_loss loss = { .size = sizeof(loss) };

	precis_file_counts(file, &counts);
	counts.bytes = counts.late_records = 0;
	fwrite(&counts, sizeof(counts), 1, to);
	precis_file_info(file, &info);
	fprintf(to, "%u\n", info.form);
	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		struct precis_event_counts of = { .size = sizeof(of) };
		struct precis_throttled_share share = { .size = sizeof(share) };
		const struct precis_event *event = precis_file_event(file, n);

		precis_file_event_counts(file, n, &of);
		precis_file_throttled_share(file, n, PRECIS_LOSS_ANY, &share);
		fwrite(&of, sizeof(of), 1, to);
		fwrite(&share, sizeof(share), 1, to);
		fprintf(to, "%s %u %u %u %d %d %d\n", event->name, event->kind, event->kind_source,
			event->core_type, event->pebs_facility, precis_file_loss_knowledge(file, n),
			precis_file_loss_by_thread(file, n));
		for (uint32_t cpu = 0; cpu < 16; cpu++) {
			precis_file_loss_sum(file, n, cpu, &loss);
			precis_file_throttled_share(file, n, cpu, &share);
			fwrite(&loss, sizeof(loss), 1, to);
			fwrite(&share, sizeof(share), 1, to);
		}
	}
	for (uint32_t n = 0; n < precis_file_loss_count(file); n++) {
		precis_file_loss(file, n, &loss);
		fwrite(&loss, sizeof(loss), 1, to);
	}
	for (uint32_t n = 0; n < precis_file_loss_thread_count(file); n++) {
		struct precis_loss_thread thread = { .size = sizeof(thread) };

		precis_file_loss_thread(file, n, &loss, &thread);
		fwrite(&loss, sizeof(loss), 1, to);
		fwrite(&thread, sizeof(thread), 1, to);
	}
}

static char *told(const struct precis_file *file, size_t *bytes)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, bytes);

	CU_ASSERT_PTR_NOT_NULL_FATAL(to);
	tell(file, to);
	fclose(to);
	return text;
}

static void it_goes_over(void)
{
	for (size_t i = 0; i < RECORDINGS; i++) {
		struct precis_file *from = read_recording(recordings[i]);
		struct precis_file *to = open_recording(recordings[i]);
		size_t count, again, before, after;
		uint8_t *state = state_of(from, &count), *state_again;
		char *expected = told(from, &before), *found;

		found = told(to, &after);
		CU_ASSERT(before != after || memcmp(expected, found, before)); /* there is something */
		free(found);
		CU_ASSERT_EQUAL(precis_file_set_state(to, state, count), 0);
		found = told(to, &after);
		CU_ASSERT_EQUAL(before, after);
		CU_ASSERT(before == after && !memcmp(expected, found, before));
		state_again = state_of(to, &again);
		CU_ASSERT(count == again && !memcmp(state, state_again, count));
		free(expected);
		free(found);
		free(state);
		free(state_again);
		precis_file_close(from);
		precis_file_close(to);
	}
}

static void what_is_cut_counts_nothing(void)
{
	struct precis_file *from = read_recording("zen4-throttled.perf.data");
	struct precis_file *to = open_recording("zen4-throttled.perf.data");
	struct precis_file_counts counts = { .size = sizeof(counts) };
	size_t count;
	uint8_t *state = state_of(from, &count);

	for (size_t length = 0; length < count; length += length < 800 ? 1 : 61) {
		CU_ASSERT(precis_file_set_state(to, state, length) < 0);
		precis_file_counts(to, &counts);
		CU_ASSERT_EQUAL(counts.samples, 0);
	}
	state = realloc(state, count + 8);
	memset(state + count, 0, 8);
	CU_ASSERT_EQUAL(precis_file_set_state(to, state, count + 8), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(precis_file_set_state(to, state, count), 0);
	free(state);
	precis_file_close(from);
	precis_file_close(to);
}

/* Any word may be anything: it is refused, or what is told can be told. */
static void words_that_lie(void)
{
	static const uint64_t lies[] = { UINT64_MAX, UINT32_MAX, 1u << 20, 16384, 300, 1, 0 };
	struct precis_file *from = read_recording("zen4-own-pertask.perf.data");
	struct precis_file *to = open_recording("zen4-own-pertask.perf.data");
	size_t count, bytes, refused = 0;
	uint8_t *state = state_of(from, &count), was[8];

	/* the first ones, and of rows, which are alike, some */
	for (size_t at = 0; at + 8 <= count; at += at < 1200 ? 8 : 8 * 331) {
		memcpy(was, state + at, 8);
		for (size_t n = 0; n < sizeof(lies) / sizeof(lies[0]); n++) {
			memcpy(state + at, &lies[n], 8); /* of whichever byte order */
			if (precis_file_set_state(to, state, count) < 0)
				refused++;
			else
				free(told(to, &bytes));
		}
		memcpy(state + at, was, 8);
	}
	CU_ASSERT(refused > 0);
	free(state);
	precis_file_close(from);
	precis_file_close(to);
}

static void of_another_file(void)
{
	struct precis_file *one = read_recording("zen4-op.perf.data");
	struct precis_file *two = read_recording("forms/tracepoints");
	size_t count;
	uint8_t *state = state_of(one, &count);

	CU_ASSERT_EQUAL(precis_file_set_state(two, state, count),
			precis_file_event_count(two) == precis_file_event_count(one) ?
				0 : PRECIS_E_ARGUMENT);
	CU_ASSERT_NOT_EQUAL(precis_file_event_count(two), precis_file_event_count(one));
	state[0]++; /* its version */
	CU_ASSERT_EQUAL(precis_file_set_state(one, state, count), PRECIS_E_UNSUPPORTED);
	CU_ASSERT_EQUAL(precis_file_set_state(one, NULL, 0), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_set_state(NULL, state, count), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_state(NULL, NULL, 0), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_state(one, NULL, 8), PRECIS_E_ARGUMENT);
	free(state);
	precis_file_close(one);
	precis_file_close(two);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what was counted goes to a file that has read nothing", it_goes_over },
		{ "what is cut off counts nothing", what_is_cut_counts_nothing },
		{ "words that lie are refused or can be told", words_that_lie },
		{ "the state of another file, or of a later version", of_another_file },
	};

	return tap_main("file_state", cases, sizeof(cases) / sizeof(cases[0]));
}
