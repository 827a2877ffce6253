/* SPDX-License-Identifier: BSD-3-Clause */
/* precis info FILE as one JSON object. */
#include <string.h>

#include "info.h"
#include "pebs.h"
#include "document/print.h"
#include "command/validity/cpu_text.h"
#include "command/validity/pebs_event.h"
#include "system.h"

static void print_host(const struct info *info, struct json *json)
{
	const struct precis_file_info *file = &info->file;
	uint32_t cores = info->cpu.vendor ? precis_amd_cores_of(&info->cpu, 0) : 0;
	struct intel_core intel[INTEL_CORES_MOST];
	uint32_t intel_count = intel_cores_of(&info->cpu, intel);
	const char *argument;

	json_text(json, "file", info->recording->path);
	json_number(json, "bytes", file->file_bytes);
	json_number(json, "data_bytes", file->data_bytes);
	json_bool(json, "recorder_died", (int)file->recorder_died);
	json_text(json, "hostname", file->hostname);
	json_text(json, "os_release", file->os_release);
	json_text(json, "perf_version", file->perf_version);
	json_text(json, "arch", file->arch);
	json_text(json, "cpu_description", file->cpu_description);
	json_text(json, "cpuid", file->cpuid);
	json_array(json, "cores");
	for (uint32_t core = 0; core < PRECIS_AMD_CORE_COUNT; core++) {
		if (cores & (1u << core))
			json_text(json, NULL, precis_amd_core_name(core));
	}
	for (uint32_t n = 0; n < intel_count; n++)
		json_text(json, NULL, precis_intel_core_name(intel[n].core));
	json_array_end(json);
	json_number(json, "cpus_online", file->cpus_online);
	json_number(json, "cpus_available", file->cpus_available);
	json_array(json, "command");
	for (uint32_t n = 0; (argument = precis_file_command(info->recording->file, n)); n++)
		json_text(json, NULL, argument);
	json_array_end(json);
	if (info->has_time) {
		json_number(json, "first_time", info->first_time);
		json_number(json, "last_time", info->last_time);
	}
}

static void print_pmus(const struct info *info, struct json *json)
{
	const char *name, *pmu, *value;
	uint32_t type;

	json_object(json, "pmus");
	for (uint32_t n = 0; (name = precis_file_pmu(info->recording->file, n, &type)); n++)
		json_number(json, name, type);
	json_object_end(json);
	json_array(json, "pmu_caps");
	for (uint32_t n = 0;
	     (name = precis_file_pmu_cap(info->recording->file, n, &pmu, &value)); n++) {
		json_object(json, NULL);
		json_text(json, "pmu", pmu);
		json_text(json, "name", name);
		json_text(json, "value", value);
		json_object_end(json);
	}
	json_array_end(json);
}

static void print_counts(const struct info *info, struct json *json)
{
	json_number(json, "samples", info->counts.samples);
	json_number(json, "samples_unread", info->counts.samples_unread);
	json_number(json, "unknown_records", info->counts.unknown_records);
	json_object(json, "records");
	for (uint32_t type = 1; type < INFO_RECORD_TYPES; type++) {
		if (info->record_counts[type] && precis_record_name(type))
			json_number(json, precis_record_name(type), info->record_counts[type]);
	}
	json_object_end(json);
}

static void print_fields(struct json *json, const char *key,
			 const uint64_t fields[PRECIS_FIELD_WORDS])
{
	json_array(json, key);
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		if (precis_fields_have(fields, field))
			json_text(json, NULL, precis_field_name(field));
	}
	json_array_end(json);
}

static void print_decoding(const struct info *info, const struct info_event *shown,
			   struct json *json)
{
	struct precis_erratum erratum = { .size = sizeof(erratum) };
	const char *remark, *last = "";
	char room[VALIDITY_ROOM];

	json_array(json, "remarks");
	for (uint32_t n = 0; (remark = info_remark(info, shown, n, room, sizeof(room))); n++)
		json_text(json, NULL, remark);
	json_array_end(json);
	print_fields(json, "decoded", shown->present);
	json_array(json, "absent");
	for (uint32_t n = 0; n < shown->absence_count; n++) {
		json_object(json, NULL);
		json_text(json, "reason", precis_reason_name(shown->absence[n].reason));
		json_text(json, "detail", shown->absence[n].detail);
		print_fields(json, "fields", shown->absence[n].fields);
		json_object_end(json);
	}
	json_array_end(json);
	json_array(json, "errata");
	for (uint32_t n = 0; precis_erratum(n, &erratum) == 0; n++) {
		if (!info_erratum_applies(shown, &erratum) || strcmp(last, erratum.name) == 0)
			continue;
		json_text(json, NULL, erratum.name);
		last = erratum.name;
	}
	json_array_end(json);
}

/* Of other events null */
static void print_pebs(const struct info *info, const struct info_event *shown, struct json *json)
{
	struct precis_intel_core_info core;
	int known = !pebs_event_core(&info->cpu, shown->event, &core);
	int is_load_latency = shown->event->pebs_facility == PRECIS_PEBS_FACILITY_LOAD_LATENCY;
	uint32_t threshold = is_load_latency ? pebs_event_threshold(shown->event) : 0;

	if (shown->event->kind != PRECIS_EVENT_PEBS) {
		json_text(json, "pebs", NULL);
		return;
	}
	json_object(json, "pebs");
	json_text(json, "core", known ? core.name : NULL);
	json_text(json, "core_type", precis_core_type_name(shown->event->core_type));
	json_text(json, "record_format", known && core.pebs_format >= 0 ?
			precis_pebs_format_name((uint32_t)core.pebs_format) : NULL);
	json_text(json, "event", info_pebs_event_name(info, shown));
	if (threshold)
		json_number(json, "ldlat", threshold);
	else
		json_text(json, "ldlat", NULL);
	json_object_end(json);
}

static void print_event(const struct info *info, const struct info_event *shown, struct json *json)
{
	const struct precis_event *event = shown->event;

	json_object(json, NULL);
	json_number(json, "index", event->index);
	json_text(json, "name", event->name);
	json_text(json, "pmu", event->pmu);
	json_number(json, "type", event->type);
	json_text(json, "kind", info_kind_name(event->kind));
	json_text(json, "kind_source", info_kind_source_name(event->kind_source));
	print_pebs(info, shown, json);
	json_hex(json, "config", event->config);
	json_hex(json, "config1", event->config1);
	json_hex(json, "config2", event->config2);
	json_number(json, event->is_frequency ? "frequency" : "period", event->sample_period);
	json_number(json, "precise_ip", event->precise_ip);
	json_bool(json, "exclude_kernel", (int)event->exclude_kernel);
	json_bool(json, "exclude_user", (int)event->exclude_user);
	json_array(json, "sample_type");
	for (unsigned int bit = 0; info_sample_type_name(bit); bit++) {
		if (event->layout->sample_type & (UINT64_C(1) << bit))
			json_text(json, NULL, info_sample_type_name(bit));
	}
	json_array_end(json);
	json_number(json, "samples", shown->counts.samples);
	json_number(json, "traced_samples", shown->counts.traced);
	json_number(json, "undecodable", shown->counts.undecodable);
	print_decoding(info, shown, json);
	json_object_end(json);
}

void info_print_json(const struct info *info, struct output *output)
{
	struct json json = { .output = output, .indent = 1 };
	const char *warning;

	json_object(&json, NULL);
	print_host(info, &json);
	print_pmus(info, &json);
	info_print_system_json(info, &json);
	print_counts(info, &json);
	info_print_traces_json(info, &json);
	report_json_tables(&json, &info->losses);
	json_array(&json, "warnings");
	for (uint32_t n = 0; (warning = precis_file_warning(info->recording->file, n)); n++)
		json_text(&json, NULL, warning);
	json_array_end(&json);
	json_array(&json, "events");
	for (uint32_t n = 0; n < info->event_count; n++)
		print_event(info, &info->events[n], &json);
	json_array_end(&json);
	json_object_end(&json);
}
