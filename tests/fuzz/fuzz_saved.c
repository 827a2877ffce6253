/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a run of analyses counted, as precis report --save writes it: a byte that says what samples were
 * told apart by, then the run. What can be loaded can be told, and merged with itself.
 */
#define _GNU_SOURCE /* memfd_create() */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/by/request.h"
#include "analysis/run.h"
#include "analysis/sharing/request.h"
#include "statistics/table.h"
#include "tests/fuzz/target.h"

#define ATTR_BYTES 128u

static const struct {
	enum by_key key; /* BY_KEY_KINDS: no key */
	const char *name;
	int is_sharing;
} keys[] = {
	{ BY_KEY_KINDS, NULL, 0 },  { BY_SYMBOL, "symbol", 0 }, { BY_INSTRUCTION, "instruction", 0 },
	{ BY_OBJECT, "object", 0 }, { BY_NODE, "node", 0 },     { BY_TYPE, "type", 0 },
	{ BY_STACK, "stack", 0 },   { BY_KEY_KINDS, NULL, 1 },
};

static void add_event(struct precis_writer *writer, uint32_t type, uint64_t precise, const char *name)
{
	const uint64_t words[] = { 0, 100003, PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID, 0, precise << 15 };
	const uint32_t size = ATTR_BYTES;
	uint8_t attr[ATTR_BYTES] = { 0 };

	memcpy(attr, &type, sizeof(type));
	memcpy(attr + 4, &size, sizeof(size));
	memcpy(attr + 8, words, sizeof(words));
	PROMISE(precis_writer_event(writer, attr, sizeof(attr), NULL, 0, name) == 0);
}

/* A recording of both IBS units and of an event of an Intel CPU, without records */
static struct precis_input *open_input(void)
{
	struct precis_writer *writer;
	struct precis_input *input;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[64];

	PROMISE(fd >= 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	PROMISE(precis_writer_open(path, &writer) == 0);
	add_event(writer, 11, 0, "ibs_op//");
	add_event(writer, 10, 0, "ibs_fetch//");
	add_event(writer, 4, 2, "cpu/mem-loads/");
	PROMISE(precis_writer_string(writer, PRECIS_FEATURE_CPUID, "GenuineIntel,6,143,8") == 0);
	PROMISE(precis_writer_pmu(writer, 4, "cpu") == 0);
	PROMISE(precis_writer_pmu(writer, 11, "ibs_op") == 0);
	PROMISE(precis_writer_pmu(writer, 10, "ibs_fetch") == 0);
	PROMISE(precis_writer_close(writer) == 0);
	PROMISE(precis_input_open_fd(fd, NULL, &input, NULL) == 0);
	close(fd);
	return input;
}

static int load(struct analysis_run *run, const struct analysis_about *about, const uint8_t *data,
		size_t size, struct saved_texts *texts)
{
	struct saving loading = loading_begin(data, size, 0, SAVING_VERSION, texts);
	uint64_t wanted[PRECIS_FIELD_WORDS] = { 0 };

	PROMISE(analysis_run_begin(run, about, wanted) == 0);
	analysis_run_saves(&loading, run);
	loading_end(&loading);
	PROMISE(!loading.is_damaged || loading.expected[0]);
	return !saving_failed(&loading);
}

static void tell(const struct analysis_run *run)
{
	static const struct column columns[] = { { "share", "share", 0 }, { "of", "of", COLUMN_OF } };
	struct document document = { .tables = NULL };

	table_begin(&document, "summary", "summary", "", columns, 2);
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		if (running->is->key_shares)
			running->is->key_shares(&document, running->state);
	}
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		if (running->is->key_latencies)
			running->is->key_latencies(&document, running->state);
		if (running->is->tables)
			running->is->tables(&document, running->state, &running->reasons);
	}
	document_free(&document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct precis_input *input;
	const struct sharing_request sharing = { .by = SHARING_BY_THREAD };
	struct by_request by = { .latency = -1 };
	struct analysis_about about = { .top = 10 };
	struct saved_texts texts = { NULL, NULL };
	struct analysis_run *runs;
	uint32_t which;
	int loaded;

	if (!size)
		return 0;
	if (!input)
		input = open_input();
	which = data[0] % (sizeof(keys) / sizeof(keys[0]));
	about.input = input;
	by.key_count = keys[which].name != NULL;
	by.keys[0] = (struct by_asked_key){ .key = keys[which].key, .name = keys[which].name };
	about.by = by.key_count ? &by : NULL;
	about.sharing = keys[which].is_sharing ? &sharing : NULL;
	runs = calloc(2, sizeof(*runs));
	PROMISE(runs);
	loaded = load(&runs[0], &about, data + 1, size - 1, &texts);
	if (loaded) {
		tell(&runs[0]);
		PROMISE(load(&runs[1], &about, data + 1, size - 1, &texts));
		PROMISE(analysis_run_merge(&runs[0], &runs[1]) == 0);
		tell(&runs[0]);
		analysis_run_free(&runs[1]);
	}
	analysis_run_free(&runs[0]);
	free(runs);
	saved_texts_free(&texts);
	return 0;
}
