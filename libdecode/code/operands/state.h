/* SPDX-License-Identifier: BSD-3-Clause */
/* What registers and slots of the frame hold before an instruction, as far as pointers are concerned. */
#ifndef LIBDECODE_CODE_OPERANDS_STATE_H
#define LIBDECODE_CODE_OPERANDS_STATE_H

#include <stdint.h>

#include <precis/data_types.h>

/* Registers are numbered as DWARF does: System V ABI for x86-64, figure 3.36 */
#define OPERAND_REGISTERS 16u
#define OPERAND_RAX 0u
#define OPERAND_RBP 6u
#define OPERAND_RSP 7u
#define OPERAND_SLOTS 24u

enum operand_value_kind {
	VALUE_UNKNOWN = 0,
	VALUE_NUMBER, /* 'offset', plus any multiple of 'target'; 0 is a null pointer, too */
	VALUE_POINTER, /* to 'type' at 'offset' */
	VALUE_FRAME, /* the canonical frame address plus 'offset' */
	VALUE_RESULT /* of the call before the address 'offset' of 'target': looked up if anybody asks */
};

/* What may have been added to a pointer beside its offset */
enum operand_index {
	INDEX_NONE = 0,
	INDEX_WHOLE, /* so many times the size of what it points to */
	INDEX_ANY, /* something: that, or elements of an array in there */
	INDEX_PART /* steps that are not of that size */
};

struct operand_value {
	uint8_t kind; /* enum operand_value_kind */
	uint8_t index; /* enum operand_index */
	uint8_t evidence; /* enum operand_evidence */
	uint8_t is_sum; /* of numbers that may be multiples of each other: of 'target' it may be one, too */
	int64_t offset;
	uint64_t target;
	const struct precis_data_type *type; /* NULL: void */
	const char *variable;
};

/* Eight bytes of the frame that a register was saved in */
struct operand_slot {
	int64_t at; /* from the canonical frame address */
	struct operand_value value;
};

struct operand_state {
	struct operand_value reg[OPERAND_REGISTERS];
	struct operand_slot slot[OPERAND_SLOTS];
	uint32_t slots;
};

/* At the function's first instruction: the return address is on top of the stack */
void operand_state_begin(struct operand_state *state);

/* What holds whichever of both was there. @return has 'state' changed? */
int operand_state_meet(struct operand_state *state, const struct operand_state *other);

/* What holds of one or the other */
struct operand_value operand_value_meet(const struct operand_value *a, const struct operand_value *b);

/* A number is added: to a pointer, to another number, or to what is not known */
void operand_value_add(struct operand_value *value, const struct operand_value *number);

/* As a number: what is none may be any, of which the multiples of 1 are all */
struct operand_value operand_number(const struct operand_value *value);
struct operand_value operand_number_times(const struct operand_value *number, int64_t times);

/* Memory of the frame is written: what it had is no more; eight bytes may have a known value then */
void operand_state_write(struct operand_state *state, int64_t at, uint32_t bytes,
			 const struct operand_value *value);

/* NULL: not known */
const struct operand_value *operand_state_read(const struct operand_state *state, int64_t at);

/* Offsets beyond are no programs': sums of a few of them fit */
static inline int operand_is_near(int64_t offset)
{
	return offset > -(INT64_C(1) << 40) && offset < INT64_C(1) << 40;
}

/* A number of which nothing is known is no more than unknown */
static inline int operand_is_any(const struct operand_value *value)
{
	return value->kind == VALUE_NUMBER && value->target == 1 && !value->offset && !value->is_sum;
}

/* How long a type is; 0: it has no length that is known */
static inline uint64_t operand_bytes_of(const struct precis_data_type *type)
{
	uint64_t bytes;

	return type && precis_data_type_bytes(type, &bytes, 0) > 0 ? bytes : 0;
}

/* Of an array what its elements are. @return 0 if it is none */
static inline int operand_element_of(const struct precis_data_type *type,
				     const struct precis_data_type **element)
{
	return type && precis_data_type_kind(type) == PRECIS_DATA_KIND_ARRAY &&
	       precis_data_type_target(type, element) > 0 && *element;
}

/* The offset in one of those that lie behind each other */
static inline int64_t operand_in_element(int64_t offset, uint64_t bytes)
{
	const int64_t each = (int64_t)bytes, rest = each > 0 ? offset % each : offset;

	return rest < 0 ? rest + each : rest;
}

#endif
