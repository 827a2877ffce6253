/* SPDX-License-Identifier: BSD-3-Clause */
/* Code of what is mapped, beside what this program has in its memory; and files that are fetched. */
#define _GNU_SOURCE /* dl_iterate_phdr() */
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <precis/precis.h>

#include "tests/support/symbol_records.h"

#define USER PRECIS_CPUMODE_USER
#define KERNEL PRECIS_CPUMODE_KERNEL
#define KERNEL_AT UINT64_C(0xffffffff81000000)
#define JIT_AT UINT64_C(0x100000)
#define NAMED_AT UINT64_C(0x200000)
#define GONE_AT UINT64_C(0x300000)

static struct self {
	char path[4096];
	uint64_t start, length, offset; /* of its code */
	uint8_t id[20];
	uint32_t id_bytes;
} self;

__attribute__((noinline, used)) int known_function(int n);
int known_function(int n)
{
	return n * n + 7;
}

static int take_notes(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	(void)data;
	for (int n = 0; n < info->dlpi_phnum; n++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[n];
		const uint8_t *at = (const uint8_t *)(info->dlpi_addr + header->p_vaddr);
		ElfW(Nhdr) note;

		if (header->p_type != PT_NOTE)
			continue;
		for (size_t left = header->p_memsz; left >= sizeof(note) + 4;) {
			size_t bytes;

			memcpy(&note, at, sizeof(note));
			bytes = sizeof(note) + ((note.n_namesz + 3) & ~3u) + ((note.n_descsz + 3) & ~3u);
			if (note.n_type == NT_GNU_BUILD_ID && note.n_descsz <= sizeof(self.id)) {
				self.id_bytes = note.n_descsz;
				memcpy(self.id, at + sizeof(note) + ((note.n_namesz + 3) & ~3u),
				       note.n_descsz);
			}
			at += bytes;
			left -= bytes < left ? bytes : left;
		}
	}
	return 1; /* the program comes first */
}

static int find_self(void)
{
	uintptr_t code = (uintptr_t)known_function;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4608], path[sizeof(self.path)];

	while (maps && fgets(line, sizeof(line), maps)) {
		unsigned long long start, end, offset;

		if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %4095s", &start, &end, &offset,
			   path) != 4 || code < start || code >= end)
			continue;
		self.start = start;
		self.length = end - start;
		self.offset = offset;
		memcpy(self.path, path, sizeof(path));
	}
	if (maps)
		fclose(maps);
	dl_iterate_phdr(take_notes, NULL);
	return self.start != 0;
}

static struct precis_symbols *new_symbols(precis_symbols_fetch_fn fetch, void *data)
{
	static const char *const none[] = { NULL };
	const struct precis_symbols_options options = {
		.size = sizeof(options), .debug_directories = none, .build_id_caches = none,
		.fetch = fetch, .fetch_data = data,
	};
	struct precis_symbols *symbols;

	CU_ASSERT_EQUAL_FATAL(precis_symbols_new(&options, &symbols), 0);
	feed_mmap_at(symbols, KERNEL, UINT32_MAX, KERNEL_AT, 0x10000, KERNEL_AT,
		     "[kernel.kallsyms]_text", 0);
	feed_mmap_at(symbols, USER, 1, JIT_AT, 0x1000, 0, "/tmp/perf-1.map", 0);
	feed_mmap_at(symbols, USER, 1, NAMED_AT, 0x1000, 0, "[vvar]", 0);
	feed_mmap_at(symbols, USER, 1, GONE_AT, self.length, self.offset, "/nowhere/program", 0);
	if (self.start)
		feed_mmap_at(symbols, USER, 1, self.start, self.length, self.offset, self.path, 0);
	return symbols;
}

static struct precis_location at(struct precis_symbols *symbols, uint32_t mode, uint64_t address)
{
	struct precis_location location = { .size = sizeof(location) };

	CU_ASSERT_EQUAL(precis_symbols_locate(symbols, 1, mode, 0, address, &location), 1);
	return location;
}

static int read_code(struct precis_symbols *symbols, const struct precis_location *location,
		     uint8_t *bytes, uint32_t most, struct precis_code *code)
{
	*code = (struct precis_code){ .size = sizeof(*code) };
	return precis_symbols_code(symbols, location, bytes, most, code);
}

static void code_of_this_program(void)
{
	struct precis_symbols *symbols = new_symbols(NULL, NULL);
	const uintptr_t here = (uintptr_t)known_function;
	struct precis_location location = at(symbols, USER, here + 2);
	uint64_t start = 0, end = 0;
	struct precis_code code;
	uint8_t *bytes = malloc(1 << 26);

	if (!precis_symbols_available()) {
		tap_skip("built without elfutils");
		CU_ASSERT_EQUAL(precis_symbols_extent(symbols, &location, &start, &end), 0);
		CU_ASSERT_EQUAL(read_code(symbols, &location, bytes, 8, &code), 0);
		CU_ASSERT_EQUAL(code.absent, PRECIS_SYMBOL_NOT_BUILT);
	} else {
		CU_ASSERT_EQUAL(precis_symbols_extent(symbols, &location, &start, &end), 1);
		CU_ASSERT_EQUAL(start, location.offset - 2);
		CU_ASSERT(end > start + 2 && end - start < 4096);
		location.offset = start;
		CU_ASSERT_EQUAL(read_code(symbols, &location, bytes, (uint32_t)(end - start), &code),
				(int)(end - start));
		CU_ASSERT_EQUAL(memcmp(bytes, (const void *)here, end - start), 0);
		CU_ASSERT_EQUAL(code.absent, PRECIS_SYMBOL_PRESENT);
		CU_ASSERT_EQUAL(code.address % 4096, here % 4096);
#ifdef __x86_64__
		CU_ASSERT_EQUAL(code.bits, 64);
#endif
		/* however much is asked for, up to where code ends */
		CU_ASSERT(read_code(symbols, &location, bytes, 1 << 26, &code) > 0);
		CU_ASSERT(read_code(symbols, &location, bytes, 1 << 26, &code) <=
			  (int)(self.offset + self.length - start));
		/* the headers are not code */
		location.offset = 0;
		CU_ASSERT_EQUAL(read_code(symbols, &location, bytes, 8, &code), 0);
		CU_ASSERT_EQUAL(code.absent, PRECIS_SYMBOL_NONE_THERE);
	}
	free(bytes);
	precis_symbols_free(symbols);
}

static void code_that_is_nowhere(void)
{
	static const struct {
		uint32_t mode;
		uint64_t address;
		uint32_t absent;
	} cases[] = {
		{ KERNEL, KERNEL_AT + 1, PRECIS_SYMBOL_KERNEL_CODE },
		{ USER, JIT_AT + 1, PRECIS_SYMBOL_RUN_TIME_CODE },
		{ USER, NAMED_AT + 1, PRECIS_SYMBOL_NOT_A_FILE },
		{ USER, GONE_AT + 1, PRECIS_SYMBOL_NO_FILE },
	};
	struct precis_symbols *symbols = new_symbols(NULL, NULL);
	struct precis_location location = { .size = sizeof(location), .cpumode = USER };
	struct precis_code code = { .size = sizeof(code) };
	uint64_t start, end;
	uint8_t bytes[8];

	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct precis_location there = at(symbols, cases[n].mode, cases[n].address);
		uint32_t absent = cases[n].absent;

		if (absent == PRECIS_SYMBOL_NO_FILE && !precis_symbols_available())
			absent = PRECIS_SYMBOL_NOT_BUILT;
		CU_ASSERT_EQUAL(read_code(symbols, &there, bytes, sizeof(bytes), &code), 0);
		CU_ASSERT_EQUAL(code.absent, absent);
		CU_ASSERT_EQUAL(precis_symbols_extent(symbols, &there, &start, &end), 0);
	}
	CU_ASSERT_EQUAL(read_code(symbols, &location, bytes, sizeof(bytes), &code), 0);
	CU_ASSERT_EQUAL(code.absent, PRECIS_SYMBOL_NOT_MAPPED);
	CU_ASSERT_EQUAL(precis_symbols_code(symbols, &location, bytes, 0, &code), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_code(symbols, &location, NULL, 8, &code), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_code(NULL, &location, bytes, 8, &code), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_symbols_extent(symbols, NULL, &start, &end), PRECIS_E_ARGUMENT);
	precis_symbols_free(symbols);
}

/* --- fetching --- */

struct asked {
	const char *answer; /* NULL: there is none */
	uint32_t times[3];  /* by what was asked for */
	int is_other; /* another build id was asked for */
};

static int answer(void *data, uint32_t what, struct precis_bytes id, char *path, size_t room)
{
	struct asked *asked = data;

	asked->times[what < 3 ? what : 0]++;
	asked->is_other |= id.bytes != self.id_bytes || memcmp(id.data, self.id, id.bytes) != 0;
	return asked->answer && snprintf(path, room, "%s", asked->answer) < (int)room;
}

/* HEADER_BUILD_ID, with the length of the id */
static void feed_id(struct precis_symbols *symbols, const char *name)
{
	struct build build = { .count = 8 };
	uint8_t id[24] = { 0 };

	memcpy(id, self.id, self.id_bytes);
	id[20] = (uint8_t)self.id_bytes;
	build_u32(&build, 1);
	build_bytes(&build, id, sizeof(id));
	build_name(&build, name);
	CU_ASSERT_EQUAL(feed_at(symbols, &build, PRECIS_RECORD_HEADER_BUILD_ID, USER | 1 << 15, 0), 0);
}

static const char *symbol_fetched(struct asked *asked, char room[64])
{
	struct precis_symbols *symbols = new_symbols(answer, asked);
	struct precis_location location =
		at(symbols, USER, GONE_AT + ((uintptr_t)known_function - self.start));
	struct precis_code code;
	uint8_t bytes[4];

	feed_id(symbols, "/nowhere/program");
	precis_symbols_name(symbols, &location);
	snprintf(room, 64, "%s", location.symbol ? location.symbol :
						   precis_symbol_absent_text(location.symbol_absent));
	if (location.symbol) {
		CU_ASSERT_EQUAL(read_code(symbols, &location, bytes, 4, &code), 4);
		CU_ASSERT_EQUAL(memcmp(bytes, (const void *)(uintptr_t)known_function, 4), 0);
	}
	precis_symbols_free(symbols);
	return room;
}

static void files_that_are_fetched(void)
{
	struct asked right = { .answer = self.path }, none = { .answer = NULL };
	struct asked wrong = { .answer = "/bin/sh" }, absent = { .answer = "/nowhere" };
	char room[64];

	if (!precis_symbols_available() || !self.id_bytes) {
		tap_skip(self.id_bytes ? "built without elfutils" : "this program has no build id");
		return;
	}
	CU_ASSERT_STRING_EQUAL(symbol_fetched(&right, room), "known_function");
	CU_ASSERT(right.times[PRECIS_SYMBOLS_FETCH_FILE] > 0 && !right.times[0] && !right.is_other);
	CU_ASSERT_STRING_EQUAL(symbol_fetched(&none, room), "file not found or not readable");
	CU_ASSERT_EQUAL(none.times[PRECIS_SYMBOLS_FETCH_FILE], 1);
	CU_ASSERT_STRING_EQUAL(symbol_fetched(&wrong, room), "file not found or not readable");
	CU_ASSERT_STRING_EQUAL(symbol_fetched(&absent, room), "file not found or not readable");
}

/* What is here is not asked for. */
static void files_that_are_here(void)
{
	struct asked asked = { .answer = "/bin/sh" };
	struct precis_symbols *symbols = new_symbols(answer, &asked);
	struct precis_location location = at(symbols, USER, (uintptr_t)known_function);

	CU_ASSERT_EQUAL(precis_symbols_name(symbols, &location), precis_symbols_available());
	CU_ASSERT_EQUAL(asked.times[PRECIS_SYMBOLS_FETCH_FILE], 0);
	CU_ASSERT_EQUAL(asked.times[PRECIS_SYMBOLS_FETCH_DEBUG], 0);
	precis_symbols_free(symbols);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "code of this program, as in its memory", code_of_this_program },
		{ "code that is in no file", code_that_is_nowhere },
		{ "files that are fetched by build id", files_that_are_fetched },
		{ "files that are here are not fetched", files_that_are_here },
	};

	if (!find_self()) {
		printf("1..0 # SKIP this program is not in /proc/self/maps\n");
		return 0;
	}
	return tap_main("object code", cases, sizeof(cases) / sizeof(cases[0]));
}
