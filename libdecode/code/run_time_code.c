/* SPDX-License-Identifier: BSD-3-Clause */
/* See run_time_code.h. */
#include "run_time_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <precis/error.h>

#define DUMP_BYTES_MOST ((off_t)1 << 30)

/* A move has the bytes of what is moved. */
static const struct run_time_function *moved_of(const struct run_time_code *code, uint32_t first,
						uint32_t pid, uint64_t index)
{
	for (uint32_t n = code->count; n > first; n--) {
		if (code->function[n - 1]->index == index && code->function[n - 1]->pid == pid)
			return code->function[n - 1];
	}
	return NULL;
}

struct adding {
	struct run_time_code *code;
	uint32_t first; /* of this dump */
};

static int take_bytes(const struct adding *adding, const struct code_jitdump_function *found,
		      struct run_time_function *function)
{
	const struct run_time_function *moved;
	uint64_t bytes;

	if (!found->code) {
		moved = moved_of(adding->code, adding->first, found->pid, found->index);
		if (moved && moved->bytes == found->bytes) {
			function->code = moved->code;
			function->name = moved->name;
		}
		return 0;
	}
	bytes = found->bytes + strlen(found->name) + 1;
	if (bytes > RUN_TIME_CODE_MOST - adding->code->bytes)
		return 0;
	function->owns_code = 1;
	function->code = malloc(found->bytes ? found->bytes : 1);
	function->name = strdup(found->name);
	if (!function->code || !function->name)
		return PRECIS_E_NO_MEMORY;
	memcpy(function->code, found->code, found->bytes);
	adding->code->bytes += bytes;
	return 0;
}

static void free_function(struct run_time_function *function)
{
	if (function->owns_code) {
		free(function->code);
		free(function->name);
	}
	free(function);
}

static int make_room(struct run_time_code *code)
{
	const uint32_t room = code->room ? 2 * code->room : 256;
	struct run_time_function **more;

	if (code->count < code->room)
		return 0;
	more = realloc(code->function, room * sizeof(*more));
	if (!more)
		return PRECIS_E_NO_MEMORY;
	code->function = more;
	code->room = room;
	return 0;
}

static int add_function(void *data, const struct code_jitdump *dump,
			const struct code_jitdump_function *found)
{
	struct adding *adding = data;
	struct run_time_code *code = adding->code;
	struct run_time_function *made;
	int error = make_room(code);

	made = error ? NULL : malloc(sizeof(*made));
	if (!made)
		return PRECIS_E_NO_MEMORY;
	*made = (struct run_time_function){
		.start = found->start,
		.bytes = found->bytes,
		.index = found->index,
		.pid = found->pid,
		.time = dump->foreign_clock ? 0 : found->time,
		.bits = dump->bits,
		.foreign_clock = dump->foreign_clock != 0,
	};
	error = take_bytes(adding, found, made);
	if (error) {
		free_function(made);
		return error;
	}
	code->function[code->count++] = made;
	code->is_sorted = 0;
	code->longest = found->bytes > code->longest ? found->bytes : code->longest;
	return 0;
}

int run_time_code_add(struct run_time_code *code, const uint8_t *dump, size_t count)
{
	struct adding adding = { code, code->count };
	size_t offset;

	return code_jitdump_parse(dump, count, add_function, &adding, &offset);
}

static int by_place(const void *a, const void *b)
{
	const struct run_time_function *left = *(struct run_time_function *const *)a;
	const struct run_time_function *right = *(struct run_time_function *const *)b;

	if (left->pid != right->pid)
		return left->pid < right->pid ? -1 : 1;
	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return left->time < right->time ? -1 : left->time > right->time;
}

struct run_time_function *run_time_code_find(struct run_time_code *code, uint32_t pid,
					     uint64_t address, uint64_t time)
{
	struct run_time_function *found = NULL;
	uint32_t low = 0, high = code->count;

	if (!code->is_sorted && code->count)
		qsort(code->function, code->count, sizeof(*code->function), by_place);
	code->is_sorted = 1;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		const struct run_time_function *at = code->function[middle];

		if (at->pid < pid || (at->pid == pid && at->start <= address))
			low = middle + 1;
		else
			high = middle;
	}
	for (; low; low--) {
		struct run_time_function *at = code->function[low - 1];

		if (at->pid != pid || address - at->start >= code->longest)
			break;
		if (address - at->start < at->bytes && at->time <= time &&
		    (!found || at->time > found->time))
			found = at;
	}
	return found;
}

static int read_whole(int fd, uint8_t *bytes, size_t count)
{
	for (size_t done = 0; done < count;) {
		const ssize_t got = read(fd, bytes + done, count - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return PRECIS_E_IO;
		done += (size_t)got;
	}
	return 0;
}

int run_time_code_read(struct run_time_code *code, int fd)
{
	uint8_t *bytes = NULL;
	struct stat status;
	int error = PRECIS_E_IO;

	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    status.st_size <= DUMP_BYTES_MOST) {
		bytes = malloc((size_t)status.st_size + 1);
		error = bytes ? read_whole(fd, bytes, (size_t)status.st_size) : PRECIS_E_NO_MEMORY;
	}
	if (!error)
		error = run_time_code_add(code, bytes, (size_t)status.st_size);
	free(bytes);
	return error;
}

void run_time_code_free(struct run_time_code *code)
{
	for (uint32_t n = 0; n < code->count; n++)
		free_function(code->function[n]);
	free(code->function);
	memset(code, 0, sizeof(*code));
}
