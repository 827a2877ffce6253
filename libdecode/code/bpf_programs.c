/* SPDX-License-Identifier: BSD-3-Clause */
/* See bpf_programs.h. */
#include "bpf_programs.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "libdecode/sample/bytes.h"

/* Before the programs: how many they are */
#define COUNT_BYTES 4u
/* struct perf_bpil: bytes of its info and of its data, which arrays are in the data; then the info */
#define HEAD_BYTES 16u
/* struct bpf_prog_info, up to the last member that is wanted; arrays are at offsets into the data */
#define INFO_BYTES 128u
#define INFO_CODE_BYTES 16u
#define INFO_CODE 24u
#define INFO_STARTS_COUNT 104u
#define INFO_LENGTHS_COUNT 108u
#define INFO_STARTS 112u
#define INFO_LENGTHS 120u
/* Bits of the arrays: enum perf_bpil_array_types */
#define ARRAYS_WANTED (UINT64_C(1) << 0 | UINT64_C(1) << 3 | UINT64_C(1) << 4)

static int add_function(struct bpf_programs *programs, uint64_t start, const uint8_t *code,
			uint32_t bytes)
{
	struct bpf_function *more, made = { .start = start, .end = start + bytes };

	if (!bytes || start > UINT64_MAX - bytes || bytes > BPF_CODE_MOST - programs->bytes)
		return 0;
	if (programs->count == programs->room) {
		const uint32_t room = programs->room ? 2 * programs->room : 64;

		more = realloc(programs->function, room * sizeof(*more));
		if (!more)
			return PRECIS_E_NO_MEMORY;
		programs->function = more;
		programs->room = room;
	}
	made.code = malloc(bytes);
	if (!made.code)
		return PRECIS_E_NO_MEMORY;
	memcpy(made.code, code, bytes);
	programs->bytes += bytes;
	programs->function[programs->count++] = made;
	return 0;
}

/* An array of the data; NULL: it is not all there */
static const uint8_t *array_at(const uint8_t *data, uint64_t bytes, uint64_t offset,
			       uint64_t wanted)
{
	return offset <= bytes && wanted <= bytes - offset ? data + offset : NULL;
}

/*
 * The code of its functions stands one behind the other. One whose arrays are not what it says they are, or
 * whose code the recorder was not given, is passed over.
 */
static int add_program(struct bpf_programs *programs, const uint8_t *info, const uint8_t *data,
		       uint32_t bytes)
{
	const uint32_t functions = load_le32(info + INFO_STARTS_COUNT),
		       length = load_le32(info + INFO_CODE_BYTES);
	const uint8_t *starts =
		array_at(data, bytes, load_le64(info + INFO_STARTS), UINT64_C(8) * functions);
	const uint8_t *lengths =
		array_at(data, bytes, load_le64(info + INFO_LENGTHS), UINT64_C(4) * functions);
	const uint8_t *code = array_at(data, bytes, load_le64(info + INFO_CODE), length);
	uint32_t done = 0;

	if (functions != load_le32(info + INFO_LENGTHS_COUNT) || !starts || !lengths || !code)
		return 0;
	for (uint32_t n = 0; n < functions; n++) {
		const uint32_t own = load_le32(lengths + UINT64_C(4) * n);
		int error;

		if (own > length - done)
			return 0;
		error = add_function(programs, load_le64(starts + UINT64_C(8) * n), code + done,
				     own);
		if (error)
			return error;
		done += own;
	}
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct bpf_function *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return left->end < right->end ? -1 : left->end > right->end;
}

/* Those that have an address in common; the same one twice is none of them */
static void mark_ambiguous(struct bpf_programs *programs)
{
	uint32_t last = 0; /* that which ends last of those before */

	if (programs->count)
		qsort(programs->function, programs->count, sizeof(*programs->function), by_start);
	for (uint32_t n = 1; n < programs->count; n++) {
		struct bpf_function *before = &programs->function[last],
				    *own = &programs->function[n];
		const int is_same = before->start == own->start && before->end == own->end &&
				    !memcmp(before->code, own->code, own->end - own->start);

		if (own->start < before->end && !is_same)
			before->is_ambiguous = own->is_ambiguous = 1;
		if (own->end >= before->end)
			last = n;
		if (is_same)
			own->is_ambiguous |= before->is_ambiguous;
	}
}

int bpf_programs_add(struct bpf_programs *programs, const uint8_t *section, size_t count)
{
	const uint8_t *at = section, *end = section + count;
	int error = count < COUNT_BYTES ? PRECIS_E_TRUNCATED : 0;
	uint32_t left = error ? 0 : load_le32(at);

	at += error ? 0 : COUNT_BYTES;
	for (; left && !error; left--) {
		uint32_t info, data;
		uint64_t arrays;

		if ((size_t)(end - at) < HEAD_BYTES) {
			error = PRECIS_E_TRUNCATED;
			break;
		}
		info = load_le32(at);
		data = load_le32(at + 4);
		arrays = load_le64(at + 8);
		at += HEAD_BYTES;
		if (info > (size_t)(end - at) || data > (size_t)(end - at) - info)
			error = PRECIS_E_TRUNCATED;
		else if (info >= INFO_BYTES && (arrays & ARRAYS_WANTED) == ARRAYS_WANTED)
			error = add_program(programs, at, at + info, data);
		if (!error)
			at += (size_t)info + data;
	}
	mark_ambiguous(programs);
	return error;
}

uint32_t bpf_programs_read(const struct bpf_programs *programs, uint64_t address, uint8_t *bytes,
			   uint32_t most)
{
	uint32_t low = 0, high = programs->count;
	const struct bpf_function *function;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (programs->function[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return 0;
	function = &programs->function[low - 1];
	if (address >= function->end || function->is_ambiguous)
		return 0;
	if (most > function->end - address)
		most = (uint32_t)(function->end - address);
	memcpy(bytes, function->code + (address - function->start), most);
	return most;
}

void bpf_programs_free(struct bpf_programs *programs)
{
	for (uint32_t n = 0; n < programs->count; n++)
		free(programs->function[n].code);
	free(programs->function);
	memset(programs, 0, sizeof(*programs));
}
