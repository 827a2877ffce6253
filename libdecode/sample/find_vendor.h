/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of the vendors in the list it is. */
#ifndef PRECIS_SAMPLE_FIND_VENDOR_H
#define PRECIS_SAMPLE_FIND_VENDOR_H

#include "vendor.h"

/* The maker by its name in CPUID; NULL if no vendor knows it. */
const struct vendor_cpu *precis_vendor_cpu(const char *name, size_t length);

/* Whose a CPU is by its 'vendor'; NULL: nobody's. */
const struct vendor *precis_vendor_of(uint32_t vendor);

/*
 * Whose own reading the kernel's words have, for a CPU by its 'vendor' and for an event by its
 * kind: a place in the list counted from 1; 0: nobody's.
 */
uint32_t precis_words_of_cpu(uint32_t vendor);
uint32_t precis_words_of_event(uint32_t event_kind);

#endif
