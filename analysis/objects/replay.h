/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process has at a time, by the events of its side file one after the other. */
#ifndef ANALYSIS_OBJECTS_REPLAY_H
#define ANALYSIS_OBJECTS_REPLAY_H

#include <precis/precis.h>

#include "lifetime.h"
#include "live_blocks.h"
#include "live_ranges.h"
#include "stack_times.h"

/* Names within names: a deeper one counts, of those beyond the last only one is found */
#define NAMED_LEVELS 4u
/* Blocks that are gone, as long as an access that was sampled may have been before */
#define GONE_MOST 256u
#define GONE_NS UINT64_C(50000)

/* Where strings and stacks of an event are: in the process's file, or that of one that it was forked from */
struct replay_file {
	const struct precis_object_file *file;
	uint32_t pid;
	struct stack_times stacks;
};

#define REPLAY_FILES 16u

_Static_assert(REPLAY_FILES <= UINT8_MAX, "a byte has their numbers");

struct named_about {
	uint32_t name, type, tag;
	/* Of the heap's block, or the mapping or the thread's stack, that it lies in; 0: in none */
	uint32_t block_serial, map_serial, thread_serial;
	uint64_t block, stride;
	uint16_t file, tag_file;
	uint32_t stack;
};

/* What is named, by number, used again */
struct about_table {
	struct named_about *list;
	uint32_t used, room;
	uint32_t *free;
	uint32_t free_count, free_room;
};

/* What a thread said last, that may have failed */
struct taken_back {
	uint32_t tid;
	int is_range;
	struct live_block block;
	struct live_range range;
};

struct gone_block {
	struct live_block block; /* 'bytes' 0: none */
	uint64_t time;
};

#define TAKEN_BACK_MOST 64u

/* More files that a process has loaded are not told of. */
#define REPLAY_MODULES 256u

struct replay {
	struct replay_file *files[REPLAY_FILES];
	uint16_t file, file_count; /* the process's own */
	struct live_blocks blocks, named[NAMED_LEVELS];
	struct about_table named_about;
	struct live_ranges maps, threads;
	struct taken_back taken_back[TAKEN_BACK_MOST];
	struct gone_block gone[GONE_MOST];
	uint32_t next_gone, next_taken_back;
	uint32_t serial;
	uint32_t phase; /* as the program said last; 0: nothing */
	uint16_t phase_file;
	uint32_t module_count;
	struct lifetime_module modules[REPLAY_MODULES];
};

/*
 * Events that are known before they are replayed, so that memory has time to bring what they are about: of
 * so many live blocks as do not fit into caches nearly all time goes by with waiting for that.
 */
#define REPLAY_AHEAD 16u

struct replay_ahead {
	struct precis_object_event events[REPLAY_AHEAD];
	uint64_t times[REPLAY_AHEAD]; /* on the recording's clock */
	uint32_t first, count;
};

/*
 * 'file' is kept, also by processes that are forked from this one. 'parent': what it was forked from,
 * as it was then; NULL: none. 0, or -1 if memory is short
 */
int replay_begin(struct replay *replay, struct replay_file *file, struct replay *parent);
/* What it was forked with. 0, or -1 if memory is short */
int replay_copy(struct replay *replay, struct replay *parent);
/* 'time' on the recording's clock. 0, or -1 if memory is short */
int replay_event(struct replay *replay, const struct precis_object_event *event, uint64_t time);
/* Where an event is to be written that comes behind these; NULL: there are REPLAY_AHEAD */
struct precis_object_event *replay_ahead_room(struct replay_ahead *ahead);
/* It is written. */
void replay_ahead_add(struct replay_ahead *ahead, const struct replay *replay, uint64_t time);
/* The first one of these is replayed, and is none of them any more. 0, or -1 if memory is short */
int replay_ahead_first(struct replay_ahead *ahead, struct replay *replay);
void replay_find(const struct replay *replay, uint64_t time, uint64_t address,
		 struct lifetime *found);
/* What the program does now, as it says; NULL: it has not said so */
const char *replay_phase(const struct replay *replay);
void replay_free(struct replay *replay);

#endif
