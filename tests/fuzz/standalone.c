/* SPDX-License-Identifier: BSD-3-Clause */
/* main() of a fuzz target without libFuzzer: run it on each file that is named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/target.h"

/* The file's bytes in a buffer of exactly their number, so that a sanitizer sees its end. */
static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *stream = fopen(path, "rb");
	uint8_t *bytes = NULL, *exact = NULL;
	size_t room = 0, used = 0, got;

	if (!stream)
		return NULL;
	do {
		uint8_t *larger = realloc(bytes, room + 65536);

		if (!larger) {
			free(bytes);
			fclose(stream);
			return NULL;
		}
		bytes = larger;
		room += 65536;
		got = fread(bytes + used, 1, room - used, stream);
		used += got;
	} while (got > 0);
	exact = malloc(used ? used : 1);
	if (exact && used)
		memcpy(exact, bytes, used);
	free(bytes);
	fclose(stream);
	*size = used;
	return exact;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		size_t size = 0;
		uint8_t *bytes = read_file(argv[i], &size);

		if (!bytes) {
			fprintf(stderr, "%s: cannot read\n", argv[i]);
			return 1;
		}
		LLVMFuzzerTestOneInput(bytes, size);
		free(bytes);
	}
	printf("%d inputs\n", argc - 1);
	return 0;
}
