/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recording is, as a document: its file and machine, what was recorded, what was lost. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "info.h"
#include "command/recording/losses.h"
#include "analysis/cpu_text.h"

#define SECOND UINT64_C(1000000000)
#define CORES_TEXT 2048

static void facts_file(const struct info *info, struct document *document)
{
	const struct precis_file_info *file = &info->file;

	fact_text(document, "file", "recording", info->recording->path);
	fact_count(document, "bytes", file->file_bytes);
	cell_unit(document, "bytes");
	fact_label(document, "size");
	fact_says(document, "%" PRIu64 " bytes, %" PRIu64 " of them records%s", file->file_bytes,
		  file->data_bytes, file->recorder_died ? "; the recorder died: no features" : "");
	fact_count(document, "data_bytes", file->data_bytes);
	cell_unit(document, "bytes");
	fact_bool(document, "recorder_died", (int)file->recorder_died);
	fact_text(document, "hostname", "host", file->hostname);
	fact_text(document, "os_release", "kernel", file->os_release);
	fact_text(document, "perf_version", "perf", file->perf_version);
	fact_text(document, "arch", "architecture", file->arch);
}

/* ": Zen 4 (family …)", or why the core is not known */
static void say_cores(const struct precis_cpu *cpu, char text[CORES_TEXT])
{
	uint32_t cores = cpu->vendor ? precis_amd_cores_of(cpu, 0) : 0;
	char intel[CPU_TEXT];
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t core = 0; core < PRECIS_AMD_CORE_COUNT && used < CORES_TEXT; core++) {
		if (cores & (1u << core))
			used += (size_t)snprintf(text + used, CORES_TEXT - used, ": %s (family %s)",
						 precis_amd_core_name(core),
						 precis_amd_core_models(core));
	}
	if (cores)
		return;
	cpu_cores_text(cpu, intel, sizeof(intel));
	snprintf(text, CORES_TEXT, ": %s",
		 cpu->vendor == PRECIS_VENDOR_UNKNOWN ? "model unknown, give --cpuid" :
		 *intel				      ? intel :
		 cpu->vendor == PRECIS_VENDOR_INTEL   ? "an Intel model that is not known" :
							"a CPU without IBS");
}

static void fact_cores(const struct info *info, struct document *document)
{
	uint32_t cores = info->cpu.vendor ? precis_amd_cores_of(&info->cpu, 0) : 0;
	struct intel_core intel[INTEL_CORES_MOST];
	uint32_t intel_count = intel_cores_of(&info->cpu, intel);

	fact(document, "cores");
	cell_entries(document);
	for (uint32_t core = 0; core < PRECIS_AMD_CORE_COUNT; core++) {
		if (cores & (1u << core))
			member_text(document, NULL, precis_amd_core_name(core));
	}
	for (uint32_t n = 0; n < intel_count; n++)
		member_text(document, NULL, precis_intel_core_name(intel[n].core));
	close_nest(document);
}

static void facts_cpu(const struct info *info, struct document *document)
{
	const struct precis_file_info *file = &info->file;
	char cores[CORES_TEXT];

	fact_text(document, "cpu_description", "CPU", file->cpu_description);
	fact_text(document, "cpuid", "cpuid", file->cpuid);
	say_cores(&info->cpu, cores);
	fact_says(document, "%s%s", file->cpuid ? file->cpuid : "not recorded", cores);
	fact_cores(info, document);
	fact_count(document, "cpus_online", file->cpus_online);
	if (file->cpus_available) {
		fact_label(document, "CPUs");
		fact_says(document, "%u online of %u", file->cpus_online, file->cpus_available);
	}
	fact_count(document, "cpus_available", file->cpus_available);
}

static void fact_command(const struct info *info, struct document *document)
{
	const char *argument;

	fact(document, "command");
	cell_entries(document);
	for (uint32_t n = 0; (argument = precis_file_command(info->recording->file, n)); n++) {
		member_text(document, NULL, argument);
		fact_label(document, "command");
		fact_says_word(document, argument);
	}
	close_nest(document);
}

static void facts_time(const struct info *info, struct document *document)
{
	uint64_t duration = info->last_time - info->first_time;

	fact(document, "");
	fact_label(document, "duration");
	if (!info->has_time) {
		fact_says(document, "not known: no sample has a time");
		return;
	}
	fact_says(document,
		  "%" PRIu64 ".%09" PRIu64 " s, from %" PRIu64 ".%09" PRIu64 " to %" PRIu64
		  ".%09" PRIu64, duration / SECOND, duration % SECOND, info->first_time / SECOND,
		  info->first_time % SECOND, info->last_time / SECOND, info->last_time % SECOND);
	fact_count(document, "first_time", info->first_time);
	cell_unit(document, "ns");
	fact_count(document, "last_time", info->last_time);
	cell_unit(document, "ns");
}

static void facts_pmus(const struct info *info, struct document *document)
{
	const char *name, *pmu, *value;
	uint32_t type;

	fact(document, "pmus");
	cell_members(document);
	for (uint32_t n = 0; (name = precis_file_pmu(info->recording->file, n, &type)); n++)
		member_count(document, name, type);
	close_nest(document);
	fact(document, "pmu_caps");
	cell_entries(document);
	for (uint32_t n = 0;
	     (name = precis_file_pmu_cap(info->recording->file, n, &pmu, &value)); n++) {
		member_members(document, NULL);
		member_text(document, "pmu", pmu);
		member_text(document, "name", name);
		member_text(document, "value", value);
		close_nest(document);
		fact_label(document, "PMU caps");
		fact_says_line(document, "%s: %s=%s", pmu ? pmu : "cpu", name, value);
	}
	close_nest(document);
}

static void say_records(const struct info *info, struct document *document, uint32_t type)
{
	const char *name = precis_record_name(type);
	char text[64];

	if (name)
		snprintf(text, sizeof(text), "%s %" PRIu64, name, info->record_counts[type]);
	else
		snprintf(text, sizeof(text), "type-%u %" PRIu64, type, info->record_counts[type]);
	fact_says_word(document, text);
}

static void facts_records(const struct info *info, struct document *document)
{
	fact_count(document, "samples", info->counts.samples);
	fact_count(document, "samples_unread", info->counts.samples_unread);
	fact_count(document, "unknown_records", info->counts.unknown_records);
	fact(document, "records");
	cell_members(document);
	fact_label(document, "records");
	for (uint32_t type = 1; type < INFO_RECORD_TYPES; type++) {
		if (!info->record_counts[type])
			continue;
		if (precis_record_name(type))
			member_count(document, precis_record_name(type), info->record_counts[type]);
		say_records(info, document, type);
	}
	close_nest(document);
	if (!info->counts.unknown_records)
		return;
	fact(document, "");
	fact_label(document, "unknown");
	fact_says(document, "%" PRIu64 " records of a type that precis does not know",
		  info->counts.unknown_records);
}

static void fact_warnings(const struct info *info, struct document *document)
{
	const char *warning;

	fact(document, "warnings");
	cell_entries(document);
	for (uint32_t n = 0; (warning = precis_file_warning(info->recording->file, n)); n++)
		member_text(document, NULL, warning);
	close_nest(document);
}

void info_describe(const struct info *info, struct document *document)
{
	document->is_bare = 1;
	document->absent_means = "the recording does not tell";
	facts_begin(document, "recording", 0, INFO_LABEL);
	facts_file(info, document);
	facts_cpu(info, document);
	fact_command(info, document);
	facts_time(info, document);
	facts_pmus(info, document);
	info_describe_system(info, document);
	facts_records(info, document);
	info_describe_traces(info, document);
	section_losses(document, info->recording);
	facts_begin(document, "recording", 0, INFO_LABEL);
	fact_warnings(info, document);
	if (!info->event_count) {
		fact(document, "events");
		cell_entries(document);
		close_nest(document);
	}
	for (uint32_t n = 0; n < info->event_count; n++)
		info_describe_event(info, &info->events[n], document);
}
