#ifndef PRECIS_DS_H
#define PRECIS_DS_H

#include <precis/export.h>
#include <precis/pebs_record.h>

PRECIS_BEGIN_DECLS

enum precis_ds_layout {
	PRECIS_DS_32 = 0,
	PRECIS_DS_64 = 1,
	PRECIS_DS_64_4 = 2,
	PRECIS_DS_64_8 = 3,
	PRECIS_DS_64_32 = 4
};

#define PRECIS_DS_GP_RESETS 32
#define PRECIS_DS_FIXED_RESETS 16

struct precis_ds_buffer {
	uint64_t base;
	uint64_t index;
	uint64_t maximum;
	uint64_t threshold;
};

struct precis_ds {
	uint32_t size;
	uint32_t layout;
	uint32_t gp_captured, fixed_captured;
	struct precis_ds_buffer bts, pebs;
	uint64_t gp_reset[PRECIS_DS_GP_RESETS];
};

#define PRECIS_DS_AREA_MAX 448

PRECIS_API int precis_ds_layout_of(uint32_t format);

PRECIS_API int precis_ds_parse(uint32_t layout, const void *bytes, size_t count,
			       struct precis_ds *ds);

PRECIS_API int precis_ds_encode(const struct precis_ds *ds, void *bytes, size_t room);

enum precis_ds_fault {
	PRECIS_DS_SOUND = 0,
	PRECIS_DS_NO_BUFFER = 1,
	PRECIS_DS_MAXIMUM_BELOW_BASE = 2,
	PRECIS_DS_INDEX_BELOW_BASE = 3,
	PRECIS_DS_INDEX_BEYOND_MAXIMUM = 4,
	PRECIS_DS_MISALIGNED = 5,
	PRECIS_DS_NOT_IN_MEMORY = 6,
	PRECIS_DS_PARTIAL_RECORD = 7,
	PRECIS_DS_THRESHOLD_OUTSIDE = 8
};

PRECIS_API enum precis_ds_fault precis_ds_check(const struct precis_ds_buffer *buffer,
						uint32_t word, uint32_t record_bytes);

PRECIS_API const char *precis_ds_fault_text(uint32_t fault);

PRECIS_API int precis_ds_pebs(const struct precis_ds *ds, uint32_t format, const void *memory,
			      size_t count, uint64_t address, struct precis_pebs_buffer *buffer,
			      uint32_t *fault);

PRECIS_API int precis_ds_extent(const struct precis_ds *ds, uint32_t format,
				const uint64_t *address, uint64_t *skip, uint64_t *count,
				uint32_t *fault);

struct precis_bts_branch {
	uint64_t from, to;
	uint64_t flags;
};

#define PRECIS_BTS_PREDICTED (UINT64_C(1) << 4)

PRECIS_API uint32_t precis_bts_record_bytes(uint32_t layout);

struct precis_bts_buffer {
	uint32_t size;
	uint32_t layout;
	const uint8_t *bytes;
	size_t count;
	size_t next;
	size_t offset;
	uint64_t branches;
	uint64_t reserved[4];
};

PRECIS_API int precis_bts_init(struct precis_bts_buffer *buffer, uint32_t layout,
			       const void *bytes, size_t count);

PRECIS_API int precis_ds_bts(const struct precis_ds *ds, const void *memory, size_t count,
			     uint64_t address, struct precis_bts_buffer *buffer, uint32_t *fault);

PRECIS_API int precis_bts_next(struct precis_bts_buffer *buffer, struct precis_bts_branch *branch);

PRECIS_API int precis_bts_encode(const struct precis_bts_branch *branch, uint32_t layout,
				 void *bytes, size_t room);

PRECIS_END_DECLS

#endif
