/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an instruction of a kernel does, in bits, for its assembly and for C: each instruction of
 * kernels_x86_64.S stands there with these.
 */
#ifndef ACCURACY_CLASSES_H
#define ACCURACY_CLASSES_H

#define CLASS_PLAIN 0x0
#define CLASS_LOAD 0x1
#define CLASS_STORE 0x2
#define CLASS_LOCKED 0x4
#define CLASS_BRANCH 0x8
#define CLASS_TAKEN 0x10   /* a branch that always is */
#define CLASS_LOOP 0x20    /* one that is taken but for the last time */
#define CLASS_RETURN 0x40
#define CLASS_MISS 0x80    /* a load whose line is in no L1 of the size that the kernel is for */
#define CLASS_READ 0x100   /* read(2), which also stores what it reads into the first watched word */
#define CLASS_WRITE 0x200  /* write(2) */
#define CLASS_FAULT 0x400  /* the first access to a page */
/* Accesses to the watched words, by user code */
#define CLASS_STORE_WORD0 0x800
#define CLASS_STORE_WORD1 0x1000
#define CLASS_STORE_WORD2 0x2000
#define CLASS_STORE_WORD3 0x4000
#define CLASS_LOAD_WORD0 0x8000
#define CLASS_MARK 0x10000 /* the instruction that a breakpoint on execution is set on */
#define CLASS_FETCH 0x20000 /* the first one of a line of code, of CODE_LINE bytes, that a jump leads into */

#define CLASS_CHAINED 0x40000 /* a load that waits for the one before, when nothing else takes as long */
#define CLASS_CYCLE 0x80000   /* an addition that waits for the one before: a cycle */

/* How often it is executed: once, once in each outer turn, once in each turn */
#define PART_FIXED 0
#define PART_OUTER 1
#define PART_TURN 2

/* No core fetches more at a time */
#define CODE_LINE 64

/* Bytes from one watched word to the next: a cache line for each */
#define WATCH_STRIDE 64

/* Where struct kernel_state has what the kernels read */
#define STATE_OUTER 0
#define STATE_INNER 8
#define STATE_MEMORY 16
#define STATE_STRIDE 24
#define STATE_FD 32

#endif
