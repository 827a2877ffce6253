/* SPDX-License-Identifier: BSD-3-Clause */
/* Where results go: a file (-o) or stdout, through one large buffer. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#define OUTPUT_BUFFER (256u * 1024u)

/* Columns of text where nobody says how many, and the fewest that text is laid out for */
#define OUTPUT_WIDTH 100u
#define OUTPUT_WIDTH_LEAST 40u

struct output {
	const char *path; /* NULL: stdout */
	int fd;
	int failed;   /* errno of the first write that failed, 0 if none did */
	int colour;   /* 1: a terminal that may be coloured */
	int is_utf8;  /* 1: the locale's characters are, by LC_ALL, LC_CTYPE or LANG */
	size_t width; /* columns that lines of text are broken to */
	size_t used;
	char *buffer; /* OUTPUT_BUFFER bytes */
	char *beside; /* what is written to, until it becomes 'path'; NULL: 'path' itself */
	int is_whole; /* of a file that cannot be written whole nothing is to be left */
};

/*
 * 0, or -1 and errno. NULL and "-" are stdout. The width is that of COLUMNS if it is a number, else
 * the terminal's, else OUTPUT_WIDTH: nothing else decides how wide text is, nor in what characters.
 */
int output_open(struct output *output, const char *path);

/*
 * The same, of what is there whole or not at all: a file beside it, of the same name and a number, becomes
 * it when it is closed, so that what was there before stays where that fails. What is no plain file, has
 * other links or another owner, or is in a directory that takes no files, is written where it is, and is
 * empty where that fails.
 */
int output_open_whole(struct output *output, const char *path);

/*
 * Can results go there? To be asked before what takes minutes: nothing is made or changed. 0, or -1 and
 * errno; 0 is no promise, as a disk may be full.
 */
int output_check(const char *path);

/* Room for 'bytes' more (at most OUTPUT_BUFFER): where to write them. Then output_wrote(). */
char *output_room(struct output *output, size_t bytes);
static inline void output_wrote(struct output *output, size_t bytes)
{
	output->used += bytes;
}

void output_bytes(struct output *output, const char *bytes, size_t count);
void output_text(struct output *output, const char *text);
void output_format(struct output *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Push out what is buffered (before an error message, for its place in the stream). */
void output_flush(struct output *output);

/* Flush and close. 0, or -1 and errno. A pipe whose reader has gone is no failure. */
int output_close(struct output *output);

#endif
