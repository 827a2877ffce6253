/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the clock of events was at other clocks' times: written at the begin, from time to time, at the end.
 */
#ifndef PRECIS_RECORDER_CLOCKS_H
#define PRECIS_RECORDER_CLOCKS_H

/* Where it is time again, or 'now' is 1 */
void clocks_note(int now);

#endif
