/* SPDX-License-Identifier: BSD-3-Clause */
/* What tells of a block's type, from the innermost call outwards; what fits its length counts. */
#include <string.h>

#include <precis/error.h>

#include "die.h"
#include "libdecode/sample/abi.h"
#include "measure.h"
#include "members.h"
#include "result.h"
#include "scopes.h"
#include "type.h"
#include "units.h"

/* Of LLVM from version 21 on, by its list of attributes; elfutils does not know it */
#define DW_AT_LLVM_alloc_type 0x3e0e

#define FRAMES_MOST 32u

struct search {
	struct precis_data_types *types;
	uint64_t bytes;
	uint32_t frame;
	struct precis_allocation found; /* the best so far: bytes, if that is all that was found */
	struct precis_allocation begin; /* what it begins with, if that does not fit */
	const struct precis_data_type
		*start; /* of which the block may be many, or begin with one */
	const struct precis_data_type *number; /* or pointer, of which the block is many */
	int is_divided; /* into that and others */
	int is_wrapper; /* the function returns a pointer to nothing in particular */
	int has_pointers; /* it was seen to keep pointers in the block, which is of no characters then */
	uint32_t
		given; /* how the next call gives the block: GIVEN_RETURNED, or by which argument */
	int is_kept; /* a function that was passed has not given all of it: callers may have a part */
	int is_refused; /* it would be of characters but for that */
	Dwarf_Die giver; /* the function that it calls, of an argument */
	int has_giver;
};

/* --- does it fit? ------------------------------------------------------------------------------ */

/* A structure with a flexible array, and what is before that fits in */
static int is_open(const struct precis_data_type *type, uint64_t bytes)
{
	const struct members *members;

	return !precis_members_of(type, &members) && precis_members_go_on(members) &&
	       bytes >= members->member[members->count - 1].bit / 8;
}

/* May it be a base class of what the block is, by that evidence? */
static int may_be_base(const struct precis_data_type *type, uint32_t evidence)
{
	return evidence == PRECIS_ALLOCATION_OBJECT ||
	       (evidence >= PRECIS_ALLOCATION_VARIABLE &&
		precis_die_has(type_die(type), DW_AT_containing_type));
}

static int fits_bytes(const struct precis_data_type *type, uint32_t evidence, uint64_t bytes)
{
	uint64_t each;

	if (precis_data_type_measure(type, &each) || !each)
		return 0;
	if (may_be_base(type, evidence))
		return bytes == each;
	if (!bytes || bytes % each == 0)
		return 1;
	/* new T[] keeps how many there are before the first */
	if (precis_language_is_cplusplus(type->language) && bytes > each + 8 &&
	    ((bytes - 8) % each == 0 || (bytes - 16) % each == 0))
		return 1;
	return is_open(type, bytes);
}

/* Any block can be bytes: what says more is preferred */
static int is_bytes(const struct precis_data_type *type)
{
	uint64_t each;

	return precis_data_type_kind_of(precis_data_type_tag(type)) == PRECIS_DATA_KIND_BASE &&
	       !precis_data_type_measure(type, &each) && each == 1;
}

/* --- a start that several types have ---------------------------------------------------------- */

/*
 * Objects of several types begin alike, and a function that makes any of them has the start's type: of a
 * block that has room for several of these, its callers may say more.
 */
static int may_be_start(const struct precis_data_type *type, uint32_t evidence, uint64_t bytes)
{
	uint64_t each;

	return evidence >= PRECIS_ALLOCATION_VARIABLE && precis_language_is_c(type->language) &&
	       precis_data_type_tag(type) == DW_TAG_structure_type &&
	       !precis_data_type_measure(type, &each) && bytes > each && !is_open(type, bytes);
}

/* Functions that give memory put its size before it. */
static int may_be_header(const struct search *search, const struct precis_data_type *type,
			 uint32_t evidence)
{
	return evidence == PRECIS_ALLOCATION_VARIABLE && search->is_wrapper &&
	       precis_data_type_kind_of(precis_data_type_tag(type)) == PRECIS_DATA_KIND_BASE &&
	       !is_bytes(type);
}

static int is_same_type(const struct precis_data_type *a, const struct precis_data_type *b)
{
	return a && b && !precis_data_type_peel(a, &a) && !precis_data_type_peel(b, &b) && a == b;
}

/* Does a structure begin with that one, or with its members? */
static int begins_with(const struct precis_data_type *type, const struct precis_data_type *start)
{
	const struct members *of, *common;

	if (precis_members_of(type, &of) || precis_members_of(start, &common) || !of || !common ||
	    !common->count || !of->count)
		return 0;
	if (!of->member[0].bit && is_same_type(of->member[0].type, start))
		return 1;
	if (of->count <= common->count)
		return 0;
	for (uint32_t n = 0; n < common->count; n++) {
		const struct member *a = &of->member[n], *b = &common->member[n];

		if (a->bit != b->bit || !a->name || !b->name || strcmp(a->name, b->name) != 0)
			return 0;
	}
	return 1;
}

/* --- a block that is several things ----------------------------------------------------------- */

/*
 * Does the code go on to be looked at, for pointers to something else in there? Numbers and pointers have no
 * members to point to.
 */
static int may_be_divided(const struct precis_data_type *type, uint32_t evidence, uint64_t bytes)
{
	const uint32_t kind = precis_data_type_kind_of(precis_data_type_tag(type));
	uint64_t each;

	return evidence >= PRECIS_ALLOCATION_VARIABLE && precis_language_is_c(type->language) &&
	       (kind == PRECIS_DATA_KIND_BASE || kind == PRECIS_DATA_KIND_POINTER) &&
	       !precis_data_type_measure(type, &each) && bytes > each;
}

static void note_inside(struct search *search, const struct precis_data_type *type)
{
	uint64_t each, other;

	search->is_divided |= search->number && !is_bytes(type) &&
			      !precis_data_type_measure(type, &other) &&
			      !precis_data_type_measure(search->number, &each) && each != other;
}

/* A structure, and who knows what behind it */
static int may_begin(const struct precis_data_type *type, uint32_t evidence, uint64_t bytes)
{
	uint64_t each;

	return (evidence == PRECIS_ALLOCATION_VARIABLE || evidence == PRECIS_ALLOCATION_MEMBER) &&
	       precis_language_is_c(type->language) &&
	       precis_data_type_tag(type) == DW_TAG_structure_type &&
	       !precis_data_type_measure(type, &each) && each && bytes > each;
}

static void note_begin(struct search *search, const struct precis_data_type *type,
		       const struct precis_data_type *peeled, uint32_t evidence)
{
	if (search->begin.type || search->is_kept || !may_begin(peeled, evidence, search->bytes))
		return;
	search->begin = (struct precis_allocation){ .type = type,
						    .evidence = evidence,
						    .frame = search->frame };
	precis_data_type_measure(peeled, &search->begin.known);
}

static int is_of_characters(const struct search *search)
{
	const struct precis_data_type *peeled;

	return search->found.type && search->found.evidence >= PRECIS_ALLOCATION_VARIABLE &&
	       !precis_data_type_peel(search->found.type, &peeled) && peeled && is_bytes(peeled);
}

/*
 * What Rust's containers link their nodes with. A node that begins with one is no array of them, though its
 * address is that of the link, which is written first.
 */
static int is_link_of(const struct precis_data_type *type, uint64_t bytes)
{
	static const char *const links[] = { "core::option::Option<core::ptr::non_null::NonNull<",
					     "core::ptr::non_null::NonNull<" };
	const char *name = type->language == DW_LANG_Rust ? precis_data_type_name(type) : NULL;
	uint64_t each;

	for (size_t n = 0; name && n < sizeof(links) / sizeof(links[0]); n++) {
		if (strncmp(name, links[n], strlen(links[n])) == 0)
			return !precis_data_type_measure(type, &each) && bytes != each;
	}
	return 0;
}

/* --- what a call or a place offers ------------------------------------------------------------ */

static int is_less(const struct search *search, const struct precis_data_type *type,
		   uint32_t evidence)
{
	if (search->number || (search->start && !begins_with(type, search->start)) ||
	    is_link_of(type, search->bytes))
		return 1;
	/* What Rust's library asks for is u8, whatever it puts there: a table of HashMap, for one */
	return is_bytes(type) && evidence >= PRECIS_ALLOCATION_VARIABLE &&
	       (search->found.type || search->has_pointers || type->language == DW_LANG_Rust);
}

static int offer(const struct precis_data_type *type, uint32_t evidence, enum block_part part,
		 void *data)
{
	struct search *search = data;
	const struct precis_data_type *peeled;

	if (precis_data_type_peel(type, &peeled) || !peeled)
		return 0;
	if (part != BLOCK_START)
		note_inside(search, peeled);
	if (part == BLOCK_ELSEWHERE || is_less(search, peeled, evidence))
		return 0;
	if (!fits_bytes(peeled, evidence, search->bytes)) {
		if (part == BLOCK_START)
			note_begin(search, type, peeled, evidence);
		return 0;
	}
	search->found.type = type;
	search->found.evidence = evidence;
	search->found.frame = search->frame;
	if (!search->start && (may_be_start(peeled, evidence, search->bytes) ||
			       may_be_header(search, peeled, evidence))) {
		search->start = peeled;
		return 0;
	}
	if (is_bytes(peeled))
		return evidence < PRECIS_ALLOCATION_VARIABLE;
	if (may_be_divided(peeled, evidence, search->bytes))
		search->number = peeled;
	return !search->number;
}

/* --- C++ functions that allocate ---------------------------------------------------------------- */

enum whose { WHOSE_CLASS, WHOSE_FUNCTION };

static const struct {
	const char *name, *class;
	enum whose whose;
} allocators[] = {
#define F(name, class, whose) { name, class, WHOSE_##whose },
#include "allocators.def"
#undef F
};

/* Is that its name, whatever template arguments it has? */
static int is_named(const char *name, const char *wanted)
{
	const size_t bytes = strlen(wanted);

	return !bytes || (name && strncmp(name, wanted, bytes) == 0 && (!name[bytes] || name[bytes] == '<'));
}

/* The class of a member function that is not static. @return 0 if it is none */
static int class_of(struct precis_data_types *types, const Dwarf_Die *function, Dwarf_Die *class)
{
	const struct precis_data_type *type;
	Dwarf_Die this;

	if (!precis_scopes_part(types, function, DW_TAG_formal_parameter, 0, &this))
		return 0;
	type = precis_scopes_pointed(precis_die_type(types, &this));
	if (!type || precis_data_type_peel(type, &type) || !type)
		return 0;
	*class = type->die;
	return 1;
}

static const struct precis_data_type *argument_of(struct precis_data_types *types, const Dwarf_Die *template)
{
	Dwarf_Die argument;

	return precis_scopes_part(types, template, DW_TAG_template_type_parameter, 0, &argument)
		       ? precis_die_type(types, &argument)
		       : NULL;
}

/* make_unique<T[]> allocates elements */
static const struct precis_data_type *element_of(const struct precis_data_type *type)
{
	const struct precis_data_type *peeled, *element;

	if (!type || precis_data_type_peel(type, &peeled) ||
	    precis_data_type_tag(peeled) != DW_TAG_array_type ||
	    precis_data_type_target(peeled, &element) <= 0)
		return type;
	return element;
}

static int offer_allocator(struct search *search, const Dwarf_Die *function)
{
	struct precis_data_types *types = search->types;
	const char *name = precis_die_name(types, function);
	Dwarf_Die class;
	const int has_class = class_of(types, function, &class);

	for (size_t n = 0; n < sizeof(allocators) / sizeof(allocators[0]); n++) {
		const int is_class = allocators[n].whose == WHOSE_CLASS;
		const struct precis_data_type *type;

		if (!is_named(name, allocators[n].name) || (is_class && !has_class) ||
		    (is_class && !is_named(precis_die_name(types, &class), allocators[n].class)))
			continue;
		type = element_of(argument_of(types, is_class ? &class : function));
		if (type && offer(type, PRECIS_ALLOCATION_ALLOCATOR, BLOCK_START, search))
			return 1;
	}
	return 0;
}

/* --- from the innermost call outwards ------------------------------------------------------------ */

static int offer_call(struct search *search, Dwarf_Die *call)
{
	const struct precis_data_type *type;
	Dwarf_Die target;

	if (precis_die_reference(search->types, call, DW_AT_LLVM_alloc_type, &target) <= 0)
		return 0;
	type = precis_data_type_of(search->types, &target, 0);
	return type && offer(type, PRECIS_ALLOCATION_CALL, BLOCK_START, search);
}

static int is_function(Dwarf_Die *die)
{
	const int tag = dwarf_tag(die);

	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* Does it return what it is given by who allocates: a pointer to nothing in particular? */
static int returns_bytes(struct precis_data_types *types, const Dwarf_Die *function)
{
	const struct precis_data_type *returned = precis_die_type(types, function), *pointed;

	if (!returned || precis_data_type_peel(returned, &returned) ||
	    precis_data_type_tag(returned) != DW_TAG_pointer_type)
		return 0;
	pointed = precis_scopes_pointed(returned);
	return !pointed || is_bytes(pointed);
}

static int offer_returned(struct search *search, const Dwarf_Die *callee)
{
	const struct precis_data_type *pointed =
		precis_scopes_pointed(precis_die_type(search->types, callee));

	return pointed && offer(pointed, PRECIS_ALLOCATION_RETURNED, BLOCK_START, search);
}

/* What the functions around a call are, and the one that it calls */
static int offer_functions(struct search *search, struct scopes *scopes, Dwarf_Die *callee)
{
	if (callee && offer_allocator(search, callee))
		return 1;
	for (uint32_t n = scopes->count; n-- > 0;) {
		if (is_function(&scopes->scope[n]) && offer_allocator(search, &scopes->scope[n]))
			return 1;
	}
	return 0;
}

static void forget(struct search *search)
{
	search->start = search->number = NULL;
	search->begin.type = search->found.type = NULL;
	search->found.evidence = PRECIS_ALLOCATION_UNKNOWN;
}

/* What the function returns is behind what it keeps for itself. @return as try_frame() */
static int begin_behind(struct search *search, uint64_t bytes)
{
	forget(search);
	if (search->bytes && search->bytes <= bytes)
		return -1;
	search->bytes -= search->bytes ? bytes : 0;
	search->found.start += bytes;
	return 0;
}

/* Where it is known which function a call calls, it has to be the one that was seen to give the block. */
static int may_give(struct search *search, const Dwarf_Die *callee)
{
	const char *name = callee ? precis_die_name(search->types, callee) : NULL;
	const char *giver =
		search->has_giver ? precis_die_name(search->types, &search->giver) : NULL;

	return !name || !giver || strcmp(name, giver) == 0;
}

/*
 * Of the C library's functions posix_memalign() alone returns no pointer: it gives the block by its first
 * argument. @return as precis_result_follow()
 */
static int follow(struct search *search, struct scopes *scopes, uint64_t return_address,
		  struct result_end *end)
{
	const Dwarf_Die function = scopes->scope[0];
	int found = precis_result_follow(scopes, return_address, search->given, offer, search, end);

	if (found || !end->is_number || search->frame || search->given != GIVEN_RETURNED)
		return found;
	scopes->scope[0] = function;
	scopes->count = 1;
	return precis_result_follow(scopes, return_address, 0, offer, search, end);
}

/* Where the block goes from the function. @return as try_frame() */
static int go_out(struct search *search, const Dwarf_Die *function, const struct result_end *end)
{
	search->given = end->is_given ? end->argument : GIVEN_RETURNED;
	search->giver = *function;
	search->has_giver = end->is_given;
	search->has_pointers |= end->has_pointers;
	search->is_kept |= end->is_kept;
	if (end->has_pointers && is_of_characters(search)) {
		forget(search);
		search->is_refused = 1;
	}
	if ((search->is_wrapper || end->is_given) && end->moved)
		return begin_behind(search, end->moved);
	if (search->is_wrapper && !end->is_returned && search->start &&
	    precis_data_type_tag(search->start) == DW_TAG_base_type)
		forget(search);
	return end->is_returned || end->is_given || search->is_wrapper ? 0 : -1;
}

/* @param is_direct  what the call gives is the block. @return 1: found; -1: look no further */
static int try_frame(struct search *search, uint64_t return_address, int is_direct)
{
	struct scopes scopes;
	Dwarf_Die call, callee, function;
	struct result_end end;
	int has_call, has_callee;

	precis_scopes_find(search->types, return_address - 1, &scopes);
	if (!scopes.count)
		return -1;
	function = scopes.scope[0];
	has_call = precis_scopes_call(&scopes, return_address, &call);
	has_callee = has_call && precis_scopes_callee(&scopes, &call, &callee);
	if ((has_call && is_direct && offer_call(search, &call)) ||
	    offer_functions(search, &scopes, has_callee ? &callee : NULL))
		return 1;
	if (!is_direct || !may_give(search, has_callee ? &callee : NULL))
		return -1;
	search->is_wrapper = returns_bytes(search->types, &function);
	if (follow(search, &scopes, return_address, &end) || search->number ||
	    (has_callee && search->given == GIVEN_RETURNED && offer_returned(search, &callee)))
		return 1;
	return go_out(search, &function, &end);
}

static void search_frames(struct search *search, const uint64_t *return_addresses, uint32_t frames)
{
	int is_direct = 1, found = 0;

	for (uint32_t n = 0; !found && n < frames && n < FRAMES_MOST; n++) {
		search->frame = n;
		if (return_addresses[n])
			found = try_frame(search, return_addresses[n], is_direct);
		else
			is_direct = 0;
	}
}

static uint32_t why_not(const struct search *search)
{
	if (search->types->lack)
		return search->types->lack;
	if (search->is_divided)
		return PRECIS_DATA_TYPE_DIVIDED;
	return search->is_refused ? PRECIS_DATA_TYPE_HOLDS_POINTERS
				  : PRECIS_DATA_TYPE_NOT_DESCRIBED;
}

/* What is found at last */
static void settle(struct search *search)
{
	const uint64_t start = search->found.start;

	if (search->is_divided)
		forget(search);
	if (!search->begin.type || (search->found.type && !is_of_characters(search)))
		return;
	search->found = search->begin;
	search->found.start = start;
}

int precis_data_type_of_allocation(struct precis_data_types *types, const uint64_t *return_addresses,
				   uint32_t frames, uint64_t bytes, struct precis_allocation *allocation)
{
	struct search search = { .types = types, .bytes = bytes, .given = GIVEN_RETURNED };

	ABI_OUT(struct precis_allocation, allocation,
		precis_data_type_of_allocation(types, return_addresses, frames, bytes, &abi));
	if (!types || (!return_addresses && frames))
		return PRECIS_E_ARGUMENT;
	search_frames(&search, return_addresses, frames);
	settle(&search);
	*allocation = search.found;
	allocation->size = sizeof(*allocation);
	if (!allocation->type)
		allocation->absent = why_not(&search);
	return allocation->type != NULL;
}
