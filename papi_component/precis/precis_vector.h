/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_vector.h
 * @brief The component's number in PAPI, and what PAPI knows of it.
 */
#ifndef PRECIS_VECTOR_H
#define PRECIS_VECTOR_H

#include "papi.h"
#include "papi_internal.h"
#include "papi_vector.h"

/** PAPI finds it by this name. */
extern papi_vector_t _precis_vector;

#endif
