/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ComDetective (comdetective.h) with a program that runs: its threads are armed from outside, not in a signal
 * handler.
 */
#ifndef SHARING_LIVE_COMDETECTIVE_H
#define SHARING_LIVE_COMDETECTIVE_H

#include "sharing/live_settings.h"

extern const struct live_rules live_comdetective;

#endif
