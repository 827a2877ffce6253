/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening a recording for a subcommand, and reading through it. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/saved/parts.h"
#include "command/usage/complain.h"
#include "recording.h"

#define WARNINGS_SHOWN 8u
/* For what waits to be put in the order of time, beside a process model and without one */
#define SORT_MEMORY ((uint64_t)12 << 20)
#define SORT_MEMORY_ALONE ((uint64_t)48 << 20)

static const struct {
	const char *name;
	uint32_t layout;
} layouts[] = {
	{ "auto", PRECIS_FETCH_LAYOUT_AUTO },
	{ "new", PRECIS_FETCH_LAYOUT_NEW },
	{ "old", PRECIS_FETCH_LAYOUT_OLD },
};

static int take_layout(struct recording_options *options, const char *command, const char *value)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		if (strcmp(value, layouts[i].name) == 0) {
			options->fetch_layout = layouts[i].layout;
			return EXIT_OK;
		}
	}
	return complain_usage(command, "--fetch-layout: expected auto, new or old, found '%s'",
			      value);
}

static int take_cpuid(struct recording_options *options, const char *command, const char *value)
{
	struct precis_cpu cpu = { .size = sizeof(cpu) };

	options->cpuid = value;
	if (precis_cpu_parse(value, &cpu) == 0)
		return EXIT_OK;
	return complain_usage(command,
			      "--cpuid: expected VENDOR,FAMILY,MODEL,STEPPING as in "
			      "AuthenticAMD,25,17,1, found '%s'",
			      value);
}

static int take_capabilities(struct recording_options *options, const char *command,
			     const char *value)
{
	char *end;

	errno = 0;
	options->perf_capabilities = strtoull(value, &end, 16);
	options->has_perf_capabilities = 1;
	if (!errno && !*end && isxdigit((unsigned char)*value))
		return EXIT_OK;
	return complain_usage(command,
			      "--perf-capabilities: expected a hexadecimal number as in 0x3fc5b7, "
			      "found '%s'",
			      value);
}

static int take_expansion(struct recording_options *options, const char *command, const char *value)
{
	char *end;

	options->expansion_limit = UINT64_MAX;
	if (strcmp(value, "none") == 0)
		return EXIT_OK;
	errno = 0;
	options->expansion_limit = strtoull(value, &end, 10);
	if (!errno && !*end && isdigit((unsigned char)*value) && options->expansion_limit)
		return EXIT_OK;
	return complain_usage(command,
			      "--max-expansion: expected a number from 1 on or none, found '%s'",
			      value);
}

int recording_option(struct recording_options *options, const char *command, int option,
		     const char *value)
{
	switch (option) {
	case OPTION_CPUID:
		return take_cpuid(options, command, value);
	case OPTION_OS_RELEASE:
		options->os_release = value;
		return EXIT_OK;
	case OPTION_PERF_CAPABILITIES:
		return take_capabilities(options, command, value);
	case OPTION_FETCH_LAYOUT:
		return take_layout(options, command, value);
	case OPTION_MAX_EXPANSION:
		return take_expansion(options, command, value);
	case OPTION_NO_PROGRESS:
		options->no_progress = 1;
		return EXIT_OK;
	case OPTION_NO_ITRACE:
		options->no_itrace = 1;
		return EXIT_OK;
	case OPTION_SORTED:
		options->order = PRECIS_ORDER_TIME;
		return EXIT_OK;
	default:
		return -1;
	}
}

void recording_complain(const struct recording *recording, const struct precis_file_error *error)
{
	const char *command = recording->command, *path = recording->path;
	const char *colon = error->expected[0] ? ": " : "";
	const char *meaning = precis_strerror(error->code);
	const char *remedy =
		error->code == PRECIS_E_EXPANSION ? "; --max-expansion none reads on" : "";

	if (error->code == PRECIS_E_NOT_PERF_DATA && saved_is_one(path)) {
		complain(command,
			 "%s: is what precis report --save wrote, and no recording: precis report tells it",
			 path);
		return;
	}
	if (error->sys_errno)
		meaning = strerror(error->sys_errno);
	if (error->has_offset)
		complain(command, "%s: offset 0x%" PRIx64 " (%" PRIu64 "): %s%s%s%s", path,
			 error->offset, error->offset, meaning, colon, error->expected, remedy);
	else
		complain(command, "%s: %s%s%s", path, meaning, colon, error->expected);
}

void recording_name(struct recording *recording, const char *command, const char *path)
{
	memset(recording, 0, sizeof(*recording));
	recording->command = command;
	recording->is_stdin = strcmp(path, "-") == 0;
	recording->path = recording->is_stdin ? "standard input" : path;
}

int recording_out_of_memory(struct recording *recording)
{
	if (!recording->broken)
		complain(recording->command, "out of memory");
	recording->broken = 1;
	return EXIT_FAILED;
}

/* A damaged file can have one for each of its 256 features: the first few tell enough. */
static void print_warnings(const struct recording *recording)
{
	const char *warning;
	uint32_t n = 0;

	for (; n < WARNINGS_SHOWN && (warning = precis_file_warning(recording->file, n)); n++)
		complain(recording->command, "%s: warning: %s", recording->path, warning);
	while (precis_file_warning(recording->file, n))
		n++;
	if (n > WARNINGS_SHOWN)
		complain(recording->command, "%s: warning: and %" PRIu32 " more of that kind",
			 recording->path, n - WARNINGS_SHOWN);
}

/* 'total': bytes of data; 0: not known */
static void begin_progress(struct recording *recording, const struct recording_options *options,
			   uint64_t total)
{
	progress_start(&recording->progress, recording->command, recording->path, total);
	if (options->no_progress)
		recording->progress.enabled = 0;
}

static struct precis_file_options file_options(struct recording *recording,
					       const struct recording_options *options)
{
	return (struct precis_file_options){
		.size = sizeof(struct precis_file_options),
		.fetch_layout = options->fetch_layout,
		.cpuid = options->cpuid,
		.os_release = options->os_release,
		.use_sysfs = 1,
		.order = options->order,
		.sort_memory = options->sorts_alone ? SORT_MEMORY_ALONE : SORT_MEMORY,
		.has_perf_capabilities = (uint32_t)options->has_perf_capabilities,
		.perf_capabilities = options->perf_capabilities,
		.expansion_limit = options->expansion_limit,
		.progress = progress_of_step,
		.progress_data = &recording->progress,
	};
}

/* What the recording's name and 'is_stdin' say. 0 or negative */
static int open_input(struct recording *recording, const struct recording_options *options,
		      struct precis_file_error *error)
{
	struct precis_file_options file = file_options(recording, options);
	const struct precis_input_options how = { .size = sizeof(how),
						  .without_traces = (uint32_t)options->no_itrace,
						  .file = &file };
	int failed = recording->is_stdin ?
			     precis_input_open_fd(STDIN_FILENO, &how, &recording->input, error) :
			     precis_input_open(recording->path, &how, &recording->input, error);

	recording->file = precis_input_file(recording->input);
	return failed;
}

/* What is told, and shown, before the first record */
static void begin(struct recording *recording, const struct recording_options *options)
{
	struct precis_file_info info = { .size = sizeof(info) };

	print_warnings(recording);
	precis_file_info(recording->file, &info);
	begin_progress(recording, options, info.data_bytes);
}

int recording_open(struct recording *recording, const char *command, const char *path,
			 const struct recording_options *options)
{
	struct precis_file_error error = { .size = sizeof(error) };
	int failed;

	recording_name(recording, command, path);
	begin_progress(recording, options, 0);
	failed = open_input(recording, options, &error);
	progress_end(&recording->progress);
	if (failed) {
		recording_complain(recording, &error);
		return EXIT_FAILED;
	}
	begin(recording, options);
	return EXIT_OK;
}

int recording_open_again(struct recording *recording, const struct recording *first,
			 const struct recording_options *options)
{
	*recording = (struct recording){
		.command = first->command, .path = first->path, .is_stdin = first->is_stdin,
	};
	return open_input(recording, options, NULL) ? -1 : 0;
}

int recording_open_saved(struct recording *recording, int fd, const struct recording_options *options,
			 struct precis_file_error *error)
{
	struct precis_file_options file = file_options(recording, options);
	const struct precis_input_options how = { .size = sizeof(how), .without_traces = 1, .file = &file };
	int failed;

	file.progress = NULL;
	failed = precis_input_open_fd(fd, &how, &recording->input, error);
	recording->file = precis_input_file(recording->input);
	return failed;
}

int recording_next(struct recording *recording, const struct precis_item **item)
{
	int found = precis_input_next(recording->input, item);

	if (found > 0) {
		if (progress_is_due(&recording->progress, 1))
			progress_show(&recording->progress, precis_input_position(recording->input));
		return 1;
	}
	progress_end(&recording->progress);
	if (found < 0) {
		if (!recording->broken) /* what is read again is broken again */
			recording_complain(recording, precis_input_last_error(recording->input));
		recording->broken = 1;
	}
	return 0;
}

int recording_is_stream(const char *path)
{
	struct stat status;
	int failed = strcmp(path, "-") ? stat(path, &status) : fstat(STDIN_FILENO, &status);

	return !failed && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static int stat_recording(const struct recording *recording, struct stat *status)
{
	return recording->is_stdin ? fstat(STDIN_FILENO, status) : stat(recording->path, status);
}

int recording_is_output(const struct recording *recording, const char *path)
{
	struct stat in, out;

	if (!path || stat(path, &out) || stat_recording(recording, &in) || !S_ISREG(out.st_mode) ||
	    in.st_dev != out.st_dev || in.st_ino != out.st_ino)
		return 0;
	complain(recording->command, "%s: is the recording itself: write to another file", path);
	return 1;
}

void recording_close(struct recording *recording)
{
	progress_end(&recording->progress);
	precis_input_close(recording->input);
	recording->input = NULL;
	recording->file = NULL;
}
