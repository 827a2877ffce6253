/* SPDX-License-Identifier: BSD-3-Clause */
/* See jobs.h. */
#include "jobs.h"

#include <pthread.h>
#include <stdlib.h>

#include "apart.h"
#include "command/usage/option_value.h"
#include "memory.h"

/*
 * What all of them may take beside what was there before they began. Beside that is room for what is
 * taken until somebody looks, and when they finish.
 */
#define BYTES_MOST (UINT64_C(32) << 20)
#define THREADS_WITHIN 4u /* more of them may have more: */
#define BYTES_MOST_EACH (UINT64_C(16) << 20)

struct job {
	struct reading *reading;
	void (*work)(struct reading *reading);
	pthread_t thread;
	int is_running;
};

struct team {
	struct job *jobs; /* the first is the caller's thread and reading */
	uint32_t count;
	_Atomic int starts_over;
	_Atomic int is_full;
	uint64_t bytes_most;
	struct apart *apart; /* one for each job; NULL: each reads the whole recording */
	_Atomic int gives_up;
};

/* How many it is worth; 0 or 1: it is read alone */
static uint32_t count_for(const struct reading *reading)
{
	uint32_t jobs = option_threads(reading->arguments->jobs);
	uint64_t worth = reading->part_bytes * READING_PARTS / READING_BYTES_LEAST;

	if (jobs > READING_PARTS)
		jobs = READING_PARTS;
	return worth < jobs ? (uint32_t)worth : jobs;
}

/* What the process may have while so many read */
static uint64_t bytes_most(uint32_t count)
{
	const uint64_t more =
		count > THREADS_WITHIN ? (count - THREADS_WITHIN) * BYTES_MOST_EACH : 0;

	return memory_resident() + BYTES_MOST + more;
}

/* --- threads --- */

static void *run(void *data)
{
	struct job *job = data;

	job->work(job->reading);
	return NULL;
}

/* The same for all, each in a thread of its own, or here where there is none to be had. */
static void work_all(struct team *team, void (*work)(struct reading *reading))
{
	for (uint32_t n = 0; n < team->count; n++) {
		struct job *job = &team->jobs[n];

		job->work = work;
		job->is_running = n && !pthread_create(&job->thread, NULL, run, job);
	}
	for (uint32_t n = 0; n < team->count; n++) {
		struct job *job = &team->jobs[n];

		if (job->is_running)
			pthread_join(job->thread, NULL);
		else
			run(job);
	}
}

/* --- beginning and ending --- */

/* Another reader of the same recording. 0, or -1 */
static int open_job(struct team *team, uint32_t n)
{
	struct reading *reading = calloc(1, sizeof(*reading));

	team->jobs[n].reading = reading;
	return reading ? reading_open_again(reading, team->jobs[0].reading) : -1;
}

/* Its share of the parts. 0, or -1 */
static int begin_job(struct team *team, uint32_t n)
{
	const uint32_t first = READING_PARTS * n / team->count;
	struct reading *reading = team->jobs[n].reading;

	reading->share = (struct reading_share){
		.first = first,
		.count = READING_PARTS * (n + 1) / team->count - first,
		.readers = team->count,
		.starts_over = &team->starts_over,
		.is_full = &team->is_full,
		.bytes_most = team->bytes_most,
	};
	return reading_begin(reading);
}

static int begin_all(struct team *team)
{
	int failed = 0;

	team->starts_over = 0;
	for (uint32_t n = 0; n < team->count && !failed; n++)
		failed = begin_job(team, n);
	memory_in_one_piece();
	return failed;
}

static void forget_all(struct team *team)
{
	for (uint32_t n = 0; n < team->count; n++) {
		if (team->jobs[n].reading)
			reading_forget(team->jobs[n].reading);
	}
}

static void unite(struct team *team)
{
	if (team->apart)
		apart_end(team->apart, team->count);
	free(team->apart);
	team->apart = NULL;
}

/* Each is to read its share alone, if that can be. */
static void part(struct team *team)
{
	if (!apart_is_possible(team->jobs[0].reading))
		return;
	team->apart = calloc(team->count, sizeof(*team->apart));
	for (uint32_t n = 0; n < team->count && team->apart; n++)
		team->apart[n].reading = team->jobs[n].reading;
	if (team->apart && apart_begin(team->apart, team->count, &team->gives_up) < 0)
		unite(team);
}

static void free_team(struct team *team)
{
	unite(team);
	for (uint32_t n = 1; n < team->count; n++) {
		if (team->jobs[n].reading)
			reading_close_again(team->jobs[n].reading);
		free(team->jobs[n].reading);
	}
	free(team->jobs);
}

/* --- working --- */

/* Has nobody come upon anything that one would have to tell, or counts otherwise? */
static int is_sound(const struct team *team)
{
	for (uint32_t n = 0; n < team->count; n++) {
		if (!reading_is_sound(team->jobs[n].reading))
			return 0;
	}
	return 1;
}

static int is_crowded(const struct team *team)
{
	int any = 0;

	for (uint32_t n = 0; n < team->count; n++)
		any |= analysis_run_is_crowded(&team->jobs[n].reading->run, team->count - 1);
	return any;
}

/* Each all of it, or its share alone. 0; -1: the recording proved not to be what can be read so */
static int read_all(struct team *team, void (*by_one)(struct reading *reading),
		    void (*apart)(struct reading *reading))
{
	team->starts_over = 0;
	work_all(team, team->apart ? apart : by_one);
	if (!team->apart)
		return 0;
	if (!apart_fits(team->apart, team->count))
		return -1;
	work_all(team, apart_hear);
	return 0;
}

/* With all that records say, those that come late as well. */
static int read_again(struct team *team)
{
	return read_all(team, reading_read_again, apart_read_again);
}

static int finish_all(struct team *team)
{
	if (team->apart && apart_add_up(team->apart, team->count) < 0)
		return -1;
	work_all(team, reading_finish);
	return 0;
}

/* Who has to start over, and who may only to be like one that reads alone, does it with all others. */
static int work(struct team *team)
{
	if (read_all(team, reading_read, apart_read) < 0 || (team->starts_over && read_again(team) < 0) ||
	    finish_all(team) < 0)
		return 0;
	if (is_crowded(team) && (read_again(team) < 0 || finish_all(team) < 0))
		return 0;
	return is_sound(team);
}

static int join(struct team *team)
{
	struct reading *first = team->jobs[0].reading;

	for (uint32_t n = 1; n < team->count; n++) {
		if (analysis_run_join(&first->run, &team->jobs[n].reading->run) < 0)
			return 0;
	}
	return reading_is_sound(first);
}

/* 1 if all went well */
static int work_and_join(struct team *team)
{
	int is_done = begin_all(team) == 0;

	if (is_done)
		part(team);
	is_done = is_done && work(team) && join(team);
	if (is_done || !team->apart || team->is_full)
		return is_done;
	/* what made that impossible may be of no matter to those who read all */
	unite(team);
	forget_all(team);
	return begin_all(team) == 0 && work(team) && join(team);
}

int jobs_collect(struct reading *reading)
{
	struct team team = { .count = count_for(reading) };
	int is_done = 1;

	if (team.count < 2)
		return 0;
	memory_give_back();
	team.bytes_most = bytes_most(team.count);
	team.jobs = calloc(team.count, sizeof(*team.jobs));
	if (!team.jobs)
		return 0;
	team.jobs[0].reading = reading;
	for (uint32_t n = 1; n < team.count && is_done; n++)
		is_done = open_job(&team, n) == 0;
	is_done = is_done && work_and_join(&team);
	if (!is_done)
		reading_forget(reading);
	free_team(&team);
	if (!is_done)
		memory_give_back();
	return is_done;
}
