# SPDX-License-Identifier: BSD-3-Clause
# What people measured with precis bench on their machines, and the format of it.

EXTRA_DIST += \
	bench/results/README.md \
	bench/results/amd-epyc-guest-linux-6.18.json \
	bench/results/schema.json
