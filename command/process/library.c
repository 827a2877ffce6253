/* SPDX-License-Identifier: BSD-3-Clause */
/* See library.h. */
#include "library.h"

#include <dlfcn.h>
#include <string.h>

void *library_open(const char *library, const char *const *names, size_t count, void *calls)
{
	void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

	for (size_t n = 0; loaded && n < count; n++) {
		void *found = dlsym(loaded, names[n]);

		if (!found) {
			dlclose(loaded);
			return NULL;
		}
		/* ISO C has no cast from a pointer to data to one to a function. */
		memcpy((char *)calls + n * sizeof(found), &found, sizeof(found));
	}
	return loaded;
}
