/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See fetch.h. The library is loaded when somebody is to be asked, as libdwfl does: it brings a whole HTTP
 * client, which nobody else waits for. What it fetched it keeps in its own cache.
 */
#include "fetch.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command/usage/complain.h"
#include "libdecode/code/library.h"

#define LIBRARY "libdebuginfod.so.1"
#define SILENCE_MOST 10 /* seconds without a byte */

struct fetching_calls {
	__typeof__(debuginfod_begin) *begin;
	__typeof__(debuginfod_end) *end;
	__typeof__(debuginfod_find_executable) *executable;
	__typeof__(debuginfod_find_debuginfo) *debug;
	__typeof__(debuginfod_find_source) *source;
	__typeof__(debuginfod_set_progressfn) *set_progress;
};

static const char *const names[] = {
	"debuginfod_begin",          "debuginfod_end",         "debuginfod_find_executable",
	"debuginfod_find_debuginfo", "debuginfod_find_source", "debuginfod_set_progressfn",
};
#define NAMES (sizeof(names) / sizeof(names[0]))
_Static_assert(sizeof(struct fetching_calls) == NAMES * sizeof(void *), "a name for each");

void fetching_begin(struct fetching *fetching, const char *command)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (!urls || !*urls || fetching->library)
		return;
	fetching->command = command;
	fetching->calls = malloc(sizeof(*fetching->calls));
	if (!fetching->calls)
		return;
	fetching->library = library_open(LIBRARY, names, NAMES, fetching->calls);
	if (fetching->library && !pthread_mutex_init(&fetching->lock, NULL))
		return;
	if (fetching->library)
		dlclose(fetching->library);
	fetching->library = NULL;
	free(fetching->calls);
}

void fetching_end(struct fetching *fetching)
{
	if (!fetching->library)
		return;
	pthread_mutex_destroy(&fetching->lock);
	free(fetching->calls);
	dlclose(fetching->library);
	fetching->library = NULL;
}

/* --- a server that does not answer is not waited for --- */

/* Of the one call that is under way in a thread: what its progress function is told has no place for it */
static _Thread_local struct {
	long bytes; /* so far */
	time_t since;
	int has_given_up;
} waiting;

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

/*
 * A debuginfod_progressfn_t: not 0 gives up. As long as no server has begun to send, 'bytes' are how often
 * this was called: one more is no progress.
 */
static int take_progress(debuginfod_client *client, long bytes, long all)
{
	(void)client;
	(void)all;
	if (bytes != waiting.bytes + 1 && bytes != waiting.bytes)
		waiting.since = now();
	waiting.bytes = bytes;
	waiting.has_given_up = now() - waiting.since > SILENCE_MOST;
	return waiting.has_given_up;
}

/* --- asking --- */

struct wanted {
	uint32_t what; /* enum precis_symbols_fetch; 0: a source file */
	struct precis_bytes id;
	const char *source;
};

static int ask(const struct fetching_calls *calls, debuginfod_client *client,
	       const struct wanted *wanted, char **path)
{
	const int bytes = (int)wanted->id.bytes;

	switch (wanted->what) {
	case PRECIS_SYMBOLS_FETCH_FILE:
		return calls->executable(client, wanted->id.data, bytes, path);
	case PRECIS_SYMBOLS_FETCH_DEBUG:
		return calls->debug(client, wanted->id.data, bytes, path);
	default:
		return calls->source(client, wanted->id.data, bytes, wanted->source, path);
	}
}

static int ask_and_copy(struct fetching *fetching, const struct wanted *wanted, char *path, size_t room)
{
	const struct fetching_calls *calls = fetching->calls;
	debuginfod_client *client = calls->begin();
	char *found = NULL;
	int fd, length;

	if (!client)
		return 0;
	memset(&waiting, 0, sizeof(waiting));
	waiting.since = now();
	calls->set_progress(client, take_progress);
	fd = ask(calls, client, wanted, &found);
	calls->end(client);
	if (waiting.has_given_up) {
		fetching->is_silent = 1;
		complain(fetching->command, "no server of DEBUGINFOD_URLS answers: none is asked again");
	}
	if (fd < 0)
		return 0;
	close(fd);
	length = snprintf(path, room, "%s", found ? found : "");
	free(found);
	return length > 0 && (size_t)length < room;
}

static int fetch(struct fetching *fetching, const struct wanted *wanted, char *path, size_t room)
{
	int is_found = 0;

	if (!fetching->library || !wanted->id.bytes)
		return 0;
	pthread_mutex_lock(&fetching->lock);
	if (!fetching->is_silent)
		is_found = ask_and_copy(fetching, wanted, path, room);
	pthread_mutex_unlock(&fetching->lock);
	return is_found;
}

int fetch_file(void *data, uint32_t what, struct precis_bytes id, char *path, size_t room)
{
	const struct wanted wanted = { .what = what, .id = id };

	return fetch(data, &wanted, path, room);
}

int fetch_source(struct fetching *fetching, struct precis_bytes id, const char *file, char *path,
		 size_t room)
{
	const struct wanted wanted = { .id = id, .source = file };

	return *file == '/' && fetch(fetching, &wanted, path, room);
}
