/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_errors.h
 * @brief Why the calling thread's last call failed, in words.
 */
#ifndef PRECIS_ERRORS_H
#define PRECIS_ERRORS_H

/** Note a reason; returns 'code', one of PAPI's. Not in a signal handler. */
int precis_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
