// SPDX-License-Identifier: BSD-3-Clause
/* From a trace of translation blocks to blocks and their executions. */
#include "truth.h"

#include <precis/code.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block of qemu's: a range of 'members', which are instructions */
struct unit {
	uint32_t first, count;
};

struct reading {
	FILE *file;
	struct unit *units;
	uint32_t unit_count;
	struct truth_instruction *members; /* in the order of translation */
	uint32_t member_count;
	uint32_t *runs; /* units, as executed */
	size_t run_count;
};

static void *more(void *array, size_t count, size_t size)
{
	void *grown = array;

	/* a power of two is full */
	if (!(count & (count - 1)))
		grown = realloc(array, (count ? 2 * count : 1) * size);
	if (!grown)
		abort();
	return grown;
}

static uint32_t mnemonic_number(struct truth *truth, const char *text)
{
	static const char *const prefixes[] = { "rep ", "repe ", "repne ", "lock ", "bnd ", "notrack ",
						"xacquire ", "xrelease " };
	char name[24];

	for (size_t n = 0; n < sizeof(prefixes) / sizeof(prefixes[0]); n++) {
		if (strncmp(text, prefixes[n], strlen(prefixes[n])) == 0) {
			text += strlen(prefixes[n]);
			n = (size_t)-1;
		}
	}
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, " "), text);
	for (uint32_t n = 0; n < truth->mnemonic_count; n++) {
		if (strcmp(truth->mnemonics[n], name) == 0)
			return n;
	}
	truth->mnemonics = more(truth->mnemonics, truth->mnemonic_count, sizeof(*truth->mnemonics));
	memcpy(truth->mnemonics[truth->mnemonic_count], name, sizeof(name));
	return truth->mnemonic_count++;
}

static int class_of(const char *name, uint32_t does)
{
	if (does & (PRECIS_CODE_JUMP | PRECIS_CODE_CALL | PRECIS_CODE_RETURN))
		return TRUTH_BRANCH;
	if (strstr(name, "div") || strstr(name, "sqrt"))
		return TRUTH_SLOW;
	return does & PRECIS_CODE_LOADS ? TRUTH_LOAD : TRUTH_PLAIN;
}

/* @return 0: it was cut short by the end of a page, and comes once more */
static int decode(struct truth *truth, struct truth_instruction *what, const void *bytes, uint32_t size)
{
	struct precis_instruction instruction = { .size = sizeof(instruction) };

	if (precis_code_decode(bytes, size, what->address, truth->bits, PRECIS_CODE_INTEL,
			       &instruction) != (int)size)
		return 0;
	memcpy(what->bytes, bytes, size); /* what is decoded is no longer than an instruction can be */
	what->length = (uint8_t)size;
	what->does = instruction.does;
	what->target = instruction.does & PRECIS_CODE_TARGET ? instruction.target : 0;
	what->is_repeated = strncmp(instruction.text, "rep", 3) == 0;
	what->mnemonic = mnemonic_number(truth, instruction.text);
	what->class = (uint8_t)class_of(truth->mnemonics[what->mnemonic], instruction.does);
	return 1;
}

static int read_words(struct reading *reading, uint32_t *words, size_t count)
{
	return fread(words, sizeof(*words), count, reading->file) == count;
}

static int read_unit(struct truth *truth, struct reading *reading)
{
	struct unit unit = { .first = reading->member_count };
	uint32_t count, words[7];

	if (!read_words(reading, &count, 1))
		return -1;
	if (count == PRECIS_CODE_AARCH64) {
		truth->bits = PRECIS_CODE_AARCH64;
		return 0;
	}
	for (uint32_t n = 0; n < count; n++) {
		struct truth_instruction what = { 0 };

		if (!read_words(reading, words, 7))
			return -1;
		what.address = words[0] | (uint64_t)words[1] << 32;
		if (decode(truth, &what, words + 3, words[2])) {
			reading->members = more(reading->members, reading->member_count,
						sizeof(*reading->members));
			reading->members[reading->member_count++] = what;
			unit.count++;
		} else if (n + 1 < count) {
			fprintf(stderr, "no instruction at %#llx\n", (unsigned long long)what.address);
			return -1;
		}
	}
	reading->units = more(reading->units, reading->unit_count, sizeof(*reading->units));
	reading->units[reading->unit_count++] = unit;
	return 0;
}

static const struct truth_instruction *last_of(const struct reading *reading, uint32_t unit)
{
	return &reading->members[reading->units[unit].first + reading->units[unit].count - 1];
}

/* The next repetition of a REP, which is no execution */
static int is_repetition(const struct reading *reading, uint32_t unit)
{
	const struct truth_instruction *last, *first = &reading->members[reading->units[unit].first];

	if (!reading->run_count || !first->is_repeated)
		return 0;
	last = last_of(reading, reading->runs[reading->run_count - 1]);
	return last->address == first->address;
}

static int read_trace(struct truth *truth, struct reading *reading)
{
	uint32_t word;

	while (read_words(reading, &word, 1)) {
		if (!word) {
			if (read_unit(truth, reading) < 0)
				return -1;
		} else if (word > reading->unit_count) {
			return -1;
		} else if (reading->units[word - 1].count && !is_repetition(reading, word - 1)) {
			reading->runs = more(reading->runs, reading->run_count, sizeof(*reading->runs));
			reading->runs[reading->run_count++] = word - 1;
		}
	}
	return reading->run_count ? 0 : -1;
}

static int by_address(const void *a, const void *b)
{
	const struct truth_instruction *left = a, *right = b;

	return (left->address > right->address) - (left->address < right->address);
}

static struct truth_instruction *find(const struct truth *truth, uint64_t address)
{
	const struct truth_instruction key = { .address = address };

	return bsearch(&key, truth->instructions, truth->instruction_count, sizeof(key), by_address);
}

static void list_instructions(struct truth *truth, struct reading *reading)
{
	truth->instructions = malloc((reading->member_count + 1) * sizeof(*truth->instructions));
	if (!truth->instructions)
		abort();
	memcpy(truth->instructions, reading->members, reading->member_count * sizeof(*reading->members));
	qsort(truth->instructions, reading->member_count, sizeof(*truth->instructions), by_address);
	for (uint32_t n = 0; n < reading->member_count; n++) {
		if (!n || truth->instructions[n].address !=
				  truth->instructions[truth->instruction_count - 1].address)
			truth->instructions[truth->instruction_count++] = truth->instructions[n];
	}
	/* From here on a unit's members know their instruction by 'block'. */
	for (uint32_t n = 0; n < reading->member_count; n++)
		reading->members[n].block =
			(uint32_t)(find(truth, reading->members[n].address) - truth->instructions);
}

#define ENDS (PRECIS_CODE_JUMP | PRECIS_CODE_CALL | PRECIS_CODE_RETURN)

/* Intel's cores do not record a call of the next instruction: it falls through. */
static int is_branch(const struct truth_instruction *what)
{
	return what->does & ENDS && !(what->does & PRECIS_CODE_CALL && what->target &&
				      what->target == what->address + what->length);
}

static void mark_starts(struct truth *truth, const struct reading *reading)
{
	for (uint32_t n = 0; n < truth->instruction_count; n++) {
		struct truth_instruction *what = &truth->instructions[n], *target;
		const struct truth_instruction *before = n ? what - 1 : NULL;

		if (!before || before->address + before->length != what->address || is_branch(before))
			what->is_start = 1;
		target = is_branch(what) && what->target ? find(truth, what->target) : NULL;
		if (target)
			target->is_start = 1;
	}
	for (size_t n = 0; n < reading->run_count; n++) {
		const struct unit *unit = &reading->units[reading->runs[n]];
		const struct truth_instruction *first = &reading->members[unit->first];
		const struct truth_instruction *last = n ? last_of(reading, reading->runs[n - 1]) : NULL;

		if (!last || is_branch(last) || last->address + last->length != first->address)
			truth->instructions[first->block].is_start = 1;
	}
}

static uint8_t ops_of(const struct truth *truth, const struct truth_instruction *what)
{
	const char *name = truth->mnemonics[what->mnemonic];

	if (what->is_repeated)
		return 8;
	if (what->does & PRECIS_CODE_CALL || strcmp(name, "div") == 0 || strcmp(name, "idiv") == 0)
		return 2;
	return 1;
}

/* A compare or test and the conditional jump behind it are one op, if nobody jumps in between. */
static void set_ops(struct truth *truth)
{
	for (uint32_t n = 0; n < truth->instruction_count; n++) {
		struct truth_instruction *what = &truth->instructions[n], *before = n ? what - 1 : NULL;

		what->ops = ops_of(truth, what);
		if (!before || what->is_start || !(what->does & PRECIS_CODE_CONDITIONAL) ||
		    (strcmp(truth->mnemonics[before->mnemonic], "cmp") != 0 &&
		     strcmp(truth->mnemonics[before->mnemonic], "test") != 0))
			continue;
		before->is_fused = 1;
		what->ops = 0;
	}
}

static enum flow_end end_of(const struct truth_instruction *last)
{
	if (!is_branch(last))
		return FLOW_FALLS;
	if (last->does & PRECIS_CODE_CALL)
		return FLOW_CALLS;
	if (last->does & PRECIS_CODE_RETURN)
		return FLOW_RETURNS;
	return last->does & PRECIS_CODE_CONDITIONAL ? FLOW_CONDITIONAL : FLOW_JUMPS;
}

static void make_blocks(struct truth *truth)
{
	truth->first = malloc(((size_t)truth->instruction_count + 1) * sizeof(*truth->first));
	if (!truth->first)
		abort();
	for (uint32_t n = 0; n < truth->instruction_count; n++) {
		struct flow_block none = { .next = FLOW_NONE };

		if (truth->instructions[n].is_start)
			truth->first[flow_add_block(&truth->flow, &none)] = n;
		truth->instructions[n].block = truth->flow.block_count - 1;
	}
	truth->first[truth->flow.block_count] = truth->instruction_count;
	for (uint32_t block = 0; block < truth->flow.block_count; block++) {
		const struct truth_instruction *last = &truth->instructions[truth->first[block + 1] - 1];
		const struct truth_instruction *next = find(truth, last->address + last->length), *target;

		target = is_branch(last) && last->target ? find(truth, last->target) : NULL;
		truth->flow.blocks[block].instructions = truth->first[block + 1] - truth->first[block];
		for (uint32_t n = truth->first[block]; n < truth->first[block + 1]; n++)
			truth->flow.blocks[block].ops += truth->instructions[n].ops;
		truth->flow.blocks[block].ends = end_of(last);
		if (next)
			truth->flow.blocks[block].next = next->block;
		if (target)
			flow_add_edge(&truth->flow, block, target->block);
	}
}

int truth_is_taken(const struct truth *truth, uint32_t from, uint32_t to)
{
	const struct flow_block *block = &truth->flow.blocks[from];

	if (block->ends == FLOW_FALLS || (block->ends == FLOW_CONDITIONAL && block->next == to))
		return block->next == to ? 0 : -1;
	return 1;
}

static void run_unit(struct truth *truth, const struct reading *reading, uint32_t unit,
		     const uint32_t *instruction_of)
{
	const struct unit *what = &reading->units[unit];

	for (uint32_t n = 0; n < what->count; n++) {
		struct truth_instruction *instruction =
			&truth->instructions[instruction_of[what->first + n]];

		instruction->count++;
		truth->executed++;
		truth->ops += instruction->ops;
		if (!instruction->is_start)
			continue;
		truth->trace = more(truth->trace, truth->trace_count, sizeof(*truth->trace));
		truth->trace[truth->trace_count++] = instruction->block;
		truth->counts[instruction->block]++;
	}
}

static void run_all(struct truth *truth, const struct reading *reading)
{
	uint32_t *instruction_of = malloc((reading->member_count + 1) * sizeof(*instruction_of));

	truth->counts = calloc(truth->flow.block_count + 1, sizeof(*truth->counts));
	if (!truth->counts || !instruction_of)
		abort();
	for (uint32_t n = 0; n < reading->member_count; n++)
		instruction_of[n] = reading->members[n].block;
	for (size_t n = 0; n < reading->run_count; n++)
		run_unit(truth, reading, reading->runs[n], instruction_of);
	free(instruction_of);
	for (size_t n = 1; n < truth->trace_count; n++) {
		const int taken = truth_is_taken(truth, truth->trace[n - 1], truth->trace[n]);

		truth->taken += taken > 0;
		truth->broken += taken < 0;
	}
	for (uint32_t block = 0; block < truth->flow.block_count; block++) {
		int is_unequal = 0;

		for (uint32_t n = truth->first[block]; n < truth->first[block + 1]; n++)
			is_unequal |= truth->instructions[n].count != truth->counts[block];
		truth->unequal += is_unequal;
	}
	truth->flow.blocks[truth->trace[0]].flags |= FLOW_ENTERED_ELSEWHERE;
	truth->flow.blocks[truth->trace[truth->trace_count - 1]].flags |= FLOW_LEFT_ELSEWHERE;
}

int truth_read(struct truth *truth, const char *path)
{
	struct reading reading = { .file = fopen(path, "rb") };
	int status;

	memset(truth, 0, sizeof(*truth));
	truth->bits = 64;
	status = reading.file ? read_trace(truth, &reading) : -1;
	if (status < 0) {
		fprintf(stderr, "%s: no trace\n", path);
	} else {
		list_instructions(truth, &reading);
		mark_starts(truth, &reading);
		set_ops(truth);
		make_blocks(truth);
		run_all(truth, &reading);
	}
	if (reading.file)
		fclose(reading.file);
	free(reading.units);
	free(reading.members);
	free(reading.runs);
	return status;
}

void truth_free(struct truth *truth)
{
	flow_free(&truth->flow);
	free(truth->instructions);
	free(truth->mnemonics);
	free(truth->first);
	free(truth->counts);
	free(truth->trace);
}
