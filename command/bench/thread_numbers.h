/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a kernel runs in at the same time: the numbers that are measured with, and their words. */
#ifndef BENCH_THREAD_NUMBERS_H
#define BENCH_THREAD_NUMBERS_H

#include "statistics/table.h"

/* Of them, one behind the other */
#define THREAD_COUNTS_MOST 16u

struct thread_numbers {
	uint32_t numbers[THREAD_COUNTS_MOST]; /* in rising order, each once */
	uint32_t count;
};

/* Where it is not there yet. 0, or -1: there are THREAD_COUNTS_MOST others */
int threads_add(struct thread_numbers *threads, uint32_t number);

/* "1,2,4" */
#define THREADS_TEXT 64
void threads_text(const struct thread_numbers *threads, char text[THREADS_TEXT]);

/* The next cell: the same in text, else a list */
void threads_cell(const struct thread_numbers *threads, int is_text, struct document *document);

/* ", 4 threads"; of one nothing */
#define THREADS_WORDS 24
const char *threads_words(uint32_t threads, char words[THREADS_WORDS]);

/* CPUs that this process may use: more threads than these take turns. 0: that is not known */
uint32_t threads_at_once(void);

#endif
