/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types have two sources: the memory at a sample's address, and the operand of its instruction. How often
 * which of them tells one, by what, and whether both say the same.
 */
#ifndef ANALYSIS_BY_TYPE_METHODS_H
#define ANALYSIS_BY_TYPE_METHODS_H

#include "analysis/objects/type_agreement.h"
#include "text_tally.h"

struct saving;

/* Of a sample; zeroed memory: it was not asked. Texts live until the next sample. */
struct type_told {
	int is_asked;
	const char *type; /* that of the memory, else the instruction's; NULL: neither tells one */
	const char *evidence; /* of that type, in words */
	struct type_place place; /* of that type; 'type' NULL: neither … */
	const char *file; /* … and the file that has it */
	const char *untold; /* why the instruction tells none, in words; NULL: it tells one */
	int has_both;
	enum type_agreement agreement; /* of both … */
	const char *by_address, *by_instruction; /* … and what they say, where they differ */
	const char *voted; /* of a block of unknown type, what votes say it is; NULL: nothing … */
	const char *verdict; /* … and its own instruction, in words; NULL: it is of no such block */
};

/* Of an event's samples; zeroed memory: of none */
struct type_methods {
	struct weighted asked; /* samples with an address */
	struct weighted both, same,
		part; /* of which both tell one; those that agree; as a part of the other */
	struct text_tally
		differing; /* of the others: what is at the address, and what the instruction says */
	struct text_tally evidence; /* of what is told: types, and what tells them */
	struct text_tally untold; /* of instructions: why they tell none */
	struct text_tally votes; /* of blocks of unknown type: what votes and instructions say */
};

/* 0, or -1 if memory is short */
int type_methods_add(struct type_methods *methods, const struct type_told *told,
		     const struct weighted *sample);
int type_methods_merge(struct type_methods *to, const struct type_methods *from);

/* As text_tally_is_partial() */
int type_methods_are_partial(const struct type_methods *methods);

void type_methods_saved(struct saving *saving, struct type_methods *methods);
void type_methods_free(struct type_methods *methods);

#endif
