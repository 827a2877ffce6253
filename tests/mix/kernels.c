// SPDX-License-Identifier: BSD-3-Clause
/* kernels NAME COUNT ROUNDS: calls one of tests/mix/kernels.S so often, COUNT being a multiple of 8. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096

typedef void kernel(uint64_t count, const void *x, const void *y, void *z, double factor);

kernel daxpy_scalar, daxpy_sse, daxpy_avx, product, copy, gather, copy_repeated;

static const struct {
	const char *name;
	kernel *run;
} kernels[] = {
	{ "daxpy_scalar", daxpy_scalar }, { "daxpy_sse", daxpy_sse }, { "daxpy_avx", daxpy_avx },
	{ "product", product },		  { "copy", copy },	      { "gather", gather },
	{ "copy_repeated", copy_repeated },
};

static double x[MOST], y[MOST], z[MOST];
static uint32_t indices[MOST];

int main(int count, char **texts)
{
	const uint64_t elements = count > 3 ? strtoull(texts[2], NULL, 10) : 0;
	const uint64_t most = count > 3 && strcmp(texts[1], "product") == 0 ? 64 : MOST;

	if (!elements || elements > most || elements % 8)
		return 2;
	for (uint32_t n = 0; n < MOST; n++) {
		x[n] = n;
		indices[n] = n * 7 % MOST;
	}
	for (size_t n = 0; n < sizeof(kernels) / sizeof(kernels[0]); n++) {
		if (strcmp(kernels[n].name, texts[1]) != 0)
			continue;
		for (uint64_t round = strtoull(texts[3], NULL, 10); round; round--)
			kernels[n].run(elements, x,
				       strcmp(texts[1], "gather") == 0 ? (void *)indices : (void *)y, z, 0.5);
		return 0;
	}
	return 2;
}
