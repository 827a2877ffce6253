/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats of tracepoints that are inside a record of a seekable file. */
#ifndef PRECIS_PERF_SIMPLEPERF_H
#define PRECIS_PERF_SIMPLEPERF_H

#include "feature_set.h"

/* Keep them as the section TRACING_DATA, if there is none. @return 0 or negative */
int features_find_tracing_data(struct feature_set *features);

#endif
