// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Faults of the sampling, on purpose, so that what looks for faults can be tried: of IBS' ops or fetches, and
 * of the records of a PMU like Intel's. Each is drawn for itself, of so many in a thousand; the totals know
 * nothing of them.
 *
 *   tag_bias    the tag moves on to the op behind the next taken branch
 *   shadow      the tag moves on to the next op that retires VM_FAULT_GAP cycles or more after the op
 *               before it: what retires after a long latency wins
 *   bank        the tag moves on to the next op, or fetch, in a line of code with an even number
 *   skid        the registers are those of the tagged op, but the address is that of the op that is
 *               executed 'skid_by' ops later, and the interrupt comes then
 *   off_by_one  the address is one too high
 *   wrong_mode  the address is one of the kernel's half, from which the driver takes the mode
 *   user_mode   likewise of kernel code: an address of the users' half
 *   silent      the tagged op is forgotten: the counter starts again, and there is no interrupt
 *
 * What a tag moves on by, and what is between a tag and its interrupt, IBS does not count; Intel's counters,
 * which count on, do.
 */
#include "parts.h"

#define KERNEL_HALF 0xffff800000000000ull

void vm_fault_seed(struct vm_fault_state *state, vm_u64 seed)
{
	state->random = seed ^ 0x6a09e667f3bcc908ull;
}

bool vm_fault_happens(struct vm_fault_state *state, vm_u32 per_mille)
{
	/* nothing is drawn where there is no fault: then all is as it was without this file */
	return per_mille && vm_random(&state->random) % 1000 < per_mille;
}

static enum vm_fault_verdict tag(const struct vm_faults *faults, struct vm_fault_state *state)
{
	if (vm_fault_happens(state, faults->silent))
		return VM_FAULT_FORGET;
	state->skid_left = vm_fault_happens(state, faults->skid) ? faults->skid_by : 0;
	return VM_FAULT_TAG;
}

/* Has the tag come to where it moves on to? */
static bool arrived(const struct vm_faults *faults, const struct vm_fault_state *state,
		    const struct vm_operation *operation, const struct vm_outcome *outcome)
{
	if (faults->of_fetches && !outcome->fetched)
		return false;
	switch ((enum vm_fault_wait)state->waits_for) {
	case VM_FAULT_WAIT_BRANCH:
		return state->behind_taken;
	case VM_FAULT_WAIT_GAP:
		return outcome->retire_gap >= VM_FAULT_GAP;
	case VM_FAULT_WAIT_BANK:
		return !(operation->ip >> VM_LINE_SHIFT & 1);
	case VM_FAULT_WAIT_NOTHING:
		break;
	}
	return false;
}

enum vm_fault_verdict vm_fault_step(const struct vm_faults *faults, struct vm_fault_state *state,
				    bool counted, const struct vm_operation *operation,
				    const struct vm_outcome *outcome)
{
	enum vm_fault_verdict verdict = VM_FAULT_NOTHING;

	if (counted && vm_fault_happens(state, faults->tag_bias))
		state->waits_for = VM_FAULT_WAIT_BRANCH;
	else if (counted && vm_fault_happens(state, faults->shadow))
		state->waits_for = VM_FAULT_WAIT_GAP;
	else if (counted && vm_fault_happens(state, faults->bank))
		state->waits_for = VM_FAULT_WAIT_BANK;
	else if (counted)
		verdict = tag(faults, state);
	if (arrived(faults, state, operation, outcome)) {
		state->waits_for = VM_FAULT_WAIT_NOTHING;
		verdict = tag(faults, state);
	} else if (!counted && state->skid_left && !--state->skid_left) {
		verdict = VM_FAULT_INTERRUPT;
	}
	state->behind_taken = operation->branch && operation->taken;
	return verdict;
}

void vm_fault_stop(struct vm_fault_state *state)
{
	state->waits_for = VM_FAULT_WAIT_NOTHING;
	state->skid_left = 0;
}

vm_u64 vm_fault_address(const struct vm_faults *faults, struct vm_fault_state *state, vm_u64 address)
{
	if (vm_fault_happens(state, faults->off_by_one))
		address++;
	if (!(address >> 63) && vm_fault_happens(state, faults->wrong_mode))
		address |= KERNEL_HALF;
	else if (address >> 63 && vm_fault_happens(state, faults->user_mode))
		address &= ~KERNEL_HALF;
	return address;
}
