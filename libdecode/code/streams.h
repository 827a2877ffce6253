/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From branch stacks to ranges of code that ran without a taken branch: from the target of one branch to
 * the source of the next. Nothing but addresses is known here; blocks.h knows what lies there.
 *
 * Sources: struct perf_branch_entry in include/uapi/linux/perf_event.h; arch/x86/events/amd/lbr.c of Linux
 * 6.12 for the path of a speculative branch. On Intel's Skylake family the newest entry may be a copy of
 * the next one, which LLVM's BOLT and Google's autofdo work around, too.
 */
#ifndef LIBDECODE_CODE_STREAMS_H
#define LIBDECODE_CODE_STREAMS_H

#include <precis/sample_parts.h>

enum code_refusal {
	CODE_STACKS_USABLE = 0,
#define REFUSAL(name, bits, text) CODE_STACKS_##name,
#include "refusals.def"
#undef REFUSAL
	CODE_REFUSALS
};

/** Are stacks of an event with that sample_type and branch_sample_type usable? @return enum code_refusal */
uint32_t code_stacks_refusal(uint64_t sample_type, uint64_t branch_sample_type);

/**
 * Did perf make them of a trace (perf inject --itrace=...l of Intel PT or Arm's ETM)? Such an event names no
 * kind of branches at all, which the kernel takes from nobody: intel_pt_synth_event() and its like of ETM, in
 * perf of Linux 6.12.
 */
int code_stacks_are_synthesized(uint64_t sample_type, uint64_t branch_sample_type);

/** Never NULL. */
const char *code_refusal_text(uint32_t refusal);

enum code_fate {
#define FATE(name, is_kept, text) CODE_FATE_##name,
#include "fates.def"
#undef FATE
	CODE_FATES
};

/** Never NULL. */
const char *code_fate_text(uint32_t fate);
int code_fate_is_kept(uint32_t fate);

/* Addresses of x86 have 57 bits and a sign. */
#define CODE_ADDRESS_BITS 57u

/** Can it be one? 0 is none, nor is what has no sign of its 57 bits above them. */
static inline int code_is_address(uint64_t address)
{
	const uint64_t above = address >> (CODE_ADDRESS_BITS - 1);

	return address && (above == 0 || above == UINT64_MAX >> (CODE_ADDRESS_BITS - 1));
}

/* As long as the longest straight code that autofdo believes, in bytes */
#define CODE_RANGE_BYTES_MOST (UINT64_C(1) << 20)

/* A branch that was taken */
struct code_jump {
	uint64_t from, to;
};

/* A stack is in one record, which has no more than 64 KiB. */
#define CODE_JUMPS_MOST 2731u
/* Places of a stack that are counted by themselves */
#define CODE_PLACES 64u

/* How stacks of one event are read, and what they had. */
struct code_streams {
	uint32_t one_ring; /* user space alone, or the kernel alone, is recorded */
	uint32_t reserved;
	uint64_t stacks, entries;
	uint64_t wrong_path;    /* entries of branches that were never executed in the end */
	uint64_t other_ring;    /* entries with an end in the ring that is not recorded */
	/* Ranges; those of equal newest entries are in 'copies' alone */
	uint64_t fates[CODE_FATES];
	/* Stacks by the entries that they have; the last one is of all that have more, too */
	uint64_t depths[CODE_PLACES + 2];
	/* Stacks that have equal entries at a place and at the next older one */
	uint64_t copies[CODE_PLACES];
};

/**
 * The branch_sample_type that the kernel makes of one that names no ring, as perf record -b has it: that of
 * the rings that the event is of (perf_copy_attr() in kernel/events/core.c of Linux 6.12).
 */
uint64_t code_stacks_type(uint64_t branch_sample_type, int excludes_kernel, int excludes_user);

/** @param branch_sample_type  of code_stacks_type(), for which code_stacks_refusal() has none */
void code_streams_init(struct code_streams *streams, uint64_t branch_sample_type);

/**
 * What became of the range from where 'older' went to where 'newer' began, as far as addresses tell: never
 * CODE_FATE_DUPLICATE.
 */
enum code_fate code_fate_of(struct code_jump older, struct code_jump newer);

/**
 * The branches of one stack, the newest first, without those that were not on the path or are not of what is
 * recorded. The ranges between them are counted by their fates. That between two equal newest entries is a
 * DUPLICATE: whether it is to be dropped is known after all stacks, by code_streams_drop_duplicates(); until
 * then it is to be counted apart.
 *
 * @return how many; ranges are one less
 */
uint32_t code_streams_jumps(struct code_streams *streams, const struct precis_perf_sample *sample,
			    struct code_jump branches[CODE_JUMPS_MOST]);

/**
 * Does a stack that was taken in user mode end in the kernel? Then the branches of the interrupt that took it
 * were recorded, too: of LbrExtV2 where no flag amd_lbr_pmc_freeze says that it is frozen by then.
 */
int code_stack_is_not_frozen(const struct precis_perf_sample *sample);

/**
 * A stack that code_streams_jumps() was told of before, once more. None of its entries was left out, and each
 * range was kept or is between equal newest entries.
 * @param copies  bit n: entries n and n + 1 are equal
 */
void code_streams_again(struct code_streams *streams, uint32_t entries, uint64_t copies);

/**
 * Are equal newest entries copies that the CPU made? A branch that jumps to itself, or round a loop without
 * another branch, is twice in the stack by right, and that at every place alike: so the newest pair is
 * judged by the others.
 *
 * @param pairs   by place, 0 the newest: stacks that have an entry there and an older one
 * @param copies  of these: both are equal
 */
int code_newest_is_copied(const uint64_t *pairs, const uint64_t *copies, uint32_t places);

/** The same of the stacks that were read. */
int code_streams_drop_duplicates(const struct code_streams *streams);

/** Add what stacks of another file or thread had, of the same event. */
void code_streams_merge(struct code_streams *streams, const struct code_streams *other);

#endif
