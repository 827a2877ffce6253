/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A libpapi with a component precis whose samples are made up: fields that no event of this machine
 * has can be followed through a plugin. Each time that samples are asked for, and at PAPI_stop, these come:
 *
 *   mem_level L3, addr 0x1000, load_latency 40, ip 0xffffffff81000001
 *   mem_level DRAM, addr 0x2000, load_latency 300
 *   none of these
 *
 * An event "refused" cannot be had; nor can "busy", of the kernel for another reason. With STUB_DISABLED in
 * the environment the component cannot.
 * -DSTUB_WITHOUT_COMPONENT: a libpapi that was built without it.
 */
#include <stdlib.h>
#include <string.h>

#include <papi.h>
#ifndef STUB_WITHOUT_COMPONENT
#include <precis/papi.h>
#endif

#define PERIOD 10

static __thread int is_running;
static int domain; /* of the last EventSet */
static char refused; /* the code of the last event that cannot be had */

int PAPI_is_initialized(void)
{
	return PAPI_NOT_INITED;
}

int PAPI_library_init(int version)
{
	return version;
}

int PAPI_thread_init(unsigned long (*id)(void))
{
	return id ? PAPI_OK : PAPI_EINVAL;
}

int PAPI_register_thread(void)
{
	return PAPI_OK;
}

char *PAPI_strerror(int error)
{
	return error == PAPI_OK ? "no error" : "an error";
}

int PAPI_get_component_index(const char *name)
{
	return strcmp(name, "precis") == 0 ? 2 : PAPI_EINVAL;
}

const PAPI_component_info_t *PAPI_get_component_info(int component)
{
	static PAPI_component_info_t info = { 0, "made up" };

	info.disabled = getenv("STUB_DISABLED") != NULL;
	return component == 2 ? &info : NULL;
}

int PAPI_create_eventset(int *set)
{
	*set = 1;
	return PAPI_OK;
}

int PAPI_assign_eventset_component(int set, int component)
{
	return set == 1 && component == 2 ? PAPI_OK : PAPI_EINVAL;
}

int PAPI_set_opt(int option, PAPI_option_t *value)
{
	domain = value->domain.domain;
	return option == PAPI_DOMAIN && value->domain.eventset == 1 ? PAPI_OK : PAPI_EINVAL;
}

int PAPI_event_name_to_code(const char *name, int *code)
{
	refused = strcmp(name, "refused") == 0;
	*code = 7;
	if (strcmp(name, "busy") == 0)
		return domain == PAPI_DOM_USER ? PAPI_ECNFLCT : PAPI_EPERM;
	return refused ? PAPI_EINVAL : PAPI_OK;
}

int PAPI_add_event(int set, int code)
{
	return set == 1 && code == 7 ? PAPI_OK : PAPI_EINVAL;
}

int PAPI_start(int set)
{
	is_running = set == 1;
	return PAPI_OK;
}

#ifdef STUB_WITHOUT_COMPONENT
static int precis_papi_drain(int event_set)
{
	return event_set;
}
#endif

int PAPI_stop(int set, long long *counts)
{
	precis_papi_drain(set);
	*counts = 0;
	is_running = 0;
	return set == 1 ? PAPI_OK : PAPI_EINVAL;
}

int PAPI_cleanup_eventset(int set)
{
	return set == 1 ? PAPI_OK : PAPI_EINVAL;
}

int PAPI_destroy_eventset(int *set)
{
	*set = PAPI_NULL;
	return PAPI_OK;
}

#ifndef STUB_WITHOUT_COMPONENT
static __thread struct precis_papi_sampling sampling;

int precis_papi_set_sampling(int event_set, int event_code,
			     const struct precis_papi_sampling *wanted)
{
	if (event_set != 1 || event_code != 7 || wanted->size != sizeof(*wanted))
		return PAPI_EINVAL;
	sampling = *wanted;
	return PAPI_OK;
}

static void deliver(const struct precis_sample *sample)
{
	struct precis_papi_arrival arrival = { .size = sizeof(arrival),
					       .event_set = 1,
					       .event_code = 7,
					       .period = PERIOD };

	sampling.callback(sample, &arrival, sampling.user);
}

static void make_sample(struct precis_sample *sample, uint64_t level, uint64_t addr, uint64_t cycles)
{
	precis_sample_init(sample);
	precis_set(sample, PRECIS_FIELD_MEM_LEVEL, level);
	precis_set(sample, PRECIS_FIELD_ADDR, addr);
	precis_set(sample, PRECIS_FIELD_LOAD_LATENCY, cycles);
}

int precis_papi_drain(int event_set)
{
	struct precis_sample sample;

	if (event_set != 1 || !is_running)
		return PAPI_EINVAL;
	make_sample(&sample, PRECIS_MEM_LEVEL_L3, 0x1000, 40);
	precis_set(&sample, PRECIS_FIELD_IP, UINT64_C(0xffffffff81000001));
	deliver(&sample);
	make_sample(&sample, PRECIS_MEM_LEVEL_DRAM, 0x2000, 300);
	deliver(&sample);
	precis_sample_init(&sample);
	deliver(&sample);
	return 3;
}

int precis_papi_get_statistics(int event_set, int event_code,
			       struct precis_papi_statistics *statistics)
{
	if (event_set != 1 || event_code != 7)
		return PAPI_EINVAL;
	statistics->lost = 11;
	statistics->lost_pmu = 2;
	statistics->truncated = 3;
	statistics->throttled = 5;
	return PAPI_OK;
}

const char *precis_papi_strerror(int error)
{
	if (error == PAPI_ECNFLCT)
		return "it is in use";
	return refused ? "the stub has no such event" : PAPI_strerror(error);
}
#endif
