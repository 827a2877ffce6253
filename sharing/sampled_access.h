/* SPDX-License-Identifier: BSD-3-Clause */
/* An access to memory of which it is known that it was made, wherever that comes from, one of so many. */
#ifndef SHARING_SAMPLED_ACCESS_H
#define SHARING_SAMPLED_ACCESS_H

#include <stdint.h>

#define ACCESS_LOADS 1u
#define ACCESS_STORES 2u

struct sampled_access {
	uint64_t address;
	uint64_t time; /* CLOCK_MONOTONIC */
	double weight; /* so many accesses like it were made since the one before */
	uint64_t ip; /* the instruction; 0: not known */
	uint32_t tid;
	uint32_t cpu; /* number from 1; 0: not known */
	uint16_t bytes; /* 0: the CPU does not tell */
	uint16_t flags; /* ACCESS_*: both, of one that does both */
};

#endif
