/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources: binary_type_symtab[] and dso__read_binary_type_filename() in
 * tools/perf/util of Linux 7.3; GDB manual, "Debugging Information in Separate Files".
 */
#include "elf_search.h"

#include <stdio.h>
#include <string.h>

#include "crc32.h"

static int is_wanted(const struct elf_search *search, const struct elf_source *source)
{
	const uint8_t *id = NULL;
	size_t bytes = precis_elf_build_id(source, &id);

	return precis_build_id_matches(&search->wanted, id, bytes);
}

/* The length of a path up to its last slash, without that */
static int directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash - path) : 0;
}

/* Those of the file that ran, of debug directories, of caches, of what was fetched */
enum root { ROOT_RUNTIME, ROOT_DEBUG, ROOT_CACHE, ROOT_FETCHED };

static const char *root_of(const struct elf_search *search, enum root root)
{
	switch (root) {
	case ROOT_RUNTIME:
		return search->runtime_root;
	case ROOT_DEBUG:
		return search->places->debug_root;
	case ROOT_FETCHED:
		return "";
	default:
		return search->places->cache_root;
	}
}

/* --- where candidates are: each fills in a path; 0: there is none with that number --------- */

static int beside_link(const struct elf_search *search, unsigned int n, char *path)
{
	static const char *const below[] = { "", "/.debug" };

	if (!search->link[0] || n >= sizeof(below) / sizeof(below[0]))
		return 0;
	if (snprintf(path, PLACE_PATH, "%.*s%s/%s", directory_of(search->runtime_path),
		     search->runtime_path, below[n], search->link) >= PLACE_PATH)
		path[0] = '\0';
	return 1;
}

static int below_debug_link(const struct elf_search *search, unsigned int n, char *path)
{
	const char *debug = search->places->debug_directories[n];

	if (!search->link[0] || !debug)
		return 0;
	if (precis_places_leads_up(search->name) ||
	    snprintf(path, PLACE_PATH, "%s%.*s/%s", debug, directory_of(search->name),
		     search->name, search->link) >= PLACE_PATH)
		path[0] = '\0';
	return 1;
}

static int in_caches(const struct elf_search *search, unsigned int n, char *path, const char *file)
{
	const char *cache = search->places->build_id_caches[n];

	if (!cache)
		return 0;
	if (!precis_places_cached(path, cache, &search->wanted, file))
		path[0] = '\0';
	return 1;
}

static int cached_file(const struct elf_search *search, unsigned int n, char *path)
{
	return in_caches(search, n, path, strcmp(search->name, VDSO_NAME) == 0 ? "vdso" : "elf");
}

static int cached_debug(const struct elf_search *search, unsigned int n, char *path)
{
	return in_caches(search, n, path, "debug");
}

static int below_debug(const struct elf_search *search, unsigned int n, char *path,
		       const char *ending)
{
	const char *debug = search->places->debug_directories[n];

	if (!debug)
		return 0;
	if (precis_places_leads_up(search->name) || !precis_places_join(path, debug, search->name, ending))
		path[0] = '\0';
	return 1;
}

static int same_path_debug(const struct elf_search *search, unsigned int n, char *path)
{
	return below_debug(search, n, path, ".debug");
}

static int same_path(const struct elf_search *search, unsigned int n, char *path)
{
	return below_debug(search, n, path, NULL);
}

static int by_build_id(const struct elf_search *search, unsigned int n, char *path)
{
	const char *debug = search->places->debug_directories[n];

	if (!debug)
		return 0;
	if (!precis_places_debug(path, debug, &search->wanted))
		path[0] = '\0';
	return 1;
}

static int itself(const struct elf_search *search, unsigned int n, char *path)
{
	return n == 0 && precis_places_join(path, search->runtime_path, NULL, NULL);
}

static int beside(const struct elf_search *search, unsigned int n, char *path)
{
	int directory = directory_of(search->runtime_path);

	if (n > 0)
		return 0;
	if (snprintf(path, PLACE_PATH, "%.*s/.debug%s", directory, search->runtime_path,
		     search->runtime_path + directory) >= PLACE_PATH)
		path[0] = '\0';
	return 1;
}

static int fetched(const struct elf_search *search, unsigned int n, char *path)
{
	return n == 0 && precis_places_fetched(path, search->places, &search->wanted,
					       PRECIS_SYMBOLS_FETCH_DEBUG);
}

static const struct {
	int (*path)(const struct elf_search *search, unsigned int n, char *path);
	enum root root;
	int is_linked; /* its checksum says that it is the right one, where no build id does */
	int is_itself;
} candidates[] = {
	{ beside_link, ROOT_RUNTIME, 1, 0 },   { below_debug_link, ROOT_DEBUG, 1, 0 },
	{ cached_file, ROOT_CACHE, 0, 0 },     { cached_debug, ROOT_CACHE, 0, 0 },
	{ same_path_debug, ROOT_DEBUG, 0, 0 }, { same_path, ROOT_DEBUG, 0, 0 },
	{ by_build_id, ROOT_DEBUG, 0, 0 },     { itself, ROOT_RUNTIME, 0, 1 },
	{ beside, ROOT_RUNTIME, 0, 0 },        { fetched, ROOT_FETCHED, 0, 0 },
};
#define CANDIDATES (sizeof(candidates) / sizeof(candidates[0]))

/* --- the file that ran ------------------------------------------------------------------- */

static enum precis_symbol_absent open_at_path(struct elf_search *search,
					      const struct build_id *recorded)
{
	const uint8_t *id = NULL;
	size_t bytes;

	if (search->name[0] != '/' ||
	    !precis_places_join(search->runtime_path, search->places->symfs, search->name, NULL) ||
	    precis_elf_open(search->runtime_root, search->runtime_path, &search->runtime))
		return PRECIS_SYMBOL_NO_FILE;
	bytes = precis_elf_build_id(&search->runtime, &id);
	precis_build_id_set(&search->wanted, id, bytes);
	if (recorded->bytes == 0 || search->places->any_build_id ||
	    precis_build_id_matches(recorded, id, bytes))
		return PRECIS_SYMBOL_PRESENT;
	precis_elf_close(&search->runtime);
	return PRECIS_SYMBOL_OTHER_BUILD_ID;
}

static int open_one_of(struct elf_search *search, const char *root,
		       int (*path)(const struct elf_search *search, unsigned int n, char *path))
{
	search->runtime_root = root;
	for (unsigned int n = 0; path(search, n, search->runtime_path); n++) {
		if (precis_elf_open(search->runtime_root, search->runtime_path, &search->runtime))
			continue;
		if (is_wanted(search, &search->runtime))
			return 1;
		precis_elf_close(&search->runtime);
	}
	return 0;
}

static int open_cached(struct elf_search *search)
{
	return open_one_of(search, search->places->cache_root, cached_file);
}

/* A kernel with symbols is a debug file that has the code, too. */
static int open_debug_kernel(struct elf_search *search)
{
	return strcmp(search->name, KERNEL_NAME) == 0 &&
	       open_one_of(search, search->places->debug_root, by_build_id);
}

static int open_fetched(struct elf_search *search)
{
	search->runtime_root = "";
	if (!precis_places_fetched(search->runtime_path, search->places, &search->wanted,
				   PRECIS_SYMBOLS_FETCH_FILE) ||
	    precis_elf_open("", search->runtime_path, &search->runtime))
		return 0;
	if (is_wanted(search, &search->runtime))
		return 1;
	precis_elf_close(&search->runtime);
	return 0;
}

enum precis_symbol_absent precis_elf_search_begin(struct elf_search *search,
						  const struct places *places, const char *name,
						  const struct build_id *recorded)
{
	enum precis_symbol_absent absent;

	memset(search, 0, sizeof(*search));
	search->places = places;
	search->name = name;
	search->runtime_root = places->symfs;
	if (places->opens_no_files)
		return PRECIS_SYMBOL_NOT_ASKED;
	absent = open_at_path(search, recorded);
	if (absent) {
		search->wanted = *recorded;
		if (!open_cached(search) && !open_debug_kernel(search) && !open_fetched(search))
			return strcmp(name, VDSO_NAME) == 0 ? PRECIS_SYMBOL_NO_VDSO : absent;
	}
	precis_elf_read_segments(&search->runtime, &search->segments);
	precis_elf_debug_link(&search->runtime, search->link, sizeof(search->link),
			      &search->link_crc);
	return PRECIS_SYMBOL_PRESENT;
}

/* --- what tells of it -------------------------------------------------------------------- */

static int is_certain(const struct elf_search *search, const struct elf_source *source,
		      unsigned int kind)
{
	uint32_t crc;

	if (candidates[kind].is_itself)
		return 1;
	if (search->wanted.bytes > 0)
		return is_wanted(search, source);
	return candidates[kind].is_linked && precis_crc32_of_file(source->fd, &crc) &&
	       crc == search->link_crc;
}

int precis_elf_search_next(struct elf_search *search, struct elf_source *source)
{
	char *path = search->found_path;

	while (search->kind < CANDIDATES) {
		unsigned int kind = search->kind;

		if (!candidates[kind].path(search, search->at++, path)) {
			search->kind++;
			search->at = 0;
			continue;
		}
		search->found_root = root_of(search, candidates[kind].root);
		if (!path[0] || precis_elf_open(search->found_root, path, source))
			continue;
		if (is_certain(search, source, kind))
			return 1;
		precis_elf_close(source);
	}
	return 0;
}

void precis_elf_search_end(struct elf_search *search)
{
	precis_elf_close(&search->runtime);
}
