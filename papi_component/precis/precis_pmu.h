/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_pmu.h
 * @brief PMUs as sysfs describes them: type, format, events.
 */
#ifndef PRECIS_PMU_H
#define PRECIS_PMU_H

#include <linux/perf_event.h>
#include <stdint.h>

/** @return the PMU's attr.type; -1 if there is no such PMU */
int64_t precis_pmu_type(const char *pmu);
/**
 * Put a value into an attr where the PMU's format says ("config1:0-11,32").
 * @return 0, -1 if the PMU has no such format, -2 if the value does not fit
 */
int precis_pmu_set(const char *pmu, const char *format, uint64_t value,
		   struct perf_event_attr *attr);
/** Does it have such a format? */
int precis_pmu_has(const char *pmu, const char *format);
/** An event that sysfs names, "mem-loads": sets config words. @return 0, -1 */
int precis_pmu_event(const char *pmu, const char *event, struct perf_event_attr *attr);

#endif
