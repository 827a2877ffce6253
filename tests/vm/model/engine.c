// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The counters that choose what is sampled. Source: AMD64 APM vol. 2, 13.3; Linux
 * arch/x86/events/amd/ibs.c for what a driver may rely on.
 *
 * Ops: CurCnt counts up to MaxCnt; the op at which it gets there is tagged and the count
 * starts anew: at a random number below 128 where it counts ops, at 0 where it counts cycles,
 * and goes on until the op retires. Fetches: FetchCnt likewise; the low four bits, which
 * no register shows, are random where RandEn is set.
 */
#include "parts.h"

#define OP_EN VM_BIT(17)
#define OP_VAL VM_BIT(18)
#define OP_CNT_CTL VM_BIT(19)
#define OP_RANDOM 0x7full

#define FETCH_CNT_SHIFT 16
#define FETCH_EN VM_BIT(48)
#define FETCH_VAL VM_BIT(49)
#define FETCH_RAND_EN VM_BIT(57)
#define FETCH_RANDOM 0xfull

#define MAX_CNT 0xffffull /* of both: in units of 16 */

/* splitmix64 (Steele, Lea, Flood 2014) */
vm_u64 vm_random(vm_u64 *state)
{
	vm_u64 z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static vm_u64 random_bits(struct vm_engine *engine)
{
	return vm_random(&engine->random);
}

void vm_engine_init(struct vm_engine *engine, vm_u64 seed)
{
	memset(engine, 0, sizeof(*engine));
	vm_engine_seed(engine, seed);
}

void vm_engine_seed(struct vm_engine *engine, vm_u64 seed)
{
	engine->random = seed;
}

void vm_engine_reset(struct vm_engine *engine, vm_u64 seed)
{
	vm_engine_seed(engine, seed);
	engine->count = 0;
}

static bool counts_ops(const struct vm_engine *engine)
{
	return (engine->caps & CAPS_OP_CNT) && (engine->control & OP_CNT_CTL);
}

void vm_op_engine_write(struct vm_engine *engine, vm_u32 caps, vm_u64 control)
{
	engine->caps = caps;
	engine->control = control;
	engine->period = (control & MAX_CNT) << 4;
	if (caps & CAPS_OP_CNT_EXT)
		engine->period += control & OP_MAX_CNT_EXT;
	if (caps & CAPS_RD_WR_OP_CNT)
		engine->count = control >> OP_CUR_CNT_SHIFT & vm_op_cur_cnt_mask(caps);
	engine->running = (control & OP_EN) && !(control & OP_VAL) && engine->period;
}

void vm_op_engine_restart(struct vm_engine *engine)
{
	engine->count = counts_ops(engine) && !engine->not_random ?
				random_bits(engine) & OP_RANDOM : 0;
	engine->running = true;
}

void vm_engine_overcount(struct vm_engine *engine, vm_u32 events)
{
	if (engine->running)
		engine->count += events;
}

bool vm_op_engine_count(struct vm_engine *engine, const struct vm_outcome *outcome)
{
	vm_u64 cycles = engine->cycle_known ? outcome->cycle - engine->last_cycle : 0;

	engine->last_cycle = outcome->cycle;
	engine->cycle_known = true;
	if (!engine->running)
		return false;
	engine->count += counts_ops(engine) ? 1 : cycles;
	if (engine->count < engine->period)
		return false;
	vm_op_engine_restart(engine);
	engine->running = false;
	if (!counts_ops(engine))
		engine->count = outcome->tag_to_retire;
	return true;
}

vm_u64 vm_op_engine_read(const struct vm_engine *engine)
{
	vm_u64 mask = vm_op_cur_cnt_mask(engine->caps);

	return (engine->control & ~(mask << OP_CUR_CNT_SHIFT)) |
	       (engine->count & mask) << OP_CUR_CNT_SHIFT;
}

void vm_fetch_engine_write(struct vm_engine *engine, vm_u64 control)
{
	engine->control = control;
	engine->period = (control & MAX_CNT) << 4;
	engine->count = (control >> FETCH_CNT_SHIFT & MAX_CNT) << 4;
	if ((control & FETCH_RAND_EN) && !engine->not_random)
		engine->count |= random_bits(engine) & FETCH_RANDOM;
	engine->running = (control & FETCH_EN) && !(control & FETCH_VAL) && engine->period;
}

void vm_fetch_engine_restart(struct vm_engine *engine)
{
	engine->count = (engine->control & FETCH_RAND_EN) && !engine->not_random ?
				random_bits(engine) & FETCH_RANDOM : 0;
	engine->running = true;
}

bool vm_fetch_engine_count(struct vm_engine *engine, const struct vm_outcome *outcome)
{
	if (!engine->running || !outcome->fetched)
		return false;
	engine->count++;
	if (engine->count < engine->period)
		return false;
	engine->running = false;
	return true;
}

vm_u64 vm_fetch_engine_read(const struct vm_engine *engine)
{
	return (engine->control & ~(MAX_CNT << FETCH_CNT_SHIFT)) |
	       (engine->count >> 4 & MAX_CNT) << FETCH_CNT_SHIFT;
}
