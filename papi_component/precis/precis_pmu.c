/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_pmu.c
 * @see precis_pmu.h
 */
#include "precis_pmu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "precis_machine.h"

/* @return 0, or -1 if there is no such file */
static int read_text(const char *pmu, const char *folder, const char *name, char *text,
		     size_t bytes)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/%s%s%s", precis_machine()->sysfs, pmu, folder,
		 *folder ? "/" : "", name);
	file = fopen(path, "re");
	if (!file)
		return -1;
	if (!fgets(text, (int)bytes, file))
		text[0] = 0;
	fclose(file);
	text[strcspn(text, "\n")] = 0;
	return 0;
}

int64_t precis_pmu_type(const char *pmu)
{
	char text[32], *end;
	unsigned long type;

	if (read_text(pmu, "", "type", text, sizeof(text)))
		return -1;
	type = strtoul(text, &end, 10);
	return *end || end == text || type > UINT32_MAX ? -1 : (int64_t)type;
}

int precis_pmu_has(const char *pmu, const char *format)
{
	char text[128];

	return !read_text(pmu, "format", format, text, sizeof(text));
}

static __u64 *word_of(const char *name, size_t bytes, struct perf_event_attr *attr)
{
	if (bytes == 6 && !strncmp(name, "config", bytes))
		return &attr->config;
	if (bytes == 7 && !strncmp(name, "config1", bytes))
		return &attr->config1;
	if (bytes == 7 && !strncmp(name, "config2", bytes))
		return &attr->config2;
	return NULL;
}

/* "config1:0-11,32": the value's lowest bits go where the list's first ones are */
int precis_pmu_set(const char *pmu, const char *format, uint64_t value,
		   struct perf_event_attr *attr)
{
	char text[128], *at;
	__u64 *word;

	if (read_text(pmu, "format", format, text, sizeof(text)))
		return -1;
	at = strchr(text, ':');
	word = at ? word_of(text, (size_t)(at - text), attr) : NULL;
	if (!word)
		return -1;
	do {
		unsigned long first = strtoul(at + 1, &at, 10), last = first;

		if (*at == '-')
			last = strtoul(at + 1, &at, 10);
		if (first > last || last > 63)
			return -1;
		for (; first <= last; first++, value >>= 1) {
			*word &= ~(UINT64_C(1) << first);
			*word |= (value & 1) << first;
		}
	} while (*at == ',');
	return value ? -2 : 0;
}

/* "event=0xcd,umask=0x1,ldlat=3" */
int precis_pmu_event(const char *pmu, const char *event, struct perf_event_attr *attr)
{
	char text[256], *term, *rest = text;

	if (read_text(pmu, "events", event, text, sizeof(text)))
		return -1;
	while ((term = strsep(&rest, ","))) {
		char *equals = strchr(term, '=');
		uint64_t value = equals ? strtoull(equals + 1, NULL, 0) : 1;

		if (equals)
			*equals = 0;
		if (precis_pmu_set(pmu, term, value, attr))
			return -1;
	}
	return 0;
}
