/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_fortran.c
 * @brief <precis/papi.h> from Fortran, as PAPI's own papi_fwrappers.c: subroutines of which each has the
 * names that compilers make of precisf_NAME. Arguments are described in precis_papi(3).
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "papi.h"
#include "precis_errors.h"

#include <precis/papi.h>

typedef void fortran_callback(const int *event_set, const int *event_code, const int64_t *present,
			      const int64_t *values);

/* Functions of both kinds fit into a pointer: POSIX says so of dlsym(3). */
static fortran_callback *callback_of(void *user)
{
	return (fortran_callback *)(uintptr_t)user;
}

static void call_fortran(const struct precis_sample *sample,
			 const struct precis_papi_arrival *arrival, void *user)
{
	int64_t present[PRECIS_FIELD_WORDS], values[PRECIS_FIELD_COUNT];
	int event_set = arrival->event_set, event_code = arrival->event_code;

	/* copies: Fortran has no const */
	memcpy(present, sample->present, sizeof(present));
	memcpy(values, sample->value, sizeof(values));
	callback_of(user)(&event_set, &event_code, present, values);
}

static void set_sampling(const int *event_set, const int *event_code, const int *delivery,
			 const int64_t *period, const double *max_overhead,
			 fortran_callback *callback, int *check)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = (uint32_t)*delivery,
		.period = (uint64_t)*period,
		.max_overhead = *max_overhead,
		.callback = call_fortran,
		.user = (void *)(uintptr_t)callback,
	};

	*check = precis_papi_set_sampling(*event_set, *event_code, *period ? &sampling : NULL);
}

static void drain(const int *event_set, int *delivered, int *check)
{
	*check = precis_papi_drain(*event_set);
	*delivered = *check > 0 ? *check : 0;
	if (*check > 0)
		*check = PAPI_OK;
}

static void get_statistics(const int *event_set, const int *event_code, int64_t *values,
			   const int *count, int *check)
{
	struct precis_papi_statistics statistics = { .size = sizeof(statistics) };

	*check = precis_papi_get_statistics(*event_set, *event_code, &statistics);
	if (*check == PAPI_OK) {
		const uint64_t all[] = {
			statistics.samples,        statistics.lost,
			statistics.lost_pmu,       statistics.truncated,
			statistics.discarded,      statistics.overwritten_bytes,
			statistics.throttled,      statistics.throttled_ns,
			statistics.wakeups,        statistics.period,
			statistics.period_changes, statistics.component_ns,
			statistics.callback_ns,    statistics.ring_bytes,
			statistics.kernel_ns,
		};

		for (int n = 0; n < *count; n++)
			values[n] = (size_t)n < sizeof(all) / sizeof(all[0]) ? (int64_t)all[n] : 0;
	}
}

/* Fortran counts from 1, and fills up with blanks. */
static void field(const char *name, int *number, int *check, int bytes)
{
	int found;

	while (bytes > 0 && name[bytes - 1] == ' ')
		bytes--;
	found = bytes > 0 ? precis_field_find(name, (size_t)bytes) : -1;
	*number = found < 0 ? 0 : found + 1;
	*check = found < 0 ? precis_fail(PAPI_EINVAL, "no field %.*s", bytes, name) : PAPI_OK;
}

/* --- the names ---------------------------------------------------------------- */

#define FORTRAN(name, capitals, parameters, arguments)                                             \
	FORTRAN_NAME(precisf_##name, name, parameters, arguments)                                  \
	FORTRAN_NAME(precisf_##name##_, name, parameters, arguments)                               \
	FORTRAN_NAME(precisf_##name##__, name, parameters, arguments)                              \
	FORTRAN_NAME(capitals, name, parameters, arguments)
#define FORTRAN_NAME(mangled, name, parameters, arguments)                                         \
	PRECIS_PAPI_API void mangled parameters;                                                   \
	void mangled parameters                                                                    \
	{                                                                                          \
		name arguments;                                                                    \
	}

FORTRAN(set_sampling, PRECISF_SET_SAMPLING,
	(const int *event_set, const int *event_code, const int *delivery, const int64_t *period,
	 const double *max_overhead, fortran_callback *callback, int *check),
	(event_set, event_code, delivery, period, max_overhead, callback, check))
FORTRAN(drain, PRECISF_DRAIN, (const int *event_set, int *delivered, int *check),
	(event_set, delivered, check))
FORTRAN(get_statistics, PRECISF_GET_STATISTICS,
	(const int *event_set, const int *event_code, int64_t *values, const int *count,
	 int *check),
	(event_set, event_code, values, count, check))
FORTRAN(field, PRECISF_FIELD, (const char *name, int *number, int *check, int bytes),
	(name, number, check, bytes))
