/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Defaults are perf's: perf-buildid-cache(1), and tools/perf/util/dso.c and
 * util/symbol.c of Linux 7.3 for the names below the directories.
 */
#define _GNU_SOURCE /* secure_getenv() */

#include "places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#define KNOWN_FLAGS (PRECIS_SYMBOLS_ANY_BUILD_ID | PRECIS_SYMBOLS_DATA | PRECIS_SYMBOLS_NO_FILES)

static void free_list(char **list)
{
	size_t i;

	for (i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

/* @return NULL if memory is short */
static char **copy_list(const char *const *list)
{
	size_t count = 0, i;
	char **copy;

	while (list[count])
		count++;
	copy = calloc(count + 1, sizeof(*copy));
	for (i = 0; copy && i < count; i++) {
		copy[i] = strdup(list[i]);
		if (!copy[i]) {
			free_list(copy);
			return NULL;
		}
	}
	return copy;
}

/* "DIRECTORY""NAME" as the only one; none without a directory */
static char **default_list(const char *directory, const char *name)
{
	char path[PLACE_PATH];
	const char *list[2] = { NULL, NULL };

	if (directory && precis_places_join(path, directory, name, NULL))
		list[0] = path;
	return copy_list(list);
}

/* @return 0 if memory is short */
static int copy_text(char **copy, const char *text)
{
	*copy = text ? strdup(text) : NULL;
	return !text || *copy;
}

int precis_places_init(struct places *places, const struct precis_symbols_options *options)
{
	static const struct precis_symbols_options none = { .size = sizeof(none) };

	memset(places, 0, sizeof(*places));
	if (!options)
		options = &none;
	if (options->flags & ~KNOWN_FLAGS)
		return PRECIS_E_ARGUMENT;
	places->any_build_id = (options->flags & PRECIS_SYMBOLS_ANY_BUILD_ID) != 0;
	places->opens_no_files = (options->flags & PRECIS_SYMBOLS_NO_FILES) != 0;
	if (!copy_text(&places->symfs, options->symfs ? options->symfs : "") ||
	    !copy_text(&places->kallsyms, options->kallsyms) ||
	    !copy_text(&places->recording_directory, options->recording_directory))
		return PRECIS_E_NO_MEMORY;
	places->fetch = options->fetch;
	places->fetch_data = options->fetch_data;
	places->debug_root = options->debug_directories ? "" : places->symfs;
	places->cache_root = options->build_id_caches ? "" : places->symfs;
	places->debug_directories = options->debug_directories
					    ? copy_list(options->debug_directories)
					    : default_list(places->symfs, "/usr/lib/debug");
	places->build_id_caches =
		options->build_id_caches
			? copy_list(options->build_id_caches)
			: default_list(places->symfs[0] ? places->symfs : secure_getenv("HOME"),
				       "/.debug");
	return places->debug_directories && places->build_id_caches ? 0 : PRECIS_E_NO_MEMORY;
}

void precis_places_free(struct places *places)
{
	free(places->symfs);
	free(places->kallsyms);
	free(places->recording_directory);
	free_list(places->debug_directories);
	free_list(places->build_id_caches);
}

int precis_places_fetched(char path[PLACE_PATH], const struct places *places,
			  const struct build_id *id, uint32_t what)
{
	const struct precis_bytes bytes = { id->data, id->bytes };

	return places->fetch && id->bytes &&
	       places->fetch(places->fetch_data, what, bytes, path, PLACE_PATH) > 0;
}

int precis_places_leads_up(const char *name)
{
	const char *found = name;

	while ((found = strstr(found, "/..")) != NULL) {
		found += 3;
		if (!*found || *found == '/')
			return 1;
	}
	return 0;
}

int precis_places_join(char path[PLACE_PATH], const char *first, const char *second,
		       const char *third)
{
	return snprintf(path, PLACE_PATH, "%s%s%s", first, second ? second : "",
			third ? third : "") < PLACE_PATH;
}

/* "DIRECTORY/.build-id/xx/yyyy""ENDING" */
static int build_id_path(char path[PLACE_PATH], const char *directory, const struct build_id *id,
			 const char *ending)
{
	char digits[2 * BUILD_ID_BYTES + 1] = "";
	uint32_t i;

	for (i = 0; i < id->bytes; i++)
		snprintf(digits + 2 * i, 3, "%02x", id->data[i]);
	return id->bytes > 1 && snprintf(path, PLACE_PATH, "%s/.build-id/%.2s/%s%s", directory,
					 digits, digits + 2, ending) < PLACE_PATH;
}

int precis_places_cached(char path[PLACE_PATH], const char *cache, const struct build_id *id,
			 const char *file)
{
	char ending[32];

	snprintf(ending, sizeof(ending), "/%s", file);
	return build_id_path(path, cache, id, ending);
}

int precis_places_debug(char path[PLACE_PATH], const char *directory, const struct build_id *id)
{
	return build_id_path(path, directory, id, ".debug");
}
