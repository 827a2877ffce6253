/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing a calibration, whole or not at all: precis_plan_parse() reads it. */
#ifndef PLAN_CALIBRATION_FILE_H
#define PLAN_CALIBRATION_FILE_H

#include <precis/plan.h>

/* Can it be written there? Directories on the way are made. 0, or -1 and errno */
int calibration_check(const char *path);

/* Directories on the way are made. 0, or -1 and errno; then what was there before still is */
int calibration_write(const char *path, const struct precis_plan_cost *costs, uint32_t count);

#endif
