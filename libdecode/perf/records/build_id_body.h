/* SPDX-License-Identifier: BSD-3-Clause */
/* The body that HEADER_BUILD_ID records and the entries of feature BUILD_ID share. */
#ifndef PRECIS_PERF_BUILD_ID_BODY_H
#define PRECIS_PERF_BUILD_ID_BODY_H

#include <precis/tool_records.h>

#include "bytes.h"

int precis_build_id_take(struct cursor *body, uint16_t misc,
			 struct precis_header_build_id *build_id);

#endif
