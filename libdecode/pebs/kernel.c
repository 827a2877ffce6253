/* SPDX-License-Identifier: BSD-3-Clause */
/* What kernels hand out of a record. */
#include <precis/pebs_sample.h>

#include "libdecode/sample/os_release.h"

/* Linux 6.3 puts retire latency into weight_struct. */
#define RETIRE_LATENCY_MAJOR 6
#define RETIRE_LATENCY_MINOR 3

int precis_pebs_kernel_has_retire_latency(const char *os_release)
{
	struct os_release release;

	if (precis_os_release_read(os_release, &release))
		return 0;
	return release.major > RETIRE_LATENCY_MAJOR ||
	       (release.major == RETIRE_LATENCY_MAJOR && release.minor >= RETIRE_LATENCY_MINOR);
}
