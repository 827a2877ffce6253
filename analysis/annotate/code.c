/* SPDX-License-Identifier: BSD-3-Clause */
/* See code.h. */
#include "code.h"

#include <stdlib.h>
#include <string.h>

static int decode(const struct annotated_code *code, uint64_t offset, uint32_t syntax,
		  struct precis_instruction *instruction)
{
	const uint64_t at = offset - code->location.offset;

	*instruction = (struct precis_instruction){ .size = sizeof(*instruction) };
	if (at >= code->byte_count || !code->code.bits)
		return 0;
	return precis_code_decode(code->bytes + at, code->byte_count - at,
				  annotated_address(code, offset), code->code.bits, syntax,
				  instruction);
}

static struct annotated_instruction *append(struct annotated_code *code, uint64_t offset)
{
	struct annotated_instruction *more;

	if (code->count == code->room) {
		uint32_t room = code->room ? 2 * code->room : 256;

		more = realloc(code->list, room * sizeof(*more));
		if (!more)
			return NULL;
		code->list = more;
		code->room = room;
	}
	more = &code->list[code->count++];
	*more = (struct annotated_instruction){ .offset = offset };
	return more;
}

static void describe(const struct annotated_code *code, struct annotated_instruction *instruction)
{
	struct precis_instruction found;
	int length = decode(code, instruction->offset, PRECIS_CODE_ATT, &found);

	if (length <= 0)
		return;
	instruction->length = (uint8_t)length;
	instruction->does = found.does;
	instruction->target = found.target;
}

/* Those that have samples and lie before 'end', which is behind the start of the last instruction */
static int add_sampled(struct annotated_code *code, const struct by_row *const **rows,
		       const struct by_row *const *last, uint64_t end, int is_inside)
{
	for (; *rows < last && (**rows)->key[1].b < end; ++*rows) {
		struct annotated_instruction *instruction = append(code, (**rows)->key[1].b);

		if (!instruction)
			return -1;
		instruction->row = **rows;
		instruction->is_inside = (uint8_t)is_inside;
		if (!is_inside)
			describe(code, instruction);
	}
	return 0;
}

/* One behind the other: what is none is passed by bytes. */
static int decode_all(struct annotated_code *code, const struct by_row *const *rows, uint32_t count)
{
	const struct by_row *const *last = rows + count;
	const uint64_t read = code->location.offset + code->byte_count;
	uint64_t offset = code->location.offset;

	while (offset < read) {
		struct annotated_instruction *instruction = append(code, offset);

		if (!instruction)
			return -1;
		describe(code, instruction);
		offset += instruction->length ? instruction->length : 1;
		if (rows < last && (*rows)->key[1].b == instruction->offset)
			instruction->row = *rows++;
		if (add_sampled(code, &rows, last, offset < read ? offset : read, 1) < 0)
			return -1;
	}
	return add_sampled(code, &rows, last, UINT64_MAX, 0);
}

/* From the first sample to the last, if that is all that is known */
static void find_extent(struct annotated_code *code, const struct by_row *const *rows, uint32_t count)
{
	const uint64_t last = rows[count - 1]->key[1].b;
	uint64_t start, end;

	if (code->reads_files &&
	    precis_symbols_extent(code->symbols, &code->location, &start, &end) > 0 &&
	    end - start <= FUNCTION_BYTES_MOST && last < end) {
		code->location.offset = start;
		code->end = end;
		return;
	}
	code->is_sparse = 1;
	code->end = last + (last <= UINT64_MAX - PRECIS_CODE_BYTES_MOST ? PRECIS_CODE_BYTES_MOST : 0);
}

static int read_bytes(struct annotated_code *code)
{
	const uint64_t length = code->end - code->location.offset;
	int count;

	code->code = (struct precis_code){
		.size = sizeof(code->code), .address = code->location.offset,
		.absent = PRECIS_SYMBOL_NOT_ASKED,
	};
	if (!code->reads_files)
		return 0;
	if (!length || length > FUNCTION_BYTES_MOST + PRECIS_CODE_BYTES_MOST)
		return 0;
	code->bytes = malloc(length);
	if (!code->bytes)
		return -1;
	count = precis_symbols_code(code->symbols, &code->location, code->bytes, (uint32_t)length,
				    &code->code);
	code->byte_count = count > 0 ? (uint32_t)count : 0;
	if (!code->byte_count)
		code->code.address = code->location.offset;
	return count == PRECIS_E_NO_MEMORY ? -1 : 0;
}

int annotated_code_open(struct annotated_code *code, struct precis_symbols *symbols,
			const struct precis_location *location, const struct by_row *const *rows,
			uint32_t count, int reads_files)
{
	*code = (struct annotated_code){
		.symbols = symbols, .location = *location, .reads_files = reads_files,
	};
	find_extent(code, rows, count);
	if (read_bytes(code) < 0)
		return -1;
	if (!code->is_sparse && code->byte_count && code->code.bits && precis_code_available())
		return decode_all(code, rows, count);
	return add_sampled(code, &rows, rows + count, UINT64_MAX, 0);
}

void annotated_code_free(struct annotated_code *code)
{
	free(code->bytes);
	free(code->list);
}

const struct annotated_instruction *annotated_find(const struct annotated_code *code,
						   uint64_t address)
{
	const uint64_t offset = code->location.offset + (address - code->code.address);
	uint32_t low = 0, high = code->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (code->list[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < code->count && code->list[low].offset == offset && !code->list[low].is_inside ?
		       &code->list[low] : NULL;
}

void annotated_text(const struct annotated_code *code,
		    const struct annotated_instruction *instruction, uint32_t syntax,
		    char text[PRECIS_CODE_TEXT])
{
	struct precis_instruction found;

	text[0] = '\0';
	if (instruction->length && decode(code, instruction->offset, syntax, &found) > 0)
		memcpy(text, found.text, PRECIS_CODE_TEXT);
}
