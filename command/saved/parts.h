/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file that precis report --save writes: a header, and parts, one behind the other. All
 * numbers have their low byte first.
 *
 *	header  "precis\0s", u32 byte order 0x0d0c0b0a, u32 version (analysis/saving/saving.h), u32 sums
 *	        (enum saving_sums), u32 0, u32 CRC-32 of all that
 *	part    name in 16 bytes, padded with zeros, u64 bytes, u32 their CRC-32, u32 CRC-32 of the name
 *	        and all
 *	        behind it; then the bytes
 *
 * The last part is "end", which has none, and nothing is behind it.
 */
#ifndef SAVED_PARTS_H
#define SAVED_PARTS_H

#include <stddef.h>
#include <stdint.h>

#define SAVED_HEADER_BYTES 28u
#define SAVED_NAME_BYTES 16u
#define SAVED_PART_BYTES (SAVED_NAME_BYTES + 16u)

/* Is that such a file? "-" is none: what is read once is read by who knows what it is. */
int saved_is_one(const char *path);

/* The bytes in front of the first part, and in front of a part */
void saved_header(uint8_t header[SAVED_HEADER_BYTES]);
void saved_part_header(uint8_t header[SAVED_PART_BYTES], const char *name, uint64_t count,
		       uint32_t sum);

/* CRC-32 of bytes, behind others whose own is 'before'; 0: of none */
uint32_t saved_checksum(uint32_t before, const void *bytes, size_t count);

/* A file that is read. Errors are told on stderr, with their offset. */
struct saved_parts {
	const char *command, *path;
	int fd;
	uint32_t version;
	uint64_t offset; /* of what is read next */
	/* The part that was read last, until the next one */
	char name[SAVED_NAME_BYTES + 1];
	uint8_t *bytes;
	size_t count;
	uint64_t bytes_at; /* their offset */
};

/* To be closed in any case. EXIT_OK, EXIT_FAILED */
int saved_open(struct saved_parts *parts, const char *command, const char *path);
void saved_close(struct saved_parts *parts);

/* The next part, which is to have that name. EXIT_OK, EXIT_FAILED */
int saved_take(struct saved_parts *parts, const char *name);

/* The next part, whatever it is; and that nothing is behind the last one. EXIT_OK, EXIT_FAILED */
int saved_next(struct saved_parts *parts);
int saved_check_end(struct saved_parts *parts);

/* What is wrong at that offset. @return EXIT_FAILED */
int saved_complain(const struct saved_parts *parts, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
