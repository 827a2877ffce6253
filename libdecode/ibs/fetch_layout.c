/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which kernels wrote the old fetch payload.
 *
 * Source: mainline commit 36e1be8ada99 ("perf/x86/amd/ibs: Fix raw sample data
 * accumulation"), first in 5.10, and the stable releases of November 2020.
 */
#include <precis/ibs.h>

static const struct {
	uint16_t major, minor, patch; /* the first release of that series with the new layout */
} backports[] = {
	{ 4, 9, 242 }, { 4, 14, 204 }, { 4, 19, 155 }, { 5, 4, 75 }, { 5, 9, 4 },
};

/* A number and what stands behind it; -1 where there is none. */
static int number(const char **text)
{
	int value = 0;

	if (**text < '0' || **text > '9')
		return -1;
	for (; **text >= '0' && **text <= '9' && value < 100000; ++*text)
		value = value * 10 + (**text - '0');
	return value;
}

int precis_ibs_fetch_layout_is_old(const char *os_release)
{
	int major, minor, patch = 0;

	if (!os_release)
		return 0;
	major = number(&os_release);
	if (major < 0 || *os_release++ != '.')
		return 0;
	minor = number(&os_release);
	if (minor < 0)
		return 0;
	if (*os_release == '.') {
		os_release++;
		patch = number(&os_release);
	}
	if (major > 5 || (major == 5 && minor >= 10))
		return 0;
	for (unsigned int i = 0; i < sizeof(backports) / sizeof(backports[0]); i++) {
		if (major == backports[i].major && minor == backports[i].minor)
			return patch < backports[i].patch;
	}
	return 1;
}
