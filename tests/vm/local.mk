# SPDX-License-Identifier: BSD-3-Clause
# The kernel's own driver on modeled registers, in a virtual machine.

include tests/vm/model/local.mk
