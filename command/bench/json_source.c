/* SPDX-License-Identifier: BSD-3-Clause */
/* See json_source.h. */
#include "json_source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/usage/complain.h"

#define ROOM_FIRST (UINT32_C(1) << 16)

/* --- memory --- */

/*
 * "[{},{}," is a hundred bytes of memory for each three of the file: what jansson takes is counted. Each
 * block has its size in front of it.
 */
#define BLOCK_HEAD 16u
static struct {
	uint64_t used, most;
	int is_short;
} memory;

/* A small file needs no memory that a large one may need. */
static void limit_memory(size_t bytes)
{
	const uint64_t most = JSON_MEMORY_LEAST + (uint64_t)JSON_MEMORY_EACH * bytes;

	memory.most = memory.used + (most < JSON_MEMORY_MOST ? most : JSON_MEMORY_MOST);
}

static void *take_block(size_t bytes)
{
	unsigned char *block;

	if (bytes > memory.most || memory.used + bytes + BLOCK_HEAD > memory.most) {
		memory.is_short = 1;
		return NULL;
	}
	block = malloc(bytes + BLOCK_HEAD);
	if (!block)
		return NULL;
	memcpy(block, &bytes, sizeof(bytes));
	memory.used += bytes + BLOCK_HEAD;
	return block + BLOCK_HEAD;
}

static void give_block(void *pointer)
{
	unsigned char *block = pointer;
	size_t bytes;

	if (!block)
		return;
	block -= BLOCK_HEAD;
	memcpy(&bytes, block, sizeof(bytes));
	memory.used -= bytes + BLOCK_HEAD;
	free(block);
}

/* --- the file --- */

/* 'room' bytes at most, and one byte more where there is more. How many, or -1 and errno */
static ssize_t read_all(int fd, char **text, size_t most)
{
	size_t used = 0, room = 0;

	for (;;) {
		ssize_t got;

		if (used == room) {
			const size_t wanted = room ? 2 * room : ROOM_FIRST;
			char *more = realloc(*text, wanted);

			if (!more)
				return -1;
			*text = more;
			room = wanted;
		}
		got = read(fd, *text + used, room - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		used += (size_t)got;
		if (!got || used > most)
			return (ssize_t)used;
	}
}

/* Before any of it is read, where that is known */
static int is_too_large(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size > (off_t)JSON_FILE_MOST;
}

static int parse(struct json_source *source, const char *text, size_t bytes)
{
	json_error_t error;

	json_set_alloc_funcs(take_block, give_block);
	limit_memory(bytes);
	source->root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
	if (!source->root && memory.is_short)
		complain(source->command, "%s: its values need more than %" PRIu64 " MiB of memory",
			 source->path, memory.most >> 20);
	else if (!source->root)
		complain(source->command, "%s: line %d, column %d, offset %d: %s", source->path, error.line,
			 error.column, error.position, error.text);
	else if (!json_is_object(source->root))
		return json_wrong(source, NULL, "it is no JSON object");
	return source->root ? 0 : -1;
}

int json_source_open(struct json_source *source, const char *command, const char *path)
{
	const int is_input = strcmp(path, "-") == 0;
	const int fd = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	ssize_t bytes;
	int code = -1;

	memset(source, 0, sizeof(*source));
	source->command = command;
	source->path = is_input ? "standard input" : path;
	if (fd >= 0 && is_too_large(fd))
		bytes = (ssize_t)JSON_FILE_MOST + 1;
	else
		bytes = fd < 0 ? -1 : read_all(fd, &text, JSON_FILE_MOST);
	if (bytes < 0)
		complain(command, "%s: %s", source->path, strerror(errno));
	else if ((size_t)bytes > JSON_FILE_MOST)
		complain(command, "%s: it is larger than %u MiB", source->path, JSON_FILE_MOST >> 20);
	else
		code = parse(source, text, (size_t)bytes);
	free(text);
	if (fd >= 0 && !is_input)
		close(fd);
	return code;
}

void json_source_free(struct json_source *source)
{
	json_decref(source->root);
	source->root = NULL;
}

/* --- what is in it --- */

int json_wrong(const struct json_source *source, const char *member, const char *format, ...)
{
	const int is_somewhere = *source->where || member;
	char what[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	complain(source->command, "%s: %s%s%s%s%s", source->path, source->where,
		 *source->where && member ? "." : "", member ? member : "", is_somewhere ? ": " : "", what);
	return -1;
}

static const char *kind_of(const json_t *value)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a text",
		[JSON_INTEGER] = "a number", [JSON_REAL] = "a number that is not whole",
		[JSON_TRUE] = "true", [JSON_FALSE] = "false", [JSON_NULL] = "null",
	};

	return value ? names[json_typeof(value)] : "nothing";
}

static const json_t *take(const struct json_source *source, const json_t *from, const char *member,
			  json_type type)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a text",
	};
	const json_t *value = json_object_get(from, member);

	if (value && json_typeof(value) == type)
		return value;
	json_wrong(source, member, "expected %s, found %s", names[type], kind_of(value));
	return NULL;
}

const json_t *json_take_object(const struct json_source *source, const json_t *from, const char *member)
{
	return take(source, from, member, JSON_OBJECT);
}

const json_t *json_take_array(const struct json_source *source, const json_t *from, const char *member)
{
	return take(source, from, member, JSON_ARRAY);
}

const char *json_take_text(const struct json_source *source, const json_t *from, const char *member)
{
	const json_t *value = take(source, from, member, JSON_STRING);

	return value ? json_string_value(value) : NULL;
}

int json_take_bool(const struct json_source *source, const json_t *from, const char *member, int *value)
{
	const json_t *found = json_object_get(from, member);

	if (!json_is_boolean(found))
		return json_wrong(source, member, "expected true or false, found %s", kind_of(found));
	*value = json_is_true(found);
	return 0;
}

static int take_number(const struct json_source *source, const json_t *found, const char *member,
		       uint64_t least, uint64_t most, uint64_t *value)
{
	const json_int_t number = json_integer_value(found);

	if (!json_is_integer(found))
		return json_wrong(source, member, "expected a whole number, found %s", kind_of(found));
	if (number < 0 || (uint64_t)number < least || (uint64_t)number > most)
		return json_wrong(source, member, "expected %" PRIu64 " to %" PRIu64 ", found %" PRIi64,
				  least, most, (int64_t)number);
	*value = (uint64_t)number;
	return 0;
}

int json_take_count(const struct json_source *source, const json_t *from, const char *member, uint64_t least,
		    uint64_t most, uint64_t *value)
{
	return take_number(source, json_object_get(from, member), member, least, most, value);
}

int json_take_counts(const struct json_source *source, const json_t *from, const char *member, size_t count,
		     uint64_t most, uint64_t *values)
{
	const json_t *array = json_take_array(source, from, member);

	if (!array)
		return -1;
	if (json_array_size(array) != count)
		return json_wrong(source, member, "expected %zu numbers, found %zu", count,
				  json_array_size(array));
	for (size_t n = 0; n < count; n++) {
		if (take_number(source, json_array_get(array, n), member, 0, most, &values[n]))
			return -1;
	}
	return 0;
}
