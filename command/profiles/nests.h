/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts by function and line, where a function that was inlined is inside of the one around it: what LLVM's
 * sample profiles consist of.
 */
#ifndef COMMAND_PROFILES_NESTS_H
#define COMMAND_PROFILES_NESTS_H

#include <stdint.h>
#include <stdio.h>

#define NEST_NONE UINT32_MAX

/* A place in a function: lines from its declaration on, and which of the code of that line */
struct nest_place {
	uint32_t line, discriminator;
};

struct nests;

struct nests *nests_new(void); /* NULL: memory is short */
void nests_free(struct nests *nests);

/**
 * A function, or one that was inlined.
 * @param around  the nest that it is in, NEST_NONE: it is a function of its own
 * @param call    in that; of a function of its own zeros
 * @param name    stays where it is
 * @return its number, or NEST_NONE: memory is short
 */
uint32_t nests_find(struct nests *nests, uint32_t around, struct nest_place call, const char *name);

/* Both: @return 0, or -1: memory is short */

/**
 * An instruction at a place, whose count is the largest of its instructions'. The nest's total is their sum.
 * @param copies  so many of the instruction were made of what the place has once
 */
int nests_count(struct nests *nests, uint32_t nest, struct nest_place place, uint64_t count,
		uint32_t copies);

/** Calls from a place to a function, added to those that are there. */
int nests_call(struct nests *nests, uint32_t nest, struct nest_place place, const char *callee,
	       uint64_t count);

/** An instruction whose place is not known */
void nests_count_unplaced(struct nests *nests, uint32_t nest, uint64_t count);

/** How often a function was entered, added to what is there. */
void nests_enter(struct nests *nests, uint32_t nest, uint64_t count);

/** All functions, those with the most in front. @return 0, or -1: memory is short */
int nests_write(const struct nests *nests, FILE *to);

#endif
