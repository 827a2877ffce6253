/* SPDX-License-Identifier: BSD-3-Clause */
/* PEBS records out of a file or a pipe, through a window. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"

/* Architectural PEBS: a null record is a size and nothing else. */
#define NULL_RECORD_HEADER 8u
#define NULL_RECORD_LEAST 16u
#define NULL_RECORD_MOST 0xffffu

static size_t read_some(struct pebs_input *input, uint8_t *to, size_t room)
{
	ssize_t got;

	if (room > input->left)
		room = (size_t)input->left;
	do {
		got = room ? read(input->fd, to, room) : 0;
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		input->sys_errno = errno;
	if (got <= 0) {
		input->is_at_end = 1;
		return 0;
	}
	if (input->left != UINT64_MAX)
		input->left -= (uint64_t)got;
	return (size_t)got;
}

/* A pipe cannot seek: what is skipped is read. */
static void skip_bytes(struct pebs_input *input, uint64_t count)
{
	uint64_t wanted = input->left;

	input->at = count;
	input->left = count;
	while (!input->is_at_end && input->left)
		read_some(input, input->bytes, PEBS_INPUT_WINDOW);
	input->left = wanted;
}

int pebs_input_open(struct pebs_input *input, int fd, uint32_t format, uint64_t skip,
		    uint64_t count)
{
	*input = (struct pebs_input){ .fd = fd, .format = format, .left = count };
	input->bytes = malloc(PEBS_INPUT_WINDOW);
	if (!input->bytes)
		return -1;
	skip_bytes(input, skip);
	return 0;
}

static size_t unused(const struct pebs_input *input)
{
	return input->end - input->begin;
}

static void use(struct pebs_input *input, size_t bytes)
{
	input->begin += bytes;
	input->at += bytes;
}

/* See that the next record lies in the window as a whole. */
static void fill(struct pebs_input *input)
{
	if (input->is_at_end || unused(input) >= PEBS_INPUT_LEAST)
		return;
	memmove(input->bytes, input->bytes + input->begin, unused(input));
	input->end -= input->begin;
	input->begin = 0;
	while (!input->is_at_end && input->end < PEBS_INPUT_WINDOW)
		input->end += read_some(input, input->bytes + input->end,
					PEBS_INPUT_WINDOW - input->end);
}

/* Bytes of the null record that comes next; 0 if it is none, or is not there as a whole */
static size_t null_record(const struct pebs_input *input)
{
	const uint8_t *at = input->bytes + input->begin;
	uint64_t header = 0;

	if (input->format != PRECIS_PEBS_FORMAT_ARCH || unused(input) < NULL_RECORD_LEAST)
		return 0;
	for (unsigned int n = NULL_RECORD_HEADER; n-- > 0;)
		header = header << 8 | at[n];
	if (header > NULL_RECORD_MOST || header < NULL_RECORD_LEAST || header % 8 ||
	    header > unused(input))
		return 0;
	return (size_t)header;
}

int pebs_input_next(struct pebs_input *input, struct precis_pebs *pebs,
		    struct precis_pebs_parts *parts)
{
	struct precis_pebs_buffer buffer;
	size_t bytes;
	int found;

	/* There can be more null records in front of a record than a window holds. */
	do {
		fill(input);
		bytes = null_record(input);
		use(input, bytes);
	} while (bytes);
	input->offset = input->at;
	precis_pebs_buffer_init(&buffer, input->format, input->bytes + input->begin,
				unused(input));
	found = precis_pebs_buffer_next(&buffer, pebs, parts);
	input->offset += buffer.offset;
	if (found < 0 && !pebs->bytes)
		input->is_at_end = 1; /* no telling where the next one begins */
	use(input, buffer.next);
	return found;
}

void pebs_input_close(struct pebs_input *input)
{
	free(input->bytes);
	input->bytes = NULL;
}
