#ifndef PRECIS_CODE_H
#define PRECIS_CODE_H

#include <stddef.h>
#include <stdint.h>

#include <precis/export.h>

PRECIS_BEGIN_DECLS

#define PRECIS_CODE_LOADS (1u << 0)
#define PRECIS_CODE_STORES (1u << 1)
#define PRECIS_CODE_JUMP (1u << 2)
#define PRECIS_CODE_CALL (1u << 3)
#define PRECIS_CODE_RETURN (1u << 4)
#define PRECIS_CODE_CONDITIONAL (1u << 5)
#define PRECIS_CODE_TARGET (1u << 6)

enum precis_code_syntax {
	PRECIS_CODE_ATT = 0,
	PRECIS_CODE_INTEL = 1
};

#define PRECIS_CODE_BYTES_MOST 15u
#define PRECIS_CODE_TEXT 128u

struct precis_instruction {
	uint32_t size;
	uint32_t length;
	uint32_t does;
	uint32_t reserved;
	uint64_t target;
};

PRECIS_API int precis_code_available(void);

PRECIS_API int precis_code_decode(const void *bytes, size_t count, uint64_t address, uint32_t bits,
				  uint32_t syntax, struct precis_instruction *instruction);

PRECIS_END_DECLS

#endif
