/* SPDX-License-Identifier: BSD-3-Clause */
/* A build without libstdc++ shows symbols as they are. */
#include <stddef.h>

#include "demangle.h"

char *demangle(const char *symbol)
{
	(void)symbol;
	return NULL;
}
