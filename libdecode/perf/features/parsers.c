/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contents of feature sections that describe the recording. Their strings
 * stay where they were loaded.
 * Source: tools/perf/Documentation/perf.data-file-format.txt.
 */
#include <stdlib.h>

#include "parsers.h"
#include "section.h"

/* More than these are on no machine: whoever writes them wants our memory. */
#define COMMANDS_MOST (1u << 20)
#define CAPS_MOST (1u << 18)
#define PMUS_MOST 4096u

static int take_count(struct cursor *section, size_t entry_min, uint32_t most, uint32_t *count)
{
	if (!section_count(section, entry_min, count))
		return PRECIS_E_TRUNCATED;
	return *count > most ? PRECIS_E_UNSUPPORTED : 0;
}

int precis_feature_string(struct feature_set *features, struct cursor *section, size_t member)
{
	const char *text;

	if (!section_text(section, &text))
		return PRECIS_E_TRUNCATED;
	memcpy((char *)&features->said + member, &text, sizeof(text));
	return 0;
}

int precis_feature_cpu_count(struct feature_set *features, struct cursor *section, size_t unused)
{
	uint32_t available, online;

	(void)unused;
	if (!cursor_u32(section, &available) || !cursor_u32(section, &online))
		return PRECIS_E_TRUNCATED;
	features->said.cpus_available = available;
	features->said.cpus_online = online;
	return 0;
}

int precis_feature_command(struct feature_set *features, struct cursor *section, size_t unused)
{
	uint32_t count;
	int error;

	(void)unused;
	error = take_count(section, SECTION_TEXT_MIN_BYTES, COMMANDS_MOST, &count);
	if (error)
		return error;
	features->commands = malloc(count * sizeof(*features->commands) + 1);
	if (!features->commands)
		return PRECIS_E_NO_MEMORY;
	for (; features->command_count < count; features->command_count++) {
		if (!section_text(section, &features->commands[features->command_count]))
			return PRECIS_E_TRUNCATED;
	}
	return 0;
}

/* Their order is that of the attrs, as perf has it too: with another number of them it is not. */
int precis_feature_event_names(struct feature_set *features, struct cursor *section, size_t unused)
{
	uint32_t count, attr_bytes, ids;
	const uint8_t *skipped;

	(void)unused;
	if (!cursor_u32(section, &count) || !cursor_u32(section, &attr_bytes))
		return PRECIS_E_TRUNCATED;
	if (count != features->events->count)
		return PRECIS_E_BAD_SIZE;
	for (uint32_t n = 0; n < count; n++) {
		const char *name;

		if (!cursor_array(section, attr_bytes, 1, &skipped) || !cursor_u32(section, &ids) ||
		    !section_text(section, &name) || !cursor_array(section, ids, 8, &skipped))
			return PRECIS_E_TRUNCATED;
		if (name[0])
			features->events->event[n]->view.name = name;
	}
	return 0;
}

int precis_feature_pmu_mappings(struct feature_set *features, struct cursor *section, size_t unused)
{
	uint32_t count;
	int error;

	(void)unused;
	error = take_count(section, 4 + SECTION_TEXT_MIN_BYTES, PMUS_MOST, &count);
	if (error)
		return error;
	features->pmus = malloc(count * sizeof(*features->pmus) + 1);
	if (!features->pmus)
		return PRECIS_E_NO_MEMORY;
	for (; features->pmu_count < count; features->pmu_count++) {
		struct pmu_mapping *pmu = &features->pmus[features->pmu_count];

		if (!cursor_u32(section, &pmu->type) || !section_text(section, &pmu->name))
			return PRECIS_E_TRUNCATED;
	}
	return 0;
}

/* {u32 count; {name, value}[count]}, appended to what is there; the PMU's name comes later */
static int take_caps(struct feature_set *features, struct cursor *section)
{
	struct pmu_cap *caps;
	uint32_t count;
	int error = take_count(section, SECTION_TEXT_MIN_BYTES + SECTION_TEXT_MIN_BYTES,
			       CAPS_MOST - features->cap_count, &count);

	if (error || !count)
		return error;
	caps = realloc(features->caps, (features->cap_count + (size_t)count) * sizeof(*caps) + 1);
	if (!caps)
		return PRECIS_E_NO_MEMORY;
	features->caps = caps;
	for (uint32_t end = features->cap_count + count; features->cap_count < end;
	     features->cap_count++) {
		struct pmu_cap *cap = &caps[features->cap_count];

		cap->pmu = "";
		if (!section_text(section, &cap->name) || !section_text(section, &cap->value))
			return PRECIS_E_TRUNCATED;
	}
	return 0;
}

static void name_caps(struct feature_set *features, uint32_t first, const char *pmu)
{
	for (uint32_t n = first; n < features->cap_count; n++)
		features->caps[n].pmu = pmu;
}

int precis_feature_cpu_pmu_caps(struct feature_set *features, struct cursor *section, size_t unused)
{
	uint32_t first = features->cap_count;
	int error = take_caps(features, section);

	(void)unused;
	name_caps(features, first, "cpu");
	return error;
}

int precis_feature_pmu_caps(struct feature_set *features, struct cursor *section, size_t unused)
{
	uint32_t pmus;
	int error = take_count(section, 4 + SECTION_TEXT_MIN_BYTES, PMUS_MOST, &pmus);

	(void)unused;
	if (error)
		return error;
	for (uint32_t n = 0; n < pmus; n++) {
		uint32_t first = features->cap_count;
		const char *name;

		error = take_caps(features, section);
		if (error)
			return error;
		if (!section_text(section, &name))
			return PRECIS_E_TRUNCATED;
		name_caps(features, first, name);
	}
	return 0;
}

int precis_feature_sample_time(struct feature_set *features, struct cursor *section, size_t unused)
{
	struct precis_file_info *info = &features->said;

	(void)unused;
	if (!cursor_u64(section, &info->first_time) || !cursor_u64(section, &info->last_time))
		return PRECIS_E_TRUNCATED;
	info->has_sample_time = 1;
	return 0;
}

int precis_feature_directory(struct feature_set *features, struct cursor *section, size_t unused)
{
	(void)section;
	(void)unused;
	if (features->is_directory)
		return 0;
	return file_warn(features->errors,
			 "this file is a part of a recording that is a directory: open "
			 "the directory to read all of it");
}
