/* SPDX-License-Identifier: BSD-3-Clause */
/* See access_source.h. */
#include "access_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(PRECIS_ACCESSES_LOAD == ACCESS_LOADS && PRECIS_ACCESSES_STORE == ACCESS_STORES,
	       "the same bits");

int access_source_prepare(struct access_source *source, const struct access_request *request,
			  int is_command)
{
	int error = 0;

	memset(source, 0, sizeof(*source));
	source->handed.fd = -1;
	source->origin = request->accesses ? ORIGIN_PROGRAM : request->origin;
	if (request->accesses)
		return handed_reader_open(&source->handed, request->accesses);
	if (is_command && source->origin != ORIGIN_PMU) {
		error = handed_reader_make(&source->handed);
		if (!error)
			setenv(PRECIS_ACCESSES_ENVIRONMENT, source->handed.path, 1);
	}
	return error;
}

int access_source_open(struct access_source *source, const struct access_request *request,
		       pid_t pid, int is_command)
{
	if (source->origin == ORIGIN_PROGRAM) {
		handed_reader_begin(&source->handed);
		return 0;
	}
	if (!pmu_reader_open(&source->pmu, pid, is_command, request->period, request->loads,
			     source->why_no_pmu)) {
		source->origin = ORIGIN_PMU;
		return 0;
	}
	pmu_reader_close(&source->pmu);
	if (source->origin == ORIGIN_PMU || !source->handed.ring)
		return -1;
	source->origin = ORIGIN_PROGRAM;
	return 0;
}

void access_source_look(struct access_source *source)
{
	if (source->origin == ORIGIN_PMU)
		pmu_reader_look(&source->pmu);
}

int access_source_next(struct access_source *source, struct sampled_access *access)
{
	return source->origin == ORIGIN_PMU ? pmu_reader_next(&source->pmu, access)
					    : handed_reader_next(&source->handed, access);
}

uint64_t access_source_cost_ns(const struct access_source *source)
{
	return source->origin == ORIGIN_PMU ? pmu_reader_cost_ns(&source->pmu) : 0;
}

void access_source_tell(const struct access_source *source, struct access_told *told)
{
	const struct pmu_reader *pmu = &source->pmu;

	*told = (struct access_told){ .origin = source->origin };
	snprintf(told->why_no_pmu, sizeof(told->why_no_pmu), "%s", source->why_no_pmu);
	if (source->handed.ring)
		told->dropped = handed_reader_dropped(&source->handed);
	if (source->origin != ORIGIN_PMU)
		return;
	snprintf(told->pmu_event, sizeof(told->pmu_event), "%s", pmu_reader_name(pmu));
	told->dropped = pmu->lost;
	told->samples = pmu->samples;
	told->elsewhere = pmu->elsewhere;
	told->others = pmu->others;
	told->pmu_refused = pmu->refused;
	told->pmu_error = pmu->error;
	told->cpus_without = pmu->cpus_without;
	told->sampling_ns = pmu_reader_cost_ns(pmu);
	told->sample_ns = pmu->sample_ns;
}

void access_source_close(struct access_source *source)
{
	pmu_reader_close(&source->pmu);
	handed_reader_close(&source->handed);
}
