/* SPDX-License-Identifier: BSD-3-Clause */
/* Saving and loading: each kind of member goes over, tables have all members, and bytes that lie are told. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/list.h"
#include "analysis/run.h"
#include "analysis/saving/fields.h"
#include "tests/support/tap.h"

struct things {
	uint64_t counts[2][3];
	int number;
	uint8_t byte;
	double real;
	struct weighted weighted[2];
	struct latencies *latencies[2];
	struct reasons reasons;
	void *own;
	uint64_t later;
};

static const struct saved_field fields[] = {
	SAVED_U64(struct things, counts),
	SAVED_U32(struct things, number),
	SAVED_U8(struct things, byte),
	SAVED_DOUBLE(struct things, real),
	SAVED_WEIGHTED(struct things, weighted),
	SAVED_LATENCIES(struct things, latencies),
	SAVED_REASONS(struct things, reasons),
	SAVED_NOT(struct things, own),
	{ "later", SAVED_KIND_U64, SAVING_VERSION, 8, offsetof(struct things, later), 1 },
	SAVED_END,
};

static void fill(struct things *things)
{
	const struct weighted some = weighted_of(3, 1000), more = weighted_of(1, UINT64_C(1) << 39);
	struct precis_sample sample;

	memset(things, 0, sizeof(*things));
	things->counts[1][2] = UINT64_MAX;
	things->counts[0][1] = 0x0102030405060708;
	things->number = -5;
	things->byte = 200;
	things->real = -1.5e300;
	weighted_add(&things->weighted[1], &some);
	weighted_add(&things->weighted[1], &more);
	things->latencies[1] = calloc(1, sizeof(struct latencies));
	for (uint32_t n = 0; n < 500; n++)
		latencies_add_weighed(things->latencies[1], 7 * n * n, n + 1);
	latencies_weigh(things->latencies[1], &some);
	precis_sample_init(&sample);
	reasons_add(&things->reasons, &sample, PRECIS_FIELD_ADDR, 2, 77);
	reasons_add(&things->reasons, &sample, PRECIS_FIELD_OP, 0, 1);
	things->own = things;
	things->later = 42;
}

static void release(struct things *things)
{
	latencies_free_all(things->latencies, 2);
	reasons_free(&things->reasons);
}

static struct saving save(struct things *things)
{
	struct saving saving = saving_begin();

	saved_fields(&saving, things, fields);
	CU_ASSERT(!saving_failed(&saving));
	return saving;
}

/* Saved again what was loaded is the same. */
static void all_kinds_go_over(void)
{
	struct things things, loaded;
	struct saved_texts texts = { NULL, NULL };
	struct saving saved, loading, again;

	fill(&things);
	memset(&loaded, 0, sizeof(loaded));
	saved = save(&things);
	loading = loading_begin(saved.bytes, saved.count, 0, SAVING_VERSION, &texts);
	saved_fields(&loading, &loaded, fields);
	loading_end(&loading);
	CU_ASSERT(!saving_failed(&loading));
	CU_ASSERT_EQUAL(loaded.counts[1][2], UINT64_MAX);
	CU_ASSERT_EQUAL(loaded.counts[0][1], 0x0102030405060708);
	CU_ASSERT_EQUAL(loaded.number, -5);
	CU_ASSERT_EQUAL(loaded.byte, 200);
	CU_ASSERT(loaded.real == -1.5e300);
	CU_ASSERT_EQUAL(loaded.weighted[1].samples, 4);
	CU_ASSERT_EQUAL(loaded.weighted[1].least, 1000);
	CU_ASSERT_EQUAL(loaded.weighted[1].most, UINT64_C(1) << 39);
	CU_ASSERT(loaded.weighted[1].squares == things.weighted[1].squares);
	CU_ASSERT_PTR_NULL(loaded.latencies[0]);
	CU_ASSERT_PTR_NOT_NULL_FATAL(loaded.latencies[1]);
	CU_ASSERT_EQUAL(latencies_count(loaded.latencies[1]), latencies_count(things.latencies[1]));
	CU_ASSERT_EQUAL(loaded.latencies[1]->beyond, things.latencies[1]->beyond);
	CU_ASSERT(loaded.latencies[1]->beyond && loaded.latencies[1]->weighed_beyond > 1e6);
	CU_ASSERT_EQUAL(histogram_count(&loaded.latencies[1]->exact, 63), 1);
	CU_ASSERT_EQUAL(histogram_count(loaded.latencies[1]->weights, 63), 4);
	CU_ASSERT_EQUAL(reasons_total(&loaded.reasons, PRECIS_FIELD_ADDR, POPULATION(2)), 77);
	CU_ASSERT_PTR_NULL(loaded.own);
	CU_ASSERT_EQUAL(loaded.later, 42);
	again = save(&loaded);
	CU_ASSERT(again.count == saved.count && !memcmp(again.bytes, saved.bytes, saved.count));
	saving_free(&saved);
	saving_free(&again);
	release(&things);
	release(&loaded);
	saved_texts_free(&texts);
}

/* The low byte first, whatever the machine */
static void numbers_look_the_same_everywhere(void)
{
	static const uint8_t expected[] = { 8, 7, 6, 5, 4, 3, 2, 1, 0xfb, 0xff, 0xff, 0xff,
					    2, 0, 0, 0, 'o', 'k' };
	struct saving saving = saving_begin();
	uint64_t wide = 0x0102030405060708;
	const char *text = "ok";
	int number = -5;

	saved_u64(&saving, &wide);
	saved_int(&saving, &number);
	saved_text(&saving, &text);
	CU_ASSERT_EQUAL(saving.count, sizeof(expected));
	CU_ASSERT(!memcmp(saving.bytes, expected, sizeof(expected)));
	saving_free(&saving);
}

/* What an earlier version did not have is 0. */
static void of_an_earlier_version(void)
{
	static const struct saved_field grown[] = {
		SAVED_U64(struct things, counts),
		{ "later", SAVED_KIND_U64, 2, 8, offsetof(struct things, later), 1 },
		SAVED_END,
	};
	struct saved_texts texts = { NULL, NULL };
	struct saving saved = saving_begin(), loading;
	struct things things, loaded;

	fill(&things);
	memset(&loaded, 0, sizeof(loaded));
	saved.version = 1;
	saved_fields(&saved, &things, grown);
	loading = loading_begin(saved.bytes, saved.count, 0, 1, &texts);
	saved_fields(&loading, &loaded, grown);
	loading_end(&loading);
	CU_ASSERT(!saving_failed(&loading));
	CU_ASSERT_EQUAL(loaded.counts[1][2], UINT64_MAX);
	CU_ASSERT_EQUAL(loaded.later, 0);
	saving_free(&saved);
	release(&things);
}

/* Any cut, and any byte that is another one: told, or loaded; never more than is there */
static void damaged(void)
{
	struct things things, loaded;
	struct saving saved;
	size_t told = 0;

	fill(&things);
	saved = save(&things);
	for (size_t n = 0; n < 2 * saved.count; n++) {
		struct saved_texts texts = { NULL, NULL };
		const size_t length = n < saved.count ? n : saved.count;
		uint8_t *bytes = malloc(saved.count);
		struct saving loading;

		memcpy(bytes, saved.bytes, saved.count);
		if (n >= saved.count)
			bytes[n - saved.count] ^= 0xff;
		memset(&loaded, 0, sizeof(loaded));
		loading = loading_begin(bytes, length, 1000, SAVING_VERSION, &texts);
		saved_fields(&loading, &loaded, fields);
		loading_end(&loading);
		CU_ASSERT(n >= saved.count || loading.is_damaged);
		CU_ASSERT(!loading.is_out_of_memory);
		CU_ASSERT(!loading.is_damaged ||
			  (loading.damaged_at >= 1000 && loading.damaged_at <= 1000 + length &&
			   loading.expected[0]));
		told += (size_t)loading.is_damaged;
		release(&loaded);
		saved_texts_free(&texts);
		free(bytes);
	}
	CU_ASSERT(told > saved.count);
	saving_free(&saved);
	release(&things);
}

/* A gap is what the next member, or the struct, is aligned by. */
static void check_gap(const char *name, size_t end, size_t next)
{
	if (next < end || next - end >= 16 || (next > end && next % 4)) {
		CU_FAIL("a member is in no table");
		fprintf(stderr, "# %s: from %zu to %zu\n", name, end, next);
	}
}

static size_t bytes_of(const struct saved_field *field)
{
	return (size_t)field->bytes * field->count;
}

static void tables_have_all_members(void)
{
	for (uint32_t n = 0; analyses[n]; n++) {
		const struct analysis *is = analyses[n];
		size_t end = 0;

		CU_ASSERT(is->saved || is->saves); /* or nothing of it would be saved */
		if (!is->saved)
			continue;
		for (const struct saved_field *field = is->saved; field->kind != SAVED_KIND_END; field++) {
			check_gap(is->name, end, field->offset);
			end = field->offset + bytes_of(field);
		}
		check_gap(is->name, end, is->state_bytes);
	}
}

/* One of made-up analyses without states */
static void free_run(struct analysis_run *run)
{
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++)
		event_places_free(&run->events[kind]);
	free(run);
}

/* An analysis that does not say how it is saved, and one that the file does not have */
static void analyses_that_cannot_be_saved(void)
{
	static const struct saved_field nothing[] = { SAVED_END };
	struct analysis is = { .name = "new", .state_bytes = 1 };
	struct analysis_run *run = calloc(1, sizeof(*run));
	struct saved_texts texts = { NULL, NULL };
	struct saving saving = saving_begin(), loading;

	CU_ASSERT_PTR_NOT_NULL_FATAL(run);
	run->count = 1;
	run->running[0].is = &is;
	analysis_run_saves(&saving, run);
	CU_ASSERT(saving.is_damaged);
	CU_ASSERT_STRING_EQUAL(saving.expected, "the analysis 'new' cannot be saved");
	saving_free(&saving);
	is.saved = nothing;
	saving = saving_begin();
	analysis_run_saves(&saving, run);
	CU_ASSERT(!saving_failed(&saving));
	loading = loading_begin(saving.bytes, saving.count, 0, SAVING_VERSION, &texts);
	is.name = "other";
	analysis_run_saves(&loading, run);
	CU_ASSERT(loading.is_damaged);
	CU_ASSERT_STRING_EQUAL(loading.expected, "expected the analysis 'other', found 'new'");
	saving_free(&saving);
	saved_texts_free(&texts);
	free_run(run);
}

/* What an earlier version did not count is not told, and stays so when it is saved again. */
static void an_analysis_that_came_later(void)
{
	static const struct saved_field nothing[] = { SAVED_END };
	const struct analysis old = { .name = "old", .state_bytes = 1, .saved = nothing };
	const struct analysis later = {
		.name = "later", .state_bytes = 1, .saved = nothing, .since = SAVING_VERSION + 1
	};
	struct analysis_run *run = calloc(1, sizeof(*run)), *again = calloc(1, sizeof(*again));
	struct saved_texts texts = { NULL, NULL };
	struct saving saving = saving_begin(), loading;

	CU_ASSERT_FATAL(run && again);
	run->count = 1;
	run->running[0].is = again->running[0].is = &old;
	run->running[1].is = again->running[1].is = &later;
	analysis_run_saves(&saving, run);
	run->count = again->count = 2;
	loading = loading_begin(saving.bytes, saving.count, 0, SAVING_VERSION, &texts);
	analysis_run_saves(&loading, run);
	loading_end(&loading);
	CU_ASSERT(!saving_failed(&loading));
	CU_ASSERT(!run->running[0].is_missing && run->running[1].is_missing);
	saving_free(&saving);
	saving = saving_begin();
	analysis_run_saves(&saving, run);
	loading = loading_begin(saving.bytes, saving.count, 0, SAVING_VERSION + 1, &texts);
	analysis_run_saves(&loading, again);
	loading_end(&loading);
	CU_ASSERT(!saving_failed(&loading));
	CU_ASSERT(!again->running[0].is_missing && again->running[1].is_missing);
	saving_free(&saving);
	saved_texts_free(&texts);
	free_run(run);
	free_run(again);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each kind of member goes over", all_kinds_go_over },
		{ "numbers look the same everywhere", numbers_look_the_same_everywhere },
		{ "members that came later", of_an_earlier_version },
		{ "damage is told, or harmless", damaged },
		{ "tables have all members of their analysis", tables_have_all_members },
		{ "analyses that cannot be saved are refused by name", analyses_that_cannot_be_saved },
		{ "analyses that came later are not told", an_analysis_that_came_later },
	};

	return tap_main("saving", cases, sizeof(cases) / sizeof(cases[0]));
}
