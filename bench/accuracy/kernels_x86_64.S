/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels: loops of which it is known what each instruction does and how often it is executed.
 *
 * Each instruction is written with the macro I, which notes where it stands, how long it is, what it does
 * (classes.h) and in which part: the sums of these notes are the kernel's truth, which truth.h compares with
 * the table, with a disassembler and with single steps. Kernels begin at a cache line, and so do their
 * loops, so that where an instruction stands does not depend on what is built around it.
 *
 * A kernel is a function of the System V ABI with one argument, struct kernel_state, that uses no register
 * which it would have to preserve. In kernels of our own a jump never stands right behind the instruction
 * that sets its flags, so that no core fuses the two into one op; those of the paper are as they are there,
 * but for the names of registers.
 */
#include "bench/accuracy/classes.h"

#ifdef __x86_64__

/* One instruction and what is noted of it: struct kernel_site */
.macro I class, instruction:vararg
991:	\instruction
992:
	.pushsection .rodata
	.long 991b - 990b, 992b - 991b, \class, part
	.popsection
.endm

.macro kernel name
	.text
	.balign 64
	.globl kernel_\name
	.hidden kernel_\name
	.type kernel_\name, @function
kernel_\name:
990:
	.pushsection .rodata
	.balign 4
	.globl kernel_sites_\name
	.hidden kernel_sites_\name
kernel_sites_\name:
	.popsection
	.set part, PART_FIXED
.endm

.macro end_kernel name
	.size kernel_\name, . - kernel_\name
	.pushsection .rodata
	.globl kernel_sites_end_\name
	.hidden kernel_sites_end_\name
kernel_sites_end_\name:
	.popsection
.endm

/* Outer turns in %rdx, turns of each in %r10, memory in %rcx; then the outer loop at a cache line */
.macro begin class=CLASS_PLAIN
	I (CLASS_LOAD|\class), movq STATE_OUTER(%rdi), %rdx
	I CLASS_LOAD, movq STATE_INNER(%rdi), %r10
	I CLASS_LOAD, movq STATE_MEMORY(%rdi), %rcx
	I (CLASS_BRANCH|CLASS_TAKEN), jmp 1f
	.balign 64
1:
	.set part, PART_OUTER
.endm

.macro fill count
	.rept \count
	I CLASS_PLAIN, leaq 1(%r8), %r8
	.endr
.endm

/* The end of a turn, of an outer turn and of the kernel; 1 and 2 are where they begin. 3 and 2 instructions */
.macro again
	I CLASS_PLAIN, subq $1, %rax
	I CLASS_PLAIN, leaq 1(%r9), %r9
	I (CLASS_BRANCH|CLASS_LOOP), jnz 2b
	.set part, PART_OUTER
	I CLASS_PLAIN, subq $1, %rdx
	I CLASS_PLAIN, leaq 1(%r9), %r9
	I (CLASS_BRANCH|CLASS_LOOP), jnz 1b
	.set part, PART_FIXED
	I (CLASS_BRANCH|CLASS_TAKEN|CLASS_RETURN|CLASS_LOAD), ret
.endm

.macro turns
	I CLASS_PLAIN, movq %r10, %rax
	.set part, PART_TURN
2:
.endm

/* --- kernels of our own --- */

.macro alu name, fillers
	kernel \name
	begin
	turns
	I CLASS_MARK, leaq 1(%r8), %r8
	fill \fillers
	again
	end_kernel \name
.endm
	alu alu20, 16
	alu alu100, 96

/*
 * What a cycle takes: additions of two registers take one on every core, and none is left out, as a core may do
 * with those of a constant.
 */
	kernel additions
	begin
	turns
	.rept 97
	I CLASS_CYCLE, addq %rcx, %rsi
	.endr
	again
	end_kernel additions

/* Each element of the memory holds where the next one is, in bytes from the first. */
.macro chase name, fillers
	kernel \name
	begin
	I CLASS_PLAIN, movq %rcx, %rsi
	turns
	I (CLASS_LOAD|CLASS_MISS), movl (%rsi), %esi
	I CLASS_PLAIN, addq %rcx, %rsi
	fill \fillers
	again
	end_kernel \name
.endm
	chase chase20, 15
	chase chase100, 95

/*
 * The same of memory of some size: what a load takes. Its address is the sum of two registers, so that it waits
 * for the load before alone.
 */
.macro ladder name, class
	kernel \name
	begin
	I CLASS_PLAIN, xorl %esi, %esi
	turns
	I (CLASS_LOAD|CLASS_CHAINED|\class), movl (%rcx,%rsi), %esi
	fill 1
	again
	end_kernel \name
.endm
	ladder ladder16k, CLASS_PLAIN
	ladder ladder256k, CLASS_MISS
	ladder ladder8m, CLASS_MISS
	ladder ladder64m, CLASS_MISS

/* Loads of one word, each with so many instructions behind it */
.macro loads name, count, fillers
	kernel \name
	begin
	turns
	.rept \count
	I CLASS_LOAD, movq (%rcx), %rsi
	fill \fillers
	.endr
	again
	end_kernel \name
.endm
	loads loads4, 4, 0
	loads loads7, 7, 0
	loads loads20, 20, 0
	loads loads4_apart, 4, 8

/* The same, each waiting for the one before: the word holds its own address. */
.macro dependent_loads name, count
	kernel \name
	begin
	I CLASS_PLAIN, movq %rcx, %rsi
	turns
	.rept \count
	I CLASS_LOAD, movq (%rsi), %rsi
	.endr
	again
	end_kernel \name
.endm
	dependent_loads loads7_dependent, 7

/* A miss, and loads of one word that hit, of which one may be seen in its place */
	kernel shadow
	begin
	I CLASS_PLAIN, movq %rcx, %rsi
	turns
	I (CLASS_LOAD|CLASS_MISS), movl (%rsi), %esi
	I CLASS_PLAIN, addq %rcx, %rsi
	.rept 8
	I CLASS_LOAD, movq STATE_STRIDE(%rdi), %r11
	.endr
	again
	end_kernel shadow

/* Some of all: a call and its return, locked operations, branches that are taken and that are not */
	kernel mixed
	begin
	turns
	I (CLASS_LOAD|CLASS_STORE|CLASS_LOCKED), lock addl $1, (%rcx)
	I (CLASS_BRANCH|CLASS_TAKEN|CLASS_STORE), call 3f
	I CLASS_LOAD, movl (%rcx), %esi
	I CLASS_PLAIN, testq %rcx, %rcx
	I CLASS_PLAIN, leaq 1(%r8), %r8
	I CLASS_BRANCH, jz 4f
	I CLASS_STORE, movq %r8, 64(%rcx)
	I CLASS_PLAIN, testq %rcx, %rcx
	I CLASS_PLAIN, leaq 1(%r8), %r8
	I (CLASS_BRANCH|CLASS_TAKEN), jnz 4f
	nop /* which is never executed */
4:	again
	.set part, PART_TURN
3:	I CLASS_PLAIN, leaq 1(%r8), %r8
	I (CLASS_BRANCH|CLASS_TAKEN|CLASS_RETURN|CLASS_LOAD), ret
	end_kernel mixed

/*
 * A number into an eventfd and out of it, which the kernel stores into the first watched word: nothing in
 * user mode is locked or stores into that, and the kernel does both.
 */
	kernel syscalls
	I CLASS_LOAD, movq STATE_OUTER(%rdi), %r9
	I CLASS_LOAD, movq STATE_INNER(%rdi), %r10
	I CLASS_LOAD, movq STATE_MEMORY(%rdi), %rsi
	I CLASS_LOAD, movq STATE_FD(%rdi), %rdi
	I CLASS_PLAIN, movl $8, %edx
	I (CLASS_BRANCH|CLASS_TAKEN), jmp 1f
	.balign 64
1:	.set part, PART_OUTER
	I CLASS_PLAIN, movq %r10, %r8
	.set part, PART_TURN
2:	I CLASS_PLAIN, leaq WATCH_STRIDE(%rsi), %rsi
	I CLASS_PLAIN, movl $1, %eax
	I CLASS_WRITE, syscall
	I CLASS_PLAIN, leaq -WATCH_STRIDE(%rsi), %rsi
	I CLASS_PLAIN, xorl %eax, %eax
	I CLASS_READ, syscall
	I CLASS_PLAIN, subq $1, %r8
	I CLASS_PLAIN, leaq (%rcx), %rcx
	I (CLASS_BRANCH|CLASS_LOOP), jnz 2b
	.set part, PART_OUTER
	I CLASS_PLAIN, subq $1, %r9
	I CLASS_PLAIN, leaq (%rcx), %rcx
	I (CLASS_BRANCH|CLASS_LOOP), jnz 1b
	.set part, PART_FIXED
	I (CLASS_BRANCH|CLASS_TAKEN|CLASS_RETURN|CLASS_LOAD), ret
	end_kernel syscalls

/* Four words that are stored into, and one of them that is loaded */
	kernel watch
	begin
	turns
	I (CLASS_STORE|CLASS_STORE_WORD0), movq %rax, (%rcx)
	fill 3
	I (CLASS_STORE|CLASS_STORE_WORD1), movq %rax, WATCH_STRIDE(%rcx)
	fill 3
	I (CLASS_STORE|CLASS_STORE_WORD2), movq %rax, 2*WATCH_STRIDE(%rcx)
	fill 3
	I (CLASS_STORE|CLASS_STORE_WORD3), movq %rax, 3*WATCH_STRIDE(%rcx)
	fill 3
	I (CLASS_LOAD|CLASS_LOAD_WORD0), movq (%rcx), %rsi
	I CLASS_MARK, leaq 1(%r8), %r8
	fill 2
	again
	end_kernel watch

/* Four stores into one of them: which of these a sample names is the period's doing */
	kernel stores4
	begin
	turns
	.rept 4
	I (CLASS_STORE|CLASS_STORE_WORD0), movq %rax, (%rcx)
	fill 1
	.endr
	again
	end_kernel stores4

/* Each turn stores into the next page, for the first time. */
	kernel touch
	begin
	I CLASS_LOAD, movq STATE_STRIDE(%rdi), %r11
	turns
	I (CLASS_STORE|CLASS_FAULT), movq %rax, (%rcx)
	I CLASS_PLAIN, addq %r11, %rcx
	fill 4
	again
	end_kernel touch

/*
 * Lines of code, into each of which a jump leads: code of a line comes by one fetch, whether that has 32 or 64
 * bytes. A sample that names anything but the first instruction of a line is wrong.
 */
	kernel jumps
	begin CLASS_FETCH
	I CLASS_FETCH, movq %r10, %rax
	I (CLASS_BRANCH|CLASS_TAKEN), jmp 2f
	.balign CODE_LINE
	.set part, PART_TURN
2:
	.rept 7
	I CLASS_FETCH, leaq 1(%r8), %r8
	fill 2
	I (CLASS_BRANCH|CLASS_TAKEN), jmp 3f
	.balign CODE_LINE
3:
	.endr
	I CLASS_FETCH, leaq 1(%r8), %r8
	again
	end_kernel jumps

/* --- the paper's --- */

/* Accuracy-Bench. Each element of the memory holds the number of the next one, 128 bytes each. */
.macro accuracy name, fillers
	kernel \name
	begin
	I CLASS_PLAIN, movl %r10d, %eax
	I CLASS_PLAIN, movq %rcx, %rsi
	.set part, PART_TURN
2:	I (CLASS_LOAD|CLASS_MISS), movl (%rsi), %esi
	I CLASS_PLAIN, shlq $7, %rsi
	I CLASS_PLAIN, addq %rcx, %rsi
	.rept \fillers
	I CLASS_PLAIN, addq $1, %r8
	.endr
	I CLASS_PLAIN, decl %eax
	I (CLASS_BRANCH|CLASS_LOOP), jnz 2b
	.set part, PART_OUTER
	I CLASS_PLAIN, decl %edx
	I (CLASS_BRANCH|CLASS_LOOP), jnz 1b
	.set part, PART_FIXED
	I (CLASS_BRANCH|CLASS_TAKEN|CLASS_RETURN|CLASS_LOAD), ret
	end_kernel \name
.endm
	accuracy accuracy20, 15
	accuracy accuracy40, 35
	accuracy accuracy60, 55
	accuracy accuracy80, 75
	accuracy accuracy100, 95

/* bias-bench: one loop, which here is the inner one */
	kernel bias
	begin
	I CLASS_PLAIN, movq %r10, %rax
	.set part, PART_TURN
2:	.rept 4
	I CLASS_LOAD, movl (%rcx), %esi
	.endr
	I CLASS_PLAIN, subq $1, %rax
	I CLASS_PLAIN, cmpq $0, %rax
	I (CLASS_BRANCH|CLASS_LOOP), jne 2b
	.set part, PART_OUTER
	I CLASS_PLAIN, subq $1, %rdx
	I CLASS_PLAIN, cmpq $0, %rdx
	I (CLASS_BRANCH|CLASS_LOOP), jne 1b
	.set part, PART_FIXED
	I (CLASS_BRANCH|CLASS_TAKEN|CLASS_RETURN|CLASS_LOAD), ret
	end_kernel bias

/* The one of several events, with a function as -O0 makes it of an empty one */
	kernel multi_event
	begin
	I CLASS_PLAIN, movq %r10, %rax
	.set part, PART_TURN
2:	I (CLASS_BRANCH|CLASS_TAKEN|CLASS_STORE), call 3f
	I (CLASS_LOAD|CLASS_STORE|CLASS_LOCKED), lock addl $1, (%rcx)
	I (CLASS_LOAD|CLASS_STORE|CLASS_LOCKED), lock addl $1, (%rcx)
	I CLASS_LOAD, movl (%rcx), %esi
	I CLASS_PLAIN, subq $1, %rax
	I CLASS_PLAIN, cmpq $-1, %rax
	I CLASS_BRANCH, je 4f
	I CLASS_PLAIN, cmpq $0, %rax
	I (CLASS_BRANCH|CLASS_LOOP), jne 2b
4:	.set part, PART_OUTER
	I CLASS_PLAIN, subq $1, %rdx
	I CLASS_PLAIN, cmpq $0, %rdx
	I (CLASS_BRANCH|CLASS_LOOP), jne 1b
	.set part, PART_FIXED
	I (CLASS_BRANCH|CLASS_TAKEN|CLASS_RETURN|CLASS_LOAD), ret
	.set part, PART_TURN
3:	I CLASS_STORE, pushq %rbp
	I CLASS_PLAIN, movq %rsp, %rbp
	I CLASS_PLAIN, nop
	I CLASS_LOAD, popq %rbp
	I (CLASS_BRANCH|CLASS_TAKEN|CLASS_RETURN|CLASS_LOAD), ret
	end_kernel multi_event

#endif

#if defined(__linux__) && defined(__ELF__)
	.section .note.GNU-stack, "", %progbits
#endif
