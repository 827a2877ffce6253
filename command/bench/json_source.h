/* SPDX-License-Identifier: BSD-3-Clause */
/* A JSON file that somebody else may have written: read in bounded memory, and taken apart with errors that
 * say where. */
#ifndef BENCH_JSON_SOURCE_H
#define BENCH_JSON_SOURCE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Larger files are refused, and those whose values need more memory than this, or than so many times the
 * file's bytes and a little. A row of runs has some 1200 bytes, and 15 times as many in memory: 150 000 rows
 * have room, which are 20 runs of 60 series in 1, 2, 4 and so on to 64 threads.
 */
#define JSON_FILE_MOST (UINT32_C(256) << 20)
#define JSON_MEMORY_MOST (UINT64_C(2) << 30)
#define JSON_MEMORY_EACH 32u
#define JSON_MEMORY_LEAST (UINT64_C(16) << 20)

struct json_source {
	const char *command, *path;
	json_t *root;
	char where[96]; /* what is taken apart: "runs.rows[3]"; "": the whole */
};

/* 0, or -1 after it has been said why as 'command'. "-": standard input. In either case json_source_free() */
int json_source_open(struct json_source *source, const char *command, const char *path);
void json_source_free(struct json_source *source);

/* Say what is wrong with that member, or with all of it: NULL. Returns -1 */
int json_wrong(const struct json_source *source, const char *member, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Members of an object. NULL or -1: it has been said that there is none, or none such */
const json_t *json_take_object(const struct json_source *source, const json_t *from, const char *member);
const json_t *json_take_array(const struct json_source *source, const json_t *from, const char *member);
const char *json_take_text(const struct json_source *source, const json_t *from, const char *member);
int json_take_bool(const struct json_source *source, const json_t *from, const char *member, int *value);
int json_take_count(const struct json_source *source, const json_t *from, const char *member, uint64_t least,
		    uint64_t most, uint64_t *value);
/* An array of so many counts, each 'most' at most */
int json_take_counts(const struct json_source *source, const json_t *from, const char *member, size_t count,
		     uint64_t most, uint64_t *values);

#endif
