/* SPDX-License-Identifier: BSD-3-Clause */
/* See output.h. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "state.h"
#include "system.h"

#define PAGE 4096u
#define FD_LEAST 400 /* above those that programs count on */
#define FD_FEW 4097u /* the kernel keeps a table up to the highest one that is open */
#define NAMES_MOST 1000u /* files of one process: one for each exec */

static int fd = -1;
static dev_t device;
static ino_t inode;
static char path[OUTPUT_PATH_MOST];
static void *mapped;
/* 1: a chunk could not be written: those that tell of that, and when it was, are tried alone */
static int is_full;

static uint64_t lost_from; /* as the header has it */

/* What standard error was when the program began: a number that may be another file's since */
static struct {
	int is_known;
	dev_t device;
	ino_t inode;
} errors;

void say_begin(void)
{
	struct stat status;

	errors.is_known = !CALL2(SYS_fstat, 2, &status);
	errors.device = status.st_dev;
	errors.inode = status.st_ino;
}

void say(const char *what, const char *about)
{
	static const char name[] = "precis-objects: ", between[] = ": ";
	struct stat status;

	if (!errors.is_known || CALL2(SYS_fstat, 2, &status) || status.st_dev != errors.device ||
	    status.st_ino != errors.inode)
		return;
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

int output_settle(char *directory, size_t room)
{
	const size_t bytes = strlen(directory) + 1;
	long length;

	if (directory[0] == '/')
		return 0;
	length = CALL2(SYS_getcwd, path, sizeof(path));
	if (length <= 0 || path[0] != '/' || (size_t)length + bytes > room)
		return -1;
	memmove(directory + length, directory, bytes);
	memcpy(directory, path, (size_t)length);
	directory[length - 1] = '/';
	path[0] = '\0';
	return 0;
}

static void put_path(const char *directory, uint32_t pid, uint32_t number)
{
	char *at = put_text(path, directory);

	at = put_text(at, "/precis-");
	at = put_number(at, pid);
	if (number) {
		at = put_text(at, ".");
		at = put_number(at, number);
	}
	put_text(at, ".objects");
}

/*
 * To a number that the program does not get by itself: where few are allowed, to one that is not, so that it
 * has all of them. @return the descriptor, which may be the same
 */
static int out_of_the_way(int low)
{
	struct rlimit limit, more;
	int is_raised = 0;
	long high, least = FD_LEAST;

	if (!CALL4(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) && limit.rlim_cur < FD_FEW) {
		more = (struct rlimit){ limit.rlim_cur + 1, limit.rlim_max };
		is_raised = limit.rlim_cur < limit.rlim_max &&
			    !CALL4(SYS_prlimit64, 0, RLIMIT_NOFILE, &more, NULL);
		if (is_raised)
			least = (long)limit.rlim_cur;
		else if (limit.rlim_cur < 2 * FD_LEAST)
			least = (long)limit.rlim_cur / 2;
	}
	high = CALL3(SYS_fcntl, low, F_DUPFD_CLOEXEC, least);
	if (is_raised)
		CALL4(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, NULL);
	if (high < 0)
		return low;
	CALL1(SYS_close, low);
	return (int)high;
}

static int open_new(const char *directory, uint32_t pid)
{
	long opened = -EEXIST;

	for (uint32_t number = 0; number < NAMES_MOST && opened == -EEXIST; number++) {
		put_path(directory, pid, number);
		opened = CALL3(SYS_open, path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	return opened < 0 ? -1 : out_of_the_way((int)opened);
}

/* Of what would be more than files may be of this process the kernel kills it, if it has no handler. */
static int is_allowed(uint64_t bytes)
{
	struct rlimit limit;

	return CALL4(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) || bytes <= limit.rlim_cur;
}

/* At the file's end. @param at  where that is. @return 0: all of it; -1: nothing */
static int write_all(const void *bytes, size_t count, uint64_t at)
{
	long written;

	if (!is_allowed(at + count))
		return -1;
	do {
		written = CALL3(SYS_write, fd, bytes, count);
	} while (written == -EINTR);
	if (written > 0 && written < (long)count)
		CALL2(SYS_ftruncate, fd, at); /* what is left of the room is the trailer's */
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
	if ((status.st_mode & 0600) != 0600) /* umask(2): it may have to be opened again */
		CALL2(SYS_fchmod, fd, (status.st_mode & 0777) | 0600);
	mapped = (void *)system_call(SYS_mmap, 0, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if ((long)mapped < 0 && (long)mapped > -4096) {
		header->flags |= OBJECTS_NOT_MAPPED;
		mapped = NULL;
		say("cannot be mapped executable (a file system with noexec?), recordings will not name it",
		    path);
	}
	if (write_all(header, sizeof(*header), 0)) {
		say("cannot be written, nothing is recorded", path);
		CALL1(SYS_unlink, path);
		return -1;
	}
	return 0;
}

/*
 * A program that closes all descriptors, as daemons do, closes this one too, and may open another file with
 * its number: nothing is written to what is not the file.
 */
static int is_ours(struct stat *status)
{
	return fd >= 0 && !CALL2(SYS_fstat, fd, status) && status->st_dev == device &&
	       status->st_ino == inode;
}

/* What it was before, or again by its name */
static int have_file(struct stat *status)
{
	if (is_ours(status))
		return 0;
	fd = (int)CALL3(SYS_open, path, O_RDWR | O_APPEND | O_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	fd = out_of_the_way(fd);
	return is_ours(status) ? 0 : -1;
}

/* Only while locked, so that what is at the file's end is this chunk */
static int put_chunk(const struct objects_chunk *chunk, size_t bytes)
{
	struct stat status;

	/* one that was removed nobody finds */
	if (!have_file(&status) && status.st_nlink &&
	    !write_all(chunk, bytes, (uint64_t)status.st_size))
		return 0;
	if (!is_full)
		say("cannot be written to any more, what comes is not recorded", path);
	is_full = 1;
	return -1;
}

int output_chunk(struct objects_chunk *chunk)
{
	size_t bytes = sizeof(*chunk) + objects_padded(chunk->bytes);
	int error;

	/* a forked child that goes on where its parent was interrupted has no file yet */
	if (shared.running != RUNNING && shared.running != BEGINNING)
		return -1;
	if (!path[0] ||
	    (is_full && chunk->kind != OBJECTS_TRAILER && chunk->kind != OBJECTS_CLOCKS))
		return -1;
	memset((uint8_t *)(chunk + 1) + chunk->bytes, 0, objects_padded(chunk->bytes) - chunk->bytes);
	chunk->magic = OBJECTS_CHUNK_MAGIC;
	chunk->checksum = 0;
	chunk->checksum = objects_checksum(chunk, bytes);
	lock(LOCK_OUTPUT);
	error = put_chunk(chunk, bytes);
	unlock(LOCK_OUTPUT);
	return error;
}

/* What has to be told where no room is left is written over what is there. */
void output_lost_from(uint64_t time)
{
	const uint64_t at = offsetof(struct objects_header, lost_from);
	struct stat status;

	lock(LOCK_OUTPUT);
	if (path[0] && (!lost_from || time < lost_from) && !have_file(&status) &&
	    is_allowed(at + sizeof(lost_from))) {
		lost_from = time;
		CALL3(SYS_fcntl, fd, F_SETFL,
		      0); /* all that is written to a file for appending is appended */
		CALL4(SYS_pwrite64, fd, &lost_from, sizeof(lost_from), at);
		CALL3(SYS_fcntl, fd, F_SETFL, O_APPEND);
	}
	unlock(LOCK_OUTPUT);
}

int output_descriptor(void)
{
	return fd;
}

void output_forget(void)
{
	struct stat status;

	if (is_ours(&status))
		CALL1(SYS_close, fd);
	fd = -1;
	is_full = 0;
	lost_from = 0;
	path[0] = '\0';
	if (mapped)
		own_memory_free(mapped, PAGE);
	mapped = NULL;
}
