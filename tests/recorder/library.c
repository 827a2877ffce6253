/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that truth.c loads: it has a thread-local variable, and allocates. */
#include <stdlib.h>

static __thread char local[500] = "of the library";

char *its_local(void);
void *its_block(size_t size);

char *its_local(void)
{
	return local;
}

void *its_block(size_t size)
{
	return malloc(size);
}
