// SPDX-License-Identifier: BSD-3-Clause
/* Reading /proc/PID/maps, and build ids of ELF files. */
#include "mapped_files.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_at(FILE *file, uint64_t offset, void *bytes, size_t count)
{
	return fseek(file, (long)offset, SEEK_SET) == 0 && fread(bytes, 1, count, file) == count;
}

/* One segment of notes: each is a head, its name and what it says, both padded to four bytes */
static void find_note(FILE *file, const Elf64_Phdr *segment, struct mapped_file *mapped)
{
	uint64_t at = segment->p_offset;
	const uint64_t end = at + segment->p_filesz;
	Elf64_Nhdr note;

	for (; at + sizeof(note) <= end && read_at(file, at, &note, sizeof(note));
	     at += sizeof(note) + ((note.n_namesz + 3u) & ~3u) + ((note.n_descsz + 3u) & ~3u)) {
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    note.n_descsz > MAPPED_ID_BYTES)
			continue;
		if (read_at(file, at + sizeof(note) + 4, mapped->build_id, note.n_descsz))
			mapped->build_id_bytes = (uint8_t)note.n_descsz;
	}
}

static void find_build_id(struct mapped_file *mapped)
{
	FILE *file = fopen(mapped->path, "rb");
	Elf64_Ehdr head;
	Elf64_Phdr segment;

	if (!file)
		return;
	if (read_at(file, 0, &head, sizeof(head)) && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0) {
		for (uint32_t n = 0; n < head.e_phnum; n++) {
			if (read_at(file, head.e_phoff + n * sizeof(segment), &segment, sizeof(segment)) &&
			    segment.p_type == PT_NOTE)
				find_note(file, &segment, mapped);
		}
	}
	fclose(file);
}

/* How many instructions lie in it */
static uint32_t instructions_in(const struct truth *truth, const struct mapped_file *mapped)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < truth->instruction_count; n++)
		count += truth->instructions[n].address >= mapped->start &&
			 truth->instructions[n].address < mapped->end;
	return count;
}

static int parse_line(const char *line, struct mapped_file *mapped)
{
	return sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %511[^\n]", &mapped->start,
		      &mapped->end, &mapped->offset, mapped->path) == 4 &&
	       mapped->path[0] == '/';
}

int mapped_files(const char *maps, const struct truth *truth, struct mapped_file **files)
{
	FILE *file = fopen(maps, "r");
	char line[1024];
	uint32_t placed = 0;
	int count = 0;

	*files = NULL;
	while (file && fgets(line, sizeof(line), file)) {
		struct mapped_file mapped = { 0 };
		uint32_t inside = parse_line(line, &mapped) ? instructions_in(truth, &mapped) : 0;

		if (!inside)
			continue;
		placed += inside;
		find_build_id(&mapped);
		*files = realloc(*files, ((size_t)count + 1) * sizeof(**files));
		if (!*files)
			abort();
		(*files)[count++] = mapped;
	}
	if (file)
		fclose(file);
	return placed == truth->instruction_count ? count : -1;
}
