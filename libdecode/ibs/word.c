/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's data source word of an IBS sample, back to what the registers said.
 *
 * That mem_op is there means that the kernel filled in the whole word: what is "not available"
 * in it has a reason in the registers, most often that a bit was 0.
 */
#include <precis/data_source.h>

#include <precis/record.h>

#include "../sample/os_release.h"
#include "answers.h"
#include "errata.h"
#include "word.h"

/* Linux 6.1 is the first to fill in data sources of IBS; 6.15 (0b347a4218da) the first to see that
 * a TLB status is not valid. */
#define KERNEL_FILLS_IN KERNEL_NUMBER(6, 1, 0)
#define KERNEL_CHECKS_TLB KERNEL_NUMBER(6, 15, 0)

/* IbsOpData3[3:2] need DcPhyAddrValid there: caps[19], unless a virtual machine hides it */
#define CORES_TLB_STATUS (CORE(ZEN5) | CORE(ZEN6))
/* RmtSocket */
#define CORES_REMOTE_SOCKET CORE(ZEN6)

/* The cores that the errata concern which the kernel does not heed */
enum {
	CORES_ERRATUM_718 = 0
#define PRECIS_ERRATUM(number, effect, core, ...) | ((number) == 718 ? (int)CORE(core) : 0)
#include "errata.def"
	,
#undef PRECIS_ERRATUM
	CORES_ERRATUM_1293 = 0
#define PRECIS_ERRATUM(number, effect, core, ...) | ((number) == 1293 ? (int)CORE(core) : 0)
#include "errata.def"
#undef PRECIS_ERRATUM
};

enum found {
	FOUND_UNCACHEABLE,
	FOUND_L1,
	FOUND_L2,
	FOUND_SOURCE,
	FOUND_IO,
	FOUND_BUFFER,
	FOUND_NOTHING
};
enum node { NODE_NONE, NODE_LOCAL, NODE_REMOTE };
enum state { STATE_NONE, STATE_HITM, STATE_TOLD };

#define PRECIS_MEM_LEVEL_NONE 0
static const struct level_row {
	uint16_t lvl;
	uint8_t lvl_num, remote, hops;
	uint8_t found, level, node, state;
} level_rows[] = {
#define PRECIS_IBS_WORD(lvl, number, remote, hops, found, level, node, state, written_by)          \
	{ lvl,           PRECIS_DATA_LVL_NUM_##number,                                             \
	  remote,        PRECIS_DATA_HOPS_##hops,                                                  \
	  FOUND_##found, PRECIS_MEM_LEVEL_##level,                                                 \
	  NODE_##node,   STATE_##state },
#include "word_levels.def"
#undef PRECIS_IBS_WORD
};

#define VALUE(number) ((struct access_value){ (uint8_t)(number), WHY_PRESENT })
#define ABSENT(id) ((struct access_value){ 0, WHY_##id })

/* A word taken apart. */
struct word {
	struct precis_data_source is;
	const struct level_row *row; /* NULL: no kernel that is known writes this */
	uint32_t cores;
	uint32_t kernel;
	int is_load;
};

static const struct level_row *row_of(const struct precis_data_source *source, int is_load)
{
	for (size_t n = 0; n < sizeof(level_rows) / sizeof(level_rows[0]); n++) {
		const struct level_row *row = &level_rows[n];

		if (row->lvl == source->lvl && row->lvl_num == source->lvl_num &&
		    row->remote == source->remote && row->hops == source->hops)
			/* the kernel looks at a load's data source alone */
			return is_load || (row->found != FOUND_SOURCE && row->found != FOUND_IO) ?
				       row :
				       NULL;
	}
	return NULL;
}

static void take_apart(const struct words_origin *origin, uint64_t bits, struct word *word)
{
	word->is.size = sizeof(word->is);
	precis_data_source_decode(bits, &word->is);
	word->is_load = (word->is.op & PRECIS_DATA_OP_LOAD) != 0;
	word->row = row_of(&word->is, word->is_load);
	word->cores = origin->cores ? origin->cores : CORES_ALL;
	word->kernel = origin->kernel;
}

static int is_access(const struct word *word)
{
	return word->is.op == PRECIS_DATA_OP_LOAD || word->is.op == PRECIS_DATA_OP_STORE;
}

/* PRESENT if the CPU is one of these cores for sure, 'why' if it is none of them for sure */
static uint32_t why_not_of(const struct word *word, uint32_t cores, uint32_t why)
{
	if (!(word->cores & ~cores))
		return WHY_PRESENT;
	return word->cores & cores ? WHY_UNKNOWN_CORE : why;
}

static uint32_t why_not_by(const struct word *word, unsigned int static_gate,
				  uint32_t why)
{
	return why_not_of(word, precis_static_gates[static_gate].cores, why);
}

static struct access_value value_unless(uint32_t why, uint32_t value)
{
	return why == WHY_PRESENT ? VALUE(value) : (struct access_value){ 0, (uint8_t)why };
}

/*
 * Whether what comes behind the question for the L2 is to be believed: the kernel asks for
 * IbsL2Miss also where the bit means nothing.
 */
static uint32_t why_not_behind_l1(const struct word *word)
{
	return why_not_by(word, STATIC_OP_DATA3_EXT, WHY_CALLED_L2);
}

static struct access_value level_of(const struct word *word)
{
	if (!word->row)
		return ABSENT(UNKNOWN_WORD);
	switch (word->row->found) {
	case FOUND_L1:
		return VALUE(word->row->level);
	case FOUND_UNCACHEABLE:
		/* of a load that the erratum concerns it is not known whether it was IO */
		return value_unless(word->is_load ? why_not_of(word, ~(uint32_t)CORES_ERRATUM_1293,
							       WHY_ERRATUM_1293) :
						    WHY_PRESENT,
				    word->row->level);
	case FOUND_NOTHING:
		/* the kernel has no name for a peer agent */
		return word->is_load ? ABSENT(KERNEL_NA) : ABSENT(NO_SOURCE);
	default:
		return value_unless(why_not_behind_l1(word), word->row->level);
	}
}

/* Why there is no other cache or node that could have a state */
static uint32_t why_not_elsewhere(const struct word *word)
{
	if (!word->row)
		return WHY_UNKNOWN_WORD;
	switch (word->row->found) {
	case FOUND_L1:
		return WHY_OWN_CACHE;
	case FOUND_L2:
		return why_not_behind_l1(word) ? why_not_behind_l1(word) : WHY_OWN_CACHE;
	case FOUND_UNCACHEABLE:
	case FOUND_IO:
		return WHY_NO_CACHE;
	case FOUND_BUFFER:
	case FOUND_NOTHING:
		return WHY_NOT_TOLD;
	default:
		return why_not_behind_l1(word);
	}
}

static struct access_value remote_of(const struct word *word)
{
	uint32_t why = why_not_elsewhere(word);

	if (why == WHY_PRESENT)
		why = why_not_by(word, STATIC_OP_DATA2_NODE, WHY_NO_BIT);
	if (why != WHY_PRESENT)
		return value_unless(why, 0);
	if (word->row->node == NODE_LOCAL)
		return VALUE(PRECIS_MEM_REMOTE_LOCAL);
	return value_unless(why_not_of(word, ~CORES_REMOTE_SOCKET, WHY_SOCKET_UNTOLD),
			    PRECIS_MEM_REMOTE_NODE);
}

static struct access_value snoop_of(const struct word *word)
{
	uint32_t why = why_not_elsewhere(word);
	int is_modified = (word->is.snoop & PRECIS_DATA_SNOOP_HITM) != 0;

	if (why == WHY_PRESENT)
		why = why_not_by(word, STATIC_CACHE_HIT_STATE, WHY_NO_BIT);
	if (why != WHY_PRESENT)
		return value_unless(why, 0);
	if (word->row->state == STATE_NONE)
		return ABSENT(NO_OTHER_CACHE);
	if (is_modified)
		return VALUE(PRECIS_MEM_SNOOP_MODIFIED);
	return word->row->state == STATE_TOLD ? VALUE(PRECIS_MEM_SNOOP_OWNED) : ABSENT(NOT_TOLD);
}

/* Why no miss bit of a cache means anything, or is told to */
static uint32_t why_no_misses(const struct word *word)
{
	if (!word->row)
		return WHY_UNKNOWN_WORD;
	if (word->row->found == FOUND_UNCACHEABLE)
		return WHY_NO_CACHE;
	/* an uncacheable access, where they mean nothing, or not */
	return word->row->found == FOUND_IO ? WHY_NOT_TOLD : WHY_PRESENT;
}

static struct access_value dcache_miss_of(const struct word *word)
{
	uint32_t why = why_no_misses(word);

	return value_unless(why, why == WHY_PRESENT && word->row->found != FOUND_L1);
}

static struct access_value l2_miss_of(const struct word *word)
{
	uint32_t why = why_no_misses(word);

	if (why != WHY_PRESENT)
		return value_unless(why, 0);
	if (word->row->found == FOUND_L1)
		return ABSENT(OWN_CACHE);
	why = why_not_by(word, STATIC_OP_DATA3_EXT, WHY_NO_BIT);
	/* there the kernel goes on without the bit */
	if (why == WHY_PRESENT &&
	    (word->row->found == FOUND_BUFFER || word->row->found == FOUND_NOTHING))
		why = why_not_of(word, ~(uint32_t)CORES_ERRATUM_1293, WHY_ERRATUM_1293);
	return value_unless(why, word->row->found != FOUND_L2);
}

/* Is the word's TLB status one that the hardware says is valid? */
static uint32_t why_not_tlb(const struct word *word)
{
	if (word->kernel >= KERNEL_CHECKS_TLB)
		return WHY_PRESENT;
	return why_not_of(word, ~CORES_TLB_STATUS, WHY_TLB_UNCHECKED);
}

static struct access_value tlb_of(const struct word *word)
{
	uint32_t why = why_not_tlb(word), why_l2 = why;

	if (why == WHY_PRESENT)
		why_l2 = why_not_of(word, ~(uint32_t)CORES_ERRATUM_718, WHY_ERRATUM_718);
	switch (word->is.dtlb) {
	case PRECIS_DATA_DTLB_NA:
		return ABSENT(NO_TRANSLATION);
	case PRECIS_DATA_DTLB_L1 | PRECIS_DATA_DTLB_HIT:
		return value_unless(why, PRECIS_TLB_LEVEL_L1);
	case PRECIS_DATA_DTLB_L2 | PRECIS_DATA_DTLB_HIT:
		return value_unless(why_l2, PRECIS_TLB_LEVEL_L2);
	case PRECIS_DATA_DTLB_L2 | PRECIS_DATA_DTLB_MISS:
		return value_unless(why_l2, PRECIS_TLB_LEVEL_WALK);
	default:
		return ABSENT(UNKNOWN_WORD);
	}
}

/*
 * What the registers must have been for the kernel to write that word. A part is present only if
 * all register states of all these cores that lead to the word agree on it.
 */
static void word_access(const struct words_origin *origin, uint64_t bits,
			struct precis_access *access)
{
	struct word word;

	take_apart(origin, bits, &word);
	access->present = 0;
	if (!is_access(&word)) {
		access_set_all(access, word.kernel >= KERNEL_FILLS_IN ? WHY_NO_ACCESS :
									WHY_NO_ACCESS_OR_OLD);
		return;
	}
	access_set_all(access, WHY_NO_BIT);
	access_set_value(access, PRECIS_ACCESS_MEM_LEVEL, level_of(&word));
	access_set_value(access, PRECIS_ACCESS_MEM_REMOTE, remote_of(&word));
	access_set_value(access, PRECIS_ACCESS_MEM_SNOOP, snoop_of(&word));
	access_set_value(access, PRECIS_ACCESS_DCACHE_MISS, dcache_miss_of(&word));
	access_set_value(access, PRECIS_ACCESS_L2_MISS, l2_miss_of(&word));
	access_set_value(access, PRECIS_ACCESS_TLB_LEVEL, tlb_of(&word));
	access_set(access, PRECIS_ACCESS_LOCKED, (word.is.lock & PRECIS_DATA_LOCK_LOCKED) != 0);
}

uint64_t precis_ibs_word_denies(uint32_t cores, uint64_t bits)
{
	const struct words_origin origin = { cores, 0 };
	uint64_t denied = 0;
	struct word word;

	take_apart(&origin, bits, &word);
	if (!is_access(&word))
		return 0;
	if (!word.is_load)
		denied |= DYNAMIC_GATE(LOAD);
	if (word.row && word.row->found == FOUND_L1)
		denied |= DYNAMIC_GATE(DC_MISS);
	if (word.row && word.row->found == FOUND_UNCACHEABLE)
		denied |= DYNAMIC_GATE(CACHED);
	if (word.cores & CORES_TLB_STATUS)
		return denied;
	if (word.is.dtlb == PRECIS_DATA_DTLB_NA)
		denied |= DYNAMIC_GATE(LIN_VALID);
	if (word.is.dtlb == (PRECIS_DATA_DTLB_L1 | PRECIS_DATA_DTLB_HIT))
		denied |= DYNAMIC_GATE(L1_TLB_MISS);
	if (word.is.dtlb == (PRECIS_DATA_DTLB_L2 | PRECIS_DATA_DTLB_MISS))
		denied |= DYNAMIC_GATE(PAGE_SIZE_KNOWN);
	return denied;
}

struct why precis_ibs_word_why(uint32_t why)
{
	static const struct why rows[] = {
#define ERRATUM_NAME(number) "AMD-" #number
#define PRECIS_ACCESS_WHY(id, reason, detail)                                                      \
	[WHY_##id - WHY_COUNT] = { (enum precis_reason)PRECIS_##reason, detail },
#include "word_whys.def"
#undef PRECIS_ACCESS_WHY
	};

	return why >= WHY_COUNT && why < WHY_END ? rows[why - WHY_COUNT] :
						   because(PRECIS_PRESENT, "");
}

static int has_address(uint64_t word)
{
	/* the TLB was asked for it */
	return (precis_data_source_member(word, PRECIS_DATA_SOURCE_DTLB) &
		(PRECIS_DATA_DTLB_HIT | PRECIS_DATA_DTLB_MISS)) != 0;
}

/*
 * Linux fills in two latencies of 16 bits, of loads that miss the L1. What it calls a load is what
 * reads memory: load-op-stores and software prefetches too.
 */
static void add_weights(const struct precis_perf_words *words, int missed, const uint64_t *wanted,
			struct precis_sample *sample)
{
	const struct {
		uint32_t field, captured;
		uint64_t value;
	} weights[] = {
		{ PRECIS_FIELD_DCACHE_MISS_LATENCY,
		  (uint32_t)(PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT),
		  missed ? words->weight : 0 },
		{ PRECIS_FIELD_TAG_TO_RETIRE, (uint32_t)PRECIS_SAMPLE_WEIGHT_STRUCT,
		  words->weight_var2 },
	};

	for (size_t n = 0; n < sizeof(weights) / sizeof(weights[0]); n++) {
		if (!(words->captured & weights[n].captured) || !weights[n].value ||
		    weights[n].value > UINT16_MAX ||
		    !precis_fields_have(wanted, weights[n].field))
			continue;
		precis_fields_add(sample->present, weights[n].field);
		sample->value[weights[n].field] = weights[n].value;
	}
}

const struct vendor_words precis_ibs_words = {
	.event_kind = PRECIS_EVENT_IBS_OP,
	.all_cores = CORES_ALL,
	.access = word_access,
	.has_address = has_address,
	.add_weights = add_weights,
};

/* Another core complex of the node */
uint32_t precis_ibs_level_one_hop_away(const struct precis_data_source *source)
{
	const uint32_t l1_hit = PRECIS_DATA_DTLB_L1 | PRECIS_DATA_DTLB_HIT;
	const uint32_t l2_hit = PRECIS_DATA_DTLB_L2 | PRECIS_DATA_DTLB_HIT;
	const uint32_t l2_miss = PRECIS_DATA_DTLB_L2 | PRECIS_DATA_DTLB_MISS;
	int dtlb_na = source->dtlb == PRECIS_DATA_DTLB_NA;
	int lock_na = source->lock == PRECIS_DATA_LOCK_NA;

	if (source->snoop == PRECIS_DATA_SNOOP_NA || source->dtlb == l1_hit ||
	    source->dtlb == l2_hit || (lock_na && !dtlb_na))
		return PRECIS_MEM_LEVEL_NEAR_CACHE;
	if (source->snoop != PRECIS_DATA_SNOOP_HITM)
		return 0;
	if (lock_na)
		return PRECIS_MEM_LEVEL_NEAR_CACHE;
	return source->lock == PRECIS_DATA_LOCK_LOCKED && (dtlb_na || source->dtlb == l2_miss) ?
		       PRECIS_MEM_LEVEL_NEAR_CACHE :
		       0;
}
