/* SPDX-License-Identifier: BSD-3-Clause */
/* What source lines are made from: ELF files and their line programs; also broken ones. */
#include <elf.h>

#include "symbol_files.h"

/* This program with changes, as /program in the directory; looked at everywhere */
static void probe(const uint8_t *bytes, size_t count)
{
	struct precis_location location = { .size = sizeof(location) };
	struct precis_line line = { .size = sizeof(line) };
	struct precis_symbols *symbols = new_symbols(directory, NULL);
	uint64_t address;

	write_file(in_directory("program"), bytes, count);
	map(symbols, USER, 1, 0, UINT64_C(1) << 40, 0, "/program");
	for (address = 0; address < 0x6000; address += 97) {
		CU_ASSERT_EQUAL_FATAL(precis_symbols_find(symbols, 1, USER, 0, address, &location),
				      1);
		CU_ASSERT(precis_symbols_line(symbols, &location, &line) >= 0);
		CU_ASSERT_EQUAL((line.file != NULL), (line.number != 0));
		CU_ASSERT_EQUAL((line.file == NULL), (line.absent != 0));
	}
	precis_symbols_free(symbols);
}

static uint8_t *read_self(size_t *bytes)
{
	FILE *file = fopen("/proc/self/exe", "rb");
	uint8_t *data = NULL;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL(fseek(file, 0, SEEK_END), 0);
	*bytes = (size_t)ftell(file);
	rewind(file);
	data = malloc(*bytes);
	CU_ASSERT_PTR_NOT_NULL_FATAL(data);
	CU_ASSERT_EQUAL(fread(data, 1, *bytes, file), *bytes);
	fclose(file);
	return data;
}

/* Where the section of that name is. @return 0 if the file has none */
static size_t find_section(const uint8_t *file, const char *name, size_t *bytes)
{
	Elf64_Ehdr header;
	Elf64_Shdr section, names;
	unsigned int i;

	memcpy(&header, file, sizeof(header));
	memcpy(&names, file + header.e_shoff + header.e_shstrndx * sizeof(names), sizeof(names));
	for (i = 0; i < header.e_shnum; i++) {
		memcpy(&section, file + header.e_shoff + i * sizeof(section), sizeof(section));
		if (strcmp((const char *)file + names.sh_offset + section.sh_name, name) == 0) {
			*bytes = section.sh_size;
			return section.sh_offset;
		}
	}
	return 0;
}

static void test_lines_of_this_program(void)
{
	const uint32_t close_by = __LINE__; /* to the line that the function's address is of */
	struct precis_location location = { .size = sizeof(location), .cpumode = USER };
	struct precis_line line = { .size = sizeof(line) };
	struct precis_symbols *symbols = new_symbols(NULL, NULL);
	uint64_t here = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	char text[8192], name[4096];
	size_t bytes;
	uint8_t *file = read_self(&bytes);
	size_t found = find_section(file, ".debug_line", &bytes);

	free(file);
	if (!found || !precis_symbols_available()) {
		fclose(maps);
		precis_symbols_free(symbols);
		tap_skip("built without elfutils or without -g");
		return;
	}
	while (fgets(text, sizeof(text), maps)) {
		unsigned long long start, end, offset;
		uint64_t address = (uint64_t)(uintptr_t)&test_lines_of_this_program;

		if (sscanf(text, "%llx-%llx %*s %llx %*s %*s %4095s", &start, &end, &offset,
			   name) == 4 &&
		    start <= address && address < end) {
			map(symbols, USER, 1, start, end - start, offset, name);
			here = address;
		}
	}
	fclose(maps);
	CU_ASSERT_EQUAL(precis_symbols_locate(symbols, 1, USER, 0, here, &location), 1);
	CU_ASSERT_EQUAL(precis_symbols_line(symbols, &location, &line), 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(line.file);
	CU_ASSERT_PTR_NOT_NULL(strstr(line.file, "test_symbol_lines.c"));
	CU_ASSERT(line.number <= close_by && line.number + 3 > close_by);
	precis_symbols_free(symbols);
}

/* A program of two segments with a hand-made .debug_line. Code: offset 0x1000 at 0x401000. */
#define CODE_OFFSET 0x1000u
#define CODE_ADDRESS UINT64_C(0x401000)

static void write_program(const uint8_t *lines, size_t bytes)
{
	static const char names[] = "\0.debug_line\0.shstrtab";
	static uint8_t file[0x3000];
	const size_t names_at = 0x2000 + bytes, sections_at = 0x2800;
	Elf64_Ehdr header = { .e_type = ET_EXEC,
			      .e_machine = EM_X86_64,
			      .e_version = EV_CURRENT,
			      .e_phoff = sizeof(header),
			      .e_shoff = sections_at,
			      .e_ehsize = sizeof(header),
			      .e_phentsize = sizeof(Elf64_Phdr),
			      .e_phnum = 2,
			      .e_shentsize = sizeof(Elf64_Shdr),
			      .e_shnum = 3,
			      .e_shstrndx = 2 };
	/* the first one maps the same bytes to be read, elsewhere */
	const Elf64_Phdr segments[2] = {
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R,
		  .p_vaddr = 0x400000,
		  .p_filesz = 0x1800,
		  .p_memsz = 0x1800 },
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R | PF_X,
		  .p_offset = CODE_OFFSET,
		  .p_vaddr = CODE_ADDRESS + 0x10000,
		  .p_filesz = 0x1000,
		  .p_memsz = 0x1000 },
	};
	const Elf64_Shdr sections[3] = {
		{ .sh_type = SHT_NULL },
		{ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = 0x2000, .sh_size = bytes },
		{ .sh_name = 13, .sh_type = SHT_STRTAB, .sh_offset = names_at, .sh_size = 24 },
	};

	CU_ASSERT_FATAL(bytes < 0x700);
	memset(file, 0, sizeof(file));
	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_ident[EI_VERSION] = EV_CURRENT;
	memcpy(file, &header, sizeof(header));
	memcpy(file + sizeof(header), segments, sizeof(segments));
	memcpy(file + 0x2000, lines, bytes);
	memcpy(file + names_at, names, sizeof(names));
	memcpy(file + sections_at, sections, sizeof(sections));
	write_file(in_directory("program"), file, sizeof(file));
}

/* 'expected': "file:number", or NULL for none there */
static void check_line(struct precis_symbols *symbols, uint64_t distance, const char *expected)
{
	struct precis_location location = { .size = sizeof(location) };
	struct precis_line line = { .size = sizeof(line) };
	char found[512] = "";

	CU_ASSERT_EQUAL(
		precis_symbols_locate(symbols, 1, USER, 0, CODE_OFFSET + distance, &location), 1);
	CU_ASSERT_EQUAL(precis_symbols_line(symbols, &location, &line), expected != NULL);
	if (line.file)
		snprintf(found, sizeof(found), "%s:%u", line.file, line.number);
	if (!expected)
		CU_ASSERT_EQUAL(line.absent, precis_symbols_available() ? PRECIS_SYMBOL_NONE_THERE
									: PRECIS_SYMBOL_NOT_BUILT);
	if (strcmp(found, expected ? expected : "") != 0)
		printf("# %#llx: \"%s\"; expected \"%s\"\n", (unsigned long long)distance, found,
		       expected ? expected : "");
	CU_ASSERT_STRING_EQUAL(found, expected ? expected : "");
}

static struct precis_symbols *new_program(const uint8_t *lines, size_t bytes)
{
	struct precis_symbols *symbols = new_symbols(directory, NULL);

	write_program(lines, bytes);
	map(symbols, USER, 1, 0, 0x3000, 0, "/program");
	return symbols;
}

#define SET_ADDRESS(low, high) 0, 9, 2, low, high, 0x41, 0, 0, 0, 0, 0
#define END_SEQUENCE 0, 1, 1

/* Every opcode, with numbers that compilers do not use */
static void test_line_opcodes(void)
{
	static const uint8_t lines[] = {
		/* a unit of a version that nobody knows is passed over */
		6,
		0,
		0,
		0,
		99,
		0,
		0,
		0,
		0,
		0,
		/* length, version 4, header's length, instruction 2, operations 1, is_stmt,
		 * line_base -1, line_range 4, opcode_base 14 */
		0,
		0,
		0,
		0,
		4,
		0,
		45,
		0,
		0,
		0,
		2,
		1,
		1,
		0xff,
		4,
		14,
		/* operands of the standard opcodes; the last is nobody's and has two */
		0,
		1,
		1,
		1,
		1,
		0,
		0,
		0,
		1,
		0,
		0,
		1,
		2,
		/* directories, files */
		'd',
		'i',
		'r',
		0,
		0,
		'a',
		'.',
		'c',
		0,
		1,
		0,
		0,
		'b',
		'.',
		'c',
		0,
		0,
		0,
		0,
		'/',
		'c',
		0,
		1,
		0,
		0,
		0,
		/* 0x411000: line 11, by lines + 10 */
		SET_ADDRESS(0x00, 0x10),
		3,
		10,
		1,
		/* + 2 * ((255 - 14) / 4 = 60) = 0x78: line - 4, file 2 */
		8,
		3,
		0x7c,
		4,
		2,
		1,
		/* + 2 * 3 = 0x7e: special, 14 + 4 * 3 + 2: line + 1; file 3, line 8 */
		4,
		3,
		28,
		/* + 0x100 = 0x17e: not counted in instructions; nobody's opcodes; line 0 */
		9,
		0x00,
		0x01,
		13,
		0x81,
		0x01,
		5,
		0,
		3,
		0x80,
		1,
		2,
		3,
		0x78,
		1,
		/* + 2 * 0x80 = 0x27e: file 0, which is none, line 1 */
		2,
		0x80,
		1,
		3,
		1,
		4,
		0,
		1,
		/* + 2 = 0x280: file 9, which is none */
		2,
		1,
		4,
		9,
		1,
		/* + 2 = 0x282: the end */
		2,
		1,
		END_SEQUENCE,
	};
	struct precis_symbols *symbols;
	uint8_t copy[sizeof(lines)];

	if (!precis_symbols_available()) {
		tap_skip("built without elfutils");
		return;
	}
	memcpy(copy, lines, sizeof(lines));
	copy[10] = (uint8_t)(sizeof(lines) - 14); /* the unit's length */
	symbols = new_program(copy, sizeof(copy));
	check_line(symbols, 0, "dir/a.c:11");
	check_line(symbols, 0x77, "dir/a.c:11");
	check_line(symbols, 0x78, "b.c:7");
	check_line(symbols, 0x7d, "b.c:7");
	check_line(symbols, 0x7e, "/c:8");
	check_line(symbols, 0x17d, "/c:8");
	check_line(symbols, 0x17e, NULL);
	check_line(symbols, 0x27e, NULL);
	check_line(symbols, 0x280, NULL);
	check_line(symbols, 0x282, NULL);
	precis_symbols_free(symbols);
}

static void test_line_sequences(void)
{
	static const uint8_t lines[] = {
		/* version 2: no operations; instruction 1, line_base 0, line_range 1, opcode_base 10 */
		0,
		0,
		0,
		0,
		2,
		0,
		21,
		0,
		0,
		0,
		1,
		1,
		0,
		1,
		10,
		0,
		1,
		1,
		1,
		1,
		0,
		0,
		0,
		1,
		0,
		'x',
		0,
		0,
		0,
		0,
		0,
		/* 0x411000 to 0x411100: line 1; the next one lies in it */
		SET_ADDRESS(0x00, 0x10),
		1,
		2,
		0x80,
		2,
		END_SEQUENCE,
		/* 0x411040 to 0x411060: line 5 */
		SET_ADDRESS(0x40, 0x10),
		3,
		4,
		1,
		2,
		0x20,
		END_SEQUENCE,
		/* thrown away by the linker: at 0; and where nothing can run */
		0,
		9,
		2,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		3,
		7,
		1,
		2,
		0x40,
		END_SEQUENCE,
		0,
		9,
		2,
		0,
		0x10,
		0x40,
		0,
		0,
		0,
		0,
		0,
		3,
		8,
		1,
		2,
		0x40,
		END_SEQUENCE,
		/* goes back: no order, no lines */
		SET_ADDRESS(0x00, 0x12),
		1,
		SET_ADDRESS(0xf0, 0x11),
		1,
		SET_ADDRESS(0x40, 0x12),
		END_SEQUENCE,
		/* without an end */
		SET_ADDRESS(0x00, 0x13),
		1,
		2,
		0x20,
		1,
	};
	struct precis_symbols *symbols;
	uint8_t copy[sizeof(lines)];
	uint32_t length = sizeof(lines) - 4;

	if (!precis_symbols_available()) {
		tap_skip("built without elfutils");
		return;
	}
	memcpy(copy, lines, sizeof(lines));
	memcpy(copy, &length, sizeof(length));
	symbols = new_program(copy, sizeof(copy));
	check_line(symbols, 0x00, "x:1");
	check_line(symbols, 0x3f, "x:1");
	check_line(symbols, 0x40, "x:5");
	check_line(symbols, 0x5f, "x:5");
	/* between the end of the inner one and of the outer one: neither is believed */
	check_line(symbols, 0x60, NULL);
	check_line(symbols, 0x200, NULL);
	check_line(symbols, 0x300, NULL);
	precis_symbols_free(symbols);
}

static void test_damaged_lines(void)
{
	size_t bytes, round, at = 0, length = 0, header_at = 0;
	uint8_t *file = read_self(&bytes);
	uint8_t *copy = malloc(bytes);

	CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
	at = find_section(file, ".debug_line", &length);
	if (!at) {
		at = sizeof(Elf64_Ehdr);
		length = 512;
	}
	for (round = 0; round < 400; round++) {
		unsigned int changes = 1 + random_below(6);

		memcpy(copy, file, bytes);
		/* the headers of units most often, for there the sizes are */
		header_at = at + random_below(length > 4096 ? length - 4096 : 1);
		while (changes-- > 0) {
			size_t place = round % 3 ? at + random_below(length < 400 ? length : 400)
						 : header_at + random_below(400);

			if (place < bytes)
				copy[place] = (uint8_t)(random_below(2) ? 0xff : random_below(256));
		}
		probe(copy, bytes);
	}
	for (round = 0; round < 100; round++)
		probe(file, at + random_below(bytes - at));
	free(copy);
	free(file);
}

/* A whole small program and no more, cut at every byte */
static void test_cut_program(void)
{
	const char *srcdir = getenv("srcdir");
	struct precis_symbols *symbols;
	char path[4096];
	uint8_t data[32768];
	size_t bytes, count;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/recordings/symfs/usr/bin/busy",
		 srcdir ? srcdir : ".");
	file = fopen(path, "rb");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	count = fread(data, 1, sizeof(data), file);
	fclose(file);
	for (bytes = 0; bytes < count; bytes++) {
		struct precis_location location = { .size = sizeof(location) };

		write_file(in_directory("program"), data, bytes);
		symbols = new_symbols(directory, NULL);
		map(symbols, USER, 1, 0, 0x10000, 0, "/program");
		CU_ASSERT_EQUAL(precis_symbols_find(symbols, 1, USER, 0, 0x1199 + 1, &location), 1);
		/* nothing invented: that place is this function's */
		CU_ASSERT(!location.symbol || strcmp(location.symbol, "chase") == 0);
		precis_symbols_free(symbols);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "lines of this program", test_lines_of_this_program },
		{ "opcodes of line programs", test_line_opcodes },
		{ "sequences of line programs", test_line_sequences },
		{ "damaged lines", test_damaged_lines },
		{ "a program cut at every byte", test_cut_program },
	};

	return run_in_directory("symbol_lines", cases, sizeof(cases) / sizeof(cases[0]));
}
