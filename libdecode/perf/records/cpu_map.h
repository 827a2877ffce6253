/* SPDX-License-Identifier: BSD-3-Clause */
/* The set of CPUs that CPU_MAP and EVENT_UPDATE records share. */
#ifndef PRECIS_PERF_CPU_MAP_H
#define PRECIS_PERF_CPU_MAP_H

#include <precis/tool_records.h>

#include "bytes.h"

int precis_cpu_map_take(struct cursor *body, struct precis_cpu_map *map);

#endif
