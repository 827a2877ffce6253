/* SPDX-License-Identifier: BSD-3-Clause */
/* The DS management area: where in a dump of the buffer its records are. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "area.h"
#include "command/usage/complain.h"

/* All that there is of it, at most 'room' bytes. -1 with errno */
static ssize_t read_start(const char *path, uint8_t *bytes, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), failure;
	ssize_t got = 1;
	size_t count = 0;

	if (fd < 0)
		return -1;
	while (count < room && got) {
		got = read(fd, bytes + count, room - count);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		count += (size_t)got;
	}
	failure = errno;
	close(fd);
	errno = failure;
	return got < 0 ? -1 : (ssize_t)count;
}

/* Goldmont Plus has the records of format 3, and the area of later ones. */
static uint32_t layout_of(const struct pebs_options *options)
{
	const struct precis_pebs_machine *machine = &options->machine;
	uint32_t core = precis_intel_core_of(&machine->cpu,
					     (enum precis_core_type)machine->core_type);

	if (core == PRECIS_INTEL_GOLDMONT_PLUS && options->format == PRECIS_PEBS_FORMAT_3)
		return PRECIS_DS_64_8;
	return (uint32_t)precis_ds_layout_of(options->format);
}

static int parse(const struct pebs_options *options, const char *command, struct precis_ds *ds)
{
	uint8_t bytes[PRECIS_DS_AREA_MAX];
	ssize_t count = read_start(options->area, bytes, sizeof(bytes));
	int error;

	if (count < 0) {
		complain(command, "%s: %s", options->area, strerror(errno));
		return EXIT_FAILED;
	}
	error = precis_ds_parse(layout_of(options), bytes, (size_t)count, ds);
	if (!error)
		return EXIT_OK;
	complain(command, "%s: %s: expected a DS management area, found %zd bytes", options->area,
		 precis_strerror(error), count);
	return EXIT_FAILED;
}

static int refuse(const char *command, const char *path, const struct precis_ds_buffer *buffer,
		  uint32_t fault)
{
	complain(command,
		 "%s: PEBS buffer: %s: base 0x%" PRIx64 ", index 0x%" PRIx64 ", maximum 0x%" PRIx64,
		 path, precis_ds_fault_text(fault), buffer->base, buffer->index, buffer->maximum);
	return EXIT_FAILED;
}

int pebs_area_read(const struct pebs_options *options, const char *command, uint64_t *skip,
		   uint64_t *count)
{
	struct precis_ds ds = { .size = sizeof(ds) };
	uint32_t fault;
	int code, error;

	*skip = 0;
	*count = UINT64_MAX;
	if (!options->area)
		return EXIT_OK;
	code = parse(options, command, &ds);
	if (code)
		return code;
	error = precis_ds_extent(&ds, options->format, options->has_base ? &options->base : NULL,
				 skip, count, &fault);
	if (error)
		return refuse(command, options->area, &ds.pebs, fault);
	if (fault == PRECIS_DS_NO_BUFFER || fault == PRECIS_DS_THRESHOLD_OUTSIDE)
		complain(command, "%s: warning: PEBS buffer: %s", options->area,
			 precis_ds_fault_text(fault));
	return EXIT_OK;
}
