/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose coefficients a plan is made with: those of a calibration of this machine, else published ones. */
#ifndef PLAN_COSTS_H
#define PLAN_COSTS_H

#include <limits.h>
#include <stdio.h>

#include "options.h"
#include "setting.h"

#define PLAN_NOTE 256

/* Where the calibration is, or is to be. 0, or -1 if that is too long or there is no home */
int plan_calibration_path(const struct plan_options *options, char path[PATH_MAX]);

/*
 * What a sample of the event costs. 'note' says in words why it is not a calibration's, or what is to be
 * said of that; "" if nothing is. EXIT_OK, or EXIT_FAILED after it has been said on stderr.
 */
int plan_cost_find(const struct plan_options *options, const struct plan_setting *setting,
		   const struct plan_event *event, struct precis_plan_cost *cost,
		   char note[PLAN_NOTE]);

#endif
