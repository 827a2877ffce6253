/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tools measure: a variable that is written a known number of times in each region, so that
 * a data breakpoint on it has exactly that many events. The regions are those of the tool that
 * the macro FOR_... names. From one to the next there are no more samples than a ring of 128 KiB holds: none
 * is lost where a signal comes late.
 */
#include <pthread.h>

#if defined(FOR_TAU)
/* TAU's headers want this order in C. */
#include <Profile/tau_types.h>

#include <Profile/TauPlugin.h>

#include <Profile/Profiler.h>
#define INIT(argc, argv)                                                                           \
	(void)argc, (void)argv;                                                                    \
	TAU_INIT(&argc, &argv);                                                                    \
	TAU_PROFILE_SET_NODE(0)
#define BEGIN(name) TAU_START(name)
#define END(name) TAU_STOP(name)
#elif defined(FOR_CALIPER)
#include <caliper/cali.h>
#define INIT(argc, argv) ((void)argc, (void)argv)
#define BEGIN(name) CALI_MARK_BEGIN(name)
#define END(name) CALI_MARK_END(name)
#elif defined(FOR_EXTRAE)
#include <extrae_user_events.h>
#define INIT(argc, argv) ((void)argc, (void)argv, Extrae_init())
#define BEGIN(name) Extrae_user_function(1)
#define END(name) Extrae_user_function(0)
#elif defined(FOR_SCOREP)
#include <scorep/SCOREP_User.h>
#define INIT(argc, argv) ((void)argc, (void)argv)
#define BEGIN(name) SCOREP_USER_REGION_BY_NAME_BEGIN(name, SCOREP_USER_REGION_TYPE_COMMON)
#define END(name) SCOREP_USER_REGION_BY_NAME_END(name)
#endif

volatile long watched;

static void write_times(long times)
{
	for (long n = 0; n < times; n++)
		watched = n;
}

static void *work(void *unused)
{
	BEGIN("in_thread");
	write_times(300);
	END("in_thread");
	write_times(5); /* in no region */
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	INIT(argc, argv);
	BEGIN("main");
	BEGIN("thousand");
	write_times(1000);
	END("thousand");
	write_times(70);
	BEGIN("outer");
	write_times(50);
	BEGIN("inner");
	write_times(900);
	END("inner");
	write_times(25);
	END("outer");
	if (pthread_create(&thread, NULL, work, NULL) != 0 || pthread_join(thread, NULL) != 0)
		return 1;
	write_times(7);
	END("main");
	return 0;
}
