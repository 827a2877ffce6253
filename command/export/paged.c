/* SPDX-License-Identifier: BSD-3-Clause */
/* See paged.h. */
#include "paged.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libdecode/perf/stream/temporary_file.h"

#define STEP_BYTES ((size_t)1 << 20)

int paged_open(struct paged *paged, size_t most)
{
	paged->fd = precis_temporary_file(precis_temporary_directory(NULL));
	if (paged->fd < 0)
		return -1;
	paged->bytes = 0;
	paged->uses = 0;
	paged->array = mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_SHARED, paged->fd, 0);
	if (paged->array == MAP_FAILED) {
		paged->array = NULL;
		close(paged->fd);
		return -1;
	}
	paged->most = most;
	return 0;
}

void paged_close(struct paged *paged)
{
	if (!paged->array)
		return;
	munmap(paged->array, paged->most);
	close(paged->fd);
	*paged = (struct paged){ 0 };
}

/* Pages have a place on the disk before they are written: without one the kernel would end the program. */
int paged_grow(struct paged *paged, size_t bytes)
{
	while (paged->bytes < bytes) {
		errno = posix_fallocate(paged->fd, (off_t)paged->bytes, (off_t)STEP_BYTES);
		if (errno)
			return -1;
		paged->bytes += STEP_BYTES;
	}
	return 0;
}

void paged_give_back(struct paged *paged)
{
	madvise(paged->array, paged->bytes, MADV_DONTNEED);
	paged->uses = 0;
}
