/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list of vendors, whose rooms know nothing of each other: a new one is a line here. In this
 * order they say where fields come from, and are asked why one is absent.
 */
#include "sample/vendor.h"

extern const struct vendor precis_vendor_ibs, precis_vendor_pebs;

const struct vendor *const precis_vendors[] = {
	&precis_vendor_ibs,
	&precis_vendor_pebs,
	NULL,
};

const char precis_no_vendors_event[] =
	"the event is neither IBS nor a precise event of an Intel CPU";
