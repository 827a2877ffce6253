/* SPDX-License-Identifier: BSD-3-Clause */
/* All of it is in one of the stub's headers. */
#include "TauPlugin.h"
