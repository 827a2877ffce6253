/* SPDX-License-Identifier: BSD-3-Clause */
/* What load latency filters mean, of both vendors in the same words. */
#ifndef VALIDITY_LATENCY_FILTER_H
#define VALIDITY_LATENCY_FILTER_H

#include "subject.h"

/* Loads of more cycles alone were sampled; 0: all, or it is another event */
uint64_t latency_threshold_of(const struct precis_event *event);

const char *note_of_ldlat(const struct subject *of, uint64_t cycles);

#endif
