/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the time that a recording's samples are of. */
#ifndef ANALYSIS_BY_TIMES_H
#define ANALYSIS_BY_TIMES_H

#include "analysis/analysis.h"
#include "request.h"

/*
 * Which of so many equal parts, from 0: those that --time has of as many percent. What is before the
 * first sample, or behind the last, is of the part that is next.
 */
uint32_t by_time_part(const struct analysis_about *about, uint32_t parts, uint64_t time);

/* The number of the part that the key has for a sample of that time */
uint64_t by_time_of(const struct analysis_about *about, const struct by_asked_key *key, uint64_t time);

/* Where that part begins, in ns from the first sample on. Part n + 1 begins where n ends. */
uint64_t by_time_start(const struct analysis_about *about, const struct by_asked_key *key, uint64_t part);

#endif
