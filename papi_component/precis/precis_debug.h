/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_debug.h
 * @brief PAPI's messages of a component: PAPI_DEBUG=SUBSTRATE shows what stands in SUBDBG() where PAPI was
 * configured --with-debug=yes; elsewhere it is nothing. It writes by stdio: not in what signal
 * handlers call.
 */
#ifndef PRECIS_DEBUG_H
#define PRECIS_DEBUG_H

#include <stdio.h>
#include <unistd.h> /* which the one of PAPI 7.0 lacks */

#include "papi_debug.h"

#endif
