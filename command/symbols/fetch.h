/* SPDX-License-Identifier: BSD-3-Clause */
/* Files by build id from debuginfod servers, where the user has set DEBUGINFOD_URLS. */
#ifndef SYMBOLS_FETCH_H
#define SYMBOLS_FETCH_H

#include <pthread.h>

#include <precis/precis.h>

/* Zeroed memory fetches nothing. */
struct fetching {
	const char *command; /* for messages */
	void *library;       /* NULL: nothing is fetched */
	struct fetching_calls *calls;
	pthread_mutex_t lock; /* recordings are read by several threads */
	int is_silent;        /* a server did not answer: none is asked again */
};

/* Nothing is fetched unless DEBUGINFOD_URLS is set and libdebuginfod is there. */
void fetching_begin(struct fetching *fetching, const char *command);
void fetching_end(struct fetching *fetching);

/* A precis_symbols_fetch_fn; 'data' is the struct. */
int fetch_file(void *data, uint32_t what, struct precis_bytes id, char *path, size_t room);

/* A source file, by its absolute path as the compiler had it. 1: 'path' is a copy of it; 0 */
int fetch_source(struct fetching *fetching, struct precis_bytes id, const char *file, char *path,
		 size_t room);

#endif
