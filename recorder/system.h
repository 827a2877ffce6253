/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * System calls without the C library: its wrappers set errno, are points where a thread may be cancelled, and
 * some are functions that the recorder itself stands in front of. All return what the kernel does: -errno.
 */
#ifndef PRECIS_RECORDER_SYSTEM_H
#define PRECIS_RECORDER_SYSTEM_H

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static inline long system_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#define CALL1(number, a) system_call((number), (long)(a), 0, 0, 0, 0, 0)
#define CALL2(number, a, b) system_call((number), (long)(a), (long)(b), 0, 0, 0, 0)
#define CALL3(number, a, b, c) system_call((number), (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define CALL4(number, a, b, c, d) system_call((number), (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

/*
 * Memory of the recorder's own, zeroed, which costs nothing before it is touched. @return NULL: there is
 * none
 */
static inline void *own_memory(size_t bytes)
{
	long start = system_call(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return start < 0 && start > -4096 ? NULL : (void *)start;
}

/* The same again, all zeros */
static inline void own_memory_clear(void *start, size_t bytes)
{
	CALL3(SYS_madvise, start, bytes, MADV_DONTNEED);
}

static inline void own_memory_free(void *start, size_t bytes)
{
	CALL2(SYS_munmap, start, bytes);
}

/* What no signal handler may come into the middle of. @return the mask that was, as the kernel has it */
static inline uint64_t signals_block(void)
{
	const uint64_t all = ~UINT64_C(0);
	uint64_t before = 0;

	CALL4(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(all));
	return before;
}

static inline void signals_restore(uint64_t before)
{
	CALL4(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
}

/*
 * Are there eight bytes? The kernel reads a mask before it looks at what is to be done with it, and knows no
 * such thing.
 */
static inline int is_readable(uint64_t address)
{
	return CALL4(SYS_rt_sigprocmask, -1, address, NULL, sizeof(uint64_t)) != -EFAULT;
}

static inline int own_pid(void)
{
	return (int)CALL1(SYS_getpid, 0);
}

static inline int own_tid(void)
{
	return (int)CALL1(SYS_gettid, 0);
}

#endif
