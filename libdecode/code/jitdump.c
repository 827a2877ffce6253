/* SPDX-License-Identifier: BSD-3-Clause */
/* See jitdump.h. */
#include "jitdump.h"

#include <elf.h>
#include <string.h>

#include <precis/code.h>
#include <precis/error.h>

#include "libdecode/sample/bytes.h"

#define MAGIC 0x4a695444u
#define MAGIC_SWAPPED 0x4454694au
#define HEADER_BYTES 40u
#define PREFIX_BYTES 16u
#define LOAD_BYTES 56u /* with the prefix, without name and code */
#define MOVE_BYTES 64u
#define FLAG_ARCH_TIMESTAMP 1u

enum { CODE_LOAD = 0, CODE_MOVE = 1 };

static int read_header(const uint8_t *bytes, size_t count, struct code_jitdump *dump,
		       size_t *length)
{
	uint32_t machine;

	if (count < HEADER_BYTES)
		return count >= 4 && load_le32(bytes) == MAGIC ? PRECIS_E_TRUNCATED
							       : PRECIS_E_NOT_PERF_DATA;
	if (load_le32(bytes) == MAGIC_SWAPPED)
		return PRECIS_E_ENDIAN;
	if (load_le32(bytes) != MAGIC)
		return PRECIS_E_NOT_PERF_DATA;
	if (load_le32(bytes + 8) < HEADER_BYTES || load_le32(bytes + 8) > count)
		return PRECIS_E_BAD_SIZE;
	*length = load_le32(bytes + 8);
	machine = load_le32(bytes + 12);
	*dump = (struct code_jitdump){
		.pid = load_le32(bytes + 20),
		.foreign_clock = load_le64(bytes + 32) & FLAG_ARCH_TIMESTAMP,
		.bits = machine == EM_X86_64    ? 64
			: machine == EM_386     ? 32
			: machine == EM_AARCH64 ? PRECIS_CODE_AARCH64
						: 0,
	};
	return 0;
}

/* @return 1 if the record is of a function; 0 if not; PRECIS_E_BAD_SIZE */
static int read_function(const uint8_t *record, uint32_t size,
			 struct code_jitdump_function *function)
{
	const uint32_t id = load_le32(record);
	const uint32_t fixed = id == CODE_LOAD ? LOAD_BYTES : MOVE_BYTES;

	if (id != CODE_LOAD && id != CODE_MOVE)
		return 0;
	if (size < fixed)
		return PRECIS_E_BAD_SIZE;
	*function = (struct code_jitdump_function){
		.time = load_le64(record + 8),
		.pid = load_le32(record + 16),
		.start = load_le64(record + (id == CODE_LOAD ? 32 : 40)),
		.bytes = load_le64(record + fixed - 16),
		.index = load_le64(record + fixed - 8),
	};
	if (function->start > UINT64_MAX - function->bytes)
		return PRECIS_E_BAD_SIZE;
	if (id == CODE_MOVE)
		return 1;
	/* A name with its NUL, then the code, up to the end */
	if (function->bytes >= size - fixed ||
	    !memchr(record + fixed, '\0', size - fixed - function->bytes))
		return PRECIS_E_BAD_SIZE;
	function->name = (const char *)record + fixed;
	function->code = record + size - function->bytes;
	return 1;
}

int code_jitdump_parse(const uint8_t *bytes, size_t count, code_jitdump_fn function, void *data,
		       size_t *offset)
{
	struct code_jitdump_function found;
	struct code_jitdump dump;
	int code;

	*offset = 0;
	code = read_header(bytes, count, &dump, offset);
	while (!code && *offset < count) {
		const uint8_t *record = bytes + *offset;
		uint32_t size;

		if (count - *offset < PREFIX_BYTES)
			return PRECIS_E_TRUNCATED;
		size = load_le32(record + 4);
		if (size < PREFIX_BYTES)
			return PRECIS_E_BAD_SIZE;
		if (size > count - *offset)
			return PRECIS_E_TRUNCATED;
		code = read_function(record, size, &found);
		if (code < 0)
			return code;
		code = code ? function(data, &dump, &found) : 0;
		*offset += size;
	}
	return code;
}

int code_jitdump_is_name(const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t digits;

	name = slash ? slash + 1 : name;
	if (strncmp(name, "jit-", 4) != 0)
		return 0;
	digits = strspn(name + 4, "0123456789");
	return digits && strcmp(name + 4 + digits, ".dump") == 0;
}
