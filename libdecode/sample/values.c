/* SPDX-License-Identifier: BSD-3-Clause */
/* Values as text: units, types, the names of enumerated values, numbers. */
#include <string.h>

#include <precis/error.h>
#include <precis/fields.h>

#include "words.h"

struct value_name {
	uint8_t value;
	const char *name;
};

static const struct value_name op_names[] = {
	{ PRECIS_OP_OTHER, "other" },
	{ PRECIS_OP_LOAD, "load" },
	{ PRECIS_OP_STORE, "store" },
	{ PRECIS_OP_LOAD_STORE, "load_store" },
	{ PRECIS_OP_PREFETCH, "prefetch" },
	{ PRECIS_OP_BRANCH, "branch" },
	{ 0, NULL },
};

static const struct value_name mem_type_names[] = {
	{ PRECIS_MEM_TYPE_CACHEABLE, "cacheable" },
	{ PRECIS_MEM_TYPE_WRITE_COMBINING, "write_combining" },
	{ PRECIS_MEM_TYPE_UNCACHEABLE, "uncacheable" },
	{ 0, NULL },
};

static const struct value_name mem_level_names[] = {
	{ PRECIS_MEM_LEVEL_L1, "L1" },
	{ PRECIS_MEM_LEVEL_L2, "L2" },
	{ PRECIS_MEM_LEVEL_LFB, "LFB" },
	{ PRECIS_MEM_LEVEL_L3, "L3" },
	{ PRECIS_MEM_LEVEL_LOCAL_CACHE, "local_cache" },
	{ PRECIS_MEM_LEVEL_NEAR_CACHE, "near_cache" },
	{ PRECIS_MEM_LEVEL_FAR_CACHE, "far_cache" },
	{ PRECIS_MEM_LEVEL_DRAM, "DRAM" },
	{ PRECIS_MEM_LEVEL_PMEM, "PMEM" },
	{ PRECIS_MEM_LEVEL_CXL, "CXL" },
	{ PRECIS_MEM_LEVEL_PEER_AGENT, "peer_agent" },
	{ PRECIS_MEM_LEVEL_IO, "IO" },
	{ PRECIS_MEM_LEVEL_UNCACHED, "uncached" },
	{ PRECIS_MEM_LEVEL_L4, "L4" },
	{ PRECIS_MEM_LEVEL_L2_MHB, "L2_MHB" },
	{ PRECIS_MEM_LEVEL_MSC, "MSC" },
	{ PRECIS_MEM_LEVEL_L0, "L0" },
	{ 0, NULL },
};

static const struct value_name mem_remote_names[] = {
	{ PRECIS_MEM_REMOTE_LOCAL, "local" },
	{ PRECIS_MEM_REMOTE_NODE, "remote_node" },
	{ PRECIS_MEM_REMOTE_SOCKET, "remote_socket" },
	{ 0, NULL },
};

static const struct value_name mem_snoop_names[] = {
	{ PRECIS_MEM_SNOOP_MODIFIED, "modified" },
	{ PRECIS_MEM_SNOOP_OWNED, "owned" },
	{ PRECIS_MEM_SNOOP_HIT, "hit" },
	{ PRECIS_MEM_SNOOP_MISS, "miss" },
	{ PRECIS_MEM_SNOOP_NONE, "none" },
	{ PRECIS_MEM_SNOOP_FORWARD, "forward" },
	{ PRECIS_MEM_SNOOP_NONE_OR_MISS, "none_or_miss" },
	{ 0, NULL },
};

static const struct value_name tlb_level_names[] = {
	{ PRECIS_TLB_LEVEL_L1, "L1" },
	{ PRECIS_TLB_LEVEL_L2, "L2" },
	{ PRECIS_TLB_LEVEL_WALK, "walk" },
	{ PRECIS_TLB_LEVEL_L1_OR_L2, "L1_or_L2" },
	{ 0, NULL },
};

static const struct value_name period_unit_names[] = {
	{ PRECIS_PERIOD_UNIT_CYCLES, "cycles" },
	{ PRECIS_PERIOD_UNIT_OPS, "ops" },
	{ PRECIS_PERIOD_UNIT_FETCHES, "fetches" },
	{ 0, NULL },
};

static const struct value_name cpumode_names[] = {
	{ PRECIS_CPUMODE_UNKNOWN, "unknown" },
	{ PRECIS_CPUMODE_KERNEL, "kernel" },
	{ PRECIS_CPUMODE_USER, "user" },
	{ PRECIS_CPUMODE_HYPERVISOR, "hypervisor" },
	{ PRECIS_CPUMODE_GUEST_KERNEL, "guest_kernel" },
	{ PRECIS_CPUMODE_GUEST_USER, "guest_user" },
	{ 0, NULL },
};

static const struct {
	const char *name;
	const struct value_name *values; /* NULL: not enumerated */
} type_rows[] = {
	[PRECIS_TYPE_UINT] = { "uint", NULL },
	[PRECIS_TYPE_INT] = { "int", NULL },
	[PRECIS_TYPE_ADDRESS] = { "address", NULL },
	[PRECIS_TYPE_HEX] = { "hex", NULL },
	[PRECIS_TYPE_BOOL] = { "bool", NULL },
	[PRECIS_TYPE_EVENT] = { "event", NULL },
	[PRECIS_TYPE_OP] = { "op", op_names },
	[PRECIS_TYPE_MEM_TYPE] = { "mem_type", mem_type_names },
	[PRECIS_TYPE_MEM_LEVEL] = { "mem_level", mem_level_names },
	[PRECIS_TYPE_MEM_REMOTE] = { "mem_remote", mem_remote_names },
	[PRECIS_TYPE_MEM_SNOOP] = { "mem_snoop", mem_snoop_names },
	[PRECIS_TYPE_TLB_LEVEL] = { "tlb_level", tlb_level_names },
	[PRECIS_TYPE_PERIOD_UNIT] = { "period_unit", period_unit_names },
	[PRECIS_TYPE_CPUMODE] = { "cpumode", cpumode_names },
};

#define TYPE_COUNT (sizeof(type_rows) / sizeof(type_rows[0]))

const char *precis_unit_name(uint32_t unit)
{
	static const char *const names[] = {
		[PRECIS_UNIT_NONE] = "",       [PRECIS_UNIT_CYCLES] = "cycles",
		[PRECIS_UNIT_NANOSECONDS] = "ns", [PRECIS_UNIT_BYTES] = "bytes",
		[PRECIS_UNIT_EVENTS] = "events", [PRECIS_UNIT_BUFFERS] = "buffers",
	};

	return unit < sizeof(names) / sizeof(names[0]) ? names[unit] : NULL;
}

const char *precis_type_name(uint32_t type)
{
	return type < TYPE_COUNT ? type_rows[type].name : NULL;
}

const char *precis_type_value_name(uint32_t type, uint64_t value)
{
	if (type >= TYPE_COUNT || !type_rows[type].values)
		return NULL;
	for (const struct value_name *row = type_rows[type].values; row->name; row++) {
		if (row->value == value)
			return row->name;
	}
	return NULL;
}

int precis_type_value_find(uint32_t type, const char *name, size_t length, uint64_t *value)
{
	if (type >= TYPE_COUNT || !type_rows[type].values || !name || !value)
		return PRECIS_E_ARGUMENT;
	for (const struct value_name *row = type_rows[type].values; row->name; row++) {
		if (strlen(row->name) == length && precis_words_equal(row->name, name, length)) {
			*value = row->value;
			return 0;
		}
	}
	return PRECIS_E_NO_FIELD;
}

static size_t format_decimal(uint64_t value, char *text)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	char digits[20];
	size_t at = sizeof(digits);

	while (value >= 100) {
		at -= 2;
		memcpy(digits + at, pairs + 2 * (value % 100), 2);
		value /= 100;
	}
	if (value >= 10) {
		at -= 2;
		memcpy(digits + at, pairs + 2 * value, 2);
	} else {
		digits[--at] = (char)('0' + value);
	}
	memcpy(text, digits + at, sizeof(digits) - at);
	text[sizeof(digits) - at] = '\0';
	return sizeof(digits) - at;
}

static size_t format_hex(uint64_t value, char *text)
{
	size_t digits = 1;

	while (digits < 16 && value >> (4 * digits))
		digits++;
	text[0] = '0';
	text[1] = 'x';
	for (size_t i = 0; i < digits; i++)
		text[2 + i] = "0123456789abcdef"[(value >> (4 * (digits - 1 - i))) & 15];
	text[2 + digits] = '\0';
	return 2 + digits;
}

size_t precis_value_format(uint32_t type, uint64_t value, char *text)
{
	const char *name;
	size_t length;

	switch (type) {
	case PRECIS_TYPE_ADDRESS:
	case PRECIS_TYPE_HEX:
		return format_hex(value, text);
	case PRECIS_TYPE_INT:
		if (value >> 63) {
			text[0] = '-';
			return 1 + format_decimal(0 - value, text + 1);
		}
		break;
	default:
		name = precis_type_value_name(type, value);
		if (name) {
			length = strlen(name);
			memcpy(text, name, length + 1);
			return length;
		}
	}
	return format_decimal(value, text);
}
