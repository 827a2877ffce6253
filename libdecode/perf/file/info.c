/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of an open recording, handed out. */
#include <stddef.h>

#include "features.h"
#include "libdecode/sample/abi.h"
#include "merger.h"

/* Copy a struct into the caller's, whose 'size' has been checked and stays. */
#define COPY_OUT(to, from)                                                                         \
	do {                                                                                       \
		uint32_t size = (to)->size;                                                        \
		*(to) = *(from);                                                                   \
		(to)->size = size;                                                                 \
	} while (0)

int precis_file_info(const struct precis_file *file, struct precis_file_info *info)
{
	ABI_OUT(struct precis_file_info, info, precis_file_info(file, &abi));
	if (!file)
		return PRECIS_E_ARGUMENT;
	COPY_OUT(info, &file->info);
	return 0;
}

const struct precis_cpu *precis_file_cpu(const struct precis_file *file)
{
	return file ? &file->cpu : NULL;
}

const char *precis_file_command(const struct precis_file *file, uint32_t n)
{
	return file && n < file->command_count ? file->commands[n] : NULL;
}

const char *precis_file_pmu(const struct precis_file *file, uint32_t n, uint32_t *type)
{
	if (!file || n >= file->pmu_count)
		return NULL;
	if (type)
		*type = file->pmus[n].type;
	return file->pmus[n].name;
}

const char *precis_file_pmu_cap(const struct precis_file *file, uint32_t n, const char **pmu,
				const char **value)
{
	if (!file || n >= file->cap_count)
		return NULL;
	if (pmu)
		*pmu = file->caps[n].pmu;
	if (value)
		*value = file->caps[n].value;
	return file->caps[n].name;
}

const char *precis_file_warning(const struct precis_file *file, uint32_t n)
{
	return file && n < file->warning_count ? file->warnings[n] : NULL;
}

uint32_t precis_file_event_count(const struct precis_file *file)
{
	return file ? file->event_count : 0;
}

const struct precis_event *precis_file_event(const struct precis_file *file, uint32_t n)
{
	return file && n < file->event_count ? &file->events[n]->view : NULL;
}

int precis_file_feature(const struct precis_file *file, uint32_t feature,
			struct precis_bytes *section)
{
	struct cursor bytes;
	int error;

	if (!file || !section)
		return PRECIS_E_ARGUMENT;
	error = precis_file_load_feature(file, feature, &bytes);
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
	if (file->merger)
		return precis_merger_position(file->merger);
	return byte_source_consumed(&file->stream.source) - file->info.data_offset;
}

const struct precis_file_error *precis_file_last_error(const struct precis_file *file)
{
	return file ? &file->error : NULL;
}

int precis_file_counts(const struct precis_file *file, struct precis_file_counts *counts)
{
	ABI_OUT(struct precis_file_counts, counts, precis_file_counts(file, &abi));
	if (!file)
		return PRECIS_E_ARGUMENT;
	COPY_OUT(counts, &file->counts);
	counts->bytes = precis_file_position(file);
	counts->late_records = precis_file_late(file);
	return 0;
}

int precis_file_event_counts(const struct precis_file *file, uint32_t n,
			     struct precis_event_counts *counts)
{
	ABI_OUT(struct precis_event_counts, counts, precis_file_event_counts(file, n, &abi));
	if (!file || n >= file->event_count)
		return PRECIS_E_ARGUMENT;
	COPY_OUT(counts, &file->events[n]->counts);
	return 0;
}
