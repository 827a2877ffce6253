/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's word for where the data of an access came from: PERF_SAMPLE_DATA_SRC,
 * union perf_mem_data_src. All its fields, and perf's text for them.
 *
 * Nothing here allocates, prints or keeps state: all of it may be called from a
 * signal handler.
 *
 * Source: Linux 7.3 include/uapi/linux/perf_event.h; tools/perf/util/mem-events.c of
 * Linux 6.1 and 6.12.
 */
#ifndef PRECIS_DATA_SOURCE_H
#define PRECIS_DATA_SOURCE_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

/** The word's fields, from its lowest bit on. */
enum precis_data_source_member {
	PRECIS_DATA_SOURCE_OP = 0,       /* bits 4:0 */
	PRECIS_DATA_SOURCE_LVL = 1,      /* 18:5 */
	PRECIS_DATA_SOURCE_SNOOP = 2,    /* 23:19 */
	PRECIS_DATA_SOURCE_LOCK = 3,     /* 25:24 */
	PRECIS_DATA_SOURCE_DTLB = 4,     /* 32:26 */
	PRECIS_DATA_SOURCE_LVL_NUM = 5,  /* 36:33 */
	PRECIS_DATA_SOURCE_REMOTE = 6,   /* 37 */
	PRECIS_DATA_SOURCE_SNOOPX = 7,   /* 39:38 */
	PRECIS_DATA_SOURCE_BLK = 8,      /* 42:40 */
	PRECIS_DATA_SOURCE_HOPS = 9,     /* 45:43 */
	PRECIS_DATA_SOURCE_REGION = 10,  /* 50:46 */
	PRECIS_DATA_SOURCE_RESERVED = 11, /* 63:51 */
	PRECIS_DATA_SOURCE_MEMBERS = 12
};

/** mem_op: bits, of which the kernel sets one. */
enum precis_data_op {
	PRECIS_DATA_OP_NA = 1,
	PRECIS_DATA_OP_LOAD = 2,
	PRECIS_DATA_OP_STORE = 4,
	PRECIS_DATA_OP_PREFETCH = 8,
	PRECIS_DATA_OP_EXEC = 16
};

/** mem_lvl: bits; the older way to say where, with HIT or MISS. */
enum precis_data_lvl {
	PRECIS_DATA_LVL_NA = 0x1,
	PRECIS_DATA_LVL_HIT = 0x2,
	PRECIS_DATA_LVL_MISS = 0x4,
	PRECIS_DATA_LVL_L1 = 0x8,
	PRECIS_DATA_LVL_LFB = 0x10,
	PRECIS_DATA_LVL_L2 = 0x20,
	PRECIS_DATA_LVL_L3 = 0x40,
	PRECIS_DATA_LVL_LOCAL_RAM = 0x80,
	PRECIS_DATA_LVL_REMOTE_RAM_1 = 0x100,   /* one hop */
	PRECIS_DATA_LVL_REMOTE_RAM_2 = 0x200,   /* two hops */
	PRECIS_DATA_LVL_REMOTE_CACHE_1 = 0x400,
	PRECIS_DATA_LVL_REMOTE_CACHE_2 = 0x800,
	PRECIS_DATA_LVL_IO = 0x1000,
	PRECIS_DATA_LVL_UNCACHED = 0x2000
};

/** mem_snoop: bits. */
enum precis_data_snoop {
	PRECIS_DATA_SNOOP_NA = 1,
	PRECIS_DATA_SNOOP_NONE = 2, /* none was needed */
	PRECIS_DATA_SNOOP_HIT = 4,
	PRECIS_DATA_SNOOP_MISS = 8,
	PRECIS_DATA_SNOOP_HITM = 16 /* hit in a modified line */
};

/** mem_lock: bits. */
enum precis_data_lock {
	PRECIS_DATA_LOCK_NA = 1,
	PRECIS_DATA_LOCK_LOCKED = 2
};

/** mem_dtlb: bits. */
enum precis_data_dtlb {
	PRECIS_DATA_DTLB_NA = 1,
	PRECIS_DATA_DTLB_HIT = 2,
	PRECIS_DATA_DTLB_MISS = 4,
	PRECIS_DATA_DTLB_L1 = 8,
	PRECIS_DATA_DTLB_L2 = 16,
	PRECIS_DATA_DTLB_WALKER = 32,
	PRECIS_DATA_DTLB_OS = 64 /* page fault */
};

/** mem_lvl_num: one of these; the newer way to say where. */
enum precis_data_lvl_num {
	PRECIS_DATA_LVL_NUM_NONE = 0, /* the writer did not fill it in */
	PRECIS_DATA_LVL_NUM_L1 = 1,
	PRECIS_DATA_LVL_NUM_L2 = 2,
	PRECIS_DATA_LVL_NUM_L3 = 3,
	PRECIS_DATA_LVL_NUM_L4 = 4,
	PRECIS_DATA_LVL_NUM_L2_MHB = 5, /* L2 miss handling buffer; Linux 6.12 */
	PRECIS_DATA_LVL_NUM_MSC = 6,    /* memory-side cache; 6.12 */
	PRECIS_DATA_LVL_NUM_L0 = 7,     /* 7.0 */
	PRECIS_DATA_LVL_NUM_UNCACHED = 8, /* 6.12 */
	PRECIS_DATA_LVL_NUM_CXL = 9,    /* 6.1 */
	PRECIS_DATA_LVL_NUM_IO = 10,    /* 6.1 */
	PRECIS_DATA_LVL_NUM_ANY_CACHE = 11,
	PRECIS_DATA_LVL_NUM_LFB = 12,
	PRECIS_DATA_LVL_NUM_RAM = 13,
	PRECIS_DATA_LVL_NUM_PMEM = 14,
	PRECIS_DATA_LVL_NUM_NA = 15
};

/** mem_snoopx: bits. */
enum precis_data_snoopx {
	PRECIS_DATA_SNOOPX_FORWARD = 1,
	PRECIS_DATA_SNOOPX_PEER = 2
};

/** mem_blk: bits; why a load had to wait. */
enum precis_data_blk {
	PRECIS_DATA_BLK_NA = 1,
	PRECIS_DATA_BLK_DATA = 2,   /* an earlier store's data could not be forwarded */
	PRECIS_DATA_BLK_ADDRESS = 4 /* its address was in conflict with an earlier store's */
};

/** mem_hops: one of these, with mem_remote. 5 to 7 have no meaning yet. */
enum precis_data_hops {
	PRECIS_DATA_HOPS_NONE = 0,
	PRECIS_DATA_HOPS_CORE = 1,   /* another core of the node */
	PRECIS_DATA_HOPS_NODE = 2,   /* another node of the socket */
	PRECIS_DATA_HOPS_SOCKET = 3, /* another socket of the board */
	PRECIS_DATA_HOPS_BOARD = 4
};

/** mem_region: one of these; Linux 7.0, Intel's off-module responses. 16 to 31: no meaning yet. */
enum precis_data_region {
	PRECIS_DATA_REGION_NA = 0,
	PRECIS_DATA_REGION_RESERVED = 1,
	PRECIS_DATA_REGION_LOCAL_SHARED = 2,     /* local caching agent, shared cache */
	PRECIS_DATA_REGION_LOCAL_NON_SHARED = 3,
	PRECIS_DATA_REGION_OTHER_IO = 4,         /* another caching agent, of I/O */
	PRECIS_DATA_REGION_OTHER_SHARED = 5,
	PRECIS_DATA_REGION_OTHER_NON_SHARED = 6,
	PRECIS_DATA_REGION_MMIO = 7,
	PRECIS_DATA_REGION_MEMORY_0 = 8          /* to memory region 7 = 15 */
};

/** What the kernel writes for an event without a data source: all fields NA, mem_lvl_num too … */
#define PRECIS_DATA_SOURCE_NA UINT64_C(0x1e05080021)
/** … which older kernels leave 0. */
#define PRECIS_DATA_SOURCE_NA_OLD UINT64_C(0x5080021)

/** The word taken apart. Each member is the field's bits, moved to bit 0. */
struct precis_data_source {
	uint32_t size;     /* sizeof(struct precis_data_source), set by the caller */
	uint32_t op;       /* bits of enum precis_data_op, and so on */
	uint32_t lvl;
	uint32_t snoop;
	uint32_t lock;
	uint32_t dtlb;
	uint32_t lvl_num;  /* enum precis_data_lvl_num */
	uint32_t remote;   /* 0 or 1 */
	uint32_t snoopx;
	uint32_t blk;
	uint32_t hops;     /* enum precis_data_hops */
	uint32_t region;   /* enum precis_data_region */
	uint32_t reserved; /* bits that no kernel up to 7.3 sets */
};

/** Take a word apart. All words can be. @return 0 or PRECIS_E_ARGUMENT */
PRECIS_API int precis_data_source_decode(uint64_t word, struct precis_data_source *source);

/**
 * Put a word together: the opposite of precis_data_source_decode().
 * @return 0, or PRECIS_E_ARGUMENT, also if a member has more bits than its field
 */
PRECIS_API int precis_data_source_encode(const struct precis_data_source *source, uint64_t *word);

/** One field of a word, moved to bit 0; 0 for a number that is no field. */
PRECIS_API uint32_t precis_data_source_member(uint64_t word, uint32_t member);

/** The kernel's name of a field: "mem_op", "mem_lvl_num", …; NULL for a number that is none. */
PRECIS_API const char *precis_data_source_member_name(uint32_t member);

/**
 * The kernel's name of one value of a field, as in PERF_MEM_LVLNUM_L2_MHB: "L2_MHB".
 *
 * @param member   enum precis_data_source_member
 * @param value  one bit of a field of bits, the value of another field
 * @return NULL for values without a name
 */
PRECIS_API const char *precis_data_source_value_name(uint32_t member, uint32_t value);

/** How perf words the text of a data source: it changed between 6.3 and 6.11. */
enum precis_data_source_wording {
	PRECIS_WORDING_PERF_6_1 = 0,  /* "LVL L3 or L3 hit": mem_lvl and mem_lvl_num, both */
	PRECIS_WORDING_PERF_6_12 = 1  /* "LVL L3 hit": mem_lvl_num where it says anything */
};

/** perf script shows no more than this many characters of it. */
#define PRECIS_DATA_SOURCE_TEXT_SHOWN 82

/** Room for any text that precis_data_source_text() makes, its NUL included. */
#define PRECIS_DATA_SOURCE_TEXT 400

/**
 * A word as perf script -F data_src prints it, behind the number:
 * "|OP LOAD|LVL L3 hit|SNP HitM|TLB L1 or L2 hit|LCK No|BLK  N/A".
 *
 * perf cuts long texts; with room for PRECIS_DATA_SOURCE_TEXT_SHOWN + 1 bytes this is
 * cut as perf's is. perf has no words for mem_region, and reads beyond a table for
 * mem_hops above 4, which is "unknown hops" here.
 *
 * @param wording  enum precis_data_source_wording; others count as the newest
 * @param text     may be NULL if room is 0
 * @return bytes that the whole text has; never writes more than 'room', always ends in
 *         NUL if room > 0
 */
PRECIS_API size_t precis_data_source_text(uint64_t word, uint32_t wording, char *text, size_t room);

PRECIS_END_DECLS

#endif
