# SPDX-License-Identifier: BSD-3-Clause
# The kernel's perf ABI: records, samples, perf.data files. A room includes headers of its own and
# of those above it here.

include libdecode/perf/records/local.mk
include libdecode/perf/ring/local.mk
include libdecode/perf/samples/local.mk
include libdecode/perf/decoder/local.mk
include libdecode/perf/stream/local.mk
include libdecode/perf/reader/local.mk
include libdecode/perf/events/local.mk
include libdecode/perf/features/local.mk
include libdecode/perf/tracepoints/local.mk
include libdecode/perf/machine/local.mk
include libdecode/perf/order/local.mk
include libdecode/perf/losses/local.mk
include libdecode/perf/file/local.mk
include libdecode/perf/aux/local.mk
include libdecode/perf/input/local.mk
include libdecode/perf/columns/local.mk
include libdecode/perf/writer/local.mk
