/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the recorder of objects knows of an address at a time: a block of the heap, a mapping, the stack or
 * the thread-local variables of a thread, or what the program has named itself.
 */
#ifndef ANALYSIS_OBJECTS_LIFETIME_H
#define ANALYSIS_OBJECTS_LIFETIME_H

#include <stdint.h>

enum lifetime_kind {
	LIFETIME_NONE,
	LIFETIME_BLOCK, /* of the heap */
	LIFETIME_NAMED, /* by the program */
	LIFETIME_MAPPING,
	LIFETIME_STACK, /* of a thread */
	LIFETIME_TLS /* a module's thread-local variables, of a thread */
};

/* Why nothing is known of an address */
enum lifetime_absent {
	LIFETIME_PRESENT,
	LIFETIME_NO_FILE, /* the recording names no side file of that process */
	LIFETIME_NOT_OPENED, /* it is not there, or cannot be read */
	LIFETIME_NO_CLOCK, /* its times cannot be told on the recording's clock */
	LIFETIME_NOT_RECORDED, /* nothing that was recorded is there */
	LIFETIME_LEFT_OUT, /* the process is not among those whose side files are read, which are too many */
	LIFETIME_LOST /* the side file could not be written any more by then */
};

/* A file that the process has loaded code of */
struct lifetime_module {
	uint64_t code; /* where that is */
	uint32_t name;
	uint16_t file; /* that the name is of */
};

/* Strings and addresses belong to the side files. */
struct lifetime {
	enum lifetime_kind kind;
	enum lifetime_absent absent;
	int just_freed; /* it was freed so shortly before that the access may have come first */
	uint64_t start, bytes;
	double probability; /* BLOCK: of being recorded; 1: always */
	uint64_t block; /* BLOCK: a number of its own, not 0, which is a forked process's, too */
	int is_thinned; /* of the process's blocks some are not recorded, by chance */
	const uint64_t *stack; /* return addresses of those who asked for it, the innermost first */
	uint32_t stack_count;
	uint32_t stack_pid; /* in whose code these are, … */
	uint64_t stack_time; /* … as it was then */
	uint32_t tid; /* STACK, TLS */
	const char *name; /* NAMED, or the module of TLS; NULL: it has none */
	const char *type; /* NAMED: as the program has it */
	const char *tag;
	uint64_t stride; /* NAMED: of an array; 0: it is none */
	uint64_t code; /* TLS: where the module's code is; 0: not known */
	int is_before; /* TLS: 'start' is the thread's pointer, and variables are before that */
	/* Where its types are: the executable, "" if that is not known, else files that were loaded */
	const char *executable;
	const struct lifetime_module *modules;
	uint32_t module_count;
};

#endif
