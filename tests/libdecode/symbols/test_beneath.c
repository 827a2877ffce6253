/* SPDX-License-Identifier: BSD-3-Clause */
/* Files beneath a directory: by openat2(2), and the same by hand where a sandbox refuses that. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdecode/symbols/beneath.h"
#include "tests/support/tap.h"

static char top[] = "/tmp/test_beneath.XXXXXX", root[64];

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	file = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	fclose(file);
}

static void make(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	CU_ASSERT_EQUAL_FATAL(mkdir(path, 0777), 0);
}

static void put_link(const char *target, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	CU_ASSERT_EQUAL_FATAL(symlink(target, path), 0);
}

static void make_tree(void)
{
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(top));
	snprintf(root, sizeof(root), "%s/root", top);
	make("root");
	make("root/a");
	make("root/a/b");
	put("outside", "outside");
	put("root/file", "file");
	put("root/a/b/deep", "deep");
	put_link("/file", "root/a/absolute");
	put_link("../file", "root/a/relative");
	put_link("../../../../../../outside", "root/a/out");
	put_link(top, "root/a/top");
	put_link("/a", "root/a/b/up");
	put_link("one", "root/two");
	put_link("two", "root/one");
	put_link("b/deep", "root/a/chain1");
	put_link("chain1", "root/a/chain2");
	put_link("..", "root/a/parent");
}

/* What is read there: 0 if it is 'expected'; NULL: nothing is to be found */
static int is_wrong(const char *path, const char *expected)
{
	int fd = precis_open_beneath(root, path, O_RDONLY | O_CLOEXEC);
	char text[16] = "";

	if (fd < 0)
		return expected != NULL;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return !expected || strcmp(text, expected) != 0;
}

static const struct {
	const char *path, *expected;
} rows[] = {
	{ "/file", "file" },
	{ "file", "file" },
	{ "///./file", "file" },
	{ "/../file", "file" },
	{ "/../../../../file", "file" },
	{ "/a/../file", "file" },
	{ "/a/b/deep", "deep" },
	{ "/a/b/../b/./deep", "deep" },
	{ "/a/absolute", "file" },
	{ "/a/relative", "file" },
	{ "/a/chain2", "deep" },
	{ "/a/b/up/b/up/b/deep", "deep" },
	{ "/a/parent/parent/../file", NULL }, /* root/parent is none */
	{ "/a/parent/file", "file" },
	{ "/a/parent/../file", "file" },
	{ "/../outside", NULL },
	{ "/a/../../outside", NULL },
	{ "/a/out", NULL },
	{ "/a/top/outside", NULL },
	{ "/a/none/../absolute", NULL },
	{ "/file/../file", NULL },
	{ "/one", NULL },
	{ "/none", NULL },
};

static int count_wrong(void)
{
	int wrong = 0;

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		if (is_wrong(rows[n].path, rows[n].expected)) {
			printf("# %s\n", rows[n].path);
			wrong++;
		}
	}
	return wrong;
}

static void test_rows(void)
{
	CU_ASSERT_EQUAL(count_wrong(), 0);
}

/* From here on openat2() of this process fails with that error */
static int refuse_openat2(int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 437, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void check_without(int error)
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		int wrong = refuse_openat2(error) ? 255 : count_wrong();

		fflush(stdout);
		_exit(wrong);
	}
	CU_ASSERT(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
	if (WEXITSTATUS(status) == 255)
		tap_skip("seccomp filters are not allowed here");
	else
		CU_ASSERT_EQUAL(WEXITSTATUS(status), 0);
}

static void test_old_kernel(void)
{
	check_without(ENOSYS);
}

static void test_sandbox(void)
{
	check_without(EPERM);
}

static void test_roots(void)
{
	char slash[80];

	snprintf(slash, sizeof(slash), "%s/", root);
	CU_ASSERT(precis_open_beneath("/nonexistent", "/file", O_RDONLY) < 0);
	CU_ASSERT_EQUAL(errno, ENOENT);
	CU_ASSERT(precis_open_beneath(slash, "../outside", O_RDONLY) < 0);
}

static void remove_tree(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", top);
	CU_ASSERT_EQUAL(system(command), 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a tree is made", make_tree },
		{ "names and links stay beneath", test_rows },
		{ "the same without openat2(2)", test_old_kernel },
		{ "the same in a sandbox", test_sandbox },
		{ "roots that are not there, or end in a slash", test_roots },
		{ "it is removed", remove_tree },
	};

	return tap_main("beneath", cases, sizeof(cases) / sizeof(cases[0]));
}
