/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay_speed EVENTS [LIVE [FILE]]: what it costs to replay lifetimes of blocks, of which so many are there
 * at a time, in CPU time of one core; and what each takes of memory. Without LIVE: of few and of many, and of
 * processes that are forked with so many. With a side file reading it, too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <precis/precis.h>

#include "analysis/objects/replay.h"
#include "statistics/random.h"

#define FIRST_ADDRESS UINT64_C(0x7f0000000000)

/* Where blocks are: so far from each other, and of how many bytes */
struct layout {
	const char *name;
	uint32_t apart, fewest, most;
};

static const struct layout layouts[] = {
	{ "nodes beside each other", 64, 16, 64 },
	{ "of any length, far apart", 4096, 16, 1039 },
};

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

/* Replays what is ahead, and the event behind it. 0, or -1 if memory is short */
static int replay_next(struct replay_ahead *ahead, struct replay *replay,
		       const struct precis_object_event *event, uint64_t time)
{
	if (!replay_ahead_room(ahead) && replay_ahead_first(ahead, replay) < 0)
		return -1;
	*replay_ahead_room(ahead) = *event;
	replay_ahead_add(ahead, replay, time);
	return 0;
}

static int replay_rest(struct replay_ahead *ahead, struct replay *replay)
{
	while (ahead->count) {
		if (replay_ahead_first(ahead, replay) < 0)
			return -1;
	}
	return 0;
}

static void change(struct precis_object_event *event, struct random *random, const struct layout *layout,
		   uint64_t block)
{
	event->address = FIRST_ADDRESS + block * layout->apart;
	event->bytes = layout->fewest + random_below(random, layout->most - layout->fewest + 1);
}

/* A block comes where another one of those that are there goes. */
static int made(const struct layout *layout, uint64_t events, uint32_t live)
{
	struct precis_object_event event = { .size = sizeof(event), .stack = 1, .probability = 1 };
	struct replay_ahead ahead = { .count = 0 };
	struct random random = random_of(17);
	struct replay *replay = malloc(sizeof(*replay));
	struct replay_file none = { .file = NULL };
	double begin;
	int failed = 0;

	if (!replay || replay_begin(replay, &none, NULL) < 0)
		return 1;
	event.operation = PRECIS_OBJECT_ALLOC;
	begin = seconds();
	for (uint32_t n = 0; n < live && !failed; n++) {
		change(&event, &random, layout, n);
		failed = replay_next(&ahead, replay, &event, n);
	}
	failed |= replay_rest(&ahead, replay);
	printf("%s, %" PRIu32 " live, %.1f bytes of each\n", layout->name, live,
	       (double)live_blocks_bytes(&replay->blocks) / live);
	tell("  came", live, seconds() - begin);
	begin = seconds();
	for (uint64_t n = 0; n < events && !failed; n++) {
		event.operation = n % 2 ? PRECIS_OBJECT_ALLOC : PRECIS_OBJECT_FREE;
		if (n % 2 == 0)
			change(&event, &random, layout, random_below(&random, live));
		failed = replay_next(&ahead, replay, &event, live + n);
	}
	failed |= replay_rest(&ahead, replay);
	tell("  went and came", events, seconds() - begin);
	failed |= replay->blocks.count != live;
	replay_free(replay);
	free(replay);
	return failed;
}

#define FORKS 100u

/* Processes that are forked one after the other, and are there until the end; parent and child go on. */
static int forked(uint32_t live)
{
	struct precis_object_event event = {
		.size = sizeof(event), .stack = 1, .probability = 1, .bytes = 48
	};
	struct replay *replays = calloc(FORKS + 1, sizeof(*replays));
	struct replay_file none = { .file = NULL };
	size_t bytes = 0;
	double begin;
	int failed = !replays || replay_begin(&replays[0], &none, NULL) < 0;

	event.operation = PRECIS_OBJECT_ALLOC;
	for (uint32_t n = 0; n < live && !failed; n++) {
		event.address = FIRST_ADDRESS + n * UINT64_C(64);
		failed = replay_event(&replays[0], &event, n);
	}
	event.operation = PRECIS_OBJECT_FREE;
	begin = seconds();
	for (uint32_t n = 1; n <= FORKS && !failed; n++) {
		event.address = FIRST_ADDRESS + n * UINT64_C(64);
		failed = replay_copy(&replays[n], &replays[0]) |
			 replay_event(&replays[n], &event, live + n) |
			 replay_event(&replays[0], &event, live + n);
	}
	printf("%" PRIu32 " live when a process is forked: %.3f ms, ", live,
	       1e3 * (seconds() - begin) / FORKS);
	for (uint32_t n = 1; n <= FORKS && !failed; n++)
		bytes += live_blocks_own_bytes(&replays[n].blocks);
	printf("%zu bytes for each, of %zu\n", bytes / FORKS,
	       replays ? live_blocks_bytes(&replays[0].blocks) : 0);
	for (uint32_t n = 0; n <= FORKS && replays; n++)
		replay_free(&replays[n]);
	free(replays);
	return failed;
}

static int made_all(uint64_t events, uint32_t live)
{
	static const uint32_t some[] = { 1000, 10000, 100000, 1000000, 10000000 };
	int failed = 0;

	for (size_t n = 0; n < sizeof(layouts) / sizeof(layouts[0]); n++) {
		for (size_t of = 0; of < (live ? 1 : sizeof(some) / sizeof(some[0])); of++)
			failed |= made(&layouts[n], events, live ? live : some[of]);
	}
	for (size_t of = 2; of < (live ? 0 : sizeof(some) / sizeof(some[0])); of++)
		failed |= forked(some[of]);
	return failed;
}

/* 'replay' NULL: it is read alone */
static int of_file(const char *path, struct replay *replay, const char *what)
{
	struct precis_object_event event = { .size = sizeof(event) };
	struct precis_object_file *file;
	struct precis_file_error error = { .size = sizeof(error) };
	struct replay_ahead ahead = { .count = 0 };
	struct replay_file source = { .file = NULL };
	uint64_t events = 0;
	double begin;

	if (precis_object_file_open(path, NULL, &file, &error)) {
		fprintf(stderr, "replay_speed: %s cannot be read\n", path);
		return 1;
	}
	source.file = file;
	if (replay && replay_begin(replay, &source, NULL) < 0)
		return 1;
	begin = seconds();
	for (; precis_object_file_next(file, &event) > 0; events++) {
		if (replay && replay_next(&ahead, replay, &event, event.time) < 0)
			return 1;
	}
	if (replay && replay_rest(&ahead, replay) < 0)
		return 1;
	tell(what, events, seconds() - begin);
	if (replay)
		replay_free(replay);
	stack_times_free(&source.stacks);
	precis_object_file_close(file);
	return 0;
}

int main(int count, char **arguments)
{
	struct replay *replay = malloc(sizeof(*replay));
	int failed;

	if (!replay || count < 2) {
		fprintf(stderr, "usage: replay_speed EVENTS [LIVE [FILE]]\n");
		return 2;
	}
	failed = made_all(strtoull(arguments[1], NULL, 10),
			  count > 2 ? (uint32_t)strtoul(arguments[2], NULL, 10) : 0);
	if (count > 3)
		failed |= of_file(arguments[3], NULL, "read") ||
			  of_file(arguments[3], replay, "read and replayed");
	free(replay);
	return failed;
}
