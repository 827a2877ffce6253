/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every prefix of a recording: each record that is whole in it is handed out,
 * and what is not whole is an error with its place. Of a directory, the last
 * of its data files is the one that is cut.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/record.h>

#include "tests/hostile/full_pass.h"
#include "tests/hostile/structure.h"
#include "tests/hostile/sum.h"
#include "tests/hostile/worker.h"
#include "tests/property/random.h"
#include "tests/support/repetitions.h"

#define MOST_FORMS 32u
#define LARGE_STEP 11u

/* Records, without those that hold others in them: what these hold counts instead */
struct records {
	uint64_t count, sum;
};

struct run {
	const struct form *form;
	struct form_place place;
	struct structure structure; /* of the part that is cut */
	struct records before; /* of the parts that are not */
	uint32_t cut; /* the part */
	uint64_t step;
};

static int is_compressed(uint32_t type)
{
	return type == PRECIS_RECORD_COMPRESSED || type == PRECIS_RECORD_COMPRESSED2;
}

static void add(struct records *records, const uint8_t *bytes, size_t count)
{
	records->count++;
	records->sum += sum_bytes(bytes, count);
}

/* The records in a stretch of decompressed bytes, as far as they are whole */
static void add_all(struct records *records, const uint8_t *bytes, size_t count)
{
	uint16_t size;

	for (size_t at = 0; at + 8 <= count; at += size) {
		memcpy(&size, bytes + at + 6, sizeof(size));
		if (size < 8)
			abort();
		if (size > count - at)
			break;
		add(records, bytes + at, size);
	}
}

/* The records of the first 'length' bytes. @return 0 if they cannot be known: libzstd is not there */
static int count_records(const struct form_part *part, const struct structure *structure,
			 uint64_t length, struct records *records)
{
	size_t count;
	uint8_t *bytes;

	memset(records, 0, sizeof(*records));
	for (uint32_t k = 0; k < structure->count; k++) {
		uint64_t at = structure->record[k].at;

		if (at + structure->record[k].size > length)
			break;
		if (!is_compressed(structure->record[k].type))
			add(records, part->bytes + at, structure->record[k].size);
	}
	if (!structure_is_compressed(structure))
		return 1;
	bytes = structure_decompress(part, structure, length, &count);
	if (!bytes)
		return 0;
	add_all(records, bytes, count);
	free(bytes);
	return 1;
}

static void collect(void *data, const struct precis_record *record)
{
	if (!is_compressed(record->type))
		add(data, record->data, record->size);
}

/* Does a prefix of that length end inside a record, or before all are there? */
static int is_torn(const struct structure *structure, uint64_t length)
{
	uint64_t end = structure->start;

	for (uint32_t k = 0; k < structure->count && end < length; k++)
		end = structure->record[k].at + (uint64_t)structure->record[k].whole;
	return length < structure->end && length != end;
}

static int complain(const char *what, uint64_t length, const struct full_pass *result,
		    const struct records *found, const struct records *expected)
{
	printf("# %llu bytes: %s: code %d, offset %llu, %llu records; expected %llu\n",
	       (unsigned long long)length, what, result->code, (unsigned long long)result->offset,
	       (unsigned long long)found->count, (unsigned long long)expected->count);
	return 1;
}

static int check(const struct run *run, uint64_t length, const struct full_pass *result,
		 const struct records *found)
{
	const struct structure *structure = &run->structure;
	struct records expected = { 0, 0 };
	int torn = is_torn(structure, length);

	if (length < structure->metadata_end) {
		if (result->opened)
			return complain("opened without its events", length, result, found,
					&expected);
		return 0;
	}
	count_records(&run->form->parts[run->cut], structure, length, &expected);
	expected.count += run->before.count;
	expected.sum += run->before.sum;
	if (found->count != expected.count || found->sum != expected.sum)
		return complain("other records", length, result, found, &expected);
	if (torn && result->code >= 0)
		return complain("no error", length, result, found, &expected);
	if (torn && !result->has_offset)
		return complain("an error without a place", length, result, found, &expected);
	if (length == run->form->parts[run->cut].count && result->code)
		return complain("an error in a whole recording", length, result, found, &expected);
	return 0;
}

static int one_prefix(void *data, uint64_t number, uint64_t tally[4])
{
	struct run *run = data;
	struct form_part parts[FORM_PARTS];
	struct records found = { 0, 0 };
	struct full_pass result;
	uint64_t length = number * run->step;

	memcpy(parts, run->form->parts, sizeof(parts));
	if (length > parts[run->cut].count)
		length = parts[run->cut].count;
	parts[run->cut].count = length;
	form_place_write(&run->place, parts);
	full_pass(run->place.path, collect, &found, &result);
	tally[0] = 1;
	tally[1] = result.opened;
	tally[2] = found.count;
	return check(run, length, &result, &found);
}

static int run_form(const struct form *form, uint32_t index)
{
	static struct run run;
	struct worker_result result;
	struct records part;
	uint64_t length;
	int known = 1, good;

	memset(&run, 0, sizeof(run));
	run.form = form;
	run.step = has_few_repetitions() || worker_is_sanitized() ? LARGE_STEP : 1;
	run.cut = form->part_count - 1;
	for (uint32_t n = 0; n < run.cut && known; n++) {
		structure_of(form, n, &run.structure);
		known = count_records(&form->parts[n], &run.structure, UINT64_MAX, &part);
		run.before.count += part.count;
		run.before.sum += part.sum;
	}
	structure_of(form, run.cut, &run.structure);
	known = known && count_records(&form->parts[run.cut], &run.structure, UINT64_MAX, &part);
	if (!known) {
		printf("ok %u - %s # SKIP built without libzstd\n", index, form->name);
		return 1;
	}
	length = form->parts[run.cut].count;
	form_place_open(&run.place, form);
	worker_run(one_prefix, &run, 0, length / run.step + 2, &result);
	form_place_close(&run.place);
	good = !result.failures && result.peak <= WORKER_MEMORY;
	printf("%s %u - %s: %llu prefixes, %llu opened, %llu records, %llu MiB\n",
	       good ? "ok" : "not ok", index, form->name, (unsigned long long)result.tally[0],
	       (unsigned long long)result.tally[1], (unsigned long long)result.tally[2],
	       (unsigned long long)(result.peak >> 20));
	if (result.failures)
		printf("# %u failures, the first at %llu bytes: %s\n", result.failures,
		       (unsigned long long)(result.first_failure * run.step), result.reason);
	return good;
}

int main(int argc, char **argv)
{
	static struct form forms[MOST_FORMS];
	const char *top = getenv("srcdir"), *only = argc > 1 ? argv[1] : NULL;
	uint32_t count, index = 0, wanted = 0;
	char directory[512];
	int good = 1;

	setvbuf(stdout, NULL, _IOLBF, 0);
	snprintf(directory, sizeof(directory), "%s/tests/recordings/forms", top ? top : ".");
	count = form_load_all(directory, forms, MOST_FORMS);
	for (uint32_t n = 0; n < count; n++)
		wanted += !only || !strcmp(only, forms[n].name);
	printf("1..%u\n", wanted);
	for (uint32_t n = 0; n < count; n++) {
		if (!only || !strcmp(only, forms[n].name))
			good &= run_form(&forms[n], ++index);
	}
	form_free_all(forms, count);
	return !good || !wanted;
}
