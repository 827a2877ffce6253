// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * A small branch predictor: for conditional branches a table of two-bit counters by address
 * (weakly not taken at first); for other branches the target of the last time (the first time
 * is taken as right: a direct branch's target is found at decode). Returns are assumed right.
 */
#include "parts.h"

void vm_predictor_init(struct vm_predictor *predictor)
{
	memset(predictor->counter, 1, sizeof(predictor->counter));
	memset(predictor->last, 0, sizeof(predictor->last));
}

static bool learn_direction(vm_u8 *counter, bool taken)
{
	bool predicted = *counter >= 2;

	if (taken && *counter < 3)
		++*counter;
	else if (!taken && *counter > 0)
		--*counter;
	return predicted != taken;
}

bool vm_predictor_learn(struct vm_predictor *predictor, const struct vm_operation *operation)
{
	vm_u64 ip = operation->ip, hash = ip ^ ip >> 12;
	vm_u32 slot = hash % VM_TARGET_ENTRIES;
	bool wrong;

	if (operation->conditional)
		return learn_direction(&predictor->counter[hash % VM_PREDICTOR_ENTRIES],
				       operation->taken);
	if (operation->is_return || !operation->branch_target)
		return false;
	wrong = predictor->last[slot].ip == ip &&
		predictor->last[slot].target != operation->branch_target;
	predictor->last[slot].ip = ip;
	predictor->last[slot].target = operation->branch_target;
	return wrong;
}
