# SPDX-License-Identifier: BSD-3-Clause
# Recording: precis-record; and what ./bootstrap demo shows of a recording.

dist_bin_SCRIPTS += perf_scripts/record/precis-record

EXTRA_DIST += \
	perf_scripts/demo.sh \
	tests/recordings/symfs/usr/bin/mix \
	tests/recordings/zen4-mix-op.perf.data
