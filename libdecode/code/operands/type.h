/* SPDX-License-Identifier: BSD-3-Clause */
/* What is told of the data that an instruction accesses, or why nothing is. */
#ifndef LIBDECODE_CODE_OPERANDS_TYPE_H
#define LIBDECODE_CODE_OPERANDS_TYPE_H

#include <stdint.h>

#include <precis/data_types.h>

enum operand_absence {
#define A(name, text) OPERAND_##name,
#include "absences.def"
#undef A
	OPERAND_ABSENCES
};

enum operand_evidence {
#define E(name, text) OPERAND_BY_##name,
#include "evidence.def"
#undef E
	OPERAND_EVIDENCE
};

/* What an instruction does to memory */
#define OPERAND_READS 1u
#define OPERAND_WRITES 2u

struct operand_type {
	const struct precis_data_type *type; /* of an array that of its elements; NULL: 'absent' says why */
	uint64_t offset; /* of the access in it; of an element in any of them */
	const char *variable; /* whose type told it; NULL: none, or without a name */
	uint32_t width; /* of the access in bytes; 0: not known */
	uint8_t absent; /* enum operand_absence */
	uint8_t evidence; /* enum operand_evidence */
	uint8_t does, stack_does; /* to that operand; and by the way to the stack, as call *8(%rax) */
};

/* Fills 'bytes' with code from an address of the file on. @return how many there are, 0 if none */
typedef uint32_t operand_reader(void *data, uint64_t address, uint8_t *bytes, uint32_t most);

/* Never NULL. */
const char *operand_absence_text(uint32_t absence);
const char *operand_evidence_text(uint32_t evidence);

#endif
