/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_poller.c
 * @see precis_poller.h
 *
 * epoll(7) tells of the rings that are ready and of no others. Linux takes a
 * descriptor out of the set when it is closed; here that is done before, so that no event lives on in
 * a wait that has just begun.
 *
 * Of rings in which samples wait, but do not fill them, nobody tells: they are looked at. Those that have had
 * some lately are, at each turn; of the others, which may be those of a thousand sleeping threads, as many as
 * there is time for, one after the other.
 */
#include "precis_poller.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "papi.h"
#include "precis_affinity.h"
#include "precis_clock.h"
#include "precis_debug.h"
#include "precis_errors.h"
#include "precis_inside.h"
#include "precis_signals.h"

/* Samples that do not fill a ring are not kept longer. */
#define PATIENCE_MS 50
/* After how many looks in vain a reader is one of the others, and how long a turn may take for those */
#define COLD_AFTER 20u
#define COLD_NS 15000u
/* How long the thread stays without a reader: programs start and stop often. */
#define LINGER_MS 500
/* How often it is looked whether anybody is left whom it could serve, in patiences */
#define ALONE_IN 20u
#define READY_MOST 64
#define NONE UINT32_MAX
#define WAKE UINT64_MAX

/*
 * What epoll has a number of: a place in a table, and how often that was used before. What it said
 * may be of one that is gone, with another in its place since.
 */
struct source {
	struct precis_reader *reader; /* NULL: the place is free */
	uint32_t uses;
	uint32_t next; /* of the same reader, or free; NONE */
	int fd;
	int is_told;
};

/*
 * None of PAPI's locks: it is waited with, the thread takes it whether or not PAPI_thread_init()
 * was called, and it is held over fork(2).
 */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
/* Two lists, by is_cold, and in both where the walk over them goes on */
static struct precis_reader *readers[2], *following[2];
static struct precis_reader *active; /* that the thread is in */
/*
 * By the C library and not by PAPI's allocator: a child of fork(2) frees it, and a callback may
 * call PAPI_shutdown() in the thread, which goes on.
 */
static struct source *sources;
static uint32_t source_count, free_source = NONE;
static pthread_t thread;
static int is_running, must_end;
static int epoll_fd = -1, wake_fd = -1;

/*
 * A callback in a signal handler may stop its set: no such signal may come while
 * its thread has the mutex.
 */
static void lock(sigset_t *before)
{
	precis_signals_block(before);
	pthread_mutex_lock(&mutex);
}

static void unlock(const sigset_t *before)
{
	pthread_mutex_unlock(&mutex);
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* --- lists, with the mutex held ------------------------------------------------------ */

static void link_reader(struct precis_reader *reader, int is_cold)
{
	struct precis_reader **first = &readers[is_cold];

	reader->is_cold = is_cold;
	reader->before = NULL;
	reader->next = *first;
	if (*first)
		(*first)->before = reader;
	*first = reader;
}

static void unlink_reader(struct precis_reader *reader)
{
	if (following[reader->is_cold] == reader)
		following[reader->is_cold] = reader->next;
	if (reader->next)
		reader->next->before = reader->before;
	*(reader->before ? &reader->before->next : &readers[reader->is_cold]) = reader->next;
}

static void move_reader(struct precis_reader *reader, int is_cold)
{
	if (reader->is_cold == is_cold)
		return;
	unlink_reader(reader);
	link_reader(reader, is_cold);
}

static int are_there(void)
{
	return readers[0] || readers[1];
}

/* --- the thread: all of it with the mutex held, but in readers' hands ---------------- */

/* The lists may change meanwhile. */
static void read_one(struct precis_reader *reader)
{
	reader->looked_in_vain = 0;
	move_reader(reader, 0);
	active = reader;
	pthread_mutex_unlock(&mutex);
	reader->on_ready(reader);
	pthread_mutex_lock(&mutex);
	active = NULL;
	pthread_cond_broadcast(&idle);
}

static void take_event(const struct epoll_event *event)
{
	uint32_t place = (uint32_t)event->data.u64;
	uint64_t count;

	if (event->data.u64 == WAKE) {
		if (read(wake_fd, &count, sizeof(count)) < 0)
			count = 0; /* somebody has taken it */
		return;
	}
	if (place >= source_count || !sources[place].reader ||
	    sources[place].uses != (uint32_t)(event->data.u64 >> 32))
		return;
	if (!sources[place].is_told)
		read_one(sources[place].reader);
	else if (event->events & EPOLLIN)
		sources[place].reader->on_told(sources[place].reader);
}

static void look_at(struct precis_reader *reader)
{
	if (reader->waits(reader))
		read_one(reader);
	else if (++reader->looked_in_vain >= COLD_AFTER)
		move_reader(reader, 1);
}

/* From where the last walk ended, to the end of the list or of the time; 0: however long it takes */
static void walk(int is_cold, uint64_t until)
{
	struct precis_reader *reader = following[is_cold] ? following[is_cold] : readers[is_cold];

	for (; reader; reader = following[is_cold]) {
		following[is_cold] = reader->next;
		look_at(reader);
		if (until && precis_now() >= until)
			break;
	}
}

static void read_all(void)
{
	walk(0, 0);
	walk(1, precis_now() + COLD_NS);
}

/*
 * Has every other thread ended? Of the first one the kernel keeps something until the last one
 * ends. Nobody will stop what it has started.
 */
static int is_alone(void)
{
	struct stat task;
	char line[256], *state;
	size_t bytes = 0;
	FILE *file;

	/* a directory has two links, and one for each that lies in it */
	if (stat("/proc/self/task", &task) || task.st_nlink > 4)
		return 0;
	file = fopen("/proc/self/stat", "re");
	if (!file)
		return 0;
	bytes = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[bytes] = 0;
	state = strrchr(line, ')');
	return state && state[1] == ' ' && state[2] == 'Z';
}

/* Also where a callback ends the thread */
static void end(void *unused)
{
	(void)unused;
	active = NULL;
	is_running = 0;
	pthread_cond_broadcast(&idle);
	pthread_mutex_unlock(&mutex);
}

static void ended_in_callback(void *unused)
{
	pthread_mutex_lock(&mutex);
	end(unused);
}

/* @return 0: nobody needs it any more */
static int serve(uint64_t *looked_at, unsigned int *patiences)
{
	struct epoll_event ready[READY_MOST];
	uint64_t since = (precis_now() - *looked_at) / 1000000;
	int is_used = are_there(), count;
	int wait = !is_used ? LINGER_MS : since < PATIENCE_MS ? (int)(PATIENCE_MS - since) : 0;

	pthread_mutex_unlock(&mutex);
	count = epoll_wait(epoll_fd, ready, READY_MOST, wait);
	pthread_mutex_lock(&mutex);
	for (int n = 0; n < count; n++)
		take_event(&ready[n]);
	if (!is_used)
		return are_there() || count > 0;
	if (precis_now() - *looked_at < (uint64_t)PATIENCE_MS * 1000000)
		return 1;
	read_all();
	*looked_at = precis_now();
	return ++*patiences % ALONE_IN || !is_alone();
}

static void *run(void *unused)
{
	const uint32_t generation = precis_generation;
	uint64_t looked_at = precis_now();
	unsigned int patiences = 0;
	int is_known;

	prctl(PR_SET_NAME, "precis", 0, 0, 0);
	/* fork(2) waits for the mutex: what this allocates meanwhile would be nobody's in the child */
	pthread_mutex_lock(&mutex);
	precis_affinity_widen();
	pthread_mutex_unlock(&mutex);
	/* callbacks may call PAPI, which crashes in threads that it does not know */
	PAPI_register_thread();
	pthread_cleanup_push(ended_in_callback, NULL);
	pthread_mutex_lock(&mutex);
	/* a callback may fork: what goes on in the child is no helper thread of its */
	while (!must_end && generation == precis_generation && serve(&looked_at, &patiences))
		;
	pthread_cleanup_pop(0);
	/* PAPI_shutdown, which waits for this thread, has forgotten all of them */
	is_known = !must_end;
	if (generation == precis_generation)
		end(unused);
	else
		pthread_mutex_unlock(&mutex);
	if (is_known)
		PAPI_unregister_thread();
	return NULL;
}

/* --- everybody else ------------------------------------------------------------------ */

static void wake(void)
{
	uint64_t one = 1;

	if (write(wake_fd, &one, sizeof(one)) < 0)
		return; /* full: it is awake */
}

static int fail(const char *what)
{
	return precis_fail(PAPI_ESYS, "no thread for callbacks: %s: %s", what, strerror(errno));
}

static void close_fds(void)
{
	if (epoll_fd >= 0)
		close(epoll_fd);
	if (wake_fd >= 0)
		close(wake_fd);
	epoll_fd = wake_fd = -1;
}

static int open_fds(void)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = WAKE };

	if (epoll_fd >= 0)
		return PAPI_OK;
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return epoll_fd < 0 || wake_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, wake_fd, &event)
		       ? fail("epoll")
		       : PAPI_OK;
}

/* With the mutex held. Signals are for the program's threads. */
static int begin(void)
{
	pthread_attr_t detached; /* most often it ends by itself */
	sigset_t all, before;
	int error = open_fds();

	if (error || is_running)
		return error;
	must_end = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	errno = pthread_create(&thread, &detached, run, NULL);
	pthread_attr_destroy(&detached);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (errno)
		return fail("pthread_create");
	is_running = 1;
	SUBDBG("the helper thread begins\n");
	return PAPI_OK;
}

int precis_poller_add(struct precis_reader *reader)
{
	sigset_t before;
	int error;

	lock(&before);
	error = begin();
	if (!error && !reader->is_polled) {
		reader->first_source = NONE;
		reader->is_polled = 1;
		reader->looked_in_vain = 0;
		if (!are_there())
			wake(); /* from now on it has patience for somebody */
		link_reader(reader, 0);
	}
	unlock(&before);
	return error;
}

/* A free place of the table, with the mutex held. @return 0, or -1: no memory */
static int make_room(void)
{
	uint32_t more = source_count ? 2 * source_count : 16;
	struct source *bigger;

	if (free_source != NONE)
		return 0;
	bigger = realloc(sources, more * sizeof(*sources));
	if (!bigger)
		return -1;
	sources = bigger;
	for (; source_count < more; source_count++) {
		sources[source_count] = (struct source){ .next = free_source };
		free_source = source_count;
	}
	return 0;
}

static int watch(struct precis_reader *reader, int fd, int is_told)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	struct source *source;
	uint32_t place;

	if (make_room())
		return precis_fail(PAPI_ENOMEM, "no memory");
	place = free_source;
	source = &sources[place];
	event.data.u64 = place | (uint64_t)source->uses << 32;
	if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event))
		return fail("epoll_ctl");
	free_source = source->next;
	source->reader = reader;
	source->fd = fd;
	source->is_told = is_told;
	source->next = reader->first_source;
	reader->first_source = place;
	return PAPI_OK;
}

int precis_poller_watch(struct precis_reader *reader, int fd, int is_told)
{
	sigset_t before;
	int error;

	lock(&before);
	error = watch(reader, fd, is_told);
	unlock(&before);
	return error;
}

static void forget(struct precis_reader *reader)
{
	uint32_t place = reader->first_source, next;

	for (; place != NONE; place = next) {
		struct source *source = &sources[place];

		next = source->next;
		epoll_ctl(epoll_fd, EPOLL_CTL_DEL, source->fd, NULL);
		source->reader = NULL;
		source->uses++;
		source->next = free_source;
		free_source = place;
	}
	unlink_reader(reader);
	reader->is_polled = 0;
}

void precis_poller_remove(struct precis_reader *reader)
{
	sigset_t before;

	lock(&before);
	if (reader->is_polled)
		forget(reader);
	while (active == reader && !precis_inside_of(reader))
		pthread_cond_wait(&idle, &mutex);
	unlock(&before);
}

void precis_poller_stop(void)
{
	sigset_t before;

	lock(&before);
	must_end = 1;
	if (is_running && !pthread_equal(thread, pthread_self())) {
		wake();
		while (is_running)
			pthread_cond_wait(&idle, &mutex);
	}
	if (!is_running)
		close_fds();
	unlock(&before);
}

/* --- fork(2) ------------------------------------------------------------------------- */

/* The child has no such thread, and its readers are given up. */
static void in_child(void)
{
	for (int is_cold = 0; is_cold < 2; is_cold++) {
		for (struct precis_reader *reader = readers[is_cold]; reader; reader = reader->next)
			reader->is_polled = 0;
		readers[is_cold] = following[is_cold] = NULL;
	}
	active = NULL;
	free(sources);
	sources = NULL;
	source_count = 0;
	free_source = NONE;
	close_fds();
	pthread_cond_init(&idle, NULL);
	is_running = must_end = 0;
}

const struct precis_fork_hooks precis_poller_fork = {
	.mutex = &mutex,
	.in_child = in_child,
};
