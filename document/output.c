/* SPDX-License-Identifier: BSD-3-Clause */
/* Where results go: a file or stdout, through one large buffer. */
#define _GNU_SOURCE /* strcasestr() */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "output.h"

static int wants_colour(int fd)
{
	const char *term = getenv("TERM");
	const char *no_colour = getenv("NO_COLOR"); /* https://no-color.org */

	return isatty(fd) && !(no_colour && *no_colour) && term && strcmp(term, "dumb") != 0;
}

/* Who sets COLUMNS means it, even where there is no terminal. 0: it does not say */
static size_t told_width(void)
{
	const char *columns = getenv("COLUMNS");
	char *end;
	unsigned long width;

	if (!columns || *columns < '0' || *columns > '9')
		return 0;
	width = strtoul(columns, &end, 10);
	return *end || width > USHRT_MAX ? 0 : width;
}

static size_t find_width(int fd)
{
	struct winsize size = { .ws_col = 0 };
	size_t width = told_width();

	if (!width && isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0)
		width = size.ws_col;
	if (!width)
		return OUTPUT_WIDTH;
	return width < OUTPUT_WIDTH_LEAST ? OUTPUT_WIDTH_LEAST : width;
}

/* The first of these that is set decides, as in setlocale(3). */
static int wants_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		const char *locale = getenv(names[n]);

		if (locale && *locale)
			return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
	}
	return 0;
}

int output_open(struct output *output, const char *path)
{
	memset(output, 0, sizeof(*output));
	if (path && strcmp(path, "-") == 0)
		path = NULL;
	output->path = path;
	output->buffer = malloc(OUTPUT_BUFFER);
	if (!output->buffer)
		return -1;
	output->fd = STDOUT_FILENO;
	if (path)
		output->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (output->fd < 0) {
		free(output->buffer);
		output->buffer = NULL;
		return -1;
	}
	output->colour = wants_colour(output->fd);
	output->width = find_width(output->fd);
	output->is_utf8 = wants_utf8();
	return 0;
}

static void write_all(struct output *output, const char *bytes, size_t count)
{
	while (count && !output->failed) {
		ssize_t wrote = write(output->fd, bytes, count);

		if (wrote < 0) {
			if (errno != EINTR)
				output->failed = errno;
			continue;
		}
		bytes += wrote;
		count -= (size_t)wrote;
	}
}

void output_flush(struct output *output)
{
	write_all(output, output->buffer, output->used);
	output->used = 0;
}

char *output_room(struct output *output, size_t bytes)
{
	if (bytes > OUTPUT_BUFFER - output->used)
		output_flush(output);
	return output->buffer + output->used;
}

void output_bytes(struct output *output, const char *bytes, size_t count)
{
	if (count >= OUTPUT_BUFFER) {
		output_flush(output);
		write_all(output, bytes, count);
		return;
	}
	memcpy(output_room(output, count), bytes, count);
	output_wrote(output, count);
}

void output_text(struct output *output, const char *text)
{
	output_bytes(output, text, strlen(text));
}

void output_format(struct output *output, const char *format, ...)
{
	va_list arguments, again;
	char *room = output_room(output, 1024);
	size_t left = OUTPUT_BUFFER - output->used;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(room, left, format, arguments);
	va_end(arguments);
	if (length > 0 && (size_t)length >= left) {
		output_flush(output);
		length = vsnprintf(output->buffer, OUTPUT_BUFFER, format, again);
		if ((size_t)length >= OUTPUT_BUFFER)
			length = OUTPUT_BUFFER - 1;
	}
	va_end(again);
	if (length > 0)
		output_wrote(output, (size_t)length);
}

int output_close(struct output *output)
{
	output_flush(output);
	/* A full disk may be reported no earlier than here; stdout stays open for the runtime. */
	if (output->path && close(output->fd) && !output->failed)
		output->failed = errno;
	free(output->buffer);
	output->buffer = NULL;
	errno = output->failed;
	/* A reader that has seen enough is no failure: what SIGPIPE ends in silence elsewhere */
	return output->failed && output->failed != EPIPE ? -1 : 0;
}
