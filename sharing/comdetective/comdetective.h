/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ComDetective, as it was published: M. A. Sasongko, M. Chabbi, P. Akhtar, D. Unat, "ComDetective: a
 * lightweight communication detection tool for threads", SC 2019, and section V of their "Precise event
 * sampling on AMD versus Intel", TPDS 2023. Its rules, for comparison with what these papers print:
 *
 * Sampled stores are on a board of 127 slots, each until its writer's next sample is due. A sample of another
 * thread in a line that is there is a communication of one period. Otherwise its thread watches four words,
 * at random, of a line that is there, at random; what it meets there first is one of two periods, if it is of
 * the sample's kind.
 *
 * What that does not tell is in precis-sharing(1). Nothing here asks the kernel for anything, and a thread is
 * a number below COMDETECTIVE_THREADS.
 */
#ifndef SHARING_COMDETECTIVE_H
#define SHARING_COMDETECTIVE_H

#include <stdint.h>

#include "sharing/sampled_access.h"
#include "sharing/watch.h"
#include "statistics/random.h"

#define COMDETECTIVE_SLOTS 127u
#define COMDETECTIVE_THREADS WATCH_THREADS_MOST
/* Of those whose width the CPU does not tell: theirs was told by a disassembler */
#define COMDETECTIVE_BYTES 8u

struct comdetective_entry {
	uint64_t line, address, time, expiry; /* line 0: free. It is valid for so long */
	uint32_t thread, bytes;
};

struct comdetective_thread {
	uint64_t stored; /* when its last store was sampled; 0: never */
	uint64_t counted; /* the newest time on the board that it has counted */
	int is_armed;
	struct sampled_access armed_by;
	struct comdetective_entry armed_for;
};

struct comdetective {
	struct comdetective_entry slots[COMDETECTIVE_SLOTS];
	struct comdetective_thread threads[COMDETECTIVE_THREADS];
};

struct comdetective_found {
	uint32_t writer;
	uint64_t line;
	int is_true;
	double weight; /* of how many accesses */
};

/* What comes of a sample */
enum comdetective_next {
	COMDETECTIVE_NOTHING,
	COMDETECTIVE_FOUND, /* a communication */
	COMDETECTIVE_ARM    /* the thread is to watch that */
};

enum comdetective_next comdetective_sample(struct comdetective *board, uint32_t thread,
					   const struct sampled_access *access,
					   struct random *random,
					   struct comdetective_found *found,
					   struct watch_register registers[WATCH_REGISTERS]);

/*
 * A register of the thread's was hit, for the first time since it was armed: it watches nothing then.
 *
 * @param address  that the register watches
 * @param flags    ACCESS_*: what the access did; 0: not known
 * @return 1: a communication
 */
int comdetective_trap(struct comdetective *board, uint32_t thread, uint64_t address, uint64_t time,
		      uint16_t flags, struct comdetective_found *found);

#endif
