/* SPDX-License-Identifier: BSD-3-Clause */
/* A BPF program that sends payloads, in instructions: needs no compiler for BPF, and no libbpf. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "tests/support/bpf_code.h"
#include "tests/support/bpf_payload.h"

static const char license[] = BPF_CODE_LICENSE;

/* A value of the map of slots. The payload begins at 4, so that its registers are aligned. */
struct slot {
	uint32_t bytes;
	uint32_t caps;
	uint64_t registers[BPF_PAYLOAD_REGISTERS];
};
_Static_assert(sizeof(struct slot) == 4 + BPF_PAYLOAD_BYTES, "no holes");

#define IP_REGISTER 1 /* IbsOpRip, IbsFetchLinAd */

/* A value of a map by the key in register 1, or the program's end */
static void look_up(struct bpf_code *program, int map, uint8_t dst)
{
	bpf_store(program, BPF_W, BPF_REG_10, -4, BPF_REG_1);
	bpf_load_map(program, BPF_REG_1, map);
	bpf_move(program, BPF_REG_2, BPF_REG_10);
	bpf_add(program, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -4);
	bpf_call(program, BPF_FUNC_map_lookup_elem);
	bpf_add(program, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 2, 0);
	bpf_leave(program);
	bpf_move(program, dst, BPF_REG_0);
}

/* *(u64 *)(counts + offset) += register 1 */
static void count_up(struct bpf_code *program, size_t offset)
{
	bpf_load(program, BPF_DW, BPF_REG_2, BPF_REG_7, offset);
	bpf_add(program, BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_2, BPF_REG_1, 0, 0);
	bpf_store(program, BPF_DW, BPF_REG_7, (int16_t)offset, BPF_REG_2);
}

#define COUNT(member) offsetof(struct bpf_payload_counts, member)
#define SLOT(member) offsetof(struct slot, member)

/* Register 6: the context, 7: the counts, 8: the slot, 9: what the output said */
static void write_program(const struct bpf_payload *bpf, struct bpf_code *program)
{
	program->count = 0;
	bpf_move(program, BPF_REG_6, BPF_REG_1);
	bpf_move_immediate(program, BPF_REG_1, 0);
	look_up(program, bpf->counts_map, BPF_REG_7);
	bpf_load(program, BPF_DW, BPF_REG_1, BPF_REG_7, COUNT(overflows));
	bpf_add(program, BPF_ALU64 | BPF_AND | BPF_K, BPF_REG_1, 0, 0, BPF_PAYLOAD_SLOTS - 1);
	look_up(program, bpf->slots_map, BPF_REG_8);
	bpf_load(program, BPF_DW, BPF_REG_1, BPF_REG_7, COUNT(overflows));
	bpf_store(program, BPF_DW, BPF_REG_8, SLOT(registers[IP_REGISTER]), BPF_REG_1);
	bpf_move_immediate(program, BPF_REG_1, 1);
	count_up(program, COUNT(overflows));

	bpf_load(program, BPF_W, BPF_REG_5, BPF_REG_8, SLOT(bytes));
	bpf_add(program, BPF_JMP | BPF_JLE | BPF_K, BPF_REG_5, 0, 2, BPF_PAYLOAD_BYTES);
	bpf_leave(program);
	bpf_move(program, BPF_REG_1, BPF_REG_6);
	bpf_load_map(program, BPF_REG_2, bpf->output_map);
	bpf_move_immediate(program, BPF_REG_3, 0);
	bpf_move(program, BPF_REG_4, BPF_REG_8);
	bpf_add(program, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_4, 0, 0, SLOT(caps));
	bpf_call(program, BPF_FUNC_perf_event_output);
	bpf_move(program, BPF_REG_9, BPF_REG_0);

	bpf_move_immediate(program, BPF_REG_1, 1);
	bpf_add(program, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_9, 0, 5, 0);
	count_up(program, COUNT(refused));
	bpf_leave(program);
	count_up(program, COUNT(sent));
	bpf_load(program, BPF_W, BPF_REG_1, BPF_REG_8, SLOT(caps));
	count_up(program, COUNT(caps_sum));
	for (uint32_t n = 0; n < BPF_PAYLOAD_REGISTERS; n++) {
		bpf_load(program, BPF_DW, BPF_REG_1, BPF_REG_8, SLOT(registers) + 8 * n);
		count_up(program, COUNT(sums) + 8 * n);
	}
	bpf_leave(program);
}

static int make_map(uint32_t type, uint32_t value_bytes, uint32_t entries)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = type;
	attr.key_size = 4;
	attr.value_size = value_bytes;
	attr.max_entries = entries;
	return bpf_call_kernel(BPF_MAP_CREATE, &attr);
}

static int update(int map, uint32_t key, const void *value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map;
	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)value;
	return bpf_call_kernel(BPF_MAP_UPDATE_ELEM, &attr);
}

static int load_program(struct bpf_payload *bpf)
{
	struct bpf_code program;
	union bpf_attr attr;
	int fd, second;

	write_program(bpf, &program);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insns = (uintptr_t)program.code;
	attr.insn_cnt = program.count;
	attr.license = (uintptr_t)license;
	fd = bpf_call_kernel(BPF_PROG_LOAD, &attr);
	if (fd >= 0 || fd == -EPERM)
		return fd;
	/* a log too long for its room is an error by itself: so none before it is needed */
	attr.log_buf = (uintptr_t)bpf->log;
	attr.log_size = sizeof(bpf->log);
	attr.log_level = 1;
	second = bpf_call_kernel(BPF_PROG_LOAD, &attr);
	if (second >= 0)
		close(second);
	/* the verifier's refusal, not that of a permission */
	return fd == -EACCES ? -EINVAL : fd;
}

int bpf_payload_open(struct bpf_payload *bpf)
{
	bpf->slots_map = bpf->counts_map = bpf->output_map = bpf->program = -1;
	bpf->log[0] = '\0';
	bpf->step = "BPF array of payloads";
	bpf->slots_map = make_map(BPF_MAP_TYPE_ARRAY, sizeof(struct slot), BPF_PAYLOAD_SLOTS);
	if (bpf->slots_map < 0)
		return bpf->slots_map;
	bpf->step = "BPF array of counts";
	bpf->counts_map = make_map(BPF_MAP_TYPE_ARRAY, sizeof(struct bpf_payload_counts), 1);
	if (bpf->counts_map < 0)
		return bpf->counts_map;
	bpf->step = "BPF array of events";
	bpf->output_map = make_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 1);
	if (bpf->output_map < 0)
		return bpf->output_map;
	bpf->step = "BPF program";
	bpf->program = load_program(bpf);
	return bpf->program < 0 ? bpf->program : 0;
}

int bpf_payload_set(struct bpf_payload *bpf, uint32_t slot, const void *payload, size_t bytes)
{
	struct slot value = { .bytes = (uint32_t)bytes };

	if (slot >= BPF_PAYLOAD_SLOTS || bytes < 28 || bytes > BPF_PAYLOAD_BYTES)
		return -EINVAL;
	memcpy((uint8_t *)&value + SLOT(caps), payload, bytes);
	return update(bpf->slots_map, slot, &value);
}

int bpf_payload_send_to(struct bpf_payload *bpf, int output_fd)
{
	return update(bpf->output_map, 0, &output_fd);
}

int bpf_payload_trigger(struct bpf_payload *bpf, int trigger_fd)
{
	return ioctl(trigger_fd, PERF_EVENT_IOC_SET_BPF, bpf->program) ? -errno : 0;
}

int bpf_payload_read(struct bpf_payload *bpf, struct bpf_payload_counts *counts)
{
	const uint32_t key = 0;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)bpf->counts_map;
	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)counts;
	return bpf_call_kernel(BPF_MAP_LOOKUP_ELEM, &attr);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void bpf_payload_close(struct bpf_payload *bpf)
{
	close_fd(&bpf->program);
	close_fd(&bpf->output_map);
	close_fd(&bpf->counts_map);
	close_fd(&bpf->slots_map);
}
