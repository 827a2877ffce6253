/* SPDX-License-Identifier: BSD-3-Clause */
/* See thread_numbers.h. */
#define _GNU_SOURCE /* sched_getaffinity() */
#include "thread_numbers.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

int threads_add(struct thread_numbers *threads, uint32_t number)
{
	uint32_t at = threads->count;

	while (at && threads->numbers[at - 1] >= number)
		at--;
	if (at < threads->count && threads->numbers[at] == number)
		return 0;
	if (threads->count == THREAD_COUNTS_MOST)
		return -1;
	memmove(&threads->numbers[at + 1], &threads->numbers[at],
		(threads->count - at) * sizeof(threads->numbers[0]));
	threads->numbers[at] = number;
	threads->count++;
	return 0;
}

void threads_text(const struct thread_numbers *threads, char text[THREADS_TEXT])
{
	size_t used = 0;

	*text = '\0';
	for (uint32_t n = 0; n < threads->count && used < THREADS_TEXT; n++)
		used += (size_t)snprintf(text + used, THREADS_TEXT - used, "%s%" PRIu32, n ? "," : "",
					 threads->numbers[n]);
}

void threads_cell(const struct thread_numbers *threads, int is_text, struct document *document)
{
	char text[THREADS_TEXT];

	if (is_text) {
		threads_text(threads, text);
		cell_text(document, "%s", text);
		return;
	}
	cell_entries(document);
	for (uint32_t n = 0; n < threads->count; n++)
		member_count(document, NULL, threads->numbers[n]);
	close_nest(document);
}

const char *threads_words(uint32_t threads, char words[THREADS_WORDS])
{
	if (threads == 1)
		*words = '\0';
	else
		snprintf(words, THREADS_WORDS, ", %" PRIu32 " threads", threads);
	return words;
}

uint32_t threads_at_once(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) ? 0 : (uint32_t)CPU_COUNT(&cpus);
}
