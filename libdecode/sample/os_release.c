/* SPDX-License-Identifier: BSD-3-Clause */
/* See os_release.h. */
#include <precis/cpu.h>

#include "os_release.h"

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

int precis_os_release_read(const char *text, struct os_release *release)
{
	if (!text)
		return -1;
	release->major = number(&text);
	if (release->major < 0 || *text++ != '.')
		return -1;
	release->minor = number(&text);
	if (release->minor < 0)
		return -1;
	release->patch = 0;
	if (*text == '.') {
		text++;
		release->patch = number(&text);
	}
	return 0;
}

static int at_most(int value, int limit)
{
	return value > limit ? limit : value;
}

uint32_t precis_kernel_number(const char *os_release)
{
	struct os_release release;

	if (precis_os_release_read(os_release, &release))
		return 0;
	return KERNEL_NUMBER(at_most(release.major, 0xffff), at_most(release.minor, 0xff),
			     at_most(release.patch < 0 ? 0 : release.patch, 0xff));
}
