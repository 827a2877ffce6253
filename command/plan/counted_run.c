/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See counted_run.h. Two counters for each thread, the event and CPU time, which threads and processes
 * inherit; a counter has what those that it was inherited by have counted, too, so that it can be read
 * meanwhile.
 */
#define _GNU_SOURCE /* syscall() */
#include "counted_run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sharing/threads.h"
#include "statistics/quantiles.h"
#include "command/usage/complain.h"
#include "command/usage/interruption.h"

#define TICK_NS 100000000L
#define PEAK_CPU_SECONDS 0.05 /* less CPU time than that between two looks tells no rate */
#define EVENT 0u
#define CPU_TIME 1u

/* What the kernel writes: PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING */
struct reading {
	uint64_t count, enabled_ns, running_ns;
};

struct counters {
	int (*fd)[2]; /* of each thread */
	size_t count, room;
	int is_user_only;
};

/* Events and CPU time so far */
struct sum {
	double events, cpu_seconds, enabled, running;
	double slowed_ns; /* of an event, if there was a run without */
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* --- counters --- */

static int open_one(const struct perf_event_attr *asked, pid_t tid, int is_of_command, int is_user_only)
{
	struct perf_event_attr attr = *asked;

	attr.size = sizeof(attr);
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr.disabled = 1;
	attr.inherit = 1;
	attr.enable_on_exec = is_of_command & 1;
	attr.exclude_kernel = attr.exclude_hv = is_user_only & 1;
	attr.precise_ip = 0; /* that is of sampling */
	return (int)syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void close_one(int fd)
{
	if (fd >= 0)
		close(fd);
}

static int make_room(struct counters *counters)
{
	const size_t room = counters->room ? 2 * counters->room : 16;
	int(*fd)[2];

	if (counters->count < counters->room)
		return 0;
	fd = realloc(counters->fd, room * sizeof(*fd));
	if (!fd)
		return -ENOMEM;
	counters->fd = fd;
	counters->room = room;
	return 0;
}

/* The event, unless it is NULL, and CPU time of a thread. 0, or -errno */
static int open_pair(struct counters *counters, const struct perf_event_attr *event, pid_t tid,
		     int is_of_command)
{
	const struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE,
					       .config = PERF_COUNT_SW_TASK_CLOCK };
	int error = make_room(counters), *fd;

	if (error)
		return error;
	fd = counters->fd[counters->count];
	fd[EVENT] = event ? open_one(event, tid, is_of_command, counters->is_user_only) : -1;
	if (event && fd[EVENT] < 0 && (errno == EACCES || errno == EPERM) && !counters->count) {
		counters->is_user_only = 1;
		fd[EVENT] = open_one(event, tid, is_of_command, 1);
	}
	if (event && fd[EVENT] < 0)
		return -errno;
	fd[CPU_TIME] = open_one(&clock, tid, is_of_command, counters->is_user_only);
	if (fd[CPU_TIME] < 0) {
		error = -errno;
		close_one(fd[EVENT]);
		return error;
	}
	counters->count++;
	return 0;
}

static void close_all(struct counters *counters)
{
	for (size_t n = 0; n < counters->count; n++) {
		close_one(counters->fd[n][EVENT]);
		close_one(counters->fd[n][CPU_TIME]);
	}
	free(counters->fd);
}

static void control_all(const struct counters *counters, unsigned long request)
{
	for (size_t n = 0; n < counters->count; n++) {
		ioctl(counters->fd[n][EVENT], request, 0);
		ioctl(counters->fd[n][CPU_TIME], request, 0);
	}
}

static int read_one(int fd, struct reading *reading)
{
	return read(fd, reading, sizeof(*reading)) == (ssize_t)sizeof(*reading);
}

static struct sum read_all(const struct counters *counters)
{
	struct sum sum = { 0 };

	for (size_t n = 0; n < counters->count; n++) {
		const int fd = counters->fd[n][EVENT];
		struct reading event = { 0 }, clock;

		if ((fd >= 0 && !read_one(fd, &event)) || !read_one(counters->fd[n][CPU_TIME], &clock))
			continue;
		sum.events += (double)event.count;
		sum.enabled += (double)event.enabled_ns;
		sum.running += (double)event.running_ns;
		sum.cpu_seconds += 1e-9 * (double)clock.count;
	}
	return sum;
}

/* The rate since the last look that told one */
static void take_peak(struct counted_run *counted, const struct sum *sum, struct sum *last)
{
	const double took = sum->cpu_seconds - last->cpu_seconds;
	const double rate = (sum->events - last->events) / took;

	if (took < PEAK_CPU_SECONDS)
		return;
	if (rate > counted->peak)
		counted->peak = rate;
	*last = *sum;
}

/* --- a command --- */

struct child {
	pid_t pid;
	int begin, refusal; /* pipes: it may begin; why it could not */
	sigset_t before;    /* signals, as they were blocked */
};

static void become(const struct counted_request *request, int begin, int refusal, const sigset_t *mask)
{
	char byte;
	int error;

	sigprocmask(SIG_SETMASK, mask, NULL);
	while (read(begin, &byte, 1) < 0 && errno == EINTR)
		;
	if (request->keeps_output || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
		execvp(request->command[0], request->command);
	error = errno;
	if (write(refusal, &error, sizeof(error)) < 0)
		_exit(EXIT_NOT_FOUND);
	_exit(EXIT_NOT_FOUND);
}

/* A child that waits. 0, or -errno */
static int start_child(const struct counted_request *request, struct child *child)
{
	int begin[2], refusal[2], error;

	if (pipe2(begin, O_CLOEXEC))
		return -errno;
	if (pipe2(refusal, O_CLOEXEC)) {
		error = -errno;
		close(begin[0]);
		close(begin[1]);
		return error;
	}
	child->pid = fork();
	error = -errno;
	if (!child->pid) {
		close(begin[1]);
		become(request, begin[0], refusal[1], &child->before);
	}
	close(begin[0]);
	close(refusal[1]);
	child->begin = begin[1];
	child->refusal = refusal[0];
	if (child->pid > 0)
		return 0;
	close(begin[1]);
	close(refusal[0]);
	return error;
}

/* Let it begin. 0, or the errno of execvp(3) */
static int let_begin(struct child *child)
{
	int error = 0;

	close(child->begin);
	while (read(child->refusal, &error, sizeof(error)) < 0 && errno == EINTR)
		;
	close(child->refusal);
	return error;
}

/* Signals that somebody waits for here, while a command runs. */
static void block_signals(sigset_t *blocked, sigset_t *before)
{
	sigemptyset(blocked);
	sigaddset(blocked, SIGCHLD);
	sigaddset(blocked, SIGINT);
	sigaddset(blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, blocked, before);
}

/* Until it ends. The terminal sends SIGINT to the command, too; SIGTERM is passed on. */
static int wait_for(const struct child *child, const struct counters *counters, const sigset_t *blocked,
		    struct counted_run *counted)
{
	const struct timespec tick = { 0, TICK_NS };
	struct sum last = { 0 };
	int status = 0;

	while (waitpid(child->pid, &status, WNOHANG) == 0) {
		const struct sum sum = read_all(counters);
		int found;

		take_peak(counted, &sum, &last);
		found = sigtimedwait(blocked, NULL, &tick);
		if (found == SIGTERM)
			kill(child->pid, SIGTERM);
		if (found == SIGINT || found == SIGTERM) {
			counted->is_cut = 1;
			interruption_note(found);
		}
	}
	return status;
}

static void tell_end(struct counted_run *counted, int status)
{
	if (WIFSIGNALED(status)) {
		counted->is_cut = 1;
		snprintf(counted->end, sizeof(counted->end), "killed by signal %d (%s): so much until then",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	} else if (WEXITSTATUS(status)) {
		snprintf(counted->end, sizeof(counted->end), "it ended with exit code %d",
			 WEXITSTATUS(status));
	}
}

static int not_executed(const struct counted_request *request, int error, char reason[PLAN_REASON])
{
	snprintf(reason, PLAN_REASON, "%.100s: %s", request->command[0], strerror(error));
	return error == ENOENT || error == ENOTDIR ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTED;
}

static int not_counted(int error, char reason[PLAN_REASON])
{
	char why[PLAN_REASON];

	plan_refused(error, why);
	snprintf(reason, PLAN_REASON, "it cannot be counted: %.200s", why);
	return EXIT_FAILED;
}

/* One run, in which the event is counted, or CPU time alone. An exit code */
static int run_command(const struct counted_request *request, int is_counted, struct counted_run *counted,
		       struct sum *sum, double *seconds, char reason[PLAN_REASON])
{
	struct counters counters = { .is_user_only = counted->is_user_only };
	struct child child;
	sigset_t blocked;
	double began;
	int error, refused = 0;

	block_signals(&blocked, &child.before);
	error = -start_child(request, &child);
	if (!error) {
		error = -open_pair(&counters, is_counted ? &request->attr : NULL, child.pid, 1);
		if (error)
			kill(child.pid, SIGKILL);
		began = now();
		refused = let_begin(&child);
		tell_end(counted, wait_for(&child, &counters, &blocked, counted));
		*seconds = now() - began;
		*sum = read_all(&counters);
		counted->is_user_only = counters.is_user_only;
	}
	close_all(&counters);
	sigprocmask(SIG_SETMASK, &child.before, NULL);
	if (error)
		return not_counted(error, reason);
	return refused ? not_executed(request, refused, reason) : EXIT_OK;
}

/* --- a process that runs --- */

/* All its threads. 0, or -errno; -ESRCH if it is gone */
static int open_threads(const struct counted_request *request, struct counters *counters)
{
	struct threads threads;
	int error = threads_open(&threads, request->pid);

	for (uint32_t tid; !error && (tid = threads_next(&threads));) {
		error = open_pair(counters, &request->attr, (pid_t)tid, 0);
		if (error == -ESRCH) /* that thread has ended */
			error = 0;
	}
	threads_close(&threads);
	return error ? error : counters->count ? 0 : -ESRCH;
}

/* 1 if it has ended meanwhile. Without pidfd_open(2) that is not seen, and its count stands still. */
static int sleep_beside(int process)
{
	struct pollfd fd = { .fd = process, .events = POLLIN };

	return poll(&fd, 1, (int)(TICK_NS / 1000000)) > 0;
}

static void watch(const struct counted_request *request, const struct counters *counters, int process,
		  struct counted_run *counted)
{
	const volatile sig_atomic_t *is_interrupted = interruption_await();
	const double end = now() + request->seconds;
	struct sum last = { 0 };
	int is_gone = 0;

	while (!is_gone && !*is_interrupted && now() < end) {
		const struct sum sum = read_all(counters);

		take_peak(counted, &sum, &last);
		is_gone = sleep_beside(process);
	}
	if (is_gone)
		snprintf(counted->end, sizeof(counted->end), "it ended meanwhile");
	else if (*is_interrupted)
		snprintf(counted->end, sizeof(counted->end), "it was counted until the interrupt");
}

static int run_process(const struct counted_request *request, struct counted_run *counted,
		       struct sum *sum, double *seconds, char reason[PLAN_REASON])
{
	struct counters counters = { .is_user_only = 0 };
	const int process = (int)syscall(SYS_pidfd_open, request->pid, 0);
	double began;
	int error;

	threads_allow_files();
	error = -open_threads(request, &counters);
	if (!error) {
		began = now();
		control_all(&counters, PERF_EVENT_IOC_ENABLE);
		watch(request, &counters, process, counted);
		control_all(&counters, PERF_EVENT_IOC_DISABLE);
		*seconds = now() - began;
		*sum = read_all(&counters);
		counted->is_user_only = counters.is_user_only;
		counted->threads = (uint32_t)counters.count;
	}
	close_all(&counters);
	if (process >= 0)
		close(process);
	if (error == ESRCH)
		snprintf(reason, PLAN_REASON, "there is no process %ld", (long)request->pid);
	else if (error)
		return not_counted(error, reason);
	return error ? EXIT_FAILED : EXIT_OK;
}

/* --- what comes of it --- */

/* Of runs: the sums of what they had, and of the squares of what another one may have */
struct run_sums {
	double events, cpu_seconds, seconds, enabled, running;
	double rates, rates_squared, events_squared, slowed, slowed_squared;
};

static void add_run(struct run_sums *sums, const struct sum *sum, double seconds)
{
	const double rate = sum->cpu_seconds > 0 ? sum->events / sum->cpu_seconds : 0;

	sums->events += sum->events;
	sums->events_squared += sum->events * sum->events;
	sums->cpu_seconds += sum->cpu_seconds;
	sums->seconds += seconds;
	sums->enabled += sum->enabled;
	sums->running += sum->running;
	sums->rates += rate;
	sums->rates_squared += rate * rate;
	sums->slowed += sum->slowed_ns;
	sums->slowed_squared += sum->slowed_ns * sum->slowed_ns;
}

/*
 * What is to come is one more run: its variance is that of the runs and that of their mean. Of few runs
 * Student's t is wider than the 1.96 of the normal distribution that predictions take.
 */
static double deviation(double sum, double squares, uint32_t runs)
{
	const double variance = fmax(squares - sum * sum / runs, 0) / (runs - 1);

	return sqrt(variance * (1 + 1.0 / runs)) * student_upper(0.025, runs - 1) / 1.96;
}

static double relative_deviation(double sum, double squares, uint32_t runs)
{
	return deviation(sum, squares, runs) / (sum / runs);
}

/* Of how many events there are, and of their rate, the one that varies more */
static double wider_deviation(const struct run_sums *sums, uint32_t runs)
{
	const double of_rate = relative_deviation(sums->rates, sums->rates_squared, runs);

	return fmax(of_rate, relative_deviation(sums->events, sums->events_squared, runs));
}

static int conclude(const struct run_sums *sums, struct counted_run *counted, char reason[PLAN_REASON])
{
	const double runs = counted->runs;
	const double scale = sums->running > 0 ? sums->enabled / sums->running : 1;

	if (sums->enabled > 0 && sums->running <= 0) {
		snprintf(reason, PLAN_REASON, "it was never counted: the PMU's counters are in use");
		return EXIT_FAILED;
	}
	if (sums->cpu_seconds <= 0) {
		snprintf(reason, PLAN_REASON, "it did not run: no CPU time was used in %.3g s",
			 sums->seconds / runs);
		return EXIT_FAILED;
	}
	if (sums->events <= 0) {
		snprintf(reason, PLAN_REASON, "no such event came in %.3g s of CPU time: there is nothing "
			 "to sample", sums->cpu_seconds);
		return EXIT_FAILED;
	}
	counted->share = 1 / scale;
	counted->events = sums->events * scale / runs;
	counted->cpu_seconds = sums->cpu_seconds / runs;
	counted->seconds = sums->seconds / runs;
	counted->cpus = counted->cpu_seconds / counted->seconds;
	counted->rate = counted->events / counted->cpu_seconds;
	counted->rate_deviation = counted->slowed_deviation = NAN;
	counted->slowed_ns = sums->slowed / runs;
	if (counted->runs > 1) {
		counted->rate_deviation = counted->rate * wider_deviation(sums, counted->runs);
		counted->slowed_deviation =
			deviation(sums->slowed, sums->slowed_squared, counted->runs);
	}
	counted->peak = fmax(counted->peak * scale, counted->rate);
	return EXIT_OK;
}

/* A run, and if counting slows it one more without. An exit code */
static int run_pair(const struct counted_request *request, struct counted_run *counted, struct sum *sum,
		    double *seconds, char reason[PLAN_REASON])
{
	struct sum bare = { 0 };
	int code = run_command(request, 1, counted, sum, seconds, reason);

	sum->slowed_ns = NAN;
	if (code || !request->is_slowed || counted->is_cut)
		return code;
	code = run_command(request, 0, counted, &bare, seconds, reason);
	if (code || bare.cpu_seconds <= 0)
		return code;
	counted->peak *= sum->cpu_seconds / bare.cpu_seconds;
	if (sum->events > 0)
		sum->slowed_ns = 1e9 * (sum->cpu_seconds - bare.cpu_seconds) / sum->events;
	sum->cpu_seconds = bare.cpu_seconds;
	return code;
}

/* Of a process there is no second run: what counting took of its time is what a calibration says. */
static void take_off(const struct counted_request *request, struct counted_run *counted, struct sum *sum,
		     double *seconds)
{
	const double took = 1e-9 * request->event_ns * sum->events;
	const double left = sum->cpu_seconds - took;

	if (!request->is_slowed)
		return;
	/* where it is most of the time, its error is more than what is left */
	if (request->event_ns <= 0 || left < sum->cpu_seconds / 2) {
		counted->has_slowed = 1;
		return;
	}
	counted->peak *= sum->cpu_seconds / left;
	*seconds *= left / sum->cpu_seconds;
	sum->cpu_seconds = left;
}

int counted_run(const struct counted_request *request, struct counted_run *counted,
		char reason[PLAN_REASON])
{
	struct run_sums sums = { 0 };
	int code = EXIT_OK;

	memset(counted, 0, sizeof(*counted));
	do {
		const double peak = counted->peak;
		struct sum sum = { 0 };
		double seconds = 0;

		counted->peak = 0;
		code = request->command ? run_pair(request, counted, &sum, &seconds, reason) :
					  run_process(request, counted, &sum, &seconds, reason);
		if (code)
			return code;
		if (!request->command) {
			sum.slowed_ns = NAN;
			take_off(request, counted, &sum, &seconds);
		}
		counted->peak = fmax(counted->peak, peak);
		counted->runs++;
		add_run(&sums, &sum, seconds);
	} while (request->command && counted->runs < request->runs && !counted->is_cut);
	return conclude(&sums, counted, reason);
}
