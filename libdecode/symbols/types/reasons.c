/* SPDX-License-Identifier: BSD-3-Clause */
/* Why something of a file's data is not known, in words. */
#include <precis/data_types.h>

static const char *const texts[] = {
	[PRECIS_DATA_TYPE_PRESENT] = "present",
	[PRECIS_DATA_TYPE_NOT_BUILT] = "this build of precis reads no ELF files",
	[PRECIS_DATA_TYPE_NO_FILE] = "file not found or not readable",
	[PRECIS_DATA_TYPE_OTHER_BUILD_ID] = "file is not the recorded build",
	[PRECIS_DATA_TYPE_NO_DEBUG_INFO] = "no debug information in the file or its debug file",
	[PRECIS_DATA_TYPE_NO_VARIABLE] = "no variable known at that place in the file",
	[PRECIS_DATA_TYPE_NONE_OF_NAME] = "no type of that name",
	[PRECIS_DATA_TYPE_NOT_DESCRIBED] = "not described by the debug information",
	[PRECIS_DATA_TYPE_INCOMPLETE] = "declared, and defined nowhere in the file",
	[PRECIS_DATA_TYPE_AMBIGUOUS] = "declared, and defined in several ways",
	[PRECIS_DATA_TYPE_RUN_TIME] = "worked out when the program runs",
	[PRECIS_DATA_TYPE_VIRTUAL_BASE] =
		"in a virtual base, the place of which depends on the object",
	[PRECIS_DATA_TYPE_BEYOND] = "offset is not in the type",
	[PRECIS_DATA_TYPE_NO_SIZE] = "type has no size",
	[PRECIS_DATA_TYPE_LOOP] = "debug information that leads back to itself, or is too deep",
	[PRECIS_DATA_TYPE_TOO_MANY] = "more than the limits of precis allow",
	[PRECIS_DATA_TYPE_MALFORMED] = "malformed debug information",
	[PRECIS_DATA_TYPE_NO_SPLIT_FILE] =
		"in a split debug file (.dwo) that was not found or is another one",
	[PRECIS_DATA_TYPE_PACKAGE] = "in a package of split debug files (.dwp) that cannot be read",
	[PRECIS_DATA_TYPE_NO_SUPPLEMENT] = "in a supplementary debug file (dwz) that was not found",
	[PRECIS_DATA_TYPE_DESCRIPTOR] = "in a descriptor that points to the data",
	[PRECIS_DATA_TYPE_HOLDS_POINTERS] = "holds pointers, and nothing says to what",
	[PRECIS_DATA_TYPE_DIVIDED] = "is divided into parts of several types",
};

const char *precis_data_type_absent_text(uint32_t absent)
{
	return absent < sizeof(texts) / sizeof(texts[0]) ? texts[absent] : "unknown reason";
}
