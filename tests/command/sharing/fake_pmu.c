/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PMU where there is none, for a command that is loaded with this (LD_PRELOAD): what it reads of the
 * machine is under FAKE_PMU_ROOT where that has it; events of types made up there are others with real rings.
 *
 * ibs_op (type 4242) is a software event into which a BPF program sends payloads: each time that a program
 * calls the function of FAKE_PMU_CALLS ("FILE:OFFSET"), with an address and IbsOpData3; the instruction is
 * the function's first. Threads are refused, as by Linux before 6.2: whole CPUs alone are sampled.
 *
 * cpu (type 4243) are page faults, each with its address.
 *
 * FAKE_PMU_ERROR: events are refused with that errno. FAKE_PMU_LARGE: CPU 0 has none, as a small core.
 * FAKE_PMU_ENABLED: to that file goes a byte for each event that has been enabled.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/perf_event.h>

#include "tests/support/bpf_code.h"

enum { IBS_OP_TYPE = 4242, CORE_TYPE = 4243 };

/* Zen 4: no IbsOpData4. The registers in the order of the payload */
#define CAPS 0xbff
enum { OP_CTL, OP_RIP, OP_DATA, OP_DATA2, OP_DATA3, DC_LIN_AD, DC_PHYS_AD, BR_TARGET, REGISTERS };
#define PAYLOAD_BYTES (4 + 8 * REGISTERS)
/* It ends at the frame's end, and its registers are aligned. */
#define REGISTER(n) (-8 * (REGISTERS - (n)))
#define CAPS_AT (REGISTER(0) - 4)
/* IbsOpEn, IbsOpVal, IbsOpCntCtl */
#define OP_CTL_VALUE (7 << 17)
/* struct pt_regs of x86-64: the first two arguments, and where it is */
#define RSI_AT 104
#define RIP_AT 128
#define RDI_AT 112

#define CPUS_MOST 1024

static int output_map = -1;

/* --- what is read of the machine --- */

typedef FILE *opener(const char *path, const char *mode);

static FILE *open_as(const char *name, const char *path, const char *mode)
{
	const char *root = getenv("FAKE_PMU_ROOT");
	char other[4096];
	opener *real;

	*(void **)&real = dlsym(RTLD_NEXT, name);
	if (root && *path == '/' &&
	    snprintf(other, sizeof(other), "%s%s", root, path) < (int)sizeof(other) &&
	    !access(other, R_OK))
		return real(other, mode);
	return real(path, mode);
}

FILE *fopen(const char *path, const char *mode)
{
	return open_as("fopen", path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
	return open_as("fopen64", path, mode);
}

/* --- IBS --- */

static void write_program(struct bpf_code *program)
{
	bpf_move(program, BPF_REG_6, BPF_REG_1);
	bpf_move_immediate(program, BPF_REG_1, CAPS);
	bpf_store(program, BPF_W, BPF_REG_10, CAPS_AT, BPF_REG_1);
	bpf_move_immediate(program, BPF_REG_1, 0);
	for (int n = 0; n < REGISTERS; n++)
		bpf_store(program, BPF_DW, BPF_REG_10, (int16_t)REGISTER(n), BPF_REG_1);
	bpf_move_immediate(program, BPF_REG_1, OP_CTL_VALUE);
	bpf_store(program, BPF_DW, BPF_REG_10, REGISTER(OP_CTL), BPF_REG_1);
	bpf_load(program, BPF_DW, BPF_REG_1, BPF_REG_6, RIP_AT);
	bpf_store(program, BPF_DW, BPF_REG_10, REGISTER(OP_RIP), BPF_REG_1);
	bpf_load(program, BPF_DW, BPF_REG_1, BPF_REG_6, RDI_AT);
	bpf_store(program, BPF_DW, BPF_REG_10, REGISTER(DC_LIN_AD), BPF_REG_1);
	bpf_load(program, BPF_DW, BPF_REG_1, BPF_REG_6, RSI_AT);
	bpf_store(program, BPF_DW, BPF_REG_10, REGISTER(OP_DATA3), BPF_REG_1);
	bpf_move(program, BPF_REG_1, BPF_REG_6);
	bpf_load_map(program, BPF_REG_2, output_map);
	/* BPF_F_CURRENT_CPU: the low 32 bits, all set */
	bpf_add(program, BPF_ALU | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, -1);
	bpf_move(program, BPF_REG_4, BPF_REG_10);
	bpf_add(program, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_4, 0, 0, CAPS_AT);
	bpf_move_immediate(program, BPF_REG_5, PAYLOAD_BYTES);
	bpf_call(program, BPF_FUNC_perf_event_output);
	bpf_leave(program);
}

static int load_program(void)
{
	static const char license[] = BPF_CODE_LICENSE;
	struct bpf_code program = { 0 };
	union bpf_attr attr;

	write_program(&program);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_KPROBE;
	attr.insns = (uintptr_t)program.code;
	attr.insn_cnt = program.count;
	attr.license = (uintptr_t)license;
	return bpf_call_kernel(BPF_PROG_LOAD, &attr);
}

static int make_map(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY;
	attr.key_size = attr.value_size = 4;
	attr.max_entries = CPUS_MOST;
	return bpf_call_kernel(BPF_MAP_CREATE, &attr);
}

static long really(long number, const void *a, long b, long c, long d, long e)
{
	long (*real)(long, ...);

	*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	return real(number, a, b, c, d, e);
}

/* Whoever calls that function calls the BPF program. 0, or -errno */
static int probe_calls(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	char calls[4096], *offset;
	FILE *type = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
	int program, fd;

	snprintf(calls, sizeof(calls), "%s", getenv("FAKE_PMU_CALLS"));
	offset = strrchr(calls, ':');
	if (!type || !offset || fscanf(type, "%u", &attr.type) != 1)
		return -ENOENT;
	fclose(type);
	*offset++ = '\0';
	attr.config1 = (uintptr_t)calls;
	attr.config2 = strtoull(offset, NULL, 0);
	fd = (int)really(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	program = fd < 0 ? -errno : load_program();
	if (program < 0)
		return program;
	return ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) ? -errno : 0;
}

static int send_to(int cpu, int fd)
{
	const uint32_t key = (uint32_t)cpu;
	union bpf_attr attr;
	int error = 0;

	if (output_map < 0) {
		output_map = make_map();
		error = output_map < 0 ? output_map : probe_calls();
	}
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)output_map;
	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)&fd;
	return error ? error : bpf_call_kernel(BPF_MAP_UPDATE_ELEM, &attr);
}

static long open_ibs(const struct perf_event_attr *asked, long pid, long cpu, long group, long flags)
{
	struct perf_event_attr attr = *asked;
	long fd;
	int error;

	if (pid != -1) {
		errno = EINVAL;
		return -1;
	}
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	attr.config1 = attr.config2 = 0;
	attr.exclude_kernel = 0;
	fd = really(SYS_perf_event_open, &attr, pid, cpu, group, flags);
	error = fd < 0 ? 0 : send_to((int)cpu, (int)fd);
	if (error) {
		fprintf(stderr, "fake_pmu: %s\n", strerror(-error));
		close((int)fd);
		errno = -error;
		return -1;
	}
	return fd;
}

static long open_core(const struct perf_event_attr *asked, long pid, long cpu, long group, long flags)
{
	struct perf_event_attr attr = *asked;

	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	attr.sample_period = 1;
	attr.precise_ip = 0;
	return really(SYS_perf_event_open, &attr, pid, cpu, group, flags);
}

long syscall(long number, ...)
{
	const char *refused = getenv("FAKE_PMU_ERROR");
	const struct perf_event_attr *attr;
	va_list list;
	long b, c, d, e;

	va_start(list, number);
	attr = va_arg(list, const struct perf_event_attr *);
	b = va_arg(list, long);
	c = va_arg(list, long);
	d = va_arg(list, long);
	e = va_arg(list, long);
	va_end(list);
	if (number != SYS_perf_event_open ||
	    (attr->type != IBS_OP_TYPE && attr->type != CORE_TYPE))
		return really(number, attr, b, c, d, e);
	if (refused) {
		errno = atoi(refused);
		return -1;
	}
	if (getenv("FAKE_PMU_LARGE") && (int)c == 0) {
		errno = ENOENT;
		return -1;
	}
	return attr->type == CORE_TYPE ? open_core(attr, (int)b, (int)c, (int)d, e)
				       : open_ibs(attr, (int)b, (int)c, (int)d, e);
}

/* Events that are open need not count yet, and who waits for them cannot see that they do. */
static void tell_enabled(void)
{
	const char *path = getenv("FAKE_PMU_ENABLED");
	const int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;

	if (fd < 0)
		return;
	if (write(fd, "+", 1) != 1)
		fprintf(stderr, "fake_pmu: %s: %s\n", path, strerror(errno));
	close(fd);
}

int ioctl(int fd, unsigned long request, ...)
{
	int (*real)(int, unsigned long, ...);
	void *argument;
	va_list list;
	int result;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	*(void **)&real = dlsym(RTLD_NEXT, "ioctl");
	result = real(fd, request, argument);
	if (!result && request == PERF_EVENT_IOC_ENABLE)
		tell_enabled();
	return result;
}
