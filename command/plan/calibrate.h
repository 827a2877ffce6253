/* SPDX-License-Identifier: BSD-3-Clause */
/* precis plan --calibrate: what samples cost on this machine. */
#ifndef PLAN_CALIBRATE_H
#define PLAN_CALIBRATE_H

#include "options.h"
#include "setting.h"

/* An exit code, after what was measured has been printed and stored. */
int plan_calibrate(const struct plan_options *options, const struct plan_setting *setting);

#endif
