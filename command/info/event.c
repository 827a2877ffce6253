/* SPDX-License-Identifier: BSD-3-Clause */
/* An event of a recording: how it was asked for, and what of its samples can be decoded. */
#include <inttypes.h>
#include <string.h>

#include "info.h"
#include "pebs.h"
#include "analysis/pebs_event.h"

static void facts_pmu(const struct precis_event *event, struct document *document)
{
	fact_count(document, "index", event->index);
	fact_text(document, "name", NULL, event->name);
	fact_text(document, "pmu", "PMU", event->pmu);
	fact_says(document, "%s, type %u; decoded as %s: by %s", event->pmu ? event->pmu : "unknown",
		  event->type, info_kind_name(event->kind),
		  info_kind_source_name(event->kind_source));
	fact_count(document, "type", event->type);
	fact_text(document, "kind", NULL, info_kind_name(event->kind));
	fact_text(document, "kind_source", NULL, info_kind_source_name(event->kind_source));
}

/* Other events have none. */
static void fact_pebs(const struct info *info, const struct info_event *shown,
		      struct document *document)
{
	struct precis_intel_core_info core;
	int known = !pebs_event_core(&info->cpu, shown->event, &core);
	int is_load_latency = shown->event->pebs_facility == PRECIS_PEBS_FACILITY_LOAD_LATENCY;
	uint32_t threshold = is_load_latency ? pebs_event_threshold(shown->event) : 0;
	char room[VALIDITY_ROOM];

	if (shown->event->kind != PRECIS_EVENT_PEBS) {
		fact_text(document, "pebs", NULL, NULL);
		return;
	}
	fact(document, "pebs");
	cell_members(document);
	member_text(document, "core", known ? core.name : NULL);
	member_text(document, "core_type", precis_core_type_name(shown->event->core_type));
	member_text(document, "record_format", known && core.pebs_format >= 0 ?
			precis_pebs_format_name((uint32_t)core.pebs_format) : NULL);
	member_text(document, "event", info_pebs_event_name(info, shown));
	if (threshold)
		member_count(document, "ldlat", threshold);
	else
		member_absent(document, "ldlat", NULL);
	close_nest(document);
	fact_label(document, "PEBS");
	fact_says(document, "%s", info_pebs_text(info, shown, room, sizeof(room)));
}

static void fact_sampling(const struct precis_event *event, struct document *document)
{
	const char *precise = event->exclude_kernel ? ", not the kernel" : "";
	const char *user = event->exclude_user ? ", not user space" : "";

	fact(document, "");
	fact_label(document, "sampling");
	if (event->is_frequency)
		fact_says(document, "%" PRIu64 " Hz, precise_ip %u%s%s", event->sample_period,
			  event->precise_ip, precise, user);
	else if (event->sample_period)
		fact_says(document, "period %" PRIu64 ", precise_ip %u%s%s", event->sample_period,
			  event->precise_ip, precise, user);
	else
		fact_says(document, "period in the config, precise_ip %u%s%s", event->precise_ip,
			  precise, user);
}

static void fact_config(struct document *document, const char *name, uint64_t config)
{
	fact(document, name);
	cell_address(document, config);
}

static void facts_configuration(const struct precis_event *event, struct document *document)
{
	fact_sampling(event, document);
	fact_config(document, "config", event->config);
	fact_label(document, "config");
	if (event->config1 || event->config2)
		fact_says(document, "0x%" PRIx64 " config1 0x%" PRIx64 " config2 0x%" PRIx64,
			  event->config, event->config1, event->config2);
	fact_config(document, "config1", event->config1);
	fact_config(document, "config2", event->config2);
	fact_count(document, event->is_frequency ? "frequency" : "period", event->sample_period);
	cell_unit(document, event->is_frequency ? "Hz" : NULL);
	fact_count(document, "precise_ip", event->precise_ip);
	fact_bool(document, "exclude_kernel", (int)event->exclude_kernel);
	fact_bool(document, "exclude_user", (int)event->exclude_user);
}

static void fact_sample_type(const struct precis_event *event, struct document *document)
{
	fact(document, "sample_type");
	cell_entries(document);
	fact_label(document, "captured");
	for (unsigned int bit = 0; bit < 64; bit++) {
		const char *name = info_sample_type_name(bit);

		if (!(event->layout->sample_type & (UINT64_C(1) << bit)))
			continue;
		if (name)
			member_text(document, NULL, name);
		fact_says_word(document, name ? name : "UNKNOWN");
	}
	close_nest(document);
}

static void facts_samples(const struct precis_event_counts *counts, struct document *document)
{
	fact_count(document, "samples", counts->samples);
	fact_label(document, "samples");
	if (counts->traced)
		fact_says(document, "%" PRIu64 ", %" PRIu64 " of them out of the Intel PT trace",
			  counts->samples + counts->traced, counts->traced);
	fact_count(document, "traced_samples", counts->traced);
	fact_count(document, "undecodable", counts->undecodable);
}

static void fact_remarks(const struct info *info, const struct info_event *shown,
			 struct document *document)
{
	const char *remark;
	char room[VALIDITY_ROOM];

	fact(document, "remarks");
	cell_entries(document);
	for (uint32_t n = 0; (remark = info_remark(info, shown, n, room, sizeof(room))); n++) {
		member_text(document, NULL, remark);
		fact_label(document, "note");
		fact_says_line(document, "%s", remark);
	}
	close_nest(document);
}

/* The entries of a list; in text they begin a line */
static void entries_fields(struct document *document, const uint64_t fields[PRECIS_FIELD_WORDS])
{
	int any = 0;

	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		const char *name = precis_field_name(field);

		if (!precis_fields_have(fields, field))
			continue;
		member_text(document, NULL, name);
		if (any++)
			fact_says_word(document, name);
		else
			fact_says_line(document, "%s", name);
	}
}

static void fact_decoded(const struct info_event *shown, struct document *document)
{
	fact(document, "decoded");
	cell_entries(document);
	entries_fields(document, shown->present);
	close_nest(document);
	if (shown->has_sample)
		fact_label(document, "decoded");
}

static void fact_absent(const struct info_event *shown, struct document *document)
{
	fact(document, "absent");
	cell_entries(document);
	for (uint32_t n = 0; n < shown->absence_count; n++) {
		const struct info_absence *absence = &shown->absence[n];

		member_members(document, NULL);
		member_text(document, "reason", precis_reason_name(absence->reason));
		member_text(document, "detail", absence->detail);
		member_entries(document, "fields");
		entries_fields(document, absence->fields);
		close_nest(document);
		close_nest(document);
		fact_label(document, "absent");
		fact_says(document, "- %s: %s", precis_reason_name(absence->reason),
			  absence->detail);
	}
	close_nest(document);
}

static void fact_errata(const struct info_event *shown, struct document *document)
{
	struct precis_erratum erratum = { .size = sizeof(erratum) };
	const char *last = "";

	fact(document, "errata");
	cell_entries(document);
	for (uint32_t n = 0; precis_erratum(n, &erratum) == 0; n++) {
		if (!info_erratum_applies(shown, &erratum) || strcmp(last, erratum.name) == 0)
			continue;
		if (shown->has_sample)
			fact_label(document, "errata");
		member_text(document, NULL, erratum.name);
		fact_says_word(document, erratum.name);
		last = erratum.name;
	}
	close_nest(document);
}

void info_describe_event(const struct info *info, const struct info_event *shown,
			 struct document *document)
{
	facts_begin(document, "events", 2, INFO_LABEL - 2);
	facts_entry_of(document, "events");
	facts_title(document, "event %-8u %s", shown->event->index, shown->event->name);
	facts_pmu(shown->event, document);
	fact_pebs(info, shown, document);
	facts_configuration(shown->event, document);
	fact_sample_type(shown->event, document);
	facts_samples(&shown->counts, document);
	fact_remarks(info, shown, document);
	fact_decoded(shown, document);
	fact_absent(shown, document);
	fact_errata(shown, document);
}
