/* SPDX-License-Identifier: BSD-3-Clause */
/* See parts.h. */
#include "parts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/saving/saving.h"
#include "command/usage/complain.h"

#define BYTE_ORDER_MARK UINT32_C(0x0d0c0b0a)
#define BYTE_ORDER_OTHER UINT32_C(0x0a0b0c0d)
#define STEP_BYTES ((size_t)1 << 20) /* so much memory is taken before as much has been read */

static const char magic[8] = { 'p', 'r', 'e', 'c', 'i', 's', '\0', 's' };

enum { AT_ORDER = 8, AT_VERSION = 12, AT_SUMS = 16, AT_HEADER_SUM = 24 };
enum { AT_BYTES = SAVED_NAME_BYTES, AT_BYTES_SUM = AT_BYTES + 8, AT_PART_SUM = AT_BYTES + 12 };

/* --- numbers --- */

/* Of IEEE 802.3: polynomial 0x04c11db7, its bits the other way round */
uint32_t saved_checksum(uint32_t before, const void *of, size_t count)
{
	const uint8_t *bytes = of;
	uint32_t table[256], sum = ~before;

	for (uint32_t n = 0; n < 256; n++) {
		table[n] = n;
		for (uint32_t bit = 0; bit < 8; bit++)
			table[n] = table[n] >> 1 ^ (table[n] & 1 ? UINT32_C(0xedb88320) : 0);
	}
	for (size_t n = 0; n < count; n++)
		sum = sum >> 8 ^ table[(sum ^ bytes[n]) & 0xff];
	return ~sum;
}

static void put(uint8_t *at, uint64_t value, uint32_t bytes)
{
	for (uint32_t n = 0; n < bytes; n++)
		at[n] = (uint8_t)(value >> 8 * n);
}

static uint64_t get(const uint8_t *at, uint32_t bytes)
{
	uint64_t value = 0;

	for (uint32_t n = 0; n < bytes; n++)
		value |= (uint64_t)at[n] << 8 * n;
	return value;
}

/* --- writing --- */

void saved_header(uint8_t header[SAVED_HEADER_BYTES])
{
	memset(header, 0, SAVED_HEADER_BYTES);
	memcpy(header, magic, sizeof(magic));
	put(header + AT_ORDER, BYTE_ORDER_MARK, 4);
	put(header + AT_VERSION, SAVING_VERSION, 4);
	put(header + AT_SUMS, saving_sums(), 4);
	put(header + AT_HEADER_SUM, saved_checksum(0, header, AT_HEADER_SUM), 4);
}

void saved_part_header(uint8_t header[SAVED_PART_BYTES], const char *name, uint64_t count,
		       uint32_t sum)
{
	memset(header, 0, SAVED_PART_BYTES);
	memcpy(header, name, strnlen(name, SAVED_NAME_BYTES));
	put(header + AT_BYTES, count, 8);
	put(header + AT_BYTES_SUM, sum, 4);
	put(header + AT_PART_SUM, saved_checksum(0, header, AT_PART_SUM), 4);
}

/* --- reading --- */

int saved_complain(const struct saved_parts *parts, uint64_t offset, const char *format, ...)
{
	va_list arguments;
	char text[320];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	complain(parts->command, "%s: offset 0x%" PRIx64 " (%" PRIu64 "): %s", parts->path, offset, offset,
		 text);
	return EXIT_FAILED;
}

int saved_is_one(const char *path)
{
	struct stat status;
	char found[sizeof(magic)];
	int fd, is_one;

	if (strcmp(path, "-") == 0 || stat(path, &status) || !S_ISREG(status.st_mode))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	is_one = read(fd, found, sizeof(found)) == (ssize_t)sizeof(found) &&
		 memcmp(found, magic, sizeof(magic)) == 0;
	close(fd);
	return is_one;
}

/* As many as there are; -1 after an error was told */
static ssize_t read_bytes(struct saved_parts *parts, uint8_t *bytes, size_t count)
{
	size_t done = 0;

	while (done < count) {
		ssize_t got = read(parts->fd, bytes + done, count - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return saved_complain(parts, parts->offset + done, "cannot read: %s",
					      strerror(errno)), -1;
		if (!got)
			break;
		done += (size_t)got;
	}
	parts->offset += done;
	return (ssize_t)done;
}

static int read_all(struct saved_parts *parts, uint8_t *bytes, size_t count, const char *what)
{
	const uint64_t at = parts->offset;
	const ssize_t got = read_bytes(parts, bytes, count);

	if (got < 0)
		return EXIT_FAILED;
	if ((size_t)got < count)
		return saved_complain(parts, at, "expected %s of %zu bytes, found %zd before the file ends",
				      what,
				      count, got);
	return EXIT_OK;
}

static int check_header(struct saved_parts *parts, const uint8_t *header)
{
	const uint32_t order = (uint32_t)get(header + AT_ORDER, 4);
	const uint32_t sums = (uint32_t)get(header + AT_SUMS, 4);

	parts->version = (uint32_t)get(header + AT_VERSION, 4);
	if (memcmp(header, magic, sizeof(magic)))
		return saved_complain(parts, 0, "expected what precis report --save writes");
	if (order == BYTE_ORDER_OTHER)
		return saved_complain(parts, AT_ORDER, "written in the other byte order, which no version of "
				      "precis does");
	if (order != BYTE_ORDER_MARK ||
	    get(header + AT_HEADER_SUM, 4) != saved_checksum(0, header, AT_HEADER_SUM))
		return saved_complain(parts, 0, "the header is damaged: its checksum is another one");
	if (!parts->version || parts->version > SAVING_VERSION)
		return saved_complain(parts, AT_VERSION,
				      "saved as version %" PRIu32 " by another precis; this one "
				      "reads up to version %u", parts->version, SAVING_VERSION);
	if (sums != (uint32_t)saving_sums())
		return saved_complain(parts, AT_SUMS,
				      "saved by a build of precis whose sums are of another kind");
	return EXIT_OK;
}

int saved_open(struct saved_parts *parts, const char *command, const char *path)
{
	uint8_t header[SAVED_HEADER_BYTES];

	*parts = (struct saved_parts){ .command = command, .path = path };
	parts->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (parts->fd < 0) {
		complain(command, "%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	if (read_all(parts, header, sizeof(header), "a header"))
		return EXIT_FAILED;
	return check_header(parts, header);
}

void saved_close(struct saved_parts *parts)
{
	if (parts->fd >= 0)
		close(parts->fd);
	free(parts->bytes);
	parts->bytes = NULL;
	parts->fd = -1;
}

/* What a part's header says. EXIT_OK, EXIT_FAILED */
static int take_header(struct saved_parts *parts, uint8_t header[SAVED_PART_BYTES])
{
	const uint64_t at = parts->offset;

	if (read_all(parts, header, SAVED_PART_BYTES, "a part's header"))
		return EXIT_FAILED;
	if (get(header + AT_PART_SUM, 4) != saved_checksum(0, header, AT_PART_SUM))
		return saved_complain(parts, at, "a part's header is damaged: its checksum is another one");
	memcpy(parts->name, header, SAVED_NAME_BYTES);
	parts->name[SAVED_NAME_BYTES] = '\0';
	return EXIT_OK;
}

/* A length that lies takes no more memory than twice what is there. */
static int read_part(struct saved_parts *parts, uint64_t count)
{
	uint64_t room = count < STEP_BYTES ? count : STEP_BYTES;

	free(parts->bytes);
	parts->bytes = NULL;
	parts->count = 0;
	while (!parts->bytes || parts->count < count) {
		uint8_t *more = room < SIZE_MAX ? realloc(parts->bytes, (size_t)room + 1) : NULL;
		ssize_t got;

		if (!more) {
			complain(parts->command, "out of memory");
			return EXIT_FAILED;
		}
		parts->bytes = more;
		got = read_bytes(parts, more + parts->count, (size_t)room - parts->count);
		if (got < 0)
			return EXIT_FAILED;
		parts->count += (size_t)got;
		if (parts->count < room)
			return saved_complain(parts, parts->bytes_at,
					      "expected %" PRIu64 " bytes of the part '%s', "
					      "found %zu before the file ends", count, parts->name,
					      parts->count);
		room = count - room < room ? count : 2 * room;
	}
	return EXIT_OK;
}

int saved_next(struct saved_parts *parts)
{
	uint8_t header[SAVED_PART_BYTES];

	if (take_header(parts, header))
		return EXIT_FAILED;
	parts->bytes_at = parts->offset;
	if (read_part(parts, get(header + AT_BYTES, 8)))
		return EXIT_FAILED;
	if (get(header + AT_BYTES_SUM, 4) != saved_checksum(0, parts->bytes, parts->count))
		return saved_complain(parts, parts->bytes_at,
				      "the part '%s' is damaged: its checksum is another one",
				      parts->name);
	return EXIT_OK;
}


int saved_take(struct saved_parts *parts, const char *name)
{
	const uint64_t at = parts->offset;

	if (saved_next(parts))
		return EXIT_FAILED;
	return strcmp(parts->name, name) == 0 ? EXIT_OK :
	       saved_complain(parts, at, "expected the part '%s', found '%s'", name, parts->name);
}

int saved_check_end(struct saved_parts *parts)
{
	const uint64_t at = parts->offset;
	uint8_t more;
	const ssize_t got = read_bytes(parts, &more, 1);

	if (parts->count || got > 0)
		return saved_complain(parts, parts->count ? parts->bytes_at : at,
				      "expected the end of the file");
	return got < 0 ? EXIT_FAILED : EXIT_OK;
}
