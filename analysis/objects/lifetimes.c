/* SPDX-License-Identifier: BSD-3-Clause */
/* See lifetimes.h. */
#define _GNU_SOURCE /* asprintf() */
#include "lifetimes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "replay.h"

#define SUFFIX ".objects"
#define PROT_EXECUTE 4u

struct lifetime_file {
	uint32_t pid;
	uint64_t from; /* time of its mapping: the process was another program before */
	uint64_t lost_from; /* from then on not all is in its file; UINT64_MAX: it always is */
	uint64_t until; /* from then on it is one that is left out; UINT64_MAX: it never is */
	char *path; /* NULL: it has no file (yet), but what it was forked with, or after execve() nothing */
	struct precis_object_file *file;
	struct side_clock clock;
	struct replay_file source;
	struct replay replay;
	struct replay_ahead ahead; /* not replayed yet */
	int is_read; /* and more there is not */
	int is_open, error;
	int is_thinned; /* some blocks are not in it, by chance */
	int is_forked; /* and 'replay' has what there was then */
	enum lifetime_absent absent;
	char *executable;
};

static const char *const texts[] = {
	[LIFETIME_PRESENT] = "present",
	[LIFETIME_NO_FILE] = "the recording names no side file of the process",
	[LIFETIME_NOT_OPENED] = "its side file cannot be read",
	[LIFETIME_NO_CLOCK] = "the side file's times cannot be told on the recording's clock",
	[LIFETIME_NOT_RECORDED] = "not recorded",
	[LIFETIME_LEFT_OUT] = "side files are left out, as there are too many: its own may be one",
	[LIFETIME_LOST] = "not recorded, as the side file could not be written any more",
};

const char *lifetime_absent_text(enum lifetime_absent absent)
{
	return texts[absent];
}

void lifetimes_begin(struct lifetimes *lifetimes, struct precis_file *file, const char *beside)
{
	struct precis_file_info info = { .size = sizeof(info) };

	side_moments_begin(&lifetimes->moments, file);
	lifetimes->beside = beside;
	lifetimes->can_start_over =
		!precis_file_info(file, &info) && info.form == PRECIS_FORM_SEEKABLE;
}

/* --- which files there are --- */

static int is_side_file(const struct precis_mmap *map)
{
	const size_t length = strlen(map->filename);

	return length > strlen(SUFFIX) &&
	       !strcmp(map->filename + length - strlen(SUFFIX), SUFFIX) &&
	       (!(map->present & PRECIS_MMAP_PROTECTION) || map->protection & PROT_EXECUTE);
}

/* The last of a process that was known by then, or NULL; 'first' is what it is first, or NULL */
static struct lifetime_file *known_by(const struct lifetimes *lifetimes, uint32_t pid,
				      uint64_t time, struct lifetime_file **first)
{
	struct lifetime_file *found = NULL;

	*first = NULL;
	for (uint32_t n = 0; n < lifetimes->count; n++) {
		struct lifetime_file *file = lifetimes->files[n];

		if (file->pid != pid)
			continue;
		if (file->from <= time && (!found || file->from >= found->from))
			found = file;
		if (!*first || file->from < (*first)->from)
			*first = file;
	}
	return found;
}

/* What a process was at a time; NULL: nothing is known of it */
static struct lifetime_file *file_of(const struct lifetimes *lifetimes, uint32_t pid, uint64_t time)
{
	struct lifetime_file *first, *found = known_by(lifetimes, pid, time, &first);

	if (found)
		return time < found->until ? found : NULL;
	/* known is when its file was mapped: it began somewhat earlier */
	return first && first->path ? first : NULL;
}

/* There is no room for what a process is from then on: it is no longer what it was before. */
static void leave_out(struct lifetimes *lifetimes, uint32_t pid, uint64_t from)
{
	struct lifetime_file *first, *before = known_by(lifetimes, pid, from, &first);

	if (before && from < before->until)
		before->until = from;
	lifetimes->last = NULL;
	lifetimes->left_out++;
}

/* NULL: there are too many, or memory is short, then 'failed' is -1 */
static struct lifetime_file *new_file(struct lifetimes *lifetimes, uint32_t pid, uint64_t from,
				      int *failed)
{
	struct lifetime_file *file, **more;

	*failed = 0;
	if (lifetimes->count == LIFETIME_FILES_MOST) {
		leave_out(lifetimes, pid, from);
		return NULL;
	}
	*failed = -1;
	if (lifetimes->count == lifetimes->room) {
		const uint32_t room = lifetimes->room ? 2 * lifetimes->room : 8;

		more = realloc(lifetimes->files, room * sizeof(struct lifetime_file *));
		if (!more)
			return NULL;
		lifetimes->files = more;
		lifetimes->room = room;
	}
	file = calloc(1, sizeof(*file));
	if (!file)
		return NULL;
	*failed = 0;
	lifetimes->last = NULL;
	file->pid = pid;
	file->from = from;
	file->until = file->lost_from = UINT64_MAX;
	lifetimes->files[lifetimes->count++] = file;
	return file;
}

static int add_file(struct lifetimes *lifetimes, const struct precis_mmap *map, uint64_t time)
{
	struct lifetime_file *file;
	int failed;

	for (uint32_t n = 0; n < lifetimes->count; n++) {
		const struct lifetime_file *known = lifetimes->files[n];

		if (known->pid == map->pid && known->path && !strcmp(known->path, map->filename))
			return 0;
	}
	file = new_file(lifetimes, map->pid, time, &failed);
	if (!file)
		return failed;
	file->path = strdup(map->filename);
	return file->path ? 0 : -1;
}

/* --- opening --- */

static int open_path(struct lifetime_file *file, const char *path)
{
	return precis_object_file_open(path, NULL, &file->file, NULL);
}

/* Where it was recorded, or beside the recording, if it is of that process */
static int open_file(const struct lifetimes *lifetimes, struct lifetime_file *file)
{
	const char *base = strrchr(file->path, '/'), *slash;
	char *path;

	file->error = open_path(file, file->path);
	slash = lifetimes->beside ? strrchr(lifetimes->beside, '/') : NULL;
	if (!file->error || file->error == PRECIS_E_NO_MEMORY || !base)
		return file->error;
	if (asprintf(&path, "%.*s%s", slash ? (int)(slash - lifetimes->beside) : 1,
		     slash ? lifetimes->beside : ".", base) < 0)
		return PRECIS_E_NO_MEMORY;
	if (!open_path(file, path))
		file->error = 0;
	free(path);
	return file->error;
}

/* Events, as far as their times can be told. 0, or -1 if memory is short */
static int read_ahead(struct lifetimes *lifetimes, struct lifetime_file *file)
{
	struct precis_object_event *event;
	uint64_t time;
	int got;

	while (!file->is_read && (event = replay_ahead_room(&file->ahead))) {
		*event = (struct precis_object_event){ .size = sizeof(*event) };
		got = precis_object_file_next(file->file, event);
		if (got <= 0 || side_clock_convert(&file->clock, &lifetimes->moments, file->file, event->time,
						   &time)) {
			file->is_read = 1;
			return got == PRECIS_E_NO_MEMORY ? -1 : 0;
		}
		replay_ahead_add(&file->ahead, &file->replay, time);
	}
	return 0;
}

static int replay_until(struct lifetimes *lifetimes, struct lifetime_file *file, uint64_t time)
{
	struct replay_ahead *ahead = &file->ahead;

	while (ahead->count && ahead->times[ahead->first] <= time) {
		if (replay_ahead_first(ahead, &file->replay) < 0 || read_ahead(lifetimes, file) < 0)
			return -1;
	}
	return 0;
}

/* The same, asked for again and again: until the process is something else */
static struct lifetime_file *file_again(struct lifetimes *lifetimes, uint32_t pid, uint64_t time)
{
	struct lifetime_file *last = lifetimes->last;

	if (last && last->pid == pid && last->from <= time && time < lifetimes->last_until)
		return last;
	lifetimes->last = file_of(lifetimes, pid, time);
	lifetimes->last_until = lifetimes->last ? lifetimes->last->until : UINT64_MAX;
	for (uint32_t n = 0; n < lifetimes->count; n++) {
		const struct lifetime_file *file = lifetimes->files[n];

		if (file->pid == pid && file->from > time && file->from < lifetimes->last_until)
			lifetimes->last_until = file->from;
	}
	return lifetimes->last;
}

/* What lived when a process was forked: what is known of it itself, or of the one that it was forked from */
static int parent_of(struct lifetimes *lifetimes, const struct precis_object_file_info *info,
		     uint64_t start, struct replay **parent)
{
	struct lifetime_file *from = NULL;

	*parent = NULL;
	if (!info->parent_pid)
		return 0;
	for (uint32_t n = 0; n < lifetimes->count && !from; n++) {
		if (lifetimes->files[n]->pid == info->pid && lifetimes->files[n]->is_forked)
			from = lifetimes->files[n];
	}
	if (!from)
		from = file_of(lifetimes, info->parent_pid, start);
	if (!from || !from->is_open || from->absent != LIFETIME_PRESENT || start >= from->lost_from)
		return 0;
	*parent = &from->replay;
	return replay_until(lifetimes, from, start);
}

static int begin_replay(struct lifetimes *lifetimes, struct lifetime_file *file)
{
	struct precis_object_file_info info = { .size = sizeof(info) };
	struct replay *parent;
	uint64_t start;

	precis_object_file_info(file->file, &info);
	file->absent = LIFETIME_NOT_OPENED;
	file->is_thinned = info.interval || info.flags & PRECIS_OBJECT_LARGE_SAMPLED;
	if (info.pid != file->pid) {
		file->error = PRECIS_E_NOT_OBJECTS;
		return 0;
	}
	file->executable = strdup(info.executable);
	if (!file->executable || side_clock_open(&file->clock, &lifetimes->moments, file->file,
						 file->pid, file->from) < 0)
		return -1;
	file->absent = LIFETIME_NO_CLOCK;
	if (side_clock_convert(&file->clock, &lifetimes->moments, file->file, info.start_time,
			       &start))
		return 0;
	if (info.lost_from && side_clock_convert(&file->clock, &lifetimes->moments, file->file,
						 info.lost_from, &file->lost_from))
		return 0;
	file->absent = LIFETIME_PRESENT;
	file->source = (struct replay_file){ .file = file->file, .pid = file->pid };
	return parent_of(lifetimes, &info, start, &parent) < 0 ||
			       replay_begin(&file->replay, &file->source, parent) < 0 ||
			       read_ahead(lifetimes, file) < 0
		       ? -1
		       : 0;
}

/* 0, or -1 if memory is short */
static int open_once(struct lifetimes *lifetimes, struct lifetime_file *file)
{
	if (file->is_open)
		return 0;
	file->is_open = 1;
	file->absent = LIFETIME_NOT_OPENED;
	if (open_file(lifetimes, file))
		return file->error == PRECIS_E_NO_MEMORY ? -1 : 0;
	return begin_replay(lifetimes, file);
}

static void close_replay(struct lifetime_file *file)
{
	replay_free(&file->replay);
	stack_times_free(&file->source.stacks);
	side_clock_free(&file->clock);
	precis_object_file_close(file->file);
	free(file->executable);
	file->file = NULL;
	file->executable = NULL;
	file->ahead.count = 0;
	file->is_open = file->is_read = file->is_forked = 0;
}

static void free_file(struct lifetime_file *file)
{
	close_replay(file);
	free(file->path);
	free(file);
}

/* --- what callers ask for --- */

/* Nothing is left of what it was. */
static int be_without_file(struct lifetimes *lifetimes, uint32_t pid, uint64_t time)
{
	struct lifetime_file *before = file_of(lifetimes, pid, time), *file;
	int failed;

	if (!before || before->from == time)
		return 0;
	if (before->is_forked)
		replay_free(&before->replay);
	file = new_file(lifetimes, pid, time, &failed);
	if (!file)
		return failed;
	file->is_open = 1;
	file->absent = LIFETIME_NO_FILE;
	return 0;
}

/*
 * What it was forked with is its own from then on, until it has a file that says more, or is another
 * program
 */
static int fork_process(struct lifetimes *lifetimes, const struct precis_task *task, uint64_t time)
{
	struct lifetime_file *parent = file_of(lifetimes, task->parent_pid, time), *child;
	int failed;

	if (parent && open_once(lifetimes, parent) < 0)
		return -1;
	if (!parent || parent->absent != LIFETIME_PRESENT)
		return be_without_file(lifetimes, task->pid, time);
	if (replay_until(lifetimes, parent, time) < 0)
		return -1;
	child = new_file(lifetimes, task->pid, time, &failed);
	if (!child)
		return failed;
	child->is_open = child->is_forked = 1;
	child->is_thinned = parent->is_thinned;
	child->lost_from = parent->lost_from;
	child->executable = strdup(parent->executable);
	return child->executable && !replay_copy(&child->replay, &parent->replay) ? 0 : -1;
}

static int open_mapped(struct lifetimes *lifetimes, uint32_t pid, uint64_t time)
{
	for (uint32_t n = 0; n < lifetimes->count; n++) {
		if (lifetimes->files[n]->pid == pid && lifetimes->files[n]->from == time &&
		    open_once(lifetimes, lifetimes->files[n]) < 0)
			return -1;
	}
	return 0;
}

/* In the order of time, when all is known that clocks need */
static int follow(struct lifetimes *lifetimes, const struct precis_record *record, uint64_t time)
{
	struct precis_mmap map = { .size = sizeof(map) };
	struct precis_task task = { .size = sizeof(task) };
	struct precis_comm comm = { .size = sizeof(comm) };

	if (!precis_mmap_parse(record, &map))
		return is_side_file(&map) ? open_mapped(lifetimes, map.pid, time) : 0;
	if (record->type == PRECIS_RECORD_FORK && !precis_task_parse(record, &task))
		return task.pid != task.parent_pid ? fork_process(lifetimes, &task, time) : 0;
	if (record->misc & PRECIS_MISC_COMM_EXEC && !precis_comm_parse(record, &comm))
		return be_without_file(lifetimes, comm.pid, time);
	return 0;
}

int lifetimes_record(struct lifetimes *lifetimes, const struct precis_record *record, uint64_t time)
{
	struct precis_mmap map = { .size = sizeof(map) };
	const int is_ready = lifetimes->is_complete || !lifetimes->can_start_over;

	if (!lifetimes->is_complete) {
		if (side_moments_record(&lifetimes->moments, record, time) < 0)
			return -1;
		if (!precis_mmap_parse(record, &map) && is_side_file(&map)) {
			if (add_file(lifetimes, &map, time) < 0)
				return -1;
			lifetimes->starts_over |= !is_ready;
		}
	}
	return is_ready && lifetimes->count ? follow(lifetimes, record, time) : 0;
}

/* What follows from the order of time goes: it is found again. Files that are mapped are known by then. */
void lifetimes_again(struct lifetimes *lifetimes)
{
	lifetimes->starts_over = 0;
	if (!lifetimes->is_complete) {
		lifetimes->mapped = lifetimes->count;
		lifetimes->mapped_left_out = lifetimes->left_out;
	}
	lifetimes->is_complete = 1;
	lifetimes->last = NULL;
	while (lifetimes->count > lifetimes->mapped)
		free_file(lifetimes->files[--lifetimes->count]);
	lifetimes->left_out = lifetimes->mapped_left_out;
	for (uint32_t n = 0; n < lifetimes->count; n++)
		close_replay(lifetimes->files[n]);
}

/* As it is then; NULL: nothing is known of it, and 'absent' says why. 0, or -1 if memory is short */
static int file_at(struct lifetimes *lifetimes, uint32_t pid, uint64_t time,
		   struct lifetime_file **file, enum lifetime_absent *absent)
{
	struct lifetime_file *found = file_again(lifetimes, pid, time);

	*file = NULL;
	*absent = lifetimes->left_out ? LIFETIME_LEFT_OUT : LIFETIME_NO_FILE;
	if (!found || lifetimes->starts_over)
		return 0;
	if (open_once(lifetimes, found) < 0)
		return -1;
	*absent = found->absent;
	if (found->absent == LIFETIME_PRESENT && time >= found->lost_from)
		*absent = LIFETIME_LOST;
	if (*absent != LIFETIME_PRESENT)
		return 0;
	*file = found;
	return replay_until(lifetimes, found, time);
}

int lifetimes_find(struct lifetimes *lifetimes, uint32_t pid, uint64_t time, uint64_t address,
		   struct lifetime *found)
{
	struct lifetime_file *file;

	memset(found, 0, sizeof(*found));
	if (file_at(lifetimes, pid, time, &file, &found->absent) < 0)
		return -1;
	if (!file)
		return 0;
	found->executable = file->executable;
	found->modules = file->replay.modules;
	found->module_count = file->replay.module_count;
	found->is_thinned = file->is_thinned;
	replay_find(&file->replay, time, address, found);
	return 0;
}

int lifetimes_phase(struct lifetimes *lifetimes, uint32_t pid, uint64_t time, const char **phase)
{
	enum lifetime_absent absent;
	struct lifetime_file *file;

	*phase = NULL;
	if (file_at(lifetimes, pid, time, &file, &absent) < 0)
		return -1;
	if (file)
		*phase = replay_phase(&file->replay);
	return 0;
}

int lifetimes_facts(const struct lifetimes *lifetimes, uint32_t *n, struct lifetime_facts *facts)
{
	struct precis_object_file_info info = { .size = sizeof(info) };
	const struct lifetime_file *file;

	for (; *n < lifetimes->count && !lifetimes->files[*n]->path;)
		++*n;
	if (*n >= lifetimes->count)
		return 0;
	file = lifetimes->files[(*n)++];
	if (file->file)
		precis_object_file_info(file->file, &info);
	*facts = (struct lifetime_facts){
		.pid = file->pid,
		.path = file->path,
		.error = file->error,
		.absent = file->is_open ? file->absent : LIFETIME_NO_FILE, /* nobody asked for it */
		.clock = file->clock.kind,
		.clock_error = file->clock.error,
		.interval =
			info.large_interval > info.interval ? info.large_interval : info.interval,
		.lost = info.events_lost,
		.flags = info.flags & LIFETIME_FLAGS,
		.threshold =
			info.flags & (PRECIS_OBJECT_SMALL_DROPPED | PRECIS_OBJECT_LARGE_SAMPLED)
				? info.threshold
				: 0,
	};
	return 1;
}

void lifetimes_free(struct lifetimes *lifetimes)
{
	for (uint32_t n = 0; n < lifetimes->count; n++)
		free_file(lifetimes->files[n]);
	free(lifetimes->files);
	side_moments_free(&lifetimes->moments);
	memset(lifetimes, 0, sizeof(*lifetimes));
}
