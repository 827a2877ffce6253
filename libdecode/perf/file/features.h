/* SPDX-License-Identifier: BSD-3-Clause */
/* What the table of features needs from the sections themselves. */
#ifndef PRECIS_PERF_FILE_FEATURES_H
#define PRECIS_PERF_FILE_FEATURES_H

#include "private.h"

/* The bytes of a section, read when first wanted. @return 0, PRECIS_E_ARGUMENT if it is not
 * there, PRECIS_E_TRUNCATED, PRECIS_E_IO, PRECIS_E_NO_MEMORY */
int precis_file_load_feature(const struct precis_file *file, uint32_t feature,
			     struct cursor *section);

/* Below: one parser for each kind of section. @return 0, PRECIS_E_TRUNCATED,
 * PRECIS_E_BAD_SIZE, PRECIS_E_NO_MEMORY */
int precis_feature_string(struct precis_file *file, struct cursor *section, size_t member);
int precis_feature_cpu_count(struct precis_file *file, struct cursor *section, size_t unused);
int precis_feature_command(struct precis_file *file, struct cursor *section, size_t unused);
int precis_feature_event_names(struct precis_file *file, struct cursor *section, size_t unused);
int precis_feature_pmu_mappings(struct precis_file *file, struct cursor *section, size_t unused);
int precis_feature_cpu_pmu_caps(struct precis_file *file, struct cursor *section, size_t unused);
int precis_feature_pmu_caps(struct precis_file *file, struct cursor *section, size_t unused);
int precis_feature_sample_time(struct precis_file *file, struct cursor *section, size_t unused);
int precis_feature_directory(struct precis_file *file, struct cursor *section, size_t unused);

#endif
