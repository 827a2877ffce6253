/* SPDX-License-Identifier: BSD-3-Clause */
/* What the plugin needs of Score-P's metric plugin interface, by Score-P's names. See stub_scorep.c. */
#ifndef STUB_SCOREP_METRIC_PLUGINS_H
#define STUB_SCOREP_METRIC_PLUGINS_H

#include <stdbool.h>
#include <stdint.h>

#define SCOREP_METRIC_PLUGIN_VERSION 1
#define SCOREP_METRIC_PLUGIN_ENTRY(name)                                                           \
	extern SCOREP_Metric_Plugin_Info SCOREP_MetricPlugin_##name##_get_info(void);              \
	SCOREP_Metric_Plugin_Info SCOREP_MetricPlugin_##name##_get_info(void)

typedef enum { SCOREP_METRIC_PER_THREAD } SCOREP_MetricPer;
typedef enum { SCOREP_METRIC_ASYNC = 3 } SCOREP_MetricSynchronicity;
typedef enum { SCOREP_METRIC_VALUE_UINT64 = 1 } SCOREP_MetricValueType;
typedef enum { SCOREP_METRIC_BASE_DECIMAL = 1 } SCOREP_MetricBase;
typedef enum {
	SCOREP_METRIC_MODE_ABSOLUTE_POINT = 4,
	SCOREP_METRIC_MODE_RELATIVE_POINT = 7
} SCOREP_MetricMode;
typedef enum {
	SCOREP_METRIC_SYNCHRONIZATION_MODE_BEGIN,
	SCOREP_METRIC_SYNCHRONIZATION_MODE_END
} SCOREP_MetricSynchronizationMode;

typedef struct {
	uint64_t timestamp, value;
} SCOREP_MetricTimeValuePair;

typedef struct {
	char *name, *description;
	SCOREP_MetricMode mode;
	SCOREP_MetricValueType value_type;
	SCOREP_MetricBase base;
	int64_t exponent;
	char *unit;
} SCOREP_Metric_Plugin_MetricProperties;

typedef struct {
	uint32_t plugin_version;
	SCOREP_MetricPer run_per;
	SCOREP_MetricSynchronicity sync;
	int32_t (*initialize)(void);
	void (*finalize)(void);
	SCOREP_Metric_Plugin_MetricProperties *(*get_event_info)(char *token);
	int32_t (*add_counter)(char *name);
	void (*set_clock_function)(uint64_t (*clock)(void));
	uint64_t (*get_all_values)(int32_t id, SCOREP_MetricTimeValuePair **list);
	void (*synchronize)(bool is_responsible, SCOREP_MetricSynchronizationMode mode);
} SCOREP_Metric_Plugin_Info;

#endif
