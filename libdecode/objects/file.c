/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing a side file, and what it says of itself. */
#define _GNU_SOURCE /* F_DUPFD_CLOEXEC */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "definitions.h"
#include "libdecode/perf/stream/spool.h"
#include "libdecode/perf/stream/temporary_file.h"
#include "libdecode/sample/abi.h"
#include "order.h"
#include "private.h"
#include "scan.h"

#define MEMORY_DEFAULT (UINT64_C(1) << 30)
#define WINDOW_BYTES ((size_t)1 << 20)

_Static_assert(WINDOW_BYTES > sizeof(struct objects_chunk) + OBJECTS_PAYLOAD_MOST, "a chunk fits");

static int is_little_endian(void)
{
	const uint16_t one = 1;
	uint8_t first;

	memcpy(&first, &one, 1);
	return first;
}

static int open_source(struct precis_object_file *file, int fd,
		       const struct precis_object_file_options *options)
{
	int error = byte_source_open(&file->source, fd, WINDOW_BYTES);

	if (!error && file->source.is_stream) {
		byte_source_section(&file->source, 0, UINT64_MAX);
		file->source.limit = UINT64_MAX;
		error = byte_source_spool(&file->source,
					  precis_temporary_directory(options->temporary_directory));
		if (error > 0)
			error = PRECIS_E_IO;
	}
	file->errors.sys_errno = file->source.sys_errno;
	return error ? file_fail_system(&file->errors, error) : 0;
}

static void fill_info(struct precis_object_file *file)
{
	struct precis_object_file_info *info = &file->info;
	const struct objects_header *header = &file->header;

	info->size = sizeof(*info);
	info->version = header->version;
	info->pid = header->pid;
	info->parent_pid = header->parent_pid;
	info->clock = header->clock;
	info->unwinder = header->unwinder;
	info->flags = header->flags & ~(uint32_t)PRECIS_OBJECT_LARGE_SAMPLED;
	if (info->large_interval)
		info->flags |= PRECIS_OBJECT_LARGE_SAMPLED;
	info->start_time = header->start_ticks;
	info->start_monotonic = header->start_monotonic;
	info->threshold = header->threshold;
	info->interval = header->interval;
	info->seed = header->seed;
	info->lost_from = header->lost_from;
	info->depth = header->depth;
	info->max_overhead = header->max_overhead;
	info->executable = header->executable;
	info->build_id = header->build_id;
	info->build_id_bytes = header->build_id_bytes;
	info->end = file->trailer.end;
	info->threads = (uint32_t)file->thread_count;
	info->stacks = file->definitions.stack_count;
	info->strings = file->definitions.string_count;
	if (!info->end)
		return;
	info->allocations = file->trailer.allocations;
	info->allocated = file->trailer.allocated;
	info->own_time = file->trailer.own_ticks;
	info->events_without_memory = file->trailer.without_memory;
	if (file->trailer.lost > info->events_lost)
		info->events_lost = file->trailer.lost;
	/* behind a thread's last one there is no gap */
	if (file->trailer.chunks_lost > info->chunks_lost)
		info->chunks_lost = file->trailer.chunks_lost;
}

static int open_all(struct precis_object_file *file, int fd, const struct precis_object_file_options *options)
{
	int error;

	file->memory_most = options->memory ? options->memory : MEMORY_DEFAULT;
	if (fd < 0) {
		file->errors.sys_errno = errno;
		return file_fail_system(&file->errors, PRECIS_E_IO);
	}
	error = open_source(file, fd, options);
	if (!error && !is_little_endian())
		error = file_fail_system(&file->errors, PRECIS_E_ENDIAN);
	if (!error)
		error = objects_scan(file);
	if (!error)
		fill_info(file);
	return error;
}

/* 'fd' is owned from here on; -1: errno says why there is none */
static int open_owned(int fd, const struct precis_object_file_options *options,
		      struct precis_object_file **opened, struct precis_file_error *error)
{
	static const struct precis_object_file_options none = { .size = sizeof(none) };
	int sys_errno = errno, code = PRECIS_E_NO_MEMORY;
	struct precis_object_file *file = calloc(1, sizeof(*file));

	if (file) {
		file->source.fd = -1;
		file->errors.last.size = sizeof(file->errors.last);
		errno = sys_errno;
		code = open_all(file, fd, options ? options : &none);
	} else if (fd >= 0) {
		close(fd);
	}
	if (error && code) {
		memset(error, 0, sizeof(*error));
		if (file)
			*error = file->errors.last;
		error->size = sizeof(*error);
		error->code = code;
	}
	if (code) {
		precis_object_file_close(file);
		return code;
	}
	*opened = file;
	return 0;
}

int precis_object_file_open(const char *path, const struct precis_object_file_options *options,
			    struct precis_object_file **file, struct precis_file_error *error)
{
	if (!path || !file)
		return PRECIS_E_ARGUMENT;
	ABI_MAY_IN(struct precis_object_file_options, options,
		   precis_object_file_open(path, &abi, file, error));
	ABI_MAY_OUT(struct precis_file_error, error, precis_object_file_open(path, options, file, &abi));
	return open_owned(open(path, O_RDONLY | O_CLOEXEC), options, file, error);
}

int precis_object_file_open_fd(int fd, const struct precis_object_file_options *options,
			       struct precis_object_file **file, struct precis_file_error *error)
{
	if (fd < 0 || !file)
		return PRECIS_E_ARGUMENT;
	ABI_MAY_IN(struct precis_object_file_options, options,
		   precis_object_file_open_fd(fd, &abi, file, error));
	ABI_MAY_OUT(struct precis_file_error, error, precis_object_file_open_fd(fd, options, file, &abi));
	return open_owned(fcntl(fd, F_DUPFD_CLOEXEC, 0), options, file, error);
}

void precis_object_file_close(struct precis_object_file *file)
{
	if (!file)
		return;
	order_free(file);
	byte_source_close(&file->source);
	file_errors_free(&file->errors);
	definitions_free(&file->definitions);
	free(file->chunks);
	free(file->threads);
	free(file->clocks);
	free(file->points);
	free(file->by_tid);
	free(file);
}

int precis_object_file_info(const struct precis_object_file *file, struct precis_object_file_info *info)
{
	if (!file)
		return PRECIS_E_ARGUMENT;
	ABI_OUT(struct precis_object_file_info, info, precis_object_file_info(file, &abi));
	*info = file->info;
	return 0;
}

int precis_object_file_thread(const struct precis_object_file *file, uint32_t n,
			      struct precis_object_thread *thread)
{
	if (!file || n >= file->thread_count)
		return PRECIS_E_ARGUMENT;
	ABI_OUT(struct precis_object_thread, thread, precis_object_file_thread(file, n, &abi));
	*thread = file->threads[n].about;
	return 0;
}

const char *precis_object_file_warning(const struct precis_object_file *file, uint32_t n)
{
	return file && n < file->errors.warning_count ? file->errors.warnings[n] : NULL;
}

int precis_object_file_moment(const struct precis_object_file *file, uint32_t n,
			      struct precis_object_moment *moment)
{
	const struct objects_clock *clock;

	if (!file || n >= file->clock_count)
		return PRECIS_E_ARGUMENT;
	ABI_OUT(struct precis_object_moment, moment, precis_object_file_moment(file, n, &abi));
	clock = &file->clocks[n];
	*moment = (struct precis_object_moment){ .size = sizeof(*moment),
						 .kind = clock->kind,
						 .number = clock->number,
						 .before = clock->before,
						 .after = clock->after,
						 .value = clock->value };
	return 0;
}

const struct precis_file_error *precis_object_file_last_error(const struct precis_object_file *file)
{
	return file ? &file->errors.last : NULL;
}
