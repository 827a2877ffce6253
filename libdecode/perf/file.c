/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing a recording. */
#include <stdlib.h>

#include "file_private.h"

static int fail_open(struct precis_file *file, int error)
{
	if (error == PRECIS_E_DIRECTORY)
		return precis_file_fail(file, error, NO_OFFSET,
					"expected a file; if perf record wrote this directory, "
					"the recording is the file data inside");
	if (error == PRECIS_E_UNSUPPORTED)
		return precis_file_fail(file, error, NO_OFFSET,
					"expected a regular file, found a pipe or a device");
	return precis_file_fail_system(file, error);
}

/* Which machine recorded: the caller's word, then the recording's */
static int find_machine(struct precis_file *file, const struct precis_file_options *options)
{
	const char *cpuid = options->cpuid ? options->cpuid : file->info.cpuid;
	const char *release = options->os_release ? options->os_release : file->info.os_release;

	file->cpu.size = sizeof(file->cpu);
	if (cpuid && precis_cpu_parse(cpuid, &file->cpu)) {
		if (options->cpuid)
			return precis_file_fail(
				file, PRECIS_E_ARGUMENT, NO_OFFSET,
				"expected a cpuid like AuthenticAMD,25,17,1, found %.60s", cpuid);
		if (precis_file_warn(file, "the CPU is not known: cannot read the cpuid %.60s",
				     cpuid))
			return precis_file_fail_system(file, PRECIS_E_NO_MEMORY);
	}
	switch (options->fetch_layout) {
	case PRECIS_FETCH_LAYOUT_AUTO:
		file->old_fetch_layout = (uint32_t)precis_ibs_fetch_layout_is_old(release);
		break;
	case PRECIS_FETCH_LAYOUT_NEW:
	case PRECIS_FETCH_LAYOUT_OLD:
		file->old_fetch_layout = options->fetch_layout == PRECIS_FETCH_LAYOUT_OLD;
		break;
	default:
		return precis_file_fail_system(file, PRECIS_E_ARGUMENT);
	}
	if (precis_ibs_context_init(&file->ibs, &file->cpu))
		return precis_file_fail_system(file, PRECIS_E_ARGUMENT);
	return 0;
}

static int read_all(struct precis_file *file, const char *path,
		    const struct precis_file_options *options)
{
	int error = byte_source_open(&file->source, path);

	if (error)
		return fail_open(file, error);
	error = precis_file_read_header(file);
	if (!error)
		error = precis_file_read_events(file);
	if (!error)
		error = precis_file_read_features(file);
	if (!error)
		error = find_machine(file, options);
	if (error)
		return error;
	precis_file_find_kinds(file, options->use_sysfs != 0);
	return precis_file_rewind(file);
}

int precis_file_open(const char *path, const struct precis_file_options *options,
		     struct precis_file **file, struct precis_file_error *error)
{
	static const struct precis_file_options none = { .size = sizeof(none) };
	struct precis_file *opened;
	int code;

	if (!path || !file || (options && options->size < sizeof(*options)) ||
	    (error && error->size < sizeof(*error)))
		return PRECIS_E_ARGUMENT;
	*file = NULL;
	opened = calloc(1, sizeof(*opened));
	if (!opened)
		return PRECIS_E_NO_MEMORY;
	opened->source.fd = -1;
	opened->info.size = sizeof(opened->info);
	opened->error.size = sizeof(opened->error);
	opened->scratch.size = sizeof(opened->scratch);
	code = read_all(opened, path, options ? options : &none);
	if (code) {
		if (error)
			*error = opened->error;
		precis_file_close(opened);
		return code;
	}
	*file = opened;
	return 0;
}

void precis_file_close(struct precis_file *file)
{
	if (!file)
		return;
	byte_source_close(&file->source);
	for (uint32_t feature = 0; file->features && feature < FEATURE_COUNT; feature++)
		free(file->features[feature].bytes);
	for (uint32_t n = 0; n < file->warning_count; n++)
		free(file->warnings[n]);
	free(file->warnings);
	free(file->features);
	free((void *)file->commands);
	free(file->pmus);
	free(file->caps);
	precis_ids_free(&file->index);
	free(file->ids);
	free(file->events);
	free(file->attr_entries);
	free(file);
}
