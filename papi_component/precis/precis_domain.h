/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_domain.h
 * @brief The modes that EventSets are of whose program does not choose them.
 */
#ifndef PRECIS_DOMAIN_H
#define PRECIS_DOMAIN_H

/** The environment variable that chooses them */
#define PRECIS_DOMAIN_VARIABLE "PRECIS_PAPI_DOMAIN"
/** How a program says so, or who runs it; of IBS without the format swfilt, which has both or none */
#define PRECIS_DOMAIN_ADVICE                                                                       \
	"set " PRECIS_DOMAIN_VARIABLE "=all, or in the program PAPI_set_cmp_domain() before the EventSet " \
	"is made, or PAPI_set_opt(PAPI_DOMAIN) of it, to PAPI_DOM_USER | PAPI_DOM_KERNEL"

/** @return PAPI_DOM_*: what the variable says, "user", "kernel" or "all"; else user mode */
int precis_domain_of_environment(void);

#endif
