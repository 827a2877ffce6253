/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing a recording. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdecode/perf/events/attrs.h"
#include "libdecode/perf/features/sections.h"
#include "libdecode/perf/features/simpleperf.h"
#include "libdecode/perf/machine/kinds.h"
#include "libdecode/perf/order/directory.h"
#include "libdecode/sample/abi.h"
#include "private.h"

#define SORT_MEMORY ((size_t)64 << 20)
#define INFLATER_MEMORY (UINT64_C(128) << 20) /* what perf's highest level of compression needs */

static int fail_io(struct precis_file *file, int sys_errno)
{
	file->errors.sys_errno = sys_errno;
	return file_fail_system(&file->errors, PRECIS_E_IO);
}

/* A copy of an option's text. @return 0, PRECIS_E_NO_MEMORY */
static int keep(char **kept, const char *text)
{
	*kept = text ? strdup(text) : NULL;
	return text && !*kept ? PRECIS_E_NO_MEMORY : 0;
}

static int take_options(struct precis_file *file, const struct precis_file_options *options)
{
	struct file_machine *machine = &file->machine;

	if (keep(&machine->cpuid, options->cpuid) ||
	    keep(&machine->os_release, options->os_release) ||
	    keep(&file->temporary_directory, options->temporary_directory))
		return file_fail_system(&file->errors, PRECIS_E_NO_MEMORY);
	machine->fetch_layout = options->fetch_layout;
	machine->use_sysfs = options->use_sysfs;
	machine->has_perf_capabilities = options->has_perf_capabilities;
	machine->perf_capabilities = options->perf_capabilities;
	file->stream.expansion_limit = options->expansion_limit;
	file->stream.source.progress = options->progress;
	file->stream.source.progress_data = options->progress_data;
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
		if (file->order.merger)
			break;
		error = sorter_new((size_t)memory, file->temporary_directory, &file->order.sorter);
		if (error)
			return file_fail_system(&file->errors, error);
		break;
	default:
		return file_fail_system(&file->errors, PRECIS_E_ARGUMENT);
	}
	return 0;
}

static int describe(struct precis_file *file)
{
	int error;

	file->features.is_directory = file->directory != NULL;
	file->pipe.is_pipe = file->header.form == PRECIS_FORM_PIPE;
	if (file->pipe.is_pipe)
		return pipe_read_prologue(&file->pipe);
	error = file_read_attrs(&file->events, &file->header, &file->stream);
	if (!error)
		error = features_read(&file->features);
	return error ? error : features_find_tracing_data(&file->features);
}

static int begin_stream(struct precis_file *file, int fd)
{
	int error = byte_source_open(&file->stream.source, fd, STREAM_WINDOW_BYTES);

	file->errors.sys_errno = file->stream.source.sys_errno;
	if (error == PRECIS_E_DIRECTORY)
		return file_fail(&file->errors, error, NO_OFFSET,
				 "expected a file; a recording that is a directory is "
				 "opened by its path");
	file->stream.inflater_memory = INFLATER_MEMORY;
	return error ? file_fail_system(&file->errors, error) : 0;
}

static int open_parts(struct precis_file *file)
{
	if (!file->directory)
		return 0;
	file->header.form = PRECIS_FORM_DIRECTORY;
	file->pipe.is_pipe = 0;
	return file_open_parts(file->directory, &file->stream, &file->events, &file->header,
			       &file->order.merger);
}

static int read_all(struct precis_file *file, int fd, const struct precis_file_options *options)
{
	int error = begin_stream(file, fd);

	if (error)
		return error;
	if (features_begin(&file->features))
		return file_fail_system(&file->errors, PRECIS_E_NO_MEMORY);
	error = take_options(file, options);
	if (!error)
		error = file_header_read(&file->header, &file->stream, file->temporary_directory);
	if (!error)
		error = describe(file);
	if (!error)
		error = file_machine_find(&file->machine);
	if (!error)
		error = file_find_kinds(&file->machine, &file->events, 0);
	if (!error)
		error = open_parts(file);
	if (!error)
		error = begin_order(file, options);
	if (!error)
		precis_file_begin(file);
	return error;
}

/* Who knows whom */
static void join_parts(struct precis_file *file)
{
	struct file_errors *errors = &file->errors;

	file->stream.errors = errors;
	file_events_init(&file->events, errors);
	file->features.errors = errors;
	file->features.header = &file->header;
	file->features.stream = &file->stream;
	file->features.events = &file->events;
	file->machine.errors = errors;
	file->machine.features = &file->features;
	file->pipe.errors = errors;
	file->pipe.stream = &file->stream;
	file->pipe.events = &file->events;
	file->pipe.features = &file->features;
	file->pipe.machine = &file->machine;
	file->order.errors = errors;
	file->order.stream = &file->stream;
	file->order.pipe = &file->pipe;
	file->order.events = &file->events;
	file->losses.events = &file->events;
}

static struct precis_file *new_file(void)
{
	struct precis_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	join_parts(file);
	file->stream.source.fd = -1;
	file->errors.last.size = sizeof(file->errors.last);
	return file;
}

/* Read what opening reads. What fails closes the file. */
static int finish_open(struct precis_file *opened, int code, struct precis_file **file,
		       struct precis_file_error *error)
{
	if (code) {
		if (error)
			*error = opened->errors.last;
		precis_file_close(opened);
		return code;
	}
	opened->errors.last.code = 0;
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
	return open(data, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static int fail_path(struct precis_file *file, int sys_errno)
{
	int code;

	if (!file->directory || sys_errno != ENOENT)
		return fail_io(file, sys_errno);
	code = file_fail(&file->errors, PRECIS_E_DIRECTORY, NO_OFFSET,
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
	file_order_free(&file->order);
	precis_stream_close(&file->stream);
	free(file->pipe.prologue.bytes);
	losses_free(&file->losses);
	features_free(&file->features);
	file_events_free(&file->events);
	file_machine_free(&file->machine);
	file_errors_free(&file->errors);
	free(file->temporary_directory);
	free(file->directory);
	free(file);
}
