/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The helper thread: it waits for rings to fill, and calls back in ordinary
 * context; or, of events with a watermark, interrupts the thread that started them.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "precis_component.h"

/* Samples that do not fill a ring are not kept longer. */
#define PATIENCE_MS 50

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static struct precis_set *sets;
static struct precis_set *active; /* being delivered */
static pthread_t thread;
static int is_running, must_end;
static int wake_fd = -1;
static uint64_t runs; /* how often a set has been added */

/*
 * Which counter a descriptor is of. What poll(2) said may be of one that is gone,
 * with another at its address since, and another event with its descriptor: the
 * run's number tells.
 */
struct source {
	struct precis_counter *counter;
	uint64_t run;
};

/* What the thread waits for. Only the thread touches it. */
struct watched {
	struct pollfd *fds; /* the first is wake_fd */
	struct source *sources; /* of the others */
	size_t count, room;
};

static void wake(void)
{
	uint64_t one = 1;

	if (write(wake_fd, &one, sizeof(one)) < 0)
		return; /* full: it is awake */
}

static int watch(struct watched *watched, int fd, struct source source)
{
	if (watched->count == watched->room) {
		size_t room = watched->room ? 2 * watched->room : 16;
		struct pollfd *fds = realloc(watched->fds, room * sizeof(*fds));
		struct source *sources;

		if (fds)
			watched->fds = fds;
		sources = fds ? realloc(watched->sources, room * sizeof(*sources)) : NULL;
		if (!sources)
			return -1;
		watched->sources = sources;
		watched->room = room;
	}
	watched->fds[watched->count] = (struct pollfd){ .fd = fd, .events = POLLIN };
	watched->sources[watched->count++] = source;
	return 0;
}

/* With the mutex held. What does not fit is read when the patience ends. */
static void collect(struct watched *watched)
{
	watched->count = 0;
	if (watch(watched, wake_fd, (struct source){ .counter = NULL }))
		return;
	for (struct precis_set *set = sets; set; set = set->next_polled) {
		for (struct precis_counter *part = precis_first_part(set); part;
		     part = precis_next_part(part)) {
			struct source source = { .counter = part, .run = set->polled_run };

			if ((precis_counter_is_polled(part) ||
			     precis_counter_is_watermarked(part)) &&
			    !part->is_hung && watch(watched, part->fd, source))
				return;
		}
	}
}

static int is_there(const struct precis_set *set)
{
	for (const struct precis_set *other = sets; other; other = other->next_polled) {
		if (other == set)
			return 1;
	}
	return 0;
}

/*
 * One of what poll(2) said. Linux tells of a wakeup once: one of an event that has
 * the descriptor by now is not to be had again.
 */
static void take_event(struct precis_counter *counter, const struct pollfd *polled,
		       const struct source *source)
{
	if (polled->revents & (POLLHUP | POLLERR | POLLNVAL) && source->counter == counter &&
	    source->run == counter->set->polled_run)
		counter->is_hung = 1;
	if (polled->revents & POLLIN && polled->fd == counter->fd &&
	    precis_counter_is_watermarked(counter))
		precis_signals_tell(counter->set->starter);
}

/* All of what it said. With the mutex held; counters of sets that are gone are not touched. */
static void take_events(const struct watched *watched)
{
	for (struct precis_set *set = sets; set; set = set->next_polled) {
		for (size_t n = 1; n < watched->count; n++) {
			for (struct precis_counter *part = precis_first_part(set); part;
			     part = precis_next_part(part))
				take_event(part, &watched->fds[n], &watched->sources[n]);
		}
	}
}

/* One that has not been looked at in this round */
static struct precis_set *next_of(uint32_t round)
{
	struct precis_set *set = sets;

	while (set && set->polled_round == round)
		set = set->next_polled;
	return set;
}

/*
 * A callback in a signal handler may stop its set: no such signal may come while
 * its thread has the mutex.
 */
static void lock(sigset_t *before)
{
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, precis_signal_number());
	sigaddset(&ours, SIGIO);
	pthread_sigmask(SIG_BLOCK, &ours, before);
	pthread_mutex_lock(&mutex);
}

static void unlock(const sigset_t *before)
{
	pthread_mutex_unlock(&mutex);
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* With the mutex held: for whom asks while the next callbacks run */
static void publish(struct precis_set *set)
{
	for (struct precis_counter *part = precis_first_part(set); part;
	     part = precis_next_part(part)) {
		if (precis_counter_is_polled(part)) {
			part->published = part->statistics;
			part->published.period = part->period;
		}
	}
}

void precis_poller_statistics(const struct precis_counter *counter,
			      struct precis_papi_statistics *statistics)
{
	int is_ours = precis_counter_is_polled(counter) && !precis_delivering(counter->set);
	sigset_t before;

	*statistics = (struct precis_papi_statistics){ .size = 0 };
	if (is_ours) {
		lock(&before);
		/* a set that its callback has stopped is on its way out of the list */
		if (is_there(counter->set) || active == counter->set)
			*statistics = counter->published;
		unlock(&before);
	}
	if (!statistics->size) { /* no other thread writes them */
		*statistics = counter->statistics;
		statistics->period = counter->period;
	}
}

/* With the mutex held, but not while callbacks run: the list may change meanwhile. */
static void deliver_all(void)
{
	static uint32_t round;

	round++;
	while ((active = next_of(round))) {
		active->polled_round = round;
		for (uint32_t i = 0; i < active->counters; i++) {
			if (precis_counter_is_polled(active->counter[i]))
				active->counter[i]->statistics.wakeups++;
		}
		publish(active);
		pthread_mutex_unlock(&mutex);
		precis_deliver(active, PRECIS_OF_POLLER, NULL);
		pthread_mutex_lock(&mutex);
		publish(active);
		active = NULL;
		pthread_cond_broadcast(&idle);
	}
}

static void *run(void *unused)
{
	struct watched watched = { .count = 0 };
	uint64_t count;

	(void)unused;
	pthread_mutex_lock(&mutex);
	while (!must_end) {
		int waits = sets != NULL, ready;

		collect(&watched);
		pthread_mutex_unlock(&mutex);
		if (watched.count)
			ready = poll(watched.fds, watched.count, waits ? PATIENCE_MS : -1);
		else
			ready = usleep(PATIENCE_MS * 1000);
		if (ready > 0 && watched.fds[0].revents && read(wake_fd, &count, sizeof(count)) < 0)
			count = 0; /* somebody has taken it */
		pthread_mutex_lock(&mutex);
		if (ready > 0)
			take_events(&watched);
		deliver_all();
	}
	pthread_mutex_unlock(&mutex);
	free(watched.fds);
	free(watched.sources);
	return NULL;
}

/* With the mutex held. Signals are for the program's threads. */
static int begin(void)
{
	sigset_t all, before;
	int error;

	if (is_running)
		return 0;
	wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (wake_fd < 0)
		return errno;
	must_end = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&thread, NULL, run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	is_running = !error;
	if (error) {
		close(wake_fd);
		wake_fd = -1;
	}
	return error;
}

int precis_poller_add(struct precis_set *set)
{
	sigset_t before;
	int error;

	lock(&before);
	error = begin();
	if (!error && !is_there(set)) {
		set->polled_run = ++runs;
		set->next_polled = sets;
		sets = set;
		publish(set);
		wake();
	}
	unlock(&before);
	return error ? precis_fail(PAPI_ESYS, "no thread for callbacks: %s", strerror(error))
		     : PAPI_OK;
}

void precis_poller_remove(struct precis_set *set)
{
	struct precis_set **at;
	sigset_t before;

	lock(&before);
	for (at = &sets; *at && *at != set; at = &(*at)->next_polled)
		;
	if (*at)
		*at = set->next_polled;
	while (active == set && !precis_delivering(set))
		pthread_cond_wait(&idle, &mutex);
	unlock(&before);
}

void precis_poller_stop(void)
{
	int joins;

	pthread_mutex_lock(&mutex);
	joins = is_running && !pthread_equal(thread, pthread_self());
	must_end = 1;
	if (joins)
		wake();
	pthread_mutex_unlock(&mutex);
	if (!joins)
		return;
	pthread_join(thread, NULL);
	close(wake_fd);
	wake_fd = -1;
	is_running = 0;
}

void precis_poller_forget(void)
{
	pthread_mutex_init(&mutex, NULL);
	pthread_cond_init(&idle, NULL);
	sets = active = NULL;
	if (wake_fd >= 0)
		close(wake_fd);
	wake_fd = -1;
	is_running = must_end = 0;
}
