// SPDX-License-Identifier: BSD-3-Clause
/*
 * Debug information, whatever it says, to variables, types, members, functions and what instructions access.
 * The input is the address of code and sections one behind the other, each with its length before it; the
 * file around them is a proper one, so that what is changed at random is read.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <precis/precis.h>

#include "libdecode/code/operands/types.h"
#include "tests/fuzz/target.h"

/* In the order of the input; the first one is code, and is loaded */
static const char *const sections[] = {
	".text",           ".debug_info",     ".debug_abbrev",
	".debug_str",      ".debug_line_str", ".debug_loclists",
	".debug_rnglists", ".debug_addr",     ".debug_str_offsets",
	".debug_types",    ".debug_loc",      ".debug_ranges",
};

enum {
	SECTIONS = sizeof(sections) / sizeof(sections[0]),
	NAMES_BYTES = 256,
	FILE_MOST = 1 << 17,
	VARIABLES_MOST = 64,
	ROWS_MOST = 2000,
	LOCALS_MOST = 500,
	ADDRESSES_MOST = 24
};

struct built {
	uint8_t bytes[FILE_MOST];
	size_t size, text_at, text_bytes;
	uint64_t text_address;
};

static struct built built;

static size_t put(const void *bytes, size_t count)
{
	const size_t at = built.size;

	if (count)
		memcpy(built.bytes + at, bytes, count);
	built.size = (at + count + 15) & ~(size_t)15;
	return at;
}

/* A program of these sections, loaded where the input says */
static int build(const uint8_t *data, size_t size)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_phnum = 1,
		.e_shnum = SECTIONS + 2,
		.e_shstrndx = SECTIONS + 1,
	};
	Elf64_Shdr section[SECTIONS + 2] = { { .sh_type = SHT_NULL } };
	Elf64_Phdr segment = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X };
	char names[NAMES_BYTES] = "";
	size_t used = 1;
	uint32_t address;

	if (size < sizeof(address) || size > FILE_MOST / 2)
		return 0;
	memcpy(&address, data, sizeof(address));
	data += sizeof(address);
	size -= sizeof(address);
	memset(&built, 0, sizeof(built));
	built.size = 4096;
	built.text_address = address & ~UINT32_C(4095);
	for (uint32_t n = 0; n < SECTIONS; n++) {
		uint16_t length = 0;

		if (size >= sizeof(length)) {
			memcpy(&length, data, sizeof(length));
			data += sizeof(length);
			size -= sizeof(length);
		}
		length = length < size ? length : (uint16_t)size;
		section[n + 1] = (Elf64_Shdr){
			.sh_name = (uint32_t)used,
			.sh_type = SHT_PROGBITS,
			.sh_offset = put(data, length),
			.sh_size = length,
			.sh_addralign = 1,
			.sh_addr = n ? 0 : built.text_address,
			.sh_flags = n ? 0 : SHF_ALLOC | SHF_EXECINSTR,
		};
		used += strlen(strcpy(names + used, sections[n])) + 1;
		data += length;
		size -= length;
	}
	built.text_at = section[1].sh_offset;
	built.text_bytes = section[1].sh_size;
	segment.p_offset = built.text_at;
	segment.p_vaddr = segment.p_paddr = built.text_address;
	segment.p_filesz = segment.p_memsz = built.text_bytes;
	segment.p_align = 4096;
	section[SECTIONS + 1] = (Elf64_Shdr){
		.sh_name = 0,
		.sh_type = SHT_STRTAB,
		.sh_offset = put(names, used),
		.sh_size = used,
		.sh_addralign = 1,
	};
	header.e_phoff = put(&segment, sizeof(segment));
	header.e_shoff = put(section, sizeof(section));
	memcpy(built.bytes, &header, sizeof(header));
	return 1;
}

/* --- what is asked of it --- */

static void look_at_type(const struct precis_data_type *type, struct precis_data_type_paths *paths)
{
	struct precis_data_type_row row = { .size = sizeof(row) };
	struct precis_data_type_path path = { .size = sizeof(path) };
	struct precis_data_type_layout *layout;
	uint64_t bytes = 0;

	PROMISE(precis_data_type_name(type));
	precis_data_type_kind(type);
	precis_data_type_bytes(type, &bytes, NULL);
	for (uint64_t offset = 0; offset < 64; offset += 7) {
		const int count = precis_data_type_at(type, offset, (uint32_t)offset % 16, paths);

		for (int n = 0; n < count; n++)
			PROMISE(precis_data_type_path(paths, (uint32_t)n, &path) == 1);
		PROMISE(precis_data_type_paths_text(paths));
	}
	if (precis_data_type_layout_new(type, &layout))
		return;
	for (int n = 0; n < ROWS_MOST && precis_data_type_layout_next(layout, &row) > 0; n++)
		PROMISE(row.depth < 1000);
	precis_data_type_layout_free(layout);
}

static void look_at_variables(struct precis_data_types *types, struct precis_data_type_paths *paths)
{
	struct precis_variable variable = { .size = sizeof(variable) };
	const struct precis_data_type *type;

	for (uint64_t n = 0;
	     n < VARIABLES_MOST && precis_data_types_variable(types, n, &variable) > 0; n++) {
		PROMISE(variable.name);
		if (variable.type)
			look_at_type(variable.type, paths);
	}
	for (uint32_t n = 0; n < 4 && precis_data_types_find(types, "struct node", n, &type) > 0;
	     n++)
		look_at_type(type, paths);
}

static void look_at_locals(struct precis_data_types *types, uint64_t address,
			   struct precis_data_type_paths *paths)
{
	struct precis_local local = { .size = sizeof(local) };
	const struct precis_data_type *type;
	struct precis_data_locals *locals;
	uint64_t low, high;

	if (precis_data_locals_new(types, address, &locals) <= 0)
		return;
	for (uint32_t n = 0; n < LOCALS_MOST && precis_data_locals_get(locals, n, &local) > 0;
	     n++) {
		if (local.type && n < 16)
			look_at_type(local.type, paths);
	}
	for (uint32_t n = 0;
	     n < LOCALS_MOST && precis_data_locals_range(locals, n, &low, &high) > 0; n++)
		PROMISE(low <= high);
	precis_data_locals_returned(locals, address, 0, &type);
	precis_data_locals_free(locals);
}

static uint32_t read_text(void *data, uint64_t address, uint8_t *bytes, uint32_t most)
{
	const uint64_t into = address - built.text_address;
	const uint64_t left = into < built.text_bytes ? built.text_bytes - into : 0;
	const uint32_t count = left < most ? (uint32_t)left : most;

	(void)data;
	if (count)
		memcpy(bytes, built.bytes + built.text_at + into, count);
	return count;
}

static void look_at_code(struct precis_data_types *types, struct precis_data_type_paths *paths)
{
	struct precis_code_function function = { .size = sizeof(function) };
	struct precis_allocation allocation = { .size = sizeof(allocation) };
	struct operand_types *operands = operand_types_new(types);
	struct operand_type is;

	for (uint32_t n = 0; n < ADDRESSES_MOST; n++) {
		const uint64_t address = built.text_address + n * 3;

		for (uint32_t depth = 0; depth < 8; depth++) {
			if (precis_data_types_function(types, address, depth, &function) <= 0)
				break;
		}
		if (n % 6 == 0)
			look_at_locals(types, address, paths);
		precis_data_type_of_allocation(types, &address, 1, 64, &allocation);
		if (operands)
			operand_types_at(operands, address, 0, read_text, NULL, &is);
	}
	operand_types_free(operands);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	const struct precis_bytes none = { NULL, 0 };
	static const char *const nowhere[] = { NULL };
	const struct precis_symbols_options options = {
		.size = sizeof(options),
		.debug_directories = nowhere,
		.build_id_caches = nowhere,
	};
	struct precis_data_type_paths *paths;
	struct precis_data_types *types;
	char path[32];

	if (fd < 0)
		fd = memfd_create("types", MFD_CLOEXEC);
	if (fd < 0 || !build(data, size) || ftruncate(fd, 0) ||
	    pwrite(fd, built.bytes, built.size, 0) != (ssize_t)built.size)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (precis_data_types_open(&options, path, none, &types, NULL) <= 0)
		return 0;
	if (precis_data_type_paths_new(&paths) == 0) {
		look_at_variables(types, paths);
		look_at_code(types, paths);
		precis_data_type_paths_free(paths);
	}
	precis_data_types_free(types);
	return 0;
}
