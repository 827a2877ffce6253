/* SPDX-License-Identifier: BSD-3-Clause */
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
