/* SPDX-License-Identifier: BSD-3-Clause */
/* precis mix --format sde: executions by the names that Intel's SDE prints, for scripts that read these. */
#ifndef MIX_SDE_H
#define MIX_SDE_H

#include "document/output.h"
#include "mixed.h"

/* Numbers of executions are not known, which has been said */
int sde_refused(const struct mixed *mixed);

/* Where they are: @return EXIT_OK, or EXIT_FAILED after it has been said why */
int sde_print(const struct mixed *mixed, struct output *output);

#endif
