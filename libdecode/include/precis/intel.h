/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel's cores as far as precise sampling tells them apart, from NetBurst to Nova Lake: which
 * record each writes, which words of it mean anything, how its data sources are encoded.
 *
 * Sources: Linux 6.1, 6.12 and 7.3 arch/x86/include/asm/intel-family.h and, in
 * arch/x86/events/intel, core.c and ds.c; Intel SDM vol. 3, "Processor Event-Based Sampling". Where
 * they leave a doubt, the core's 'uncertain' says which.
 */
#ifndef PRECIS_INTEL_H
#define PRECIS_INTEL_H

#include <precis/cpu.h>
#include <precis/export.h>

PRECIS_BEGIN_DECLS

/** Which core of a hybrid CPU. Linux has a PMU for each: cpu_core, cpu_atom, cpu_lowpower. */
enum precis_core_type {
	PRECIS_CORE_TYPE_UNKNOWN = 0, /* not said; enough where all cores of the CPU are alike */
	PRECIS_CORE_TYPE_P = 1,       /* performance */
	PRECIS_CORE_TYPE_E = 2,       /* efficient */
	PRECIS_CORE_TYPE_LP_E = 3     /* low-power efficient: outside the ring */
};

/** Cores. The numbers are ABI; new ones come at the end. */
enum precis_intel_core {
	PRECIS_INTEL_UNKNOWN = 0,
	PRECIS_INTEL_NETBURST = 1,
	PRECIS_INTEL_PRESCOTT = 2,          /* NetBurst with 64 bits */
	PRECIS_INTEL_CORE_2 = 3,
	PRECIS_INTEL_BONNELL = 4,           /* and Saltwell */
	PRECIS_INTEL_NEHALEM = 5,
	PRECIS_INTEL_WESTMERE = 6,
	PRECIS_INTEL_SANDY_BRIDGE = 7,
	PRECIS_INTEL_IVY_BRIDGE = 8,
	PRECIS_INTEL_HASWELL = 9,
	PRECIS_INTEL_BROADWELL = 10,
	PRECIS_INTEL_SILVERMONT = 11,
	PRECIS_INTEL_AIRMONT = 12,
	PRECIS_INTEL_KNIGHTS_LANDING = 13,  /* and Knights Mill */
	PRECIS_INTEL_GOLDMONT = 14,
	PRECIS_INTEL_GOLDMONT_PLUS = 15,
	PRECIS_INTEL_TREMONT = 16,
	PRECIS_INTEL_SKYLAKE = 17,          /* client: to Comet Lake */
	PRECIS_INTEL_SKYLAKE_SERVER = 18,   /* and Cascade Lake, Cooper Lake */
	PRECIS_INTEL_PALM_COVE = 19,        /* Cannon Lake */
	PRECIS_INTEL_SUNNY_COVE = 20,       /* Ice Lake, client */
	PRECIS_INTEL_SUNNY_COVE_SERVER = 21,
	PRECIS_INTEL_CYPRESS_COVE = 22,     /* Rocket Lake */
	PRECIS_INTEL_WILLOW_COVE = 23,      /* Tiger Lake */
	PRECIS_INTEL_GOLDEN_COVE = 24,      /* Alder Lake, P */
	PRECIS_INTEL_GOLDEN_COVE_SERVER = 25, /* Sapphire Rapids */
	PRECIS_INTEL_GRACEMONT = 26,        /* Alder Lake and Raptor Lake, E; Alder Lake-N */
	PRECIS_INTEL_RAPTOR_COVE = 27,      /* Raptor Lake, P */
	PRECIS_INTEL_RAPTOR_COVE_SERVER = 28, /* Emerald Rapids */
	PRECIS_INTEL_REDWOOD_COVE = 29,     /* Meteor Lake, Arrow Lake-U, P */
	PRECIS_INTEL_REDWOOD_COVE_SERVER = 30, /* Granite Rapids */
	PRECIS_INTEL_CRESTMONT = 31,        /* Meteor Lake, E; Sierra Forest, Grand Ridge */
	PRECIS_INTEL_LION_COVE = 32,        /* Lunar Lake, Arrow Lake, P */
	PRECIS_INTEL_SKYMONT = 33,          /* Lunar Lake, Arrow Lake, E */
	PRECIS_INTEL_COUGAR_COVE = 34,      /* Panther Lake, P */
	PRECIS_INTEL_DARKMONT = 35,         /* Panther Lake, E; Clearwater Forest */
	PRECIS_INTEL_PANTHER_COVE = 36,     /* Diamond Rapids */
	PRECIS_INTEL_COYOTE_COVE = 37,      /* Nova Lake, P */
	PRECIS_INTEL_ARCTIC_WOLF = 38,      /* Nova Lake, E */
	PRECIS_INTEL_CORE_COUNT = 39
};

/** Where the parts of a data source word (DSE, "auxiliary information") lie. */
enum precis_dse_layout {
	PRECIS_DSE_LAYOUT_NONE = 0, /* the core writes no data source */
	PRECIS_DSE_LAYOUT_NHM = 1,  /* Nehalem: the source alone */
	PRECIS_DSE_LAYOUT_SNB = 2,  /* STLB miss and lock as well */
	PRECIS_DSE_LAYOUT_GLC = 3,  /* Golden Cove: and blocks */
	PRECIS_DSE_LAYOUT_GRT = 4,  /* Gracemont */
	PRECIS_DSE_LAYOUT_CMT = 5,  /* Crestmont to Darkmont */
	PRECIS_DSE_LAYOUT_LNC = 6,  /* Lion Cove */
	PRECIS_DSE_LAYOUT_PNC = 7,  /* Panther Cove */
	PRECIS_DSE_LAYOUT_ARW = 8,  /* Arctic Wolf */
	PRECIS_DSE_LAYOUT_COUNT = 9
};

/** What the numbers of a data source mean. */
enum precis_dse_table {
	PRECIS_DSE_TABLE_NONE = 0,
	PRECIS_DSE_TABLE_SNB = 1,      /* Sandy Bridge to Broadwell */
	PRECIS_DSE_TABLE_NHM = 2,
	PRECIS_DSE_TABLE_SKL_L4 = 3,   /* client: far memory is a fourth cache level */
	PRECIS_DSE_TABLE_SKL_PMEM = 4, /* server: far memory is persistent memory */
	PRECIS_DSE_TABLE_GRT = 5,
	PRECIS_DSE_TABLE_CMT = 6,
	PRECIS_DSE_TABLE_LNC = 7,
	PRECIS_DSE_TABLE_PNC = 8,
	PRECIS_DSE_TABLE_ARW = 9,
	PRECIS_DSE_TABLE_COUNT = 10
};

/** What the latency word of a record holds. */
enum precis_pebs_latency {
	PRECIS_PEBS_LATENCY_NONE = 0,  /* no such word, or reserved */
	PRECIS_PEBS_LATENCY_WHOLE = 1, /* the load's latency */
	PRECIS_PEBS_LATENCY_SPLIT = 2  /* 15:0 the instruction's, 47:32 the cache's */
};

/** Whether a record's retire latency is valid. */
enum precis_pebs_retire_latency {
	PRECIS_PEBS_RETIRE_LATENCY_NONE = 0,       /* the format has no place for it */
	PRECIS_PEBS_RETIRE_LATENCY_CAPABILITY = 1, /* if IA32_PERF_CAPABILITIES[17] is set */
	PRECIS_PEBS_RETIRE_LATENCY_RECORD = 2      /* the record says so itself */
};

/** What the INFO word of a branch in a record holds besides mispredicted and transaction bits. */
enum precis_lbr_info {
	PRECIS_LBR_INFO_NONE = 0,  /* its records have no branches, or it is not known */
	PRECIS_LBR_INFO_MODEL = 1, /* cycles */
	PRECIS_LBR_INFO_ARCH = 2   /* architectural LBR: cycles if a bit says so, type, counters */
};

/** What is known of a core. All strings are static. */
struct precis_intel_core_info {
	uint32_t size;         /* sizeof(struct precis_intel_core_info), set by the caller */
	uint32_t core;         /* enum precis_intel_core */
	int32_t pebs_format;   /* enum precis_pebs_format; negative: not known */
	uint32_t load_layout;  /* enum precis_dse_layout, of load latency events */
	uint32_t load_table;   /* enum precis_dse_table */
	uint32_t store_layout; /* of store latency events */
	uint32_t store_table;
	uint32_t latency;        /* enum precis_pebs_latency */
	uint32_t retire_latency; /* enum precis_pebs_retire_latency */
	/* words of its format that mean nothing on this core: bits of enum precis_pebs_word */
	uint32_t reserved_words;
	/* events, umask << 8 | event select; 0: it has none */
	uint32_t load_latency_event;
	uint32_t store_latency_event;
	uint32_t precise_store_event;
	uint32_t has_data_la; /* 1: other events of memory record the address as well (DataLA) */
	uint32_t branch_info; /* enum precis_lbr_info */
	uint32_t load_auxiliary_event; /* see precis_intel_load_auxiliary(); 0: none is needed */
	const char *name;
	const char *models;    /* families and models, hexadecimal: "06h 97h 9Ah; 12h 01h" */
	const char *uncertain; /* what of this row no source settles; "" for nothing */
};

/**
 * The core that a CPU has.
 *
 * @param cpu   NULL or another vendor's: unknown
 * @param type  which of a hybrid CPU's cores; on other CPUs UNKNOWN, or the type that its cores are
 * @return PRECIS_INTEL_UNKNOWN also for a hybrid CPU without a type, and for a type that the CPU
 *         does not have
 */
PRECIS_API enum precis_intel_core precis_intel_core_of(const struct precis_cpu *cpu,
						       enum precis_core_type type);

/**
 * What no source settles about this model being that core: "" for nothing.
 * @return a static string; NULL for a CPU that precis_intel_core_of() does not know
 */
PRECIS_API const char *precis_intel_core_doubt(const struct precis_cpu *cpu,
					       enum precis_core_type type);

/** All that is known of a core. @return 0, or PRECIS_E_ARGUMENT for a number that is none */
PRECIS_API int precis_intel_core_info(uint32_t core, struct precis_intel_core_info *info);

/**
 * The event that a load latency event cannot do without.
 *
 * On Golden Cove and Raptor Cove load latency is right only while an auxiliary event, Linux's
 * mem-loads-aux, is scheduled with it. What that counts does not matter. It must stand before the
 * load latency event in one group, as its leader or as a member; otherwise Linux 5.12 and later
 * refuses to open the load latency event if that samples data sources (ENODATA).
 *
 * @param core    enum precis_intel_core; of a hybrid CPU that of the PMU which is asked
 * @param config  attr.config of the event that is to be opened: event select in bits 7:0, unit
 *                mask in 15:8
 * @return the auxiliary event in the same form (8203h); 0 if that event of that core needs none, or
 *         the core is not known
 */
PRECIS_API uint32_t precis_intel_load_auxiliary(uint32_t core, uint64_t config);

/** Is this such an auxiliary event, on a core that needs one? It measures no access. 1 or 0 */
PRECIS_API int precis_intel_is_auxiliary(uint32_t core, uint64_t config);

/** "Golden Cove", …; NULL for a number that is no core. */
PRECIS_API const char *precis_intel_core_name(uint32_t core);

/** Its families and models: "06h 97h 9Ah; 12h 01h"; NULL for a number that is no core. */
PRECIS_API const char *precis_intel_core_models(uint32_t core);

/** "P", "E", "LP-E"; NULL for UNKNOWN and for a number that is no type. */
PRECIS_API const char *precis_core_type_name(uint32_t type);

/** Linux's PMU of such cores: "cpu_core"; of UNKNOWN "cpu"; NULL for a number that is no type. */
PRECIS_API const char *precis_core_type_pmu(uint32_t type);

/**
 * Is an event one of the cores, and of which?
 *
 * @param pmu        its PMU's name, need not end in NUL; NULL if it is not known
 * @param length     its bytes
 * @param type       attr.type, which decides where the PMU is not known: PERF_TYPE_HARDWARE,
 *                   HW_CACHE and RAW are the cores'
 * @param core_type  enum precis_core_type
 * @return 1, or 0 for an event of something else
 */
PRECIS_API int precis_core_type_of_event(const char *pmu, size_t length, uint32_t type,
					 uint32_t *core_type);

PRECIS_END_DECLS

#endif
