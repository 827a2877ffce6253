/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_errors.c
 * @see precis_errors.h
 */
#include "precis_errors.h"

#include <stdarg.h>
#include <stdio.h>

#include "papi.h"
#include "precis_debug.h"

#include <precis/papi.h>

static __thread int reason_code;
static __thread char reason[512];

int precis_fail(int code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	reason_code = code;
	SUBDBG("%d: %s\n", code, reason);
	return code;
}

const char *precis_papi_strerror(int error)
{
	if (error == reason_code && reason[0])
		return reason;
	return PAPI_strerror(error);
}
