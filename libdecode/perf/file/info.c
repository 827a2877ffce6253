/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of an open recording, handed out. */
#include "libdecode/perf/features/sections.h"
#include "libdecode/sample/abi.h"
#include "private.h"

/* Copy a struct into the caller's, whose 'size' has been checked and stays. */
#define COPY_OUT(to, from)                                                                         \
	do {                                                                                       \
		uint32_t size = (to)->size;                                                        \
		*(to) = *(from);                                                                   \
		(to)->size = size;                                                                 \
	} while (0)

static uint32_t is_compressed(const struct precis_file *file)
{
	if (file->order.merger)
		return (uint32_t)precis_merger_is_compressed(file->order.merger);
	return file->stream.inflater != NULL;
}

int precis_file_info(const struct precis_file *file, struct precis_file_info *info)
{
	const struct file_header *header;

	ABI_OUT(struct precis_file_info, info, precis_file_info(file, &abi));
	if (!file)
		return PRECIS_E_ARGUMENT;
	header = &file->header;
	COPY_OUT(info, &file->features.said);
	info->header_version = header->header_version;
	info->form = header->form;
	info->recorder_died = header->recorder_died;
	info->file_bytes = header->file_bytes;
	info->data_offset = header->data_offset;
	info->data_bytes = header->data_bytes;
	info->directory = file->directory;
	info->compressed = is_compressed(file);
	return 0;
}

const struct precis_cpu *precis_file_cpu(const struct precis_file *file)
{
	return file ? &file->machine.cpu : NULL;
}

const char *precis_file_command(const struct precis_file *file, uint32_t n)
{
	return file && n < file->features.command_count ? file->features.commands[n] : NULL;
}

const char *precis_file_pmu(const struct precis_file *file, uint32_t n, uint32_t *type)
{
	if (!file || n >= file->features.pmu_count)
		return NULL;
	if (type)
		*type = file->features.pmus[n].type;
	return file->features.pmus[n].name;
}

const char *precis_file_pmu_cap(const struct precis_file *file, uint32_t n, const char **pmu,
				const char **value)
{
	if (!file || n >= file->features.cap_count)
		return NULL;
	if (pmu)
		*pmu = file->features.caps[n].pmu;
	if (value)
		*value = file->features.caps[n].value;
	return file->features.caps[n].name;
}

const char *precis_file_warning(const struct precis_file *file, uint32_t n)
{
	return file && n < file->errors.warning_count ? file->errors.warnings[n] : NULL;
}

uint32_t precis_file_event_count(const struct precis_file *file)
{
	return file ? file->events.count : 0;
}

const struct precis_event *precis_file_event(const struct precis_file *file, uint32_t n)
{
	return file && n < file->events.count ? &file->events.event[n]->view : NULL;
}

int precis_file_feature(const struct precis_file *file, uint32_t feature,
			struct precis_bytes *section)
{
	struct cursor bytes;
	int error;

	if (!file || !section)
		return PRECIS_E_ARGUMENT;
	error = features_load(&file->features, feature, &bytes);
	if (error)
		return error;
	if (cursor_left(&bytes) > UINT32_MAX)
		return PRECIS_E_BAD_SIZE;
	section->data = bytes.at;
	section->bytes = (uint32_t)cursor_left(&bytes);
	return 0;
}

uint64_t precis_file_position(const struct precis_file *file)
{
	if (!file)
		return 0;
	if (file->order.merger)
		return precis_merger_position(file->order.merger);
	return byte_source_consumed(&file->stream.source) - file->header.data_offset;
}

const struct precis_file_error *precis_file_last_error(const struct precis_file *file)
{
	return file ? &file->errors.last : NULL;
}

int precis_file_counts(const struct precis_file *file, struct precis_file_counts *counts)
{
	ABI_OUT(struct precis_file_counts, counts, precis_file_counts(file, &abi));
	if (!file)
		return PRECIS_E_ARGUMENT;
	COPY_OUT(counts, &file->losses.counts);
	counts->bytes = precis_file_position(file);
	counts->late_records = file_order_late(&file->order);
	return 0;
}

int precis_file_event_counts(const struct precis_file *file, uint32_t n,
			     struct precis_event_counts *counts)
{
	ABI_OUT(struct precis_event_counts, counts, precis_file_event_counts(file, n, &abi));
	if (!file || n >= file->events.count)
		return PRECIS_E_ARGUMENT;
	COPY_OUT(counts, &file->events.event[n]->counts);
	return 0;
}
