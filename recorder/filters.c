/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In front of what sets a filter of system calls, as sandboxes do (seccomp(2)). One that would kill the
 * program where the recorder makes a call of its own is found before it is set, by running it on each: the
 * file is ended then, and nothing is recorded from there on. With others, which let such calls be or make
 * those fail that may, recording goes on.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/membarrier.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "life.h"
#include "output.h"
#include "real.h"
#include "system.h"

#define EXPORTED __attribute__((visibility("default")))

/* --- a filter, as the kernel runs it --- */

#define LENGTH_MOST 4096u /* instructions */

struct machine {
	const struct seccomp_data *data;
	uint32_t a, x, memory[BPF_MEMWORDS];
};

static uint32_t calculated(uint16_t operation, uint32_t a, uint32_t by)
{
	switch (operation) {
	case BPF_ADD:
		return a + by;
	case BPF_SUB:
		return a - by;
	case BPF_MUL:
		return a * by;
	case BPF_DIV:
		return by ? a / by : 0;
	case BPF_AND:
		return a & by;
	case BPF_OR:
		return a | by;
	case BPF_XOR:
		return a ^ by;
	case BPF_LSH:
		return by < 32 ? a << by : 0;
	case BPF_RSH:
		return by < 32 ? a >> by : 0;
	default:
		return -a; /* BPF_NEG */
	}
}

static int is_taken(uint16_t operation, uint32_t a, uint32_t with)
{
	switch (operation) {
	case BPF_JEQ:
		return a == with;
	case BPF_JGT:
		return a > with;
	case BPF_JGE:
		return a >= with;
	default:
		return (a & with) != 0; /* BPF_JSET */
	}
}

static uint32_t loaded(const struct machine *machine, const struct sock_filter *at)
{
	uint32_t word = 0;

	switch (BPF_MODE(at->code)) {
	case BPF_ABS:
		if (at->k <= sizeof(*machine->data) - sizeof(word))
			memcpy(&word, (const uint8_t *)machine->data + at->k, sizeof(word));
		return word;
	case BPF_MEM:
		return machine->memory[at->k % BPF_MEMWORDS];
	case BPF_LEN:
		return sizeof(*machine->data);
	default:
		return at->k; /* BPF_IMM */
	}
}

/* What is neither a jump nor an end */
static void step(struct machine *machine, const struct sock_filter *at)
{
	switch (BPF_CLASS(at->code)) {
	case BPF_LD:
		machine->a = loaded(machine, at);
		break;
	case BPF_LDX:
		machine->x = loaded(machine, at);
		break;
	case BPF_ST:
		machine->memory[at->k % BPF_MEMWORDS] = machine->a;
		break;
	case BPF_STX:
		machine->memory[at->k % BPF_MEMWORDS] = machine->x;
		break;
	case BPF_ALU:
		machine->a = calculated(BPF_OP(at->code), machine->a,
					BPF_SRC(at->code) == BPF_X ? machine->x : at->k);
		break;
	default: /* BPF_MISC */
		if (BPF_MISCOP(at->code) == BPF_TXA)
			machine->a = machine->x;
		else
			machine->x = machine->a;
	}
}

/* Jumps lead forward alone. @return what it does with a call; what the kernel would refuse kills */
static uint32_t verdict(const struct sock_fprog *program, const struct seccomp_data *data)
{
	struct machine machine = { .data = data };

	for (uint32_t n = 0; n < program->len; n++) {
		const struct sock_filter *at = &program->filter[n];

		if (BPF_CLASS(at->code) == BPF_RET)
			return BPF_RVAL(at->code) == BPF_A ? machine.a : at->k;
		if (BPF_CLASS(at->code) != BPF_JMP)
			step(&machine, at);
		else if (BPF_OP(at->code) == BPF_JA)
			n += at->k < program->len ? at->k : program->len - n;
		else
			n += is_taken(BPF_OP(at->code), machine.a,
				      BPF_SRC(at->code) == BPF_X ? machine.x : at->k)
				     ? at->jt
				     : at->jf;
	}
	return SECCOMP_RET_KILL_PROCESS;
}

/* --- the recorder's own calls --- */

enum need { MAY_FAIL, MUST_WORK };

/* Of a process that has begun, and of one forked from it. @return the first that is forbidden; NULL: none */
static const char *forbidden(const struct sock_fprog *program)
{
	const uint64_t fd = (uint64_t)output_descriptor(), somewhere = (uint64_t)&shared;
	const uint64_t again = O_RDWR | O_APPEND | O_CLOEXEC;
	const struct {
		const char *name;
		enum need need;
		int number;
		uint64_t arguments[4];
	} calls[] = {
		{ "write", MUST_WORK, SYS_write, { fd, somewhere, 4096 } },
		{ "fstat", MUST_WORK, SYS_fstat, { fd, somewhere } },
		{ "prlimit64", MUST_WORK, SYS_prlimit64, { 0, RLIMIT_FSIZE, 0, somewhere } },
		{ "rt_sigprocmask",
		  MUST_WORK,
		  SYS_rt_sigprocmask,
		  { SIG_SETMASK, somewhere, somewhere, 8 } },
		{ "clock_gettime",
		  MUST_WORK,
		  SYS_clock_gettime,
		  { CLOCK_THREAD_CPUTIME_ID, somewhere } },
		{ "getpid", MUST_WORK, SYS_getpid, { 0 } },
		{ "gettid", MUST_WORK, SYS_gettid, { 0 } },
		{ "prctl", MUST_WORK, SYS_prctl, { PR_GET_NAME, somewhere } },
		{ "prctl", MAY_FAIL, SYS_prctl, { PR_SET_NAME, somewhere } },
		{ "open", MAY_FAIL, SYS_open, { somewhere, again | O_CREAT | O_EXCL, 0666 } },
		{ "open", MAY_FAIL, SYS_open, { somewhere, again } },
		{ "close", MAY_FAIL, SYS_close, { fd } },
		{ "fcntl", MAY_FAIL, SYS_fcntl, { fd, F_DUPFD_CLOEXEC, 400 } },
		{ "ftruncate", MAY_FAIL, SYS_ftruncate, { fd, 4096 } },
		{ "fchmod", MAY_FAIL, SYS_fchmod, { fd, 0600 } },
		{ "unlink", MAY_FAIL, SYS_unlink, { somewhere } },
		{ "pwrite64", MAY_FAIL, SYS_pwrite64, { fd, somewhere, 8, 4096 } },
		{ "mmap",
		  MAY_FAIL,
		  SYS_mmap,
		  { 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS } },
		{ "mmap", MAY_FAIL, SYS_mmap, { 0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE } },
		{ "munmap", MAY_FAIL, SYS_munmap, { somewhere, 4096 } },
		{ "madvise", MAY_FAIL, SYS_madvise, { somewhere, 4096, MADV_DONTNEED } },
		{ "membarrier", MAY_FAIL, SYS_membarrier, { MEMBARRIER_CMD_PRIVATE_EXPEDITED } },
		{ "sched_yield", MAY_FAIL, SYS_sched_yield, { 0 } },
		{ "sigaltstack", MAY_FAIL, SYS_sigaltstack, { 0, somewhere } },
		{ "tgkill", MAY_FAIL, SYS_tgkill, { 1, 1, 0 } },
	};

	for (size_t n = 0; n < sizeof(calls) / sizeof(*calls); n++) {
		struct seccomp_data data = { .nr = calls[n].number, .arch = AUDIT_ARCH_X86_64 };
		uint32_t action;

		for (unsigned int i = 0; i < 4; i++)
			data.args[i] = calls[n].arguments[i];
		action = verdict(program, &data) & SECCOMP_RET_ACTION_FULL;
		if (action != SECCOMP_RET_ALLOW && action != SECCOMP_RET_LOG &&
		    !(action == SECCOMP_RET_ERRNO && calls[n].need == MAY_FAIL))
			return calls[n].name;
	}
	return NULL;
}

/* The kernel refuses what it cannot read, and libraries ask it so what it knows. */
static int can_be_read(const struct sock_fprog *program)
{
	uint64_t at, end;

	if (!is_readable((uint64_t)program) || !is_readable((uint64_t)(program + 1) - 8) ||
	    !program->len || program->len > LENGTH_MOST)
		return 0;
	at = (uint64_t)program->filter;
	end = at + program->len * sizeof(*program->filter);
	for (; at < end; at = (at / 4096 + 1) * 4096)
		if (!is_readable(at))
			return 0;
	return 1;
}

/* @param mode  of prctl(2) */
static void notice(unsigned long mode, const struct sock_fprog *program)
{
	const char *name = NULL;

	if (!life_has_begun())
		return;
	if (mode == SECCOMP_MODE_STRICT)
		name = "all";
	else if (mode == SECCOMP_MODE_FILTER && can_be_read(program))
		name = forbidden(program);
	if (name)
		life_stop("seccomp(2) forbids system calls, what comes is not recorded", name);
}

/* --- in front of the C library's --- */

EXPORTED int prctl(int option, ...)
{
	unsigned long arguments[4];
	va_list list;

	va_start(list, option);
	for (unsigned int n = 0; n < 4; n++)
		arguments[n] = va_arg(list, unsigned long);
	va_end(list);
	if (option == PR_SET_SECCOMP)
		notice(arguments[0], (const struct sock_fprog *)arguments[1]);
	if (!real.prctl)
		real_find();
	return real.prctl(option, arguments[0], arguments[1], arguments[2], arguments[3]);
}

extern long (*filters_next)(long number, ...);
long (*filters_next)(long number, ...);
void filters_look(long number, unsigned long a, unsigned long b, unsigned long c);

void filters_look(long number, unsigned long a, unsigned long b, unsigned long c)
{
	if (!real.syscall)
		real_find();
	filters_next = real.syscall;
	if (number == SYS_seccomp && a == SECCOMP_SET_MODE_STRICT)
		notice(SECCOMP_MODE_STRICT, NULL);
	else if (number == SYS_seccomp && a == SECCOMP_SET_MODE_FILTER)
		notice(SECCOMP_MODE_FILTER, (const struct sock_fprog *)c);
	else if (number == SYS_prctl && a == PR_SET_SECCOMP)
		notice(b, (const struct sock_fprog *)c);
}

/*
 * syscall(2) may return twice, also with another stack: nothing of it is to be on that, so it jumps to the
 * real one, with all registers as they were. 317 and 157: seccomp(2), prctl(2).
 */
_Static_assert(SYS_seccomp == 317 && SYS_prctl == 157, "numbers below");

__asm__(".text\n.p2align 4\n.globl syscall\n.type syscall, @function\nsyscall:\n.cfi_startproc\n"
	"cmpq $317, %rdi\n je 1f\n cmpq $157, %rdi\n je 1f\n"
	"cmpq $0, filters_next(%rip)\n je 1f\n jmp *filters_next(%rip)\n"
	"1: push %rdi\n push %rsi\n push %rdx\n push %rcx\n push %r8\n push %r9\n sub $8, %rsp\n"
	".cfi_adjust_cfa_offset 56\n call filters_look\n add $8, %rsp\n"
	"pop %r9\n pop %r8\n pop %rcx\n pop %rdx\n pop %rsi\n pop %rdi\n"
	".cfi_adjust_cfa_offset -56\n jmp *filters_next(%rip)\n"
	".cfi_endproc\n.size syscall, .-syscall\n");
