/* SPDX-License-Identifier: BSD-3-Clause */
/* Code of the file that ran: debug files have none. */
#include "elf_bytes.h"

#include <errno.h>
#include <unistd.h>

#include <precis/code.h>

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
#ifdef HAVE_CAPSTONE
	case EM_AARCH64:
		return PRECIS_CODE_AARCH64;
#endif
	default:
		return 0;
	}
}

/* How much of the file's code there is from there on: up to the end of the segment */
static uint64_t code_left(const struct elf_segments *segments, uint64_t offset)
{
	for (size_t i = 0; i < segments->count; i++) {
		const GElf_Phdr *segment = &segments->segment[i];

		if ((segment->p_flags & PF_X) && offset >= segment->p_offset &&
		    offset - segment->p_offset < segment->p_filesz)
			return segment->p_filesz - (offset - segment->p_offset);
	}
	return 0;
}

/* Somebody may cut the file short meanwhile: then there are fewer. */
void precis_elf_read_at(const struct elf_source *source, uint64_t offset, uint64_t left,
			struct elf_bytes *bytes)
{
	bytes->count = 0;
	bytes->bits = bits_of(source);
	if (offset >= source->bytes)
		return;
	left = left < source->bytes - offset ? left : source->bytes - offset;
	while (bytes->count < bytes->most && bytes->count < left) {
		const uint64_t more = left - bytes->count, room = bytes->most - bytes->count;
		ssize_t got = pread(source->fd, bytes->room + bytes->count,
				    more < room ? more : room, (off_t)(offset + bytes->count));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		bytes->count += (uint32_t)got;
	}
}

enum precis_symbol_absent precis_elf_bytes_from(const struct elf_search *search, uint64_t offset,
						struct elf_bytes *bytes)
{
	bytes->count = 0;
	if (precis_elf_address_of(&search->segments, offset, &bytes->address))
		precis_elf_read_at(&search->runtime, offset, code_left(&search->segments, offset),
				   bytes);
	return bytes->count ? PRECIS_SYMBOL_PRESENT : PRECIS_SYMBOL_NONE_THERE;
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
	absent = precis_elf_bytes_from(&search, offset, bytes);
	precis_elf_search_end(&search);
	return absent;
}
