/* SPDX-License-Identifier: BSD-3-Clause */
/* precis info FILE as text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "info.h"
#include "pebs.h"
#include "document/print.h"
#include "document/quote.h"
#include "command/validity/cpu_text.h"
#include "system.h"

#define LABEL 14
#define SECOND UINT64_C(1000000000)

void info_label(struct output *output, unsigned int indent, const char *text)
{
	output_format(output, "%*s%-*s ", (int)indent, "", LABEL - (int)indent, text);
}

static void line(struct output *output, const char *name, const char *text)
{
	if (!text)
		return;
	info_label(output, 0, name);
	output_plain(output, text);
	output_bytes(output, "\n", 1);
}

struct wrap info_words(struct output *output, unsigned int indent, const char *name)
{
	info_label(output, indent, name);
	return wrap_begin(output, LABEL + 1);
}

/* @return 0 if the CPU has none that precis knows */
static int print_amd_cores(const struct precis_cpu *cpu, struct output *output)
{
	uint32_t cores = precis_amd_cores_of(cpu, 0);

	for (uint32_t core = 0; core < PRECIS_AMD_CORE_COUNT; core++) {
		if (cores & (1u << core))
			output_format(output, ": %s (family %s)", precis_amd_core_name(core),
				      precis_amd_core_models(core));
	}
	return cores != 0;
}

static int print_intel_cores(const struct precis_cpu *cpu, struct output *output)
{
	char cores[CPU_TEXT];

	cpu_cores_text(cpu, cores, sizeof(cores));
	if (*cores)
		output_format(output, ": %s", cores);
	return *cores != 0;
}

static void print_cpu(const struct info *info, struct output *output)
{

	line(output, "CPU", info->file.cpu_description);
	info_label(output, 0, "cpuid");
	output_plain(output, info->file.cpuid ? info->file.cpuid : "not recorded");
	if (info->cpu.vendor == PRECIS_VENDOR_UNKNOWN)
		output_text(output, ": model unknown, give --cpuid");
	else if (!print_amd_cores(&info->cpu, output) && !print_intel_cores(&info->cpu, output))
		output_text(output, info->cpu.vendor == PRECIS_VENDOR_INTEL ?
					    ": an Intel model that is not known" :
					    ": a CPU without IBS");
	output_bytes(output, "\n", 1);
}

static void print_command(const struct info *info, struct output *output)
{
	const char *argument = precis_file_command(info->recording->file, 0);
	struct wrap words;

	if (!argument)
		return;
	words = info_words(output, 0, "command");
	for (uint32_t n = 0; (argument = precis_file_command(info->recording->file, n)); n++)
		wrap_word(&words, argument);
	output_bytes(output, "\n", 1);
}

static void print_time(const struct info *info, struct output *output)
{
	uint64_t duration = info->last_time - info->first_time;

	info_label(output, 0, "duration");
	if (info->has_time)
		output_format(output,
			      "%" PRIu64 ".%09" PRIu64 " s, from %" PRIu64 ".%09" PRIu64
			      " to %" PRIu64 ".%09" PRIu64 "\n",
			      duration / SECOND, duration % SECOND, info->first_time / SECOND,
			      info->first_time % SECOND, info->last_time / SECOND,
			      info->last_time % SECOND);
	else
		output_text(output, "not known: no sample has a time\n");
}

static void print_pmu_caps(const struct info *info, struct output *output)
{
	const char *name, *pmu, *value;

	for (uint32_t n = 0;
	     (name = precis_file_pmu_cap(info->recording->file, n, &pmu, &value)); n++) {
		info_label(output, 0, n ? "" : "PMU caps");
		output_plain(output, pmu ? pmu : "cpu");
		output_text(output, ": ");
		output_plain(output, name);
		output_text(output, "=");
		output_plain(output, value);
		output_bytes(output, "\n", 1);
	}
}

static void print_records(const struct info *info, struct output *output)
{
	struct wrap words = info_words(output, 0, "records");

	for (uint32_t type = 1; type < INFO_RECORD_TYPES; type++) {
		char text[64];
		const char *name = precis_record_name(type);

		if (!info->record_counts[type])
			continue;
		if (name)
			snprintf(text, sizeof(text), "%s %" PRIu64, name,
				 info->record_counts[type]);
		else
			snprintf(text, sizeof(text), "type-%u %" PRIu64, type,
				 info->record_counts[type]);
		wrap_word(&words, text);
	}
	output_bytes(output, "\n", 1);
	if (info->counts.unknown_records) {
		info_label(output, 0, "unknown");
		output_format(output, "%" PRIu64 " records of a type that precis does not know\n",
			      info->counts.unknown_records);
	}
}

static void print_sampling(const struct precis_event *event, struct output *output)
{
	info_label(output, 2, "sampling");
	if (event->is_frequency)
		output_format(output, "%" PRIu64 " Hz", event->sample_period);
	else if (event->sample_period)
		output_format(output, "period %" PRIu64, event->sample_period);
	else
		output_text(output, "period in the config");
	output_format(output, ", precise_ip %u%s%s\n", event->precise_ip,
		      event->exclude_kernel ? ", not the kernel" : "",
		      event->exclude_user ? ", not user space" : "");
	info_label(output, 2, "config");
	output_format(output, "0x%" PRIx64, event->config);
	if (event->config1 || event->config2)
		output_format(output, " config1 0x%" PRIx64 " config2 0x%" PRIx64, event->config1,
			      event->config2);
	output_bytes(output, "\n", 1);
}

static void print_sample_type(const struct precis_event *event, struct output *output)
{
	struct wrap words = info_words(output, 2, "captured");

	for (unsigned int bit = 0; bit < 64; bit++) {
		const char *name = info_sample_type_name(bit);

		if (event->layout->sample_type & (UINT64_C(1) << bit))
			wrap_word(&words, name ? name : "UNKNOWN");
	}
	output_bytes(output, "\n", 1);
}

static void print_fields(struct output *output, const char *name,
			 const uint64_t fields[PRECIS_FIELD_WORDS], const char *end)
{
	struct wrap words = info_words(output, 2, name);

	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		if (precis_fields_have(fields, field))
			wrap_word(&words, precis_field_name(field));
	}
	wrap_text(&words, end);
	output_bytes(output, "\n", 1);
}

static void print_absences(const struct info_event *event, struct output *output)
{
	for (uint32_t n = 0; n < event->absence_count; n++) {
		const struct info_absence *absence = &event->absence[n];
		char end[256];

		snprintf(end, sizeof(end), "- %s: %s", precis_reason_name(absence->reason),
			 absence->detail);
		print_fields(output, n ? "" : "absent", absence->fields, end);
	}
}

static void print_errata(const struct info_event *event, struct output *output)
{
	struct precis_erratum erratum = { .size = sizeof(erratum) };
	struct wrap words = wrap_begin(output, 0);
	const char *last = "";

	for (uint32_t n = 0; precis_erratum(n, &erratum) == 0; n++) {
		if (!info_erratum_applies(event, &erratum) || strcmp(last, erratum.name) == 0)
			continue;
		if (!*last)
			words = info_words(output, 2, "errata");
		wrap_word(&words, erratum.name);
		last = erratum.name;
	}
	if (*last)
		output_bytes(output, "\n", 1);
}

static void print_event(const struct info *info, const struct info_event *shown,
			struct output *output)
{
	const struct precis_event *event = shown->event;
	struct wrap words;
	const char *remark;
	char room[VALIDITY_ROOM];

	output_format(output, "\nevent %-8u ", event->index);
	output_plain(output, event->name);
	output_bytes(output, "\n", 1);
	info_label(output, 2, "PMU");
	output_plain(output, event->pmu ? event->pmu : "unknown");
	output_format(output, ", type %u; decoded as %s: by %s\n", event->type,
		      info_kind_name(event->kind), info_kind_source_name(event->kind_source));
	if (event->kind == PRECIS_EVENT_PEBS) {
		words = info_words(output, 2, "PEBS");
		wrap_text(&words, info_pebs_text(info, shown, room, sizeof(room)));
		output_bytes(output, "\n", 1);
	}
	print_sampling(event, output);
	print_sample_type(event, output);
	info_label(output, 2, "samples");
	output_format(output, "%" PRIu64, shown->counts.samples + shown->counts.traced);
	if (shown->counts.traced)
		output_format(output, ", %" PRIu64 " of them out of the Intel PT trace",
			      shown->counts.traced);
	output_text(output, "\n");
	for (uint32_t n = 0; (remark = info_remark(info, shown, n, room, sizeof(room))); n++) {
		words = info_words(output, 2, n ? "" : "note");
		wrap_text(&words, remark);
		output_bytes(output, "\n", 1);
	}
	if (!shown->has_sample)
		return;
	print_fields(output, "decoded", shown->present, "");
	print_absences(shown, output);
	print_errata(shown, output);
}

void info_print_text(const struct info *info, struct output *output)
{
	line(output, "recording", info->recording->path);
	info_label(output, 0, "size");
	output_format(output, "%" PRIu64 " bytes, %" PRIu64 " of them records%s\n",
		      info->file.file_bytes, info->file.data_bytes,
		      info->file.recorder_died ? "; the recorder died: no features" : "");
	line(output, "host", info->file.hostname);
	line(output, "kernel", info->file.os_release);
	line(output, "perf", info->file.perf_version);
	line(output, "architecture", info->file.arch);
	print_cpu(info, output);
	if (info->file.cpus_available) {
		info_label(output, 0, "CPUs");
		output_format(output, "%u online of %u\n", info->file.cpus_online,
			      info->file.cpus_available);
	}
	print_command(info, output);
	print_time(info, output);
	print_pmu_caps(info, output);
	info_print_system_text(info, output);
	print_records(info, output);
	info_print_traces_text(info, output);
	output_text(output, "\n");
	report_print_text(output, &info->losses);
	for (uint32_t n = 0; n < info->event_count; n++)
		print_event(info, &info->events[n], output);
}
