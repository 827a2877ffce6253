/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay_speed EVENTS LIVE [FILE]: what it costs to replay lifetimes of blocks, of which so many are there
 * at a time, in CPU time of one core; and what each takes of memory. With a side file reading it, too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <precis/precis.h>

#include "analysis/objects/replay.h"
#include "statistics/random.h"

#define FIRST_ADDRESS UINT64_C(0x7f0000000000)
#define SPACING 4096u /* bytes between blocks, which are shorter */

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void tell(const char *what, uint64_t events, double took)
{
	printf("%-28s %8.2f million events a second, %6.1f ns each\n", what, (double)events / took / 1e6,
	       took / (double)events * 1e9);
}

/* A block comes where another one of those that are there goes. */
static int made(uint64_t events, uint32_t live)
{
	struct precis_object_event event = { .size = sizeof(event), .stack = 1, .probability = 1 };
	struct random random = random_of(17);
	struct replay *replay = malloc(sizeof(*replay));
	double begin;
	int failed;

	if (!replay || replay_begin(replay, NULL, NULL) < 0)
		return 1;
	for (uint32_t n = 0; n < live; n++) {
		event.operation = PRECIS_OBJECT_ALLOC;
		event.address = FIRST_ADDRESS + (uint64_t)n * SPACING;
		event.bytes = 16 + random_below(&random, 1024);
		if (replay_event(replay, &event, n) < 0)
			return 1;
	}
	begin = seconds();
	for (uint64_t n = 0; n < events; n++) {
		event.operation = n % 2 ? PRECIS_OBJECT_ALLOC : PRECIS_OBJECT_FREE;
		if (n % 2 == 0)
			event.address = FIRST_ADDRESS + random_below(&random, live) * SPACING;
		else
			event.bytes = 16 + random_below(&random, 1024);
		if (replay_event(replay, &event, live + n) < 0)
			return 1;
	}
	tell("replayed", events, seconds() - begin);
	printf("%-28s %8.1f bytes of each of %" PRIu32 "\n", "live blocks",
	       (double)(live_blocks_bytes(&replay->blocks) +
			(size_t)replay->blocks_about.room * replay->blocks_about.each) / live, live);
	failed = replay->blocks.count != live;
	replay_free(replay);
	free(replay);
	return failed;
}

/* 'replay' NULL: it is read alone */
static int of_file(const char *path, struct replay *replay, const char *what)
{
	struct precis_object_event event = { .size = sizeof(event) };
	struct precis_object_file *file;
	struct precis_file_error error = { .size = sizeof(error) };
	uint64_t events = 0;
	double begin;

	if (precis_object_file_open(path, NULL, &file, &error)) {
		fprintf(stderr, "replay_speed: %s cannot be read\n", path);
		return 1;
	}
	if (replay && replay_begin(replay, file, NULL) < 0)
		return 1;
	begin = seconds();
	for (; precis_object_file_next(file, &event) > 0; events++) {
		if (replay && replay_event(replay, &event, event.time) < 0)
			return 1;
	}
	tell(what, events, seconds() - begin);
	if (replay)
		replay_free(replay);
	precis_object_file_close(file);
	return 0;
}

int main(int count, char **arguments)
{
	struct replay *replay = malloc(sizeof(*replay));
	int failed;

	if (!replay || count < 3) {
		fprintf(stderr, "usage: replay_speed EVENTS LIVE [FILE]\n");
		return 2;
	}
	failed = made(strtoull(arguments[1], NULL, 10), (uint32_t)strtoul(arguments[2], NULL, 10));
	if (count > 3)
		failed |= of_file(arguments[3], NULL, "read") ||
			  of_file(arguments[3], replay, "read and replayed");
	free(replay);
	return failed;
}
