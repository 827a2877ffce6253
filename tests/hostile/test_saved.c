/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What runs of analyses counted, cut off and changed anywhere, without checksums that would tell: whatever
 * can be loaded can be told and merged (tests/fuzz/fuzz_saved.c has what is promised), and takes little
 * memory.
 *
 *	test_saved [--every N]   of all lengths, and of all bits, each N-th
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/fuzz/target.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

#define EVERY 29u
#define EVERY_OF_FEW 307u
#define MEMORY_MOST ((uint64_t)192 << 20)

static uint32_t every = EVERY;

struct seed {
	uint8_t *bytes;
	size_t count;
};

static struct seed *seeds;
static size_t seed_count;

static int is_seed(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void read_seeds(void)
{
	const char *source = getenv("srcdir");
	struct dirent **names;
	char directory[4096], path[8192];
	int count;

	snprintf(directory, sizeof(directory), "%s/tests/fuzz/corpus/fuzz_saved", source ? source : ".");
	count = scandir(directory, &names, is_seed, alphasort);
	PROMISE(count > 0);
	seeds = calloc((size_t)count, sizeof(*seeds));
	PROMISE(seeds);
	for (int n = 0; n < count; n++) {
		struct seed *seed = &seeds[seed_count++];
		FILE *file;
		long bytes;

		snprintf(path, sizeof(path), "%s/%s", directory, names[n]->d_name);
		file = fopen(path, "rb");
		PROMISE(file && !fseek(file, 0, SEEK_END) && (bytes = ftell(file)) > 0);
		rewind(file);
		seed->count = (size_t)bytes;
		seed->bytes = malloc(seed->count);
		PROMISE(seed->bytes && fread(seed->bytes, 1, seed->count, file) == seed->count);
		fclose(file);
		free(names[n]);
	}
	free(names);
}

static void free_seeds(void)
{
	for (size_t n = 0; n < seed_count; n++)
		free(seeds[n].bytes);
	free(seeds);
}

/* In memory of that length, so that a sanitizer sees what is read behind it */
static void load(const uint8_t *bytes, size_t count)
{
	uint8_t *copy = malloc(count ? count : 1);

	PROMISE(copy);
	memcpy(copy, bytes, count);
	LLVMFuzzerTestOneInput(copy, count);
	free(copy);
}

static void cut_anywhere(void)
{
	uint64_t at = 0, tried = 0;

	for (size_t n = 0; n < seed_count; n++) {
		for (size_t length = 0; length <= seeds[n].count; length++) {
			if (at++ % every)
				continue;
			load(seeds[n].bytes, length);
			tried++;
		}
	}
	printf("# %llu lengths\n", (unsigned long long)tried);
	CU_ASSERT(tried > 0);
}

static void changed_anywhere(void)
{
	uint64_t at = 0, tried = 0;

	for (size_t n = 0; n < seed_count; n++) {
		/* the first byte says what it is told apart by */
		for (size_t bit = 8; bit < 8 * seeds[n].count; bit++) {
			if (at++ % every)
				continue;
			seeds[n].bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
			load(seeds[n].bytes, seeds[n].count);
			seeds[n].bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
			tried++;
		}
	}
	printf("# %llu bits\n", (unsigned long long)tried);
	CU_ASSERT(tried > 0);
}

/* Numbers as large as can be, wherever they stand: counts among them */
static void absurd_anywhere(void)
{
	static const uint8_t most[] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f };
	uint64_t at = 0, tried = 0;

	for (size_t n = 0; n < seed_count; n++) {
		for (size_t place = 1; place + sizeof(most) <= seeds[n].count; place++) {
			uint8_t kept[sizeof(most)];

			if (at++ % every)
				continue;
			memcpy(kept, seeds[n].bytes + place, sizeof(kept));
			memcpy(seeds[n].bytes + place, most, sizeof(most) >> at % 2);
			load(seeds[n].bytes, seeds[n].count);
			memcpy(seeds[n].bytes + place, kept, sizeof(kept));
			tried++;
		}
	}
	printf("# %llu numbers\n", (unsigned long long)tried);
	CU_ASSERT(tried > 0);
}

static void memory_is_bounded(void)
{
	struct rusage usage;

	CU_ASSERT(!getrusage(RUSAGE_SELF, &usage));
#ifdef __SANITIZE_ADDRESS__
	printf("# %ld KiB, with what a sanitizer keeps\n", usage.ru_maxrss);
#else
	printf("# %ld KiB\n", usage.ru_maxrss);
	CU_ASSERT((uint64_t)usage.ru_maxrss << 10 < MEMORY_MOST);
#endif
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "cut anywhere", cut_anywhere },
		{ "any bit another one", changed_anywhere },
		{ "any number an absurd one", absurd_anywhere },
		{ "memory is bounded", memory_is_bounded },
	};
	int code;

	every = repetitions(EVERY, EVERY_OF_FEW);
	if (argc == 3 && strcmp(argv[1], "--every") == 0)
		every = (uint32_t)strtoul(argv[2], NULL, 10);
	read_seeds();
	code = tap_main("saved", cases, sizeof(cases) / sizeof(cases[0]));
	free_seeds();
	return code;
}
