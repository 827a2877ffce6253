/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The type and member that instructions of a program access, for tests.
 *
 * usage: list_operands PROGRAM < ADDRESSES
 *
 * For each address, as the program's own headers have it, a line: "TYPE.MEMBER", evidence and the variable,
 * if one is named, with tabs between; or "!" and the reason. Behind an address may stand "r" or "w": what was
 * sampled of the instruction.
 */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "libdecode/code/operands/types.h"

struct image {
	uint8_t *bytes;
	size_t count;
};

static struct image read_image(const char *path)
{
	struct image image = { NULL, 0 };
	FILE *file = fopen(path, "rb");
	long length;

	if (!file || fseek(file, 0, SEEK_END) || (length = ftell(file)) < (long)sizeof(Elf64_Ehdr))
		exit(2);
	image.bytes = malloc((size_t)length);
	rewind(file);
	if (!image.bytes || fread(image.bytes, 1, (size_t)length, file) != (size_t)length)
		exit(2);
	image.count = (size_t)length;
	fclose(file);
	return image;
}

/* Code by its address, of the segments that are loaded */
static uint32_t read_code(void *data, uint64_t address, uint8_t *bytes, uint32_t most)
{
	const struct image *image = data;
	Elf64_Ehdr header;

	memcpy(&header, image->bytes, sizeof(header));
	for (uint32_t n = 0; n < header.e_phnum; n++) {
		const uint64_t at = header.e_phoff + n * sizeof(Elf64_Phdr);
		Elf64_Phdr segment;
		uint64_t left;

		if (at > image->count - sizeof(segment))
			break;
		memcpy(&segment, image->bytes + at, sizeof(segment));
		if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
		    address - segment.p_vaddr >= segment.p_filesz || segment.p_offset > image->count ||
		    address - segment.p_vaddr > image->count - segment.p_offset)
			continue;
		left = segment.p_filesz - (address - segment.p_vaddr);
		if (left > image->count - segment.p_offset - (address - segment.p_vaddr))
			left = image->count - segment.p_offset - (address - segment.p_vaddr);
		if (left > most)
			left = most;
		memcpy(bytes, image->bytes + segment.p_offset + (address - segment.p_vaddr), left);
		return (uint32_t)left;
	}
	return 0;
}

static void print(const struct operand_type *is, struct precis_data_type_paths *paths)
{
	struct precis_data_type_path path = { .size = sizeof(path) };

	if (!is->type) {
		printf("!%s\n", operand_absence_text(is->absent));
		return;
	}
	printf("%s", precis_data_type_name(is->type));
	precis_data_type_at(is->type, is->offset, is->width, paths);
	for (uint32_t n = 0; precis_data_type_path(paths, n, &path) > 0; n++)
		printf("%s%s", n ? "|" : path.pattern[0] ? "." : "", path.pattern);
	printf("\t%s\t%s\n", operand_evidence_text(is->evidence), is->variable ? is->variable : "");
}

int main(int argc, char **argv)
{
	const struct precis_bytes any = { NULL, 0 };
	struct precis_data_types *types = NULL;
	struct precis_data_type_paths *paths = NULL;
	struct operand_types *operands;
	struct operand_type is;
	struct image image;
	uint32_t absent;
	char line[64];

	if (argc != 2 || precis_data_types_open(NULL, argv[1], any, &types, &absent) < 0)
		return 2;
	if (!types) {
		printf("!!%s\n", precis_data_type_absent_text(absent));
		return 0;
	}
	image = read_image(argv[1]);
	operands = operand_types_new(types);
	if (!operands || precis_data_type_paths_new(&paths) != 0)
		return 2;
	while (fgets(line, sizeof(line), stdin)) {
		char *end;
		const uint64_t address = strtoull(line, &end, 0);
		const uint32_t does = (strchr(end, 'r') ? OPERAND_READS : 0u) |
				      (strchr(end, 'w') ? OPERAND_WRITES : 0u);

		if (operand_types_at(operands, address, does, read_code, &image, &is) < 0)
			return 2;
		print(&is, paths);
	}
	precis_data_type_paths_free(paths);
	operand_types_free(operands);
	precis_data_types_free(types);
	free(image.bytes);
	return 0;
}
