#ifndef PRECIS_PEBS_PT_H
#define PRECIS_PEBS_PT_H

#include <precis/export.h>
#include <precis/pebs_record.h>

PRECIS_BEGIN_DECLS

enum precis_pt_packet_type {
	PRECIS_PT_PAD = 0,
	PRECIS_PT_PSB = 1,
	PRECIS_PT_PSBEND = 2,
	PRECIS_PT_TNT_SHORT = 3,
	PRECIS_PT_TNT_LONG = 4,
	PRECIS_PT_TIP = 5,
	PRECIS_PT_TIP_PGE = 6,
	PRECIS_PT_TIP_PGD = 7,
	PRECIS_PT_FUP = 8,
	PRECIS_PT_PIP = 9,
	PRECIS_PT_MODE_EXEC = 10,
	PRECIS_PT_MODE_TSX = 11,
	PRECIS_PT_TRACESTOP = 12,
	PRECIS_PT_CBR = 13,
	PRECIS_PT_TSC = 14,
	PRECIS_PT_MTC = 15,
	PRECIS_PT_TMA = 16,
	PRECIS_PT_CYC = 17,
	PRECIS_PT_VMCS = 18,
	PRECIS_PT_OVF = 19,
	PRECIS_PT_MNT = 20,
	PRECIS_PT_PTWRITE = 21,
	PRECIS_PT_EXSTOP = 22,
	PRECIS_PT_MWAIT = 23,
	PRECIS_PT_PWRE = 24,
	PRECIS_PT_PWRX = 25,
	PRECIS_PT_CFE = 26,
	PRECIS_PT_EVD = 27,
	PRECIS_PT_BBP = 28,
	PRECIS_PT_BIP = 29,
	PRECIS_PT_BEP = 30,
	PRECIS_PT_TYPE_COUNT = 31
};

struct precis_pt_packet {
	uint32_t size;
	uint32_t type;
	uint32_t bytes;

	uint32_t detail;
};

#define PRECIS_PT_PACKET_MAX 16u

PRECIS_API int precis_pt_packet_parse(const void *bytes, size_t count, uint32_t item_bytes,
				      struct precis_pt_packet *packet);

PRECIS_API int precis_pt_packet_encode(const struct precis_pt_packet *packet, void *bytes,
				       size_t room);

PRECIS_API const char *precis_pt_packet_name(uint32_t type);

PRECIS_API int precis_pt_packet_keeps_block(uint32_t type);

enum precis_pebs_pt_problem {

	PRECIS_PEBS_PT_UNKNOWN_PACKET = 0,
	PRECIS_PEBS_PT_INTERRUPTED = 1,
	PRECIS_PEBS_PT_OVERFLOW = 2,
	PRECIS_PEBS_PT_TRUNCATED = 3,
	PRECIS_PEBS_PT_STRAY_END = 4,

	PRECIS_PEBS_PT_UNKNOWN_BLOCK = 5,
	PRECIS_PEBS_PT_UNKNOWN_ITEM = 6,
	PRECIS_PEBS_PT_TWO_VALUES = 7,
	PRECIS_PEBS_PT_NO_IP = 8,
	PRECIS_PEBS_PT_IP_UNKNOWN = 9,
	PRECIS_PEBS_PT_BRANCHES_INCOMPLETE = 10,
	PRECIS_PEBS_PT_XMM_INCOMPLETE = 11,
	PRECIS_PEBS_PT_PROBLEM_COUNT = 12
};

#define PRECIS_PEBS_PT_PROBLEM_CAPACITY 32

PRECIS_API const char *precis_pebs_pt_problem_name(uint32_t problem);

#define PRECIS_PEBS_PT_BLOCKS 7u
#define PRECIS_PEBS_PT_ITEMS 32u
#define PRECIS_PEBS_PT_BRANCHES 30u

struct precis_pebs_pt {
	uint32_t size;
	uint32_t in_sync;
	uint64_t offset;
	uint64_t packets;
	uint64_t records;
	uint64_t records_lost;
	uint64_t overflows;
	uint64_t bytes_skipped;
	uint64_t problems[PRECIS_PEBS_PT_PROBLEM_CAPACITY];
	uint64_t problem_offset[PRECIS_PEBS_PT_PROBLEM_CAPACITY];
	uint64_t tsc_packet;
	uint32_t has_tsc_packet;

	uint32_t carry_bytes;
	uint8_t carry[PRECIS_PT_PACKET_MAX];
	uint32_t psb_bytes, is_fresh, has_last_ip;
	uint32_t in_record, item_bytes, block, block_id, awaits_ip;
	uint64_t last_ip, began;
	uint32_t record_problems, register_bytes, unknown_blocks;
	uint32_t seen[PRECIS_PEBS_PT_BLOCKS], refused[PRECIS_PEBS_PT_BLOCKS];
	uint8_t item[PRECIS_PEBS_PT_BLOCKS][PRECIS_PEBS_PT_ITEMS][8];
	uint8_t branches[PRECIS_PEBS_PT_BRANCHES * 24];
	uint64_t reserved[108];
};

#define PRECIS_PEBS_PT_HAS_FUP_IP (1u << 0)
#define PRECIS_PEBS_PT_HAS_TSC (1u << 1)

struct precis_pebs_pt_about {
	uint32_t size;
	uint32_t flags;
	uint64_t offset;
	uint64_t fup_ip;
	uint64_t tsc_packet;
	uint32_t problems;
};

PRECIS_API int precis_pebs_pt_init(struct precis_pebs_pt *decoder, uint64_t offset);

PRECIS_API int precis_pebs_pt_next(struct precis_pebs_pt *decoder, const void *bytes, size_t count,
				   size_t *used, struct precis_pebs *record,
				   struct precis_pebs_groups *groups,
				   struct precis_pebs_pt_about *about);

PRECIS_API int precis_pebs_pt_end(struct precis_pebs_pt *decoder, struct precis_pebs *record,
				  struct precis_pebs_groups *groups,
				  struct precis_pebs_pt_about *about);

PRECIS_API int precis_pebs_pt_encode(const struct precis_pebs *record,
				     const struct precis_pebs_groups *groups,
				     const struct precis_pebs_pt_about *about, void *bytes,
				     size_t room);

#define PRECIS_PEBS_PT_ENCODED_MAX 2048u

PRECIS_END_DECLS

#endif
