/* SPDX-License-Identifier: BSD-3-Clause */
/* What the plugin needs of TAU's interface, by the names that TAU gives it. See stub_tau.c. */
#ifndef STUB_TAU_PLUGIN_H
#define STUB_TAU_PLUGIN_H

typedef struct {
	int tid;
} Tau_plugin_event_post_init_data_t;

typedef struct {
	const char *timer_name;
	unsigned int func_id;
} Tau_plugin_event_function_entry_data_t;

typedef struct {
	const char *timer_name;
	unsigned int func_id;
} Tau_plugin_event_function_exit_data_t;

typedef struct {
	int tid;
} Tau_plugin_event_pre_end_of_execution_data_t;

typedef struct {
	int (*PostInit)(Tau_plugin_event_post_init_data_t *data);
	int (*FunctionEntry)(Tau_plugin_event_function_entry_data_t *data);
	int (*FunctionExit)(Tau_plugin_event_function_exit_data_t *data);
	int (*PreEndOfExecution)(Tau_plugin_event_pre_end_of_execution_data_t *data);
} Tau_plugin_callbacks_t;

void Tau_util_init_tau_plugin_callbacks(Tau_plugin_callbacks_t *callbacks);
void Tau_util_plugin_register_callbacks(Tau_plugin_callbacks_t *callbacks, unsigned int id);
void *Tau_get_userevent(const char *name);
void Tau_userevent(void *event, double value);
void Tau_metadata(const char *name, const char *value);
int TauEnv_get_callpath_depth(void);

void stub_init(void);
void stub_start(const char *name);
void stub_stop(const char *name);
#define TAU_INIT(argc, argv) stub_init()
#define TAU_PROFILE_SET_NODE(node) (void)(node)
#define TAU_START(name) stub_start(name)
#define TAU_STOP(name) stub_stop(name)

#endif
