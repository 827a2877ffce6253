/* SPDX-License-Identifier: BSD-3-Clause */
/* Where files are looked for: the caller's options with their defaults filled in. */
#ifndef PRECIS_SYMBOLS_PLACES_H
#define PRECIS_SYMBOLS_PLACES_H

#include <precis/symbols.h>

#include "build_id.h"

#define PLACE_PATH 4096 /* PATH_MAX */

/* Names of objects that are no paths */
#define VDSO_NAME "[vdso]"
#define KERNEL_NAME "[kernel.kallsyms]"

struct places {
	char *symfs; /* "" for the root of this machine */
	char **debug_directories; /* ends with NULL */
	char **build_id_caches; /* ends with NULL */
	const char *debug_root, *cache_root; /* of these: symfs if they are those in it, else "" */
	char *kallsyms; /* NULL: not given */
	char *recording_directory; /* NULL: not given */
	int any_build_id;
	int opens_no_files;
	precis_symbols_fetch_fn fetch; /* NULL: nothing is fetched */
	void *fetch_data;
};

/** @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY: then it is to be freed, too */
int precis_places_init(struct places *places, const struct precis_symbols_options *options);
void precis_places_free(struct places *places);

/** The path of a file in a build-id cache, "elf", "debug" … @return 0 if it is too long */
int precis_places_cached(char path[PLACE_PATH], const char *cache, const struct build_id *id,
			 const char *file);

/** "DIRECTORY/.build-id/xx/yyyy.debug" @return 0 if it is too long */
int precis_places_debug(char path[PLACE_PATH], const char *directory, const struct build_id *id);

/** What somebody fetches of a build: enum precis_symbols_fetch. @return 0 if nobody does */
int precis_places_fetched(char path[PLACE_PATH], const struct places *places,
			  const struct build_id *id, uint32_t what);

/** Does a name have ".." as a part? Below a directory of debug files it would lead out of that. */
int precis_places_leads_up(const char *name);

/** Join up to three strings (NULL: none). @return 0 if they are too long */
int precis_places_join(char path[PLACE_PATH], const char *first, const char *second,
		       const char *third);

#endif
