/* SPDX-License-Identifier: BSD-3-Clause */
/* See output.h. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "system.h"

#define PAGE 4096u
#define FD_LEAST 400 /* above those that programs count on */
#define NAMES_MOST 1000u /* files of one process: one for each exec */

static int fd = -1;
static dev_t device;
static ino_t inode;
static char path[OUTPUT_PATH_MOST];
static void *mapped;

void say(const char *what, const char *about)
{
	static const char name[] = "precis-objects: ", between[] = ": ";

	CALL3(SYS_write, 2, name, sizeof(name) - 1);
	CALL3(SYS_write, 2, what, strlen(what));
	if (about) {
		CALL3(SYS_write, 2, between, sizeof(between) - 1);
		CALL3(SYS_write, 2, about, strlen(about));
	}
	CALL3(SYS_write, 2, "\n", 1);
}

static char *put_text(char *at, const char *text)
{
	size_t length = strlen(text);

	memcpy(at, text, length + 1);
	return at + length;
}

static char *put_number(char *at, uint32_t number)
{
	char digits[12];
	int n = sizeof(digits);

	digits[--n] = '\0';
	do {
		digits[--n] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	return put_text(at, digits + n);
}

/* Absolute, so that the file is found again wherever the program goes. @return 0, -1 */
static int put_path(const char *directory, uint32_t pid, uint32_t number)
{
	char *at = path;

	if (directory[0] != '/') {
		long length = CALL2(SYS_getcwd, path, PAGE);

		if (length <= 0 || (size_t)length + strlen(directory) + 64 > sizeof(path))
			return -1;
		at = path + length - 1;
		*at++ = '/';
	}
	at = put_text(at, directory);
	at = put_text(at, "/precis-");
	at = put_number(at, pid);
	if (number) {
		at = put_text(at, ".");
		at = put_number(at, number);
	}
	put_text(at, ".objects");
	return 0;
}

/* To a number that the program does not get by itself. @return the descriptor, which may be the same */
static int out_of_the_way(int low)
{
	long high;
	struct rlimit limit;
	long least = FD_LEAST;

	if (!CALL4(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) && limit.rlim_cur < 2 * FD_LEAST)
		least = (long)limit.rlim_cur / 2;
	high = CALL3(SYS_fcntl, low, F_DUPFD_CLOEXEC, least);
	if (high < 0)
		return low;
	CALL1(SYS_close, low);
	return (int)high;
}

static int open_new(const char *directory, uint32_t pid)
{
	long opened = -EEXIST;

	for (uint32_t number = 0; number < NAMES_MOST && opened == -EEXIST; number++) {
		if (put_path(directory, pid, number))
			return -1;
		opened = CALL3(SYS_open, path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	return opened < 0 ? -1 : out_of_the_way((int)opened);
}

/* @return 0: all of it */
static int write_all(const void *bytes, size_t count)
{
	long written;

	do {
		written = CALL3(SYS_write, fd, bytes, count);
	} while (written == -EINTR);
	return written == (long)count ? 0 : -1;
}

int output_open(const char *directory, struct objects_header *header)
{
	struct stat status;

	fd = open_new(directory, header->pid);
	if (fd < 0 || CALL2(SYS_fstat, fd, &status) < 0) {
		fd = -1;
		say("cannot make a file in this directory, nothing is recorded", directory);
		return -1;
	}
	device = status.st_dev;
	inode = status.st_ino;
	mapped = (void *)system_call(SYS_mmap, 0, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if ((long)mapped < 0 && (long)mapped > -4096) {
		header->flags |= OBJECTS_NOT_MAPPED;
		mapped = NULL;
		say("cannot be mapped executable (a file system with noexec?), recordings will not name it",
		    path);
	}
	if (write_all(header, sizeof(*header))) {
		say("cannot be written, nothing is recorded", path);
		return -1;
	}
	return 0;
}

/*
 * A program that closes all descriptors, as daemons do, closes this one too, and may open another file with
 * its number: nothing is written to what is not the file.
 */
static int is_ours(void)
{
	struct stat status;

	return fd >= 0 && !CALL2(SYS_fstat, fd, &status) && status.st_dev == device && status.st_ino == inode;
}

/* What it was before, or again by its name */
static int have_file(void)
{
	if (is_ours())
		return 0;
	fd = (int)CALL3(SYS_open, path, O_RDWR | O_APPEND | O_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	fd = out_of_the_way(fd);
	return is_ours() ? 0 : -1;
}

int output_chunk(struct objects_chunk *chunk)
{
	size_t bytes = sizeof(*chunk) + objects_padded(chunk->bytes);

	if (!path[0])
		return -1;
	memset((uint8_t *)(chunk + 1) + chunk->bytes, 0, objects_padded(chunk->bytes) - chunk->bytes);
	chunk->magic = OBJECTS_CHUNK_MAGIC;
	chunk->checksum = 0;
	chunk->checksum = objects_checksum(chunk, bytes);
	if (!have_file() && !write_all(chunk, bytes))
		return 0;
	say("cannot be written to any more, what comes is not recorded", path);
	path[0] = '\0';
	return -1;
}

void output_forget(void)
{
	if (is_ours())
		CALL1(SYS_close, fd);
	fd = -1;
	path[0] = '\0';
	if (mapped)
		own_memory_free(mapped, PAGE);
	mapped = NULL;
}
