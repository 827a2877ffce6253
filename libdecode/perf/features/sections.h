/* SPDX-License-Identifier: BSD-3-Clause */
/* The feature sections of a recording: found, loaded when wanted, parsed. */
#ifndef PRECIS_PERF_FEATURE_SECTIONS_H
#define PRECIS_PERF_FEATURE_SECTIONS_H

#include "feature_set.h"

/* Room for the sections. The other members are set. @return 0 or PRECIS_E_NO_MEMORY */
int features_begin(struct feature_set *features);
void features_free(struct feature_set *features);

int features_have(const struct feature_set *features, uint32_t feature);

/* Those of a seekable file */
int features_read(struct feature_set *features);
/* Those whose bytes are there, one after the other */
int features_parse(struct feature_set *features);
/* A feature that came as a record. The first of its number counts. */
int features_keep(struct feature_set *features, uint64_t feature, uint64_t offset,
		  const uint8_t *bytes, size_t count);

/* The bytes of a section, read when first wanted. @return 0, PRECIS_E_ARGUMENT if it is not
 * there, PRECIS_E_TRUNCATED, PRECIS_E_IO, PRECIS_E_NO_MEMORY */
int features_load(const struct feature_set *features, uint32_t feature, struct cursor *section);

#endif
