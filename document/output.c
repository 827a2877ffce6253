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
#include <sys/stat.h>
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

static int is_stdout(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

/* May another file take the place of what is there? Links, devices and other people's files stay. */
static int is_replaced(const char *path, mode_t *mode)
{
	struct stat status;

	*mode = 0;
	if (lstat(path, &status))
		return errno == ENOENT;
	*mode = status.st_mode & 07777;
	return S_ISREG(status.st_mode) && status.st_nlink == 1 && status.st_uid == geteuid() &&
	       access(path, W_OK) == 0;
}

/* A new file beside it. -1: there is none, and 'path' itself is to be written */
static int open_beside(struct output *output)
{
	const size_t room = strlen(output->path) + 16;
	mode_t mode;
	int fd;

	if (!is_replaced(output->path, &mode))
		return -1;
	output->beside = malloc(room);
	if (!output->beside)
		return -1;
	snprintf(output->beside, room, "%s.%ld", output->path, (long)getpid());
	fd = open(output->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd >= 0 && (!mode || fchmod(fd, mode) == 0))
		return fd;
	if (fd >= 0) {
		close(fd);
		unlink(output->beside);
	}
	free(output->beside);
	output->beside = NULL;
	return -1;
}

static int open_file(struct output *output)
{
	const int fd = output->is_whole ? open_beside(output) : -1;

	return fd >= 0 ? fd : open(output->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static int open_output(struct output *output, const char *path, int is_whole)
{
	memset(output, 0, sizeof(*output));
	output->path = is_stdout(path) ? NULL : path;
	output->is_whole = is_whole && output->path;
	output->buffer = malloc(OUTPUT_BUFFER);
	if (!output->buffer)
		return -1;
	output->fd = output->path ? open_file(output) : STDOUT_FILENO;
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

int output_open(struct output *output, const char *path)
{
	return open_output(output, path, 0);
}

int output_open_whole(struct output *output, const char *path)
{
	return open_output(output, path, 1);
}

/* The directory that a file would be made in, or is in */
static int check_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char above[PATH_MAX];
	struct stat status;

	if (snprintf(above, sizeof(above), "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".") >=
	    (int)sizeof(above)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (stat(above, &status))
		return -1;
	if (!S_ISDIR(status.st_mode)) {
		errno = ENOTDIR;
		return -1;
	}
	return access(above, W_OK | X_OK);
}

int output_check(const char *path)
{
	struct stat status;

	/* of no bytes nothing comes but whether it may be written to */
	if (is_stdout(path))
		return write(STDOUT_FILENO, "", 0) < 0 ? -1 : 0;
	if (stat(path, &status))
		return errno == ENOENT && *path ? check_directory(path) : -1;
	if (S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	return access(path, W_OK);
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

/* Some disks are full no earlier than here. What cannot be synchronized, as a pipe, has no such disk. */
static void synchronize(struct output *output)
{
	if (!output->failed && fsync(output->fd) && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
		output->failed = errno;
}

/* Of a file that was written where it is and is not whole. From devices and pipes nothing is taken back. */
static void leave_nothing(const struct output *output)
{
	struct stat status;

	if (!fstat(output->fd, &status) && S_ISREG(status.st_mode) && ftruncate(output->fd, 0))
		return; /* it has been said that it cannot be written */
}

static void end_file(struct output *output)
{
	if (output->is_whole)
		synchronize(output);
	if (output->is_whole && output->failed && !output->beside)
		leave_nothing(output);
	/* A full disk may be reported no earlier than here; stdout stays open for the runtime. */
	if (close(output->fd) && !output->failed)
		output->failed = errno;
	if (output->beside && !output->failed && rename(output->beside, output->path))
		output->failed = errno;
	if (output->beside && output->failed)
		unlink(output->beside);
	free(output->beside);
	output->beside = NULL;
}

int output_close(struct output *output)
{
	output_flush(output);
	if (output->path)
		end_file(output);
	free(output->buffer);
	output->buffer = NULL;
	errno = output->failed;
	/* A reader that has seen enough is no failure: what SIGPIPE ends in silence elsewhere */
	return output->failed && output->failed != EPIPE ? -1 : 0;
}
