/* SPDX-License-Identifier: BSD-3-Clause */
/* See fake_ibs.h. */
#include "tests/papi/fake_ibs.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char root[64];
static struct bpf_payload *payloads;

/* What sysfs has of ibs_op: name, content */
static const char *const files[][2] = {
	{ "ibs_op/type", "4242\n" },
	{ "ibs_op/format/cnt_ctl", "config:19\n" },
	{ "ibs_op/format/l3missonly", "config:16\n" },
	{ "ibs_op/format/ldlat", "config1:0-11\n" },
	{ "ibs_op/format/swfilt", "config2:0\n" },
};
static const char *const folders[] = { "", "ibs_op", "ibs_op/format" };
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int write_file(const char *name, const char *content)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	file = fopen(path, "w");
	if (!file)
		return -errno;
	fputs(content, file);
	return fclose(file) ? -errno : 0;
}

int fake_ibs_begin(struct bpf_payload *bpf)
{
	char path[128];
	int error = 0;

	payloads = bpf;
	strcpy(root, "/tmp/precis-ibs-XXXXXX");
	if (!mkdtemp(root))
		return -errno;
	for (size_t n = 1; n < COUNT(folders) && !error; n++) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[n]);
		error = mkdir(path, 0700) ? -errno : 0;
	}
	for (size_t n = 0; n < COUNT(files) && !error; n++)
		error = write_file(files[n][0], files[n][1]);
	if (!error)
		setenv("PRECIS_SYSFS", root, 1);
	return error;
}

void fake_ibs_end(void)
{
	char path[128];

	for (size_t n = 0; n < COUNT(files); n++) {
		snprintf(path, sizeof(path), "%s/%s", root, files[n][0]);
		unlink(path);
	}
	for (size_t n = COUNT(folders); n-- > 0;) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[n]);
		rmdir(path);
	}
}

long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, ...);

/* A software event with the same ring, in place of an IBS event */
static long open_fake(const struct perf_event_attr *asked, long b, long c, long d, long e)
{
	struct perf_event_attr attr = *asked;
	long fd;

	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	attr.config1 = attr.config2 = 0;
	attr.precise_ip = 0;
	attr.exclude_kernel = attr.exclude_user = attr.exclude_hv = 0;
	fd = __real_syscall(SYS_perf_event_open, (long)&attr, b, c, d, e, 0);
	if (fd >= 0 && payloads)
		bpf_payload_send_to(payloads, (int)fd);
	return fd;
}

long __wrap_syscall(long number, ...)
{
	const struct perf_event_attr *attr;
	long argument[6];
	va_list list;

	va_start(list, number);
	for (int n = 0; n < 6; n++)
		argument[n] = va_arg(list, long);
	va_end(list);
	attr = number == SYS_perf_event_open ? (const struct perf_event_attr *)argument[0] : NULL;
	if (attr && attr->type == FAKE_IBS_TYPE)
		return open_fake(attr, argument[1], argument[2], argument[3], argument[4]);
	return __real_syscall(number, argument[0], argument[1], argument[2], argument[3],
			      argument[4], argument[5]);
}
