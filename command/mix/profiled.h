/* SPDX-License-Identifier: BSD-3-Clause */
/* An estimate as compilers and BOLT read it: command/profiles. */
#ifndef MIX_PROFILED_H
#define MIX_PROFILED_H

#include "mixed.h"

/* To where results go. @return EXIT_OK, or EXIT_FAILED after it has been said why: then nothing is written */
int profiled_print(const struct mixed *mixed);

#endif
