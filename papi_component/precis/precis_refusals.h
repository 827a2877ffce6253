/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_refusals.h
 * @brief What perf_event_open(2) means when it refuses an event.
 */
#ifndef PRECIS_REFUSALS_H
#define PRECIS_REFUSALS_H

struct precis_request;

/** Note what errno says of what was asked for. @return one of PAPI's errors */
int precis_fail_open(int error, const struct precis_request *request);

#endif
