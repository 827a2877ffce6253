/* SPDX-License-Identifier: BSD-3-Clause */
/* How many interrupts of the PMUs there were. */
#ifndef ACCURACY_INTERRUPTS_H
#define ACCURACY_INTERRUPTS_H

#include <stdint.h>

/* Of all CPUs so far, by /proc/interrupts below 'root'. 1 if it tells */
int measure_interrupts(const char *root, uint64_t *count);

#endif
