/* SPDX-License-Identifier: BSD-3-Clause */
/* perf.data files, read to the end: every record, sample, warning, feature. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <precis/error.h>
#include <precis/file.h>

#include "tests/fuzz/target.h"

static void check_string(const char *text)
{
	volatile size_t length = text ? strlen(text) : 0;

	(void)length;
}

static void describe(const struct precis_file *file)
{
	struct precis_file_info info = { .size = sizeof(info) };
	struct precis_bytes section;
	const char *pmu, *value;
	uint32_t type;

	PROMISE(precis_file_info(file, &info) == 0);
	check_string(info.hostname);
	check_string(info.os_release);
	check_string(info.perf_version);
	check_string(info.arch);
	check_string(info.cpu_description);
	check_string(info.cpuid);
	PROMISE(precis_file_cpu(file) != NULL);
	for (uint32_t n = 0; precis_file_command(file, n); n++)
		check_string(precis_file_command(file, n));
	for (uint32_t n = 0; precis_file_pmu(file, n, &type); n++)
		check_string(precis_file_pmu(file, n, &type));
	for (uint32_t n = 0; precis_file_pmu_cap(file, n, &pmu, &value); n++) {
		check_string(pmu);
		check_string(value);
	}
	for (uint32_t n = 0; precis_file_warning(file, n); n++)
		check_string(precis_file_warning(file, n));
	for (uint32_t n = 0; n < 260; n++)
		precis_file_feature(file, n, &section);
	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		const struct precis_event *event = precis_file_event(file, n);

		PROMISE(event && event->index == n && event->name && event->layout);
		check_string(event->name);
		check_string(event->pmu);
	}
	PROMISE(!precis_file_event(file, precis_file_event_count(file)));
}

static uint64_t read_records(struct precis_file *file)
{
	static struct precis_sample sample;
	struct precis_perf_sample perf;
	struct precis_record record;
	uint64_t records = 0;

	precis_sample_init(&sample);
	memset(&perf, 0, sizeof(perf));
	perf.size = sizeof(perf);
	while (precis_file_next(file, &record) == 1) {
		records++;
		PROMISE(record.size >= 8);
		precis_file_event_of(file, &record);
		if (record.type != PRECIS_RECORD_SAMPLE)
			continue;
		if (precis_file_sample(file, &record, NULL, &perf, &sample))
			continue;
		for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
			PROMISE((precis_why(&sample, (enum precis_field)field) == PRECIS_PRESENT) ==
				precis_fields_have(sample.present, field));
	}
	return records;
}

static void read_file(struct precis_file *file)
{
	struct precis_file_counts counts = { .size = sizeof(counts) };
	uint64_t records;

	describe(file);
	records = read_records(file);
	PROMISE(precis_file_counts(file, &counts) == 0);
	PROMISE(counts.records == records);
	PROMISE(counts.samples <= records && counts.samples_unread <= counts.samples);
	if (precis_file_rewind(file) == 0)
		PROMISE(read_records(file) == records);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_file *file = NULL;
	char path[64];
	int code;

	if (fd < 0)
		fd = memfd_create("perf.data", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	code = precis_file_open(path, NULL, &file, &error);
	PROMISE(code <= 0);
	if (code < 0) {
		PROMISE(error.code == code);
		PROMISE(memchr(error.expected, '\0', sizeof(error.expected)));
		return 0;
	}
	read_file(file);
	precis_file_close(file);
	return 0;
}
