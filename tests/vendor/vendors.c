/* SPDX-License-Identifier: BSD-3-Clause */
/* In the place of libdecode/vendors.c: its lines, and one more. */
#include "libdecode/sample/vendor.h"

extern const struct vendor precis_vendor_ibs, precis_vendor_pebs, toy_vendor;

const struct vendor *const precis_vendors[] = {
	&precis_vendor_ibs,
	&precis_vendor_pebs,
	&toy_vendor,
	NULL,
};

const char precis_no_vendors_event[] = "the event is nobody's, and no toy's";
