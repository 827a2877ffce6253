/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's data source word of an IBS sample: what it says of the registers behind it. */
#ifndef PRECIS_SAMPLE_IBS_WORD_H
#define PRECIS_SAMPLE_IBS_WORD_H

#include <stdint.h>

#include <precis/access.h>

/* Who wrote the word, and of what. */
struct ibs_word_origin {
	uint32_t cores;  /* bits of enum precis_amd_core: those that the CPU can be; 0: any */
	uint32_t kernel; /* precis_kernel_number(); 0: not known */
};

/*
 * What the registers must have been for the kernel to write that word. A part is present only if
 * all register states of all these cores that lead to the word agree on it.
 */
void precis_ibs_word_access(const struct ibs_word_origin *origin, uint64_t word,
			    struct precis_access *access);

/*
 * The dynamic gates (ibs_gates.def) that did not hold in the registers of a load or store: all
 * fields that need one are not applicable, whether or not the word tells them.
 */
uint64_t precis_ibs_word_denies(uint32_t cores, uint64_t word);

#endif
