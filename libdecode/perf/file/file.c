/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing a recording. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdecode/sample/abi.h"
#include "merger.h"
#include "private.h"

#define SORT_MEMORY ((size_t)64 << 20)
#define INFLATER_MEMORY (UINT64_C(128) << 20) /* what perf's highest level of compression needs */

static int fail_io(struct precis_file *file, int sys_errno)
{
	file->sys_errno = sys_errno;
	return precis_file_fail_system(file, PRECIS_E_IO);
}

/* A copy of an option's text. @return 0, PRECIS_E_NO_MEMORY */
static int keep(char **kept, const char *text)
{
	*kept = text ? strdup(text) : NULL;
	return text && !*kept ? PRECIS_E_NO_MEMORY : 0;
}

static int take_options(struct precis_file *file, const struct precis_file_options *options)
{
	if (keep(&file->cpuid, options->cpuid) || keep(&file->os_release, options->os_release) ||
	    keep(&file->temporary_directory, options->temporary_directory))
		return precis_file_fail_system(file, PRECIS_E_NO_MEMORY);
	file->fetch_layout = options->fetch_layout;
	file->use_sysfs = options->use_sysfs;
	file->has_perf_capabilities = options->has_perf_capabilities;
	file->perf_capabilities = options->perf_capabilities;
	file->expansion_limit = options->expansion_limit;
	return 0;
}

static int begin_order(struct precis_file *file, const struct precis_file_options *options)
{
	uint64_t memory = options->sort_memory ? options->sort_memory : SORT_MEMORY;
	int error;

	switch (options->order) {
	case PRECIS_ORDER_FILE:
		break;
	case PRECIS_ORDER_TIME:
		if (file->merger)
			break;
		error = sorter_new((size_t)memory, file->temporary_directory, &file->sorter);
		if (error)
			return precis_file_fail_system(file, error);
		break;
	default:
		return precis_file_fail_system(file, PRECIS_E_ARGUMENT);
	}
	return 0;
}

static int describe(struct precis_file *file)
{
	int error;

	if (file->info.form == PRECIS_FORM_PIPE)
		return precis_file_read_prologue(file);
	error = precis_file_read_attrs(file);
	if (!error)
		error = precis_file_read_features(file);
	return error ? error : precis_file_find_tracing_data(file);
}

static int read_all(struct precis_file *file, int fd, const struct precis_file_options *options)
{
	int error = byte_source_open(&file->stream.source, fd, STREAM_WINDOW_BYTES);

	file->sys_errno = file->stream.source.sys_errno;
	if (error == PRECIS_E_DIRECTORY)
		return precis_file_fail(file, error, NO_OFFSET,
					"expected a file; a recording that is a directory is "
					"opened by its path");
	if (error)
		return precis_file_fail_system(file, error);
	file->stream.inflater_memory = INFLATER_MEMORY;
	file->features = calloc(FEATURE_COUNT, sizeof(*file->features));
	if (!file->features)
		return precis_file_fail_system(file, PRECIS_E_NO_MEMORY);
	error = take_options(file, options);
	if (!error)
		error = precis_file_read_header(file);
	if (!error)
		error = describe(file);
	if (!error)
		error = precis_file_find_machine(file);
	if (!error)
		error = precis_file_find_kinds(file, 0);
	if (error)
		return error;
	if (file->directory) {
		file->info.form = PRECIS_FORM_DIRECTORY;
		error = precis_file_open_parts(file);
	}
	if (!error)
		error = begin_order(file, options);
	if (!error)
		precis_file_begin(file);
	return error;
}

static struct precis_file *new_file(void)
{
	struct precis_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->stream.source.fd = -1;
	file->info.size = sizeof(file->info);
	file->error.size = sizeof(file->error);
	precis_ids_init(&file->index, NULL, 0); /* a recording may have no events at all */
	return file;
}

/* Read what opening reads. What fails closes the file. */
static int finish_open(struct precis_file *opened, int code, struct precis_file **file,
		       struct precis_file_error *error)
{
	if (code) {
		if (error)
			*error = opened->error;
		precis_file_close(opened);
		return code;
	}
	opened->error.code = 0;
	*file = opened;
	return 0;
}

static const struct precis_file_options no_options = { .size = sizeof(no_options) };

/* The path of the file to read: of a directory, the file in it. @return a descriptor or -1 */
static int open_path(struct precis_file *file, const char *path)
{
	struct stat status;
	char data[PATH_MAX];

	if (stat(path, &status))
		return -1;
	if (!S_ISDIR(status.st_mode))
		return open(path, O_RDONLY | O_CLOEXEC);
	if ((size_t)snprintf(data, sizeof(data), "%s/data", path) >= sizeof(data)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (keep(&file->directory, path))
		return -1;
	file->info.directory = file->directory;
	return open(data, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static int fail_path(struct precis_file *file, int sys_errno)
{
	int code;

	if (!file->directory || sys_errno != ENOENT)
		return fail_io(file, sys_errno);
	code = precis_file_fail(file, PRECIS_E_DIRECTORY, NO_OFFSET,
				"expected a file, or a directory as perf record writes it, with "
				"a file \"data\" in it");
	return code;
}

int precis_file_open(const char *path, const struct precis_file_options *options,
		     struct precis_file **file, struct precis_file_error *error)
{
	struct precis_file *opened;
	int fd, code;

	ABI_MAY_IN(struct precis_file_options, options, precis_file_open(path, &abi, file, error));
	ABI_MAY_OUT(struct precis_file_error, error, precis_file_open(path, options, file, &abi));
	if (!path || !file)
		return PRECIS_E_ARGUMENT;
	*file = NULL;
	opened = new_file();
	if (!opened)
		return PRECIS_E_NO_MEMORY;
	fd = open_path(opened, path);
	code = fd < 0 ? fail_path(opened, errno)
		      : read_all(opened, fd, options ? options : &no_options);
	return finish_open(opened, code, file, error);
}

int precis_file_open_fd(int fd, const struct precis_file_options *options,
			struct precis_file **file, struct precis_file_error *error)
{
	struct precis_file *opened;
	int own, code;

	ABI_MAY_IN(struct precis_file_options, options, precis_file_open_fd(fd, &abi, file, error));
	ABI_MAY_OUT(struct precis_file_error, error, precis_file_open_fd(fd, options, file, &abi));
	if (!file)
		return PRECIS_E_ARGUMENT;
	*file = NULL;
	opened = new_file();
	if (!opened)
		return PRECIS_E_NO_MEMORY;
	own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	code = own < 0 ? fail_io(opened, errno)
		       : read_all(opened, own, options ? options : &no_options);
	return finish_open(opened, code, file, error);
}

void precis_file_close(struct precis_file *file)
{
	if (!file)
		return;
	sorter_free(file->sorter);
	precis_merger_free(file->merger);
	precis_stream_close(&file->stream);
	free(file->prologue.bytes);
	for (uint32_t feature = 0; file->features && feature < FEATURE_COUNT; feature++)
		free(file->features[feature].bytes);
	for (uint32_t n = 0; n < file->warning_count; n++)
		free(file->warnings[n]);
	free(file->warnings);
	free(file->features);
	free((void *)file->commands);
	free(file->pmus);
	free(file->caps);
	precis_losses_free(&file->losses);
	precis_file_free_events(file);
	precis_file_free_pebs(file);
	free(file->cpuid);
	free(file->os_release);
	free(file->temporary_directory);
	free(file->directory);
	free(file);
}
