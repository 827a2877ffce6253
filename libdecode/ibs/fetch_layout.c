/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which kernels wrote the old fetch payload.
 *
 * Source: mainline commit 36e1be8ada99 ("perf/x86/amd/ibs: Fix raw sample data
 * accumulation"), first in 5.10, and the stable releases of November 2020.
 */
#include <precis/ibs.h>

#include "libdecode/sample/os_release.h"

static const struct {
	uint16_t major, minor, patch; /* the first release of that series with the new layout */
} backports[] = {
	{ 4, 9, 242 }, { 4, 14, 204 }, { 4, 19, 155 }, { 5, 4, 75 }, { 5, 9, 4 },
};

int precis_ibs_fetch_layout_is_old(const char *os_release)
{
	struct os_release release;

	if (precis_os_release_read(os_release, &release))
		return 0;
	if (release.major > 5 || (release.major == 5 && release.minor >= 10))
		return 0;
	for (unsigned int i = 0; i < sizeof(backports) / sizeof(backports[0]); i++) {
		if (release.major == backports[i].major && release.minor == backports[i].minor)
			return release.patch < backports[i].patch;
	}
	return 1;
}
