/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CPUs that are offline: where there is one it is tried; with PRECIS_TEST_HOTPLUG=1 in the
 * environment, and as root, the machine's last one is taken offline for a moment, by a parent that
 * brings it back however the test ends.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "precis_test.h"

#define FOLDER "/sys/devices/system/cpu"
#define PATIENCE_S 60
#define ENOUGH 5

static uint64_t samples;

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
	samples++;
}

static int attach(int set, int cpu)
{
	PAPI_option_t option = { .cpu = { .cpu_num = (unsigned int)cpu } };

	option.cpu.eventset = set;
	return PAPI_set_opt(PAPI_CPU_ATTACH, &option);
}

/* The component knows it as offline, and by its number. */
static void expect_offline(int error, int cpu, const char *what)
{
	const char *text = precis_papi_strerror(error);
	char number[32];

	snprintf(number, sizeof(number), "CPU %d is offline", cpu);
	if (!tap_ok(error == PAPI_ENOSUPP && strstr(text, number), "%s", what))
		printf("# got %d, expected %d with \"%s\"\n", error, PAPI_ENOSUPP, number);
	printf("# %s\n", text);
}

static void check_attach(int cpu)
{
	struct precis_papi_sampling sampling = { .size = sizeof(sampling),
						 .period = 1000000,
						 .callback = on_sample };
	int code, set = test_set_of("SW_CPU_CLOCK", &code);

	expect_offline(attach(set, cpu), cpu, "an EventSet cannot be attached to it");
	tap_call(PAPI_start(set), "but be started on its thread, as before");
	PAPI_stop(set, NULL);
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	expect_offline(attach(set, cpu), cpu, "nor one that is sampled");
	test_destroy(&set);
}

/* Which is on all CPUs that there are */
static void check_inherit(void)
{
	struct precis_papi_sampling sampling = { .size = sizeof(sampling),
						 .period = 1,
						 .callback = on_sample };
	PAPI_option_t option = { .inherit = { .inherit = PAPI_INHERIT_ALL } };
	static volatile long cell __attribute__((aligned(8)));
	int set, code;

	set = test_set_of_breakpoint(&cell, &code);
	option.inherit.eventset = set;
	test_must(PAPI_set_opt(PAPI_INHERIT, &option), "PAPI_INHERIT");
	tap_call(precis_papi_set_sampling(set, code, &sampling),
		 "one that threads inherit is sampled on the others");
	test_must(PAPI_start(set), "PAPI_start");
	samples = 0;
	for (long n = 0; n < 100; n++)
		cell = n;
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	tap_equal((int64_t)samples, 100, "and has its samples");
	test_destroy(&set);
}

/* --- with a CPU that comes and goes ----------------------------------------------- */

/* @return 0; -1 errno */
static int set_online(int cpu, const char *to)
{
	char path[64];
	int file, is_done;

	snprintf(path, sizeof(path), FOLDER "/cpu%d/online", cpu);
	file = open(path, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return -1;
	is_done = write(file, to, 1) == 1;
	close(file);
	return is_done ? 0 : -1;
}

/* @return whether samples came before the patience ended */
static int run(int set)
{
	time_t end = time(NULL) + PATIENCE_S;

	samples = 0;
	if (!tap_call(PAPI_start(set), "PAPI_start"))
		return 0;
	while (samples < ENOUGH && time(NULL) < end) {
		usleep(10000);
		precis_papi_drain(set);
	}
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	return samples >= ENOUGH;
}

static void check_hotplug(int cpu)
{
	struct precis_papi_sampling sampling = { .size = sizeof(sampling),
						 .period = 1000000,
						 .callback = on_sample };
	int code, set = test_set_of("SW_CPU_CLOCK", &code);
	long long count[2] = { 0 };

	test_must(attach(set, cpu), "PAPI_CPU_ATTACH");
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	tap_ok(run(set), "samples of a CPU that is online");
	test_must(PAPI_start(set), "PAPI_start");
	test_must(set_online(cpu, "0") ? PAPI_ESYS : PAPI_OK, "offline");
	check_attach(cpu);
	check_inherit();
	test_must(PAPI_read(set, &count[0]), "PAPI_read");
	tap_call(PAPI_stop(set, &count[1]), "offline while it runs: it can be stopped");
	tap_ok(count[0] > 0 && count[1] == count[0], "and has what was counted until then");
	expect_offline(PAPI_start(set), cpu, "it cannot be started");
	test_must(set_online(cpu, "1") ? PAPI_ESYS : PAPI_OK, "online");
	tap_ok(run(set), "online again: samples come");
	test_destroy(&set);
}

/* In a child, so that the CPU comes back even if the component fails. */
static int hotplug(int cpu)
{
	int status = -1;
	sigset_t all;
	pid_t child;

	test_fill_signals(&all);
	child = fork();
	if (!child) {
		alarm(4 * PATIENCE_S);
		test_init_breakpoints();
		check_hotplug(cpu);
		exit(tap_done());
	}
	sigprocmask(SIG_BLOCK, &all, NULL);
	if (child < 0 || waitpid(child, &status, 0) != child)
		status = -1;
	if (set_online(cpu, "1")) {
		printf("Bail out! CPU %d is offline\n", cpu);
		return 1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* @return the first that is offline and may become online; -1: none */
static int first_offline(int last)
{
	char path[64], state = '1';

	for (int cpu = 0; cpu <= last; cpu++) {
		int file;

		snprintf(path, sizeof(path), FOLDER "/cpu%d/online", cpu);
		file = open(path, O_RDONLY | O_CLOEXEC);
		if (file < 0)
			continue;
		if (read(file, &state, 1) != 1)
			state = '1';
		close(file);
		if (state == '0')
			return cpu;
	}
	return -1;
}

int main(int argc, char **argv)
{
	int last = (int)sysconf(_SC_NPROCESSORS_CONF) - 1, cpu = first_offline(last);
	const char *allowed = getenv("PRECIS_TEST_HOTPLUG");

	test_begin(argc, argv);
	if (cpu < 0 && last > 0 && allowed && *allowed && !set_online(last, "1"))
		return hotplug(last);
	test_init_breakpoints();
	if (cpu >= 0) {
		check_attach(cpu);
		check_inherit();
	} else {
		tap_skip("all CPUs are online; PRECIS_TEST_HOTPLUG=1 lets root take one offline",
			 "a CPU that is offline");
	}
	return tap_done();
}
