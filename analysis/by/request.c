/* SPDX-License-Identifier: BSD-3-Clause */
/* See request.h. */
#include "request.h"

#include <string.h>

#include <precis/precis.h>

#define BIT(value) (1u << (value))

static const struct {
	const char *name, *what;
} keys[] = {
	[BY_SYMBOL] = { "symbol", "function of the sampled instruction" },
	[BY_LINE] = { "line", "its source line" },
	[BY_INSTRUCTION] = { "instruction", "its address: function and offset" },
	[BY_DSO] = { "dso", "its file" },
	[BY_COMM] = { "comm", "name that the thread had then" },
	[BY_NODE] = { "node", "NUMA node of the CPU" },
	[BY_MEMORY_NODE] = { "memory_node", "NUMA node of the data's physical address" },
	[BY_PAGE] = { "page", "4096 bytes of the data's linear address" },
	[BY_CACHE_LINE] = { "cache_line", "64 bytes of the data's linear address" },
	[BY_OBJECT] = { "object", "variable that the data is in, or what else is mapped there" },
	[BY_MEMORY] = { "memory", "what kind of memory the data is in: program, heap, stack, ..." },
	[BY_TYPE] = { "type", "type of that variable, of an array that of its elements" },
	[BY_MEMBER] = { "member", "member of that type" },
	[BY_ELEMENT] = { "element", "element and member of that variable" },
	[BY_ALLOCATION] = { "allocation",
			    "calls that asked for the block that the data is in, the outermost first" },
	[BY_TAG] = { "tag", "what the program says of the object that the data is in" },
	[BY_PHASE] = { "phase", "what the program said that it does, of all its threads" },
	[BY_CGROUP] = { "cgroup", "its path" },
	[BY_CALLER] = { "caller", "the function that called the sampled one" },
	[BY_STACK] = { "stack", "all functions that were called, the outermost first" },
	[BY_EVENT] = { "event", "the event's name" },
	[BY_TIME] = { "time",
		      "50 parts of the recording's time; time:N: N parts; time:20ms: parts of 20 ms" },
};

/* Shorter names of fields as keys */
static const struct {
	const char *name;
	uint32_t field;
} aliases[] = {
	{ "level", PRECIS_FIELD_MEM_LEVEL },
	{ "remote", PRECIS_FIELD_MEM_REMOTE },
};

/* Levels of the memory are columns by the names of their values. */
static const struct {
	struct by_column column;
	const char *what;
} columns[] = {
	{ { .name = "samples", .title = "samples", .figure = BY_SAMPLES }, "how many there are" },
	{ { .name = "events", .title = "events", .figure = BY_EVENTS, .better = -1 },
	  "what they stand for: the sum of their periods" },
	{ { .name = "share", .title = "share [95% CI]", .figure = BY_SHARE }, "of all samples, weighed" },
	{ { .name = "cycles", .title = "cycles", .figure = BY_CYCLES },
	  "sum of the latency, each times what its sample stands for" },
	{ { .name = "cycle_share", .title = "of cycles", .figure = BY_CYCLE_SHARE },
	  "its share of that sum of all samples" },
	{ { .name = "n", .title = "n", .figure = BY_N }, "samples that have the latency" },
	{ { .name = "mean", .title = "mean", .figure = BY_MEAN, .better = -1 }, "of the latency" },
	{ { .name = "median", .title = "median", .figure = BY_MEDIAN, .better = -1 },
	  "half of the events have a latency of at most that; also called p50" },
	{ { .name = "p95", .title = "p95", .figure = BY_P95, .better = -1 }, "likewise 95% of them" },
	{ { .name = "p99", .title = "p99", .figure = BY_P99, .better = -1 }, "likewise 99% of them" },
	{ { .name = "max", .title = "max", .figure = BY_MAX, .better = -1 }, "the longest latency" },
	{ { .name = "trend", .title = "trend", .figure = BY_TREND },
	  "what samples weigh in each of 32 equal parts of the time" },
	{ { .name = "remote", .title = "remote", .figure = BY_IS, .better = -1,
	    .field = PRECIS_FIELD_MEM_REMOTE,
	    .values = BIT(PRECIS_MEM_REMOTE_NODE) | BIT(PRECIS_MEM_REMOTE_SOCKET) },
	  "share of those whose data is of another node or socket" },
	{ { .name = "tlb_miss", .title = "tlb_miss", .figure = BY_IS, .better = -1,
	    .field = PRECIS_FIELD_TLB_LEVEL,
	    .values = BIT(PRECIS_TLB_LEVEL_L2) | BIT(PRECIS_TLB_LEVEL_WALK),
	    .unknown = BIT(PRECIS_TLB_LEVEL_L1_OR_L2) },
	  "share of those that the first TLB did not have" },
	{ { .name = "tlb_walk", .title = "tlb_walk", .figure = BY_IS, .better = -1,
	    .field = PRECIS_FIELD_TLB_LEVEL, .values = BIT(PRECIS_TLB_LEVEL_WALK) },
	  "share of those that no TLB had" },
};

/* Other names of columns */
static const struct {
	const char *name, *column;
} other_names[] = {
	{ "p50", "median" },
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static int is_named(const char *name, size_t length, const char *known)
{
	return strlen(known) == length && memcmp(name, known, length) == 0;
}

/* Times and numbers of cycles or events are figures, and no names of anything. */
static int is_key(uint32_t field)
{
	struct precis_field_info info = { .size = sizeof(info) };

	if (field == PRECIS_FIELD_TSC || field == PRECIS_FIELD_APPLICABLE_COUNTERS)
		return 0;
	return !precis_field_info(field, &info) &&
	       (info.unit == PRECIS_UNIT_NONE || info.unit == PRECIS_UNIT_BYTES);
}

/* "time", "time:100", "time:20ms" */
static int find_time(const char *name, size_t length, struct by_asked_key *key)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	const size_t colon = strlen("time:");
	uint64_t number = 0;
	size_t at = colon;

	*key = (struct by_asked_key){ .key = BY_TIME, .name = keys[BY_TIME].name, .parts = BY_PARTS };
	if (is_named(name, length, keys[BY_TIME].name))
		return 1;
	if (length <= colon || memcmp(name, "time:", colon))
		return 0;
	for (; at < length && name[at] >= '0' && name[at] <= '9' && number < UINT32_MAX; at++)
		number = 10 * number + (uint64_t)(name[at] - '0');
	key->parts = number <= BY_PARTS_MOST ? (uint32_t)number : 0;
	if (at == length)
		return key->parts != 0;
	for (size_t n = 0; n < COUNT_OF(units); n++) {
		if (is_named(name + at, length - at, units[n].name))
			key->interval = number * units[n].ns;
	}
	key->parts = 0;
	return key->interval != 0;
}

int by_find_key(const char *name, size_t length, struct by_asked_key *key)
{
	int field = -1;

	if (find_time(name, length, key))
		return 1;
	for (uint32_t n = 0; n < COUNT_OF(keys); n++) {
		if (!is_named(name, length, keys[n].name))
			continue;
		*key = (struct by_asked_key){ .key = (enum by_key)n, .name = keys[n].name };
		return 1;
	}
	for (size_t n = 0; n < COUNT_OF(aliases) && field < 0; n++) {
		if (is_named(name, length, aliases[n].name))
			field = (int)aliases[n].field;
	}
	if (field < 0)
		field = precis_field_find(name, length);
	if (field < 0 || !is_key((uint32_t)field))
		return 0;
	*key = (struct by_asked_key){
		.key = BY_FIELD, .field = (uint32_t)field, .name = precis_field_name((uint32_t)field),
	};
	return 1;
}

/* What one would have more of, or less; of other levels, as that of a cache between, it depends */
static const struct {
	uint32_t field, value;
	int better;
} wishes[] = {
	{ PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_L1, 1 },
	{ PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_FAR_CACHE, -1 },
	{ PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_DRAM, -1 },
	{ PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_IO, -1 },
	{ PRECIS_FIELD_MEM_LEVEL, PRECIS_MEM_LEVEL_UNCACHED, -1 },
	{ PRECIS_FIELD_MISALIGNED, 1, -1 },
	{ PRECIS_FIELD_DCACHE_MISS, 1, -1 },
	{ PRECIS_FIELD_L2_MISS, 1, -1 },
	{ PRECIS_FIELD_BRANCH_MISPREDICTED, 1, -1 },
	{ PRECIS_FIELD_ICACHE_MISS, 1, -1 },
	{ PRECIS_FIELD_OPCACHE_MISS, 1, -1 },
	{ PRECIS_FIELD_FETCH_L2_MISS, 1, -1 },
	{ PRECIS_FIELD_FETCH_L3_MISS, 1, -1 },
};

static int wish_for(uint32_t field, uint64_t value)
{
	for (size_t n = 0; n < COUNT_OF(wishes); n++) {
		if (wishes[n].field == field && wishes[n].value == value)
			return wishes[n].better;
	}
	return 0;
}

/* A level of the memory, or a field that is true or false */
static int find_value(const char *name, size_t length, struct by_column *column)
{
	struct precis_field_info info = { .size = sizeof(info) };
	uint64_t level;
	int field;

	*column = (struct by_column){ .figure = BY_IS };
	if (!precis_type_value_find(PRECIS_TYPE_MEM_LEVEL, name, length, &level)) {
		column->field = PRECIS_FIELD_MEM_LEVEL;
		column->values = BIT(level);
		column->name = column->title =
			precis_type_value_name(PRECIS_TYPE_MEM_LEVEL, level);
		column->better = wish_for(PRECIS_FIELD_MEM_LEVEL, level);
		return 1;
	}
	field = precis_field_find(name, length);
	if (field < 0 || precis_field_info((uint32_t)field, &info) ||
	    info.type != PRECIS_TYPE_BOOL)
		return 0;
	column->field = (uint32_t)field;
	column->values = BIT(1);
	column->name = column->title = precis_field_name((uint32_t)field);
	column->better = wish_for((uint32_t)field, 1);
	return 1;
}

int by_find_column(const char *name, size_t length, struct by_column *column)
{
	for (size_t n = 0; n < COUNT_OF(other_names); n++) {
		if (!is_named(name, length, other_names[n].name))
			continue;
		name = other_names[n].column;
		length = strlen(name);
	}
	for (size_t n = 0; n < COUNT_OF(columns); n++) {
		if (!is_named(name, length, columns[n].column.name))
			continue;
		*column = columns[n].column;
		return 1;
	}
	return find_value(name, length, column);
}

int by_needs_order(const struct by_request *request)
{
	int needs = 0;

	for (uint32_t n = 0; n < request->key_count; n++)
		needs |= by_is_recorded_beside(request->keys[n].key);
	return needs;
}

const char *by_needs_span(const struct by_request *request)
{
	for (uint32_t n = 0; n < request->key_count; n++) {
		if (request->keys[n].key == BY_TIME)
			return "--by time";
	}
	for (uint32_t n = 0; n < request->column_count; n++) {
		if (request->columns[n].figure == BY_TREND)
			return "--columns trend";
	}
	return NULL;
}

int by_is_compared(const struct by_column *column)
{
	switch (column->figure) {
	case BY_SAMPLES:
	case BY_CYCLES:
	case BY_N:
	case BY_MAX:
	case BY_TREND:
		return 0;
	default:
		return 1;
	}
}

int by_is_latency(uint32_t field)
{
	struct precis_field_info info = { .size = sizeof(info) };

	/* of numbers beyond word 0 a group does not tell whether they are there */
	return (field < 64 || field == PRECIS_FIELD_CACHE_LATENCY) &&
	       !precis_field_info(field, &info) && info.unit == PRECIS_UNIT_CYCLES;
}

int by_latency_of(const struct by_request *request, uint32_t kind)
{
	if (request->latency >= 0)
		return request->latency;
	switch (kind) {
	case PRECIS_EVENT_IBS_OP:
		return PRECIS_FIELD_DCACHE_MISS_LATENCY;
	case PRECIS_EVENT_IBS_FETCH:
		return PRECIS_FIELD_FETCH_LATENCY;
	default:
		return -1;
	}
}

/* The n-th of the fields for which 'is_one' is so; PRECIS_FIELD_COUNT past the last */
static uint32_t nth_field(uint32_t n, int (*is_one)(uint32_t field))
{
	uint32_t field = 0;

	while (field < PRECIS_FIELD_COUNT && (!is_one(field) || n-- > 0))
		field++;
	return field;
}

static int is_flag(uint32_t field)
{
	struct precis_field_info info = { .size = sizeof(info) };

	return !precis_field_info(field, &info) && info.type == PRECIS_TYPE_BOOL;
}

/* One whose name stands for nothing else */
static int is_own_key(uint32_t field)
{
	struct by_asked_key key;
	const char *name = precis_field_name(field);

	return is_key(field) && by_find_key(name, strlen(name), &key) && key.key == BY_FIELD;
}

static struct by_word word_of_field(uint32_t field, const char *kind)
{
	struct precis_field_info info = { .size = sizeof(info) };

	if (field >= PRECIS_FIELD_COUNT || precis_field_info(field, &info))
		return (struct by_word){ .name = NULL };
	return (struct by_word){ .name = info.name, .kind = kind, .what = info.meaning };
}

struct by_word by_key_word(uint32_t n)
{
	if (n < COUNT_OF(keys))
		return (struct by_word){ .name = keys[n].name, .kind = "", .what = keys[n].what };
	n -= COUNT_OF(keys);
	if (n < COUNT_OF(aliases))
		return (struct by_word){ .name = aliases[n].name, .kind = "short for ",
					 .what = precis_field_name(aliases[n].field) };
	return word_of_field(nth_field(n - (uint32_t)COUNT_OF(aliases), is_own_key), "");
}

/* The n-th level of the memory that has a name; NULL past the last */
static const char *level_name(uint32_t n)
{
	for (uint64_t level = 0; level < 32; level++) {
		const char *name = precis_type_value_name(PRECIS_TYPE_MEM_LEVEL, level);

		if (name && n-- == 0)
			return name;
	}
	return NULL;
}

struct by_word by_column_word(uint32_t n)
{
	uint32_t levels = 0;

	if (n < COUNT_OF(columns))
		return (struct by_word){ .name = columns[n].column.name, .kind = "",
					 .what = columns[n].what };
	n -= COUNT_OF(columns);
	if (level_name(n))
		return (struct by_word){ .name = level_name(n), .kind = "share of ",
					 .what = "those whose mem_level is that" };
	while (level_name(levels))
		levels++;
	return word_of_field(nth_field(n - levels, is_flag), "share of those of which it is so: ");
}

const char *by_key_name(uint32_t n)
{
	return by_key_word(n).name;
}

const char *by_column_name(uint32_t n)
{
	return by_column_word(n).name;
}
