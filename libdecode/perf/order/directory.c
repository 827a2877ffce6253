/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording that is a directory: "data" is a file like others, and what each
 * CPU or thread wrote is in data.0, data.1, …: records alone, without a header.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "directory.h"

#define PREFIX "data."
/* Of a record two have room in it; there may be as many as CPUs */
#define PART_WINDOW_BYTES ((size_t)128 << 10)
#define INFLATERS_MEMORY (UINT64_C(128) << 20)
#define INFLATER_LEAST (UINT64_C(4) << 20)
#define PARTS_MOST 65536u

struct numbers {
	uint32_t *number;
	uint32_t count, room;
};

/* data.17 is 17; whatever else is in the directory is none of ours */
static int parse_number(const char *name, uint32_t *number)
{
	const char *digits = name + strlen(PREFIX);
	unsigned long value;
	char *end;

	if (strncmp(name, PREFIX, strlen(PREFIX)) || *digits < '0' || *digits > '9')
		return 0;
	value = strtoul(digits, &end, 10);
	*number = (uint32_t)value;
	return !*end && value < PARTS_MOST && (digits[0] != '0' || !digits[1]);
}

static int add_number(struct numbers *numbers, uint32_t number)
{
	if (numbers->count == numbers->room) {
		uint32_t room = 2 * numbers->room + 16;
		uint32_t *larger = realloc(numbers->number, room * sizeof(*larger));

		if (!larger)
			return PRECIS_E_NO_MEMORY;
		numbers->number = larger;
		numbers->room = room;
	}
	numbers->number[numbers->count++] = number;
	return 0;
}

static int compare(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static int list_parts(DIR *directory, struct numbers *numbers)
{
	const struct dirent *entry;
	uint32_t number;
	int error = 0;

	while (!error && (entry = readdir(directory))) {
		if (parse_number(entry->d_name, &number))
			error = add_number(numbers, number);
	}
	if (numbers->count)
		qsort(numbers->number, numbers->count, sizeof(*numbers->number), compare);
	return error;
}

/* Like 'ours', with less memory where there are many */
static int open_part(const struct record_stream *ours, DIR *directory, uint32_t number,
		     struct record_stream *stream)
{
	struct file_errors *errors = ours->errors;
	char name[sizeof(PREFIX) + 12];
	int fd, error;

	snprintf(name, sizeof(name), PREFIX "%u", number);
	fd = openat(dirfd(directory), name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	errors->data_file = number + 1;
	if (fd < 0) {
		errors->sys_errno = errno;
		error = file_fail(errors, PRECIS_E_IO, NO_OFFSET, "cannot be opened");
		errors->last.sys_errno = errors->sys_errno;
	} else {
		error = byte_source_open(&stream->source, fd, PART_WINDOW_BYTES);
		if (!error && stream->source.is_stream)
			error = PRECIS_E_UNSUPPORTED;
		errors->sys_errno = stream->source.sys_errno;
		if (error)
			error = file_fail(errors, error, NO_OFFSET, "expected a file");
	}
	errors->data_file = 0;
	if (error)
		return error;
	stream->data_file = number + 1;
	stream->errors = errors;
	stream->inflater_memory = ours->inflater_memory;
	stream->expansion_limit = ours->expansion_limit;
	stream->section_end = stream->source.file_bytes;
	precis_stream_rewind(stream);
	return 0;
}

static int open_parts(DIR *directory, const struct numbers *numbers, struct record_stream *ours,
		      struct file_header *header, struct merger *merger)
{
	int error = 0;

	ours->inflater_memory = INFLATERS_MEMORY / (numbers->count + 1);
	if (ours->inflater_memory < INFLATER_LEAST)
		ours->inflater_memory = INFLATER_LEAST;
	precis_merger_add_ours(merger, ours);
	for (uint32_t n = 0; n < numbers->count && !error; n++) {
		struct record_stream *stream = precis_merger_add(merger);

		error = open_part(ours, directory, numbers->number[n], stream);
		if (!error)
			header->data_bytes += stream->source.file_bytes;
	}
	return error;
}

int file_open_parts(const char *path, struct record_stream *stream, struct file_events *events,
		    struct file_header *header, struct merger **merger)
{
	DIR *directory = opendir(path);
	struct numbers numbers = { 0 };
	int error;

	if (!directory) {
		stream->errors->sys_errno = errno;
		return file_fail_system(stream->errors, PRECIS_E_IO);
	}
	error = list_parts(directory, &numbers);
	if (!error && numbers.count)
		error = precis_merger_new(numbers.count + 1, events, merger);
	if (error)
		error = file_fail_system(stream->errors, error);
	else if (numbers.count)
		error = open_parts(directory, &numbers, stream, header, *merger);
	closedir(directory);
	free(numbers.number);
	return error;
}
