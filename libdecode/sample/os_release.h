/* SPDX-License-Identifier: BSD-3-Clause */
/* Versions of Linux, as recordings name them, to be compared. */
#ifndef PRECIS_SAMPLE_OS_RELEASE_H
#define PRECIS_SAMPLE_OS_RELEASE_H

#include <stdint.h>

/* uname -r, as far as it says which Linux it is */
struct os_release {
	int major, minor, patch; /* 0 where it has no third number */
};

/* A release as one number, for comparisons; see precis_kernel_number() */
#define KERNEL_NUMBER(major, minor, patch)                                                         \
	((uint32_t)(major) << 16 | (uint32_t)(minor) << 8 | (uint32_t)(patch))

/* @return 0, or -1 if the text does not begin with two numbers; it may be NULL */
int precis_os_release_read(const char *text, struct os_release *release);

#endif
