/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a machine refuses, and what can be done: a seccomp filter is told from permissions, and IBS of
 * kernels that cannot tell user from kernel mode can be had by programs that do not choose a domain.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "precis_test.h"

static char sysfs[] = "/tmp/precis_refused.XXXXXX";

/* An ibs_op without the format swfilt: PERF_TYPE_SOFTWARE, whose config 0 is the CPU clock */
static void make_sysfs(void)
{
	char path[300];
	FILE *file;

	if (!mkdtemp(sysfs))
		test_bail_out(sysfs, PAPI_ESYS);
	snprintf(path, sizeof(path), "%s/ibs_op", sysfs);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/ibs_op/type", sysfs);
	file = fopen(path, "w");
	if (!file)
		test_bail_out(path, PAPI_ESYS);
	fputs("1\n", file);
	fclose(file);
}

static void remove_sysfs(void)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/ibs_op/type", sysfs);
	unlink(path);
	snprintf(path, sizeof(path), "%s/ibs_op", sysfs);
	rmdir(path);
	rmdir(sysfs);
}

/* In a process of its own, before PAPI begins */
static void in_child(void (*checks)(void), const char *what)
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		tap_count = tap_failed = tap_skipped = 0;
		tap_indent = "    ";
		checks();
		exit(tap_done());
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		status = -1;
	tap_child(status, what);
}

/* --- a filter ------------------------------------------------------------------------- */

static int filter(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof(rules) / sizeof(rules[0]), .filter = rules };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static void check_filter(void)
{
	const PAPI_component_info_t *info;

	if (filter()) {
		tap_skip("no seccomp filter can be set here", "perf_event_open(2) is filtered");
		return;
	}
	PAPI_library_init(PAPI_VER_CURRENT);
	info = PAPI_get_component_info(PAPI_get_component_index("precis"));
	if (!info)
		test_bail_out("PAPI_get_component_info", PAPI_ENOCMP);
	tap_ok(info->disabled && strstr(info->disabled_reason, "seccomp"),
	       "where perf_event_open(2) is filtered the component is disabled, and says why: %s",
	       info->disabled_reason);
}

/* --- the domain ------------------------------------------------------------------------- */

#define IBS "precis:::IBS_OP_CYCLES"

static int add_ibs(int *set)
{
	*set = PAPI_NULL;
	test_must(PAPI_create_eventset(set), "PAPI_create_eventset");
	return PAPI_add_named_event(*set, IBS);
}

static void check_default(void)
{
	PAPI_event_info_t info;
	int set, code = 0, error;
	const char *text;

	setenv("PRECIS_SYSFS", sysfs, 1);
	unsetenv("PRECIS_PAPI_DOMAIN");
	test_init();
	error = add_ibs(&set);
	text = precis_papi_strerror(error);
	tap_ok(error == PAPI_EINVAL && strstr(text, "PRECIS_PAPI_DOMAIN") &&
		       strstr(text, "PAPI_set_cmp_domain"),
	       "of user mode alone it is refused: %s", text);
	test_must(PAPI_event_name_to_code(IBS, &code), IBS);
	test_must(PAPI_get_event_info(code, &info), IBS);
	tap_ok(strstr(info.long_descr, "PRECIS_PAPI_DOMAIN") != NULL, "its description says so: %s",
	       info.long_descr);
	test_must(PAPI_set_cmp_domain(PAPI_DOM_USER | PAPI_DOM_KERNEL,
				      PAPI_get_component_index("precis")),
		  "PAPI_set_cmp_domain");
	tap_call(add_ibs(&set), "what the text advises works");
}

static void check_variable(void)
{
	int set;

	setenv("PRECIS_SYSFS", sysfs, 1);
	setenv("PRECIS_PAPI_DOMAIN", "all", 1);
	test_init();
	tap_call(add_ibs(&set), "with PRECIS_PAPI_DOMAIN=all a program need not know of it");
	test_must(PAPI_start(set), "PAPI_start");
	tap_call(PAPI_stop(set, NULL), "and counts");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	in_child(check_filter, "a seccomp filter");
	make_sysfs();
	if (geteuid()) {
		tap_skip("only root may measure the kernel everywhere", "the domain");
	} else {
		in_child(check_default, "IBS of kernels before Linux 6.14");
		in_child(check_variable, "the domain by the environment");
	}
	remove_sysfs();
	return tap_done();
}
