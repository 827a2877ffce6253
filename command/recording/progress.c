/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a long run is, on a terminal. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <precis/precis.h>

#include "progress.h"

#define SECOND UINT64_C(1000000000)
#define FIRST_SHOWN_AFTER SECOND
#define SHOWN_EVERY (SECOND / 5)

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

void progress_start(struct progress *progress, const char *command, const char *what,
		    uint64_t total)
{
	memset(progress, 0, sizeof(*progress));
	progress->command = command;
	progress->what = what;
	progress->step = "";
	progress->total = total;
	progress->enabled = isatty(STDERR_FILENO);
	if (progress->enabled)
		progress->started_ns = progress->shown_ns = now_ns();
}

void progress_show(struct progress *progress, uint64_t done)
{
	uint64_t now = now_ns();
	double seconds, rate;
	char speed[48];

	if (now - progress->started_ns < FIRST_SHOWN_AFTER ||
	    now - progress->shown_ns < SHOWN_EVERY)
		return;
	seconds = (double)(now - progress->started_ns) / (double)SECOND;
	rate = (double)done / seconds / 1e6;
	/* A few compressed bytes may be millions of records, behind which a long while has no byte. */
	if (rate < 0.5 && progress->records)
		snprintf(speed, sizeof(speed), "%" PRIu64 " records", progress->records);
	else
		snprintf(speed, sizeof(speed), "%.0f MB/s", rate);
	if (progress->total)
		fprintf(stderr, "\rprecis %s: %s%s %3.0f%% (%s)\033[K", progress->command,
			progress->what, progress->step,
			100.0 * (double)done / (double)progress->total, speed);
	else
		fprintf(stderr, "\rprecis %s: %s%s %.0f MB (%s)\033[K", progress->command,
			progress->what, progress->step, (double)done / 1e6, speed);
	fflush(stderr);
	progress->shown_ns = now;
	progress->visible = 1;
}

void progress_of_step(void *data, uint32_t step, uint64_t done)
{
	static const char *const names[] = {
		[PRECIS_FILE_STEP_COPY] = ", copying",
		[PRECIS_FILE_STEP_SORT] = ", sorting",
	};
	struct progress *progress = data;

	if (!progress->enabled || step >= sizeof(names) / sizeof(names[0]) || !names[step])
		return;
	progress->step = names[step];
	progress_show(progress, done);
	progress->step = "";
}

void progress_end(struct progress *progress)
{
	if (progress->visible)
		fprintf(stderr, "\r\033[K");
	progress->visible = 0;
}
