/* SPDX-License-Identifier: BSD-3-Clause */
/* See saved.h. */
#include "saved.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/recording/traces.h"
#include "command/usage/complain.h"
#include "saved_dump.h"
#include "skeleton.h"
#include "spilled.h"

/* --- what is said of a recording beside its file --- */

struct facts {
	const char *path; /* for messages, and the report */
	int is_stdin, is_broken, code;
	uint32_t units; /* enum saved_units */
	uint64_t first, last; /* its span, where keys needed it */
	uint64_t undecodable, nothing; /* samples */
	int has_traces;
	uint64_t traced;
	uint64_t fields[PRECIS_FIELD_WORDS]; /* that samples were selected by */
};

static void saves_facts(struct saving *saving, struct facts *facts)
{
	uint32_t words = PRECIS_FIELD_WORDS;

	saved_text(saving, &facts->path);
	saved_int(saving, &facts->is_stdin);
	saved_int(saving, &facts->is_broken);
	saved_int(saving, &facts->code);
	saved_below(saving, &facts->units, SAVED_UNITS_UNTOLD + 1, "what is told of units");
	saved_u64(saving, &facts->first);
	saved_u64(saving, &facts->last);
	saved_u64(saving, &facts->undecodable);
	saved_u64(saving, &facts->nothing);
	saved_int(saving, &facts->has_traces);
	saved_u64(saving, &facts->traced);
	/* a version with more fields has more words */
	saved_below(saving, &words, PRECIS_FIELD_WORDS + 1, "words of fields");
	for (uint32_t n = 0; n < words; n++)
		saved_u64(saving, &facts->fields[n]);
	if (!facts->path)
		saving_damaged(saving, "expected the name of a recording");
}

static struct facts facts_of(const struct reading *reading, enum saved_units units, int code)
{
	struct precis_pebs_pt_counts traces = { .size = sizeof(traces) };
	struct facts facts = {
		.path = reading->recording.path, .is_stdin = reading->recording.is_stdin,
		.is_broken = reading->recording.broken, .code = code, .units = units,
		.first = reading->span.first, .last = reading->span.last,
		.undecodable = reading->faults.undecodable.count, .nothing = reading->faults.nothing,
	};

	facts.has_traces = !reading->arguments->is_pebs && recording_traces(&reading->recording, &traces);
	facts.traced = traces.samples;
	memcpy(facts.fields, reading->selection.fields, sizeof(facts.fields));
	return facts;
}

/* --- saving --- */

static void put_part(struct output *output, const char *name, const void *bytes, size_t count)
{
	uint8_t header[SAVED_PART_BYTES];

	saved_part_header(header, name, count, saved_checksum(0, bytes, count));
	output_bytes(output, (const char *)header, sizeof(header));
	if (count)
		output_bytes(output, bytes, count);
}

/* What has been written into it. 0, or -1 if memory was short, or it was told what cannot be saved */
static int put_saving(struct output *output, const char *name, struct saving *saving, const char *command)
{
	const int failed = saving_failed(saving);

	if (!failed)
		put_part(output, name, saving->bytes, saving->count);
	else
		complain(command, "%s", saving->is_damaged ? saving->expected : "out of memory");
	saving_free(saving);
	return failed ? -1 : 0;
}

int saved_begin(struct output *output, const struct report_arguments *arguments)
{
	struct saving saving = saving_begin();
	struct asked asked = arguments->asked;
	const char *command = arguments->command;
	uint8_t header[SAVED_HEADER_BYTES];

	saved_header(header);
	output_bytes(output, (const char *)header, sizeof(header));
	saved_text(&saving, &command);
	asked_saves(&saving, &asked);
	return put_saving(output, "options", &saving, arguments->command);
}

void saved_finish(struct output *output)
{
	put_part(output, "end", "", 0);
}

static int put_skeleton(struct output *output, const struct reading *reading)
{
	uint8_t *bytes;
	size_t count;

	if (skeleton_make(reading->recording.file, &bytes, &count) < 0) {
		complain(reading->arguments->command, "%s: its events cannot be saved: %s",
			 reading->recording.path, strerror(errno));
		return -1;
	}
	put_part(output, "events", bytes, count);
	free(bytes);
	return 0;
}

static int put_counts(struct output *output, const struct reading *reading)
{
	const int64_t count = precis_file_state(reading->recording.file, NULL, 0);
	uint8_t *bytes = count > 0 ? malloc((size_t)count) : NULL;

	if (!bytes || precis_file_state(reading->recording.file, bytes, (size_t)count) != count) {
		free(bytes);
		complain(reading->arguments->command, "out of memory");
		return -1;
	}
	put_part(output, "counts", bytes, (size_t)count);
	free(bytes);
	return 0;
}

static int put_dump(struct output *output, struct reading *reading)
{
	struct saving saving = saving_begin();

	saved_dump(&saving, reading);
	return put_saving(output, "dump", &saving, reading->arguments->command);
}

static int spill(void *to, const uint8_t *bytes, size_t count)
{
	return spilled_add(to, bytes, count);
}

/* Names of thousands of places may be more than all that was kept while the recording was read. */
static int put_run(struct output *output, struct reading *reading)
{
	const char *command = reading->arguments->command;
	struct spilled spilled = spilled_begin();
	struct saving saving = saving_begin();
	int failed;

	saving.spill = spill;
	saving.spill_to = &spilled;
	analysis_run_saves(&saving, &reading->run);
	if (spilled.fd >= 0)
		saving_spill(&saving);
	if (spilled.fd < 0 || saving_failed(&saving)) {
		failed = put_saving(output, "run", &saving, command);
	} else {
		failed = spilled_put(output, "run", &spilled);
		if (failed)
			complain(command, "the temporary file: %s", strerror(errno));
		saving_free(&saving);
	}
	spilled_free(&spilled);
	return failed;
}

int saved_put(struct output *output, const char *part, struct reading *reading, enum saved_units units,
	      int code)
{
	const char *command = reading->arguments->command;
	struct facts facts = facts_of(reading, units, code);
	struct saving saving = saving_begin();

	saves_facts(&saving, &facts);
	if (put_saving(output, part, &saving, command) < 0)
		return -1;
	if (reading->arguments->is_pebs ? put_dump(output, reading) < 0 :
	    put_skeleton(output, reading) < 0 || put_counts(output, reading) < 0)
		return -1;
	return put_run(output, reading);
}

/* --- loading --- */

static struct saving load_part(const struct saved_parts *parts, struct saved_texts *texts)
{
	return loading_begin(parts->bytes, parts->count, parts->bytes_at, parts->version, texts);
}

/* All of it has been gone through. An exit code, after it was told what is wrong */
static int end_part(const struct saved_parts *parts, struct saving *saving)
{
	loading_end(saving);
	if (saving->is_damaged)
		return saved_complain(parts, saving->damaged_at, "part '%s': %s", parts->name,
				      saving->expected);
	if (saving->is_out_of_memory)
		complain(parts->command, "out of memory");
	return saving->is_out_of_memory ? EXIT_FAILED : EXIT_OK;
}

/* Which parts come behind which */
static const struct {
	const char *part, *behind;
} order[] = {
	{ SAVED_RECORDING, "options" }, { "events", SAVED_RECORDING }, { "counts", "events" },
	{ "run", "counts" }, { "dump", SAVED_RECORDING }, { "run", "dump" }, { SAVED_RECORDING, "run" },
	{ SAVED_UNIT, "run" }, { "events", SAVED_UNIT }, { "end", "run" },
};

static int may_follow(const char *part, const char *behind)
{
	for (size_t n = 0; n < sizeof(order) / sizeof(order[0]); n++) {
		if (strcmp(order[n].part, part) == 0 && strcmp(order[n].behind, behind) == 0)
			return 1;
	}
	return 0;
}

/* All parts, from the first on: EXIT_OK with the number of recordings */
static int check_parts(struct saved_parts *parts, long *recordings)
{
	char behind[SAVED_NAME_BYTES + 1];

	for (*recordings = 0; strcmp(parts->name, "end"); *recordings += !strcmp(parts->name,
										 SAVED_RECORDING)) {
		const uint64_t at = parts->offset;

		memcpy(behind, parts->name, sizeof(behind));
		if (saved_next(parts))
			return EXIT_FAILED;
		if (!may_follow(parts->name, behind))
			return saved_complain(parts, at,
					      "expected what comes behind the part '%s', found '%s'", behind,
					      parts->name);
	}
	return saved_check_end(parts);
}

long saved_recordings(const struct report_arguments *arguments, const char *path)
{
	struct saved_parts parts;
	long recordings = -1;
	int code = saved_open(&parts, arguments->command, path);

	if (!code)
		code = saved_take(&parts, "options");
	if (!code)
		code = check_parts(&parts, &recordings);
	saved_close(&parts);
	return code ? -1 : recordings;
}

static int check_options(struct saved_parts *parts, const struct report_arguments *arguments)
{
	struct saved_texts texts = { .tree = NULL };
	struct asked saved = { .list = NULL };
	struct saving saving = load_part(parts, &texts);
	const char *command = NULL;
	char text[512];
	int code;

	saved_text(&saving, &command);
	asked_saves(&saving, &saved);
	code = end_part(parts, &saving);
	if (!code && (!command || strcmp(command, arguments->command)))
		code = complain_usage(arguments->command, "%s: saved by precis %s, which tells it",
				      parts->path, command ? command : "?");
	if (!code && asked_differs(&saved, &arguments->asked, text, sizeof(text)))
		code = complain_usage(arguments->command, "%s: %s", parts->path, text);
	asked_free(&saved);
	saved_texts_free(&texts);
	return code;
}

int saved_read_head(struct saved_parts *parts, const struct report_arguments *arguments, const char *path)
{
	int code = saved_open(parts, arguments->command, path);

	if (!code)
		code = saved_take(parts, "options");
	return code ? code : check_options(parts, arguments);
}

int saved_end(struct saved_parts *parts)
{
	return saved_take(parts, "end");
}

/* What follows a recording's facts, unread */
static int skip(struct saved_parts *parts)
{
	return saved_take(parts, "events") || saved_take(parts, "counts") || saved_take(parts, "run") ?
		       EXIT_FAILED : EXIT_OK;
}

static int load_facts(struct saved_parts *parts, struct reading *reading, struct facts *facts)
{
	struct saving saving = load_part(parts, &reading->texts);

	saves_facts(&saving, facts);
	return end_part(parts, &saving);
}

static void take_facts(struct reading *reading, const struct facts *facts)
{
	struct recording *recording = &reading->recording;

	recording->path = facts->path;
	recording->is_stdin = facts->is_stdin;
	recording->broken = facts->is_broken;
	recording->has_saved_traces = facts->has_traces;
	recording->saved_traced = facts->traced;
	reading->span.first = facts->first;
	reading->span.last = facts->last;
	reading->faults.undecodable.count = facts->undecodable;
	reading->faults.nothing = facts->nothing;
	for (uint32_t n = 0; n < PRECIS_FIELD_WORDS; n++)
		reading->selection.fields[n] |= facts->fields[n];
}

static int load_skeleton(struct saved_parts *parts, struct reading *reading)
{
	struct precis_file_error error = { .size = sizeof(error) };
	int fd, failed;

	if (saved_take(parts, "events"))
		return EXIT_FAILED;
	fd = skeleton_open(parts->bytes, parts->count);
	if (fd < 0)
		return saved_complain(parts, parts->bytes_at, "cannot keep the events: %s", strerror(errno));
	failed = recording_open_saved(&reading->recording, fd, &reading->options, &error);
	close(fd);
	if (failed)
		return saved_complain(parts, parts->bytes_at + (error.has_offset ? error.offset : 0),
				      "part 'events': %s%s%s", precis_strerror(error.code),
				      error.expected[0] ? ": " : "", error.expected);
	reading->input = reading->recording.input;
	return EXIT_OK;
}

static int load_counts(struct saved_parts *parts, struct reading *reading)
{
	int code;

	if (saved_take(parts, "counts"))
		return EXIT_FAILED;
	code = precis_file_set_state(reading->recording.file, parts->bytes, parts->count);
	return code ? saved_complain(parts, parts->bytes_at, "part 'counts': %s",
				     precis_strerror(code)) : EXIT_OK;
}

/* 'is_empty': the run is one that counted nothing */
static int load_run(struct saved_parts *parts, struct reading *reading, int is_empty)
{
	struct saving saving;
	int code;

	if (saved_take(parts, "run"))
		return EXIT_FAILED;
	if (reading_begin(reading) < 0) {
		complain(parts->command, "out of memory");
		return EXIT_FAILED;
	}
	if (is_empty) {
		reading_finish(reading);
		return EXIT_OK;
	}
	saving = load_part(parts, &reading->texts);
	analysis_run_saves(&saving, &reading->run);
	code = end_part(parts, &saving);
	for (uint32_t n = 0; n < reading->run.count && !code; n++) {
		if (reading->run.running[n].is_missing)
			complain(parts->command, "%s: saved by a version that did not count '%s', which is "
				 "not told", parts->path, reading->run.running[n].is->name);
	}
	reading->run.failed |= saving.is_out_of_memory;
	return code;
}

static int load_dump(struct saved_parts *parts, struct reading *reading)
{
	struct saving saving;

	if (saved_take(parts, "dump") ||
	    pebs_walk_open_saved(&reading->walk, &reading->arguments->pebs, &reading->recording))
		return EXIT_FAILED;
	reading->input = reading->walk.input;
	saving = load_part(parts, &reading->texts);
	saved_dump(&saving, reading);
	return end_part(parts, &saving);
}

static int load(struct saved_parts *parts, struct reading *reading, const struct facts *facts, int is_empty)
{
	int code;

	take_facts(reading, facts);
	if (reading->arguments->is_pebs) {
		code = load_dump(parts, reading);
		return code ? code : load_run(parts, reading, is_empty);
	}
	code = load_skeleton(parts, reading);
	if (!code)
		code = load_counts(parts, reading);
	return code ? code : load_run(parts, reading, is_empty);
}

/* Both units follow what was just read: 'wanted' is that to be loaded, from 1, 0: neither. */
static int read_units(struct saved_parts *parts, struct reading *reading, uint32_t wanted)
{
	for (uint32_t n = 1; n <= 2; n++) {
		struct facts facts = { .path = NULL };

		if (saved_take(parts, SAVED_UNIT) || load_facts(parts, reading, &facts) ||
		    (n == wanted ? load(parts, reading, &facts, 0) : skip(parts)))
			return EXIT_FAILED;
	}
	return EXIT_OK;
}

static int read_recording(struct saved_parts *parts, struct reading *reading, struct facts *facts)
{
	const uint32_t unit = reading->arguments->unit;
	const int follow = facts->units == SAVED_UNITS_FOLLOW;
	int code;

	if (unit && follow)
		code = skip(parts);
	else
		code = load(parts, reading, facts, unit == 2);
	return code || !follow ? code : read_units(parts, reading, unit);
}

int saved_read(struct saved_parts *parts, struct report_arguments *arguments, struct reading *reading,
	       int *is_there)
{
	struct facts facts = { .path = NULL };
	int code;

	reading_open_saved(reading, arguments);
	code = saved_take(parts, SAVED_RECORDING);
	if (!code)
		code = load_facts(parts, reading, &facts);
	if (!code)
		code = read_recording(parts, reading, &facts);
	*is_there = !code;
	if (code) {
		reading_close(reading);
		return code;
	}
	reading->is_read_once = facts.units == SAVED_UNITS_UNTOLD;
	if (facts.code)
		complain(arguments->command, "%s: %s had faults when it was saved, which were told then",
			 parts->path, facts.path);
	return facts.code ? EXIT_FAILED : EXIT_OK;
}

/* --- from one file into another --- */

/* What is loaded counts as its units say, whatever the arguments ask for. An exit code */
static int copy_part(struct saved_parts *parts, struct report_arguments *arguments, const char *part,
		     struct output *output, struct facts *facts)
{
	struct reading reading;
	int code;

	reading_open_saved(&reading, arguments);
	code = saved_take(parts, part);
	if (!code)
		code = load_facts(parts, &reading, facts);
	if (!code)
		code = load(parts, &reading, facts, 0);
	if (!code && saved_put(output, part, &reading, (enum saved_units)facts->units, facts->code) < 0)
		code = EXIT_FAILED;
	facts->path = NULL;
	reading_close(&reading);
	return code;
}

int saved_copy(struct saved_parts *parts, struct report_arguments *arguments, struct output *output,
	       int *is_there)
{
	struct facts facts = { .path = NULL }, of_unit;
	int code = copy_part(parts, arguments, SAVED_RECORDING, output, &facts);

	for (uint32_t n = 0; n < 2 && !code && facts.units == SAVED_UNITS_FOLLOW; n++)
		code = copy_part(parts, arguments, SAVED_UNIT, output, &of_unit);
	*is_there = !code;
	return code || !facts.code ? code : EXIT_FAILED;
}
