/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a full pass: everything that a recording says of itself, read to its last byte. */
#include <precis/precis.h>

#include "tests/hostile/full_pass_parts.h"
#include "tests/hostile/view.h"

#define MORE_THAN_ALL_FEATURES 260u

static void describe_features(const struct precis_file *file, uint32_t cpus)
{
	const char *pmu, *value;
	uint32_t type;

	for (uint32_t n = 0; precis_file_command(file, n); n++)
		read_text(precis_file_command(file, n));
	for (uint32_t n = 0; precis_file_pmu(file, n, &type); n++)
		read_text(precis_file_pmu(file, n, &type));
	for (uint32_t n = 0; precis_file_pmu_cap(file, n, &pmu, &value); n++) {
		read_text(pmu);
		read_text(value);
	}
	for (uint32_t n = 0; precis_file_warning(file, n); n++)
		read_text(precis_file_warning(file, n));
	for (uint32_t n = 0; n < MORE_THAN_ALL_FEATURES; n++) {
		struct precis_bytes section;
		int code = precis_file_feature(file, n, &section);

		PROMISE(code <= 0 && code != PRECIS_E_NO_MEMORY);
		if (code)
			continue;
		read_bytes(section);
		full_pass_section(section, cpus);
	}
}

static void describe_events(const struct precis_file *file)
{
	uint32_t count = precis_file_event_count(file);

	for (uint32_t n = 0; n < count; n++) {
		const struct precis_event *event = precis_file_event(file, n);
		volatile uint64_t sum = 0;

		PROMISE(event && event->index == n && event->name && event->layout);
		read_text(event->name);
		read_text(event->pmu);
		for (uint32_t i = 0; i < event->id_count; i++)
			sum = sum + event->ids[i];
		for (uint32_t i = 0; i < event->attr_bytes; i++)
			sum = sum + event->attr[i];
	}
	PROMISE(!precis_file_event(file, count));
}

void full_pass_describe(const struct precis_file *file)
{
	struct precis_file_info info = { .size = sizeof(info) };

	PROMISE(precis_file_info(file, &info) == 0);
	read_text(info.hostname);
	read_text(info.os_release);
	read_text(info.perf_version);
	read_text(info.arch);
	read_text(info.cpu_description);
	read_text(info.cpuid);
	PROMISE(precis_file_cpu(file) != NULL);
	describe_features(file, info.cpus_available);
	describe_events(file);
}
