# SPDX-License-Identifier: BSD-3-Clause
# The running kernel's own ring buffers. Skipped where it does not let us.

UNIT_TESTS += \
	tests/live/test_ibs_payload \
	tests/live/test_plan_ring \
	tests/live/test_ring

tests_live_test_ibs_payload_SOURCES = \
	tests/live/test_ibs_payload.c \
	tests/support/bpf_code.h \
	tests/support/bpf_payload.c \
	tests/support/bpf_payload.h \
	tests/support/live_event.c \
	tests/support/live_event.h
tests_live_test_plan_ring_SOURCES = \
	tests/live/test_plan_ring.c \
	tests/support/live_event.c \
	tests/support/live_event.h
tests_live_test_ring_SOURCES = \
	tests/live/test_ring.c \
	tests/support/live_event.c \
	tests/support/live_event.h
