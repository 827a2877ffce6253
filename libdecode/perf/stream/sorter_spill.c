/* SPDX-License-Identifier: BSD-3-Clause */
/* See sorter_spill.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <precis/error.h>

#include "sorter_spill.h"
#include "temporary_file.h"

int spill_init(struct spill *spill, const char *directory)
{
	spill->fd = -1;
	spill->directory = strdup(precis_temporary_directory(directory));
	return spill->directory ? 0 : PRECIS_E_NO_MEMORY;
}

void spill_free(struct spill *spill)
{
	if (spill->fd >= 0)
		close(spill->fd);
	free(spill->free);
	free(spill->directory);
}

void spill_clear(struct spill *spill)
{
	if (spill->fd >= 0)
		close(spill->fd);
	spill->fd = -1;
	spill->sys_errno = 0;
	spill->places = 0;
	spill->free_count = 0;
	spill->written = 0;
}

static int fail(struct spill *spill, int sys_errno)
{
	spill->sys_errno = sys_errno;
	return PRECIS_E_IO;
}

static int make_file(struct spill *spill)
{
	spill->fd = precis_temporary_file(spill->directory);
	return spill->fd < 0 ? fail(spill, errno) : 0;
}

static uint64_t take_place(struct spill *spill)
{
	return spill->free_count ? spill->free[--spill->free_count] : spill->places++;
}

/* Without memory to remember it, the place is lost to the file. */
static void give_place(struct spill *spill, uint64_t place)
{
	if (spill->free_count == spill->free_room) {
		size_t room = spill->free_room ? 2 * spill->free_room : 1024;
		uint64_t *grown = realloc(spill->free, room * sizeof(*grown));

		if (!grown)
			return;
		spill->free = grown;
		spill->free_room = room;
	}
	spill->free[spill->free_count++] = place;
}

int spill_write(struct spill *spill, struct spilled_run *run, struct block *block, int is_last)
{
	const uint8_t *bytes = (const uint8_t *)block;
	off_t offset;
	int error = spill->fd < 0 ? make_file(spill) : 0;

	if (error)
		return error;
	if (!run->blocks) {
		run->place = take_place(spill);
		spill->next = run->place;
	}
	offset = (off_t)(spill->next * BLOCK_BYTES);
	if (!is_last)
		spill->next = take_place(spill);
	block->place = spill->next;
	for (size_t done = 0; done < block->used;) {
		ssize_t n =
			pwrite(spill->fd, bytes + done, block->used - done, offset + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return fail(spill, n ? errno : ENOSPC);
		done += (size_t)n;
	}
	run->blocks++;
	spill->written += block->used;
	return 0;
}

void spill_open(const struct spilled_run *run, struct block *window)
{
	window->is_window = 1;
	window->place = run->place;
	window->left = run->blocks;
}

int spill_read(struct spill *spill, struct block *window)
{
	const struct block header = *window;
	off_t offset = (off_t)(header.place * BLOCK_BYTES);
	size_t got = 0;

	while (got < BLOCK_BYTES) {
		ssize_t n = pread(spill->fd, (uint8_t *)window + got, BLOCK_BYTES - got,
				  offset + (off_t)got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(spill, errno);
		if (!n)
			break;
		got += (size_t)n;
	}
	if (got <= sizeof(*window) || got < window->used)
		return fail(spill, EIO);
	window->is_window = 1;
	window->left = header.left - 1;
	give_place(spill, header.place);
	return 0;
}
