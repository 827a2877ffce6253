/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_machine.h
 * @brief What this machine and its kernel have, read once.
 */
#ifndef PRECIS_MACHINE_H
#define PRECIS_MACHINE_H

#include <stdint.h>

#include <precis/amd.h>

/** What is read */
struct precis_machine {
	struct precis_cpu cpu; /**< vendor, family, model */
	char os_release[65]; /**< as uname(2) says */
	int paranoid; /**< kernel.perf_event_paranoid; INT_MAX: no perf events */
	const char *refused; /**< why no event at all can be opened; NULL: one can. A static text */
	const char *sysfs; /**< where PMUs are: /sys/bus/event_source/devices, or PRECIS_SYSFS */
};

/** @return always the same one, read when it is asked for first */
const struct precis_machine *precis_machine(void);
/** (Linux version) major * 1000 + minor of the running kernel */
uint32_t precis_machine_linux(void);

#endif
