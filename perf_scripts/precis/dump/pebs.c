/* SPDX-License-Identifier: BSD-3-Clause */
/* precis dump --pebs-format: through the records of a PEBS buffer, and what of it is printed. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pebs.h"
#include "perf_scripts/precis/output/complain.h"
#include "perf_scripts/precis/pebs/area.h"
#include "perf_scripts/precis/pebs/input.h"
#include "perf_scripts/precis/recording/closing.h"

struct pebs_dump {
	struct dump *dump;
	const struct selection *selection;
	struct recording *file; /* of a recording what messages and progress need */
	struct precis_pebs_context context;
	struct pebs_input input;
	struct fault unread; /* records that cannot be taken apart, others behind them can */
};

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

/* A fault behind which the next record is known is counted, any other ends the walk. */
static void note_fault(struct pebs_dump *state, int error, const struct precis_pebs *pebs)
{
	const uint64_t offset = state->input.offset;
	char text[64];

	expected(state->input.format, error, pebs, text, sizeof(text));
	if (pebs->bytes) {
		if (fault_count(&state->unread, offset))
			snprintf(state->unread.reason, sizeof(state->unread.reason), "%s%s",
				 precis_strerror(error), text);
		return;
	}
	state->file->broken = 1;
	output_flush(&state->dump->output);
	progress_end(&state->file->progress);
	complain(state->file->command, "%s: offset 0x%" PRIx64 " (%" PRIu64 "): %s%s",
		 state->file->path, offset, offset, precis_strerror(error), text);
}

/* Was all read that there should be? */
static void note_end(struct pebs_dump *state)
{
	const struct pebs_input *input = &state->input;
	const char *path = state->file->path;

	if (state->file->broken)
		return;
	if (input->sys_errno)
		complain(state->file->command, "%s: offset 0x%" PRIx64 " (%" PRIu64 "): %s", path,
			 input->at, input->at, strerror(input->sys_errno));
	else if (input->left && input->left != UINT64_MAX)
		complain(state->file->command,
			 "%s: offset 0x%" PRIx64 " (%" PRIu64 "): %s: the DS area says that "
			 "%" PRIu64 " bytes of records follow",
			 path, input->at, input->at, precis_strerror(PRECIS_E_TRUNCATED),
			 input->left);
	else
		return;
	state->file->broken = 1;
}

/* @return 1 if it was printed */
static int print_record(struct pebs_dump *state, const struct precis_pebs *pebs,
			struct precis_sample *sample)
{
	struct dump *dump = state->dump;

	precis_pebs_decode(&state->context, pebs, dump->wanted, sample);
	if (!selection_has(state->selection, sample))
		return 0;
	dump->format->sample(dump, sample);
	return 1;
}

static void read_records(struct pebs_dump *state, uint64_t max)
{
	struct pebs_groups *groups = state->dump->pebs_groups;
	struct precis_pebs pebs = { .size = sizeof(pebs) };
	struct output *output = &state->dump->output;
	struct progress *progress = &state->file->progress;
	struct precis_sample sample;
	uint64_t printed = 0;
	int found = 1;

	precis_sample_init(&sample);
	while (printed < max && !output->failed) {
		found = pebs_input_next(&state->input, &pebs, groups ? &groups->parts : NULL);
		if (found > 0)
			printed += (unsigned int)print_record(state, &pebs, &sample);
		else if (found < 0)
			note_fault(state, found, &pebs);
		else
			break;
		if (progress_is_due(progress))
			progress_show(progress, state->input.at);
	}
	progress_end(progress);
	output_flush(output);
	if (!found)
		note_end(state);
}

static int print_all(struct pebs_dump *state, const char *path, uint64_t max)
{
	struct dump *dump = state->dump;

	if (output_open(&dump->output, path, state->file->command))
		return EXIT_FAILED;
	if (isatty(dump->output.fd)) /* the samples are progress enough */
		state->file->progress.enabled = 0;
	dump->format->begin(dump);
	read_records(state, max);
	dump->format->end(dump);
	if (state->unread.count)
		fault_print(state->file, &state->unread, "records could not be read");
	if (output_close(&dump->output, state->file->command))
		return EXIT_FAILED;
	return state->file->broken || state->unread.count ? EXIT_FAILED : EXIT_OK;
}

static int open_file(const struct recording *file)
{
	int fd = file->is_stdin ? dup(STDIN_FILENO) : open(file->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		complain(file->command, "%s: %s", file->path, strerror(errno));
	return fd;
}

static int dump_from(struct pebs_dump *state, const struct pebs_options *options, int fd,
		     const char *output, uint64_t max)
{
	const char *command = state->file->command;
	uint64_t skip, count;
	int code = pebs_area_read(options, command, &skip, &count);

	if (code)
		return code;
	if (recording_is_output(state->file, output))
		return EXIT_FAILED;
	if (pebs_input_open(&state->input, fd, options->format, skip, count)) {
		complain(command, "out of memory");
		return EXIT_FAILED;
	}
	progress_start(&state->file->progress, command, state->file->path, 0);
	code = print_all(state, output, max);
	pebs_input_close(&state->input);
	return code;
}

int dump_pebs(struct dump *dump, const struct pebs_options *options,
	      const struct selection *selection, struct recording *file, const char *output,
	      uint64_t max)
{
	struct pebs_dump state = { .dump = dump, .selection = selection, .file = file };
	int fd = open_file(file), code;

	if (fd < 0)
		return EXIT_FAILED;
	dump_set_wanted(dump, selection);
	precis_pebs_context_init(&state.context, &options->machine);
	code = dump_from(&state, options, fd, output, max);
	close(fd);
	return code;
}
