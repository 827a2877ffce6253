/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hostile inputs are worked off in a child, which has little memory and may
 * die: the parent learns at which input, and goes on behind it.
 */
#ifndef TESTS_HOSTILE_WORKER_H
#define TESTS_HOSTILE_WORKER_H

#include <stdint.h>

/* No test of a few kilobytes may need more than this, whatever they claim. */
#define WORKER_MEMORY ((uint64_t)256 << 20)

struct worker_result {
	uint32_t failures;
	uint64_t first_failure; /* number of the input, if failures */
	char reason[80]; /* of the first failure */
	uint64_t peak; /* bytes that were resident at most */
	uint64_t tally[4]; /* what the job counted */
};

/* @return 0, or anything else: input 'number' failed */
typedef int worker_job(void *data, uint64_t number, uint64_t tally[4]);

/* Numbers first to before last. After a few failures no more is tried. */
void worker_run(worker_job *job, void *data, uint64_t first, uint64_t last,
		struct worker_result *result);

/* Built with AddressSanitizer */
int worker_is_sanitized(void);

#endif
