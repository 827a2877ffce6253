/* SPDX-License-Identifier: BSD-3-Clause */
/* s32 pid; u8 build id[20], size, 3 reserved; filename. */
#include "build_id_body.h"
#include "record_body.h"

#define BUILD_ID_ROOM 24u

int precis_build_id_take(struct cursor *body, uint16_t misc,
			 struct precis_header_build_id *build_id)
{
	uint32_t pid;

	if (!cursor_u32(body, &pid) || !cursor_array(body, 1, BUILD_ID_ROOM, &build_id->build_id) ||
	    !cursor_text(body, &build_id->filename))
		return PRECIS_E_TRUNCATED;
	build_id->pid = (int32_t)pid;
	build_id->cpumode = misc & PRECIS_MISC_CPUMODE_MASK;
	build_id->has_size = (misc & PRECIS_MISC_BUILD_ID_SIZE) != 0;
	build_id->build_id_bytes = PRECIS_BUILD_ID_MAX_BYTES;
	if (!build_id->has_size)
		return 0;
	build_id->build_id_bytes = build_id->build_id[PRECIS_BUILD_ID_MAX_BYTES];
	return build_id->build_id_bytes <= PRECIS_BUILD_ID_MAX_BYTES ? 0 : PRECIS_E_BAD_SIZE;
}
