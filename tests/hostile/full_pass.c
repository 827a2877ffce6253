/* SPDX-License-Identifier: BSD-3-Clause */
/* See full_pass.h. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <precis/precis.h>

#include "tests/fuzz/target.h"
#include "tests/hostile/full_pass.h"
#include "tests/hostile/full_pass_parts.h"
#include "tests/hostile/sum.h"

/* A few kilobytes of zstd can hold gigabytes of records: enough is enough. */
#define MOST_RECORDS 200000u

/* Little, so that what is sorted does not always fit */
#define SORT_MEMORY 65536u
#define TEMPORARY "/dev/shm"
/* What a pipe takes before somebody reads */
#define PIPE_BYTES 65536u

/* Files that symbols would be read from are not there: a hostile recording names any. */
static const char *const nothing[] = { NULL };
static const struct precis_symbols_options nowhere = { .size = sizeof(nowhere),
						       .symfs = "/nonexistent",
						       .debug_directories = nothing,
						       .build_id_caches = nothing,
						       .kallsyms = "/nonexistent" };

static void check_error(const struct precis_file_error *error, int code)
{
	PROMISE(code < 0);
	PROMISE(error->code == code);
	PROMISE(memchr(error->expected, '\0', sizeof(error->expected)));
	/* a few kilobytes of input never need more memory than there is */
	PROMISE(code != PRECIS_E_NO_MEMORY && code != PRECIS_E_ARGUMENT);
	PROMISE(error->has_offset || code == PRECIS_E_IO || code == PRECIS_E_UNSUPPORTED ||
		code == PRECIS_E_DIRECTORY);
	PROMISE(error->has_offset || code != PRECIS_E_IO || error->sys_errno);
}

static uint64_t time_of(struct precis_file *file, const struct precis_record *record)
{
	const struct precis_event *event = precis_file_event_of(file, record);
	struct precis_sample_id id = { .size = sizeof(id) };

	if (!event || record->type == PRECIS_RECORD_SAMPLE ||
	    precis_sample_id_parse(event->layout, record, &id))
		return 0;
	return id.present & PRECIS_SAMPLE_TIME ? id.time : 0;
}

static void learn(struct precis_symbols *symbols, struct precis_file *file,
		  const struct precis_record *record)
{
	struct precis_location location = { .size = sizeof(location) };
	struct precis_line line = { .size = sizeof(line) };
	const char *name;
	uint64_t time = time_of(file, record);
	int code = precis_symbols_record(symbols, record, time);

	PROMISE(code <= 0 && code != PRECIS_E_NO_MEMORY && code != PRECIS_E_ARGUMENT);
	code = precis_symbols_find(symbols, 100, record->misc & PRECIS_MISC_CPUMODE_MASK, time,
				   record->offset * 4096, &location);
	PROMISE(code == 0 || code == 1);
	PROMISE(!location.object || strlen(location.object) < 65536);
	PROMISE(precis_symbols_line(symbols, &location, &line) >= 0);
	PROMISE(precis_symbols_task(symbols, 100, time, &name) >= 0);
}

/* Counters of a record in PT are looked for as soon as something is said of them. */
static void learn_counters(struct precis_pebs_pt_events *events, const struct precis_record *record)
{
	struct precis_pebs_pt_match match = { .size = sizeof(match) };
	struct precis_auxtrace trace = { .size = sizeof(trace) };
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	int code = precis_pebs_pt_events_record(events, record);

	PROMISE(code <= 0 && code != PRECIS_E_NO_MEMORY && code != PRECIS_E_ARGUMENT);
	pebs.captured = 1u << PRECIS_PEBS_APPLICABLE_COUNTERS;
	pebs.word[PRECIS_PEBS_APPLICABLE_COUNTERS] = UINT64_MAX;
	if (record->type == PRECIS_RECORD_AUXTRACE && !precis_auxtrace_parse(record, &trace)) {
		PROMISE(precis_pebs_pt_events_match(events, &trace, PRECIS_PEBS_PT_NO_TIME, &pebs,
						    &match) == 0);
		PROMISE(match.count <= 64 && (match.count > 0) == (match.by != 0));
	}
}

/*
 * All that is asked of a record, asked of a copy of exactly its size: where a
 * record is handed out other bytes follow, and reading on there would go unseen.
 */
static void visit_copy(struct precis_file *file, struct precis_symbols *symbols,
		       struct precis_pebs_pt_events *events, const struct precis_record *record)
{
	struct precis_record copy = *record;
	uint8_t *bytes = malloc(record->size);

	if (!bytes)
		return;
	memcpy(bytes, record->data, record->size);
	PROMISE(precis_record_at(bytes, record->size, &copy) == 0);
	PROMISE(copy.type == record->type && copy.misc == record->misc &&
		copy.size == record->size);
	full_pass_parse(file, &copy);
	learn(symbols, file, &copy);
	learn_counters(events, &copy);
	free(bytes);
}

/*
 * A part of the data behind a record, as a trace of Intel PT that PEBS records may be in. What is
 * not read has to be stepped over.
 */
static void visit_payload(struct precis_file *file)
{
	struct precis_pebs_pt decoder;
	uint8_t bytes[4096];

	precis_pebs_pt_init(&decoder, 0);
	for (int pieces = 0; pieces < 16; pieces++) {
		int64_t got = precis_file_payload(file, bytes, sizeof(bytes) - (size_t)pieces);

		PROMISE(got <= (int64_t)sizeof(bytes) - pieces);
		if (got < 0)
			check_error(precis_file_last_error(file), (int)got);
		if (got <= 0)
			break;
		full_pass_trace(&decoder, bytes, (size_t)got);
	}
	full_pass_trace_end(&decoder);
}

struct visitor {
	int in_file_order; /* records of one file come in their order */
	struct precis_symbols *symbols; /* NULL: records are counted alone */
	struct precis_pebs_pt_events *events; /* with 'symbols' */
	full_pass_record *each;
	void *data;
};

static void read_records(struct precis_file *file, const struct visitor *visitor,
			 struct full_pass *result)
{
	struct precis_record record;

	uint64_t offset = 0;

	memset(result, 0, sizeof(*result));
	result->opened = 1;
	while ((result->code = precis_file_next(file, &record)) == 1) {
		PROMISE(record.size >= 8);
		PROMISE(!visitor->in_file_order || record.offset >= offset);
		offset = record.offset;
		result->records++;
		result->sum += sum_bytes(record.data, record.size);
		if (visitor->each)
			visitor->each(visitor->data, &record);
		if (visitor->symbols)
			visit_copy(file, visitor->symbols, visitor->events, &record);
		if (record.type == PRECIS_RECORD_AUXTRACE)
			visit_payload(file);
		result->cut_short = result->records == MOST_RECORDS;
		if (result->cut_short)
			return;
	}
	PROMISE(precis_file_next(file, &record) == result->code);
	if (result->code) {
		const struct precis_file_error *error = precis_file_last_error(file);

		check_error(error, result->code);
		result->has_offset = error->has_offset;
		result->offset = error->offset;
	}
}

static void check_counts(const struct precis_file *file, const struct full_pass *result)
{
	struct precis_file_counts counts = { .size = sizeof(counts) };
	struct precis_file_info info = { .size = sizeof(info) };
	uint64_t samples = 0;

	PROMISE(precis_file_info(file, &info) == 0);
	PROMISE(!info.data_bytes || precis_file_position(file) <= info.data_bytes);
	PROMISE(precis_file_counts(file, &counts) == 0);
	PROMISE(counts.records == result->records);
	PROMISE(counts.samples <= result->records && counts.samples_unread <= counts.samples);
	PROMISE(counts.late_records <= counts.records);
	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		struct precis_event_counts one = { .size = sizeof(one) };

		PROMISE(precis_file_event_counts(file, n, &one) == 0);
		PROMISE(one.undecodable <= one.samples);
		samples += one.samples;
	}
	PROMISE(samples <= counts.samples);
}

static void show(const char *name, const struct full_pass *pass)
{
	fprintf(stderr, "%s: opened %u, %llu records, sum %llx, code %d, offset %lld\n", name,
		pass->opened, (unsigned long long)pass->records, (unsigned long long)pass->sum,
		pass->code, pass->has_offset ? (long long)pass->offset : -1);
}

static void check_same(const char *name, const struct full_pass *found,
		       const struct full_pass *expected)
{
	int same = found->records == expected->records && found->sum == expected->sum &&
		   found->opened == expected->opened && found->code == expected->code &&
		   found->has_offset == expected->has_offset && found->offset == expected->offset;

	if (!same) {
		show("first pass", expected);
		show(name, found);
	}
	PROMISE(same);
}

/* How a recording is opened: by its path, or from a descriptor if 'path' is NULL */
struct way {
	const char *path;
	int fd;
	uint32_t order;
	const char *name;
};

static struct precis_file *open_recording(const struct way *way, struct full_pass *result)
{
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_file_options options = { .size = sizeof(options),
					       .order = way->order,
					       .sort_memory = SORT_MEMORY,
					       .temporary_directory = TEMPORARY };
	struct precis_file *file = NULL;
	int code = way->path ? precis_file_open(way->path, &options, &file, &error)
			     : precis_file_open_fd(way->fd, &options, &file, &error);

	PROMISE(code <= 0);
	memset(result, 0, sizeof(*result));
	if (!code)
		return file;
	check_error(&error, code);
	PROMISE(!file);
	result->code = code;
	result->has_offset = error.has_offset;
	result->offset = error.offset;
	return NULL;
}

/* All of it, twice */
static void pass_thoroughly(struct precis_file *file, struct visitor *visitor,
			    struct full_pass *result)
{
	struct precis_file_info info = { .size = sizeof(info) };
	struct full_pass second;
	struct visitor none = { 0 };
	int code;

	PROMISE(precis_file_info(file, &info) == 0);
	visitor->in_file_order = info.form != PRECIS_FORM_DIRECTORY;
	none.in_file_order = visitor->in_file_order;
	full_pass_describe(file);
	PROMISE(precis_symbols_new(&nowhere, &visitor->symbols) == 0);
	PROMISE(precis_pebs_pt_events_open(file, &visitor->events) == 0);
	code = precis_symbols_file(visitor->symbols, file);
	PROMISE(code <= 0 && code != PRECIS_E_NO_MEMORY && code != PRECIS_E_ARGUMENT);
	read_records(file, visitor, result);
	check_counts(file, result);
	full_pass_losses(file);
	full_pass_describe(file);
	precis_symbols_free(visitor->symbols);
	precis_pebs_pt_events_close(visitor->events);
	PROMISE(precis_file_rewind(file) == 0);
	read_records(file, &none, &second);
	check_counts(file, &second);
	check_same("after a rewind", &second, result);
	if (!precis_file_has_pebs_pt(file)) /* then there is nothing to be told */
		return;
	PROMISE(precis_file_rewind(file) == 0);
	full_pass_traced(file, MOST_RECORDS);
}

/* The records alone, twice if that can be */
static void pass_again(const struct way *way, const struct full_pass *expected)
{
	static const struct visitor none;
	struct full_pass result;
	struct precis_file *file = open_recording(way, &result);

	if (file) {
		read_records(file, &none, &result);
		check_counts(file, &result);
	}
	check_same(way->name, &result, expected);
	if (file && precis_file_rewind(file) == 0) {
		read_records(file, &none, &result);
		check_counts(file, &result);
		check_same(way->name, &result, expected);
	}
	precis_file_close(file);
}

/* Through a pipe, as far as its buffer takes it: nobody else is there to read it. */
static void pass_piped(const char *path, const struct full_pass *expected)
{
	static uint8_t bytes[PIPE_BYTES];
	struct way way = { .order = PRECIS_ORDER_FILE, .name = "through a pipe" };
	int fd = open(path, O_RDONLY | O_CLOEXEC), ends[2];
	ssize_t count = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));

	if (fd >= 0)
		close(fd);
	if (count < 0 || count == (ssize_t)sizeof(bytes) || pipe2(ends, O_CLOEXEC))
		return; /* a directory, or too long */
	PROMISE(write(ends[1], bytes, (size_t)count) == count);
	close(ends[1]);
	way.fd = ends[0];
	pass_again(&way, expected);
	close(ends[0]);
}

void full_pass(const char *path, full_pass_record *each, void *data, struct full_pass *result)
{
	struct way in_file_order = { path, -1, PRECIS_ORDER_FILE, "by the file" };
	struct way in_time_order = { path, -1, PRECIS_ORDER_TIME, "by time" };
	struct visitor visitor = { 0, NULL, NULL, each, data };
	struct precis_file *file = open_recording(&in_file_order, result);

	if (file)
		pass_thoroughly(file, &visitor, result);
	precis_file_close(file);
	if (result->cut_short)
		return;
	pass_again(&in_time_order, result);
	pass_piped(path, result);
}
