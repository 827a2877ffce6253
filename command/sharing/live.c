/* SPDX-License-Identifier: BSD-3-Clause */
/* See live.h. */
#define _GNU_SOURCE /* syscall() */
#include "live.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command/usage/complain.h"
#include "command/usage/interruption.h"
#include "handed_reader.h"
#include "mappings.h"

#define HITS_MOST 65536u
/* Who reads has a CPU that the program may want: not too often */
#define PAUSE_NS 100000L
#define IDLE_NS 1000000L
/* A line in which so many experiments were in vain is tried as seldom. */
#define PRIVATE_AFTER 4u
#define PRIVATE_CHANCE (1.0 / 16)
/* Accesses that are taken at once */
#define BATCH 4096u
/* Experiments, in the first of which it is looked whether a debugger has come, and what is mapped */
#define LOOK_EVERY 64u

/* The command was not there, or could not be executed: as env(1) and the shell have it */
#define EXIT_NOT_EXECUTED 126
#define EXIT_NOT_FOUND 127

/* A store with which an experiment may be made */
struct candidate {
	struct handed_slot access;
	double chance; /* that it was taken up */
	uint32_t writer; /* thread */
};

struct live {
	const struct live_request *request;
	struct live_result *result;
	struct handed_reader reader;
	struct watch watch;
	struct random random;
	struct watch_hit *hits;
	struct live_habit *habits; /* LIVE_HABITS_MOST slots */
	uint32_t habit_count;
	pid_t pid;
	uint64_t begun;
	uint64_t arming_ns; /* in which threads were armed and disarmed */
	int has_ended;
	struct candidate candidate;
	uint32_t candidates; /* of this batch, of which one is chosen */
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void pause_for(long ns)
{
	const struct timespec pause = { 0, ns };

	nanosleep(&pause, NULL);
}

static double drawn(struct live *live)
{
	return (double)(random_next(&live->random) >> 11) / 9007199254740992.0;
}

/* --- what is told of threads and lines --- */

static void name_thread(const struct live *live, struct live_thread *thread)
{
	char path[96];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%u/comm", (int)live->pid,
		 (unsigned int)thread->tid);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(thread->name, sizeof(thread->name), file))
		thread->name[strcspn(thread->name, "\n")] = '\0';
	fclose(file);
}

/* NULL: there are too many */
static struct live_thread *thread_of(struct live *live, uint32_t tid)
{
	struct live_result *result = live->result;
	struct live_thread *thread;

	for (uint32_t n = 0; n < result->thread_count; n++) {
		if (result->threads[n].tid == tid)
			return &result->threads[n];
	}
	if (result->thread_count == WATCH_THREADS_MOST) {
		result->threads_beyond++;
		return NULL;
	}
	thread = &result->threads[result->thread_count++];
	thread->tid = tid;
	name_thread(live, thread);
	return thread;
}

/* NULL: there are too many */
static struct live_line *line_of(struct live *live, uint64_t address)
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

/* What is known of the thread and the line, which is made if 'is_new'. NULL: nothing is, or has room */
static struct live_habit *habit_of(struct live *live, uint64_t address, uint32_t tid, int is_new)
{
	const uint64_t line = address & ~UINT64_C(63);
	const uint64_t hash =
		((line >> 6) + tid * UINT64_C(0xd1342543)) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t at = (uint32_t)(hash >> 40) % LIVE_HABITS_MOST;

	for (; live->habits[at].tid; at = (at + 1) % LIVE_HABITS_MOST) {
		if (live->habits[at].tid == tid && live->habits[at].line == line)
			return &live->habits[at];
	}
	if (!is_new || live->habit_count == LIVE_HABITS_MOST / 4 * 3)
		return NULL;
	live->habit_count++;
	live->habits[at].line = line;
	live->habits[at].tid = tid;
	return &live->habits[at];
}

/* --- samples --- */

/* Every candidate of a batch is as likely as another to be the one. */
static void consider(struct live *live, const struct handed_slot *access,
		     struct live_thread *thread, const struct live_line *line)
{
	const double chance = line && line->in_vain >= PRIVATE_AFTER ? PRIVATE_CHANCE : 1;

	if (chance < 1 && drawn(live) >= chance)
		return;
	thread->eligible++;
	if (random_below(&live->random, ++live->candidates))
		return;
	live->candidate = (struct candidate){
		.access = *access,
		.chance = chance,
		.writer = (uint32_t)(thread - live->result->threads),
	};
}

static int is_strange(const struct handed_slot *access)
{
	return !access->address || access->address >> 47 || !access->bytes || access->bytes > 64 ||
	       !access->weight || access->weight >> 40 ||
	       (access->flags != HANDED_LOAD && access->flags != HANDED_STORE &&
		access->flags != (HANDED_LOAD | HANDED_STORE));
}

static void take(struct live *live, const struct handed_slot *access)
{
	struct live_thread *thread;
	struct live_habit *habit;
	struct live_line *line;

	live->result->accesses++;
	if (is_strange(access)) {
		live->result->strange++;
		return;
	}
	thread = thread_of(live, access->tid);
	line = line_of(live, access->address);
	if (!thread)
		return;
	habit = habit_of(live, access->address, access->tid, 1);
	if (habit)
		habit->words[access->address % 64 / 8]++;
	if (!(access->flags & HANDED_STORE)) {
		thread->loads++;
		thread->load_weight += (double)access->weight;
		return;
	}
	thread->stores++;
	thread->store_weight += (double)access->weight;
	if ((double)access->weight > live->result->heaviest)
		live->result->heaviest = (double)access->weight;
	consider(live, access, thread, line);
}

static uint32_t take_all(struct live *live)
{
	struct handed_slot access;
	uint32_t count = 0;

	live->candidates = 0;
	while (count < BATCH && handed_reader_next(&live->reader, &access)) {
		take(live, &access);
		count++;
	}
	return count;
}

/* --- experiments --- */

static uint64_t cost_of(const struct live *live)
{
	return live->watch.hits * live->watch.hit_ns + live->arming_ns;
}

static int is_affordable(const struct live *live)
{
	return (double)cost_of(live) <=
	       live->request->most_overhead * (double)(now_ns() - live->begun);
}

static int arm(struct live *live, struct experiment_setup *setup, struct watch_thread *thread)
{
	static const uint32_t nothing[EXPERIMENT_WORDS];
	const struct live_habit *habit = habit_of(live, setup->line, thread->tid, 0);
	struct watch_register registers[WATCH_REGISTERS];

	experiment_watch(setup, thread->tid, habit ? habit->words : nothing, &live->random,
			 registers);
	return watch_arm(&live->watch, thread, registers);
}

/* The others first: when the writer is watched, all are. 0: it has gone */
static int arm_all(struct live *live, struct experiment_setup *setup)
{
	struct watch *watch = &live->watch;
	struct watch_thread *writer;
	uint64_t begun;
	int is_there;

	watch_look(watch);
	begun = now_ns();
	for (uint32_t n = 0; n < watch->count; n++) {
		if (watch->threads[n].tid != setup->writer)
			arm(live, setup, &watch->threads[n]);
	}
	writer = watch_find(watch, setup->writer);
	is_there = writer && !arm(live, setup, writer);
	live->arming_ns += now_ns() - begun;
	return is_there;
}

static void disarm_all(struct live *live)
{
	const uint64_t begun = now_ns();

	watch_disarm(&live->watch);
	live->arming_ns += now_ns() - begun;
}

static void look_after_command(struct live *live)
{
	int status;

	if (live->has_ended)
		return;
	if (!live->request->command) {
		live->has_ended = kill(live->pid, 0) && errno == ESRCH;
	} else if (waitpid(live->pid, &status, WNOHANG) == live->pid) {
		live->has_ended = 1;
		live->result->end = status;
	}
}

/* Up to the end, or to the time at which there is none any more. How many hits */
static size_t await_end(struct live *live, const struct experiment_setup *setup)
{
	const uint64_t begun = now_ns();
	uint64_t anchor = 0;
	size_t count = 0;
	int has_ended = 0;

	while (!has_ended && !live->has_ended &&
	       now_ns() - (anchor ? anchor : begun) < live->request->window_ns) {
		size_t more;

		pause_for(PAUSE_NS);
		more = watch_read(&live->watch, live->hits + count, HITS_MOST - count);
		count += more;
		if (more)
			has_ended = experiment_has_ended(setup, live->hits, count, &anchor);
		look_after_command(live);
	}
	disarm_all(live);
	return count + watch_read(&live->watch, live->hits + count, HITS_MOST - count);
}

static void count_seen(struct live *live, const struct candidate *candidate,
		       const struct experiment_seen *seen, struct live_line *line)
{
	const double each = (double)candidate->access.weight * seen->weight / candidate->chance;
	struct live_thread *reader = thread_of(live, seen->tid);
	struct live_flow *flow;

	if (!reader)
		return;
	flow = &live->result->flows[candidate->writer * WATCH_THREADS_MOST +
				    (uint32_t)(reader - live->result->threads)];
	poisson_sum_add(&flow->all, 1, each);
	poisson_sum_add(seen->meets ? &flow->met : &flow->apart, 1, each);
	if (line && seen->meets)
		line->met += each;
	else if (line)
		line->apart += each;
}

static void count_end(struct live_result *result, const struct experiment_result *experiment)
{
	result->used_up += experiment->used_up;
	if (experiment->end == EXPERIMENT_NO_ANCHOR)
		result->no_anchor++;
	else if (experiment->end == EXPERIMENT_TIMED_OUT)
		result->timed_out++;
	else
		result->stored++;
}

/* Does a debugger have it? */
static int is_traced(pid_t pid)
{
	char path[64], line[256];
	int tracer = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "TracerPid: %d", &tracer);
	if (file)
		fclose(file);
	return tracer != 0;
}

static void look_around(struct live *live)
{
	char *maps = mappings_read(live->pid);

	live->result->is_traced |= is_traced(live->pid);
	if (!maps)
		return;
	free(live->result->maps);
	live->result->maps = maps;
}

static void experiment_with(struct live *live, const struct candidate *candidate)
{
	static struct experiment_result experiment;
	static struct experiment_setup setup;
	struct live_line *line = line_of(live, candidate->access.address);
	struct live_thread *writer = &live->result->threads[candidate->writer];

	experiment_begin(&setup, candidate->access.address, writer->tid,
			 live->watch.line_bytes == 64);
	if (live->result->experiments++ % LOOK_EVERY == 0)
		look_around(live);
	writer->experiments++;
	if (!arm_all(live, &setup)) {
		disarm_all(live);
		watch_read(&live->watch, live->hits, HITS_MOST);
		live->result->gone++;
		return;
	}
	experiment_judge(&setup, live->hits, await_end(live, &setup), &experiment);
	if (live->has_ended && experiment.end != EXPERIMENT_STORED) {
		/* it was the program that ended, and says nothing */
		writer->experiments--;
		live->result->experiments--;
		return;
	}
	count_end(live->result, &experiment);
	writer->anchored += experiment.end != EXPERIMENT_NO_ANCHOR;
	for (uint32_t n = 0; n < experiment.count; n++)
		count_seen(live, candidate, &experiment.seen[n], line);
	if (!line)
		return;
	line->experiments++;
	line->seen += experiment.count;
	line->in_vain = experiment.count ? 0 : line->in_vain + 1;
}

double live_scale(const struct live_thread *writer)
{
	return writer->experiments ? (double)writer->eligible / (double)writer->experiments : 0;
}

/* --- the program --- */

static int start_command(struct live *live)
{
	pid_t pid;

	setenv(HANDED_ENVIRONMENT, live->reader.path, 1);
	pid = fork();
	if (pid < 0) {
		complain(live->request->command_name, "fork: %s", strerror(errno));
		return EXIT_FAILED;
	}
	if (!pid) {
		execvp(live->request->command[0], live->request->command);
		complain(live->request->command_name, "%s: %s", live->request->command[0],
			 strerror(errno));
		_exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTED);
	}
	live->pid = pid;
	return EXIT_OK;
}

static int begin(struct live *live)
{
	const struct live_request *request = live->request;
	int error;

	error = request->accesses ? handed_reader_open(&live->reader, request->accesses)
				  : handed_reader_make(&live->reader);
	if (error) {
		complain(request->command_name, "%s: %s",
			 request->accesses ? request->accesses : "memfd_create",
			 error == -EINVAL ? "not a ring of accesses that a program hands over"
					  : strerror(-error));
		return EXIT_FAILED;
	}
	error = watch_open(&live->watch, request->pid);
	if (error) {
		complain(request->command_name, "no debug register can be had: %s",
			 error == -ENOSPC ? "a debugger has them" : strerror(-error));
		return EXIT_FAILED;
	}
	live->pid = request->pid;
	if (!request->command)
		return EXIT_OK;
	error = start_command(live);
	live->watch.pid = live->pid;
	return error;
}

static int is_over(const struct live *live, const volatile sig_atomic_t *interruption)
{
	const double seconds = (double)(now_ns() - live->begun) / 1e9;

	return live->has_ended || *interruption ||
	       (live->request->seconds > 0 && seconds >= live->request->seconds);
}

static void observe(struct live *live)
{
	const volatile sig_atomic_t *interruption = interruption_await();

	live->begun = now_ns();
	while (!is_over(live, interruption)) {
		const uint32_t taken = take_all(live);

		if (live->candidates && is_affordable(live))
			experiment_with(live, &live->candidate);
		else if (taken < BATCH)
			pause_for(IDLE_NS);
		look_after_command(live);
	}
	while (take_all(live))
		;
	if (*interruption && live->request->command && !live->has_ended)
		kill(live->pid, SIGTERM);
}

/* Nothing is watched any more: a command goes on to its end. */
static void await_command(struct live *live)
{
	if (live->request->command && live->pid > 0 && !live->has_ended)
		waitpid(live->pid, &live->result->end, 0);
}

static void finish(struct live *live)
{
	struct live_result *result = live->result;

	result->pid = live->pid;
	result->seconds = (double)(now_ns() - live->begun) / 1e9;
	result->cost_ns = cost_of(live);
	result->hits = live->watch.hits;
	result->overrun = live->watch.lost;
	result->hit_ns = live->watch.hit_ns;
	result->line_bytes = live->watch.line_bytes;
	result->again = live->watch.again;
	result->refused = live->watch.refused;
	result->refused_error = live->watch.error;
	result->watch_beyond = live->watch.beyond;
	if (live->reader.ring)
		result->dropped = __atomic_load_n(&live->reader.ring->dropped, __ATOMIC_RELAXED);
}

int live_run(const struct live_request *request, struct live_result *result)
{
	struct live *live = calloc(1, sizeof(*live));
	int code = EXIT_FAILED;

	memset(result, 0, sizeof(*result));
	result->flows =
		calloc((size_t)WATCH_THREADS_MOST * WATCH_THREADS_MOST, sizeof(*result->flows));
	result->lines = calloc(LIVE_LINES_MOST, sizeof(*result->lines));
	if (live) {
		live->hits = malloc(HITS_MOST * sizeof(*live->hits));
		live->habits = calloc(LIVE_HABITS_MOST, sizeof(*live->habits));
		live->reader.fd = -1;
	}
	if (!live || !live->hits || !live->habits || !result->flows || !result->lines) {
		complain(request->command_name, "out of memory");
	} else {
		live->request = request;
		live->result = result;
		live->random = random_of(request->seed);
		code = begin(live);
		if (!code) {
			observe(live);
			finish(live);
		}
		watch_close(&live->watch);
		await_command(live);
		handed_reader_close(&live->reader);
	}
	if (live) {
		free(live->hits);
		free(live->habits);
	}
	free(live);
	return code;
}

void live_free(struct live_result *result)
{
	free(result->flows);
	free(result->lines);
	free(result->maps);
	memset(result, 0, sizeof(*result));
}
