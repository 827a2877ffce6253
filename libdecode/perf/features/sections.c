/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The feature sections: a table of {offset, size} behind the data, one entry
 * for each bit of the header's bitmap. A broken one is a warning: the records
 * can be read without it.
 */
#include <inttypes.h>
#include <stdlib.h>

#include <precis/feature_number.h>

#include "parsers.h"
#include "sections.h"

#define SECTION_BYTES 16u
/* Of all feature sections of a file together; those of the largest machines have a few MiB */
#define SECTIONS_MOST (64u << 20)

/* Names are those of tools/perf/util/header.c, without HEADER_. No parser: kept as bytes. */
static const struct {
	const char *name;
	feature_parser *parse;
	size_t member; /* of struct precis_file_info, for strings */
} known[] = {
#define STRING(member) precis_feature_string, offsetof(struct precis_file_info, member)
	[PRECIS_FEATURE_TRACING_DATA] = { "TRACING_DATA", NULL, 0 },
	[PRECIS_FEATURE_BUILD_ID] = { "BUILD_ID", NULL, 0 },
	[PRECIS_FEATURE_HOSTNAME] = { "HOSTNAME", STRING(hostname) },
	[PRECIS_FEATURE_OSRELEASE] = { "OSRELEASE", STRING(os_release) },
	[PRECIS_FEATURE_VERSION] = { "VERSION", STRING(perf_version) },
	[PRECIS_FEATURE_ARCH] = { "ARCH", STRING(arch) },
	[PRECIS_FEATURE_NRCPUS] = { "NRCPUS", precis_feature_cpu_count, 0 },
	[PRECIS_FEATURE_CPUDESC] = { "CPUDESC", STRING(cpu_description) },
	[PRECIS_FEATURE_CPUID] = { "CPUID", STRING(cpuid) },
	[PRECIS_FEATURE_TOTAL_MEM] = { "TOTAL_MEM", NULL, 0 },
	[PRECIS_FEATURE_CMDLINE] = { "CMDLINE", precis_feature_command, 0 },
	[PRECIS_FEATURE_EVENT_DESC] = { "EVENT_DESC", precis_feature_event_names, 0 },
	[PRECIS_FEATURE_CPU_TOPOLOGY] = { "CPU_TOPOLOGY", NULL, 0 },
	[PRECIS_FEATURE_NUMA_TOPOLOGY] = { "NUMA_TOPOLOGY", NULL, 0 },
	[PRECIS_FEATURE_BRANCH_STACK] = { "BRANCH_STACK", NULL, 0 },
	[PRECIS_FEATURE_PMU_MAPPINGS] = { "PMU_MAPPINGS", precis_feature_pmu_mappings, 0 },
	[PRECIS_FEATURE_GROUP_DESC] = { "GROUP_DESC", NULL, 0 },
	[PRECIS_FEATURE_AUXTRACE] = { "AUXTRACE", NULL, 0 },
	[PRECIS_FEATURE_STAT] = { "STAT", NULL, 0 },
	[PRECIS_FEATURE_CACHE] = { "CACHE", NULL, 0 },
	[PRECIS_FEATURE_SAMPLE_TIME] = { "SAMPLE_TIME", precis_feature_sample_time, 0 },
	[PRECIS_FEATURE_MEM_TOPOLOGY] = { "MEM_TOPOLOGY", NULL, 0 },
	[PRECIS_FEATURE_CLOCKID] = { "CLOCKID", NULL, 0 },
	[PRECIS_FEATURE_DIR_FORMAT] = { "DIR_FORMAT", precis_feature_directory, 0 },
	[PRECIS_FEATURE_BPF_PROG_INFO] = { "BPF_PROG_INFO", NULL, 0 },
	[PRECIS_FEATURE_BPF_BTF] = { "BPF_BTF", NULL, 0 },
	[PRECIS_FEATURE_COMPRESSED] = { "COMPRESSED", NULL, 0 },
	[PRECIS_FEATURE_CPU_PMU_CAPS] = { "CPU_PMU_CAPS", precis_feature_cpu_pmu_caps, 0 },
	[PRECIS_FEATURE_CLOCK_DATA] = { "CLOCK_DATA", NULL, 0 },
	[PRECIS_FEATURE_HYBRID_TOPOLOGY] = { "HYBRID_TOPOLOGY", NULL, 0 },
	[PRECIS_FEATURE_PMU_CAPS] = { "PMU_CAPS", precis_feature_pmu_caps, 0 },
	[PRECIS_FEATURE_CPU_DOMAIN_INFO] = { "CPU_DOMAIN_INFO", NULL, 0 },
	[PRECIS_FEATURE_E_MACHINE] = { "E_MACHINE", NULL, 0 },
	[PRECIS_FEATURE_CLN_SIZE] = { "CLN_SIZE", NULL, 0 },
#undef STRING
};
#define KNOWN_FEATURES (sizeof(known) / sizeof(known[0]))

static const char *feature_name(uint32_t feature)
{
	return feature < KNOWN_FEATURES && known[feature].name ? known[feature].name : "unknown";
}

int features_begin(struct feature_set *features)
{
	features->section = calloc(FEATURE_COUNT, sizeof(*features->section));
	return features->section ? 0 : PRECIS_E_NO_MEMORY;
}

void features_free(struct feature_set *features)
{
	for (uint32_t feature = 0; features->section && feature < FEATURE_COUNT; feature++)
		free(features->section[feature].bytes);
	free(features->section);
	free((void *)features->commands);
	free(features->pmus);
	free(features->caps);
}

int features_have(const struct feature_set *features, uint32_t feature)
{
	return features->said.features[feature / 64] >> (feature % 64) & 1;
}

static void drop_bit(struct feature_set *features, uint32_t feature)
{
	features->said.features[feature / 64] &= ~(UINT64_C(1) << (feature % 64));
}

int features_load(const struct feature_set *features, uint32_t feature, struct cursor *section)
{
	struct byte_source source = features->stream->source;
	struct feature_section *loaded;
	size_t bytes, got;

	if (feature >= FEATURE_COUNT || !features_have(features, feature))
		return PRECIS_E_ARGUMENT;
	loaded = &features->section[feature];
	bytes = (size_t)loaded->place.bytes;
	if (!loaded->bytes) {
		uint8_t *room = malloc(bytes + 1);
		int error;

		if (!room)
			return PRECIS_E_NO_MEMORY;
		error = byte_source_read(&source, loaded->place.offset, room, bytes, &got);
		if (!error && got < bytes)
			error = PRECIS_E_TRUNCATED;
		if (error) {
			free(room);
			return error;
		}
		loaded->bytes = room;
	}
	section->at = loaded->bytes;
	section->end = loaded->bytes + bytes;
	return 0;
}

/* Sections that do not lie in the file: they are as good as not there */
struct missing {
	uint32_t count, first; /* the number of the first, */
	uint64_t entry; /* and where its entry in the table is */
};

static int warn_of_missing(struct feature_set *features, const struct missing *missing)
{
	if (missing->count == 1)
		return file_warn(features->errors,
				 "feature %u (%s): its section (entry at offset %" PRIu64
				 ") is not within the file of %" PRIu64 " bytes",
				 missing->first, feature_name(missing->first), missing->entry,
				 features->header->file_bytes);
	return file_warn(features->errors,
			 "%u features, the first %u (%s): their sections (entries from offset "
			 "%" PRIu64 " on) are not within the file of %" PRIu64 " bytes",
			 missing->count, missing->first, feature_name(missing->first),
			 missing->entry, features->header->file_bytes);
}

static int refuse_large(struct feature_set *features, uint32_t feature)
{
	drop_bit(features, feature);
	return file_warn(features->errors,
			 "feature %u (%s): its section of %" PRIu64
			 " bytes is larger than what is read of all together, %u MiB",
			 feature, feature_name(feature), features->section[feature].place.bytes,
			 SECTIONS_MOST >> 20);
}

static void note_missing(struct feature_set *features, struct missing *missing, uint32_t feature,
			 uint64_t entry)
{
	drop_bit(features, feature);
	if (missing->count++)
		return;
	missing->first = feature;
	missing->entry = entry;
}

/* The place of a section, by its entry in the table. @return 1 if it is in the file, or negative */
static int read_entry(struct feature_set *features, uint64_t at, struct file_section *place)
{
	struct file_section entry = { at, SECTION_BYTES };
	uint8_t bytes[SECTION_BYTES];
	int error;

	if (!file_has(features->header, &entry))
		return 0;
	error = file_read(features->stream, at, bytes, sizeof(bytes));
	if (error)
		return error;
	place->offset = load_u64(bytes);
	place->bytes = load_u64(bytes + 8);
	return file_has(features->header, place);
}

/* Where the sections are. What is kept of all of them in memory is bounded. */
static int read_table(struct feature_set *features)
{
	uint64_t at = features->stream->section_end, left = features->header->file_bytes;
	struct missing missing = { 0, 0, 0 };
	int error = 0;

	if (left > SECTIONS_MOST)
		left = SECTIONS_MOST;
	for (uint32_t feature = 0; feature < FEATURE_COUNT && !error; feature++) {
		struct file_section *place = &features->section[feature].place;
		int is_there;

		if (!features_have(features, feature))
			continue;
		is_there = read_entry(features, at, place);
		if (is_there < 0)
			return is_there;
		if (!is_there)
			note_missing(features, &missing, feature, at);
		else if (place->bytes > left)
			error = refuse_large(features, feature);
		else
			left -= place->bytes;
		at += SECTION_BYTES;
	}
	if (!error && missing.count)
		error = warn_of_missing(features, &missing);
	return error ? file_fail_system(features->errors, error) : 0;
}

static int parse_feature(struct feature_set *features, uint32_t feature)
{
	struct cursor section;
	int error = features_load(features, feature, &section);

	if (!error)
		error = known[feature].parse(features, &section, known[feature].member);
	if (error && error != PRECIS_E_NO_MEMORY)
		error = file_warn(features->errors, "feature %u (%s) at offset %" PRIu64 ": %s",
				  feature, feature_name(feature),
				  features->section[feature].place.offset, precis_strerror(error));
	return error ? file_fail_system(features->errors, error) : 0;
}

int features_parse(struct feature_set *features)
{
	int error = 0;

	for (uint32_t feature = 0; feature < KNOWN_FEATURES && !error; feature++) {
		if (features_have(features, feature) && known[feature].parse)
			error = parse_feature(features, feature);
	}
	return error;
}

int features_read(struct feature_set *features)
{
	int error;

	memcpy(features->said.features, features->header->features,
	       sizeof(features->said.features));
	error = read_table(features);
	return error ? error : features_parse(features);
}

int features_keep(struct feature_set *features, uint64_t feature, uint64_t offset,
		  const uint8_t *bytes, size_t count)
{
	struct feature_section *kept;

	if (feature >= FEATURE_COUNT)
		return file_warn(features->errors,
				 "feature %" PRIu64 " at offset %" PRIu64 ": unknown", feature,
				 offset);
	if (features_have(features, (uint32_t)feature))
		return 0;
	kept = &features->section[feature];
	kept->bytes = malloc(count + 1);
	if (!kept->bytes)
		return PRECIS_E_NO_MEMORY;
	if (count)
		memcpy(kept->bytes, bytes, count);
	kept->place.offset = offset;
	kept->place.bytes = count;
	features->said.features[feature / 64] |= UINT64_C(1) << (feature % 64);
	return 0;
}
