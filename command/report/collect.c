/* SPDX-License-Identifier: BSD-3-Clause */
/* See collect.h. */
#include "collect.h"

#include "command/recording/traces.h"
#include "command/usage/complain.h"
#include "jobs.h"
#include "memory.h"

static int collect_alone(struct reading *reading)
{
	if (reading_begin(reading) < 0)
		return -1;
	memory_in_one_piece();
	reading_read(reading);
	while (reading->run.starts_over)
		reading_read_again(reading);
	reading_finish(reading);
	return reading->run.failed ? -1 : 0;
}

int collect(struct reading *reading)
{
	int code;

	if (!jobs_collect(reading) && collect_alone(reading) < 0)
		return EXIT_FAILED;
	if (reading->arguments->is_pebs)
		return pebs_walk_finish(&reading->walk);
	progress_end(&reading->recording.progress);
	faults_take(&reading->faults, reading->input);
	code = faults_print(&reading->faults, &reading->recording);
	if (unlearnt_print(&reading->recording, reading_unlearnt(reading)))
		code = EXIT_FAILED;
	if (traces_print(&reading->recording))
		code = EXIT_FAILED;
	return reading->recording.broken ? EXIT_FAILED : code;
}
