/* SPDX-License-Identifier: BSD-3-Clause */
/* See type_keys.h. */
#include "type_keys.h"

#include <stdlib.h>

#include "block_keys.h"
#include "memory_keys.h"

#define NO_VARIABLE "no variable"
#define INSTRUCTION "instruction"
#define VOTES "votes"
#define STACK "on the stack, whose variables only instructions tell"

static enum typed_part part_of(enum by_key key)
{
	return key == BY_TYPE ? TYPED_WHOLE : key == BY_MEMBER ? TYPED_MEMBER : TYPED_ELEMENT;
}

/* Of an object that the program has named, and said the type of, or of a variable of a thread */
static int named_part(struct by *by, const struct program_place *place,
		      const struct by_memory *memory, uint32_t width, enum typed_part wanted,
		      struct typed *typed)
{
	const struct program_object object = by_program_object(by, memory);

	return (memory->life.kind == LIFETIME_NAMED ? program_types_of : program_types_of_thread)(
		&by->types, place, &object, width, wanted, typed);
}

/* The block of the heap that a sample is in, and what its calls tell of it */
struct asked_block {
	struct by_calls calls;
	struct program_block is; /* 'file' NULL: there is none, or who asked for it is not known */
	char *name;
	struct program_called called;
};

/* Of a block, by debug information of the calls that asked for it. -1: memory is short */
static int block_part(struct by *by, const struct program_place *place,
		      const struct by_memory *memory, uint32_t width, enum typed_part wanted,
		      struct asked_block *block, struct typed *typed)
{
	const struct lifetime *life = &memory->life;

	*typed = (struct typed){ .absent = PRECIS_DATA_TYPE_NO_FILE };
	by_calls_of(by, memory, &block->calls);
	if (!block->calls.file)
		return 0;
	if (wanted == TYPED_ELEMENT && !(block->name = by_block_text(by, memory)))
		return -1;
	block->is = (struct program_block){
		.key = life->stack,
		.file = block->calls.file,
		.offsets = block->calls.offsets,
		.count = block->calls.count,
		.bytes = life->bytes,
		.offset = memory->data - life->start,
		.name = block->name,
	};
	return program_types_of_block(&by->types, place, &block->is, width, wanted, typed,
				      &block->called);
}

/* By the memory that it is in. 0: of that kind of memory none is known */
static int by_memory(struct by *by, enum by_key key, const struct by_memory *memory, uint32_t width,
		     struct asked_block *block)
{
	const struct program_place place = { by->model.symbols, by->about->symbols };
	struct typed *typed = &by->typed;

	if (memory->life.kind == LIFETIME_NAMED || memory->life.kind == LIFETIME_TLS)
		by->failed |= named_part(by, &place, memory, width, part_of(key), typed) < 0;
	else if (memory->life.kind == LIFETIME_BLOCK)
		by->failed |= block_part(by, &place, memory, width, part_of(key), block, typed) < 0;
	else if (memory->is.kind == PRECIS_MEMORY_PROGRAM)
		by->failed |= program_types_at(&by->types, &place, &memory->is, width, part_of(key),
					       typed) < 0;
	else
		return 0;
	return 1;
}

/* What the instruction says of what it accesses; it never tells an element */
static void find_operand(struct by *by, const struct by_place *place,
			 struct program_operand *operand)
{
	const struct program_place files = { by->model.symbols, by->about->symbols };
	const struct name *object = place ? names_get(&by->names, place->object) : NULL;
	struct program_instruction instruction = { .file = NULL };

	*operand = (struct program_operand){
		.untold = "it is not known to be the one that accessed the data"
	};
	if (!place)
		return;
	operand->untold = "nothing known is mapped where the instruction is";
	if (!object || !object->object)
		return;
	operand->untold = "code of a guest or of a hypervisor";
	if (object->cpumode != PRECIS_CPUMODE_USER && object->cpumode != PRECIS_CPUMODE_KERNEL)
		return;
	instruction.file = object->object;
	instruction.offset = place->offset;
	instruction.cpumode = object->cpumode;
	by->failed |= program_types_operand(&by->types, &files, &instruction, operand) < 0;
}

/* The name of what the operand is; 0: it has none */
static uint32_t name_operand(struct by *by, enum by_key key, const struct program_operand *operand,
			     uint32_t width, struct typed *typed)
{
	*typed = (struct typed){ .name = NULL };
	if (!operand->type || key == BY_ELEMENT)
		return 0;
	by->failed |= program_types_of_operand(&by->types, operand, width, part_of(key), typed) < 0;
	return by_name_of(by, typed->name);
}

static const char *text_of(const struct by *by, uint32_t name)
{
	const struct name *is = names_get(&by->names, name);

	return is ? is->text : NULL;
}

/* Both have told something: 'of_memory' is its name, by->typed what it is. */
static void compare_both(struct by *by, enum by_key key, uint32_t of_memory,
			 const struct program_operand *operand, uint32_t width)
{
	const struct type_place address = { by->typed.type, by->typed.offset };
	const struct type_place is = { operand->type, operand->offset };
	struct type_told *told = &by->told;
	struct typed typed;
	int agreement;

	agreement = type_agreement(&by->agreements, &address, &is, width, key == BY_MEMBER,
				   by->types.paths);
	by->failed |= agreement < 0;
	told->has_both = 1;
	told->agreement = (enum type_agreement)agreement;
	if (agreement != TYPES_DIFFER)
		return;
	told->by_instruction = text_of(by, name_operand(by, key, operand, width, &typed));
	told->by_address = text_of(by, of_memory);
	told->has_both = told->by_instruction != NULL;
}

/* Comparisons and pages have no tables of it. */
static int counts_methods(const struct by *by)
{
	return !by->request->annotated.is_asked && !by->request->runs;
}

void by_types_choose(struct by *by)
{
	const struct by_request *request = by->request;

	by->told_at = request->key_count;
	for (uint32_t n = request->key_count; n-- > 0;) {
		const enum by_key key = request->keys[n].key;

		if (key != BY_TYPE && key != BY_MEMBER && key != BY_ELEMENT)
			continue;
		/* members say most, elements have no second source */
		if (by->told_at < request->key_count &&
		    (key == BY_ELEMENT || by->told_key == BY_MEMBER))
			continue;
		by->told_at = n;
		by->told_key = key;
	}
}

/* Why the memory tells no type; 0: in such memory there is no variable. 'has_memory' as by_memory() says */
static uint32_t why_not(struct by *by, const struct by_memory *memory, int has_memory,
			uint32_t absent)
{
	if (has_memory)
		return by_name_of(by, precis_data_type_absent_text(absent));
	return by_memory_kind(memory) == PRECIS_MEMORY_STACK ? by_name_of(by, STACK) : 0;
}

/* --- votes --- */

/* Votes are counted in one reading, and told in another. */
int by_types_elect(struct by *by)
{
	int elected;

	if (by->votes.is_elected || !by->votes.count)
		return 0;
	elected = type_votes_elect(&by->votes, &by->agreements, by->types.paths);
	by->failed |= elected < 0;
	return elected > 0;
}

/* What a key asks of a sample, and what is known so far */
struct type_question {
	enum by_key key;
	uint32_t width;
	int is_telling, counts; /* is it the key that counts, and are there tables of it? */
	int has_memory; /* as by_memory() says */
	uint32_t of_memory; /* the name of what that tells */
	int is_of_characters; /* it is characters, of which the program may make something else */
	struct asked_block block;
};

/* What tells the type of a block of which its calls tell none */
struct voted {
	uint32_t name; /* 0: only its instruction, if that does */
	const char *type; /* NULL: none is elected */
	const char *verdict; /* of the instruction, in words; NULL: of the block no vote is known */
};

static struct type_vote vote_of(const struct type_question *asked,
				const struct program_operand *operand)
{
	return (struct type_vote){
		.place = { operand->type, operand->offset },
		.file = operand->file,
		.width = operand->width ? operand->width : asked->width,
		.is_of_characters = asked->is_of_characters,
	};
}

static void add_vote(struct by *by, const struct type_question *asked,
		     const struct program_operand *operand)
{
	const struct type_vote vote = vote_of(asked, operand);

	if (asked->is_telling && operand->type && by->lifetimes.can_start_over &&
	    !by->votes.is_elected)
		by->failed |= type_votes_add(&by->votes, &asked->block.is, &vote) < 0;
}

/* Does the instruction say what was elected? Whatever it says, in words. 0: something else */
static int agrees(struct by *by, const struct type_question *asked, const struct typed *elected,
		  const struct program_operand *operand, const char **verdict)
{
	const struct type_place address = { elected->type, elected->offset };
	const struct type_vote vote = vote_of(asked, operand);
	int agreement;

	*verdict = operand->untold;
	if (!operand->type)
		return 1;
	*verdict = "characters";
	if (type_vote_abstains(operand->type))
		return 1;
	agreement = type_vote_agreement(&address, &vote, &by->agreements, by->types.paths);
	by->failed |= agreement < 0;
	*verdict = agreement == TYPES_SAME   ? "the same"
		   : agreement == TYPES_PART ? "a part of it, there"
					     : precis_data_type_name(operand->type);
	return agreement != TYPES_DIFFER;
}

static void name_elected(struct by *by, const struct type_question *asked,
			 const struct elected_type *elected, enum typed_part wanted,
			 struct typed *typed)
{
	by->failed |=
		program_types_of_typed_block(&by->types, elected->file, elected->type,
					     &asked->block.is, asked->width, wanted,
					     program_types_evidence(PROGRAM_VOTES), typed) < 0;
}

/*
 * An instruction that says something else is believed: votes are those of others. by->typed is set with a
 * name.
 */
static struct voted vote(struct by *by, const struct type_question *asked,
			 const struct program_operand *operand)
{
	struct voted voted = { 0, NULL, NULL };
	struct elected_type elected;
	struct typed typed;

	if (!type_votes_of(&by->votes, &asked->block.is, &elected)) {
		add_vote(by, asked, operand);
		return voted;
	}
	voted.verdict = operand->type ? precis_data_type_name(operand->type) : operand->untold;
	if (!elected.type)
		return voted;
	voted.type = precis_data_type_name(elected.type);
	name_elected(by, asked, &elected, TYPED_WHOLE, &typed);
	if (!typed.type || !agrees(by, asked, &typed, operand, &voted.verdict))
		return voted;
	if (part_of(asked->key) != TYPED_WHOLE)
		name_elected(by, asked, &elected, part_of(asked->key), &typed);
	voted.name = by_name_of(by, typed.name);
	if (voted.name)
		by->typed = typed;
	return voted;
}

/* --- all of it --- */

static void tell(struct type_told *told, struct type_place place, const char *file,
		 const char *evidence)
{
	told->type = precis_data_type_name(place.type);
	told->evidence = evidence;
	told->place = place;
	told->file = file;
}

/* What tells the type of a sample: by->typed is what the memory, or votes, have told, if that has a name. */
static void tell_methods(struct by *by, const struct type_question *asked,
			 const struct program_operand *operand, const struct voted *voted)
{
	by->told = (struct type_told){
		.is_asked = 1,
		.untold = operand->untold,
		.voted = voted->type,
		.verdict = voted->verdict,
	};
	if (asked->of_memory || voted->name)
		tell(&by->told, (struct type_place){ by->typed.type, by->typed.offset },
		     by->typed.file, by->typed.evidence);
	else if (operand->type)
		tell(&by->told, (struct type_place){ operand->type, operand->offset },
		     operand->file, operand->evidence);
	/* of votes the instruction's is one */
	if (asked->of_memory && operand->type && !by->typed.is_behind)
		compare_both(by, asked->key, asked->of_memory, operand, asked->width);
}

static void count_evidence(struct by *by, const struct type_question *asked,
			   const struct voted *voted)
{
	const uint32_t evidence = asked->of_memory ? asked->block.called.evidence
				  : voted->name    ? PROGRAM_VOTES
						   : 0;

	if (asked->is_telling && asked->block.is.file)
		by->side_files.evidence[evidence % PROGRAM_EVIDENCE]++;
}

static struct by_value answer(struct by *by, const struct by_memory *memory,
			      struct type_question *asked, const struct by_place *instruction)
{
	const uint32_t absent = by->typed.absent;
	const int may_vote =
		asked->block.is.file &&
		(asked->is_of_characters || (!asked->of_memory && !asked->block.called.evidence));
	struct voted voted = { 0, NULL, NULL };
	struct program_operand operand;
	struct typed typed;
	uint32_t name;

	if (asked->counts || may_vote || !asked->of_memory)
		find_operand(by, instruction, &operand);
	if (may_vote)
		voted = vote(by, asked, &operand);
	if (asked->is_of_characters && voted.name)
		asked->of_memory = 0;
	else if (asked->is_of_characters)
		voted = (struct voted){ 0, NULL, NULL };
	count_evidence(by, asked, &voted);
	if (asked->counts)
		tell_methods(by, asked, &operand, &voted);
	if (asked->of_memory)
		return (struct by_value){ asked->of_memory, 0 };
	if (voted.name)
		return (struct by_value){ voted.name, by_name_of(by, VOTES) };
	name = name_operand(by, asked->key, &operand, asked->width, &typed);
	if (!name)
		return (struct by_value){ 0, why_not(by, memory, asked->has_memory, absent) };
	by->typed = typed;
	return (struct by_value){ name, by_name_of(by, INSTRUCTION) };
}

/* Pointers to characters take memory that is made something of later, too. */
static int is_of_characters(const struct type_question *asked)
{
	const struct program_called *called = &asked->block.called;

	return asked->of_memory && called->evidence >= PRECIS_ALLOCATION_VARIABLE &&
	       type_vote_abstains(called->type);
}

struct by_value by_type_value(struct by *by, uint32_t n, const struct by_memory *memory,
			      uint32_t width, const struct by_place *instruction)
{
	struct type_question asked = {
		.key = by->request->keys[n].key,
		.width = width,
		.is_telling = n == by->told_at,
	};
	struct by_value value;

	asked.counts = asked.is_telling && asked.key != BY_ELEMENT && counts_methods(by);
	asked.has_memory = by_memory(by, asked.key, memory, width, &asked.block);
	asked.of_memory = asked.has_memory ? by_name_of(by, by->typed.name) : 0;
	asked.is_of_characters = is_of_characters(&asked);
	value = answer(by, memory, &asked, instruction);
	free(asked.block.name);
	return value;
}

char *by_type_text(const struct by *by, const struct by_asked_key *key,
		   const struct by_value *value)
{
	const struct name *name = names_get(&by->names, value->a),
			  *why = names_get(&by->names, value->b);

	if (name)
		return why ? name_printed("%s (by %s)", name->text, why->text)
			   : name_printed("%s", name->text);
	return name_printed("no %s: %s", key->name, why ? why->text : NO_VARIABLE);
}

void by_type_cells(struct document *document, const struct by *by, const struct by_value *value)
{
	const struct name *name = names_get(&by->names, value->a),
			  *why = names_get(&by->names, value->b);

	by_cell(document, name ? name->text : NULL);
	by_cell(document, name ? NULL : why ? why->text : NO_VARIABLE);
	by_cell(document, !name ? NULL : why ? why->text : "address");
}
