/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For programs that want to be stepped: what runs between the two counts, the rest does not.
 * Without the module the program runs untraced. A call is made in few instructions.
 */
#ifndef TRACED_H
#define TRACED_H

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int traced_file = -1;

static inline void traced_write(char c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(SYS_write), "D"((long)traced_file), "S"(&c), "d"(1l)
			 : "rcx", "r11", "memory");
	(void)result;
}

/* An instruction can be read before it runs only if its page is there. */
static inline void traced_open(void)
{
	mlockall(MCL_CURRENT);
	traced_file = open("/proc/precis_model/trace", O_WRONLY | O_CLOEXEC);
}

static inline void traced_begin(void)
{
	traced_write('1');
}

static inline void traced_end(void)
{
	traced_write('0');
}

#endif
