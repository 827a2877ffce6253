/* SPDX-License-Identifier: BSD-3-Clause */
#include <precis/symbols.h>

static const char *const texts[] = {
	[PRECIS_SYMBOL_PRESENT] = "present",
	[PRECIS_SYMBOL_NOT_ASKED] = "not looked up",
	[PRECIS_SYMBOL_NOT_A_FILE] = "memory that is no file's",
	[PRECIS_SYMBOL_NO_FILE] = "file not found or not readable",
	[PRECIS_SYMBOL_OTHER_BUILD_ID] = "file is not the recorded build",
	[PRECIS_SYMBOL_NONE_THERE] = "nothing known of that place in the file",
	[PRECIS_SYMBOL_NOT_BUILT] = "this build of precis reads no ELF files",
	[PRECIS_SYMBOL_NOT_MAPPED] = "nothing mapped there",
	[PRECIS_SYMBOL_GUEST] = "address of a guest or hypervisor",
	[PRECIS_SYMBOL_NO_KALLSYMS] = "no symbols of the recorded kernel found",
	[PRECIS_SYMBOL_KALLSYMS_HIDDEN] = "kernel addresses hidden by kernel.kptr_restrict",
	[PRECIS_SYMBOL_NO_VDSO] = "recorded vdso is in no build-id cache",
	[PRECIS_SYMBOL_NO_PERF_MAP] = "code made at run time, without a perf-PID.map",
	[PRECIS_SYMBOL_NO_DEBUG_INFO] = "no line numbers in the file or its debug file",
};

const char *precis_symbol_absent_text(uint32_t absent)
{
	return absent < sizeof(texts) / sizeof(texts[0]) ? texts[absent] : "unknown reason";
}
