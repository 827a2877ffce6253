/* SPDX-License-Identifier: BSD-3-Clause */
/* See save.h. */
#include "save.h"

#include <errno.h>
#include <string.h>

#include "analysis/analyses.h"
#include "analysis/samples.h"
#include "collect.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "saved.h"
#include "units.h"

/* A file that is there whole or not at all */
struct target {
	struct output output;
	uint32_t count; /* recordings in it */
	int failed; /* it was told why */
};

static enum saved_units units_of(const struct reading *reading)
{
	const struct samples *samples = analysis_state(&reading->run, &analysis_samples);

	/* of who shares lines nothing is told by units */
	if (!samples->period_unit[PRECIS_PERIOD_UNIT_OPS] || reading->arguments->sharing.is_asked)
		return SAVED_UNITS_NONE;
	return reading->recording.is_stdin || recording_is_stream(reading->recording.path) ?
		       SAVED_UNITS_UNTOLD : SAVED_UNITS_FOLLOW;
}

/* A recording, read as the arguments say. An exit code */
static int save_one(struct target *target, struct report_arguments *arguments, const char *path,
		    const char *part,
		    enum saved_units *units, int *is_there)
{
	struct reading reading;
	int code = reading_open(&reading, arguments, path);

	*is_there = !code;
	if (code)
		return code;
	code = collect(&reading);
	*units = strcmp(part, SAVED_RECORDING) == 0 ? units_of(&reading) : SAVED_UNITS_NONE;
	if (reading.run.failed) {
		complain(arguments->command, "out of memory");
		target->failed = 1;
	} else if (saved_put(&target->output, part, &reading, *units, code) < 0) {
		target->failed = 1;
	}
	reading_close(&reading);
	return target->failed ? EXIT_FAILED : code;
}

/* The same of each unit: where the samples of several recordings are of both, they are told apart. */
static int save_units(struct target *target, const struct report_arguments *arguments, const char *path)
{
	int worst = EXIT_OK;

	for (uint32_t n = 0; n < UNITS && !target->failed; n++) {
		struct report_arguments of_unit = *arguments;
		enum saved_units units;
		int code, is_there;

		units_select(&of_unit.selection, n);
		of_unit.unit = n + 1;
		complain_no_more(1);
		code = save_one(target, &of_unit, path, SAVED_UNIT, &units, &is_there);
		complain_no_more(0);
		worst = code > worst ? code : worst;
	}
	return worst;
}

/* What was saved before: all recordings that it has. An exit code */
static int save_saved(struct target *target, struct report_arguments *arguments, const char *path)
{
	const long count = saved_recordings(arguments, path);
	struct saved_parts parts = { .fd = -1 };
	int worst = count < 0 ? EXIT_FAILED : saved_read_head(&parts, arguments, path);

	target->failed |= worst != EXIT_OK;
	for (long n = 0; n < count && !target->failed; n++) {
		int is_there, code = saved_copy(&parts, arguments, &target->output, &is_there);

		target->failed |= !is_there;
		target->count += (uint32_t)is_there;
		worst = code > worst ? code : worst;
	}
	if (!target->failed && saved_end(&parts)) {
		target->failed = 1;
		worst = EXIT_FAILED;
	}
	saved_close(&parts);
	return worst;
}

static int save_path(struct target *target, struct report_arguments *arguments, const char *path)
{
	enum saved_units units = SAVED_UNITS_NONE;
	int code, is_there = 0;

	if (saved_is_one(path))
		return save_saved(target, arguments, path);
	code = save_one(target, arguments, path, SAVED_RECORDING, &units, &is_there);
	if (!is_there)
		return code;
	target->count++;
	if (units == SAVED_UNITS_FOLLOW) {
		int of_units = save_units(target, arguments, path);

		code = of_units > code ? of_units : code;
	}
	return code;
}

/* What is not whole is not to be left. */
static int end(struct target *target, const struct report_arguments *arguments)
{
	if (target->failed || !target->count) {
		target->output.failed = target->output.failed ? target->output.failed : ECANCELED;
		output_close(&target->output);
		return EXIT_FAILED;
	}
	saved_finish(&target->output);
	return destination_close(&target->output, arguments->command) ? EXIT_FAILED : EXIT_OK;
}

int save_report(struct report_arguments *arguments)
{
	struct target target = { .count = 0 };
	int worst = EXIT_OK, code;

	if (destination_open_whole(&target.output, arguments->save, arguments->command))
		return EXIT_FAILED;
	target.failed = saved_begin(&target.output, arguments) < 0;
	for (size_t n = 0; n < arguments->path_count && !target.failed && worst != EXIT_USAGE; n++) {
		code = save_path(&target, arguments, arguments->paths[n]);
		worst = code > worst ? code : worst;
	}
	target.failed |= worst == EXIT_USAGE;
	code = end(&target, arguments);
	return code > worst ? code : worst;
}
