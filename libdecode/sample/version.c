/* SPDX-License-Identifier: BSD-3-Clause */
/* The version of the library that is running. */
#include <precis/precis.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

const char *precis_version(void)
{
	return PACKAGE_VERSION;
}
