/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples from the kernel's words of IBS beside samples from the registers, for
 * test_ibs_words_kernel.py:
 *
 *   ibs_words LIBRARY RELEASE   all states of the registers of all cores; LIBRARY has the functions
 *                               of the Linux of that release that make the words
 *
 * Prints the first findings of each kind, then "count", a name, a number.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#define CAPS_ZEN 0x3ff
#define CAPS_ZEN4 0xbff
#define CAPS_ZEN5 0x81bff
#define CAPS_ZEN6 0xdfbff
#define CAPS_15H 0xff
#define ADDRESS 0x7f1234567890
#define PHYSICAL 0x123456890
#define MISS_LATENCY 321
#define TAG_TO_RETIRE 400
#define RECORDED                                                                                   \
	(PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_DATA_SRC | PRECIS_SAMPLE_WEIGHT_STRUCT |               \
	 PRECIS_SAMPLE_PHYS_ADDR)

static const struct cpu_row {
	const char *cpuid;
	uint32_t caps;
	/*
	 * Whether the words shall tell all they can: not of a virtual machine that hides
	 * capabilities, which they do not show, nor of cores without IbsL2Miss, where the kernel
	 * asks a reserved bit whether it goes on.
	 */
	int in_full;
} cpu_rows[] = {
	{ "AuthenticAMD,16,4,2", 0x1f, 0 },
	{ "AuthenticAMD,18,1,0", CAPS_15H, 0 },
	{ "AuthenticAMD,20,1,0", CAPS_15H, 0 },
	{ "AuthenticAMD,21,1,2", CAPS_15H, 0 },
	{ "AuthenticAMD,21,19,1", CAPS_15H, 0 },
	{ "AuthenticAMD,21,48,1", CAPS_15H, 1 },
	{ "AuthenticAMD,21,96,1", 0x7ff, 1 },
	{ "AuthenticAMD,22,0,1", CAPS_15H, 1 },
	{ "AuthenticAMD,23,1,2", CAPS_ZEN, 1 },
	{ "AuthenticAMD,23,49,0", CAPS_ZEN, 1 },
	{ "HygonGenuine,24,0,1", CAPS_ZEN, 1 },
	{ "AuthenticAMD,25,1,1", CAPS_ZEN, 1 },
	{ "AuthenticAMD,25,33,0", CAPS_ZEN, 1 },
	{ "AuthenticAMD,25,17,1", CAPS_ZEN4, 1 },
	{ "AuthenticAMD,25,17,1", CAPS_ZEN, 0 },
	{ "AuthenticAMD,26,2,1", CAPS_ZEN5, 1 },
	{ "AuthenticAMD,26,2,1", CAPS_ZEN4, 0 },
	{ "AuthenticAMD,26,80,0", CAPS_ZEN6, 1 },
	{ "AuthenticAMD,26,80,0", CAPS_ZEN5, 0 },
};

/* IbsOpData3 */
#define LOAD (1u << 0)
#define STORE (1u << 1)
#define DC_MISS (1u << 7)
#define WRITE_COMBINING (1u << 13)
#define UNCACHEABLE (1u << 14)
#define NO_MAB (1u << 16)
#define L2_MISS (1u << 20)
#define PREFETCH (1u << 21)
static const uint32_t data3_bits[] = {
	LOAD,	 STORE,	   1u << 2 /* L1 TLB miss */,	  1u << 3 /* L2 TLB miss */,
	DC_MISS, 1u << 15 /* locked */,
	NO_MAB,	 1u << 17 /* linear address valid */, 1u << 18 /* physical address valid */,
	L2_MISS, PREFETCH,
};
#define DATA3_STATES (1u << sizeof(data3_bits) / sizeof(data3_bits[0]))
static const uint32_t memory_types[] = { 0, WRITE_COMBINING, UNCACHEABLE };

/* IbsOpData2 */
#define REMOTE_NODE (1u << 4)
#define REMOTE_SOCKET (1u << 9)
#define DATA2_STATES 256u /* data source, remote node, cache hit state, remote socket */

struct made {
	uint64_t data_src, weight, addr, phys_addr;
};

struct kernel {
	void (*cpu)(uint32_t family, uint32_t model, uint32_t caps);
	void (*words)(const uint64_t *registers, uint64_t sample_type, struct made *made);
	uint32_t number;
};

/* What the words are told of their origin */
enum { CPU_KNOWN, KERNEL_UNKNOWN, ALL_UNKNOWN, TELLINGS };

/* All that is known of one word: what precis makes of it, and what its registers agree on */
struct word {
	struct made made;
	int is_used;
	struct precis_sample sample[TELLINGS];
	uint64_t inapplicable[TELLINGS];
	uint64_t had, lacked, differed; /* fields, in the registers' samples */
	uint64_t value[64];
};

#define WORDS 65536u
static struct word *words;

struct machine {
	const struct cpu_row *row;
	unsigned int shown; /* findings */
	struct precis_cpu cpu;
	struct precis_ibs_context registers;
	struct precis_pebs_context of_words[TELLINGS];
};

static struct {
	uint64_t states, words, uncacheable_io, contradictions, false_reasons, unused;
} counts;

#define FIELD(id) (UINT64_C(1) << PRECIS_FIELD_##id)
/* What the words are asked for all that they can tell: none of these is to be left out */
#define TOLD_IN_FULL                                                                               \
	(FIELD(MEM_LEVEL) | FIELD(MEM_REMOTE) | FIELD(DCACHE_MISS) | FIELD(L2_MISS) |              \
	 FIELD(TLB_LEVEL) | FIELD(LOCKED) | FIELD(ADDR))

static void decode_word(struct machine *machine, struct word *word)
{
	const struct precis_perf_words perf = {
		.size = sizeof(perf),
		.captured = RECORDED & ~(uint32_t)PRECIS_SAMPLE_PHYS_ADDR,
		.addr = word->made.addr,
		.data_src = word->made.data_src,
		.weight = (uint32_t)word->made.weight,
		.weight_var2 = (uint32_t)(word->made.weight >> 32 & 0xffff),
		.weight_var3 = (uint32_t)(word->made.weight >> 48),
	};

	for (int telling = 0; telling < TELLINGS; telling++) {
		struct precis_sample *sample = &word->sample[telling];

		precis_sample_init(sample);
		memset(sample->wanted, 0xff, sizeof(sample->wanted));
		sample->event_kind = PRECIS_EVENT_IBS_OP;
		precis_perf_words_decode(&machine->of_words[telling], &perf, NULL, sample);
		word->inapplicable[telling] = 0;
		for (uint32_t field = 0; field < 64; field++)
			word->inapplicable[telling] |=
				(uint64_t)(precis_why(sample, field) == PRECIS_NOT_APPLICABLE)
				<< field;
	}
}

static struct word *word_of(struct machine *machine, const struct made *made)
{
	uint64_t hash = (made->data_src ^ made->weight << 11 ^ made->addr << 7) *
			UINT64_C(0x9e3779b97f4a7c15);
	uint32_t slot = (uint32_t)(hash >> 40) % WORDS;

	for (;; slot = (slot + 1) % WORDS) {
		struct word *word = &words[slot];

		if (word->is_used && word->made.data_src == made->data_src &&
		    word->made.weight == made->weight && word->made.addr == made->addr)
			return word;
		if (word->is_used)
			continue;
		memset(word, 0, sizeof(*word));
		word->is_used = 1;
		word->made = *made;
		decode_word(machine, word);
		counts.words++;
		return word;
	}
}

#define SHOWN 6 /* findings of each CPU */

static void find(uint64_t *count, const char *what, struct machine *machine,
		 const struct precis_ibs_op *op, const struct word *word, int telling,
		 uint32_t field)
{
	char text[PRECIS_VALUE_TEXT] = "-", of_registers[PRECIS_VALUE_TEXT] = "-";
	const struct precis_sample *sample = &word->sample[telling];
	struct precis_field_info info = { .size = sizeof(info) };

	(*count)++;
	if (machine->shown++ >= SHOWN)
		return;
	precis_field_info(field, &info);
	if (sample->present[0] >> field & 1)
		precis_value_format(info.type, sample->value[field], text);
	if (word->had >> field & 1)
		precis_value_format(info.type, word->value[field], of_registers);
	printf("%s: %s caps %#x, told %d, word %#llx weight %#llx, %s: words %s %s, registers %s; "
	       "data2 %#llx data3 %#llx\n",
	       what, machine->row->cpuid, machine->row->caps, telling,
	       (unsigned long long)word->made.data_src, (unsigned long long)word->made.weight,
	       precis_field_name(field), text, precis_why_detail(sample, (enum precis_field)field),
	       of_registers, op ? (unsigned long long)op->op_data2 : 0,
	       op ? (unsigned long long)op->op_data3 : 0);
}

/*
 * Fields in which this state cannot be held against the words: the kernel calls load what reads
 * memory, prefetches included, whose latency is not told apart then; and a local cache is of this
 * node, whatever RmtNode says.
 */
static uint64_t excused(const struct precis_sample *registers, const struct precis_sample *sample)
{
	uint64_t op = registers->value[PRECIS_FIELD_OP], fields = 0;

	if (op == PRECIS_OP_LOAD_STORE && sample->value[PRECIS_FIELD_OP] == PRECIS_OP_LOAD)
		fields |= FIELD(OP);
	if (op == PRECIS_OP_PREFETCH)
		fields |= FIELD(OP) | FIELD(DCACHE_MISS_LATENCY);
	if (registers->value[PRECIS_FIELD_MEM_LEVEL] == PRECIS_MEM_LEVEL_LOCAL_CACHE)
		fields |= FIELD(MEM_REMOTE);
	/* a line on its way from a peer agent, for which the kernel has no name, is on its way */
	if (registers->value[PRECIS_FIELD_MEM_LEVEL] == PRECIS_MEM_LEVEL_PEER_AGENT &&
	    sample->value[PRECIS_FIELD_MEM_LEVEL] == PRECIS_MEM_LEVEL_LFB)
		fields |= FIELD(MEM_LEVEL);
	return fields;
}

static void compare(struct machine *machine, const struct precis_ibs_op *op,
		    const struct precis_sample *registers, struct word *word)
{
	const uint64_t had = registers->present[0];

	for (int telling = 0; telling < TELLINGS; telling++) {
		const struct precis_sample *sample = &word->sample[telling];
		const uint64_t excuses = excused(registers, sample);
		uint64_t wrong = sample->present[0] & ~had, both = sample->present[0] & had;

		for (; both; both &= both - 1) {
			uint32_t field = (uint32_t)__builtin_ctzll(both);

			if (sample->value[field] != registers->value[field])
				wrong |= UINT64_C(1) << field;
		}
		wrong &= ~excuses;
		if (wrong)
			find(&counts.contradictions, "contradiction", machine, op, word, telling,
			     (uint32_t)__builtin_ctzll(wrong));
		wrong = had & word->inapplicable[telling] & ~excuses;
		if (wrong)
			find(&counts.false_reasons, "false reason", machine, op, word, telling,
			     (uint32_t)__builtin_ctzll(wrong));
	}
}

static void learn(const struct precis_sample *registers, struct word *word)
{
	const uint64_t excuses = excused(registers, &word->sample[CPU_KNOWN]);
	uint64_t had = registers->present[0] & TOLD_IN_FULL & ~excuses;

	word->lacked |= TOLD_IN_FULL & ~had & ~excuses;
	for (; had; had &= had - 1) {
		uint32_t field = (uint32_t)__builtin_ctzll(had);

		if (word->had >> field & 1 && word->value[field] != registers->value[field])
			word->differed |= UINT64_C(1) << field;
		word->had |= UINT64_C(1) << field;
		word->value[field] = registers->value[field];
	}
}

/*
 * Uncacheable, and DataSrc 7, but not a load that missed: Linux goes on as if it were cacheable and
 * calls it what DcMiss and L2Miss, which mean nothing there, make of it. No word tells such a state
 * from that of a cacheable access.
 */
static int is_mistaken(const struct precis_ibs_op *op)
{
	const uint64_t missed = LOAD | DC_MISS | L2_MISS;
	uint64_t high = op->caps & PRECIS_IBS_CAPS_ZEN4_EXT ? op->op_data2 >> 6 & 3 : 0;

	return (op->op_data3 & UNCACHEABLE) && (op->op_data2 & 7) == 7 && !high &&
	       (op->op_data3 & missed) != missed;
}

static void one_state(struct machine *machine, const struct kernel *kernel,
		      struct precis_ibs_op *op, struct precis_sample *registers)
{
	const uint64_t of_kernel[] = { op->op_ctl,   op->op_rip,    op->op_data, op->op_data2,
				       op->op_data3, op->dc_lin_ad, op->dc_phys_ad };
	struct made made;
	struct word *word;

	counts.states++;
	if (is_mistaken(op)) {
		counts.uncacheable_io++;
		return;
	}
	kernel->words(of_kernel, RECORDED, &made);
	precis_ibs_op_decode(&machine->registers, op, NULL, registers);
	word = word_of(machine, &made);
	compare(machine, op, registers, word);
	learn(registers, word);
}

static uint64_t data3_of(uint32_t state, uint32_t memory_type)
{
	uint64_t data3 = memory_type | (uint64_t)MISS_LATENCY << 32 | (uint64_t)77 << 48;

	for (uint32_t n = 0; n < sizeof(data3_bits) / sizeof(data3_bits[0]); n++) {
		if (state >> n & 1)
			data3 |= data3_bits[n];
	}
	return data3;
}

static uint64_t data2_of(uint32_t state)
{
	uint64_t high = state >> 3 & 3;

	return (state & 7) | high << 6 | (uint64_t)(state >> 5 & 3) << 4 |
	       (state >> 7 & 1 ? REMOTE_SOCKET : 0);
}

static void all_states(struct machine *machine, const struct kernel *kernel)
{
	struct precis_ibs_op op = {
		.size = sizeof(op),
		.caps = machine->row->caps,
		.captured = 0x7f,
		.op_ctl = 3u << 17,
		.op_rip = 0x401000,
		.op_data = (uint64_t)TAG_TO_RETIRE << 16 | 50,
		.dc_lin_ad = ADDRESS,
		.dc_phys_ad = PHYSICAL,
	};
	const uint32_t data2_states =
		op.caps & PRECIS_IBS_CAPS_STRM_ST_RMT_SOCKET ? DATA2_STATES : DATA2_STATES / 2;
	struct precis_sample registers;

	precis_sample_init(&registers);
	for (uint32_t state = 0; state < DATA3_STATES; state++) {
		for (uint32_t type = 0; type < 3; type++) {
			op.op_data3 = data3_of(state, memory_types[type]);
			for (uint32_t source = 0; source < data2_states; source++) {
				op.op_data2 = data2_of(source);
				/* another socket is another node */
				if ((op.op_data2 & REMOTE_SOCKET) && !(op.op_data2 & REMOTE_NODE))
					continue;
				one_state(machine, kernel, &op, &registers);
			}
		}
	}
}

/* What all states behind a word have in common, and precis does not tell though it knows the CPU */
static void find_unused(struct machine *machine)
{
	for (uint32_t slot = 0; slot < WORDS; slot++) {
		const struct word *word = &words[slot];
		uint64_t agreed = word->had & ~word->lacked & ~word->differed;

		if (!word->is_used)
			continue;
		agreed &= ~word->sample[CPU_KNOWN].present[0];
		if (agreed)
			find(&counts.unused, "unused", machine, NULL, word, CPU_KNOWN,
			     (uint32_t)__builtin_ctzll(agreed));
	}
}

static int start_machine(struct machine *machine, const struct cpu_row *row,
			 const struct kernel *kernel)
{
	struct precis_pebs_machine of_words = { .size = sizeof(of_words),
						.kernel = kernel->number };

	machine->row = row;
	machine->shown = 0;
	machine->cpu.size = of_words.cpu.size = sizeof(machine->cpu);
	if (precis_cpu_parse(row->cpuid, &machine->cpu))
		return -1;
	of_words.cpu = machine->cpu;
	precis_ibs_context_init(&machine->registers, &machine->cpu);
	precis_pebs_context_init(&machine->of_words[CPU_KNOWN], &of_words);
	of_words.kernel = 0;
	precis_pebs_context_init(&machine->of_words[KERNEL_UNKNOWN], &of_words);
	memset(&of_words.cpu, 0, sizeof(of_words.cpu));
	of_words.cpu.size = sizeof(of_words.cpu);
	precis_pebs_context_init(&machine->of_words[ALL_UNKNOWN], &of_words);
	return 0;
}

/* The library anew for each CPU: it remembers what it has found out of one. */
static int judge(const char *path, const char *release, const struct cpu_row *row)
{
	struct kernel kernel = { .number = precis_kernel_number(release) };
	static struct machine machine;
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		fprintf(stderr, "ibs_words: %s\n", dlerror());
		return -1;
	}
	*(void **)&kernel.cpu = dlsym(library, "kernel_cpu");
	*(void **)&kernel.words = dlsym(library, "kernel_words");
	if (!kernel.cpu || !kernel.words || start_machine(&machine, row, &kernel))
		return -1;
	memset(words, 0, WORDS * sizeof(*words));
	kernel.cpu(machine.cpu.family, machine.cpu.model, row->caps);
	all_states(&machine, &kernel);
	if (row->in_full)
		find_unused(&machine);
	return dlclose(library);
}

int main(int argc, char **argv)
{
	words = malloc(WORDS * sizeof(*words));
	if (argc != 3 || !words)
		return 2;
	for (size_t n = 0; n < sizeof(cpu_rows) / sizeof(cpu_rows[0]); n++) {
		if (judge(argv[1], argv[2], &cpu_rows[n]))
			return 1;
	}
	printf("count\tstates\t%llu\n", (unsigned long long)counts.states);
	printf("count\twords\t%llu\n", (unsigned long long)counts.words);
	printf("count\tuncacheable with DataSrc 7\t%llu\n",
	       (unsigned long long)counts.uncacheable_io);
	printf("count\tcontradictions\t%llu\n", (unsigned long long)counts.contradictions);
	printf("count\tfalse reasons\t%llu\n", (unsigned long long)counts.false_reasons);
	printf("count\tunused\t%llu\n", (unsigned long long)counts.unused);
	return 0;
}
