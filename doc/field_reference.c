/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reference of fields, from the catalogue: "man" gives precis-fields(7), "markdown"
 * gives fields.md.
 */
#include <stdio.h>
#include <string.h>

#include <precis/precis.h>

#define TEXT_BYTES 1024

/* What perf record must be told for a field of perf's own. */
#define ASK_EVENT "always there"
#define ASK_MISC "always there"
#define ASK_IP "always there"
#define ASK_TID "always there"
#define ASK_TIME "`-T` (perf's default)"
#define ASK_CPU "`-a`, `-R` or `--sample-cpu`"
#define ASK_PERIOD "always there"
#define ASK_ADDR "`-d`"
#define ASK_DATA_SRC "`-d`"
#define ASK_PHYS_ADDR "`--phys-data`"
#define ASK_WEIGHT "`-W`; Linux fills it for IBS only together with `-d`"
#define ASK_WEIGHT_STRUCT "`-W`; Linux fills it for IBS only together with `-d`"
#define ASK_TRANSACTION "`--transaction`"
#define ASK_DATA_PAGE_SIZE "`--data-page-size`"
#define ASK_CODE_PAGE_SIZE "`--code-page-size`"
#define ASK_CGROUP "`--all-cgroups`"

/* And of an Intel CPU's precise event, by the kernel's word that has the value. */
#define ASK_PEBS_NONE "a raw record: the kernel does not hand it out"
#define ASK_PEBS_IP "a precise event (`:P`)"
#define ASK_PEBS_ADDR "a precise event (`:P`) with `-d`"
#define ASK_PEBS_DATA_SRC ASK_PEBS_ADDR
#define ASK_PEBS_WEIGHT "a precise event (`:P`) with `-W`"
#define ASK_PEBS_WEIGHT_STRUCT ASK_PEBS_WEIGHT
#define ASK_PEBS_TRANSACTION "a precise event (`:P`) with `--transaction`"

/* Who has a field: IBS in an op or a fetch, PEBS, perf itself. 0 and NULL: not there */
static const struct {
	int in_op, in_fetch;
	const char *pebs, *perf; /* what perf record must be told for it */
} origins[PRECIS_FIELD_COUNT] = {
#define PRECIS_IBS_OP_FIELD(id, ...) [PRECIS_FIELD_##id].in_op = 1,
#include "libdecode/ibs/fields.def"
#undef PRECIS_IBS_OP_FIELD
#define PRECIS_IBS_FETCH_FIELD(id, ...) [PRECIS_FIELD_##id].in_fetch = 1,
#include "libdecode/ibs/fields.def"
#undef PRECIS_IBS_FETCH_FIELD
#define PRECIS_PEBS_VALUE(id, field, word, cut, perf_, ...) [PRECIS_FIELD_##field].pebs = ASK_PEBS_##perf_,
#include "libdecode/pebs/values.def"
#undef PRECIS_PEBS_VALUE
#define PRECIS_PERF_FIELD(id, source) [PRECIS_FIELD_##id].perf = ASK_##source,
#include "libdecode/sample/perf_sources.def"
#undef PRECIS_PERF_FIELD
};

/*
 * The gates are no part of the interface, but the only place that says which reason
 * follows from which rule.
 */
static const struct {
	const char *rule, *reason, *detail;
} gates[] = {
#define PRECIS_STATIC_GATE(id, cores, caps, rule, detail) { rule, "NOT_SUPPORTED", detail },
#include "libdecode/ibs/gates.def"
#undef PRECIS_STATIC_GATE
#define PRECIS_DYNAMIC_GATE(id, reason, rule, detail, ...) { rule, #reason, detail },
#include "libdecode/ibs/gates.def"
#undef PRECIS_DYNAMIC_GATE
#define PRECIS_PEBS_GATE(id, reason, rule, detail) { "of PEBS: " rule, #reason, detail },
#include "libdecode/pebs/gates.def"
#undef PRECIS_PEBS_GATE
};

/* One gate's detail depends on what the sample was made from. */
static const char lacks[] = "what the record, or perf's sample, lacks, and the option that helps";

static const struct {
	uint32_t type;
	const char *name, *meaning;
} value_meanings[] = {
	{ PRECIS_TYPE_OP, "load_store", "reads and writes the same place" },
	{ PRECIS_TYPE_OP, "prefetch", "software prefetch" },
	{ PRECIS_TYPE_OP, "branch", "a branch that accesses no memory" },
	{ PRECIS_TYPE_MEM_LEVEL, "LFB", "a miss that was already outstanding (AMD: MAB)" },
	{ PRECIS_TYPE_MEM_LEVEL, "L3", "local L3, or an L1 or L2 of the same core complex" },
	{ PRECIS_TYPE_MEM_LEVEL, "local_cache",
	  "local L3 or another cache of the node: before caps[11] not told apart" },
	{ PRECIS_TYPE_MEM_LEVEL, "near_cache", "a cache of another core complex, same NUMA node" },
	{ PRECIS_TYPE_MEM_LEVEL, "far_cache", "a cache on another NUMA node" },
	{ PRECIS_TYPE_MEM_LEVEL, "DRAM", "see mem_remote for whose" },
	{ PRECIS_TYPE_MEM_LEVEL, "PMEM", "long-latency DIMM" },
	{ PRECIS_TYPE_MEM_LEVEL, "CXL", "extension memory" },
	{ PRECIS_TYPE_MEM_LEVEL, "peer_agent", "coherent memory of another kind of processor" },
	{ PRECIS_TYPE_MEM_LEVEL, "IO", "MMIO, configuration space, PCI, APIC" },
	{ PRECIS_TYPE_MEM_LEVEL, "uncached", "uncacheable memory" },
	{ PRECIS_TYPE_MEM_LEVEL, "L4", "Intel: a cache behind the L3" },
	{ PRECIS_TYPE_MEM_LEVEL, "L2_MHB", "Intel: an L2 miss that was already outstanding" },
	{ PRECIS_TYPE_MEM_LEVEL, "MSC", "Intel: memory-side cache" },
	{ PRECIS_TYPE_MEM_LEVEL, "L0", "Intel: the cache in front of the L1" },
	{ PRECIS_TYPE_MEM_REMOTE, "remote_node",
	  "another node; with caps[16], of the same socket" },
	{ PRECIS_TYPE_MEM_SNOOP, "modified", "hit in a modified line" },
	{ PRECIS_TYPE_MEM_SNOOP, "hit", "Intel: hit in a clean line" },
	{ PRECIS_TYPE_MEM_SNOOP, "miss", "Intel: no other cache had it" },
	{ PRECIS_TYPE_MEM_SNOOP, "none", "Intel: no other cache was asked" },
	{ PRECIS_TYPE_MEM_SNOOP, "forward", "Intel: another cache forwarded it" },
	{ PRECIS_TYPE_MEM_SNOOP, "none_or_miss", "Intel: one of the two" },
	{ PRECIS_TYPE_TLB_LEVEL, "walk", "in no TLB" },
	{ PRECIS_TYPE_TLB_LEVEL, "L1_or_L2", "Intel: in one of them, not told which" },
	{ PRECIS_TYPE_PERIOD_UNIT, "ops", "dispatched micro-ops" },
};

static const char *value_meaning(uint32_t type, const char *name)
{
	for (size_t i = 0; i < sizeof(value_meanings) / sizeof(value_meanings[0]); i++) {
		if (value_meanings[i].type == type && strcmp(value_meanings[i].name, name) == 0)
			return value_meanings[i].meaning;
	}
	return "";
}

/* What the two formats do differently. Text may have `code`. */
struct format {
	void (*begin)(void);
	void (*begin_fields)(void);
	void (*field)(const struct precis_field_info *info, const char *ask, const char *source,
		      const char *rule);
	void (*begin_values)(void);
	void (*type)(const char *type);
	void (*value)(const char *name, const char *meaning);
	void (*begin_gates)(void);
	void (*gate)(const char *rule, const char *reason, const char *detail);
	void (*end)(void);
};

static const char recording[] =
	"perf record -e ibs_op// --raw-samples -c 104752 -a -- sleep 10";
static const char pebs_recording[] = "perf record -e cpu/mem-loads,ldlat=30/P -d -W -- COMMAND";

/* --- mdoc --- */

/* A line of text: nothing that mdoc would take for a request. */
static void man_text(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (int code = 0; *text; text++) {
		if (*text == '`') {
			fputs(code ? "\\fP" : "\\fB", stdout);
			code = !code;
		} else if (*text == '\\') {
			fputs("\\e", stdout);
		} else if (*text == '-') {
			fputs("\\-", stdout);
		} else {
			putchar(*text);
		}
	}
}

static void man_line(const char *before, const char *text, const char *after)
{
	fputs(before, stdout);
	man_text(text);
	puts(after);
}

static void man_begin(void)
{
	puts(".\\\" SPDX-License-Identifier: BSD-3-Clause\n"
	     ".\\\" Generated by doc/field_reference.c: do not edit.\n"
	     ".Dd November 20, 2026\n"
	     ".Dt PRECIS-FIELDS 7\n"
	     ".Os precis\n"
	     ".Sh NAME\n"
	     ".Nm precis-fields\n"
	     ".Nd the fields of a sample: meaning, unit, source, validity\n"
	     ".Sh DESCRIPTION\n"
	     "A field of a sample is a value or absent for a named reason; an absent field\n"
	     "never reads as 0.\n"
	     "The names below are those of CSV and JSON columns, of\n"
	     ".Xr precis-filter 7\n"
	     "expressions, and of the functions\n"
	     ".Fn precis_get_NAME\n"
	     "of the library.\n"
	     ".Pp\n"
	     "Fields from IBS need the raw payload in the recording:\n"
	     ".Dl perf record -e ibs_op// --raw-samples -c 104752 -a -- sleep 10\n"
	     "Fields from PEBS need a precise event of an Intel CPU:\n"
	     ".Dl perf record -e cpu/mem-loads,ldlat=30/P -d -W -- COMMAND\n"
	     "Conditions behind\n"
	     ".Qq of PEBS\n"
	     "are those of Intel's records, and of the kernel's words that come from them; those in\n"
	     "front are of IBS.\n"
	     ".Pp\n"
	     "What a recording did not ask for is\n"
	     ".Dv NOT_CAPTURED .\n"
	     "Every other reason follows from the validity rule: of the conditions in\n"
	     ".Sx VALIDITY RULES\n"
	     "the first one that does not hold is the reason.\n"
	     "caps is the capability word of the payload, CPUID Fn8000_001B EAX.\n"
	     "Latencies are in core clock cycles.");
}

static void man_begin_fields(void)
{
	puts(".Sh FIELDS\n.Bl -tag -width \"x\"");
}

static void man_field(const struct precis_field_info *info, const char *ask, const char *source,
		      const char *rule)
{
	const char *unit = precis_unit_name(info->unit);

	printf(".It Sy %s Pq %s%s%s\n", info->name, precis_type_name(info->type),
	       *unit ? ", " : "", unit);
	man_line("", info->meaning, "");
	puts(".Bl -tag -width \"request\" -compact");
	man_line(".It request\n", ask, "");
	if (*source)
		man_line(".It source\n", source, "");
	if (*rule)
		man_line(".It valid\n", rule, "");
	if (*info->aliases)
		man_line(".It alias\n", info->aliases, "");
	puts(".El");
}

static void man_begin_values(void)
{
	puts(".El\n.Sh VALUES\n.Bl -tag -width \"x\"");
}

static const char *open_type;

static void man_type(const char *type)
{
	if (open_type)
		puts(".El");
	printf(".It Sy %s\n.Bl -tag -width \"write_combining\" -compact\n", type);
	open_type = type;
}

static void man_value(const char *name, const char *meaning)
{
	printf(".It %s\n", name);
	if (*meaning)
		man_line("", meaning, "");
}

static void man_begin_gates(void)
{
	puts(".El\n.El\n.Sh VALIDITY RULES\n"
	     "Conditions in the order in which they are tried, the reason for absence, and the\n"
	     "words that\n"
	     ".Fn precis_why_detail\n"
	     "has for it.\n"
	     "In addition an erratum can take a field away: reason\n"
	     ".Dv ERRATUM\n"
	     "with the erratum's name as detail; see\n"
	     ".Xr precis-errata 1 .\n"
	     ".Bl -tag -width \"x\" -compact");
}

static void man_gate(const char *rule, const char *reason, const char *detail)
{
	man_line(".It \"", rule, "\"");
	printf(".Dv %s :\n", reason);
	man_line("", detail, "");
}

static void man_end(void)
{
	puts(".El\n"
	     ".Sh SEE ALSO\n"
	     ".Xr precis 1 ,\n"
	     ".Xr precis-fields 1 ,\n"
	     ".Xr precis_fields 3 ,\n"
	     ".Xr precis_sample 3 ,\n"
	     ".Xr precis-filter 7");
}

static const struct format man = {
	man_begin, man_begin_fields, man_field,       man_begin_values, man_type,
	man_value, man_begin_gates,  man_gate, man_end,
};

/* --- Markdown --- */

static void md_text(const char *text)
{
	for (; *text; text++) {
		if (strchr("|*_<>", *text))
			putchar('\\');
		putchar(*text);
	}
}

static void md_cell(const char *text)
{
	fputs(" | ", stdout);
	md_text(text);
}

static void md_begin(void)
{
	printf("# Fields\n\n"
	       "<!-- Generated by doc/field_reference.c: do not edit. -->\n\n"
	       "Each field of a sample is a value, or absent for a named reason; an absent field "
	       "never reads\nas 0. The names are those of CSV and JSON columns, of filter "
	       "expressions, and of the C functions\n`precis_get_NAME()`. Fields from IBS need the "
	       "raw payload in the recording:\n\n    %s\n\n"
	       "Fields from PEBS need a precise event of an Intel CPU:\n\n    %s\n\n"
	       "Conditions behind *of PEBS* are those of Intel's records, and of the kernel's words "
	       "that come from\nthem; those in front are of IBS.\n\n"
	       "What a recording did not ask for is `NOT_CAPTURED`. Every other reason follows "
	       "from the rule: of\nits conditions the [first that does not hold](#rules) is the "
	       "reason. "
	       "`caps` is the capability word\nof the payload, CPUID Fn8000\\_001B EAX. Latencies "
	       "are in core clock cycles.\n",
	       recording, pebs_recording);
}

static void md_begin_fields(void)
{
	puts("\n## Fields\n\n"
	     "| field | type, unit | meaning | request (`perf record`) | source | present if |\n"
	     "|---|---|---|---|---|---|");
}

static void md_field(const struct precis_field_info *info, const char *ask, const char *source,
		     const char *rule)
{
	const char *unit = precis_unit_name(info->unit);

	printf("| `%s`", info->name);
	fputs(" | ", stdout);
	md_text(precis_type_name(info->type));
	printf("%s%s", *unit ? ", " : "", unit);
	md_cell(info->meaning);
	printf(" | %s", ask);
	md_cell(source);
	md_cell(rule);
	puts(" |");
}

static void md_begin_values(void)
{
	puts("\n## Values\n\n| type | value | meaning |\n|---|---|---|");
}

static void md_type(const char *type)
{
	open_type = type;
}

static void md_value(const char *name, const char *meaning)
{
	printf("| `%s` | `%s`", open_type, name);
	md_cell(meaning);
	puts(" |");
}

static void md_begin_gates(void)
{
	puts("\n## Rules\n\n"
	     "Conditions in the order in which they are tried. In addition an erratum can take a "
	     "field away:\nreason `ERRATUM`, with its name as detail (`precis errata`).\n\n"
	     "| condition | reason if it does not hold | detail |\n|---|---|---|");
}

static void md_gate(const char *rule, const char *reason, const char *detail)
{
	fputs("| ", stdout);
	md_text(rule);
	printf(" | `%s`", reason);
	md_cell(detail);
	puts(" |");
}

static void md_end(void)
{
}

static const struct format markdown = {
	md_begin, md_begin_fields, md_field, md_begin_values, md_type,
	md_value, md_begin_gates, md_gate, md_end,
};

/* --- both --- */

/* The recording that has it: IBS, else perf's own field, else PEBS; and what also has it */
static void ask_for(uint32_t field, char *text, size_t room)
{
	const char *perf = origins[field].perf, *pebs = origins[field].pebs, *ibs = NULL;

	if (origins[field].in_op && origins[field].in_fetch)
		ibs = "`-e ibs_op// -R` or `-e ibs_fetch// -R`";
	else if (origins[field].in_op)
		ibs = "`-e ibs_op// -R`";
	else if (origins[field].in_fetch)
		ibs = "`-e ibs_fetch// -R`";
	if (ibs && perf && strcmp(perf, ASK_IP) != 0)
		snprintf(text, room, "%s; without a payload: %s", ibs, perf);
	else if (perf)
		snprintf(text, room, "%s", perf);
	else if (ibs && pebs)
		snprintf(text, room, "%s; Intel: %s", ibs, pebs);
	else if (pebs)
		snprintf(text, room, "Intel: %s", pebs);
	else
		snprintf(text, room, "%s", ibs ? ibs : "nothing has it");
}

static void print_fields(const struct format *format)
{
	struct precis_field_info info = { .size = sizeof(info) };
	char ask[TEXT_BYTES], source[TEXT_BYTES], rule[TEXT_BYTES];

	format->begin_fields();
	for (uint32_t field = 0; precis_field_info(field, &info) == 0; field++) {
		ask_for(field, ask, sizeof(ask));
		precis_field_source(field, source, sizeof(source));
		precis_field_rule(field, rule, sizeof(rule));
		format->field(&info, ask, source, rule);
	}
}

static void print_values(const struct format *format)
{
	format->begin_values();
	for (uint32_t type = 0; precis_type_name(type); type++) {
		int values = 0;

		for (uint64_t value = 0; value < 64; value++) {
			const char *name = precis_type_value_name(type, value);

			if (!name)
				continue;
			if (!values++)
				format->type(precis_type_name(type));
			format->value(name, value_meaning(type, name));
		}
	}
}

static void print_gates(const struct format *format)
{
	format->begin_gates();
	for (size_t i = 0; i < sizeof(gates) / sizeof(gates[0]); i++) {
		if (strcmp(gates[i].reason, "ERRATUM") != 0)
			format->gate(gates[i].rule, gates[i].reason,
				     *gates[i].detail ? gates[i].detail : lacks);
	}
}

int main(int argc, char **argv)
{
	const struct format *format = NULL;

	if (argc == 2 && strcmp(argv[1], "man") == 0)
		format = &man;
	else if (argc == 2 && strcmp(argv[1], "markdown") == 0)
		format = &markdown;
	if (!format) {
		fputs("Usage: field_reference man|markdown\n", stderr);
		return 2;
	}
	format->begin();
	print_fields(format);
	print_values(format);
	print_gates(format);
	format->end();
	return fflush(stdout) ? 1 : 0;
}
