/* SPDX-License-Identifier: BSD-3-Clause */
/* Code of the file that ran: debug files have none. */
#include "elf_bytes.h"

#include <errno.h>
#include <unistd.h>

#include "elf_search.h"

static uint32_t bits_of(const struct elf_source *source)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(source->elf, &header))
		return 0;
	switch (header.e_machine) {
	case EM_X86_64:
		return 64;
	case EM_386:
		return 32;
	default:
		return 0;
	}
}

/* Up to the end of the segment, and of the file, whatever is asked for */
static uint32_t limit_of(const struct elf_segments *segments, uint64_t offset, uint32_t most)
{
	for (size_t i = 0; i < segments->count; i++) {
		const GElf_Phdr *segment = &segments->segment[i];
		uint64_t left;

		if (!(segment->p_flags & PF_X) || offset < segment->p_offset ||
		    offset - segment->p_offset >= segment->p_filesz || offset >= segments->bytes)
			continue;
		left = segment->p_filesz - (offset - segment->p_offset);
		if (left > segments->bytes - offset)
			left = segments->bytes - offset;
		return left < most ? (uint32_t)left : most;
	}
	return 0;
}

/* Somebody may have cut the file short meanwhile: then there are fewer. */
static uint32_t read_at(int fd, uint64_t offset, uint8_t *room, uint32_t count)
{
	uint32_t done = 0;

	while (done < count) {
		ssize_t got = pread(fd, room + done, count - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += (uint32_t)got;
	}
	return done;
}

enum precis_symbol_absent precis_elf_bytes_read(const struct places *places, const char *name,
						const struct build_id *recorded, uint64_t offset,
						struct elf_bytes *bytes)
{
	struct elf_search search;
	enum precis_symbol_absent absent = precis_elf_search_begin(&search, places, name, recorded);

	bytes->count = 0;
	if (absent)
		return absent;
	bytes->bits = bits_of(&search.runtime);
	if (precis_elf_address_of(&search.segments, offset, &bytes->address))
		bytes->count = read_at(search.runtime.fd, offset, bytes->room,
				       limit_of(&search.segments, offset, bytes->most));
	precis_elf_search_end(&search);
	return bytes->count ? PRECIS_SYMBOL_PRESENT : PRECIS_SYMBOL_NONE_THERE;
}
