/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions by name, as Score-P's user instrumentation has them. See stub_scorep.c. */
#ifndef STUB_SCOREP_USER_H
#define STUB_SCOREP_USER_H

void stub_enter(const char *name);
void stub_leave(const char *name);
#define SCOREP_USER_REGION_TYPE_COMMON 0
#define SCOREP_USER_REGION_BY_NAME_BEGIN(name, type) stub_enter(name)
#define SCOREP_USER_REGION_BY_NAME_END(name) stub_leave(name)

#endif
