/* SPDX-License-Identifier: BSD-3-Clause */
/* PEBS records out of a file or a pipe of any length, through a window of fixed size. */
#ifndef PEBS_INPUT_H
#define PEBS_INPUT_H

#include <precis/precis.h>

#define PEBS_INPUT_WINDOW (4u << 20)
/* No record of any format is as long: what is left of the window always holds the next one. */
#define PEBS_INPUT_LEAST ((1u << 20) + (64u << 10))

struct pebs_input {
	int fd;
	uint32_t format;  /* enum precis_pebs_format */
	uint8_t *bytes;   /* PEBS_INPUT_WINDOW of them */
	size_t begin, end; /* what of them has been read and not been used */
	uint64_t at;      /* offset in the file of bytes[begin] */
	uint64_t left;    /* bytes of the file, from bytes[end] on, that may be records */
	int is_at_end;    /* there is nothing more to read */
	int sys_errno;    /* why not: of read(2) */
	uint64_t offset;  /* of the last record, or of what was wrong with it */
};

/*
 * Begin.
 * @param fd     stays the caller's
 * @param skip   bytes before the first record
 * @param count  bytes of records; UINT64_MAX: to the end of the file
 * @return 0; -1: no memory
 */
int pebs_input_open(struct pebs_input *input, int fd, uint32_t format, uint64_t skip,
		    uint64_t count);

/*
 * The next record, as precis_pebs_buffer_next() has it; also 0 where the file could not be
 * read any further ('sys_errno'). 'parts' may be NULL; its views live until the next call.
 */
int pebs_input_next(struct pebs_input *input, struct precis_pebs *pebs,
		    struct precis_pebs_parts *parts);

void pebs_input_close(struct pebs_input *input);

#endif
