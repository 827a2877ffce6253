/* SPDX-License-Identifier: BSD-3-Clause */
/* One parser for each kind of feature section that says something of the recording. */
#ifndef PRECIS_PERF_FEATURE_PARSERS_H
#define PRECIS_PERF_FEATURE_PARSERS_H

#include "feature_set.h"

/*
 * @param member  of feature_set.said, for strings
 * @return 0, PRECIS_E_TRUNCATED, PRECIS_E_BAD_SIZE, PRECIS_E_UNSUPPORTED, PRECIS_E_NO_MEMORY
 */
typedef int feature_parser(struct feature_set *features, struct cursor *section, size_t member);

feature_parser precis_feature_string;
feature_parser precis_feature_cpu_count;
feature_parser precis_feature_command;
feature_parser precis_feature_event_names;
feature_parser precis_feature_pmu_mappings;
feature_parser precis_feature_cpu_pmu_caps;
feature_parser precis_feature_pmu_caps;
feature_parser precis_feature_sample_time;
feature_parser precis_feature_directory;

#endif
