/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Libraries that few runs need: loaded when they are, and not with each program, whose start would take as
 * long as theirs.
 */
#ifndef LIBDECODE_CODE_LIBRARY_H
#define LIBDECODE_CODE_LIBRARY_H

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/*
 * Load the library of that name ("libpfm.so.4"), and put where its functions are into 'calls', a struct of
 * 'count' pointers to those with these names, in their order. It stays loaded when it is closed: it has a
 * state of its own, and so have those that it is made of.
 * @return for dlclose(3); NULL: it is not there, or lacks one of them
 */
static inline void *library_open(const char *library, const char *const *names, size_t count,
				 void *calls)
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

#endif
