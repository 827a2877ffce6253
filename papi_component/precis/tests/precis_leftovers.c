/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What may be left of an EventSet that is gone: no event, no thread that keeps the process; and what a
 * thread leaves behind that ends in a callback, or jumps out of one, while another stops the EventSet.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>

#include "precis_test.h"

#define REGISTERS 4 /* that x86 has for breakpoints */
#define ROUNDS 50
/* A busy machine may take its time; what never ends, is ended. */
#define PATIENCE_S 60

static volatile long cells[REGISTERS] __attribute__((aligned(8)));

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
}

static void sample_all(int set, const int *codes, int count, uint32_t delivery,
		       precis_papi_callback callback)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = 1,
		.watermark_samples = delivery == PRECIS_PAPI_WATERMARK ? 1 : 0,
		.callback = callback,
	};

	for (int n = 0; n < count; n++)
		test_must(precis_papi_set_sampling(set, codes[n], &sampling), "precis_papi_set_sampling");
}

/* --- debug registers ------------------------------------------------------------------ */

/* @return how many of the four could not be had */
static int refused(uint32_t delivery)
{
	int set = PAPI_NULL, codes[REGISTERS], failed = 0;
	char name[PAPI_MAX_STR_LEN];

	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	for (int n = 0; n < REGISTERS; n++) {
		test_name_breakpoint(name, (uintptr_t)&cells[n]);
		test_must(PAPI_event_name_to_code(name, &codes[n]), name);
		failed += PAPI_add_event(set, codes[n]) != PAPI_OK;
	}
	if (!failed) {
		sample_all(set, codes, REGISTERS, delivery, on_sample);
		test_must(PAPI_start(set), "PAPI_start");
		for (int n = 0; n < REGISTERS; n++)
			cells[n] = n;
		usleep(2000); /* the helper thread waits for more by now */
		test_must(PAPI_stop(set, NULL), "PAPI_stop");
	}
	test_destroy(&set);
	return failed;
}

static void check_registers(uint32_t delivery, const char *name)
{
	int failed = 0;

	for (int round = 0; round < ROUNDS; round++)
		failed += refused(delivery) != 0;
	tap_equal(failed, 0, "%s: all four debug registers are free again after each of %d EventSets", name,
		  ROUNDS);
}

/* --- the process ------------------------------------------------------------------------ */

enum how { DESTROYED, STOPPED, RUNNING };

/* A process of which the first thread ends by pthread_exit(3), and no other one is there */
static void end_first_thread(uint32_t delivery, enum how how)
{
	int set, code;

	tap_indent = "    ";
	test_init();
	set = test_set_of_breakpoint(&cells[0], &code);
	sample_all(set, &code, 1, delivery, on_sample);
	test_must(PAPI_start(set), "PAPI_start");
	cells[0] = 1;
	if (how != RUNNING)
		test_must(PAPI_stop(set, NULL), "PAPI_stop");
	if (how == DESTROYED)
		test_destroy(&set);
	pthread_exit(NULL);
}

/* No signal but SIGKILL ends a process of which only the helper thread is left. */
static void check_end(uint32_t delivery, enum how how, const char *name)
{
	time_t end = time(NULL) + PATIENCE_S;
	int status = -1;
	char what[128];
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		end_first_thread(delivery, how);
	while (child > 0 && waitpid(child, &status, WNOHANG) != child) {
		if (time(NULL) > end)
			kill(child, SIGKILL);
		usleep(1000);
	}
	snprintf(what, sizeof(what), "a process ends whose first thread has called pthread_exit, %s", name);
	tap_child(status, what);
}

/* --- a thread that leaves a callback ------------------------------------------------------ */

enum leaving { BY_EXIT, BY_SYSTEM_CALL, BY_JUMP, BY_JUMP_BLOCKED };
static const char *const leaving_names[] = { "ends by pthread_exit", "ends by a system call",
					     "has jumped out by siglongjmp",
					     "has jumped out, with the signal still blocked" };

static enum leaving leaving;
static _Atomic int has_left, may_end;
static int left_set, left_code;
static sigjmp_buf back;

static void leave(const struct precis_sample *sample, const struct precis_papi_arrival *arrival, void *user)
{
	on_sample(sample, arrival, user);
	if (has_left)
		return;
	has_left = 1;
	switch (leaving) {
	case BY_EXIT:
		pthread_exit(NULL);
	case BY_SYSTEM_CALL:
		syscall(SYS_exit, 0);
		break;
	case BY_JUMP:
	case BY_JUMP_BLOCKED:
		siglongjmp(back, 1);
	}
}

static void *sampled(void *unused)
{
	(void)unused;
	test_must(PAPI_register_thread(), "PAPI_register_thread");
	left_set = test_set_of_breakpoint(&cells[0], &left_code);
	sample_all(left_set, &left_code, 1, PRECIS_PAPI_SAMPLE, leave);
	test_must(PAPI_start(left_set), "PAPI_start");
	if (!sigsetjmp(back, leaving == BY_JUMP))
		cells[0] = 1;
	while (!may_end)
		usleep(1000);
	return NULL;
}

static void check_left(enum leaving how)
{
	long long count = -1;
	pthread_t thread;
	time_t end = time(NULL) + PATIENCE_S;

	leaving = how;
	has_left = may_end = 0;
	test_must(pthread_create(&thread, NULL, sampled, NULL), "pthread_create");
	while (!has_left && time(NULL) < end)
		usleep(1000);
	usleep(10000); /* after which it is out of the callback, or just on its way */
	tap_call(PAPI_stop(left_set, &count), "another thread stops the EventSet of one that %s",
		 leaving_names[how]);
	tap_equal(count, 1, "and has its count");
	tap_call(PAPI_cleanup_eventset(left_set), "and cleans it up");
	may_end = 1;
	/* the C library does not know of the end by a system call */
	if (how == BY_SYSTEM_CALL)
		pthread_detach(thread);
	else
		pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	/* before PAPI has begun here */
	test_need_breakpoints();
	check_end(PRECIS_PAPI_THREAD, DESTROYED, "after an EventSet with a helper thread");
	check_end(PRECIS_PAPI_WATERMARK, DESTROYED, "after one with a watermark");
	check_end(PRECIS_PAPI_THREAD, STOPPED, "with one that is stopped");
	check_end(PRECIS_PAPI_THREAD, RUNNING, "with one that still runs");
	alarm(20 * PATIENCE_S); /* a deadlock ends, too, but not a slow machine's run */
	test_init();
	test_must(PAPI_thread_init((unsigned long (*)(void))pthread_self), "PAPI_thread_init");
	check_registers(PRECIS_PAPI_BATCH, "batch");
	check_registers(PRECIS_PAPI_WATERMARK, "watermark");
	check_registers(PRECIS_PAPI_THREAD, "thread");
	for (enum leaving how = BY_EXIT; how <= BY_JUMP_BLOCKED; how++)
		check_left(how);
	return tap_done();
}
