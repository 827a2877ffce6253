/* SPDX-License-Identifier: BSD-3-Clause */
/* See tracefs.h. */
#include "tracefs.h"

#include <inttypes.h>
#include <limits.h>

static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

FILE *tracefs_open(const char *root, const char *tracepoint, const char *file)
{
	FILE *found = NULL;

	for (size_t n = 0; n < sizeof(places) / sizeof(places[0]) && !found; n++) {
		char path[PATH_MAX];

		if (snprintf(path, sizeof(path), "%s%s/events/%s/%s", root, places[n], tracepoint, file) <
		    (int)sizeof(path))
			found = fopen(path, "re");
	}
	return found;
}

int tracefs_attr(const char *root, const char *tracepoint, struct perf_event_attr *attr)
{
	FILE *file = tracefs_open(root, tracepoint, "id");
	uint64_t id;
	int found;

	if (!file)
		return 0;
	found = fscanf(file, "%" SCNu64, &id) == 1 && id;
	fclose(file);
	if (!found)
		return 0;
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = id;
	return 1;
}
