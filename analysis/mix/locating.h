/* SPDX-License-Identifier: BSD-3-Clause */
/* Where addresses lie, for several threads that ask: one after the other, as nearly all know it already. */
#ifndef ANALYSIS_MIX_LOCATING_H
#define ANALYSIS_MIX_LOCATING_H

#include <pthread.h>

#include "libdecode/code/texts.h"

#include "numbering.h"

struct mix_place {
	struct code_text *text; /* NULL: 'absent' says why */
	uint64_t offset; /* in the text; without one the address */
	uint64_t since; /* when the code around it became what it is */
	uint32_t context; /* whose it is, a number of the caller's: a process, a thread */
	uint8_t absent; /* enum code_absence */
	uint8_t is_kernel;
};

/* Of whom something was seen */
struct mix_witness {
	uint32_t pid, context;
	uint32_t cpumode; /* enum precis_cpumode */
	uint64_t time, period, cluster;
};

/* 'texts' and 'generation' change while nobody asks. */
struct mix_locating {
	struct code_texts *texts;
	/* From 1 on; another one after each record that changes what is mapped, or what code is there */
	uint64_t generation;
	uint32_t places_most; /* of one thread, from which on others are left out; 0: any number */
	pthread_mutex_t lock;
	int is_shared; /* several threads ask */
};

/** The key of a place, the same for all who see it. @return 0, or -1: memory is short */
int mix_locate(struct mix_locating *locating, const struct mix_witness *who, uint64_t address,
	       struct numbering_key *key);

/** There are too many places for another one: that of all such ones of who has it */
void mix_leave_out(struct numbering_key *key);

struct mix_place mix_place_of(const struct numbering_key *key);

#endif
