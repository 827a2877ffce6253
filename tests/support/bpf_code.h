/* SPDX-License-Identifier: BSD-3-Clause */
/* A BPF program, instruction by instruction: needs no compiler for BPF, and no libbpf. */
#ifndef TESTS_BPF_CODE_H
#define TESTS_BPF_CODE_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

/*
 * Test programs, loaded by tests alone. The kernel lends bpf_perf_event_output() only to programs that say
 * they are GPL-compatible, which BSD-3-Clause is.
 */
#define BPF_CODE_LICENSE "GPL"

struct bpf_code {
	uint32_t count;
	struct bpf_insn code[128];
};

static inline void bpf_add(struct bpf_code *program, uint8_t code, uint8_t dst, uint8_t src,
			   int16_t offset, int32_t immediate)
{
	program->code[program->count++] = (struct bpf_insn){ .code = code,
							     .dst_reg = dst & 15,
							     .src_reg = src & 15,
							     .off = offset,
							     .imm = immediate };
}

static inline void bpf_move(struct bpf_code *program, uint8_t dst, uint8_t src)
{
	bpf_add(program, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static inline void bpf_move_immediate(struct bpf_code *program, uint8_t dst, int32_t value)
{
	bpf_add(program, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value);
}

static inline void bpf_load(struct bpf_code *program, uint8_t size, uint8_t dst, uint8_t src,
			    size_t offset)
{
	bpf_add(program, BPF_LDX | BPF_MEM | size, dst, src, (int16_t)offset, 0);
}

static inline void bpf_store(struct bpf_code *program, uint8_t size, uint8_t dst, int16_t offset,
			     uint8_t src)
{
	bpf_add(program, BPF_STX | BPF_MEM | size, dst, src, offset, 0);
}

static inline void bpf_load_map(struct bpf_code *program, uint8_t dst, int fd)
{
	bpf_add(program, BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_FD, 0, fd);
	bpf_add(program, 0, 0, 0, 0, 0);
}

static inline void bpf_call(struct bpf_code *program, int32_t function)
{
	bpf_add(program, BPF_JMP | BPF_CALL, 0, 0, 0, function);
}

static inline void bpf_leave(struct bpf_code *program)
{
	bpf_move_immediate(program, BPF_REG_0, 0);
	bpf_add(program, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static inline int bpf_call_kernel(int command, union bpf_attr *attr)
{
	const long result = syscall(SYS_bpf, command, attr, sizeof(*attr));

	return result < 0 ? -errno : (int)result;
}

#endif
