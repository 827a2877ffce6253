/* SPDX-License-Identifier: BSD-3-Clause */
/* Feature BUILD_ID: records without a count or a type, one behind the other. */
#include <precis/features.h>

#include "libdecode/perf/records/build_id_body.h"
#include "libdecode/perf/records/record_body.h"
#include "libdecode/sample/abi.h"

int precis_build_ids(struct precis_bytes section, struct precis_section_list *build_ids)
{
	if (!build_ids)
		return PRECIS_E_ARGUMENT;
	build_ids->left = section.bytes;
	build_ids->at = section.data;
	build_ids->end = section.data + section.bytes;
	return 0;
}

static int take(struct precis_section_list *build_ids, struct precis_header_build_id *build_id)
{
	struct precis_record record;
	struct cursor body;
	int error = precis_record_at(build_ids->at, build_ids->left, &record);

	if (error)
		return error;
	body = record_body(&record);
	error = precis_build_id_take(&body, record.misc, build_id);
	if (error)
		return error;
	build_ids->at += record.size;
	build_ids->left -= record.size;
	return 1;
}

int precis_build_id_next(struct precis_section_list *build_ids,
			 struct precis_header_build_id *build_id)
{
	int code;

	ABI_OUT(struct precis_header_build_id, build_id, precis_build_id_next(build_ids, &abi));
	if (!build_ids)
		return PRECIS_E_ARGUMENT;
	if (!build_ids->left)
		return 0;
	code = take(build_ids, build_id);
	if (code < 0)
		build_ids->left = 0;
	return code;
}
