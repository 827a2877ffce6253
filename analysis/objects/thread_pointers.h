/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where threads have their thread-local variables, without a recorder beside. No sample has the thread's
 * pointer, fs of x86-64. But where the instruction is exact and its only data are so far from fs, as of the
 * stack guard at %fs:0x28, the data's address tells it; and a program's own variables end there (the ABI's
 * variant II: Drepper, ELF Handling For Thread-Local Storage, 3.4.6).
 */
#ifndef ANALYSIS_OBJECTS_THREAD_POINTERS_H
#define ANALYSIS_OBJECTS_THREAD_POINTERS_H

#include <stdint.h>

/* Which program a process ran: as model_epoch() says it */
struct thread_process {
	uint32_t pid, epoch;
};

struct thread_pointer {
	struct thread_process process;
	uint64_t pointer;
	uint32_t tid;
	uint32_t seen; /* samples that say so, up to some */
	uint64_t until; /* time of its end; UINT64_MAX: none is known */
};

struct thread_program {
	struct thread_process process;
	uint64_t code; /* of the executable, an address */
	uint8_t is_asked, has_variables; /* of threads: others are not asked for */
};

/* Zeroed memory knows none. */
struct thread_pointers {
	struct thread_pointer *list; /* in their order, so that those of a process lie together */
	struct thread_program *programs;
	uint32_t count, room, program_count, program_room;
	int is_settled; /* what there is to know has been seen once */
};

/*
 * A sample of the thread says so. What one sample says alone is not believed.
 * @return 0, or -1 if memory is short
 */
int thread_pointers_learn(struct thread_pointers *pointers, struct thread_process process,
			  uint32_t tid, uint64_t pointer);
/* The thread has ended. Its memory may be something else's from then on. */
void thread_pointers_end(struct thread_pointers *pointers, uint32_t pid, uint32_t tid,
			 uint64_t time);

/* The first code that is mapped is the executable's: others come too late. 0, or -1 if memory is short */
int thread_pointers_map(struct thread_pointers *pointers, struct thread_process process,
			uint64_t code);
/* It has been forked, and runs what its parent runs. */
int thread_pointers_fork(struct thread_pointers *pointers, struct thread_process parent,
			 struct thread_process child);
/* NULL: it is not known */
struct thread_program *thread_pointers_program(const struct thread_pointers *pointers,
					       struct thread_process process);
/* An address of its code; 0: it is not known */
uint64_t thread_pointers_code(const struct thread_pointers *pointers,
			      struct thread_process process);

/* The next pointer behind an address, of a thread that was there then; NULL: none is near */
const struct thread_pointer *thread_pointers_find(const struct thread_pointers *pointers,
						  struct thread_process process, uint64_t time,
						  uint64_t address);

/* All has been read. @return 1 if that should be once more, now that more is known */
int thread_pointers_settle(struct thread_pointers *pointers);

void thread_pointers_free(struct thread_pointers *pointers);

#endif
