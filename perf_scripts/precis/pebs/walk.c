/* SPDX-License-Identifier: BSD-3-Clause */
/* Through the records of a dump of a PEBS buffer, telling what could not be read. */
#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "area.h"
#include "perf_scripts/precis/output/complain.h"

static const char *expected(uint32_t format, int error, const struct precis_pebs *pebs, char *text,
			    size_t room)
{
	*text = '\0';
	if (error == PRECIS_E_TRUNCATED)
		snprintf(text, room, ": expected the rest of the record");
	else if (error == PRECIS_E_BAD_SIZE)
		snprintf(text, room, ": expected a record of format %s",
			 precis_pebs_format_name(format));
	else if (error == PRECIS_E_UNKNOWN_BITS)
		snprintf(text, room, ": 0x%" PRIx64 " of 0x%" PRIx64, pebs->unknown_groups,
			 pebs->format_word);
	return text;
}

/* What was printed so far comes before a message. */
static void pause_output(struct pebs_walk *walk)
{
	if (walk->output)
		output_flush(walk->output);
	progress_end(&walk->file->progress);
}

/* A fault behind which the next record is known is counted, any other ends the walk. */
static void note_fault(struct pebs_walk *walk, int error, const struct precis_pebs *pebs)
{
	const uint64_t offset = walk->input.offset;
	char text[64];

	expected(walk->input.format, error, pebs, text, sizeof(text));
	if (pebs->bytes) {
		if (fault_count(&walk->unread, offset))
			snprintf(walk->unread.reason, sizeof(walk->unread.reason), "%s%s",
				 precis_strerror(error), text);
		return;
	}
	walk->file->broken = 1;
	pause_output(walk);
	complain(walk->file->command, "%s: offset 0x%" PRIx64 " (%" PRIu64 "): %s%s",
		 walk->file->path, offset, offset, precis_strerror(error), text);
}

/* Was all read that there should be? */
static void note_end(struct pebs_walk *walk)
{
	const struct pebs_input *input = &walk->input;
	const char *path = walk->file->path;

	pause_output(walk);
	if (walk->file->broken)
		return;
	if (input->sys_errno)
		complain(walk->file->command, "%s: offset 0x%" PRIx64 " (%" PRIu64 "): %s", path,
			 input->at, input->at, strerror(input->sys_errno));
	else if (input->left && input->left != UINT64_MAX)
		complain(walk->file->command,
			 "%s: offset 0x%" PRIx64 " (%" PRIu64 "): %s: the DS area says that "
			 "%" PRIu64 " bytes of records follow",
			 path, input->at, input->at, precis_strerror(PRECIS_E_TRUNCATED),
			 input->left);
	else
		return;
	walk->file->broken = 1;
}

static int open_file(const struct recording *file)
{
	int fd = file->is_stdin ? dup(STDIN_FILENO) : open(file->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		complain(file->command, "%s: %s", file->path, strerror(errno));
	return fd;
}

static int open_input(struct pebs_walk *walk, const struct pebs_options *options,
		      const char *written)
{
	const char *command = walk->file->command;
	uint64_t skip, count;
	int code = pebs_area_read(options, command, &skip, &count);

	if (code)
		return code;
	if (recording_is_output(walk->file, written))
		return EXIT_FAILED;
	if (pebs_input_open(&walk->input, walk->fd, options->format, skip, count)) {
		complain(command, "out of memory");
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

int pebs_walk_open(struct pebs_walk *walk, const struct pebs_options *options,
		   struct recording *file, const char *written)
{
	int code;

	memset(walk, 0, sizeof(*walk));
	walk->file = file;
	walk->fd = open_file(file);
	if (walk->fd < 0)
		return EXIT_FAILED;
	precis_pebs_context_init(&walk->context, &options->machine);
	code = open_input(walk, options, written);
	if (code)
		close(walk->fd);
	else
		progress_start(&file->progress, file->command, file->path, 0);
	return code;
}

int pebs_walk_next(struct pebs_walk *walk, struct precis_pebs *pebs,
		   struct precis_pebs_parts *parts)
{
	struct progress *progress = &walk->file->progress;
	int found;

	do {
		found = pebs_input_next(&walk->input, pebs, parts);
		if (found < 0)
			note_fault(walk, found, pebs);
		if (progress_is_due(progress))
			progress_show(progress, walk->input.at);
	} while (found < 0);
	if (found)
		walk->records++;
	else
		note_end(walk);
	return found;
}

int pebs_walk_finish(struct pebs_walk *walk)
{
	pause_output(walk);
	if (walk->unread.count)
		fault_print(walk->file, &walk->unread, "records could not be read");
	return walk->file->broken || walk->unread.count ? EXIT_FAILED : EXIT_OK;
}

void pebs_walk_close(struct pebs_walk *walk)
{
	pebs_input_close(&walk->input);
	close(walk->fd);
}
