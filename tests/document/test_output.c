/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that is written whole: it takes the place of what was there, or nothing is changed. */
#include "document/output.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/files.h"
#include "tests/support/tap.h"

#define PATH 256

static char directory[] = "/tmp/precis-output.XXXXXX";

static const char *path_of(const char *name)
{
	static char path[PATH];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	fclose(file);
}

static void has(const char *path, const char *text)
{
	char found[PATH] = "";
	FILE *file = fopen(path, "re");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	found[fread(found, 1, sizeof(found) - 1, file)] = '\0';
	fclose(file);
	CU_ASSERT_STRING_EQUAL(found, text);
}

/* errno of what failed first, or 0 */
static int write_whole(const char *path, const char *text)
{
	struct output output;

	errno = 0;
	if (output_open_whole(&output, path))
		return errno;
	output_text(&output, text);
	return output_close(&output) ? errno : 0;
}

/* The disk ends behind so many bytes. The limit is that of files: as EFBIG, without a signal. */
static int write_limited(const char *path, const char *text, rlim_t bytes)
{
	struct rlimit before, limit;
	int error;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &limit);
	error = write_whole(path, text);
	setrlimit(RLIMIT_FSIZE, &before);
	return error;
}

static void test_replaced(void)
{
	const char *path = path_of("plain");
	struct output output;
	struct stat status;

	CU_ASSERT_EQUAL(write_whole(path, "first"), 0);
	has(path, "first");
	chmod(path, 0640);
	CU_ASSERT_EQUAL_FATAL(output_open_whole(&output, path), 0);
	output_text(&output, "second");
	output_flush(&output);
	has(path, "first");
	CU_ASSERT_EQUAL(output_close(&output), 0);
	has(path, "second");
	CU_ASSERT_EQUAL(stat(path, &status), 0);
	CU_ASSERT_EQUAL(status.st_mode & 07777, 0640);
	CU_ASSERT_EQUAL(files_in(directory), 1);
	unlink(path);
}

static void test_full(void)
{
	const char *path = path_of("full");

	CU_ASSERT_EQUAL(write_limited(path, "0123456789", 4), EFBIG);
	CU_ASSERT_EQUAL(files_in(directory), 0);
	put(path, "before");
	CU_ASSERT_EQUAL(write_limited(path, "0123456789", 4), EFBIG);
	has(path, "before");
	CU_ASSERT_EQUAL(files_in(directory), 1);
	CU_ASSERT_EQUAL(write_limited(path, "0123456789", 10), 0);
	has(path, "0123456789");
	unlink(path);
}

/* What others know by another name is written where it is: half of it is not left, either. */
static void test_links(void)
{
	char path[PATH], link_path[PATH];

	snprintf(path, sizeof(path), "%s", path_of("target"));
	snprintf(link_path, sizeof(link_path), "%s", path_of("link"));
	for (int is_symbolic = 0; is_symbolic < 2; is_symbolic++) {
		struct stat status;

		put(path, "before");
		CU_ASSERT_EQUAL_FATAL(is_symbolic ? symlink(path, link_path) : link(path, link_path), 0);
		CU_ASSERT_EQUAL(write_whole(link_path, "new"), 0);
		has(path, "new");
		CU_ASSERT_EQUAL(lstat(link_path, &status), 0);
		CU_ASSERT_EQUAL(S_ISLNK(status.st_mode), is_symbolic);
		CU_ASSERT_EQUAL(write_limited(link_path, "0123456789", 4), EFBIG);
		has(path, "");
		CU_ASSERT_EQUAL(files_in(directory), 2);
		unlink(link_path);
		unlink(path);
	}
}

static void test_devices(void)
{
	struct stat status;

	CU_ASSERT_EQUAL(write_whole("/dev/null", "nothing"), 0);
	CU_ASSERT_EQUAL(stat("/dev/null", &status), 0);
	CU_ASSERT_TRUE(S_ISCHR(status.st_mode));
	if (access("/dev/full", W_OK))
		tap_skip("there is no /dev/full");
	else
		CU_ASSERT_EQUAL(write_whole("/dev/full", "nothing"), ENOSPC);
}

static int check(const char *path)
{
	errno = 0;
	return output_check(path) ? errno : 0;
}

/* Asking changes nothing. */
static void test_check(void)
{
	char path[PATH];

	snprintf(path, sizeof(path), "%s", path_of("new"));
	CU_ASSERT_EQUAL(check(path), 0);
	CU_ASSERT_EQUAL(files_in(directory), 0);
	put(path, "before");
	CU_ASSERT_EQUAL(check(path), 0);
	has(path, "before");
	CU_ASSERT_EQUAL(check(path_of("new/below")), ENOTDIR);
	CU_ASSERT_EQUAL(check(path_of("nowhere/file")), ENOENT);
	CU_ASSERT_EQUAL(check(directory), EISDIR);
	CU_ASSERT_EQUAL(check(""), ENOENT);
	CU_ASSERT_EQUAL(check("/dev/null"), 0);
	CU_ASSERT_EQUAL(check("relative-name"), 0);
	CU_ASSERT_EQUAL(check(NULL), 0);
	CU_ASSERT_EQUAL(check("-"), 0);
	chmod(path, 0400);
	if (geteuid()) {
		CU_ASSERT_EQUAL(check(path), EACCES);
		CU_ASSERT_EQUAL(write_whole(path, "new"), EACCES);
		has(path, "before");
	}
	unlink(path);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a new file takes the place of the old one when it is whole", test_replaced },
		{ "a disk that is full leaves what was there", test_full },
		{ "links stay, and half a file is none", test_links },
		{ "devices", test_devices },
		{ "whether results can go there", test_check },
	};
	int code;

	if (!mkdtemp(directory))
		return 1;
	code = tap_main("output", cases, sizeof(cases) / sizeof(cases[0]));
	rmdir(directory);
	return code;
}
