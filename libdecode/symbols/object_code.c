/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of what is mapped: where a function begins and ends, and its bytes. */
#include <limits.h>

#include <precis/error.h>

#include "elf_bytes.h"
#include "libdecode/sample/abi.h"
#include "model.h"

static const struct symbol *symbol_of(struct precis_symbols *symbols, struct object *object,
				      uint64_t offset, uint64_t *symbol_offset)
{
	enum precis_symbol_absent absent;
	const struct symbol *symbol;

	if (object->kind == OBJECT_KSYMBOL) /* nobody says how long it is */
		return NULL;
	if (object->kind == OBJECT_KERNEL)
		return precis_kernel_symbol(&symbols->kernel, &symbols->objects, &symbols->places,
					    object, offset, symbol_offset, &absent);
	symbol = precis_object_symbol(&symbols->places, object, offset, &absent);
	*symbol_offset = symbol ? offset - symbol->start : 0;
	return symbol;
}

int precis_symbols_extent(struct precis_symbols *symbols, const struct precis_location *location,
			  uint64_t *start, uint64_t *end)
{
	enum precis_symbol_absent absent;
	const struct symbol *symbol = NULL;
	struct object *object;
	uint64_t into = 0;

	if (!symbols || !location || !start || !end)
		return PRECIS_E_ARGUMENT;
	ABI_IN(struct precis_location, location, precis_symbols_extent(symbols, &abi, start, end));
	object = precis_symbols_object(symbols, location, &absent);
	if (object)
		symbol = symbol_of(symbols, object, location->offset, &into);
	if (!symbol || symbol->end <= symbol->start)
		return 0;
	*start = location->offset - into;
	if (__builtin_add_overflow(*start, symbol->end - symbol->start, end))
		*end = UINT64_MAX;
	return 1;
}

static enum precis_symbol_absent read_code(struct precis_symbols *symbols,
					   const struct object *object, uint64_t offset,
					   struct elf_bytes *bytes)
{
	switch (object->kind) {
	case OBJECT_FILE:
	case OBJECT_VDSO:
		if (object->is_contradicted && !symbols->places.any_build_id)
			return PRECIS_SYMBOL_OTHER_BUILD_ID;
		return precis_elf_bytes_read(&symbols->places, object->name, &object->build_id,
					     offset, bytes);
	case OBJECT_PERF_MAP:
		return PRECIS_SYMBOL_RUN_TIME_CODE;
	case OBJECT_KERNEL:
		return precis_kernel_code(&symbols->kernel, &symbols->objects, &symbols->places,
					  object, offset, bytes);
	case OBJECT_KSYMBOL:
		return PRECIS_SYMBOL_KERNEL_CODE;
	default:
		return PRECIS_SYMBOL_NOT_A_FILE;
	}
}

int precis_symbols_code(struct precis_symbols *symbols, const struct precis_location *location,
			void *bytes, uint32_t most, struct precis_code *code)
{
	struct elf_bytes read = { .room = bytes, .most = most };
	enum precis_symbol_absent absent;
	struct object *object;

	ABI_OUT(struct precis_code, code,
		precis_symbols_code(symbols, location, bytes, most, &abi));
	ABI_IN(struct precis_location, location,
	       precis_symbols_code(symbols, &abi, bytes, most, code));
	if (!symbols || !bytes || !most || most > INT_MAX)
		return PRECIS_E_ARGUMENT;
	object = precis_symbols_object(symbols, location, &absent);
	if (object)
		absent = read_code(symbols, object, location->offset, &read);
	*code = (struct precis_code){
		.size = code->size, .bits = read.bits, .address = read.address, .absent = absent,
	};
	return (int)read.count;
}
