/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that precis sharing has to live with: two threads store to a line in turns and hand that over,
 * while
 *
 * crowd crowd N    N threads wait for the end, blocked in read(2)
 * crowd busy N     N threads store to the line, each for a while asleep in between
 * crowd comers N   N pairs of threads come, store some times, and go
 * crowd exec       the program executes itself, in the middle of it
 * crowd fork       a child does the same with its own copy of the line
 * crowd family     so does that child, and hands its accesses over as well
 *
 * Unless a number is told they do so until so many accesses of theirs have been read as CROWD_READ says,
 * after the first ones. Prints "done", if no system call was interrupted.
 */
#define _GNU_SOURCE /* syscall() */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <precis/accesses.h>

#define THREADS_MOST 4000
#define FEW_STORES 200
#define PERIOD 10

static volatile uint64_t word __attribute__((aligned(64)));
static uint64_t turn;
static struct precis_accesses_ring *ring;
static uint64_t enough;
static int ends[2];
static int interrupted; /* threads whose system call ended before its time */

/* Has who observes begun, and read on for a while? Once it is so it stays so. */
static int is_observed(void)
{
	static uint64_t first;
	const uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
	uint64_t none = 0;

	if (tail)
		__atomic_compare_exchange_n(&first, &none, tail, 0, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
	return tail && tail - __atomic_load_n(&first, __ATOMIC_RELAXED) >= enough;
}

/* so many times; 0: until that is seen */
static void store(int who, uint64_t times)
{
	const uint32_t tid = (uint32_t)syscall(SYS_gettid);

	for (uint64_t n = 0; times ? n < times : !is_observed(); n++) {
		while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) % 2 != (uint64_t)who) {
			if (!times && is_observed()) /* the other one may have seen it before */
				return;
			sched_yield();
		}
		word = n;
		__atomic_add_fetch(&turn, 1, __ATOMIC_RELEASE);
		if (n % PERIOD == 0)
			precis_accesses_put(ring, &word, sizeof(word), PRECIS_ACCESSES_STORE, tid,
					    PERIOD);
	}
}

struct part {
	int who;
	uint64_t times;
};

static void *run(void *data)
{
	const struct part *part = data;

	store(part->who, part->times);
	return NULL;
}

static void *store_sometimes(void *data)
{
	static pthread_mutex_t own_turn = PTHREAD_MUTEX_INITIALIZER;
	const struct timespec pause = { 0, 1000000 };
	const uint32_t tid = (uint32_t)syscall(SYS_gettid);

	for (uint64_t n = 0; !is_observed(); n++) {
		pthread_mutex_lock(&own_turn);
		word = n;
		pthread_mutex_unlock(&own_turn);
		if (n % PERIOD == 0)
			precis_accesses_put(ring, &word, sizeof(word), PRECIS_ACCESSES_STORE, tid,
					    PERIOD);
		nanosleep(&pause, NULL);
	}
	return data;
}

static void share(uint64_t times)
{
	struct part parts[2] = { { 0, times }, { 1, times } };
	pthread_t threads[2];

	turn = 0;
	for (int n = 0; n < 2; n++)
		pthread_create(&threads[n], NULL, run, &parts[n]);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], NULL);
}

static void *wait_for_end(void *data)
{
	char byte;

	(void)data;
	if (read(ends[0], &byte, 1))
		__atomic_store_n(&interrupted, 1, __ATOMIC_RELAXED);
	return NULL;
}

static int begin(void *run_one(void *), pthread_t *threads, int count)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	for (int n = 0; n < count; n++) {
		if (pthread_create(&threads[n], &attributes, run_one, NULL))
			return 3;
	}
	return 0;
}

static int crowd(int count, int is_busy)
{
	static pthread_t threads[THREADS_MOST];
	int code;

	if (count > THREADS_MOST || pipe(ends))
		return 2;
	code = begin(is_busy ? store_sometimes : wait_for_end, threads, count);
	if (code)
		return code;
	if (!is_busy)
		share(0);
	close(ends[1]);
	for (int n = 0; n < count; n++)
		pthread_join(threads[n], NULL);
	return interrupted ? 5 : 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	const int count = argc > 2 ? atoi(argv[2]) : 0;
	int code = 0, child;

	ring = precis_accesses_open();
	if (!ring || !getenv("CROWD_READ"))
		return 2;
	enough = strtoull(getenv("CROWD_READ"), NULL, 10);
	if (strcmp(how, "crowd") == 0 || strcmp(how, "busy") == 0) {
		code = crowd(count, strcmp(how, "busy") == 0);
	} else if (strcmp(how, "comers") == 0) {
		for (int n = 0; n < count; n++)
			share(FEW_STORES);
	} else if (strcmp(how, "exec") == 0) {
		share(0);
		execl("/proc/self/exe", argv[0], "comers", "20", (char *)NULL);
		code = 4;
	} else if (strcmp(how, "fork") == 0 || strcmp(how, "family") == 0) {
		child = fork();
		if (!child && strcmp(how, "fork") == 0)
			ring = NULL;
		while (!child) /* until it is ended */
			share(ring ? 0 : FEW_STORES);
		share(0);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	} else {
		code = 2;
	}
	if (!code)
		printf("done\n");
	return code;
}
