/* SPDX-License-Identifier: BSD-3-Clause */
/* Through the records of a dump of a PEBS buffer, telling what could not be read. */
#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "area.h"
#include "command/usage/complain.h"

/* What was printed so far comes before a message. */
static void pause_output(struct pebs_walk *walk)
{
	if (walk->output)
		output_flush(walk->output);
	progress_end(&walk->file->progress);
}

static int open_file(const struct recording *file)
{
	int fd = file->is_stdin ? dup(STDIN_FILENO) : open(file->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		complain(file->command, "%s: %s", file->path, strerror(errno));
	return fd;
}

static int open_input(struct pebs_walk *walk, const struct precis_pebs_dump *dump, int fd)
{
	const struct precis_input_options how = { .size = sizeof(how), .dump = dump };
	struct precis_file_error error = { .size = sizeof(error) };

	if (precis_input_open_fd(fd, &how, &walk->input, &error)) {
		recording_complain(walk->file, &error);
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

static struct precis_pebs_dump dump_of(const struct pebs_options *options)
{
	return (struct precis_pebs_dump){ .size = sizeof(struct precis_pebs_dump),
					  .format = options->format,
					  .machine = &options->machine };
}

static int open_records(struct pebs_walk *walk, const struct pebs_options *options,
			const char *written, int fd)
{
	struct precis_pebs_dump dump = dump_of(options);
	int code = pebs_area_read(options, walk->file->command, &dump.skip, &dump.count);

	if (code)
		return code;
	if (recording_is_output(walk->file, written))
		return EXIT_FAILED;
	dump.has_count = dump.count != UINT64_MAX;
	return open_input(walk, &dump, fd);
}

static void begin(struct pebs_walk *walk, struct recording *file)
{
	memset(walk, 0, sizeof(*walk));
	walk->file = file;
	walk->unread.size = sizeof(walk->unread);
}

int pebs_walk_open(struct pebs_walk *walk, const struct pebs_options *options,
		   struct recording *file, const char *written)
{
	int code, fd;

	begin(walk, file);
	fd = open_file(file);
	if (fd < 0)
		return EXIT_FAILED;
	code = open_records(walk, options, written, fd);
	close(fd);
	if (!code)
		progress_start(&file->progress, file->command, file->path, 0);
	return code;
}

int pebs_walk_open_saved(struct pebs_walk *walk, const struct pebs_options *options,
			 struct recording *file)
{
	const struct precis_pebs_dump dump = dump_of(options);
	int code, fd;

	begin(walk, file);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		complain(file->command, "/dev/null: %s", strerror(errno));
		return EXIT_FAILED;
	}
	code = open_input(walk, &dump, fd);
	close(fd);
	return code;
}

int pebs_walk_next(struct pebs_walk *walk, const struct precis_item **item)
{
	struct progress *progress = &walk->file->progress;
	int found = precis_input_next(walk->input, item);

	if (found > 0) {
		walk->records++;
		if (progress_is_due(progress, 1))
			progress_show(progress, precis_input_position(walk->input));
		return 1;
	}
	precis_input_fault(walk->input, PRECIS_INPUT_FAULT_UNREAD, &walk->unread);
	pause_output(walk);
	if (found < 0) {
		walk->file->broken = 1;
		recording_complain(walk->file, precis_input_last_error(walk->input));
	}
	return 0;
}

int pebs_walk_finish(struct pebs_walk *walk)
{
	struct fault unread = { 0 };

	precis_input_fault(walk->input, PRECIS_INPUT_FAULT_UNREAD, &walk->unread);
	fault_of_input(walk->input, PRECIS_INPUT_FAULT_UNREAD, &unread);
	pause_output(walk);
	if (unread.count)
		fault_print(walk->file, &unread, "records could not be read");
	return walk->file->broken || unread.count ? EXIT_FAILED : EXIT_OK;
}

void pebs_walk_close(struct pebs_walk *walk)
{
	precis_input_close(walk->input);
}
