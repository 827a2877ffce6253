/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What to look at first. What is an estimate is told if the lower end of its interval is above a threshold;
 * what follows from counting alone if it is there at all.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/facts.h"
#include "libdecode/code/instruction.h"
#include "sections.h"

#define FINDINGS_ROOM 16u
#define SENTENCE 512u

struct finding_text {
	const char *name;
	char sentence[SENTENCE];
	const char *command; /* options behind "precis mix"; NULL: none */
	struct mix_figure share;
};

struct told {
	struct mixed *mixed;
	struct finding_text list[FINDINGS_ROOM];
	uint32_t count;
};

static void add(struct told *told, const char *name, struct mix_figure share, const char *command,
		const char *format, ...)
	__attribute__((format(printf, 5, 6)));

static void add(struct told *told, const char *name, struct mix_figure share, const char *command,
		const char *format, ...)
{
	struct finding_text *finding = &told->list[told->count];
	va_list arguments;

	if (told->count == FINDINGS_ROOM)
		return;
	told->count++;
	finding->name = name;
	finding->share = share;
	finding->command = command;
	va_start(arguments, format);
	vsnprintf(finding->sentence, SENTENCE, format, arguments);
	va_end(arguments);
}

/* "12.3% [12.1,12.5]" */
static const char *percent(struct mix_figure share, char room[64])
{
	/* What is told has an interval, or is counted */
	if (isnan(share.interval.low))
		snprintf(room, 64, "%.1f%%", 100 * share.value);
	else
		snprintf(room, 64, "%.1f%% [%.1f,%.1f]", 100 * share.value,
			 100 * fmax(share.interval.low, 0), 100 * fmin(share.interval.high, 1));
	return room;
}

static int is_above(struct mix_figure share, double least)
{
	return share.interval.low > least;
}

static const struct mix_figure counted = { NAN, { NAN, NAN } };

/* --- kinds of instructions --- */

static int has_flops(const struct code_form *form)
{
	return form->flops > 0;
}

static int is_scalar_float(const struct code_form *form)
{
	return form->flops > 0 && form->packing != CODE_PACKING_PACKED;
}

static int is_packed_float(const struct code_form *form)
{
	return form->flops > 0 && form->packing == CODE_PACKING_PACKED;
}

static int is_packed_128(const struct code_form *form)
{
	return is_packed_float(form) && form->vector_bits == 128;
}

static int is_wide(const struct code_form *form)
{
	return form->vector_bits > 128;
}

static int accesses_memory(const struct code_form *form)
{
	return code_read_bytes(form) || code_written_bytes(form);
}

static int calls_or_returns(const struct code_form *form)
{
	return form->branch == CODE_BRANCH_CALL || form->branch == CODE_BRANCH_INDIRECT_CALL ||
	       form->branch == CODE_BRANCH_RETURN;
}

static int is_named(const struct code_form *form, const char *const *parts)
{
	const char *name = code_mnemonic_name(form->mnemonic);

	for (; name && *parts; parts++) {
		if (strstr(name, *parts))
			return 1;
	}
	return 0;
}

static int divides(const struct code_form *form)
{
	static const char *const parts[] = { "div", "sqrt", NULL };

	return is_named(form, parts);
}

static int is_x87(const struct code_form *form)
{
	const char *name = code_isa_extension_name(form->isa_extension);

	return name && strcmp(name, "X87") == 0;
}

static int is_locked(const struct code_form *form)
{
	return (form->traits & CODE_LOCKED) != 0;
}

/* --- functions --- */

/* The function in which most of a measure of some forms is done, and its part of that; "": none */
static double busiest(struct mixed *mixed, mixed_forms *forms, enum mix_measure measure,
		      char text[MIX_LABEL])
{
	struct names names = { .list = NULL };
	double *sums = calloc(mixed->program.count + 1, sizeof(*sums)), all = 0, most = 0;

	*text = '\0';
	mixed_weigh(mixed, forms, measure, mixed->weights);
	for (uint32_t n = 0; sums && n < mixed->program.count; n++) {
		const struct code_block *block =
			code_blocks_get(mixed->program.blocks, mixed->program.node[n].code);
		uint32_t name;

		if (mixed->weights[n] == 0 || !block)
			continue;
		name = names_add(&names, mix_label(&mixed->labels, MIX_BY_FUNCTION, n, block->offset));
		if (!name)
			break;
		sums[name] += mixed->weights[n] * mixed->counts[n];
		all += mixed->weights[n] * mixed->counts[n];
		if (sums[name] > most) {
			most = sums[name];
			snprintf(text, MIX_LABEL, "%s", names_get(&names, name)->text);
		}
	}
	mixed_clear(mixed, mixed->weights);
	names_free(&names);
	free(sums);
	return all > 0 ? most / all : 0;
}

/* --- what is executed --- */

#define FLOPS_LEAST 0.02    /* of instructions: floating point matters */
#define SCALAR_LEAST 0.1    /* of FLOPs */
#define NARROW_LEAST 0.25   /* of packed FLOPs, where wider ones are used, too */
#define MEMORY_LEAST 0.5    /* of instructions */
#define CALLS_LEAST 0.08    /* likewise, and of those below */
#define DIVIDES_LEAST 0.01
#define X87_LEAST 0.01
#define LOCKED_LEAST 0.005

static void tell_vectors(struct told *told)
{
	struct mixed *mixed = told->mixed;
	const struct mix_figure flops = mixed_share(mixed, has_flops, NULL, MIX_EXECUTIONS);
	struct mix_figure share;
	char room[64], function[MIX_LABEL];
	double part;

	if (!is_above(flops, FLOPS_LEAST))
		return;
	share = mixed_share(mixed, is_scalar_float, has_flops, MIX_FLOPS);
	if (is_above(share, SCALAR_LEAST)) {
		part = busiest(mixed, is_scalar_float, MIX_FLOPS, function);
		add(told, "scalar", share, "--by function,packed,element",
		    "%s of floating-point operations are scalar, one for each instruction: %.0f%% of these "
		    "in %.200s. Vectors do 2 to 16 at once.",
		    percent(share, room), 100 * part, function);
	}
	share = mixed_share(mixed, is_packed_128, is_packed_float, MIX_FLOPS);
	if (is_above(share, NARROW_LEAST) && mixed_share(mixed, is_wide, NULL, MIX_EXECUTIONS).value > 0) {
		part = busiest(mixed, is_packed_128, MIX_FLOPS, function);
		add(told, "narrow", share, "--by function,width,element",
		    "%s of packed floating-point operations work on 128 bits, though wider vectors are used "
		    "elsewhere: %.0f%% of these in %.200s.",
		    percent(share, room), 100 * part, function);
	}
}

/* A share of instructions that is worth a look if it is large */
static const struct {
	const char *name;
	mixed_forms *forms;
	double least;
	const char *command, *what;
} shares[] = {
	{ "memory", accesses_memory, MEMORY_LEAST, "--by function,memory,access",
	  "of instructions read or write memory" },
	{ "calls", calls_or_returns, CALLS_LEAST, "--by function,branch",
	  "of instructions are calls and returns: small functions that are not inlined" },
	{ "divides", divides, DIVIDES_LEAST, "--by function,mnemonic",
	  "of instructions divide or take roots, which take many times as long as others" },
	{ "x87", is_x87, X87_LEAST, "--by function,extension", "of instructions are x87's" },
	{ "locked", is_locked, LOCKED_LEAST, "--by function,locked",
	  "of instructions are locked: synchronisation" },
};

static void tell_shares(struct told *told)
{
	for (size_t n = 0; n < sizeof(shares) / sizeof(shares[0]); n++) {
		const struct mix_figure share =
			mixed_share(told->mixed, shares[n].forms, NULL, MIX_EXECUTIONS);
		char room[64], function[MIX_LABEL];
		double part;

		if (!is_above(share, shares[n].least))
			continue;
		part = busiest(told->mixed, shares[n].forms, MIX_EXECUTIONS, function);
		add(told, shares[n].name, share, shares[n].command, "%s %s; %.0f%% of these in %.200s.",
		    percent(share, room), shares[n].what, 100 * part, function);
	}
}

/* --- how far it can be believed --- */

#define UNKNOWN_LEAST 0.01

/* The reason that has most, of samples if there are any, else of streams */
static const struct mix_absent *main_absent(const struct mix_program *program, uint64_t *unknown)
{
	const struct mix_absent *most = NULL;

	*unknown = 0;
	for (uint32_t n = 0; n < program->absent_count; n++) {
		const struct mix_absent *absent = &program->absent[n];
		const uint64_t of = program->seen.samples ? absent->weight : absent->streams;
		const uint64_t before = !most ? 0 : program->seen.samples ? most->weight : most->streams;

		*unknown += of;
		if (of && (!most || of > before))
			most = absent;
	}
	return most;
}

static void tell_unknown(struct told *told)
{
	const struct mix_program *program = &told->mixed->program;
	const uint64_t all =
		program->seen.samples ? mix_weight_of_samples(&program->seen) : mix_program_streams(program);
	uint64_t unknown;
	const struct mix_absent *most = main_absent(program, &unknown);

	if (!most || (double)unknown < UNKNOWN_LEAST * (double)all)
		return;
	add(told, "unknown", (struct mix_figure){ (double)unknown / (double)all, { NAN, NAN } },
	    "--by module,mode", "%.1f%% of what %s is in code that is not known, most of it in %.200s: %s.",
	    100 * (double)unknown / (double)all,
	    program->seen.samples ? "instruction samples stand for" : "streams of branch stacks ran through",
	    mix_label_module(most->text), most->why);
}

static void tell_stale(struct told *told)
{
	const struct mix_program *program = &told->mixed->program;
	uint32_t most = 0;

	if (!program->stale)
		return;
	for (uint32_t n = 1; n < program->stale_texts.count; n++)
		most = program->stale_streams[n] > program->stale_streams[most] ? n : most;
	add(told, "stale", counted, NULL,
	    "%" PRIu64 " of %" PRIu64 " streams cannot have run through the code as it is known, most in "
	    "%.200s: it was another code then (record with --kcore, or keep the binaries).",
	    program->stale, mix_program_streams(program),
	    mix_label_stale(&told->mixed->labels, most));
}

/* ", most often at main+0x20 (program)": where windows begin; "": no single branch stands out */
static const char *begin_of_windows(struct told *told, char room[MIX_LABEL + 32])
{
	const struct biased *biased = &told->mixed->biased;

	room[0] = '\0';
	if (biased->count)
		snprintf(room, MIX_LABEL + 32, ", most often at the branch %.200s",
			 mix_label_place(&told->mixed->labels, biased->place->text,
					 biased->place->offset, 1));
	return room;
}

static void tell_stacks(struct told *told)
{
	const struct mix_observations *seen = mix_sightings_seen(told->mixed->reading->sightings);
	const struct mix_bias bias = mix_bias_of(seen);
	char room[MIX_LABEL + 32];

	if (mix_newest_is_copied(seen))
		add(told, "copies", counted, NULL,
		    "The newest entry of branch stacks is a copy of the next one in %.1f%% of them: it is "
		    "left out.",
		    100 * (double)seen->twins[0] / (double)(seen->full ? seen->full : 1));
	if (bias.is_flagged)
		add(told, "bias", (struct mix_figure){ bias.excess, { NAN, NAN } }, "--compare",
		    "%.0f%% of branch stacks begin where chance would not have them%s: how often their code "
		    "ran is biased, and %s.",
		    100 * bias.excess, begin_of_windows(told, room),
		    seen->samples
			    ? "the joint estimate rests on shares of branches and on samples instead"
			    : "no instruction samples correct it");
}

/* Of stacks of user mode. A few may end so, where an address is of before the interrupt. */
#define NOT_FROZEN_LEAST 0.1

static void tell_not_frozen(struct told *told)
{
	const struct mix_reading *reading = told->mixed->reading;
	uint64_t stacks = 0, not_frozen = 0;

	for (uint32_t n = 0; n < reading->event_count; n++) {
		stacks += reading->events[n].user_stacks;
		not_frozen += reading->events[n].not_frozen;
	}
	if ((double)not_frozen <= NOT_FROZEN_LEAST * (double)stacks)
		return;
	add(told, "not_frozen", counted, NULL,
	    "%.0f%% of branch stacks of user mode end in the kernel: they were not frozen when the interrupt "
	    "came that took them, and its branches pushed out the program's (record user mode alone: :u).",
	    100 * (double)not_frozen / (double)stacks);
}

static void tell_sources(struct told *told)
{
	const struct mix_observations *seen = &told->mixed->program.seen;

	if (seen->stacks && !seen->samples)
		add(told, "no_samples", counted, NULL, "All rests on branch stacks: no event samples %s.",
		    told->mixed->program.is_relative ? "instructions, and stacks were not taken by taken "
						       "branches: shares are known, numbers are not"
						     : "instructions");
	else if (seen->samples && !seen->stacks)
		add(told, "no_stacks", counted, NULL, "All rests on instruction samples: %s.",
		    mix_reading_is_exact(told->mixed->reading)
			    ? "there are no branch stacks, which tell short blocks apart"
			    : "they are behind what they stand for, and no branch stacks tell how far");
}

/* --- telling --- */

/* As a shell reads it. @return to be freed; NULL: the finding has none, or memory is short */
static char *command_of(const struct told *told, const struct finding_text *finding)
{
	const struct words *chosen = &told->mixed->arguments->chosen;
	struct words path = { .text = NULL };
	char *command = NULL;
	size_t bytes;

	if (!finding->command)
		return NULL;
	words_add(&path, told->mixed->reading->recording.path);
	bytes = sizeof("precis mix ") + strlen(finding->command) +
		(chosen->text ? strlen(chosen->text) : 0) + (path.text ? strlen(path.text) : 0);
	if (!path.failed && !chosen->failed)
		command = malloc(bytes);
	if (command)
		snprintf(command, bytes, "precis mix%s %s%s", chosen->text ? chosen->text : "",
			 finding->command, path.text);
	words_free(&path);
	return command;
}

static void tell_values(struct document *document, const struct told *told)
{
	fact(document, "findings");
	cell_entries(document);
	for (uint32_t n = 0; n < told->count; n++) {
		const struct finding_text *finding = &told->list[n];
		char *command = command_of(told, finding);

		document->failed |= finding->command && !command;
		member_members(document, NULL);
		member_text(document, "rule", finding->name);
		member_text(document, "sentence", finding->sentence);
		member_decimal(document, "share", finding->share.value);
		member_decimal(document, "low", fmax(finding->share.interval.low, 0));
		member_decimal(document, "high", fmin(finding->share.interval.high, 1));
		member_text(document, "command", command);
		close_nest(document);
		free(command);
	}
	close_nest(document);
}

static void tell_text(struct document *document, const struct told *told)
{
	for (uint32_t n = 0; n < told->count; n++) {
		const struct finding_text *finding = &told->list[n];
		char *command = command_of(told, finding);

		fact(document, "");
		fact_label(document, "%u.", n + 1);
		fact_says(document, "%s", finding->sentence);
		if (!command)
			continue;
		fact_says_line(document, "%s", "");
		fact_says_word(document, command);
		free(command);
	}
	if (!told->count) {
		fact(document, "");
		fact_label(document, "%s", "");
		fact_says(document, "none: no figure is certainly above what a finding needs");
	}
}

void section_mix_findings(struct mixed *mixed, struct document *document)
{
	struct told told = { .mixed = mixed };

	if (mixed->counts) {
		tell_vectors(&told);
		tell_shares(&told);
	}
	tell_unknown(&told);
	tell_stale(&told);
	tell_stacks(&told);
	tell_not_frozen(&told);
	tell_sources(&told);
	facts_begin(document, "findings", 2, 2);
	facts_title(document, "Findings");
	tell_values(document, &told);
	tell_text(document, &told);
}
