/* SPDX-License-Identifier: BSD-3-Clause */
/* The feature sections of a file being written. */
#include <stdlib.h>
#include <string.h>

#include "private.h"

#define COMPRESSED_ZSTD 1u /* enum perf_compress_type */
/* perf makes this much room for what is in one record: more than ours hold */
#define COMPRESSED_MMAP_BYTES (64u * 1024u)
_Static_assert(COMPRESSED_MMAP_BYTES >= DEFLATER_CHUNK, "perf has room for a record's content");

/* In pipe mode features come before the records, and a perf that does not know one gives up. */
#define PIPE_FEATURES (PRECIS_FEATURE_PMU_CAPS + 1)

static int is_too_late(const struct precis_writer *writer)
{
	return writer->is_pipe && writer->has_started;
}

static int set_payload(struct precis_writer *writer, uint32_t feature, const struct blob *payload)
{
	struct writer_feature *to = &writer->features[feature];

	if (payload->failed) {
		free(payload->bytes);
		return PRECIS_E_NO_MEMORY;
	}
	precis_blob_free(&to->payload);
	to->payload = *payload;
	to->is_set = 1;
	return 0;
}

int precis_writer_feature(struct precis_writer *writer, uint32_t feature, const void *payload,
			  size_t bytes)
{
	struct blob copy = { 0 };

	if (!writer || feature >= WRITER_FEATURES || (bytes && !payload) || is_too_late(writer))
		return PRECIS_E_ARGUMENT;
	if (writer->is_pipe && feature >= PIPE_FEATURES)
		return PRECIS_E_UNSUPPORTED;
	precis_blob_put(&copy, payload, bytes);
	return set_payload(writer, feature, &copy);
}

int precis_writer_string(struct precis_writer *writer, enum precis_feature feature,
			 const char *text)
{
	struct blob payload = { 0 };

	if (!writer || !text || is_too_late(writer))
		return PRECIS_E_ARGUMENT;
	switch (feature) {
	case PRECIS_FEATURE_HOSTNAME:
	case PRECIS_FEATURE_OSRELEASE:
	case PRECIS_FEATURE_VERSION:
	case PRECIS_FEATURE_ARCH:
	case PRECIS_FEATURE_CPUDESC:
	case PRECIS_FEATURE_CPUID:
		precis_blob_string(&payload, text);
		return set_payload(writer, feature, &payload);
	default:
		return PRECIS_E_ARGUMENT;
	}
}

int precis_writer_pmu(struct precis_writer *writer, uint32_t type, const char *name)
{
	if (!writer || !name || is_too_late(writer))
		return PRECIS_E_ARGUMENT;
	precis_blob_u32(&writer->pmus, type);
	precis_blob_string(&writer->pmus, name);
	if (writer->pmus.failed)
		return PRECIS_E_NO_MEMORY;
	writer->pmu_count++;
	return 0;
}

int precis_writer_command(struct precis_writer *writer, const char *argument)
{
	if (!writer || !argument || is_too_late(writer))
		return PRECIS_E_ARGUMENT;
	precis_blob_string(&writer->commands, argument);
	if (writer->commands.failed)
		return PRECIS_E_NO_MEMORY;
	writer->command_count++;
	return 0;
}

static void free_cap(struct writer_cap *cap)
{
	free(cap->pmu);
	free(cap->name);
	free(cap->value);
}

int precis_writer_pmu_cap(struct precis_writer *writer, const char *pmu, const char *name,
			  const char *value)
{
	struct writer_cap *caps, *cap;

	if (!writer || !pmu || !name || !value || is_too_late(writer))
		return PRECIS_E_ARGUMENT;
	caps = realloc(writer->caps, (writer->cap_count + 1) * sizeof(*caps));
	if (!caps)
		return PRECIS_E_NO_MEMORY;
	writer->caps = caps;
	cap = &caps[writer->cap_count];
	cap->pmu = strdup(pmu);
	cap->name = strdup(name);
	cap->value = strdup(value);
	if (!cap->pmu || !cap->name || !cap->value) {
		free_cap(cap);
		return PRECIS_E_NO_MEMORY;
	}
	writer->cap_count++;
	return 0;
}

static void finish_list(const struct blob *entries, uint32_t count, struct blob *payload)
{
	precis_blob_u32(payload, count);
	precis_blob_put(payload, entries->bytes, entries->count);
}

static int is_first_of_pmu(const struct precis_writer *writer, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (!strcmp(writer->caps[i].pmu, writer->caps[n].pmu))
			return 0;
	}
	return 1;
}

/* The caps of cap n's PMU: how many, and if 'payload' is given, they themselves */
static uint32_t put_pmu_caps(const struct precis_writer *writer, uint32_t n, struct blob *payload)
{
	uint32_t count = 0;

	for (uint32_t i = n; i < writer->cap_count; i++) {
		if (strcmp(writer->caps[i].pmu, writer->caps[n].pmu))
			continue;
		count++;
		if (payload) {
			precis_blob_string(payload, writer->caps[i].name);
			precis_blob_string(payload, writer->caps[i].value);
		}
	}
	return count;
}

static void finish_pmu_caps(const struct precis_writer *writer, struct blob *payload)
{
	uint32_t pmus = 0;

	for (uint32_t n = 0; n < writer->cap_count; n++)
		pmus += (uint32_t)is_first_of_pmu(writer, n);
	precis_blob_u32(payload, pmus);
	for (uint32_t n = 0; n < writer->cap_count; n++) {
		if (!is_first_of_pmu(writer, n))
			continue;
		precis_blob_u32(payload, put_pmu_caps(writer, n, NULL));
		put_pmu_caps(writer, n, payload);
		precis_blob_string(payload, writer->caps[n].pmu);
	}
}

static int has_names(const struct precis_writer *writer)
{
	for (uint32_t n = 0; n < writer->event_count; n++) {
		if (writer->events[n].name)
			return 1;
	}
	return 0;
}

static void finish_event_desc(const struct precis_writer *writer, struct blob *payload)
{
	precis_blob_u32(payload, writer->event_count);
	precis_blob_u32(payload, (uint32_t)writer->attr_bytes);
	for (uint32_t n = 0; n < writer->event_count; n++) {
		const struct writer_event *event = &writer->events[n];

		precis_blob_put(payload, writer->attrs.bytes + n * writer->attr_bytes,
				writer->attr_bytes);
		precis_blob_u32(payload, event->id_count);
		precis_blob_string(payload, event->name ? event->name : "");
		if (event->id_count)
			precis_blob_put(payload, writer->ids.bytes + event->first_id * 8,
					(size_t)event->id_count * 8);
	}
}

/* {u32 version, type, level, ratio, mmap_len}, as write_compressed() of tools/perf/util/header.c */
static void finish_compressed(const struct deflater *deflater, struct blob *payload)
{
	uint64_t in = deflater->in, out = deflater->out ? deflater->out : 1;

	precis_blob_u32(payload, 0);
	precis_blob_u32(payload, COMPRESSED_ZSTD);
	precis_blob_u32(payload, (uint32_t)deflater->level);
	precis_blob_u32(payload, (uint32_t)((in + out / 2) / out));
	precis_blob_u32(payload, COMPRESSED_MMAP_BYTES);
}

int precis_writer_finish_features(struct precis_writer *writer)
{
	const uint32_t collected[] = { PRECIS_FEATURE_PMU_MAPPINGS, PRECIS_FEATURE_CMDLINE,
				       PRECIS_FEATURE_PMU_CAPS, PRECIS_FEATURE_EVENT_DESC,
				       PRECIS_FEATURE_COMPRESSED };

	for (size_t i = 0; i < sizeof(collected) / sizeof(collected[0]); i++) {
		struct blob payload = { 0 };
		int error;

		if (writer->features[collected[i]].is_set)
			continue;
		if (collected[i] == PRECIS_FEATURE_PMU_MAPPINGS && writer->pmu_count)
			finish_list(&writer->pmus, writer->pmu_count, &payload);
		else if (collected[i] == PRECIS_FEATURE_CMDLINE && writer->command_count)
			finish_list(&writer->commands, writer->command_count, &payload);
		else if (collected[i] == PRECIS_FEATURE_PMU_CAPS && writer->cap_count)
			finish_pmu_caps(writer, &payload);
		else if (collected[i] == PRECIS_FEATURE_EVENT_DESC && has_names(writer))
			finish_event_desc(writer, &payload);
		else if (collected[i] == PRECIS_FEATURE_COMPRESSED && writer->deflater)
			finish_compressed(writer->deflater, &payload);
		else
			continue;
		error = set_payload(writer, collected[i], &payload);
		if (error)
			return error;
	}
	return 0;
}

void precis_writer_free_features(struct precis_writer *writer)
{
	for (uint32_t n = 0; n < WRITER_FEATURES; n++)
		precis_blob_free(&writer->features[n].payload);
	for (uint32_t n = 0; n < writer->cap_count; n++)
		free_cap(&writer->caps[n]);
	free(writer->caps);
	precis_blob_free(&writer->pmus);
	precis_blob_free(&writer->commands);
}
