/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is to be told apart where accesses of several share lines, and what is to be assumed. */
#ifndef ANALYSIS_SHARING_REQUEST_H
#define ANALYSIS_SHARING_REQUEST_H

#include <stdint.h>

enum sharing_by { SHARING_BY_THREAD, SHARING_BY_PROCESS, SHARING_BY_CPU, SHARING_BY_CORE, SHARING_BY_NODE };

struct sharing_request {
	unsigned int by;       /* enum sharing_by */
	uint32_t access_bytes; /* of accesses whose width the CPU does not tell; 0: it is not known */
};

#endif
