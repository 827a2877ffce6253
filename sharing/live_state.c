/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_state.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "live_state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void live_pause_for(long ns)
{
	const struct timespec pause = { 0, ns };

	nanosleep(&pause, NULL);
}

static void name_thread(const struct live *live, struct live_thread *thread)
{
	char path[96];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%u/comm", (int)live->host->pid,
		 (unsigned int)thread->tid);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(thread->name, sizeof(thread->name), file))
		thread->name[strcspn(thread->name, "\n")] = '\0';
	fclose(file);
}

/* NULL: it is not known, and has its place at '*at' */
static struct live_thread *find_thread(const struct live *live, uint32_t tid, uint32_t *at)
{
	struct live_thread *thread;

	for (*at = tid * UINT32_C(0x9e3779b9) % LIVE_TIDS; live->slots_of_tids[*at];
	     *at = (*at + 1) % LIVE_TIDS) {
		thread = &live->result->threads[live->slots_of_tids[*at] - 1];
		if (thread->tid == tid)
			return thread;
	}
	return NULL;
}

int live_is_foreign(struct live *live, uint32_t tid)
{
	uint32_t *known = &live->foreign[tid % LIVE_FOREIGN], at;
	char path[32];

	if (*known && *known == tid)
		return 1;
	if (find_thread(live, tid, &at) || !syscall(SYS_tgkill, live->host->pid, tid, 0) ||
	    errno != ESRCH)
		return 0;
	snprintf(path, sizeof(path), "/proc/%u", (unsigned int)tid);
	if (access(path, F_OK))
		return 0;
	*known = tid;
	return 1;
}

struct live_thread *live_thread_of(struct live *live, uint32_t tid)
{
	struct live_result *result = live->result;
	uint32_t at;
	struct live_thread *thread = find_thread(live, tid, &at);

	if (thread)
		return thread;
	if (result->thread_count == WATCH_THREADS_MOST) {
		result->threads_beyond++;
		return NULL;
	}
	thread = &result->threads[result->thread_count++];
	live->slots_of_tids[at] = result->thread_count;
	thread->tid = tid;
	name_thread(live, thread);
	return thread;
}

struct live_line *live_line_of(struct live *live, uint64_t address)
{
	struct live_result *result = live->result;
	const uint64_t line = address & ~UINT64_C(63);
	uint32_t at =
		(uint32_t)((line >> 6) * UINT64_C(0x9e3779b97f4a7c15) >> 40) % LIVE_LINES_MOST;

	for (; result->lines[at].line; at = (at + 1) % LIVE_LINES_MOST) {
		if (result->lines[at].line == line)
			return &result->lines[at];
	}
	if (result->line_count == LIVE_LINES_MOST / 4 * 3) {
		result->lines_beyond++;
		return NULL;
	}
	result->line_count++;
	result->lines[at].line = line;
	return &result->lines[at];
}

struct live_habit *live_habit_of(struct live *live, uint64_t address, uint32_t tid, int is_new)
{
	const uint64_t line = address & ~UINT64_C(63);
	const uint64_t hash =
		((line >> 6) + tid * UINT64_C(0xd1342543)) * UINT64_C(0x9e3779b97f4a7c15);
	struct live_habit *habits = live->result->habits;
	uint32_t at = (uint32_t)(hash >> 40) % LIVE_HABITS_MOST;

	for (; habits[at].tid; at = (at + 1) % LIVE_HABITS_MOST) {
		if (habits[at].tid == tid && habits[at].line == line)
			return &habits[at];
	}
	if (!is_new || live->habit_count == LIVE_HABITS_MOST / 4 * 3)
		return NULL;
	live->habit_count++;
	habits[at].line = line;
	habits[at].tid = tid;
	return &habits[at];
}

static void use_learn(struct live_use *use, uint8_t offset, uint32_t bytes, uint16_t flags)
{
	const uint8_t end = (uint8_t)(offset + bytes < 64 ? offset + bytes : 64);

	if (!use->loads && !use->stores) {
		use->offset = offset;
		use->end = end;
	}
	use->offset = offset < use->offset ? offset : use->offset;
	use->end = end > use->end ? end : use->end;
	use->loads += (flags & ACCESS_LOADS) != 0;
	use->stores += (flags & ACCESS_STORES) != 0;
}

void live_habit_learn(struct live_habit *habit, const struct sampled_access *access)
{
	const uint8_t offset = (uint8_t)(access->address & 63);

	experiment_learn(&habit->hints, access->address, access->bytes,
			 access->flags & ACCESS_STORES);
	if (access->flags & ACCESS_STORES)
		habit->stores += access->weight;
	use_learn(&habit->uses[offset / 8], offset, access->bytes, access->flags);
}

void live_look_for_end(struct live *live)
{
	live->has_ended = live->has_ended || live->host->has_ended(live->host->of);
}

/* How many, in so many ns */
static uint64_t switches_since(struct live *live, uint64_t *ns)
{
	const uint64_t before = live->watch.switches, now = watch_now_ns();
	const uint64_t more = watch_switches(&live->watch) - before;

	*ns = now - live->switches_at;
	live->are_dear = budget_wants_closed(&live->budget, more, *ns);
	live->switches_at = now;
	return more;
}

void live_count_armed(struct live *live)
{
	uint64_t ns;

	live->budget.armed += switches_since(live, &ns);
}

void live_count_unarmed(struct live *live)
{
	uint64_t ns;
	const uint64_t more = switches_since(live, &ns);

	if (live->registers == LIVE_OFF) {
		live->budget.off += more;
	} else if (live->registers == LIVE_CLOSED) {
		live->budget.closed += more;
	} else {
		live->budget.bare = more;
		live->budget.bare_ns = ns;
	}
}

void live_line_see(struct live_line *line, int meets)
{
	++*(meets ? &line->met_seen : &line->apart_seen);
}
