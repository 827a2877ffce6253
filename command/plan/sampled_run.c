/* SPDX-License-Identifier: BSD-3-Clause */
/* See sampled_run.h. The reader is a thread of its own, on another CPU if there is one. */
#define _GNU_SOURCE /* F_SETSIG, pthread_setaffinity_np() */
#include "sampled_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <precis/precis.h>

struct reading {
	int fd, stop;
	void *mapping;
	size_t bytes;
	uint64_t sample_type;
	struct precis_ring ring;
	struct sampled_outcome *outcome;
	uint8_t *wrapped;
};

static double now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* --- the signal handler: what it costs on purpose --- */

static volatile double spin_ns;

static void on_signal(int number)
{
	const double until = now_ns(CLOCK_THREAD_CPUTIME_ID) + spin_ns;

	(void)number;
	while (spin_ns > 0 && now_ns(CLOCK_THREAD_CPUTIME_ID) < until)
		;
}

static int set_signal(int fd)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct f_owner_ex owner = { F_OWNER_TID, (pid_t)syscall(SYS_gettid) };

	return sigaction(SIGRTMIN + 1, &action, NULL) || fcntl(fd, F_SETSIG, SIGRTMIN + 1) ||
			       fcntl(fd, F_SETOWN_EX, &owner) ||
			       fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) ?
		       -errno : 0;
}

/* --- reading --- */

/* The time is the third word of IP, TID, TIME: CLOCK_MONOTONIC */
static void take_sample(struct reading *reading, const struct precis_record *record, double now)
{
	uint64_t time;

	reading->outcome->samples++;
	reading->outcome->bytes += record->size;
	if (record->size < 8 + 24)
		return;
	memcpy(&time, record->data + 8 + 16, sizeof(time));
	if (now - (double)time > reading->outcome->delay_ns)
		reading->outcome->delay_ns = now - (double)time;
}

static void drain(struct reading *reading)
{
	const double now = now_ns(CLOCK_MONOTONIC);
	struct precis_record record;

	precis_ring_look(&reading->ring);
	while (precis_ring_next(&reading->ring, &record) == 1) {
		struct precis_lost lost = { .size = sizeof(lost) };

		if (record.type == PRECIS_RECORD_SAMPLE)
			take_sample(reading, &record, now);
		else if (record.type == PRECIS_RECORD_LOST && !precis_lost_parse(&record, &lost))
			reading->outcome->lost += lost.lost;
	}
	precis_ring_release(&reading->ring);
}

static void *read_on(void *data)
{
	struct reading *reading = data;
	struct pollfd fds[] = { { .fd = reading->fd, .events = POLLIN },
				{ .fd = reading->stop, .events = POLLIN } };

	while (poll(fds, 2, -1) > 0 && !(fds[1].revents & POLLIN))
		drain(reading);
	return NULL;
}

/* --- the run --- */

static int open_event(const struct sampled_way *way, struct reading *reading)
{
	struct perf_event_attr attr = way->attr;
	int error;

	attr.size = sizeof(attr);
	attr.disabled = 1;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	attr.watermark = way->wakeup == WAKEUP_HALF;
	if (attr.watermark)
		attr.wakeup_watermark = (uint32_t)(way->ring_bytes / 2);
	else
		attr.wakeup_events = 1;
	reading->fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (reading->fd < 0)
		return -errno;
	reading->bytes = way->ring_bytes + (size_t)sysconf(_SC_PAGESIZE);
	reading->mapping = mmap(NULL, reading->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, reading->fd, 0);
	if (reading->mapping == MAP_FAILED) {
		error = -errno;
		close(reading->fd);
		return error;
	}
	reading->ring.size = sizeof(reading->ring);
	error = precis_ring_init(&reading->ring, reading->mapping, reading->bytes, reading->wrapped) ?
			-EPROTO : 0;
	if (!error && way->wakeup == WAKEUP_SIGNAL)
		error = set_signal(reading->fd);
	if (error) {
		munmap(reading->mapping, reading->bytes);
		close(reading->fd);
	}
	return error;
}

/* The reader stays off the CPU that this thread is on, if there is another. */
static void keep_apart(pthread_t reader)
{
	const int here = sched_getcpu();
	cpu_set_t cpus;

	if (here < 0 || sched_getaffinity(0, sizeof(cpus), &cpus) || CPU_COUNT(&cpus) < 2)
		return;
	CPU_CLR(here, &cpus);
	pthread_setaffinity_np(reader, sizeof(cpus), &cpus);
}

static double timed(struct works *works, unsigned int program)
{
	const double began = now_ns(CLOCK_THREAD_CPUTIME_ID);

	works_run(works, program);
	return now_ns(CLOCK_THREAD_CPUTIME_ID) - began;
}

static int run_with_reader(struct works *works, unsigned int program, const struct sampled_way *way,
			   struct reading *reading)
{
	const uint64_t one = 1;
	pthread_t reader;
	int is_reading = 0;

	if (way->wakeup != WAKEUP_SIGNAL) {
		if (pthread_create(&reader, NULL, read_on, reading))
			return -EAGAIN;
		is_reading = 1;
		keep_apart(reader);
	}
	spin_ns = way->spin_ns;
	ioctl(reading->fd, PERF_EVENT_IOC_ENABLE, 0);
	reading->outcome->thread_ns = timed(works, program);
	ioctl(reading->fd, PERF_EVENT_IOC_DISABLE, 0);
	if (is_reading) {
		while (write(reading->stop, &one, sizeof(one)) < 0 && errno == EINTR)
			;
		pthread_join(reader, NULL);
	}
	return 0;
}

int sampled_run(struct works *works, unsigned int program, const struct sampled_way *way,
		struct sampled_outcome *outcome)
{
	struct reading reading = { .outcome = outcome, .stop = -1 };
	uint64_t events;
	double delay;
	int error;

	memset(outcome, 0, sizeof(*outcome));
	if (!way) {
		outcome->thread_ns = timed(works, program);
		return 0;
	}
	reading.stop = eventfd(0, EFD_CLOEXEC);
	reading.wrapped = malloc(PRECIS_RING_WRAPPED_BYTES);
	error = reading.stop < 0 ? -errno : !reading.wrapped ? -ENOMEM : open_event(way, &reading);
	if (!error) {
		error = run_with_reader(works, program, way, &reading);
		delay = outcome->delay_ns; /* what is left behind the last wakeup was not waited for */
		drain(&reading);
		outcome->delay_ns = delay;
		if (read(reading.fd, &events, sizeof(events)) == (ssize_t)sizeof(events))
			outcome->events = (double)events;
		munmap(reading.mapping, reading.bytes);
		close(reading.fd);
	}
	free(reading.wrapped);
	if (reading.stop >= 0)
		close(reading.stop);
	return error;
}
