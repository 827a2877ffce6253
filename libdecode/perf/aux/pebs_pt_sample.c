/* SPDX-License-Identifier: BSD-3-Clause */
/* A PEBS record of a trace to a sample: Linux 6.1 intel-pt.c, intel_pt_do_synth_pebs_sample(). */
#include "pebs_pt_sample.h"

#include "libdecode/pebs/branch_info.h"
#include "libdecode/pebs/tables.h"
#include "libdecode/sample/branch_entry.h"
#include "libdecode/sample/bytes.h"

#define KERNEL_ADDRESS (UINT64_C(1) << 63)
#define ABI_64 2u /* PERF_SAMPLE_REGS_ABI_64 */
#define FIRST_XMM 32u /* PERF_REG_X86_XMM0: two bits for each of 16 */
#define XMM_WORDS 32u

/* Which bit of attr.sample_regs_intr a register is: arch/x86/include/uapi/asm/perf_regs.h */
static const uint8_t register_bits[] = {
	[PRECIS_PEBS_FLAGS] = 9,   [PRECIS_PEBS_IP] = 8,	[PRECIS_PEBS_AX] = 0,
	[PRECIS_PEBS_BX] = 1,	   [PRECIS_PEBS_CX] = 2,	[PRECIS_PEBS_DX] = 3,
	[PRECIS_PEBS_SI] = 4,	   [PRECIS_PEBS_DI] = 5,	[PRECIS_PEBS_BP] = 6,
	[PRECIS_PEBS_SP] = 7,	   [PRECIS_PEBS_R8] = 16,	[PRECIS_PEBS_R9] = 17,
	[PRECIS_PEBS_R10] = 18,	   [PRECIS_PEBS_R11] = 19,	[PRECIS_PEBS_R12] = 20,
	[PRECIS_PEBS_R13] = 21,	   [PRECIS_PEBS_R14] = 22,	[PRECIS_PEBS_R15] = 23,
};

static void put(struct precis_sample *sample, uint32_t field, uint64_t value)
{
	if (!precis_fields_have(sample->wanted, field))
		return;
	precis_fields_add(sample->present, field);
	sample->value[field] = value;
}

/* @return 1 if the record has one, by whatever part of it */
static int ip_of(const struct traced_record *traced, uint64_t *ip)
{
	const struct precis_pebs *record = &traced->record;

	if (record->captured >> PRECIS_PEBS_EVENTING_IP & 1)
		*ip = record->word[PRECIS_PEBS_EVENTING_IP];
	else if (record->gpr_captured >> PRECIS_PEBS_IP & 1)
		*ip = record->gpr[PRECIS_PEBS_IP];
	else if (traced->about.flags & PRECIS_PEBS_PT_HAS_FUP_IP)
		*ip = traced->about.fup_ip;
	else
		return 0;
	return 1;
}

/* The decoder knows of the record's own two; that of the packet behind it is not the event's. */
static void put_ip(const struct traced_record *traced, struct precis_sample *sample)
{
	uint64_t ip;

	if (!ip_of(traced, &ip))
		return;
	if (precis_fields_have(sample->wanted, PRECIS_FIELD_IP) &&
	    !precis_fields_have(sample->present, PRECIS_FIELD_IP)) {
		put(sample, PRECIS_FIELD_IP, ip);
		put(sample, PRECIS_FIELD_IP_EXACT, 0);
	}
	put(sample, PRECIS_FIELD_CPUMODE,
	    ip & KERNEL_ADDRESS ? PRECIS_CPUMODE_KERNEL : PRECIS_CPUMODE_USER);
}

static void put_generic(const struct traced_record *traced, const struct file_event *event,
			struct precis_sample *sample)
{
	if (traced->known & PRECIS_SAMPLE_TIME)
		put(sample, PRECIS_FIELD_TIME, traced->time);
	if (traced->known & PRECIS_SAMPLE_CPU)
		put(sample, PRECIS_FIELD_CPU, traced->cpu);
	if (traced->known & PRECIS_SAMPLE_TID)
		put(sample, PRECIS_FIELD_TID, (uint64_t)(int64_t)(int32_t)traced->tid);
	if (traced->has_pid)
		put(sample, PRECIS_FIELD_PID, (uint64_t)(int64_t)(int32_t)traced->pid);
	if (!event)
		return;
	put(sample, PRECIS_FIELD_EVENT, event->view.index);
	if (!event->view.is_frequency && event->view.sample_period)
		put(sample, PRECIS_FIELD_PERIOD, event->view.sample_period);
}

/* --- the parts, in ABI terms --- */

static void collect_registers(struct traced_record *traced, uint64_t value[TRACED_REGISTERS])
{
	const struct precis_pebs *record = &traced->record;

	traced->regs_intr = 0;
	for (uint32_t n = 0; n < sizeof(register_bits); n++) {
		if (!(record->gpr_captured >> n & 1))
			continue;
		traced->regs_intr |= UINT64_C(1) << register_bits[n];
		value[register_bits[n]] = record->gpr[n];
	}
	for (uint32_t n = 0; traced->groups.xmm && n < XMM_WORDS; n++) {
		traced->regs_intr |= UINT64_C(1) << (FIRST_XMM + n);
		value[FIRST_XMM + n] = load_le64(traced->groups.xmm + 8 * n);
	}
}

static void fill_registers(struct traced_record *traced, struct precis_perf_sample *perf)
{
	uint64_t value[TRACED_REGISTERS];
	uint8_t *at = traced->registers;

	collect_registers(traced, value);
	for (uint64_t left = traced->regs_intr; left; left &= left - 1, at += 8)
		memcpy(at, &value[__builtin_ctzll(left)], 8);
	if (!traced->regs_intr)
		return;
	perf->present |= PRECIS_SAMPLE_REGS_INTR;
	perf->regs_intr_abi = ABI_64;
	perf->regs_intr.data = traced->registers;
	perf->regs_intr.bytes = (uint32_t)(at - traced->registers);
}

static void fill_branches(struct traced_record *traced, struct precis_perf_sample *perf)
{
	struct precis_pebs_branch branch;
	uint8_t *at = traced->branches;

	if (!(traced->record.groups & PRECIS_PEBS_GROUP_LBR))
		return;
	for (uint32_t n = 0; precis_pebs_branch(&traced->groups, n, &branch) == 1; n++) {
		const uint64_t info = branch.info;
		const uint64_t missed = lbr_info(info, LBR_INFO_MISPREDICTED);
		const struct branch_entry entry = {
			branch.from,
			branch.to,
			bit_field_of(missed, BRANCH_MISPREDICTED) |
				bit_field_of(!missed, BRANCH_PREDICTED) |
				bit_field_of(lbr_info(info, LBR_INFO_IN_TRANSACTION),
					     BRANCH_IN_TRANSACTION) |
				bit_field_of(lbr_info(info, LBR_INFO_ABORT), BRANCH_ABORT) |
				bit_field_of(lbr_info(info, LBR_INFO_CYCLES), BRANCH_CYCLES),
		};

		memcpy(at, &entry, sizeof(entry));
		at += sizeof(entry);
	}
	perf->present |= PRECIS_SAMPLE_BRANCH_STACK;
	perf->branches.data = traced->branches;
	perf->branches.bytes = (uint32_t)(at - traced->branches);
	perf->branch_count = perf->branches.bytes / sizeof(struct branch_entry);
	perf->branch_hw_index = UINT64_MAX;
}

static void fill_perf(struct traced_record *traced, const struct precis_sample *sample,
		      struct precis_perf_sample *perf)
{
	uint32_t size = perf->size;
	uint64_t ip;

	memset(perf, 0, sizeof(*perf));
	perf->size = size;
	perf->present = traced->known & ~(traced->has_pid ? 0 : PRECIS_SAMPLE_TID);
	perf->time = traced->time;
	perf->cpu = traced->cpu;
	perf->pid = traced->pid;
	perf->tid = traced->tid;
	if (ip_of(traced, &ip)) {
		perf->present |= PRECIS_SAMPLE_IP;
		perf->ip = ip;
		perf->misc = ip & KERNEL_ADDRESS ? PRECIS_CPUMODE_KERNEL : PRECIS_CPUMODE_USER;
	}
	if (precis_get_ip_exact(sample, &ip) && ip)
		perf->misc |= PRECIS_MISC_EXACT_IP;
	if (traced->record.captured >> PRECIS_PEBS_DATA_ADDRESS & 1) {
		perf->present |= PRECIS_SAMPLE_ADDR;
		perf->addr = traced->record.word[PRECIS_PEBS_DATA_ADDRESS];
	}
	fill_registers(traced, perf);
	fill_branches(traced, perf);
}

int precis_traced_sample(struct traced_record *traced, const struct file_event *event,
			 struct precis_pebs_context *context, const uint64_t *wanted,
			 struct precis_perf_sample *perf, struct precis_sample *sample)
{
	int error = precis_pebs_decode(context, &traced->record, wanted, sample);

	if (error)
		return error;
	sample->gates |= PEBS_OF_TRACE;
	put_ip(traced, sample);
	put_generic(traced, event, sample);
	if (perf)
		fill_perf(traced, sample, perf);
	return 0;
}
