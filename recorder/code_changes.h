/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code that comes to addresses where other code was, as of a plugin that is loaded where another one has been
 * unloaded: stacks with the same return addresses are different ones then. Of code that never goes, which is
 * nearly all of it, nothing is asked but whether anything has gone.
 */
#ifndef PRECIS_RECORDER_CODE_CHANGES_H
#define PRECIS_RECORDER_CODE_CHANGES_H

#include <stdint.h>

/* @return 0, -1: no memory */
int code_changes_begin(void);
/* In a forked child: another thread may have been about to change it. */
void code_changes_mend(void);

/*
 * Look at what is loaded, if it is not what it was the last time. Only while busy.
 * @param libraries  libraries_changes() now
 * @return 1: something is gone since
 */
int code_changes_notice(uint64_t libraries);

/* Has there been code, at one of these addresses, that is gone? */
int code_changes_are_at(const uint64_t *addresses, uint32_t count);

/*
 * Of which libraries the code at these addresses is, as far as others have been there. Only while busy.
 * @return 0: no others have
 */
uint64_t code_changes_identity(const uint64_t *addresses, uint32_t count);

#endif
