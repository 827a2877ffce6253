/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples as a database of SQLite: one transaction, so that a file is whole or empty.
 *
 *   recording  key, value                      what the recording says of itself; how it was read
 *   events     number, name, ...               its events
 *   fields     name, type, unit, meaning       what the columns of samples are
 *   samples    a column for each field         NULL is absent; names of values as text
 *   reasons    field, reason, detail, samples  why values are absent, and how often
 */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "about.h"
#include "cells.h"
#include "command/usage/complain.h"
#include "export.h"
#include "numbering.h"

#define LAYOUT "1" /* of the tables: another number if programs that read them have to change */

struct state {
	sqlite3 *database;
	sqlite3_stmt *insert; /* of a sample */
	struct cells cells;
	uint64_t samples;
	struct texts reasons;   /* "NOT_APPLICABLE: not a load" */
	struct triples absences; /* column, reason, 0 */
	uint64_t *absent; /* samples, by number of 'absences' */
	uint32_t room;
};

/* --- the database --- */

static void failed(struct export *export)
{
	struct state *state = export->state;

	if (!export->dump.is_stopped)
		complain(export->arguments->command, "%s: %s", export->arguments->output,
			 sqlite3_errmsg(state->database));
	export->dump.is_stopped = 1;
}

static void execute(struct export *export, const char *statement)
{
	struct state *state = export->state;

	if (!export->dump.is_stopped &&
	    sqlite3_exec(state->database, statement, NULL, NULL, NULL) != SQLITE_OK)
		failed(export);
}

/* NULL after what is wrong has been printed */
static sqlite3_stmt *prepare(struct export *export, const char *statement)
{
	struct state *state = export->state;
	sqlite3_stmt *prepared = NULL;

	if (!export->dump.is_stopped &&
	    sqlite3_prepare_v2(state->database, statement, -1, &prepared, NULL) != SQLITE_OK)
		failed(export);
	return prepared;
}

static void bind_text(sqlite3_stmt *statement, int n, const char *text)
{
	if (text)
		sqlite3_bind_text(statement, n, text, -1, SQLITE_TRANSIENT);
	else
		sqlite3_bind_null(statement, n);
}

static void step(struct export *export, sqlite3_stmt *statement)
{
	if (!export->dump.is_stopped && statement && sqlite3_step(statement) != SQLITE_DONE)
		failed(export);
	if (statement)
		sqlite3_reset(statement);
}

/* --- tables --- */

static void create_samples(struct export *export)
{
	const struct columns *columns = &export->dump.columns;
	sqlite3_str *create = sqlite3_str_new(NULL), *insert = sqlite3_str_new(NULL);
	struct state *state = export->state;
	char *text;

	sqlite3_str_appendall(create, "CREATE TABLE samples (sample INTEGER PRIMARY KEY");
	sqlite3_str_appendall(insert, "INSERT INTO samples VALUES (NULL");
	for (uint32_t n = 0; n < columns->count; n++) {
		const struct column *column = &columns->column[n];
		enum exported_type type = exported_type(column);

		sqlite3_str_appendf(create, ", \"%w\" %s", column->name,
				    type == EXPORTED_NAME || type == EXPORTED_TEXT ? "TEXT" : "INTEGER");
		if (export->dump.reasons)
			sqlite3_str_appendf(create, ", \"%w_reason\" TEXT", column->name);
		sqlite3_str_appendall(insert, export->dump.reasons ? ", ?, ?" : ", ?");
	}
	sqlite3_str_appendall(create, ")");
	sqlite3_str_appendall(insert, ")");
	text = sqlite3_str_finish(create);
	execute(export, text ? text : "");
	sqlite3_free(text);
	text = sqlite3_str_finish(insert);
	state->insert = prepare(export, text ? text : "");
	sqlite3_free(text);
}

static void put_fields(struct export *export)
{
	const struct columns *columns = &export->dump.columns;
	sqlite3_stmt *insert;

	execute(export, "CREATE TABLE fields (name TEXT PRIMARY KEY, type TEXT, unit TEXT, "
			"meaning TEXT)");
	insert = prepare(export, "INSERT INTO fields VALUES (?, ?, ?, ?)");
	for (uint32_t n = 0; n < columns->count && insert; n++) {
		const struct column *column = &columns->column[n];

		bind_text(insert, 1, column->name);
		bind_text(insert, 2, exported_type_name(column));
		bind_text(insert, 3, exported_unit(column));
		bind_text(insert, 4, exported_meaning(column));
		step(export, insert);
	}
	sqlite3_finalize(insert);
}

/* What is known at the end: how much was read */
static void put_recording(struct export *export)
{
	const struct recording *recording = export->dump.recording;
	struct state *state = export->state;
	struct about about;
	sqlite3_stmt *insert;

	execute(export, "CREATE TABLE recording (key TEXT PRIMARY KEY, value TEXT)");
	insert = prepare(export, "INSERT INTO recording VALUES (?, ?)");
	if (!insert)
		return;
	about_recording(&about, recording);
	about_reading(&about, recording, state->samples);
	for (uint32_t n = 0; n < about.count; n++) {
		bind_text(insert, 1, about.fact[n].key);
		bind_text(insert, 2, about.fact[n].value);
		step(export, insert);
	}
	sqlite3_finalize(insert);
}

/* At the end, too: through a pipe events come as late as their samples */
static void put_events(struct export *export)
{
	struct precis_file *file = export->dump.file;
	uint32_t count = precis_file_event_count(file);
	struct state *state = export->state;
	struct exported name;
	sqlite3_stmt *insert;

	execute(export, "CREATE TABLE events (number INTEGER PRIMARY KEY, name TEXT, type INTEGER, "
			"config INTEGER, config1 INTEGER, config2 INTEGER, sample_period INTEGER, "
			"is_frequency INTEGER, precise_ip INTEGER)");
	insert = prepare(export, "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
	for (uint32_t n = 0; n < count && insert; n++) {
		const struct precis_event *event = precis_file_event(file, n);
		const uint64_t numbers[] = { event->type, event->config, event->config1,
					     event->config2, event->sample_period,
					     event->is_frequency, event->precise_ip };

		exported_event(&state->cells, &export->dump, n, &name);
		sqlite3_bind_int64(insert, 1, n);
		bind_text(insert, 2, name.text);
		for (int i = 0; i < 7; i++)
			sqlite3_bind_int64(insert, 3 + i, (sqlite3_int64)numbers[i]);
		step(export, insert);
	}
	sqlite3_finalize(insert);
}

static void put_reasons(struct export *export)
{
	struct state *state = export->state;
	sqlite3_stmt *insert;

	execute(export, "CREATE TABLE reasons (field TEXT, reason TEXT, detail TEXT, "
			"samples INTEGER)");
	insert = prepare(export, "INSERT INTO reasons VALUES (?, ?, ?, ?)");
	for (uint32_t n = 0; n < state->absences.slots.count && insert; n++) {
		const char *reason = texts_of(&state->reasons, state->absences.triple[n][1]);
		const char *colon = strstr(reason, ": ");

		bind_text(insert, 1,
			  export->dump.columns.column[state->absences.triple[n][0]].name);
		sqlite3_bind_text(insert, 2, reason, (int)(colon - reason), SQLITE_TRANSIENT);
		bind_text(insert, 3, colon + 2);
		sqlite3_bind_int64(insert, 4, (sqlite3_int64)state->absent[n]);
		step(export, insert);
	}
	sqlite3_finalize(insert);
}

/* --- samples --- */

/* One more that lacks the column for this reason. 0, or -1 if memory is short */
static int count_absence(struct state *state, uint32_t column, const char *reason)
{
	uint32_t number = texts_number(&state->reasons, reason);

	number = number == NO_NUMBER ? number : triples_number(&state->absences, column, number, 0);
	if (number == NO_NUMBER)
		return -1;
	if (number >= state->room) {
		uint32_t room = state->absences.slots.room;
		uint64_t *more = realloc(state->absent, room * sizeof(*more));

		if (!more)
			return -1;
		memset(more + state->room, 0, (room - state->room) * sizeof(*more));
		state->absent = more;
		state->room = room;
	}
	state->absent[number]++;
	return 0;
}

static void bind_cell(sqlite3_stmt *insert, int n, const struct column *column,
		      const struct exported *cell)
{
	char text[COLUMN_ROOM];

	switch (exported_type(column)) {
	case EXPORTED_NAME:
		sqlite3_bind_text(insert, n, text,
				  (int)(column_put(text, column, cell->number) - text),
				  SQLITE_TRANSIENT);
		break;
	case EXPORTED_TEXT:
		sqlite3_bind_text(insert, n, cell->text, (int)cell->length, SQLITE_TRANSIENT);
		break;
	default:
		sqlite3_bind_int64(insert, n, (sqlite3_int64)cell->number);
	}
}

static void take(struct dump *dump, const struct precis_sample *sample)
{
	struct export *export = export_of(dump);
	struct state *state = export->state;
	int at = 1;

	for (uint32_t n = 0; n < dump->columns.count; n++, at += dump->reasons ? 2 : 1) {
		const struct column *column = &dump->columns.column[n];
		struct exported cell = { .number = 0 };

		exported_get(&state->cells, dump, column, sample, &cell);
		if (dump->reasons)
			sqlite3_bind_null(state->insert, at + 1);
		if (!cell.is_absent) {
			bind_cell(state->insert, at, column, &cell);
			continue;
		}
		sqlite3_bind_null(state->insert, at);
		if (dump_has(dump, column, sample, 1)) /* a text that is too long: told at the end */
			continue;
		exported_reason(&state->cells, dump, column, sample, &cell);
		if (dump->reasons)
			bind_text(state->insert, at + 1, cell.text);
		if (count_absence(state, n, cell.text)) {
			export_out_of_memory(export);
			return;
		}
	}
	step(export, state->insert);
	state->samples++;
}

/* --- the format --- */

/* An empty file that was not there, or is to be replaced. 0, or -1 after the error is printed */
static int create(const struct export_arguments *arguments)
{
	const char *path = arguments->output;
	struct stat status;
	int fd;

	if (arguments->force && !stat(path, &status) && !S_ISREG(status.st_mode)) {
		complain(arguments->command, "%s: is no file that a database can replace", path);
		return -1;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (arguments->force ? O_TRUNC : O_EXCL), 0666);
	if (fd < 0) {
		complain(arguments->command, "%s: %s%s", path, strerror(errno),
			 errno == EEXIST ? ": --force replaces it" : "");
		return -1;
	}
	close(fd);
	return 0;
}

static int open_sqlite(struct export *export)
{
	struct state *state;

	if (create(export->arguments))
		return -1;
	state = export->state = calloc(1, sizeof(*state));
	if (!state || cells_open(&state->cells)) {
		export_out_of_memory(export);
		return -1;
	}
	if (sqlite3_open_v2(export->arguments->output, &state->database, SQLITE_OPEN_READWRITE,
			    NULL) != SQLITE_OK) {
		failed(export);
		return -1;
	}
	return 0;
}

static void begin(struct dump *dump)
{
	struct export *export = export_of(dump);

	/* Nothing of worth is in the file yet, so it need not reach the disk before it goes on */
	execute(export, "PRAGMA synchronous = OFF");
	execute(export, "PRAGMA user_version = " LAYOUT);
	execute(export, "BEGIN");
	put_fields(export);
	create_samples(export);
}

static void end(struct dump *dump)
{
	struct export *export = export_of(dump);
	struct state *state = export->state;

	put_events(export);
	put_reasons(export);
	put_recording(export);
	execute(export, "COMMIT");
	cells_say_what_is_missing(&state->cells, dump->recording);
}

static void close_sqlite(struct export *export)
{
	struct state *state = export->state;

	sqlite3_finalize(state->insert);
	sqlite3_close(state->database);
	cells_close(&state->cells);
	texts_free(&state->reasons);
	triples_free(&state->absences);
	free(state->absent);
	free(state);
}

const struct export_format export_sqlite = {
	.dump = { "sqlite", begin, take, end, NULL },
	.takes = EXPORT_FIELDS | EXPORT_REASONS | EXPORT_SORTED | EXPORT_FORCE,
	.open = open_sqlite,
	.close = close_sqlite,
};
