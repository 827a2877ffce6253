/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PEBS records in Intel Processor Trace: the E-cores of Tremont, Alder Lake-N,
 * Sierra Forest and Grand Ridge can write them as packets into the trace, where
 * perf record keeps them in AUXTRACE records (precis_file_payload()).
 *
 * A record is a sequence of blocks: block begin (BBP), block items (BIP), …,
 * and a block end (BEP). Words that no item gave are not captured, and nothing
 * that cannot be read is left out in silence: it is counted under its name.
 *
 * Nothing here allocates, prints, locks or keeps state outside the caller's
 * structs: all of it may be called from a signal handler.
 *
 * Source: Intel SDM vol. 3, "Intel Processor Trace", packet definitions, and "PEBS
 * Output to Intel Processor Trace"; checked against the packet list of perf 6.1.
 */
#ifndef PRECIS_PEBS_PT_H
#define PRECIS_PEBS_PT_H

#include <precis/export.h>
#include <precis/pebs_record.h>

PRECIS_BEGIN_DECLS

/** The packets of the trace. The numbers are ABI. */
enum precis_pt_packet_type {
	PRECIS_PT_PAD = 0,
	PRECIS_PT_PSB = 1, /* where a decoder can start */
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
	PRECIS_PT_OVF = 19, /* the CPU dropped packets */
	PRECIS_PT_MNT = 20,
	PRECIS_PT_PTWRITE = 21,
	PRECIS_PT_EXSTOP = 22,
	PRECIS_PT_MWAIT = 23,
	PRECIS_PT_PWRE = 24,
	PRECIS_PT_PWRX = 25,
	PRECIS_PT_CFE = 26,
	PRECIS_PT_EVD = 27,
	PRECIS_PT_BBP = 28, /* block begin */
	PRECIS_PT_BIP = 29, /* block item */
	PRECIS_PT_BEP = 30, /* block end */
	PRECIS_PT_TYPE_COUNT = 31
};

/** One packet. */
struct precis_pt_packet {
	uint32_t size;    /* sizeof(struct precis_pt_packet), set by the caller */
	uint32_t type;    /* enum precis_pt_packet_type */
	uint32_t bytes;   /* that it takes in the trace */
	/* TIP, TIP.PGE, TIP.PGD, FUP: IPBytes, how the IP is compressed. BBP: bytes of each item, 4
	 * or 8. BIP: the item's id. EVD: its type. PTWRITE, EXSTOP, CFE, BEP: 1 if a FUP with the
	 * IP follows. Else 0 */
	uint32_t detail;
	/* What follows the head, little-endian; EVD: its last 8 bytes. BBP: the block's type. CYC:
	 * the cycles. Short TNT: its byte */
	uint64_t payload;
};

/** The longest packet, in bytes. */
#define PRECIS_PT_PACKET_MAX 16u

/**
 * The packet at the start of some bytes, which must be the start of a packet.
 *
 * @param item_bytes  bytes of a block item where the packet is in a block: 4 or 8, which the BBP
 *                    before it said; 0 outside of blocks. The bytes of a BIP are those of a short
 *                    TNT elsewhere
 * @param packet      'size' must be set
 * @return how many bytes it takes; PRECIS_E_ARGUMENT; PRECIS_E_TRUNCATED if the packet needs more
 *         bytes than these; PRECIS_E_UNKNOWN_BITS if it is none that is known: decoding can go on
 *         only at the next PSB
 */
PRECIS_API int precis_pt_packet_parse(const void *bytes, size_t count, uint32_t item_bytes,
				      struct precis_pt_packet *packet);

/**
 * The bytes of a packet: what precis_pt_packet_parse() reads back. Where a type has several
 * lengths (BIP: 5, 9; PTWRITE: 6, 10), 'bytes' of the packet chooses.
 *
 * @return how many bytes were written; PRECIS_E_ARGUMENT for a packet that cannot be;
 *         PRECIS_E_NO_SPACE
 */
PRECIS_API int precis_pt_packet_encode(const struct precis_pt_packet *packet, void *bytes,
				       size_t room);

/** "TIP.PGE", "BBP", …; NULL for a number that no type has. */
PRECIS_API const char *precis_pt_packet_name(uint32_t type);

/** May packets of this type stand inside a block without ending it? 1 or 0. */
PRECIS_API int precis_pt_packet_keeps_block(uint32_t type);

/** What can go wrong on the way from packets to records. The numbers are ABI. */
enum precis_pebs_pt_problem {
	/* The record that is being read is lost. The first and TRUNCATED count without one, too */
	PRECIS_PEBS_PT_UNKNOWN_PACKET = 0, /* decoding went on at the next PSB */
	PRECIS_PEBS_PT_INTERRUPTED = 1, /* a packet came that ends a block, and no BEP before it */
	PRECIS_PEBS_PT_OVERFLOW = 2,    /* the same, and the packet is OVF */
	PRECIS_PEBS_PT_TRUNCATED = 3,   /* the trace ended, inside a record or a packet */
	PRECIS_PEBS_PT_STRAY_END = 4,   /* a BEP without a BBP: its beginning is lost */
	/* The record is there, something in it is not */
	PRECIS_PEBS_PT_UNKNOWN_BLOCK = 5, /* a block of a type that is not known */
	PRECIS_PEBS_PT_UNKNOWN_ITEM = 6,  /* none that its block is known to have, or too short */
	PRECIS_PEBS_PT_TWO_VALUES = 7,    /* an item twice, with different values: none is taken */
	PRECIS_PEBS_PT_NO_IP = 8,         /* BEP announced a FUP with an IP, and none followed */
	PRECIS_PEBS_PT_IP_UNKNOWN = 9,    /* the FUP's IP is compressed against a lost one (OVF) */
	PRECIS_PEBS_PT_BRANCHES_INCOMPLETE = 10, /* an LBR entry lacks FROM, TO or INFO, or is missing */
	PRECIS_PEBS_PT_XMM_INCOMPLETE = 11, /* not all of XMM0 to XMM15 */
	PRECIS_PEBS_PT_PROBLEM_COUNT = 12
};

/** Room for problems, of which there may be more some day. */
#define PRECIS_PEBS_PT_PROBLEM_CAPACITY 32

/** A few words for a problem; NULL for a number that none has. */
PRECIS_API const char *precis_pebs_pt_problem_name(uint32_t problem);

#define PRECIS_PEBS_PT_BLOCKS 7u    /* block types that are known */
#define PRECIS_PEBS_PT_ITEMS 32u    /* ids of a block */
#define PRECIS_PEBS_PT_BRANCHES 30u /* the most LBR entries of a record: 10 in each of 3 blocks */

/**
 * A decoder: set up by precis_pebs_pt_init(), one for each trace buffer (each CPU, or each thread).
 * What stands before 'carry' is for the caller to read, the rest is the decoder's own and may be
 * something else in the next version. The struct always has 4 KiB.
 */
struct precis_pebs_pt {
	uint32_t size;
	uint32_t in_sync;        /* 0: looking for a PSB */
	uint64_t offset;         /* of the next byte; may be set after precis_pebs_pt_end() */
	uint64_t packets;        /* read so far, those in blocks included */
	uint64_t records;        /* handed out */
	uint64_t records_lost;   /* begun, and never handed out */
	uint64_t overflows;      /* OVF packets */
	uint64_t bytes_skipped;  /* passed over in search of a PSB */
	uint64_t problems[PRECIS_PEBS_PT_PROBLEM_CAPACITY];       /* how often */
	uint64_t problem_offset[PRECIS_PEBS_PT_PROBLEM_CAPACITY]; /* where last */
	uint64_t tsc_packet;     /* payload of the last TSC packet, 56 bits … */
	uint32_t has_tsc_packet; /* … 0: none since packets were last lost */

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

/** What the trace says of a record besides its words. */
struct precis_pebs_pt_about {
	uint32_t size;         /* sizeof(struct precis_pebs_pt_about), set by the caller */
	uint32_t flags;        /* PRECIS_PEBS_PT_HAS_* */
	uint64_t offset;       /* of its first BBP */
	uint64_t fup_ip;       /* of the FUP behind its BEP; perf shows it if there is no other IP */
	uint64_t tsc_packet;   /* the last TSC packet before the record ended: 56 bits */
	uint32_t problems;     /* bit n: enum precis_pebs_pt_problem n */
	uint32_t xmm_captured; /* bit 2n: low half of XMMn, 2n+1: high half */
};

/**
 * Start at a place of the trace where a packet need not begin.
 *
 * @param offset  of the first byte that will be given, for the offsets in what is told
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_pebs_pt_init(struct precis_pebs_pt *decoder, uint64_t offset);

/**
 * Read the trace up to the end of the next record. Bytes may come in pieces of any size; call
 * again with those that were not used.
 *
 * The record is PRECIS_PEBS_FORMAT_4 with the words that were captured: without a format word and
 * retirement latency, which packets do not carry. 'bytes' is what the record takes in the trace,
 * the FUP behind it and packets within included; bit n of 'unknown_groups' is block type n.
 *
 * @param used    set to how many of the bytes are done with
 * @param record  'size' must be set
 * @param groups   NULL if not wanted; 'size' must be set. Its views live until the next call
 * @param about   NULL if not wanted; 'size' must be set
 * @return 1 with a record; 0 if all bytes are used; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_pebs_pt_next(struct precis_pebs_pt *decoder, const void *bytes, size_t count,
				   size_t *used, struct precis_pebs *record,
				   struct precis_pebs_groups *groups,
				   struct precis_pebs_pt_about *about);

/**
 * The trace ends, or goes on elsewhere: after this the decoder looks for a PSB again. A record that
 * ended and still waits for the FUP with its IP is handed out, one without its BEP is lost.
 *
 * @return as precis_pebs_pt_next()
 */
PRECIS_API int precis_pebs_pt_end(struct precis_pebs_pt *decoder, struct precis_pebs *record,
				  struct precis_pebs_groups *groups,
				  struct precis_pebs_pt_about *about);

/**
 * The packets of a record, as the CPU would write them: for tests and simulators. XMM and LBR are
 * taken from 'groups', a FUP with the IP from 'about'.
 *
 * @param groups  NULL for none
 * @param about  NULL for none
 * @return how many bytes were written; PRECIS_E_ARGUMENT for a record with words that packets
 *         cannot carry; PRECIS_E_NO_SPACE
 */
PRECIS_API int precis_pebs_pt_encode(const struct precis_pebs *record,
				     const struct precis_pebs_groups *groups,
				     const struct precis_pebs_pt_about *about, void *bytes,
				     size_t room);

/** No record's packets take more. */
#define PRECIS_PEBS_PT_ENCODED_MAX 2048u

PRECIS_END_DECLS

#endif
