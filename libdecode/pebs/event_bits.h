/* SPDX-License-Identifier: BSD-3-Clause */
/* Which event a config is: IA32_PERFEVTSELx, of which the other bits say how it is counted. */
#ifndef PRECIS_PEBS_EVENT_BITS_H
#define PRECIS_PEBS_EVENT_BITS_H

#define EVENT_BITS 0xffffu /* unit mask and event select */
#define EVENT_SELECT(config) ((config) & 0xff)
#define EVENT_UNIT_MASK(config) ((config) >> 8 & 0xff)

#endif
