/* SPDX-License-Identifier: BSD-3-Clause */
/* What a metric is of a series, whichever it is. */
#ifndef ACCURACY_JUDGE_H
#define ACCURACY_JUDGE_H

#include "metrics.h"

/* With the verdict by its bound in metrics.def */
struct metric_result metric_of(enum metric metric, const struct series *series);

#endif
