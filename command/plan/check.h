/* SPDX-License-Identifier: BSD-3-Clause */
/* precis plan --check: what was predicted for a recording, beside what came. */
#ifndef PLAN_CHECK_H
#define PLAN_CHECK_H

#include "options.h"
#include "setting.h"

/* An exit code, after it has been printed. */
int plan_check(const struct plan_options *options, const struct plan_setting *setting);

#endif
